"""Trains the classifier of object crops: five categories and "none of them".

    python train_classifier.py --data DATA --cache CACHE --out RUN [--steps N] [--resume]

Loss: cross entropy over the six categories, binary cross entropy of five independent ones (both
heads are trained, export.py takes one), and what two teachers say about the same crop: ImageNet's
1001 classes and the 631 of ML Kit's labeler, twenty best of each. The teachers' heads exist in
training only; they make the features know more things than the labelled pictures show.
"""

import argparse
from collections import Counter
from pathlib import Path

import cv2
import keras
import numpy as np
import tensorflow as tf

import augment
import loop
import networks
from pictures import CATEGORIES, Pictures, box_rows, coarse_rows

UNLABELLED = -1

# Sources whose pictures differ most from one another, and are most like what a user points at.
VARIED = {"coco", "cocoperson", "ecssd", "flickr", "imagenet", "voc", "boxes cartucho",
          "boxes coco_full", "boxes coco_person", "boxes ecssd"}


class Crops:
    """Training samples: a picture or a box of one, its category if known, its teacher's row."""

    def __init__(self, data, cache):
        self.pictures = Pictures(data, cache)
        self._read_teachers(data)
        boxes = {row["file"]: row for row in box_rows(data)}
        coarse = {row["file"]: row for row in coarse_rows(data)}
        held_back = {row["file"] for row in [*boxes.values(), *coarse.values()]
                     if row["split"] != "train"}
        self.samples, sources = [], []
        for row, (file, box) in enumerate(zip(self.teacher_files, self.teacher_boxes)):
            if file in held_back or file not in self.pictures:
                continue
            if file in coarse:
                label = CATEGORIES.index(coarse[file]["category"])
                source, box = coarse[file]["source"], None
            elif file in boxes:
                label, source = _label_of_box(boxes[file], box), "boxes " + boxes[file]["source"]
                box = _to_pixels(box, boxes[file], self.pictures[file].shape)
                if min(box[2:]) < 20:
                    continue
            else:
                continue
            self.samples.append((file, box, label, row))
            sources.append(source)
        self.labels = np.array([s[2] for s in self.samples])
        self.sources = sources
        self.chances = self._chances()

    def _read_teachers(self, data):
        parts = [np.load(Path(data) / f"teacher/labeler_{n}.npz") for n in (1, 2)]
        self.teacher_files = np.concatenate([p["files"][p["file_index"]] for p in parts])
        self.teacher_boxes = np.concatenate([p["box"] for p in parts]).astype(np.float32)
        self.teacher_says = [np.concatenate([p[name] for p in parts]) for name in
                             ("mnv2_index", "mnv2_prob", "labeler_index", "labeler_prob")]

    def _chances(self):
        """Categories alike (unknown, the most varied, 1.3 times); within one, a source of n samples
        counts n^0.65, a varied one half as much again; crops without a label 18 % in all."""
        keys = list(zip(self.labels, self.sources))
        count = Counter(keys)
        chances = np.array([count[key] ** -0.35 * (1.5 if key[1] in VARIED else 1) for key in keys])
        for label in range(UNLABELLED, len(CATEGORIES)):
            these = self.labels == label
            share = {UNLABELLED: 0.18 * 6.3 / 0.82, 5: 1.3}.get(label, 1.0)
            chances[these] *= share / chances[these].sum()
        return chances / chances.sum()

    def batches(self, sizes, count, seed):
        """Batches of `count` crops; the next of `sizes` is the side of the next batch's crops."""
        rng = np.random.default_rng(seed)
        for size in sizes:
            images = np.empty((count, size, size, 3), np.uint8)
            chosen = rng.choice(len(self.samples), count, p=self.chances)
            for i, sample in enumerate(chosen):
                images[i] = self._view(sample, size, rng)
            rows = np.array([self.samples[s][3] for s in chosen])
            yield images, self.labels[chosen].astype(np.int32), *[t[rows] for t in self.teacher_says]

    def _view(self, sample, size, rng):
        file, box, _, _ = self.samples[sample]
        picture = self.pictures[file]
        if box is not None:
            x, y, w, h = _shaken(box, picture.shape, rng)
        elif rng.random() < 0.3:
            x, y, (h, w) = 0, 0, picture.shape[:2]
        else:
            x, y, w, h = augment.random_rectangle(rng, picture.shape[1], picture.shape[0], 0.4)
        crop = augment.resize(picture[y : y + h, x : x + w], size, rng)
        if rng.random() < 0.5:
            crop = np.ascontiguousarray(crop[:, ::-1])
        soft = self.sources[sample] in ("flowers", "food101s")
        crop = augment.degrade(crop, rng, 0.15 if soft else 0.35)
        return augment.cut_out(augment.recolour(crop, rng), rng)


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


def _shaken(box, shape, rng):
    """The box with every side moved by up to a twelfth, as a localiser's boxes are."""
    x, y, w, h = box
    x0, x1 = x + w * rng.uniform(-0.12, 0.08), x + w * rng.uniform(0.92, 1.12)
    y0, y1 = y + h * rng.uniform(-0.12, 0.08), y + h * rng.uniform(0.92, 1.12)
    x0, y0 = max(0, int(x0)), max(0, int(y0))
    return x0, y0, max(8, min(shape[1], int(x1)) - x0), max(8, min(shape[0], int(y1)) - y0)


def _dense(indices, shares, classes):
    """Twenty (class, q) pairs a sample, q in 1/256, as a row of probabilities."""
    rows = tf.repeat(tf.range(tf.shape(indices)[0])[:, None], indices.shape[1], axis=1)
    at = tf.stack([rows, tf.cast(indices, tf.int32)], -1)
    return tf.scatter_nd(at, tf.cast(shares, tf.float32) / 256, (tf.shape(indices)[0], classes))


def loss(model, images, labels, imagenet, imagenet_share, labeler, labeler_share):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    known = tf.cast(labels >= 0, tf.float32)
    labelled = tf.maximum(tf.reduce_sum(known), 1)
    truth = tf.one_hot(labels, 6)

    entropy = tf.nn.softmax_cross_entropy_with_logits(0.95 * truth + 0.05 / 6, out["category"])
    category = tf.reduce_sum(entropy * known) / labelled
    each = tf.nn.sigmoid_cross_entropy_with_logits(0.95 * truth[:, :5] + 0.01, out["known"])
    alone = tf.reduce_sum(tf.reduce_sum(each, 1) * known) / labelled

    share = _dense(imagenet, imagenet_share, 1001)
    share /= tf.reduce_sum(share, 1, keepdims=True) + 1e-6
    told = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(share, out["imagenet"]))
    share = _dense(labeler, labeler_share, 631)
    heard = tf.nn.sigmoid_cross_entropy_with_logits(share, out["labeler"])
    heard = tf.reduce_mean(tf.reduce_sum(heard, 1))
    parts = {"category": category, "known": alone, "imagenet": told, "labeler": heard}
    return category + 0.5 * alone + 0.4 * told + 0.1 * heard, parts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for the decoded pictures")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--size", type=int, default=128)
    parser.add_argument("--first-size", type=int, default=96,
                        help="until the last 5 %% of the steps: almost twice as fast")
    parser.add_argument("--steps", type=int, default=10000)
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()

    loop.use_one_thread()
    cv2.setRNGSeed(options.seed)
    keras.utils.set_random_seed(options.seed)
    crops = Crops(options.data, options.cache)
    model = networks.classifier(None)
    print(f"{len(crops.samples)} crops, {(crops.labels >= 0).sum()} of them labelled", flush=True)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.steps)
    if options.resume:
        trainer.resume()
    sizes = (options.first_size if loop.is_early(step, options.steps) else options.size
             for step in range(trainer.step, options.steps + 1))
    trainer.run(crops.batches(sizes, options.batch, options.seed + trainer.step))


if __name__ == "__main__":
    main()
