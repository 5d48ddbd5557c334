"""The published networks whose answers are the training targets."""
