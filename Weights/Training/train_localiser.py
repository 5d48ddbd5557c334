"""Trains the localiser of salient objects.

    python train_localiser.py --data DATA --cache CACHE --models MODELS --out RUN --init WEIGHTS

A teacher says, slot by slot, how salient what it sees is and where its box lies; annotated boxes
lift, deny and correct it. The backbone starts as the trained classifier's, and its first layers, to
stride 4, stay so.
"""

import argparse

import cv2
import keras
import numpy as np
import tensorflow as tf

import augment
import loop
import networks
import teachers
from scenes import Scenes
from targets import CELLS, LEVELS, SIZE, shapes, targets


class Samples:
    """Batches of views with what to say about them."""

    def __init__(self, data, cache, models):
        self.scenes = Scenes(data, cache)
        self.answers = teachers.LocaliserAnswers(self.scenes, cache, models)

    def batches(self, count, seed):
        rng = np.random.default_rng(seed)
        while True:
            images = np.empty((count, SIZE, SIZE, 3), np.uint8)
            truth = []
            chosen = rng.choice(len(self.scenes.views), count, p=self.scenes.chances)
            for i, index in enumerate(chosen):
                images[i], *said = self._sample(index, rng)
                truth.append(said)
            yield images, *[np.stack(part).astype(np.float32) for part in zip(*truth)]

    def _sample(self, index, rng):
        view, boxes, kinds, complete = self.scenes.view(index, SIZE)
        said = targets(boxes / SIZE, kinds, complete, *self.answers(index, view))
        if rng.random() < 0.5:
            view, said = np.ascontiguousarray(view[:, ::-1]), _mirrored(said)
        view = augment.degrade(view, rng, 0.25)
        return augment.recolour(view, rng), *said


def _mirrored_order():
    order, start = [], 0
    for cells, scales in LEVELS:
        slots = len(shapes(scales))
        level = np.arange(start, start + cells * cells * slots).reshape(cells, cells, slots)
        order.append(level[:, ::-1].reshape(-1))
        start += level.size
    return np.concatenate(order)


MIRRORED = _mirrored_order()


def _mirrored(said):
    scores, worth, distances, cared = [part[MIRRORED] for part in said]
    return scores, worth, distances[:, [2, 1, 0, 3]], cared


def loss(model, images, scores, worth, distances, cared):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    count = tf.shape(images)[0]
    logits = tf.concat([tf.reshape(o, (count, -1)) for o in out[0::2]], 1)
    logarithms = tf.concat([tf.reshape(o, (count, -1, 4)) for o in out[1::2]], 1)
    logarithms -= tf.math.log(tf.constant(CELLS))[:, None]
    said = tf.exp(tf.clip_by_value(logarithms, -7.0, 1.5))

    # Generalised intersection over union, from the distances to the sides.
    inner, outer = tf.minimum(said, distances), tf.maximum(said, distances)
    both = (inner[..., 0] + inner[..., 2]) * (inner[..., 1] + inner[..., 3])
    hull = (outer[..., 0] + outer[..., 2]) * (outer[..., 1] + outer[..., 3])
    area = lambda d: (d[..., 0] + d[..., 2]) * (d[..., 1] + d[..., 3])
    union = area(said) + area(distances) - both
    iou = both / union
    apart = tf.abs(logarithms - tf.math.log(distances))
    boxes = 1 - iou + (hull - union) / hull + 0.2 * tf.reduce_mean(tf.minimum(apart, 2.0), -1)
    boxes = tf.reduce_sum(boxes * cared) / tf.reduce_sum(cared)

    # At annotated objects a score is to promise as much as its box keeps.
    lifted = 0.3 * scores + 0.7 * worth * tf.stop_gradient(iou)
    target = tf.where(worth > 0, lifted, scores)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits(target, logits)
    least = -(target * tf.math.log(target + 1e-6) + (1 - target) * tf.math.log(1 - target + 1e-6))
    saliency = tf.reduce_sum(entropy - least) / (tf.reduce_sum(target) + tf.cast(count, tf.float32))
    kept = tf.reduce_sum(tf.where(worth > 0, iou, 0)) / tf.reduce_sum(tf.sign(worth))
    return 3 * saliency + boxes, {"saliency": saliency, "boxes": boxes, "overlap": kept}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for pictures and teachers' answers")
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--init", help="a classifier's weights, whose backbone to start from")
    parser.add_argument("--ends", type=int, nargs="+", default=[7000, 15700],
                        help="steps by which the learning rate falls to nothing, the last the end")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()

    loop.use_one_thread()
    cv2.setRNGSeed(options.seed)
    keras.utils.set_random_seed(options.seed)
    samples = Samples(options.data, options.cache, options.models)
    model = networks.localiser([(cells, shapes(scales)) for cells, scales in LEVELS])
    print(f"{len(samples.scenes.samples)} pictures, {len(samples.scenes.views)} views, "
          f"{networks.multiply_adds(model) / 1e6:.1f} M multiply-adds", flush=True)
    if options.init:
        known = networks.classifier(128)
        loop.load_weights(known, options.init)
        print(f"{networks.copy_backbone(known, model)} arrays from the classifier", flush=True)
        networks.freeze(model, 4)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends)
    if options.resume:
        trainer.resume()
    trainer.run(samples.batches(options.batch, options.seed + trainer.step))


if __name__ == "__main__":
    main()
