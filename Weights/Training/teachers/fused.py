"""Fuses the boxes of four detectors, which gives more right boxes than any one of them.

    python -m teachers.fused --data DATA --cache CACHE --models MODELS --further FURTHER

Two logistic curves over a box's score, size and distance from the center give its probabilities of being an
object's and the most prominent object's. Overlapping boxes of several detectors are merged
into their mean, weighted by the first probability. A box around a smaller, equally probable one counts less. The
curves are fitted to annotated training images. The command fits them, and scores the fused boxes on the
validation split or, with `--sources`, on all images of these sources.
"""

import argparse
from pathlib import Path

import numpy as np

from data.answers import MAX_BOXES
from data.boxes import areas, intersection, overlap
from data.images import Images, box_rows
from evaluate import decode
from evaluate.measures import box_images, measures, truth
from evaluate.network import Network
from teachers.detectors import detectors

FIT_COUNT = 600  # annotated images that the curves are fitted to
MERGE_OVERLAP = 0.55  # overlap of boxes that are merged
OUTER_FACTOR = 0.3  # on the probabilities of a box around a smaller, equally probable one


class Fused:
    """`fused(image)`: [n, 6], boxes (x0, y0, x1, y1 as shares) and their two probabilities. The most
    prominent is first, the others are sorted by the first probability."""

    def __init__(self, data, cache, models, further):
        self._detectors = detectors(models, further)
        path = Path(cache) / "fused_curves.npy"
        if not path.exists():
            np.save(path, self._fitted(box_rows(data), Images(data, cache)))
        self._curves = np.load(path)

    def __call__(self, image):
        predictions = []
        for detector, curves in zip(self._detectors, self._curves):
            boxes, scores = detector(image)
            probabilities = 1 / (1 + np.exp(-_inputs(boxes, scores, image.shape) @ curves.T))
            predictions.append(np.concatenate([boxes, probabilities], 1))
        return fuse(predictions)

    def _fitted(self, rows, images):
        """Curves [detectors, 2, 5]."""
        rows = [row for row in rows if row["split"] == "train" and row["file"] in images
                and row["labelled"] in ("all", "salient")]
        chosen = np.random.default_rng(0).choice(len(rows), min(FIT_COUNT, len(rows)), replace=False)
        samples = [[] for _ in self._detectors]
        for row in [rows[i] for i in chosen]:
            image, (annotated, main) = images[row["file"]], truth(row)
            if not len(annotated):
                continue
            annotated = annotated / ([row["width"], row["height"]] * 2)
            for detector, found in zip(self._detectors, samples):
                boxes, scores = detector(image)
                matches = overlap(boxes, annotated) >= 0.5
                found.append((_inputs(boxes, scores, image.shape), matches.any(1), matches[:, main]))
        curves = []
        for found in samples:
            inputs, *answers = [np.concatenate(part) for part in zip(*found)]
            curves.append([_logistic(inputs, answer) for answer in answers])
        return np.array(curves)


class Shipped:
    """A trained localizer as the only teacher, with the results of `Fused`."""

    def __init__(self, path):
        self._network = Network(path)

    def __call__(self, image):
        scores, prominent, boxes = decode.candidates(self._network(image))
        kept = decode.suppressed(scores, boxes, decode.Parameters())
        rows = np.concatenate([boxes, scores[:, None], prominent[:, None]], 1)[kept]
        return _prominent_first(rows)


def _inputs(boxes, scores, shape):
    """The inputs of the curves, [n, 5]."""
    height, width = shape[:2]
    scores = scores.clip(1e-3, 1 - 1e-3)
    area = np.log((boxes[:, 2:] - boxes[:, :2]).prod(1).clip(1e-4, 1))
    distance = ((boxes[:, :2] + boxes[:, 2:]) / 2 - 0.5) * [width, height]
    distance = np.hypot(*distance.T) / (np.hypot(width, height) / 2)
    return np.stack([np.log(scores / (1 - scores)), area, area**2, distance, np.ones(len(boxes))], 1)


def _logistic(inputs, answers, rounds=20):
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(inputs.shape[1])
    for _ in range(rounds):
        predicted = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (answers - predicted) - weights
        curvature = (inputs * (predicted * (1 - predicted))[:, None]).T @ inputs + np.eye(len(weights))
        weights += np.linalg.solve(curvature, gradient)
    return weights


def fuse(predictions):
    """Merges the boxes and probabilities, [n, 6], of the detectors."""
    merged = []  # the weighted sum of boxes, the sums of both probabilities, and the detectors
    listed = [(row, source) for source, rows in enumerate(predictions) for row in rows]
    for row, source in sorted(listed, key=lambda entry: -entry[0][4]):
        means = np.array([box / weight for box, weight, *_ in merged]).reshape(-1, 4)
        shared = overlap(row[None, :4], means)[0] if merged else np.zeros(0)
        same = [i for i in np.argsort(-shared) if shared[i] >= MERGE_OVERLAP]
        free = [i for i in same if source not in merged[i][3]]
        if free:
            box, weight, prominent, voters = merged[free[0]]
            merged[free[0]] = (box + row[:4] * row[4], weight + row[4], prominent + row[5], voters | {source})
        elif not same:
            merged.append((row[:4] * row[4], row[4], row[5], {source}))
    rows = np.array([[*(box / weight), weight / len(predictions), prominent / len(predictions)]
                     for box, weight, prominent, _ in merged]).reshape(-1, 6)
    rows = _penalized(rows[np.argsort(-rows[:, 4], kind="stable")][:MAX_BOXES])
    return _prominent_first(rows)


def _prominent_first(rows):
    order = np.argsort(-rows[:, 4], kind="stable")
    if len(rows):
        first = (rows[:, 4] + rows[:, 5]).argmax()
        order = np.concatenate([[first], order[order != first]])
    return rows[order]


def _penalized(found):
    """Lowers the probabilities of boxes around a smaller, nearly as probable one. Detectors also return boxes
    of an object with its surroundings, or of several objects."""
    boxes, probabilities = found[:, :4], found[:, 4]
    area = areas(boxes)
    inner = (intersection(boxes, boxes) >= 0.85 * area[:, None]) & (area[:, None] < 0.8 * area)
    outer = (inner & (probabilities[:, None] >= 0.8 * probabilities)).any(0)
    return np.where(outer[:, None] & (np.arange(6) > 3), OUTER_FACTOR * found, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for images and the curves")
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--further", required=True, help="folder of the further teachers")
    parser.add_argument("--sources", nargs="*", default=[])
    options = parser.parse_args()
    fused = Fused(options.data, options.cache, options.models, options.further)
    images = Images(options.data, options.cache)
    rows = [row for row in box_images(options.data, options.sources) if row["file"] in images]
    found = [(row, fused(images[row["file"]])) for row in rows]
    scores = measures([(row, boxes[:, :4], boxes[:, 4]) for row, boxes in found])
    print("most prominent first {:.3f}, capped recall@5 {:.3f}, AP50 {:.3f}".format(*scores))


if __name__ == "__main__":
    main()
