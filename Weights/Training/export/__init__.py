"""Trained weights -> integer .tflite files with metadata, and Swift source."""
