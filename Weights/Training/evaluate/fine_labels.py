"""Scores the names of objects, beside those of ML Kit's labeler by the same list.

    python -m evaluate.fine_labels --data DATA --models MODELS --classifier ../classifier.tflite \
        --model ../fine-labels.tflite [--sources SOURCE...]

A name is right if data/fine-classes.csv lists it for the image's fine class. Prints the shares of images whose first
name, and one of whose first five, is right, and the share of right names by confidence.
"""

from pathlib import Path

import numpy as np

from data import augment
from data.crops import named
from data.fine_labels import FineLabels, named_images
from evaluate.measures import read
from evaluate.network import parser
from teachers.crops import CLASSIFIERS, Teacher
from teachers.pooled import Pooled

EDGES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]  # of the rows of confidence


def images_to_name(data, sources):
    """The validation split's, or all of some sources."""
    for row, right in named_images(data):
        if row["source"] in named(sources) if sources else row["split"] == "val" and row["file"].startswith("coarse"):
            yield row, right


def hits(probabilities, right):
    """[n, 5]: whether each of the first five names is right."""
    best = np.argsort(-probabilities, 1, kind="stable")[:, :5]
    return np.array([np.isin(names, wanted) for names, wanted in zip(best, right)])


def report(name, found):
    print(f"{name}: first right {found[:, 0].mean():.3f}, one of five {found.any(1).mean():.3f}, {len(found)} images")


def main():
    options = parser(__doc__)
    options.add_argument("--models", required=True, type=Path, help="folder of the teachers")
    options.add_argument("--classifier", required=True, help="the classifier whose features are read")
    options.add_argument("--model", required=True)
    options = options.parse_args()
    pooled, network = Pooled(options.classifier), Teacher(Path(options.model).read_bytes())
    labeler = Teacher((options.models / CLASSIFIERS[1]).read_bytes())
    entries = list(images_to_name(options.data, options.sources))
    probabilities, scores = [], []
    for row, _ in entries:
        image = read(options.data, row["file"])
        probabilities.append(network(pooled(image))[0] / 256)
        scores.append(labeler(augment.resize(image, labeler.size))[0].astype(np.float32))
    probabilities, right = np.array(probabilities), [right for _, right in entries]
    found = hits(probabilities, right)
    report("names", found)
    report("ML Kit's labeler", hits(FineLabels().by_labeler(np.array(scores)), right))
    confidence = probabilities.max(1)
    for low, high in zip(EDGES, EDGES[1:]):
        if (chosen := (confidence >= low) & (confidence < high)).any():
            print(f"confidence {low:.1f} to {min(high, 1):.1f}: {chosen.sum()} images, "
                  f"mean {confidence[chosen].mean():.3f}, right {found[chosen, 0].mean():.3f}")


if __name__ == "__main__":
    main()
