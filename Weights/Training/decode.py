"""The localiser's outputs -> objects, most prominent first. The reference for Detection's code.

1. Outputs come in pairs, one a level: logits [H, W, 2], of an object and of the most prominent one,
   and boxes [H, W, 4]. Every location (y, x) of every level is a candidate: two probabilities, by
   the logistic function; a box from the location's centre and exp(boxes[y, x]), in cells of the
   level, clipped to the picture, as shares of its width and height. The first probability is the
   candidate's score.
2. Candidates under `least_score` are dropped; the `candidates` best stay, ties by lower index
   (level, y, x).
3. Greedy non-maximum suppression: a box that overlaps a better one by `overlap` or more goes.
4. The rest, at most `survivors`, are ranked by score + `prominent` * the second probability.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Parameters:
    least_score: float = 0.05
    candidates: int = 200
    overlap: float = 0.45
    survivors: int = 20
    prominent: float = 1


def candidates(outputs):
    """Of all levels: scores [n], probabilities of the most prominent object [n], and boxes [n, 4]
    (x0 y0 x1 y1)."""
    levels = [_candidates(*pair) for pair in zip(outputs[0::2], outputs[1::2], strict=True)]
    return [np.concatenate(part) for part in zip(*levels)]


def _candidates(logits, boxes):
    height, width, _ = logits.shape
    y, x = np.meshgrid((np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width,
                       indexing="ij")
    distances = np.exp(boxes.clip(-4, 4)) / [width, height, width, height]
    corners = np.stack([x - distances[..., 0], y - distances[..., 1],
                        x + distances[..., 2], y + distances[..., 3]], -1).clip(0, 1)
    chances = 1 / (1 + np.exp(-logits.reshape(-1, 2)))
    return chances[:, 0], chances[:, 1], corners.reshape(-1, 4)


def suppressed(scores, boxes, parameters):
    """Indices that survive steps 2 and 3, best first."""
    order = np.argsort(-scores, kind="stable")[: parameters.candidates]
    order = order[scores[order] >= parameters.least_score]
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(1)
    kept = []
    while len(order) and len(kept) < parameters.survivors:
        best, order = order[0], order[1:]
        kept.append(best)
        low = np.maximum(boxes[order, :2], boxes[best, :2])
        high = np.minimum(boxes[order, 2:], boxes[best, 2:])
        both = (high - low).clip(0).prod(1)
        order = order[both / np.maximum(areas[order] + areas[best] - both, 1e-9) < parameters.overlap]
    return np.array(kept, int)


def ranking(scores, prominent, parameters):
    """Indices by falling prominence, ties by lower index."""
    return np.argsort(-(scores + parameters.prominent * prominent), kind="stable")


def objects(outputs, parameters=Parameters()):
    """Boxes [n, 4] and scores [n], most prominent first."""
    scores, prominent, boxes = candidates(outputs)
    kept = suppressed(scores, boxes, parameters)
    order = kept[ranking(scores[kept], prominent[kept], parameters)]
    return boxes[order], scores[order]
