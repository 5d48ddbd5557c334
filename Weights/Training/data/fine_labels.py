"""Everyday names of objects, and what the teachers and the data call them.

fine-labels.csv has one name a line, in the order of the network's outputs, with its hypernym (fruit, clothing), or
none, and the labels of ML Kit's labeler and the ImageNet classes that mean the name.
fine-classes.csv has the names that are right for a fine class of coarse/labels.csv, for `source/hint` of an image
of more/, or for `source/name` of a box there: a hypernym if the list has no name for it.
"""

import csv
import json
from pathlib import Path

import numpy as np

from data.images import coarse_rows, more_rows

LABELS, CLASSES = 631, 1001  # of the labeler and of ImageNet
SMALLEST = 24  # pixels of a box's shorter side


def _rows(name):
    with open(Path(__file__).parent / name, newline="") as file:
        return list(csv.DictReader(file))


class FineLabels:
    """`names`, `hypernyms`, one a name or "", and the probabilities of names by the two teachers."""

    def __init__(self):
        rows = _rows("fine-labels.csv")
        self.names = [row["name"] for row in rows]
        self.hypernyms = [row["hypernym"] for row in rows]
        self._labels, self._classes = [[[int(index) for index in row[teacher].split()] for row in rows]
                                       for teacher in ("labeler", "imagenet")]

    def by_labeler(self, scores):
        """[n, names], the best of each name's labels, from the labeler's scores [n, 631]."""
        return np.stack([scores[:, labels].max(1, initial=0) for labels in self._labels], 1)

    def by_teachers(self, named):
        """[n, names], from the two teachers' answers [n, 4, 20] (data/answers.py): the larger of the labeler's
        probability and the sum of the ImageNet classes'."""
        classes, labels = [_dense(*named[:, place : place + 2].transpose(1, 0, 2), count)
                           for place, count in ((0, CLASSES), (2, LABELS))]
        sums = np.stack([classes[:, meant].sum(1) for meant in self._classes], 1)
        return np.maximum(self.by_labeler(labels), sums.clip(0, 1))

    def best_hypernyms(self, probabilities):
        """The most probable hypernym of each row of probabilities [n, names], and its confidence [n]: the sum of its
        names' probabilities, at most 1, times its share of the two largest sums."""
        listed = [name for name in dict.fromkeys(self.hypernyms) if name]
        sums = probabilities @ np.float32([[each == name for name in listed] for each in self.hypernyms])
        first, second = -np.sort(-sums, 1)[:, :2].T
        return [listed[place] for place in sums.argmax(1)], first.clip(max=1) * first / (first + second)

    def right(self):
        """Fine class -> indices of the names that are right for it."""
        places = {name: place for place, name in enumerate(self.names)}
        return {key: [places[name] for name in names if name in places] for key, names in _classes()}

    def right_hypernyms(self):
        """Fine class -> the hypernyms that are right for it."""
        hypernyms = dict(zip(self.names, self.hypernyms))
        return {key: {hypernyms.get(name, name) for name in names} for key, names in _classes()}


def _classes():
    """Fine classes and their right names, or the hypernym if the list has none."""
    return [(row["class"], row["names"].split("|")) for row in _rows("fine-classes.csv")]


def _dense(indices, shares, count):
    """Shares in 1/256 of some indices [n, 20] as rows of `count` probabilities."""
    rows = np.zeros((len(indices), count), np.float32)
    np.put_along_axis(rows, indices.astype(int), shares.astype(np.float32) / 256, 1)
    return rows


def named_images(data):
    """(row, fine class) of all images of a class that is listed."""
    known = FineLabels().right()
    for row in coarse_rows(data):
        if row["fine_class"] in known:
            yield row, row["fine_class"]
    for row in more_rows(data):
        if (key := f"{row['source']}/{row['class_hint']}") in known:
            yield row, key


def named_boxes(data, sources):
    """(row, box x, y, width and height, fine class) of the boxes of more/ whose name is listed."""
    known, boxes = FineLabels().right(), json.loads((Path(data) / "more/boxes.json").read_text())
    for row in more_rows(data):
        if row["source"] in sources and row["boxes"]:
            for *box, name in boxes[row["file"].removeprefix("more/")]["boxes"]:
                if (key := f"{row['source']}/{name}") in known and min(box[2:]) >= SMALLEST:
                    yield row, box, key
