"""Measures of localizers and classifiers, and their annotated images."""

from pathlib import Path

import cv2
import numpy as np

from data.boxes import overlap
from data.crops import named
from data.images import CATEGORIES, box_rows, coarse_rows, more_rows
from data.scenes import evaluation_rows

BANDS = [0.5, 0.7, 0.85, 1.01]  # of confidences


def validation(rows):
    return [row for row in rows if row["split"] == "val"]


def read(data, file):
    return cv2.cvtColor(cv2.imread(str(Path(data) / file)), cv2.COLOR_BGR2RGB)


def box_images(data, sources):
    """Images with boxes: the validation split's, or all of some sources."""
    return evaluation_rows(data, sources) if sources else validation(box_rows(data))


def categorized(data, sources=()):
    """Images with a category: the validation split's, or all of some sources."""
    if not sources:
        return validation(coarse_rows(data))
    return [row for row in coarse_rows(data) + more_rows(data)
            if row["category"] and row["source"] in named(sources)]


def macro_accuracy(rows, predicted):
    """The mean accuracy of the categories. `predicted`: an index of CATEGORIES per row."""
    truth = np.array([CATEGORIES.index(row["category"]) for row in rows])
    return np.mean([(predicted[truth == label] == label).mean() for label in np.unique(truth)])


def truth(row):
    """The annotated boxes that count (x0, y0, x1, y1) and the most prominent one's index."""
    boxes = [b["box"] for b in row["boxes"]
             if not (b.get("crowd") or b.get("part") or b["difficult"])]
    g = np.array(boxes, float).reshape(-1, 4)
    middle = g[:, :2] + g[:, 2:] / 2 - [row["width"] / 2, row["height"] / 2]
    distance = np.hypot(*middle.T) / (np.hypot(row["width"], row["height"]) / 2)
    weight = g[:, 2:].prod(1) * (1 - distance)
    g[:, 2:] += g[:, :2]
    return g, int(weight.argmax()) if len(g) else 0


def measures(found):
    """Most prominent first, capped recall@5, and AP50 of the first five boxes.

    `found` has an image's row, its boxes in order and their scores."""
    prominent = hits = possible = images = 0
    scored, objects = [], 0  # scores of boxes and whether they are right, if all objects are annotated
    for row, boxes, scores in found:
        g, main = truth(row)
        if not len(g):
            continue
        boxes, scores = boxes[:5], scores[:5]
        shared = overlap(boxes * ([row["width"], row["height"]] * 2), g)
        images += 1
        possible += min(5, len(g))
        prominent += len(boxes) > 0 and shared[0, main] >= 0.5
        hits += sum(matched(shared))
        if row["labelled"] in ("all", "salient"):
            order = np.argsort(-scores, kind="stable")
            scored += zip(scores[order], matched(shared[order]))
            objects += len(g)
    return prominent / images, hits / possible, _average_precision(scored, objects)


def measured(lines, data, sources):
    """The measures of written lines, and the number of images."""
    found = []
    for row, entry in zip(box_images(data, sources), lines, strict=True):
        size = [row["width"], row["height"]] * 2
        scores = np.array([object["score"] for object in entry["objects"]])
        found.append((row, corners(entry) / size, scores))
    return *measures(found), len(found)


def corners(entry, most=None):
    """The first boxes [n, 4] (x0, y0, x1, y1) of an image's line, in pixels."""
    frames = [object["frame"] for object in entry["objects"][:most]]
    boxes = [[f["x"], f["y"], f["x"] + f["width"], f["y"] + f["height"]] for f in frames]
    return np.array(boxes).reshape(-1, 4)


def assigned(shared):
    """The object that each box, in order, is the first to overlap by one half or more, or -1."""
    free, objects = np.ones(shared.shape[1], bool), []
    for each in shared:
        best = np.where(free, each, -1).argmax()
        right = free[best] and each[best] >= 0.5
        objects.append(int(best) if right else -1)
        free[best] &= not right
    return np.array(objects, int)


def matched(shared):
    """Whether each box, in order, is the first to overlap an object by one half or more."""
    return assigned(shared) >= 0


def _average_precision(scored, objects):
    right = np.array([right for _, right in sorted(scored, key=lambda entry: -entry[0])], float)
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float((precision * right).sum() / max(objects, 1))


def by_confidence(sources, confidence, right):
    """The lines of a table: right answers among all by source and confidence."""
    sources, confidence, right = map(np.array, (sources, confidence, right))
    yield "| source | " + " | ".join(f"{low} to {min(high, 1)}" for low, high in zip(BANDS, BANDS[1:])) + " |"
    yield "|---" * len(BANDS) + "|"
    for name, chosen in [*((name, sources == name) for name in sorted(set(sources))), ("all", sources == sources)]:
        bands = [chosen & (confidence >= low) & (confidence < high) for low, high in zip(BANDS, BANDS[1:])]
        yield f"| {name} | " + " | ".join(f"{right[band].sum()}/{band.sum()}" for band in bands) + " |"
