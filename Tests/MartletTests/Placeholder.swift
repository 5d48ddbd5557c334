// Placeholder until the first suite of the module lands.
