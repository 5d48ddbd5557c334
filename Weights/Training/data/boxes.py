"""Areas and overlaps of boxes [n, 4] (x0, y0, x1, y1)."""

import numpy as np


def overlap(a, b):
    """Intersection over union of every box of `a` with every box of `b`."""
    both = intersection(a, b)
    return both / np.maximum(areas(a)[:, None] + areas(b)[None] - both, 1e-9)


def intersection(a, b):
    """The area that every box of `a` shares with every box of `b`."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    return (high - low).clip(0).prod(-1)


def areas(boxes):
    """Of boxes [n, 4] (x0, y0, x1, y1)."""
    return (boxes[:, 2:] - boxes[:, :2]).prod(-1)
