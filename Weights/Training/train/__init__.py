"""The trainings: one command each, their loop, and the averaging of checkpoints."""
