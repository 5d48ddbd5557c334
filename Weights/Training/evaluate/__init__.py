"""Decoders, measures, and the commands that score a network."""
