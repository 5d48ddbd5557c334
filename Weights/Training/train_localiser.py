"""Trains the localiser of salient objects.

    python train_localiser.py --data DATA --cache CACHE --out RUN --init CLASSIFIER_RUN

Boxes come from the annotations and, where these say nothing, from a teacher, weighted by its score.
The backbone starts as the trained classifier's.
"""

import argparse
from pathlib import Path

import cv2
import keras
import numpy as np
import tensorflow as tf

import augment
import loop
import networks
import paste
from pictures import Pictures, box_rows, coarse_rows, teacher_boxes
from targets import SLOTS, STRIDE, targets

LEAST_AREA = 0.004
LEAST_SCORE = 0.12


class Scenes:
    """Training samples: a picture with its boxes (share of the picture) and their weights."""

    def __init__(self, data, cache):
        self.pictures = Pictures(data, cache)
        taught = teacher_boxes(data)
        annotated = {row["file"]: row for row in box_rows(data)}
        held_back = {row["file"] for row in [*annotated.values(), *coarse_rows(data)]
                     if row["split"] != "train"}
        self.samples, chances = [], []
        for file in sorted((set(annotated) | set(taught)) - held_back):
            if file not in self.pictures:
                continue
            row, told = annotated.get(file), taught.get(file, np.zeros((0, 5), np.float32))
            if row is None and (not len(told) or told[0, 4] < 0.25):
                continue
            boxes, weights = _merged(row, told)
            if len(boxes):
                self.samples.append((file, boxes, weights))
                folder = "boxes" if row else file.split("/")[0]
                chances.append({"boxes": 4.0, "scenes": 2.0, "coarse": 0.5}[folder])
        self.chances = np.array(chances) / np.sum(chances)
        self.goods = paste.cut_outs(self.pictures, coarse_rows(data))

    def batches(self, size, count, seed):
        rng = np.random.default_rng(seed)
        while True:
            images = np.empty((count, size, size, 3), np.uint8)
            truth = []
            for i, sample in enumerate(rng.choice(len(self.samples), count, p=self.chances)):
                images[i], boxes, weights = self._view(sample, size, rng)
                truth.append(targets(boxes, weights, size))
            yield images, *[np.stack(part) for part in zip(*truth)]

    def _view(self, sample, size, rng):
        file, boxes, weights = self.samples[sample]
        picture = self.pictures[file]
        height, width = picture.shape[:2]
        window = _window(rng, width, height)
        view = _cut(picture, window, size, rng)
        boxes, weights = _seen(boxes * [width, height, width, height], weights, window, size)
        if rng.random() < 0.12:
            view, boxes, weights = paste.paste(view, boxes, weights, self.goods, rng)
        if rng.random() < 0.5:
            view = np.ascontiguousarray(view[:, ::-1])
            boxes = np.stack([size - boxes[:, 2], boxes[:, 1], size - boxes[:, 0], boxes[:, 3]], 1)
        view = augment.degrade(view, rng, 0.25)
        return augment.recolour(view, rng), boxes, weights


def _merged(row, told):
    """Annotated boxes with weight 1, and the teacher's others with a weight from its score."""
    boxes, weights = [], []
    for b in row["boxes"] if row else []:
        if b.get("crowd") or b.get("part") or b["difficult"]:
            continue
        x, y, w, h = b["box"]
        if w * h >= LEAST_AREA * row["width"] * row["height"]:
            boxes.append([x / row["width"], y / row["height"],
                          (x + w) / row["width"], (y + h) / row["height"]])
            weights.append(1.0)
    complete = row is not None and row["labelled"] in ("all", "salient")
    for box in told:
        area = (box[2] - box[0]) * (box[3] - box[1])
        if box[4] < LEAST_SCORE or area < LEAST_AREA:
            continue
        if boxes and overlap(np.array(boxes), box[None, :4]).max() > 0.45:
            continue
        boxes.append(list(box[:4]))
        weights.append(float(min(box[4] * 1.1, 0.85) * (0.6 if complete else 1.0)))
    return np.array(boxes, np.float32).reshape(-1, 4), np.array(weights, np.float32)


def overlap(a, b):
    """Intersection over union of every box of `a` with every box of `b`."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    both = (high - low).clip(0).prod(-1)
    areas = [(c[:, 2:] - c[:, :2]).prod(-1) for c in (a, b)]
    return both / np.maximum(areas[0][:, None] + areas[1][None] - both, 1e-9)


def _window(rng, width, height):
    """The part of the picture to show: all of it, more than it, or less."""
    chance = rng.random()
    if chance < 0.4:
        return 0, 0, width, height
    if chance < 0.6:
        factor = rng.uniform(1.05, 2.0)
        w, h = int(width * factor), int(height * factor)
        return -int(rng.integers(0, w - width + 1)), -int(rng.integers(0, h - height + 1)), w, h
    return augment.random_rectangle(rng, width, height, 0.3)


def _cut(picture, window, size, rng):
    x, y, w, h = window
    if x >= 0 and y >= 0 and x + w <= picture.shape[1] and y + h <= picture.shape[0]:
        return augment.resize(picture[y : y + h, x : x + w], size, rng)
    matrix = np.array([[size / w, 0, -x * size / w], [0, size / h, -y * size / h]], np.float32)
    beyond = cv2.BORDER_CONSTANT if rng.random() < 0.6 else cv2.BORDER_REPLICATE
    colour = [int(c) for c in rng.integers(0, 255, 3)]
    return cv2.warpAffine(picture, matrix, (size, size), flags=cv2.INTER_LINEAR, borderMode=beyond,
                          borderValue=colour)


def _seen(boxes, weights, window, size):
    """The boxes as the window shows them; those mostly outside of it or tiny are left out."""
    x, y, w, h = window
    cut = np.concatenate([np.maximum(boxes[:, :2], [x, y]), np.minimum(boxes[:, 2:], [x + w, y + h])], 1)
    area = (cut[:, 2:] - cut[:, :2]).clip(0).prod(1)
    visible = area / np.maximum((boxes[:, 2:] - boxes[:, :2]).prod(1), 1e-6)
    cut = (cut - [x, y, x, y]) * [size / w, size / h, size / w, size / h]
    keep = (visible > 0.35) & ((cut[:, 2:] - cut[:, :2]).clip(0).prod(1) > 80)
    return cut[keep], (weights * np.where(visible > 0.65, 1.0, 0.6))[keep]


def loss(model, images, heat, distances, cared):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    logits = out["saliency"]
    shape = tf.shape(distances)
    said = tf.exp(tf.clip_by_value(tf.reshape(out["boxes"], shape), -3.0, 4.0)) * STRIDE

    # Generalised intersection over union, from the distances to the sides.
    inner, outer = tf.minimum(said, distances), tf.maximum(said, distances)
    both = (inner[..., 0] + inner[..., 2]) * (inner[..., 1] + inner[..., 3])
    hull = (outer[..., 0] + outer[..., 2]) * (outer[..., 1] + outer[..., 3])
    area = lambda d: (d[..., 0] + d[..., 2]) * (d[..., 1] + d[..., 3])
    union = area(said) + area(distances) - both
    iou = both / union
    boxes = 1 - iou + (hull - union) / hull
    boxes = tf.reduce_sum(boxes * cared) / tf.maximum(tf.reduce_sum(cared), 1.0)

    # The map is to promise as much as the box keeps: its target shrinks with the overlap reached.
    target = heat * tf.where(cared > 0, 0.35 + 0.65 * tf.stop_gradient(iou), 0.6)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits(target, logits)
    entropy *= tf.square(tf.abs(target - tf.sigmoid(logits)))
    saliency = 4 * tf.reduce_sum(entropy) / tf.maximum(tf.reduce_sum(cared), 8.0)
    return saliency + 2 * boxes, {"saliency": saliency, "boxes": boxes}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for the decoded pictures")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--init", help="a classifier's run, whose backbone to start from")
    parser.add_argument("--size", type=int, default=160)
    parser.add_argument("--steps", type=int, default=10500)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()

    loop.use_one_thread()
    cv2.setRNGSeed(options.seed)
    keras.utils.set_random_seed(options.seed)
    scenes = Scenes(options.data, options.cache)
    model = networks.localiser(options.size, len(SLOTS))
    print(f"{len(scenes.samples)} pictures, {sum(len(s[1]) for s in scenes.samples)} boxes, "
          f"{networks.multiply_adds(model) / 1e6:.1f} M multiply-adds", flush=True)
    if options.init:
        known = networks.classifier(128)
        loop.load_weights(known, Path(options.init) / "weights.npz")
        print(f"{networks.copy_backbone(known, model)} arrays from the classifier", flush=True)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.steps)
    if options.resume:
        trainer.resume()
    trainer.run(scenes.batches(options.size, options.batch, options.seed + trainer.step))


if __name__ == "__main__":
    main()
