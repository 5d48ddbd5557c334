"""The architectures in Keras, and their computation by PyTorch."""
