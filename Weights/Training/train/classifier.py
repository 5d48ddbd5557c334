"""Trains the classifier of object crops: five categories and "none of them".

    python -m train.classifier --data DATA --cache CACHE --out RUN

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
from functools import partial
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from data import augment
from data.crops import LISTS, Crops
from data.images import Images
from evaluate.measures import categorized, macro_accuracy
from networks import object_networks
from networks.object_networks import NANO_WIDTH
from teachers.probe import CropTargets, Probe
from train import loop

UNLABELED_SHARE = 0.45  # share of crops without a category in a batch


class Samples:
    """Batches of crops with their targets."""

    def __init__(self, crops, targets, count, seed):
        self.crops, self.targets, self.count, self.seed = crops, targets, count, seed
        self.probabilities = crops.probabilities(UNLABELED_SHARE)

    def batch(self, step, size):
        """The crops of a step, `size` pixels a side, and their targets."""
        rng = np.random.default_rng([self.seed, step])
        chosen = rng.choice(len(self.probabilities), self.count, p=self.probabilities)
        images = np.stack([self.crops.view(i, size, rng) for i in chosen])
        return images, *self.targets([self.crops.crops[i].place for i in chosen])


def _dense(answers, classes):
    """Twenty (class, q) pairs per sample, q in 1/256, as a row of probabilities."""
    rows = torch.zeros((len(answers), classes), device=answers.device)
    return rows.scatter_add_(1, answers[:, 0].long(), answers[:, 1] / 256)


def loss(out, truth, target, names):
    category = F.cross_entropy(out["category"], truth)
    distance = 1 - F.cosine_similarity(target, out["lite0"])
    labels = F.binary_cross_entropy_with_logits(out["labeler"], _dense(names, 631), reduction="none")
    parts = {"category": category, "lite0": distance.mean(), "labeler": labels.sum(1).mean()}
    return parts["category"] + 3 * parts["lite0"] + 0.1 * parts["labeler"], parts


class CurveWriter:
    """Scores the averaged weights on each set of images, and adds a line to RUN/curve.csv."""

    def __init__(self, data, cache, left_out, size_at):
        self.sets = {"validation": categorized(data), "held-out sources": categorized(data, ["held-out"])}
        if left_out and (rows := categorized(data, left_out)):
            self.sets["left out"] = rows
        self.images, self.size_at = Images(data, cache), size_at

    def __call__(self, trainer):
        path = trainer.out / "curve.csv"
        if not path.exists():
            names = ",".join(f"macro {kept}" for kept in self.sets)
            path.write_text(f"step,crops,size,CPU hours,{names}\n")
        # One size above training: objects in random parts of images are larger than in whole ones.
        size = self.size_at(trainer.step - 1) + 32
        scores = [self._macro(trainer, rows, size) for rows in self.sets.values()]
        step, seen, seconds = trainer.progress()
        scores = ",".join(f"{score:.4f}" for score in scores)
        with open(path, "a") as file:
            file.write(f"{step},{seen},{size},{seconds / 3600:.3f},{scores}\n")

    def _macro(self, trainer, rows, size):
        predicted = []
        for first in range(0, len(rows), 96):
            batch = [augment.resize(self.images[row["file"]], size) for row in rows[first : first + 96]]
            predicted.append(trainer.predict(np.stack(batch))["category"].argmax(1))
        return macro_accuracy(rows, np.concatenate(predicted))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leave-out", nargs="*", default=["late"], metavar="SOURCE",
                        help="sources and folders that the run is evaluated on; "
                        "late: the eleven sources that data/crops.py lists")
    parser.add_argument("--until", type=int, default=27000, metavar="STEP",
                        help="the step from which these are also trained on")
    parser.add_argument("--share", type=float, default=1.0, help="share of the images to train on")
    parser.add_argument("--lists", type=int, default=LISTS,
                        help="lists of crops: whole images and boxes, then random parts")
    parser.add_argument("--grow", type=int, default=6000, metavar="STEP",
                        help="the step from which crops are 128 instead of 96 pixels wide")
    parser.add_argument("--width", type=float, default=1.0, help="width of the network's layers, for comparison")
    parser.add_argument("--nano", metavar="RUN", help="also train the nano network, on the same crops")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare batches")
    options = loop.options(parser, ends=[27000, 31000], batch=96, rate=4e-3)

    stages = [Crops(options.data, options.cache, options.lists, left_out, options.share)
              for left_out in (options.leave_out, [])]
    print(*[f"{len(crops.crops)} crops, {(crops.labels >= 0).sum()} of them labeled"
            for crops in stages], sep=", then ", flush=True)
    packed = Path(options.out) / "packed.npz" if options.resume else options.init
    targets = CropTargets(stages, options.cache, Probe(loop.unpack(packed)[2]) if packed else None)

    def trainer(out, width):
        model = object_networks.classifier(None, width=width)
        return loop.Trainer(model, loss, out, options.rate, options.ends, targets.probe.arrays,
                            device=options.device)

    trainers = [trainer(options.out, options.width)]
    trainers[0].restore(options)
    if options.nano:
        trainers.append(trainer(options.nano, NANO_WIDTH))
        if options.resume:
            trainers[1].resume()
    samples = [Samples(crops, partial(targets, stage), options.batch, options.seed)
               for stage, crops in enumerate(stages)]

    def size_at(step):
        return 96 if step < options.grow else 128

    def batch(step):
        return samples[step >= options.until].batch(step, size_at(step))

    batches = loop.loaded(batch, range(trainers[0].step, options.ends[-1] + 1), options)
    loop.run(trainers, batches, 50, options.save,
             CurveWriter(options.data, options.cache, options.leave_out, size_at))


if __name__ == "__main__":
    main()
