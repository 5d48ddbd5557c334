"""Crops of objects for the classifier, with their categories and the answers of three teachers.

A crop is a rectangle of an image. Its list and number alone determine it, so each teacher runs once
per crop. The first list holds whole images and boxes, each further list one random part of every
image. Categories are known for the coarse sets, some annotated boxes and some images of more/. Most
crops have no category, only the teachers' answers.
"""

import zlib
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data import augment
from data.answers import CropAnswers
from data.images import (
    CATEGORIES,
    Images,
    box_rows,
    coarse_rows,
    face_rows,
    gathered_rows,
    in_share,
    more_rows,
    scene_rows,
    stored_crops,
)

UNLABELED = -1
LISTS = 3  # lists of crops: whole images and boxes, then random parts

# Whole sources of more/ that no run is trained on, for evaluation.
HELD_OUT = ["cakest", "classicf", "inmystyle", "giftstore", "plantshop", "afgarden", "tourist",
            "wallhd", "citycar", "jewelry1", "amvgon", "capybara", "trapedes"]
# Further sources, of every category, left out with `--leave-out late`.
LATE_SOURCES = ["clothing2", "mockup", "uphar", "ssenono", "food101s", "pizz", "flowers227", "scene15",
             "imagenette", "trashnet", "cocoperson"]

# The sources with the most varied images, which are most like those of users.
VARIED_SOURCES = {"coco", "cocoperson", "ecssd", "flickr", "imagenet", "voc", "boxes cartucho",
          "boxes coco_full", "boxes coco_person", "boxes ecssd"}

# If a source of crops is left out, so are these sources of larger images: they are of the same
# repository, or made of its images.
RELATED_SOURCES = {"coco": {"coco_full"}, "cocoperson": {"coco", "coco_person", "scenes"}, "voc": {"cartucho"},
        "cake": {"white"}, "haven": {"white", "composite"}, "bottle": {"white", "composite"},
        "domes": {"composite"}, "nineplants": {"composite"}, "imagenette": {"composite"}}

# The smallest share of an image in a random part, for images with and without a category.
MIN_LABELED_SHARE, MIN_PART_SHARE = 0.4, 0.06


@dataclass(frozen=True)
class Crop:
    file: str
    box: tuple  # x, y, width, height in pixels
    label: int
    folder: str
    source: str
    place: tuple = (0, 0)  # list and number, the key of the teachers' answer


class Crops:
    """The `crops` to train on, their `labels`, and the teachers' `answers`."""

    def __init__(self, data, cache, lists=LISTS, left_out=(), share=1.0):
        self.images = Images(data, cache)
        left_out = named(left_out)
        left_out = left_out.union(HELD_OUT, *[RELATED_SOURCES.get(source, ()) for source in left_out])
        self.crops, self.counts = [], []
        for index in range(lists):
            listed = list(_objects(data, self.images) if index == 0 else
                          _parts(data, self.images, index))
            self.counts.append(len(listed))
            self.crops += [Crop(*crop, (index, number)) for number, crop in enumerate(listed)
                           if not left_out.intersection(crop[3:]) and in_share(crop[0], share)]
        self.labels = np.array([crop.label for crop in self.crops])
        self._cache = cache

    @cached_property
    def answers(self):
        return CropAnswers(self.counts, self._cache)

    def probabilities(self, unlabeled):
        """The sampling probabilities of the crops.

        Categories are equally likely, unknown, the most varied, 1.3 times as likely. Crops without one
        have the share `unlabeled`. Within a category, n crops of a source count n^0.65; a varied source
        counts 1.5 times as much."""
        keys = [(crop.label, f"{crop.folder} {crop.source}") for crop in self.crops]
        count = Counter(keys)
        probabilities = np.array([count[key] ** -0.35 * (1.5 if key[1].removeprefix("coarse ") in VARIED_SOURCES else 1)
                            for key in keys])
        shares = [(1.3 if label == 5 else 1.0) / 6.3 * (1 - unlabeled) for label in range(6)]
        for label, share in [*enumerate(shares), (UNLABELED, unlabeled)]:
            chosen = self.labels == label
            probabilities[chosen] *= share / max(probabilities[chosen].sum(), 1e-9)
        return probabilities / probabilities.sum()

    def answer(self, index):
        """The teachers' answers: Lite0's features, and the best labels of the two others."""
        return self.answers[self.crops[index].place]

    def view(self, index, size, rng):
        crop = self.crops[index]
        image = self.images[crop.file]
        view = augment.resize(part(image, _jittered(crop.box, image.shape, rng)), size, rng)
        if rng.random() < 0.5:
            view = np.ascontiguousarray(view[:, ::-1])
        soft = crop.source in ("flowers", "food101s")
        view = augment.degrade(view, rng, 0.1 if soft else 0.25)
        return augment.erase(augment.recolor(view, rng), rng, 0.1)


def named(sources):
    """Names of sources and folders, with "late" and "held-out" expanded to the two lists."""
    lists = {"late": LATE_SOURCES, "held-out": HELD_OUT}
    return {name for source in sources for name in lists.get(source, [source])}


def _label(category):
    return CATEGORIES.index(category) if category else UNLABELED


def _objects(data, images):
    """The first list: (file, box, label, folder, source) of whole images and boxes."""
    excluded = validation_files(data)
    whole = {folder: _training_rows(rows, images, excluded) for folder, rows in
             (("coarse", coarse_rows(data)), ("more", more_rows(data)), ("faces", face_rows(data)))}
    for folder, rows in whole.items():
        yield from _whole(folder, rows, images)
    rows = {row["file"]: row for row in _training_rows(box_rows(data), images, excluded)}
    coarse = {row["file"] for row in coarse_rows(data)}
    for file, box in zip(*stored_crops(data)):
        if file in rows and file not in coarse:
            cut = to_pixels(box, rows[file], images[file].shape)
            if min(cut[2:]) >= 20:
                label = _label_of_box(rows[file], box)
                yield str(file), tuple(cut.tolist()), label, "boxes", rows[file]["source"]
    yield from _whole("gathered", _training_rows(gathered_rows(data), images, excluded), images)


def _whole(folder, rows, images):
    """Whole images and their boxes."""
    for row in rows:
        height, width = images[row["file"]].shape[:2]
        yield row["file"], (0, 0, width, height), _label(row.get("category")), folder, row["source"]
        for box in row.get("boxes", []):
            if min(box[2:]) >= 20:
                yield row["file"], tuple(box), UNLABELED, folder, row["source"]


def _parts(data, images, index):
    """A further list: a random part of every image."""
    excluded = validation_files(data)
    folders = {"coarse": coarse_rows(data), "boxes": box_rows(data), "more": more_rows(data),
               "scenes": scene_rows(data), "faces": face_rows(data), "gathered": gathered_rows(data)}
    for folder, rows in folders.items():
        for row in _training_rows(rows, images, excluded):
            height, width = images[row["file"]].shape[:2]
            label = _label(row.get("category"))
            min_share = MIN_PART_SHARE if label == UNLABELED else MIN_LABELED_SHARE
            rng = np.random.default_rng([zlib.crc32(row["file"].encode()), index])
            box = augment.random_rectangle(rng, width, height, min_share, 0.4)
            yield row["file"], box, label, folder, row.get("source", folder)


def validation_files(data):
    """Files in the validation split of any list."""
    rows = box_rows(data) + coarse_rows(data) + more_rows(data) + face_rows(data)
    return {row["file"] for row in rows if row["split"] != "train"}


def _training_rows(rows, images, excluded):
    return [row for row in rows if row["file"] not in excluded and row["file"] in images]


def _label_of_box(row, box):
    """The category of the annotated box of a teacher's crop."""
    if box[2] * box[3] < 0.02 * row["width"] * row["height"]:
        return UNLABELED
    for annotation in row["boxes"]:
        if np.abs(np.array(annotation["box"]) - box).max() <= 1.5 and annotation["coarse"]:
            return _label(annotation["coarse"])
    return UNLABELED


def to_pixels(box, row, shape):
    """A box in pixels of the list, in those of the stored image."""
    sx, sy = shape[1] / row["width"], shape[0] / row["height"]
    return box * [sx, sy, sx, sy]


def part(image, box):
    """The pixels in a box (x, y, width, height) of an image."""
    x, y, w, h = [int(v) for v in box]
    return image[max(y, 0) : y + h, max(x, 0) : x + w]


def _jittered(box, shape, rng):
    """The box with each side moved by up to 5 %, little more than the teachers saw."""
    x, y, w, h = box
    x0, x1 = x + w * rng.uniform(-0.05, 0.05), x + w * rng.uniform(0.95, 1.05)
    y0, y1 = y + h * rng.uniform(-0.05, 0.05), y + h * rng.uniform(0.95, 1.05)
    x0, y0 = max(0, int(x0)), max(0, int(y0))
    return x0, y0, max(8, min(shape[1], int(x1)) - x0), max(8, min(shape[0], int(y1)) - y0)
