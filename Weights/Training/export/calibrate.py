"""Calibrates the classifier's confidence.

The training targets are soft, so the trained network's confidence is lower than its accuracy. One factor
on its logits corrects this. It is fitted to annotated boxes of training images that are in no list of
crops, so no run was trained on them. The validation split is not used.
"""

import numpy as np

from data import augment
from data.images import CATEGORIES, Images, box_rows, stored_crops

# As for the training crops: side in pixels, and share of the image.
MIN_SIDE, MIN_AREA = 20, 0.02


def unused_crops(data, cache):
    """Pixels and category of each annotated box that is not trained on."""
    images, listed = Images(data, cache), {}
    for file, box in zip(*stored_crops(data)):
        listed.setdefault(file, []).append(box)
    for row in box_rows(data):
        if row["split"] != "train" or row["file"] not in images:
            continue
        image = images[row["file"]]
        scale = np.array([image.shape[1] / row["width"], image.shape[0] / row["height"]] * 2)
        for annotation in row["boxes"]:
            x, y, w, h = annotation["box"]
            small = min(w, h) < MIN_SIDE or w * h < MIN_AREA * row["width"] * row["height"]
            if small or not annotation["coarse"] or annotation["difficult"] or annotation.get("crowd"):
                continue
            if any(np.abs(annotation["box"] - box).max() <= 1.5 for box in listed.get(row["file"], [])):
                continue
            x0, y0, x1, y1 = (np.array([max(x, 0), max(y, 0), x + w, y + h]) * scale).astype(int)
            yield image[y0:y1, x0:x1], CATEGORIES.index(annotation["coarse"])


def logit_scale(model, data, cache, size):
    """The factor on the logits of `model` that maximizes the likelihood of the unused crops' categories."""
    crops, labels = zip(*unused_crops(data, cache))
    images = np.stack([augment.resize(crop, size) for crop in crops])
    logits = np.asarray(model.predict(images / np.float32(255), batch_size=64, verbose=0))
    factors = np.arange(0.5, 3, 0.02)
    return float(factors[np.argmin([_cross_entropy(logits * f, np.array(labels)) for f in factors])])


def _cross_entropy(logits, labels):
    """The mean negative log probability of the true category."""
    logits = logits - logits.max(1, keepdims=True)
    right = logits[np.arange(len(labels)), labels]
    return np.mean(np.log(np.exp(logits).sum(1)) - right)
