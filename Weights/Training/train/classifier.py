"""Trains the classifier of object crops: five categories and "none of them".

    python -m train.classifier --data DATA --cache CACHE --models MODELS --out RUN

The loss of every crop, labeled or not, is the weighted sum of three parts:

- the distance between a projection of the network's features and EfficientNet-Lite0's features;
- the cross entropy to the category probabilities of a linear layer on the teachers' answers;
- the cross entropy to the twenty best labels of ML Kit's labeler.

Category labels only enter through that layer, which is fitted to them. All outputs except the categories exist in
training only.

During training the run is evaluated on the validation split, on held-out sources, and on those of `--leave-out`.
The latter are not trained on until the step `--until`. The scores are in RUN/curve.csv.
"""

import argparse
from pathlib import Path

import keras
import numpy as np
import tensorflow as tf

from data import augment
from data.crops import Crops
from data.images import Images
from evaluate.measures import categorized, macro_accuracy
from networks import object_networks
from teachers.answers import ANSWER
from teachers.probe import Probe, fitted_probe
from train import loop

UNLABELED_SHARE = 0.45  # share of crops without a category in a batch


class Samples:
    """Batches of crops with their targets."""

    def __init__(self, crops, probe):
        self.crops, self.probe = crops, probe
        self.probabilities = crops.probabilities(UNLABELED_SHARE)

    def batches(self, sizes, count, seed):
        """Batches of `count` crops, one for each of the `sizes`."""
        rng = np.random.default_rng(seed)
        crops = self.crops
        for size in sizes:
            chosen = rng.choice(len(self.probabilities), count, p=self.probabilities)
            answers = np.array([crops.answer(i) for i in chosen], ANSWER)
            images = np.stack([crops.view(i, size, rng) for i in chosen])
            yield (images, self.probe.categories(answers), self.probe.target(answers),
                   answers["named"][:, 2:].astype(np.int32))


def _dense(answers, classes):
    """Twenty (class, q) pairs per sample, q in 1/256, as a row of probabilities."""
    count = tf.shape(answers)[0]
    rows = tf.repeat(tf.range(count)[:, None], answers.shape[2], axis=1)
    shares = tf.cast(answers[:, 1], tf.float32) / 256
    return tf.scatter_nd(tf.stack([rows, answers[:, 0]], -1), shares, (count, classes))


def loss(model, images, truth, target, names):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    category = tf.nn.softmax_cross_entropy_with_logits(truth, out["category"])
    distance = 1 + keras.losses.cosine_similarity(target, out["lite0"])
    labels = tf.nn.sigmoid_cross_entropy_with_logits(_dense(names, 631), out["labeler"])
    parts = {"category": tf.reduce_mean(category), "lite0": tf.reduce_mean(distance),
             "labeler": tf.reduce_mean(tf.reduce_sum(labels, 1))}
    return parts["category"] + 3 * parts["lite0"] + 0.1 * parts["labeler"], parts


class CurveWriter:
    """Scores the averaged weights on each set of images, and adds a line to curve.csv."""

    def __init__(self, data, cache, out, left_out, size_at, width):
        self.sets = {"validation": categorized(data), "held-out sources": categorized(data, ["held-out"])}
        if left_out and (rows := categorized(data, left_out)):
            self.sets["left out"] = rows
        self.images, self.size_at = Images(data, cache), size_at
        self.path, self.network = Path(out) / "curve.csv", object_networks.classifier(None, width=width)
        self.predict = tf.function(lambda images: self.network(tf.cast(images, tf.float32) / 255)["category"])
        if not self.path.exists():
            names = ",".join(f"macro {kept}" for kept in self.sets)
            self.path.write_text(f"step,crops,size,CPU hours,{names}\n")

    def __call__(self, trainer):
        for variable, mean in zip(self.network.variables, trainer.averages):
            variable.assign(mean)
        # One size above training: objects in random parts of images are larger than in whole ones.
        size = self.size_at(trainer.step - 1) + 32
        scores = [self._macro(rows, size) for rows in self.sets.values()]
        step, seen, seconds = trainer.progress()
        scores = ",".join(f"{score:.4f}" for score in scores)
        with open(self.path, "a") as file:
            file.write(f"{step},{seen},{size},{seconds / 3600:.3f},{scores}\n")

    def _macro(self, rows, size):
        predicted = []
        for first in range(0, len(rows), 96):
            batch = [augment.resize(self.images[row["file"]], size) for row in rows[first : first + 96]]
            predicted.append(self.predict(tf.constant(np.stack(batch))).numpy().argmax(1))
        return macro_accuracy(rows, np.concatenate(predicted))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--leave-out", nargs="*", default=["late"], metavar="SOURCE",
                        help="sources and folders that the run is evaluated on; "
                        "late: the eleven sources that data/crops.py lists")
    parser.add_argument("--until", type=int, default=27000, metavar="STEP",
                        help="the step from which these are also trained on")
    parser.add_argument("--share", type=float, default=1.0, help="share of the images to train on")
    parser.add_argument("--lists", type=int, default=12,
                        help="lists of crops: whole images and boxes, then random parts")
    parser.add_argument("--grow", type=int, default=6000, metavar="STEP",
                        help="the step from which crops are 128 instead of 96 pixels wide")
    parser.add_argument("--width", type=float, default=1.0, help="width of the network's layers, for comparison")
    options = loop.options(parser, ends=[27000, 31000], batch=96, rate=4e-3)

    stages = [Crops(options.data, options.cache, options.models, options.lists, left_out, options.share)
              for left_out in (options.leave_out, [])]
    print(*[f"{len(crops.crops)} crops, {(crops.labels >= 0).sum()} of them labeled"
            for crops in stages], sep=", then ", flush=True)
    packed = Path(options.out) / "packed.npz" if options.resume else options.init
    probe = Probe(loop.unpack(packed)[2]) if packed else fitted_probe(stages[0])
    probes = [probe, fitted_probe(stages[1], like=probe)]
    model = object_networks.classifier(None, width=options.width)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends, probe.arrays)
    trainer.restore(options)

    def size_at(step):
        return 96 if step < options.grow else 128

    def batches(step):
        sizes = (size_at(step) for step in range(step, options.ends[-1] + 1))
        first, second = [Samples(crops, probe).batches(sizes, options.batch, options.seed + step)
                       for crops, probe in zip(stages, probes)]
        return loop.chained(first, second, options.until - step)

    on_save = CurveWriter(options.data, options.cache, options.out, options.leave_out, size_at, options.width)
    trainer.run(batches(trainer.step), save=500, on_save=on_save)


if __name__ == "__main__":
    main()
