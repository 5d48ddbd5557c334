"""The commands that train a network each, their loop, and the averaging of checkpoints."""
