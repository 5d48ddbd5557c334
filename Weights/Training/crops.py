"""Crops of objects for the classifier, with what is known and what two teachers say of each.

Three kinds: pictures of the coarse sets, whole, with a category; annotated boxes and boxes of the
localiser's teacher, some with a category; and parts of larger pictures cut at random, of which only
the teachers tell something. The teachers' answers are the twenty best of ImageNet's 1001 classes
and of the labeler's 631.
"""

import zlib
from collections import Counter
from pathlib import Path

import numpy as np

import augment
import teachers
from pictures import CATEGORIES, Pictures, box_rows, coarse_rows, scene_rows, stored, stored_crops

UNLABELLED = -1
BROAD_ANSWERS = ("mnv2_index", "mnv2_prob", "labeler_index", "labeler_prob")
# Parts cut at random from a picture, by the folder of its list.
PARTS = {"boxes": 4, "scenes": 8}

# Sources whose pictures differ most from one another, and are most like what a user points at.
VARIED = {"coco", "cocoperson", "ecssd", "flickr", "imagenet", "voc", "boxes cartucho",
          "boxes coco_full", "boxes coco_person", "boxes ecssd"}

# Where a source of crops is left out, these sources of larger pictures go as well: of the same
# repository, or made of its pictures.
SAME = {"coco": {"coco_full"}, "cocoperson": {"coco_person", "scenes"}, "voc": {"cartucho"},
        "cake": {"white"}, "haven": {"white", "composite"}, "bottle": {"white", "composite"},
        "domes": {"composite"}, "nineplants": {"composite"}, "imagenette": {"composite"}}


class Crops:
    """`samples`: (file, box or None, category or -1, its answer's number), `sources` likewise."""

    def __init__(self, data, cache, models, left_out=(), share=1.0):
        self.pictures = Pictures(data, cache)
        boxes = {row["file"]: row for row in box_rows(data)}
        coarse = {row["file"]: row for row in coarse_rows(data)}
        held_back = {row["file"] for row in [*boxes.values(), *coarse.values()]
                     if row["split"] != "train"}
        left_out = set(left_out).union(*[SAME.get(source, set()) | {source} for source in left_out])
        files, cuts = stored_crops(data)
        answers = [stored(data, name) for name in BROAD_ANSWERS]
        answers = np.stack(answers, 1).astype(np.uint16)
        self.samples, self.sources = [], []
        for number, (file, box) in enumerate(zip(files, cuts)):
            if file in held_back or file not in self.pictures or not _in_share(file, share):
                continue
            if file in coarse:
                source, box = coarse[file]["source"], None
                label = CATEGORIES.index(coarse[file]["category"])
            elif file in boxes:
                label, source = _label_of_box(boxes[file], box), "boxes " + boxes[file]["source"]
                box = _to_pixels(box, boxes[file], self.pictures[file].shape)
                if min(box[2:]) < 20:
                    continue
            else:
                continue
            if source.removeprefix("boxes ") not in left_out:
                self.samples.append((file, box, label, number))
                self.sources.append(source)
        self.told = len(self.samples)
        rows = [("boxes", row) for row in boxes.values()] + [("scenes", row) for row in scene_rows(data)]
        number = len(files)
        for folder, row in rows:
            file, source = row["file"], row.get("source", folder)
            for part in range(PARTS[folder]):
                if (file in self.pictures and file not in held_back and source not in left_out
                        and _in_share(file, share)):
                    rng = np.random.default_rng([number, part])
                    height, width = self.pictures[file].shape[:2]
                    box = augment.random_rectangle(rng, width, height, 0.06, 0.6)
                    self.samples.append((file, np.array(box), UNLABELLED, number))
                    self.sources.append("parts " + folder)
                number += 1
        self.labels = np.array([s[2] for s in self.samples])
        self.answers = teachers.BroadAnswers(answers, number, cache, models)

    def chances(self, unlabelled, parts):
        """Categories alike (unknown, the most varied, 1.3 times); within one, a source of n samples
        counts n^0.65, a varied one half as much again. Crops without a label have the share
        `unlabelled`, `parts` of them the parts cut at random."""
        keys = list(zip(self.labels, self.sources))
        count = Counter(keys)
        chances = np.array([count[key] ** -0.35 * (1.5 if key[1] in VARIED else 1) for key in keys])
        cut = np.arange(len(self.samples)) >= self.told
        for label in range(len(CATEGORIES)):
            these = self.labels == label
            chances[these] *= (1.3 if label == 5 else 1.0) / 6.3 * (1 - unlabelled) / chances[these].sum()
        boxed = (self.labels == UNLABELLED) & ~cut
        chances[boxed] *= unlabelled * (1 - parts) / chances[boxed].sum()
        chances[cut] *= unlabelled * parts / chances[cut].sum()
        return chances / chances.sum()

    def answer(self, sample):
        """What the teachers say: indices and shares (in 1/256) of ImageNet's classes, of labels."""
        file, box, _, number = self.samples[sample]
        return self.answers(number, lambda: _part(self.pictures[file], box))

    def view(self, sample, size, rng):
        file, box, _, _ = self.samples[sample]
        picture = self.pictures[file]
        if box is not None:
            part = _part(picture, _shaken(box, picture.shape, rng))
        elif rng.random() < 0.3:
            part = picture
        else:
            part = _part(picture, augment.random_rectangle(rng, *picture.shape[1::-1], 0.4))
        crop = augment.resize(part, size, rng)
        if rng.random() < 0.5:
            crop = np.ascontiguousarray(crop[:, ::-1])
        soft = self.sources[sample] in ("flowers", "food101s")
        crop = augment.degrade(crop, rng, 0.15 if soft else 0.35)
        return augment.cut_out(augment.recolour(crop, rng), rng)


def _in_share(file, share):
    """Whether a picture is among a share of all, the same one in every run."""
    return zlib.crc32(file.encode()) < share * 2**32


def _label_of_box(row, box):
    """The category of the annotated box that a teacher's crop was cut by."""
    if box[2] * box[3] < 0.02 * row["width"] * row["height"]:
        return UNLABELLED
    for known in row["boxes"]:
        if np.abs(np.array(known["box"]) - box).max() <= 1.5 and known["coarse"]:
            return CATEGORIES.index(known["coarse"])
    return UNLABELLED


def _to_pixels(box, row, shape):
    sx, sy = shape[1] / row["width"], shape[0] / row["height"]
    return box * [sx, sy, sx, sy]


def _part(picture, box):
    x, y, w, h = [int(v) for v in box]
    return picture[y : y + h, x : x + w]


def _shaken(box, shape, rng):
    """The box with every side moved by up to a twelfth, as a localiser's boxes are."""
    x, y, w, h = box
    x0, x1 = x + w * rng.uniform(-0.12, 0.08), x + w * rng.uniform(0.92, 1.12)
    y0, y1 = y + h * rng.uniform(-0.12, 0.08), y + h * rng.uniform(0.92, 1.12)
    x0, y0 = max(0, int(x0)), max(0, int(y0))
    return x0, y0, max(8, min(shape[1], int(x1)) - x0), max(8, min(shape[0], int(y1)) - y0)
