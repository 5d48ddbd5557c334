"""Images of objects for the localizer, and their training views.

An image has a fixed number of views: whole, nearly whole, a part of it, or with a border around it. A
view's number alone determines what it shows, so each teacher runs once per view. Objects are pasted
later.
"""

import zlib

import cv2
import numpy as np

from data import augment
from data.images import (
    Images,
    box_rows,
    coarse_rows,
    face_rows,
    gathered_rows,
    in_share,
    more_box_rows,
    more_rows,
    teacher_boxes,
)
from data.targets import shape

MIN_AREA = 0.004  # of objects that count, share of the image
MIN_VISIBLE_AREA = 0.0015  # smaller boxes are dropped; share of the view
# Views and sampling weight of an image, by its folder; "boxed" are the images of more/ with boxes.
VIEWS = {"boxes": 3, "boxed": 2, "scenes": 2, "more": 1, "coarse": 1, "faces": 1, "gathered": 1}
SAMPLING_WEIGHTS = {"boxes": 2.0, "boxed": 2.0, "scenes": 2.0, "more": 1.2, "coarse": 0.5, "faces": 0.3, "gathered": 0.6}
# Users show whole images. Views of a smaller share count a quarter, or objects would look larger in
# training than they are.
FULL_WEIGHT_SHARE = 0.6

# Whole sources for evaluation, left out with `--leave-out late`.
LATE_SOURCES = ["raccoon", "mug", "umbrella", "fruit", "saiga", "fruitfresh"]


class Scenes:
    """`samples`: (file, its row of annotations or None); `views`: (sample, number); `shapes`: of the network's input
    for each view."""

    def __init__(self, data, cache, left_out=(), share=1.0):
        self.images = Images(data, cache)
        self.samples, self.views, self.shapes, probabilities = [], [], [], []
        for folder, file, row in _training_images(data, named(left_out)):
            if file not in self.images or not in_share(file, share):
                continue
            self.samples.append((file, row))
            for number in range(VIEWS[folder]):
                self.views.append((len(self.samples) - 1, number))
                height, width = self.images[file].shape[:2]
                _, _, w, h = _window(self._random(-1), number, width, height)
                self.shapes.append(shape(w, h))
                is_small = w * h < FULL_WEIGHT_SHARE * width * height
                probabilities.append(SAMPLING_WEIGHTS[folder] / VIEWS[folder] * (0.25 if is_small else 1))
        self.probabilities = np.array(probabilities) / np.sum(probabilities)

    def keys(self):
        """The names of the views."""
        return [self._key(index) for index in range(len(self.views))]

    def _key(self, index):
        """The name of a view, which does not depend on other images: its file and number."""
        sample, number = self.views[index]
        return f"{self.samples[sample][0]} {number}"

    def _random(self, index):
        """The random generator of a view."""
        return np.random.default_rng([zlib.crc32(self._key(index).encode()), 0])

    def view(self, index, size):
        """The pixels of a view."""
        image, window, rng = self._window_of(index)
        return _cut(image, window, size, rng)

    def boxes(self, index, size):
        """Boxes [n, 4] (x0, y0, x1, y1 in pixels of the view), their kinds (2 an object, 1 a region to
        ignore), and whether all objects have a box."""
        image, window, _ = self._window_of(index)
        row = self.samples[self.views[index][0]][1]
        height, width = image.shape[:2]
        boxes, kinds = _annotated(row)
        boxes, visible = _visible(boxes * [width, height, width, height], window, size)
        boxes, kinds = _kept_boxes(boxes, kinds, visible)
        return boxes, kinds, row is not None and row["labelled"] in ("all", "salient")

    def _window_of(self, index):
        """The image, the view's window in it, and the view's random generator."""
        sample, number = self.views[index]
        image, rng = self.images[self.samples[sample][0]], self._random(index)
        height, width = image.shape[:2]
        return image, _window(rng, number, width, height), rng


def cropped(view, boxes, kinds, fused, size, rng):
    """A random part of a square view, the view with a border, or as it is, `size` pixels a side. If less
    than half of a teacher's box is visible, its probabilities are multiplied by the visible share."""
    side, chance = view.shape[0], rng.random()
    smallest, largest = (0.75, 1) if chance < 0.5 else (1, 1.3) if chance < 0.75 else (1, 1)
    w, h = (side * rng.uniform(smallest, largest, 2)).astype(int)
    x, y = [int(rng.integers(min(0, side - length), max(0, side - length) + 1)) for length in (w, h)]
    window = x, y, w, h
    boxes, visible = _visible(boxes, window, size)
    boxes, kinds = _kept_boxes(boxes, kinds, visible)
    by_teachers, visible = _visible(fused[:, :4] * side, window, size)
    probabilities = fused[:, 4:] * np.where(visible > 0.5, 1, visible)[:, None]
    fused = np.concatenate([by_teachers / size, probabilities], 1)[visible > 0.1]
    return _cut(view, window, size, rng), boxes, kinds, fused


def named(sources):
    """Names of sources and folders, with "late" expanded to the list."""
    return {name for source in sources for name in (LATE_SOURCES if source == "late" else [source])}


def evaluation_rows(data, sources):
    """Annotated images of these sources, of all splits."""
    return [row for row in [*box_rows(data), *more_box_rows(data)] if row["source"] in named(sources)]


def _training_images(data, left_out):
    """Folder, file and row of annotations (or None) of every training image."""
    annotated, boxed, by_teachers = box_rows(data), list(more_box_rows(data)), teacher_boxes(data)
    coarse, more, faces, gathered = coarse_rows(data), more_rows(data), face_rows(data), gathered_rows(data)
    known = {row["file"]: row for row in [*gathered, *more, *boxed, *coarse, *faces, *annotated]}
    folders = dict.fromkeys([row["file"] for row in [*more, *faces, *gathered]], None)
    folders = {file: file.split("/")[0] for file in [*folders, *by_teachers]}
    folders |= {row["file"]: "boxed" for row in boxed} | {row["file"]: "boxes" for row in annotated}
    for file, folder in sorted(folders.items()):
        row = known.get(file, {})
        if row.get("split", "train") != "train" or left_out & {row.get("source"), file.split("/")[0]}:
            continue
        if folder in ("scenes", "coarse") and not (len(by_teachers[file]) and by_teachers[file][0, 4] >= 0.2):
            continue
        yield folder, file, row if row.get("boxes") is not None and "labelled" in row else None


def _annotated(row):
    boxes, kinds = [], []
    for b in row["boxes"] if row else []:
        x, y, w, h = b["box"]
        boxes.append([x / row["width"], y / row["height"],
                      (x + w) / row["width"], (y + h) / row["height"]])
        large = w * h >= MIN_AREA * row["width"] * row["height"]
        counts = large and not (b.get("crowd") or b.get("part") or b["difficult"])
        kinds.append(2.0 if counts else 1.0)
    return np.array(boxes, np.float32).reshape(-1, 4), np.array(kinds, np.float32)


def _window(rng, number, width, height):
    """The window of a view: the whole image in the first view, then more, less or much less."""
    chance = rng.random()
    if number == 0:
        return 0, 0, width, height
    if chance < 0.35:
        return augment.random_rectangle(rng, width, height, 0.75, 0.1)
    if chance < 0.55:
        factor = rng.uniform(1.05, 1.8)
        w, h = int(width * factor), int(height * factor)
        return -int(rng.integers(0, w - width + 1)), -int(rng.integers(0, h - height + 1)), w, h
    return augment.random_rectangle(rng, width, height, 0.25)


def _cut(image, window, size, rng):
    x, y, w, h = window
    if x >= 0 and y >= 0 and x + w <= image.shape[1] and y + h <= image.shape[0]:
        return augment.resize(image[y : y + h, x : x + w], size, rng)
    matrix = np.array([[size / w, 0, -x * size / w], [0, size / h, -y * size / h]], np.float32)
    beyond = cv2.BORDER_CONSTANT if rng.random() < 0.6 else cv2.BORDER_REPLICATE
    color = [int(c) for c in rng.integers(0, 255, 3)]
    return cv2.warpAffine(image, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=beyond,
                          borderValue=color)


def _visible(boxes, window, size):
    """The boxes in pixels of the view, and the visible share of each, 0 if it is tiny."""
    x, y, w, h = window
    cut = np.concatenate([np.maximum(boxes[:, :2], [x, y]),
                          np.minimum(boxes[:, 2:], [x + w, y + h])], 1)
    area = (cut[:, 2:] - cut[:, :2]).clip(0).prod(1)
    visible = area / np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-6)
    cut = (cut - [x, y, x, y]) * [size / w, size / h, size / w, size / h]
    tiny = (cut[:, 2:] - cut[:, :2]).clip(0).prod(1) <= MIN_VISIBLE_AREA * size * size
    return cut, np.where(tiny, 0, visible)


def _kept_boxes(boxes, kinds, visible):
    """Drops boxes that are up to 10 % visible, and ignores those up to 50 %."""
    return boxes[visible > 0.1], np.where(visible > 0.5, kinds, 1.0)[visible > 0.1]
