"""What the localiser should say: a soft map of object centres and the distances to the box sides.

A location answers for K boxes at once, one a slot; a slot is a range of sizes. So a person and the
bag before it, whose centres fall together, do not compete for one location.
"""

import numpy as np

STRIDE = 8
# Least and greatest square root of a box's share of the picture, by slot. They overlap: a box near
# a bound is the business of both slots.
SLOTS = [(0.0, 0.30), (0.24, 0.60), (0.50, 1.01)]


def targets(boxes, weights, size):
    """Boxes [n, 4] (x0, y0, x1, y1 in input pixels) with a weight each ->
    heat [H, W, K] in 0...1, distances [H, W, K, 4] in pixels, cared [H, W, K] weight of the box."""
    cells = size // STRIDE
    heat = np.zeros((cells, cells, len(SLOTS)), np.float32)
    distances = np.ones((cells, cells, len(SLOTS), 4), np.float32)
    cared = np.zeros((cells, cells, len(SLOTS)), np.float32)
    centres = (np.arange(cells) + 0.5) * STRIDE
    for (x0, y0, x1, y1), weight in zip(boxes, weights):
        w, h = x1 - x0, y1 - y0
        extent = (w * h) ** 0.5 / size
        bell = weight * np.outer(_bell(centres, (y0 + y1) / 2, h), _bell(centres, (x0 + x1) / 2, w))
        shape = (cells, cells)
        sides = np.stack([np.broadcast_to((centres - x0)[None], shape),
                          np.broadcast_to((centres - y0)[:, None], shape),
                          np.broadcast_to((x1 - centres)[None], shape),
                          np.broadcast_to((y1 - centres)[:, None], shape)], -1)
        for slot, (least, greatest) in enumerate(SLOTS):
            if least <= extent < greatest:
                wins = bell > heat[..., slot]
                heat[..., slot][wins] = bell[wins]
                distances[..., slot, :][wins] = sides[wins].clip(1, None)
                near = wins & (bell > 0.3 * weight) & (sides.min(-1) > 0)
                cared[..., slot][wins] = 0
                cared[..., slot][near] = weight
    return heat, distances, cared


def _bell(at, middle, extent):
    """A bell a quarter as wide as the box, at least a cell and a half."""
    spread = 0.22 * max(extent, 1.5 * STRIDE)
    return np.exp(-0.5 * ((at - middle) / spread) ** 2)
