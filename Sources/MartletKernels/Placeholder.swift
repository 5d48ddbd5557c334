// Placeholder until the first file of the module lands.
