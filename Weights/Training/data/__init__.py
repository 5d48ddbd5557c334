"""The images: reading, crops, views, targets, augmentation, drawn and pasted objects."""
