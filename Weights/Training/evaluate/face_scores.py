"""Average precision of faces, for training curves."""

import numpy as np

from evaluate.decode_faces import overlaps

MIN_SIZE = 24  # longer side of a face that counts, pixels
OVERLAP = 0.3


def average_precision(rows, found):
    """`rows` are annotated images, `found` scores [n] and boxes [n, 4] (x0 y0 x1 y1) of each.

    Matches with smaller faces or ignored regions do not count. Some sources leave faces in the background
    unlabeled; in them, boxes that overlap no face do not count either."""
    scores, right, count = [], [], 0
    for row, (face_scores, boxes) in zip(rows, found, strict=True):
        truth = np.array([_corners(face["box"]) for face in row["faces"]]).reshape(-1, 4)
        counts = (truth[:, 2:] - truth[:, :2]).max(1, initial=0) >= MIN_SIZE
        ignored = np.array([_corners(box) for box in row["ignore"]]).reshape(-1, 4)
        free, count = counts.copy(), count + counts.sum()
        for score, box in zip(face_scores, boxes):
            shared = overlaps(box, truth)
            best = np.where(free, shared, -1).argmax() if len(truth) else -1
            if best >= 0 and free[best] and shared[best] >= OVERLAP:
                free[best] = False
                scores.append(score)
                right.append(True)
            elif _is_false_positive(row, box, truth, counts, shared, ignored):
                scores.append(score)
                right.append(False)
    order = np.argsort(-np.array(scores), kind="stable")
    right = np.cumsum(np.array(right, float)[order])
    precision = np.maximum.accumulate((right / np.arange(1, len(right) + 1))[::-1])[::-1]
    return float((np.diff(right, prepend=0) * precision).sum() / max(count, 1))


def _corners(box):
    return [box[0], box[1], box[0] + box[2], box[1] + box[3]]


def _is_false_positive(row, box, truth, counts, shared, ignored):
    if row["source"] != "coco" and not (shared >= 0.1).any():
        return False
    small = truth[~counts]
    room = (small[:, 2:] - small[:, :2]) / 4
    ignored = np.concatenate([ignored, np.concatenate([small[:, :2] - room, small[:, 2:] + room], 1)])
    low, high = np.maximum(ignored[:, :2], box[:2]), np.minimum(ignored[:, 2:], box[2:])
    inside = (high - low).clip(0).prod(1) / max((box[2:] - box[:2]).prod(), 1e-9)
    return not (inside >= 0.5).any()
