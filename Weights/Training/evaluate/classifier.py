"""Runs a classifier on labeled images, writes its scores, and prints its macro accuracy, and by source and confidence
how many of the categories that it gives are right.

    python -m evaluate.classifier --data DATA --model ../classifier.tflite --out coarse.jsonl [--looks 2]

With `--sources` it runs on all images of these sources ("late", "held-out": those that data/crops.py lists).
"""

import numpy as np

from data.images import CATEGORIES
from evaluate.measures import by_confidence, categorized, read
from evaluate.network import Network, coarse_line, parser, report_categories


def coarse_lines(network, data, sources, passes):
    for row in categorized(data, sources):
        image = read(data, row["file"])
        scores = [network(part)[0] for part in (image, _middle(image))[:passes]]
        yield coarse_line(row["file"], np.mean(scores, 0))


def _middle(image, share=0.8):
    """The center crop, the second pass of `martlet classify`."""
    y, x = [round(side * (1 - share) / 2) for side in image.shape[:2]]
    return image[y : image.shape[0] - y, x : image.shape[1] - x]


def main():
    options = parser(__doc__, passes=True)
    options.add_argument("--model", required=True)
    options.add_argument("--out", required=True)
    options = options.parse_args()
    lines = list(coarse_lines(Network(options.model), options.data, options.sources, options.passes))
    report_categories(lines, options)
    rows = categorized(options.data, options.sources)
    scores = np.array([[label["confidence"] for label in line["labels"]] for line in lines])
    best = scores.argmax(1)
    given = best != CATEGORIES.index("unknown")
    right = best == [CATEGORIES.index(row["category"]) for row in rows]
    print("\n".join(by_confidence(np.array([row["source"] for row in rows])[given], scores.max(1)[given], right[given])))


if __name__ == "__main__":
    main()
