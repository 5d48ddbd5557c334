"""Pastes objects onto scenes: boxes are exact, and contexts new.

Products on white are cut out by their background, objects of annotated photographs by a network's masks
(data/cutouts.py). Each time a view is used, random objects are pasted at random places. The teachers see
the view without them, so their boxes that are hidden afterwards are dropped.
"""

import cv2
import numpy as np

from data import cutouts
from data.boxes import areas, intersection
from data.images import coarse_rows

SOURCES = {"cake", "haven", "bottle"}
WHITE = 232
GROUPS = 0.4  # share of these views that get copies of one object


def cut_outs(data, cache, images, left_out, masks=True):
    """Pairs of an image and its alpha (0...1), cropped to the object; without masks, only products."""
    return _products(data, images) + (cutouts.cached(data, cache, images, left_out) if masks else [])


def _products(data, images):
    found = []
    for row in coarse_rows(data):
        if row["split"] == "train" and row["source"] in SOURCES and row["file"] in images:
            product = _cut_out(np.array(images[row["file"]]))
            if product is not None:
                found.append(product)
    return found


def _cut_out(image):
    height, width = image.shape[:2]
    corners = [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)]
    if any(image[y, x].min() < WHITE for x, y in corners):
        return None
    mask = np.zeros((height + 2, width + 2), np.uint8)
    for corner in corners:
        cv2.floodFill(image.copy(), mask, corner, 0, (6, 6, 6), (6, 6, 6), 4 | cv2.FLOODFILL_MASK_ONLY)
    product = (mask[1:-1, 1:-1] == 0).astype(np.uint8)
    product = cv2.morphologyEx(product, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    if not 0.06 < product.mean() < 0.85:
        return None
    x, y, w, h = cv2.boundingRect(product)
    alpha = cv2.blur(product.astype(np.float32), (3, 3))[y : y + h, x : x + w] * product[y : y + h, x : x + w]
    return image[y : y + h, x : x + w], alpha


def paste(view, boxes, kinds, fused, cut_outs, rng):
    """Pastes one to three different objects onto a square view, or up to six copies of one, close together.

    Mostly hidden boxes are dropped, of the annotated [n, 4] in pixels with their kinds, and of the
    teachers' [n, 6] as shares."""
    size = view.shape[0]
    for (image, alpha), box in _placed(cut_outs, size, rng):
        x, y, w, h = box
        image = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        alpha = cv2.resize(alpha, (w, h), interpolation=cv2.INTER_AREA)[..., None]
        if rng.random() < 0.5:
            image, alpha = image[:, ::-1], alpha[:, ::-1]
        under = view[y : y + h, x : x + w]
        lit = (image * rng.uniform(0.7, 1.05)).clip(0, 255)
        view[y : y + h, x : x + w] = under + alpha * (lit - under)
        box = np.array([x, y, x + w, y + h], np.float32)
        uncovered = _hidden(boxes, box) < 0.5
        boxes, kinds = boxes[uncovered], kinds[uncovered]
        fused = fused[_hidden(fused[:, :4], box / size) < 0.5]
        boxes, kinds = np.concatenate([boxes, box[None]]), np.append(kinds, 2.0)
    return view, boxes, kinds, fused


def _placed(cut_outs, size, rng):
    """Pairs of a cutout and its place: x, y, width, height in pixels."""
    if rng.random() < GROUPS:
        return _group(cut_outs[rng.integers(len(cut_outs))], size, rng)
    chosen = [cut_outs[rng.integers(len(cut_outs))] for _ in range(rng.integers(1, 4))]
    sizes = [_size(cut_out, size, 0.7, rng) for cut_out in chosen]
    return [(cut_out, (*rng.integers(0, [size - w, size - h]), w, h))
            for cut_out, (w, h) in zip(chosen, sizes)]


def _group(cut_out, size, rng):
    """Copies of one object, of similar size, each beside another: with a small gap, or overlapping by up to a
    third. Those that would leave the view are dropped."""
    w, h = _size(cut_out, size, 0.45, rng)
    places = [(*rng.integers(0, [size - w, size - h]), w, h)]
    for _ in range(rng.integers(1, 6)):
        x, y, *_ = places[rng.integers(len(places))]
        step = rng.uniform(0.7, 1.15) * np.array([(1, 0), (-1, 0), (0, 1), (0, -1)][rng.integers(4)])
        step += rng.uniform(-0.2, 0.2, 2)
        x, y = int(x + step[0] * w), int(y + step[1] * h)
        place = (x, y, *np.maximum(rng.uniform(0.85, 1.1, 2) * [w, h], 10).astype(int))
        if min(x, y) >= 0 and max(x + place[2], y + place[3]) < size:
            places.append(place)
    return [(cut_out, place) for place in places]


def _size(cut_out, size, most, rng):
    """Width and height. The longer side is 0.12 to `most` of the view, randomly stretched."""
    shape = cut_out[1].shape
    scale = size * np.exp(rng.uniform(np.log(0.12), np.log(most))) / max(shape)
    stretch = np.exp(rng.uniform(-0.25, 0.25))
    return (int(np.clip(shape[1] * scale * stretch, 10, size - 1)),
            int(np.clip(shape[0] * scale / stretch, 10, size - 1)))


def _hidden(boxes, box):
    """The share of each of `boxes` that `box` covers."""
    return intersection(boxes, box[None])[:, 0] / np.maximum(areas(boxes), 1e-9)
