"""Scores the names of objects and their hypernyms, and on request ML Kit's labeler by the same list.

    python -m evaluate.fine_labels --data DATA --classifier ../classifier.tflite --model ../fine-labels.tflite \
        [--models MODELS] [--sources SOURCE... [--boxes SOURCE...]]

A name is right if data/fine-classes.csv lists it for the image's fine class, a hypernym if it is that of such a name.
Prints the shares of images whose first name, and one of whose first five, is right, the share of right names by
confidence, and by source. `--boxes` adds the boxes of these sources to the latter, and prints for each source the
lowest confidence from which 0.8 of what the others show is right, and what its own boxes show from there on: their
name, or else the hypernym. `validation` is a source, too.
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
SHOWN = 0.6  # the lowest confidence that tables and drawings show
EDGES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.01]  # of the rows of confidence


def images_to_name(data, sources):
    """Those of the validation split, or of some sources."""
    chosen = named(sources or ["validation"])
    for row, key in named_images(data):
        is_validation = row["split"] == "val" and row["file"].startswith("coarse")
        if row["source"] in chosen or is_validation and "validation" in chosen:
            yield row, key


def hits(probabilities, right):
    """[n, 5]: whether each of the first five names is right."""
    best = np.argsort(-probabilities, 1, kind="stable")[:, :5]
    return np.array([np.isin(names, wanted) for names, wanted in zip(best, right)])


def report(name, found):
    print(f"{name}: first right {found[:, 0].mean():.3f}, one of five {found.any(1).mean():.3f}, {len(found)} images")


def shown(confidence, right, least):
    """What is shown from `least` on, given [n, 2] of names and hypernyms: whether a name or a hypernym is shown [n, 2],
    and whether it is right [n]."""
    is_sure = confidence >= least
    is_sure[:, 1] &= ~is_sure[:, 0]
    return is_sure, (is_sure & right).any(1)


def left_out(sources, confidence, right):
    """For each source, the threshold that the others choose, and the numbers of its boxes, of those that show a name or
    hypernym from there on, and of the right ones among these."""
    for name in sorted(set(sources)):
        own = sources == name
        for least in THRESHOLDS:
            is_shown, is_right = shown(confidence, right, least)
            if is_right[~own].sum() >= 0.8 * is_shown[~own].sum():
                break
        yield name, float(least), own.sum(), is_shown[own].sum(), is_right[own].sum()


def report_left_out(sources, confidence, right):
    is_shown, is_right = shown(confidence, right, SHOWN)
    print(f"| source | names from {SHOWN} on | hypernyms | share |\n|---|---|---|---|")
    for name, chosen in [*((each, sources == each) for each in sorted(set(sources))), ("all", sources == sources)]:
        columns = [f"{is_right[kind & chosen].sum()}/{(kind & chosen).sum()}" for kind in is_shown.T]
        print(f"| {name} | " + " | ".join(columns) + f" | {is_shown[chosen].sum() / chosen.sum():.2f} |")
    _, thresholds, *counts = zip(*left_out(sources, confidence, right))
    boxes, named_, rights = map(sum, counts)
    print(f"thresholds {dict(Counter(thresholds))}; of sources left out {rights} of {named_} names and hypernyms are right "
          f"({rights / named_:.3f}), and {named_} of {boxes} boxes have one ({named_ / boxes:.3f})")


def main():
    options = parser(__doc__)
    options.add_argument("--boxes", nargs="*", default=[], help="sources whose boxes are named, too")
    options.add_argument("--models", type=Path, help="folder of the teachers, for the labeler's scores")
    options.add_argument("--classifier", required=True, help="the classifier whose features are read")
    options.add_argument("--model", required=True)
    options = options.parse_args()
    labels, pooled, network = FineLabels(), Pooled(options.classifier), Teacher(Path(options.model).read_bytes())
    names, hypernyms = labels.right(), labels.right_hypernyms()
    entries = list(images_to_name(options.data, options.sources))
    images = [read(options.data, row["file"]) for row, _ in entries]
    probabilities, right = [network(pooled(image))[0] / 256 for image in images], [names[key] for _, key in entries]
    found = hits(np.array(probabilities), right)
    report("names", found)
    if options.models:
        labeler = Teacher((options.models / CLASSIFIERS[1]).read_bytes())
        scores = [labeler(augment.resize(image, labeler.size))[0].astype(np.float32) for image in images]
        report("ML Kit's labeler", hits(labels.by_labeler(np.array(scores)), right))
    confidence = np.max(probabilities, 1)
    for low, high in zip(EDGES, EDGES[1:]):
        if (chosen := (confidence >= low) & (confidence < high)).any():
            print(f"confidence {low:.1f} to {min(high, 1):.1f}: {chosen.sum()} images, "
                  f"mean {confidence[chosen].mean():.3f}, right {found[chosen, 0].mean():.3f}")
    sources, keys = [row["source"] for row, _ in entries], [key for _, key in entries]
    for row, box, key in named_boxes(options.data, options.boxes):
        x, y, width, height = np.array(box).round().astype(int).clip(0)
        probabilities.append(network(pooled(read(options.data, row["file"])[y : y + height, x : x + width]))[0] / 256)
        sources.append(f"{row['source']}, boxes")
        keys.append(key)
    sources, probabilities = np.array(sources), np.array(probabilities, np.float32)
    broad, sums = labels.best_hypernyms(probabilities)
    confidence = np.stack([probabilities.max(1), sums], 1)
    right = np.array([[name in names[key], hypernym in hypernyms[key]]
                      for name, hypernym, key in zip(probabilities.argmax(1), broad, keys)])
    print("\n".join(by_confidence(sources, confidence[:, 0], right[:, 0])))
    if options.boxes:
        report_left_out(sources, confidence, right)


if __name__ == "__main__":
    main()
