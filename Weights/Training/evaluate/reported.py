"""F1 of the reported objects by minimum score, with and without the rules for still images.

    martlet detect --files-from LIST --max-objects 50 --min-score 0.01 --all-boxes --json > boxes.jsonl
    python -m evaluate.reported --data DATA boxes.jsonl [--sources SOURCE ...]

At most five objects per image count. By default the images are those of the validation split with all objects, or
all salient ones, annotated; with `--sources`, all images of these sources. Also prints the number of boxes per
image and the shares of images without a false box and without any box.
"""

import argparse

import numpy as np

from data.boxes import areas, intersection, overlap
from data.images import predictions
from evaluate import decode
from evaluate.measures import box_images, corners, matched, truth

SCORES = [0.03, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
RULES = {"none": (), "parts": ("parts",), "scenes": ("scenes",), "both": ("parts", "scenes")}


def ignored(row):
    """Annotated boxes that are neither missed nor false: crowds, parts and difficult ones."""
    boxes = [b["box"] for b in row["boxes"] if b.get("crowd") or b.get("part") or b["difficult"]]
    boxes = np.array(boxes, float).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return boxes


def counted(row, boxes, scores):
    """The numbers of right boxes, false boxes and annotated objects of an image."""
    annotated, _ = truth(row)
    boxes = boxes[np.argsort(-scores, kind="stable")]
    right, others = np.zeros(len(boxes), bool), ignored(row)
    if len(annotated):
        right = matched(overlap(boxes, annotated))
    counts = right.copy()
    if len(others):
        inside = intersection(boxes, others) / areas(boxes)[:, None]
        counts |= (np.maximum(inside, overlap(boxes, others)) >= 0.5).any(1)
    return right.sum(), (~counts).sum(), len(annotated)


def measured(entries, score, names):
    counts = []
    for row, boxes, scores in entries:
        size = [row["width"], row["height"]] * 2
        kept = decode.reported(boxes / size, scores, score, names)
        kept = kept[decode.selected(scores[kept])]
        counts.append(counted(row, boxes[kept], scores[kept]))
    right, false, objects = np.array(counts).T
    found = right + false
    f1 = 2 * right.sum() / (found.sum() + objects.sum())
    return f1, found.mean(), ((false == 0) & (right > 0)).mean(), (found == 0).mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--sources", nargs="*", default=[], help="all images of these instead of the validation split")
    parser.add_argument("predictions", nargs="+")
    options = parser.parse_args()
    rows = [row for row in box_images(options.data, options.sources)
            if options.sources or row["labelled"] in ("all", "salient")]
    for path in options.predictions:
        found = {row["image"]: row for row in predictions(path)}
        entries = [(row, corners(found[row["file"]]),
                    np.array([o["score"] for o in found[row["file"]]["objects"]])) for row in rows]
        print(f"\n{path}: {len(entries)} images\n\n| minimum score | rules | F1 | boxes | none false | empty |")
        print("|---|---|---|---|---|---|")
        for score in SCORES:
            for name, rules in RULES.items():
                f1, *others = measured(entries, score, rules)
                print(f"| {score} | {name} | {f1:.3f} | " + " | ".join(f"{x:.2f}" for x in others) + " |")


if __name__ == "__main__":
    main()
