"""Trains the classifier of object crops: five categories and "none of them".

    python train_classifier.py --data DATA --cache CACHE --models MODELS --out RUN

Loss: cross entropy over the six categories, binary cross entropy of five independent ones (both
heads are trained, export.py takes one), and what two teachers say about the same crop: ImageNet's
1001 classes and the 631 of ML Kit's labeler, twenty best of each. The teachers' heads exist in
training only; they make the features know more things than the labelled pictures show.

In the first steps a crop's category is its label. Then half of it is what the teachers, read by a
linear layer, take it for, so that crops without a label teach the category as well.
"""

import argparse

import cv2
import keras
import numpy as np
import tensorflow as tf

import loop
import networks
from crops import UNLABELLED, Crops
from probe import Probe


class Samples:
    """Batches of crops, with the category's probabilities and how much they count."""

    def __init__(self, crops):
        self.crops = crops
        labelled = crops.labels != UNLABELLED
        answers = np.stack([crops.answer(i) for i in np.flatnonzero(labelled)])
        self.probe = Probe(answers, crops.labels[labelled], crops.chances(0.2, 0)[labelled])
        self.phases = [crops.chances(0.18, 0), crops.chances(0.36, 0.5)]

    def batches(self, plan, count, seed):
        """Batches of `count` crops for a plan of (the crops' side, whether the labels are all)."""
        rng = np.random.default_rng(seed)
        crops = self.crops
        for size, plain in plan:
            chances = self.phases[0 if plain else 1]
            chosen = rng.choice(len(chances), count, p=chances)
            answers = np.stack([crops.answer(i) for i in chosen])
            images = np.stack([crops.view(i, size, rng) for i in chosen])
            labels = crops.labels[chosen]
            known = labels != UNLABELLED
            truth = np.eye(6, dtype=np.float32)[labels] * 0.95 + 0.05 / 6
            if not plain:
                told = self.probe(answers)
                truth = np.where(known[:, None], 0.5 * truth + 0.5 * told, told)
            weight = known.astype(np.float32) if plain else np.ones(count, np.float32)
            yield images, truth, weight, answers.astype(np.int32)


def _dense(answers, first, classes):
    """Twenty (class, q) pairs a sample, q in 1/256, as a row of probabilities."""
    count = tf.shape(answers)[0]
    rows = tf.repeat(tf.range(count)[:, None], answers.shape[2], axis=1)
    shares = tf.cast(answers[:, first + 1], tf.float32) / 256
    return tf.scatter_nd(tf.stack([rows, answers[:, first]], -1), shares, (count, classes))


def loss(model, images, truth, weight, answers):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    labelled = tf.maximum(tf.reduce_sum(weight), 1)
    entropy = tf.nn.softmax_cross_entropy_with_logits(truth, out["category"])
    category = tf.reduce_sum(entropy * weight) / labelled
    each = tf.nn.sigmoid_cross_entropy_with_logits(truth[:, :5], out["known"])
    alone = tf.reduce_sum(tf.reduce_sum(each, 1) * weight) / labelled

    share = _dense(answers, 0, 1001)
    share /= tf.reduce_sum(share, 1, keepdims=True) + 1e-6
    told = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(share, out["imagenet"]))
    heard = tf.nn.sigmoid_cross_entropy_with_logits(_dense(answers, 2, 631), out["labeler"])
    heard = tf.reduce_mean(tf.reduce_sum(heard, 1))
    parts = {"category": category, "known": alone, "imagenet": told, "labeler": heard}
    return category + 0.5 * alone + 0.4 * told + 0.1 * heard, parts


def size_at(share):
    """Side of the crops when a share of the steps is done: small ones do at first."""
    return 96 if share < 0.8 else 128


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for pictures and teachers' answers")
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="SOURCE",
                        help="sources not to train on")
    parser.add_argument("--share", type=float, default=1.0, help="share of the pictures to train on")
    parser.add_argument("--ends", type=int, nargs="+", default=[7300, 10300, 17300],
                        help="steps by which the learning rate falls to nothing, the last the end")
    parser.add_argument("--plain-steps", type=int, default=10300,
                        help="first steps, with labels alone for the category")
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()

    loop.use_one_thread()
    cv2.setRNGSeed(options.seed)
    keras.utils.set_random_seed(options.seed)
    crops = Crops(options.data, options.cache, options.models, options.leave_out, options.share)
    model = networks.classifier(None)
    print(f"{len(crops.samples)} crops, {(crops.labels >= 0).sum()} of them labelled", flush=True)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends)
    if options.resume:
        trainer.resume()
    steps = options.ends[-1]
    plan = ((size_at(step / steps), step < options.plain_steps)
            for step in range(trainer.step, steps + 1))
    trainer.run(Samples(crops).batches(plan, options.batch, options.seed + trainer.step))


if __name__ == "__main__":
    main()
