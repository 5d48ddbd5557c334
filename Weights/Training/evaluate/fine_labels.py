"""Scores the names of objects, beside those of ML Kit's labeler by the same list.

    python -m evaluate.fine_labels --data DATA --models MODELS --classifier ../classifier.tflite \
        --model ../fine-labels.tflite [--sources SOURCE... [--boxes SOURCE...]]

A name is right if data/fine-classes.csv lists it for the image's fine class. Prints the shares of images whose first
name, and one of whose first five, is right, the share of right names by confidence, and by source. `--boxes` adds the
boxes of these sources to the latter, and prints for each source the lowest confidence from which 0.8 of the names of
the others are right, and how many of its own are right from there on. `validation` is a source, too.
"""

from collections import Counter
from pathlib import Path

import numpy as np

from data import augment
from data.crops import named
from data.fine_labels import FineLabels, named_boxes, named_images
from evaluate.measures import by_confidence, read
from evaluate.network import parser
from teachers.crops import CLASSIFIERS, Teacher
from teachers.pooled import Pooled

THRESHOLDS = np.arange(8, 20) / 20
EDGES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]  # of the rows of confidence


def images_to_name(data, sources):
    """Those of the validation split, or of some sources."""
    chosen = named(sources or ["validation"])
    for row, right in named_images(data):
        is_validation = row["split"] == "val" and row["file"].startswith("coarse")
        if row["source"] in chosen or is_validation and "validation" in chosen:
            yield row, right


def hits(probabilities, right):
    """[n, 5]: whether each of the first five names is right."""
    best = np.argsort(-probabilities, 1, kind="stable")[:, :5]
    return np.array([np.isin(names, wanted) for names, wanted in zip(best, right)])


def report(name, found):
    print(f"{name}: first right {found[:, 0].mean():.3f}, one of five {found.any(1).mean():.3f}, {len(found)} images")


def report_thresholds(sources, confidence, right):
    """For each source, the threshold that the others choose, and the right names of the source from there on."""
    thresholds, counts = Counter(), np.zeros(2, int)
    for name in sorted(set(sources)):
        own = sources == name
        least = next(least for least in THRESHOLDS if right[~own & (confidence >= least)].mean() >= 0.8)
        names = right[own & (confidence >= least)]
        thresholds[float(least)] += 1
        counts += names.sum(), len(names)
    print(f"thresholds {dict(thresholds)}; of sources left out {counts[0]} of {counts[1]} names are right")


def main():
    options = parser(__doc__)
    options.add_argument("--boxes", nargs="*", default=[], help="sources whose boxes are named, too")
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
    sources, confidence, right = [row["source"] for row, _ in entries], list(confidence), list(found[:, 0])
    for row, box, wanted in named_boxes(options.data, options.boxes):
        x, y, width, height = np.array(box).round().astype(int).clip(0)
        answer = network(pooled(read(options.data, row["file"])[y : y + height, x : x + width]))[0] / 256
        sources.append(f"{row['source']}, boxes")
        confidence.append(answer.max())
        right.append(answer.argmax() in wanted)
    print("\n".join(by_confidence(sources, confidence, right)))
    if options.boxes:
        report_thresholds(np.array(sources), np.array(confidence), np.array(right))


if __name__ == "__main__":
    main()
