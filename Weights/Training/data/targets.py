"""Training targets of the localizer.

A level is a grid of cells over the image. A cell predicts one box: the probability of an object, the
probability that it is the image's most prominent one, and the distances to its sides. In every step the
cells of an object are those that already predict it best (task-aligned assignment, TOOD, arXiv 2108.07755).
"""

import numpy as np
import torch

from data.boxes import overlap

SIZE = 192  # shorter side of the network's input in pixels
# Cells along that side of each level, and the initial side of their boxes, in cells.
LEVELS = [(24, 2.0), (12, 2.2), (6, 2.4), (3, 2.2)]
MAX_OBJECTS = 16  # per view
CELLS_PER_OBJECT = 9  # at most
OVERLAP_POWER = 4  # exponent of the overlap in choosing cells; the score's is 1


LANDSCAPE, PORTRAIT, SQUARE = SHAPES = [(4 * SIZE // 3, SIZE), (SIZE, 4 * SIZE // 3), (SIZE, SIZE)]


def shape(width, height):
    """Width and height of the network's input, for an image of this width and height."""
    return LANDSCAPE if 20 * width > 23 * height else PORTRAIT if 20 * height > 23 * width else SQUARE


def grid(width, height):
    """Centers (x, y as shares) of all cells of a view of so many pixels, and the cells along both sides of their
    level."""
    centers, cells = [], []
    for count, _ in LEVELS:
        columns, rows = count * width // SIZE, count * height // SIZE
        y, x = np.meshgrid((np.arange(rows) + 0.5) / rows, (np.arange(columns) + 0.5) / columns, indexing="ij")
        centers.append(np.stack([x, y], -1).reshape(-1, 2))
        cells.append(np.tile([columns, rows], (rows * columns, 1)))
    return [np.concatenate(part).astype(np.float32) for part in (centers, cells)]


def objects(fused, boxes, kinds, complete):
    """[MAX_OBJECTS, 6]: boxes as shares, and the probabilities that each is an object and the most prominent
    one. Unused rows are 0. `fused`: the teachers' answer, [n, 6]; boxes [n, 4] as shares and their kinds as
    of `Scenes.boxes`."""
    if complete:
        fused = fused * np.float32([1, 1, 1, 1, 0.3, 0.15])
    found = fused
    if len(boxes):
        annotated = boxes[kinds == 2]
        if len(fused):
            found = fused[(overlap(fused[:, :4], boxes) < 0.5).all(1) | _overlaps_ignored(fused, boxes, kinds)]
        if len(annotated):
            prominent = np.zeros(len(annotated))
            if complete:
                prominent[_prominence(annotated).argmax()] = 1
            elif len(fused):
                shared = overlap(annotated, fused[:, :4])
                prominent = np.where(shared.max(1) > 0.5, fused[shared.argmax(1), 5], 0.1)
            known = np.concatenate([annotated, np.ones((len(annotated), 1)), prominent[:, None]], 1)
            found = np.concatenate([known, found])
    found = found[np.argsort(-found[:, 4], kind="stable")][:MAX_OBJECTS]
    return np.concatenate([found, np.zeros((MAX_OBJECTS - len(found), 6))]).astype(np.float32)


def _overlaps_ignored(fused, boxes, kinds):
    """Whether each teacher's box overlaps an annotated part, crowd or difficult object."""
    return (overlap(fused[:, :4], boxes[kinds != 2]) >= 0.5).any(1)


def _prominence(boxes):
    """The prominence of objects as in evaluate/measures.py, in a square image."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2 - 0.5
    return (boxes[:, 2:] - boxes[:, :2]).prod(1) * (1 - np.hypot(*middle.T) / 0.5**0.5)


def assigned(truth, scores, distances, centers, cells):
    """The cells' targets: distances [b, cells, 4] to the sides, and the probabilities [b, cells] of an object
    and of the most prominent one, times the quality of the prediction. `truth`: `objects` [b, n, 6];
    predicted scores [b, cells] and distances [b, cells, 4]; centers and cells [cells, 2] of `grid`. All are tensors."""
    boxes, objectness, prominent = truth[..., :4], truth[..., 4], truth[..., 5]
    sides = torch.cat([centers[None, :, None] - boxes[:, None, :, :2],
                       boxes[:, None, :, 2:] - centers[None, :, None]], -1)
    iou, _ = overlaps(distances[:, :, None], sides)
    # The candidates of an object are the cells in it and the cell of its center, so it has at least one.
    middle = ((boxes[:, None, :, :2] + boxes[:, None, :, 2:]) / 2 - centers[None, :, None]).abs()
    near = (middle * cells[None, :, None]).amax(-1) <= 0.5
    is_candidate = ((sides.amin(-1) > 0) | near) & (objectness[:, None] > 0)
    fit = torch.where(is_candidate, (scores[..., None] + 0.02) * iou**OVERLAP_POWER + 1e-9, 0)
    threshold = fit.topk(CELLS_PER_OBJECT, 1).values[:, -1:]
    fit = torch.where(fit >= threshold.clamp(min=1e-9), fit, 0)
    # A cell that fits several objects takes the one of the largest probability times overlap.
    chosen = torch.where(fit > 0, objectness[:, None] * iou + 1e-6, 0).argmax(-1, keepdim=True)
    assignment = torch.zeros_like(fit).scatter_(2, chosen, 1) * (fit > 0)
    fit, iou = fit * assignment, iou * assignment
    best = fit.amax(1, keepdim=True)
    quality = (fit / best.clamp(min=1e-9) * iou.amax(1, keepdim=True)).sum(-1)
    is_assigned = assignment.sum(-1)
    target_distances = sides.gather(2, chosen[..., None].expand(-1, -1, -1, 4))[:, :, 0]
    of_chosen = lambda values: values.gather(1, chosen[..., 0])
    return (target_distances.clamp(min=0.004), is_assigned * of_chosen(objectness) * quality,
            is_assigned * of_chosen(prominent) * quality)


def overlaps(a, b):
    """Intersection over union of two boxes, given as distances of their sides from one point, and the share
    of the hull of both that neither covers."""
    inner, hull = torch.minimum(a, b), torch.maximum(a, b)
    area = lambda d: (d[..., 0] + d[..., 2]) * (d[..., 1] + d[..., 3])
    both = (inner[..., 0] + inner[..., 2]).relu() * (inner[..., 1] + inner[..., 3]).relu()
    union = area(a) + area(b) - both
    return both / union.clamp(min=1e-9), (area(hull) - union) / area(hull).clamp(min=1e-9)
