"""What the localiser should say, and where: its levels, their slots, and targets for each.

A level is a grid of cells over the picture, a slot a box shape that a cell's answer starts from.
Levels and slots are those of SSD with six scales, so that an SSD teacher can be heard slot by slot.
"""

import numpy as np

SIZE = 192
# Cells along a side of each level; scales of its boxes' sides, as shares of the picture's.
LEVELS = [(12, (0.2,)), (6, (0.35,)), (3, (0.5,)), (2, (0.65,)), (1, (0.8, 0.95))]
SCALES = [0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 1.0]
RATIOS = (1, 2, 1 / 2, 3, 1 / 3)


def shapes(scales):
    """Width and height of a level's slots."""
    found = []
    for scale in scales:
        if scale == SCALES[0]:
            found += [(0.1, 0.1), (scale * 2**0.5, scale * 0.5**0.5), (scale * 0.5**0.5, scale * 2**0.5)]
            continue
        found += [(scale * ratio**0.5, scale / ratio**0.5) for ratio in RATIOS]
        between = (scale * SCALES[SCALES.index(scale) + 1]) ** 0.5
        found.append((between, between))
    return np.array(found, np.float32)


def _anchors():
    centres, sizes, cells = [], [], []
    for count, scales in LEVELS:
        slots = shapes(scales)
        y, x = np.meshgrid(*[(np.arange(count) + 0.5) / count] * 2, indexing="ij")
        centres.append(np.repeat(np.stack([x, y], -1).reshape(-1, 2), len(slots), 0))
        sizes.append(np.tile(slots, (count * count, 1)))
        cells.append(np.full(count * count * len(slots), count))
    return [np.concatenate(part).astype(np.float32) for part in (centres, sizes, cells)]


# Of all slots of all cells: centres (x, y), widths and heights, cells along a side of the level.
CENTRES, SIZES, CELLS = _anchors()
PRIORS = np.concatenate([CENTRES - SIZES / 2, CENTRES + SIZES / 2], 1)


def targets(boxes, kinds, complete, told, taught):
    """Boxes [n, 4] and their kinds as `Scenes.view` gives them, but as shares; the teacher's
    scores [738] and boxes [738, 4]. For each slot of each cell:
    scores the teacher's, lowered where a completely annotated picture denies it; worth, above 0 at
    annotated objects, how much of the picture's most prominent one they are; distances [738, 4] to
    the sides of the box to find, as shares; cared, the box's weight."""
    scores, found, worth = told.copy(), taught.copy(), np.zeros_like(told)
    cared = np.where(told > 0.05, told, 0)
    if len(boxes):
        reached = overlap(taught, boxes)
        if complete:
            scores[reached.max(1) < 0.4] *= 0.4
        objects = boxes[kinds == 2]
        if len(objects):
            reached = np.where(told[:, None] > 0.1, reached[:, kinds == 2], 0)
            prior = overlap(PRIORS, objects)
            inside = (CENTRES[:, None] > objects[None, :, :2]).all(-1)
            inside &= (CENTRES[:, None] < objects[None, :, 2:]).all(-1)
            fit = np.maximum(prior, reached) * inside
            fit += (prior * inside >= np.sort(prior * inside, 0)[-3]) & inside
            chosen = fit.argmax(1)
            theirs = fit.max(1) >= 0.5
            found[theirs] = objects[chosen[theirs]]
            worth[theirs] = _prominence(objects)[chosen[theirs]]
            cared[theirs] = 1
    distances = np.concatenate([CENTRES - found[:, :2], found[:, 2:] - CENTRES], 1)
    cared[distances.min(1) <= 0] = 0
    return scores, worth, distances.clip(0.005, None), cared


def _prominence(objects):
    middle = (objects[:, :2] + objects[:, 2:]) / 2 - 0.5
    weight = (objects[:, 2:] - objects[:, :2]).prod(1) * (1 - np.hypot(*middle.T) / 0.5**0.5)
    return 0.6 + 0.4 * np.sqrt(weight.clip(0) / max(weight.max(), 1e-6))


def overlap(a, b):
    """Intersection over union of every box of `a` with every box of `b`."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clip(0).prod(-1)
    areas = [(c[:, 2:] - c[:, :2]).prod(-1) for c in (a, b)]
    return both / np.maximum(areas[0][:, None] + areas[1][None] - both, 1e-9)
