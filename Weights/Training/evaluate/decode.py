"""The localizer's outputs -> objects, most prominent first. The reference for Detection's code.

1. Outputs are pairs, one per level: logits [H, W, 2] of an object and of the image's most prominent
   one, and boxes [H, W, 4]. Every level and location (y, x) is a candidate: its score is the
   logistic of the first logit, its box reaches from the location's center by exp(boxes[y, x]), in cells
   of the level, clipped to the image, as shares of its width and height.
2. Candidates under `least_score` are dropped; the `candidates` best stay, ties by lower index
   (level, y, x).
3. Greedy non-maximum suppression drops a box that overlaps a better one by `overlap` or more; at most `survivors`
   stay.
4. Both probabilities of `groups`, boxes around several objects, are halved; those under `least_score` are dropped.
5. If several objects of a still image are requested, `reported` drops doubtful ones.
6. The rest are ranked by the mean of both probabilities. `selected`: of more than `limit` objects, the first and the
   best-scoring others stay.
"""

from dataclasses import dataclass

import numpy as np

from data.boxes import areas, intersection, overlap


@dataclass(frozen=True)
class Parameters:
    least_score: float = 0.03
    candidates: int = 200
    overlap: float = 0.55
    survivors: int = 20
    limit: int = 5


def candidates(outputs):
    """Scores [n], probabilities of the most prominent object [n], and boxes [n, 4] (x0 y0 x1 y1) of all
    levels."""
    levels = [_candidates(*pair) for pair in zip(outputs[0::2], outputs[1::2], strict=True)]
    return [np.concatenate(part) for part in zip(*levels)]


def _candidates(logits, boxes):
    height, width = boxes.shape[:2]
    y, x = np.meshgrid((np.arange(height) + 0.5) / height, (np.arange(width) + 0.5) / width,
                       indexing="ij")
    distances = np.exp(boxes.clip(-4, 4)) / [width, height, width, height]
    corners = np.stack([x - distances[..., 0], y - distances[..., 1],
                        x + distances[..., 2], y + distances[..., 3]], -1).clip(0, 1)
    scores, prominent = (1 / (1 + np.exp(-logits))).reshape(-1, 2).T
    return scores, prominent, corners.reshape(-1, 4)


def suppressed(scores, boxes, parameters):
    """Indices that survive steps 2 and 3, best first."""
    order = np.argsort(-scores, kind="stable")[: parameters.candidates]
    order = order[scores[order] >= parameters.least_score]
    kept = []
    while len(order) and len(kept) < parameters.survivors:
        best, order = order[0], order[1:]
        kept.append(best)
        order = order[overlap(boxes[order], boxes[[best]])[:, 0] < parameters.overlap]
    return np.array(kept, int)


def objects(outputs, parameters=Parameters()):
    """Boxes [n, 4] and scores [n], most prominent first, ties by the better score."""
    scores, prominent, boxes = candidates(outputs)
    kept = suppressed(scores, boxes, parameters)
    scores, prominent, boxes = scores[kept], prominent[kept], boxes[kept]
    factors = np.where(groups(scores, boxes), 0.5, 1)
    scores, prominent = scores * factors, prominent * factors
    order = np.argsort(-scores, kind="stable")
    order = order[scores[order] >= parameters.least_score]
    order = order[np.argsort(-(scores + prominent)[order], kind="stable")]
    order = order[selected(scores[order], parameters.limit)]
    return boxes[order], scores[order]


def groups(scores, boxes):
    """Whether in each box at least two others lie, each with at least half of its score, whose areas sum up to at least
    a third of its own."""
    area = areas(boxes)
    held = lie_in(boxes, boxes) & (scores[:, None] >= scores / 2) & ~np.eye(len(boxes), dtype=bool)
    return (held.sum(0) >= 2) & (area @ held >= area / 3)


def lie_in(boxes, others):
    """Whether at least nine tenths of each box are in each of the others."""
    return intersection(boxes, others) >= 0.9 * areas(boxes)[:, None]


def selected(scores, limit=Parameters.limit):
    """Indices of the first object and of the best-scoring others, `limit` in all, in their order."""
    others = 1 + np.argsort(-scores[1:], kind="stable")
    return np.sort(np.concatenate([np.arange(len(scores))[:1], others[: limit - 1]]))


def reported(boxes, scores, least_score=0.25, rules=("parts", "scenes"), scene_share=0.75, scene_score=0.5):
    """Indices of the boxes to report, in their order. Dropped are boxes under `least_score`; "scenes": those under
    `scene_score` that cover the image by `scene_share`; then "parts": those that lie in a better one."""
    scene = (areas(boxes) >= scene_share) & (scores < scene_score) & ("scenes" in rules)
    inside = lie_in(boxes, boxes) & ("parts" in rules)
    kept = []
    for i in np.argsort(-scores, kind="stable"):
        if scores[i] >= least_score and not scene[i] and not inside[i, kept].any():
            kept.append(i)
    return np.array(sorted(kept), int)
