"""The localiser's outputs -> objects, most prominent first. The reference for Detection's code.

1. Outputs come in pairs, one a level: logits [H, W, K] and boxes [H, W, 4K]. Every level, location
   (y, x) and slot k is a candidate: score = logistic(logits[y, x, k]); box from the location's centre
   and exp(boxes[y, x, 4k...4k+3]), in cells of the level, clipped to the picture, as shares of its
   width and height. A network whose logits are [H, W, 2] beside boxes [H, W, 4] says in the second
   how likely the candidate is the picture's most prominent object.
2. Candidates under `least_score` are dropped; the `candidates` best stay, ties by lower index
   (level, y, x, k).
3. Greedy non-maximum suppression: a box that overlaps a better one by `overlap` or more goes.
4. The rest, at most `survivors`, are ranked by score + `prominent` * the second probability; without
   that by score * centredness ** centre, where centredness = 1 - (distance of the centres) / (half
   of the diagonal), in the picture's pixels.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Parameters:
    least_score: float = 0.03
    candidates: int = 200
    overlap: float = 0.55
    survivors: int = 20
    centre: float = 0.5
    prominent: float = 1


def candidates(outputs):
    """Of all levels: scores [n], probabilities of the most prominent object [n], or not-a-number where
    the network says none, and boxes [n, 4] (x0 y0 x1 y1)."""
    levels = [_candidates(*pair) for pair in zip(outputs[0::2], outputs[1::2], strict=True)]
    return [np.concatenate(part) for part in zip(*levels)]


def _candidates(logits, boxes):
    height, width, slots = *boxes.shape[:2], boxes.shape[2] // 4
    y, x = np.meshgrid((np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width,
                       indexing="ij")
    distances = np.exp(boxes.reshape(height, width, slots, 4).clip(-4, 4))
    distances = distances / [width, height, width, height]
    x, y = x[..., None], y[..., None]
    corners = np.stack([x - distances[..., 0], y - distances[..., 1],
                        x + distances[..., 2], y + distances[..., 3]], -1).clip(0, 1)
    chances = 1 / (1 + np.exp(-logits))
    scores = chances[..., :slots].reshape(-1)
    prominent = chances[..., slots:].reshape(-1) if logits.shape[2] > slots else scores * np.nan
    return scores, prominent, corners.reshape(-1, 4)


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


def prominence(scores, prominent, boxes, aspect, parameters):
    """`aspect` is the picture's width over its height."""
    centre = ((boxes[:, :2] + boxes[:, 2:]) / 2 - 0.5) * [aspect, 1]
    centred = np.maximum(1 - np.hypot(*centre.T) / (np.hypot(aspect, 1) / 2), 0)
    return np.where(np.isnan(prominent), scores * centred ** parameters.centre,
                    scores + parameters.prominent * prominent)


def objects(outputs, aspect, parameters=Parameters()):
    """Boxes [n, 4] and scores [n], most prominent first, ties by lower index."""
    scores, prominent, boxes = candidates(outputs)
    kept = suppressed(scores, boxes, parameters)
    worth = prominence(scores[kept], prominent[kept], boxes[kept], aspect, parameters)
    order = kept[np.argsort(-worth, kind="stable")]
    return boxes[order], scores[order]
