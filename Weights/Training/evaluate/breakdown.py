"""A localizer's recall by object size, and what its first box is on.

    python -m evaluate.breakdown --data DATA boxes.jsonl [other.jsonl ...] [--sources SOURCE ...]

Reads the output of `martlet detect --multiple --min-score 0.03 --all-boxes --json` or of `evaluate/localizer.py` on the
validation split. Of the first five boxes of each image it prints:

- annotated boxes by their share of the image: found (an overlap of at least one half, one box per object),
  nearly found (0.3), and the mean overlap of the found;
- the first boxes;
- false boxes on images in which all salient objects are annotated;
- on images in which all objects or all salient ones are annotated, the share of boxes that hold an object,
  by score.
"""

import argparse
from pathlib import Path

import numpy as np

from data.boxes import overlap
from data.images import predictions
from evaluate.measures import assigned, box_images, corners, matched, truth

SHARES = [0, 0.01, 0.05, 0.2, 1.01]
SCORES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.01]
FIRST = ["right", "another object", "too large", "too small", "beside it", "elsewhere"]


def predicted_boxes(path):
    """The first five boxes of each image and their scores, by the last parts of its path."""
    return {"/".join(row["image"].split("/")[-3:]):
            (corners(row, 5), [object["score"] for object in row["objects"][:5]])
            for row in predictions(path)}


def matched_overlaps(shared):
    """The overlap with which each object is found, or 0."""
    best = np.zeros(shared.shape[1])
    for each, at in zip(shared, assigned(shared)):
        if at >= 0:
            best[at] = each[at]
    return best


def first_box(box, objects, main, shared):
    """The kind in `FIRST` of an image's first box."""
    if shared[main] >= 0.5:
        return "right"
    if shared.max() >= 0.5:
        return "another object"
    target = objects[main]
    both = (np.minimum(box[2:], target[2:]) - np.maximum(box[:2], target[:2])).clip(0).prod()
    box_area, target_area = (box[2:] - box[:2]).prod(), (target[2:] - target[:2]).prod()
    if both >= 0.7 * target_area and box_area > target_area:
        return "too large"
    if both >= 0.7 * box_area and box_area < target_area:
        return "too small"
    return "beside it" if both >= 0.1 * (box_area + target_area - both) else "elsewhere"


def breakdown(data, sources, found):
    """Rows [share, overlap reached, nearest overlap] of all objects, counts of first boxes, false boxes
    per image, and rows [score, whether it holds an object] of boxes."""
    objects, first, false, scored = [], dict.fromkeys(FIRST, 0), [], []
    for row in box_images(data, sources):
        annotated, main = truth(row)
        boxes, scores = found.get(row["file"], (np.zeros((0, 4)), []))
        if not len(annotated):
            continue
        shared = overlap(boxes, annotated)
        share = (annotated[:, 2:] - annotated[:, :2]).prod(1) / (row["width"] * row["height"])
        objects += zip(share, matched_overlaps(shared), shared.max(0, initial=0))
        if row["labelled"] in ("all", "salient"):
            scored += zip(scores, matched(shared))
        if row["labelled"] == "salient":
            false.append(len(boxes) - sum(matched(shared)))
        if len(boxes):
            first[first_box(boxes[0], annotated, main, shared[0])] += 1
    return np.array(objects), first, np.mean(false), np.array(scored)


def print_sizes(objects):
    print("| share of the image | boxes | found | nearly | overlap |\n|---|---|---|---|---|")
    for low, high in [*zip(SHARES, SHARES[1:]), (0, 2)]:
        share, best, near = objects[(objects[:, 0] >= low) & (objects[:, 0] < high)].T
        right = best >= 0.5
        overlap = f"{best[right].mean():.2f}" if right.any() else "–"
        name = "all" if high == 2 else f"{low} to {min(high, 1)}"
        print(f"| {name} | {len(share)} | {right.mean():.3f} | {((near >= 0.3) & ~right).mean():.3f} "
              f"| {overlap} |")


def print_scores(scored):
    print("\n| score | boxes | hold an object |\n|---|---|---|")
    for low, high in zip(SCORES, SCORES[1:]):
        right = scored[(scored[:, 0] >= low) & (scored[:, 0] < high), 1]
        if len(right):
            print(f"| {low} to {min(high, 1)} | {len(right)} | {right.mean():.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--sources", nargs="*", default=[], help="all images of these instead of the validation split")
    parser.add_argument("predictions", nargs="+")
    options = parser.parse_args()
    for path in options.predictions:
        objects, first, false, scored = breakdown(options.data, options.sources, predicted_boxes(path))
        print(f"\n{Path(path).name}: {false:.2f} false boxes per image\n")
        print_sizes(objects)
        print("\n| " + " | ".join(FIRST) + " |\n|" + "---|" * len(FIRST))
        print("| " + " | ".join(str(first[name]) for name in FIRST) + " |")
        print_scores(scored)


if __name__ == "__main__":
    main()
