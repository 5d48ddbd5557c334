"""The architectures, in Keras, and how PyTorch computes them."""
