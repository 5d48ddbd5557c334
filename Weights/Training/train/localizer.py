"""Trains the localizer of salient objects.

    python -m train.localizer --data DATA --cache CACHE --models MODELS --further FURTHER --out RUN \
        --init WEIGHTS

Four fused detectors provide the boxes of objects in each view and the most prominent object. Annotated boxes
override them. The backbone is initialized from the trained classifier's.

During training the run is evaluated on the validation split and on the sources of `--leave-out`, which are not
trained on until the step `--until`. The scores are in RUN/curve.csv.
"""

import argparse
from pathlib import Path

import numpy as np
import tensorflow as tf

from data import augment, empty, paste
from data.images import Images, box_rows
from data.scenes import Scenes, cropped, evaluation_rows
from data.targets import LEVELS, MAX_OBJECTS, SIZE, assigned, grid, objects, overlaps
from evaluate import decode
from evaluate.measures import measures, validation
from networks import object_networks
from teachers.fused import Fused, FusedAnswers, Shipped
from train import loop

NO_OBJECT_SHARE = 0.06  # share of samples without an object
SIZES = [(128, 128), (128, 192), (192, 256)]  # sides of views in pixels: alternating batches of each stage
PASTED_SHARE = 0.4  # share of views with pasted objects


class Samples:
    """Batches of views with the objects in them."""

    def __init__(self, scenes, answers):
        self.scenes, self.answers = scenes, answers

    def batches(self, sizes, count, seed):
        """Batches of `count` views, one for each of the `sizes`."""
        rng = np.random.default_rng(seed)
        for size in sizes:
            chosen = rng.choice(len(self.scenes.views), count, p=self.scenes.probabilities)
            images, truth = zip(*[_empty(size, rng) if rng.random() < NO_OBJECT_SHARE else
                                  self._sample(i, size, rng) for i in chosen])
            yield np.stack(images), np.stack(truth)

    def _sample(self, index, size, rng):
        view, fused = self.answers(index)
        boxes, kinds, complete = self.scenes.boxes(index, view.shape[0])
        if rng.random() < PASTED_SHARE:
            view, boxes, kinds, fused = paste.paste(view, boxes, kinds, fused,
                                                    self.scenes.cut_outs, rng)
        view, boxes, kinds, fused = cropped(view, boxes, kinds, fused, size, rng)
        truth = objects(fused, boxes / size, kinds, complete)
        if rng.random() < 0.5:
            view = np.ascontiguousarray(view[:, ::-1])
            truth[:, [0, 2]] = np.where(truth[:, 4:5] > 0, 1 - truth[:, [2, 0]], 0)
        view = augment.degrade(view, rng, 0.25)
        return augment.recolor(view, rng), truth


def _empty(size, rng):
    return empty.drawn(rng, size), np.zeros((MAX_OBJECTS, 6), np.float32)


def loss(model, images, truth):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    count = tf.shape(images)[0]
    logits = tf.concat([tf.reshape(o, (count, -1, 2)) for o in out[0::2]], 1)
    logarithms = tf.concat([tf.reshape(o, (count, -1, 4)) for o in out[1::2]], 1)
    centers, cells = grid(images.shape[1])
    logarithms -= tf.math.log(tf.constant(cells))[:, None]
    distances = tf.exp(tf.clip_by_value(logarithms, -7.0, 1.5))
    scores = tf.sigmoid(logits[..., 0])
    target_distances, objectness, prominent = assigned(truth, tf.stop_gradient(scores), tf.stop_gradient(distances),
                                       centers, cells)

    iou, gap = overlaps(distances, target_distances)
    log_error = tf.reduce_mean(tf.minimum(tf.abs(logarithms - tf.math.log(target_distances)), 2.0), -1)
    total = tf.reduce_sum(objectness) + 1
    boxes = tf.reduce_sum((1 - iou + gap + 0.2 * log_error) * objectness) / total
    target = tf.stack([objectness, prominent], -1)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits(target, logits)
    min_entropy = -(tf.math.xlogy(target, target) + tf.math.xlog1py(1 - target, -target))
    object_part, prominent_part = tf.unstack(tf.reduce_sum(entropy - min_entropy, (0, 1)) / total)
    kept = tf.reduce_sum(iou * objectness) / total
    parts = {"objects": object_part, "prominent": prominent_part, "boxes": boxes, "overlap": kept}
    return object_part + 0.5 * prominent_part + 1.5 * boxes, parts


class CurveWriter:
    """Scores the averaged weights on each set of images, and adds a line to curve.csv."""

    def __init__(self, data, cache, out, sources, size, width):
        self.images = Images(data, cache)
        self.sets = {"validation": validation(box_rows(data))}
        if rows := evaluation_rows(data, sources):
            self.sets["left out"] = rows
        self.size, self.network = size, object_networks.localizer(None, LEVELS, width)
        self.path = Path(out) / "curve.csv"
        self.predict = tf.function(lambda images: self.network(tf.cast(images, tf.float32) / 255))
        if not self.path.exists():
            names = ("prominent first", "capped recall@5", "AP50")
            names = ",".join(f"{name} {kept}" for kept in self.sets for name in names)
            self.path.write_text(f"step,views,CPU hours,{names}\n")

    def __call__(self, trainer):
        for variable, mean in zip(self.network.variables, trainer.averages):
            variable.assign(mean)
        scores = [score for rows in self.sets.values() for score in measures(self._found(rows))]
        step, seen, seconds = trainer.progress()
        scores = ",".join(f"{score:.4f}" for score in scores)
        with open(self.path, "a") as file:
            file.write(f"{step},{seen},{seconds / 3600:.3f},{scores}\n")

    def _found(self, rows):
        rows = [row for row in rows if row["file"] in self.images]
        for first in range(0, len(rows), 32):
            some = rows[first : first + 32]
            batch = [augment.resize(self.images[row["file"]], self.size) for row in some]
            outputs = [out.numpy() for out in self.predict(tf.constant(np.stack(batch)))]
            for i, row in enumerate(some):
                found = decode.objects([out[i] for out in outputs])
                yield row, *found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--further", required=True, help="folder of the further teachers")
    parser.add_argument("--leave-out", nargs="*", default=["late"], metavar="SOURCE",
                        help="sources and folders that the run is evaluated on; "
                        "late: the six sources that data/scenes.py lists")
    parser.add_argument("--until", type=int, default=21500, metavar="STEP",
                        help="the step from which these are also trained on")
    parser.add_argument("--grow", type=int, nargs=2, default=[5500, 19500], metavar="STEP",
                        help="the steps from which views are larger: alternating sides of {} pixels, then {}, "
                        "then {}".format(*[" and ".join(map(str, sizes)) for sizes in SIZES]))
    parser.add_argument("--fall", type=int, default=15000, metavar="STEP",
                        help="the step from which the learning rate is lower")
    parser.add_argument("--width", type=float, default=1.0, help="width of the network's layers")
    parser.add_argument("--teacher", help="a localizer that is the only teacher, instead of the four detectors")
    parser.add_argument("--no-masks", dest="masks", action="store_false", help="paste products only, which need no masks")
    parser.add_argument("--share", type=float, default=1.0, help="share of the images to train on")
    parser.add_argument("--size", type=int, default=SIZE, help="side of evaluated images in pixels")
    options = loop.options(parser, ends=[21500, 26000], batch=64, rate=3e-3)

    stages = [Scenes(options.data, options.cache, left_out, options.share, options.masks) for left_out in (options.leave_out, [])]
    fused = (Shipped(options.teacher) if options.teacher else
             Fused(options.data, options.cache, options.models, options.further))
    model = object_networks.localizer(None, LEVELS, options.width)
    deployed = object_networks.localizer(options.size, LEVELS, options.width)
    print(*[f"{len(scenes.samples)} images, {len(scenes.views)} views" for scenes in stages],
          f"{model.count_params():,} parameters",
          f"{object_networks.multiply_adds(deployed) / 1e6:.1f} M multiply-adds",
          sep=", ", flush=True)
    continues = False
    if options.init and not options.resume:
        weights = loop.averaged(options.init)
        continues = len(weights) == len(model.variables)
        if not continues:
            classifier = object_networks.classifier(None, width=options.width)
            for variable, value in zip(classifier.variables, weights, strict=True):
                variable.assign(value)
            print(f"{object_networks.copy_backbone(classifier, model)} arrays from the classifier", flush=True)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends, fall=options.fall)
    if options.resume:
        trainer.resume()
    elif continues:
        trainer.start(options.init)

    def size_at(step):
        return SIZES[sum(step >= first for first in options.grow)][step % 2]

    def batches(step):
        sizes = (size_at(step) for step in range(step, options.ends[-1] + 1))
        first, second = [Samples(scenes, FusedAnswers(scenes, options.cache, fused)).batches(
            sizes, options.batch, options.seed + step) for scenes in stages]
        return loop.chained(first, second, options.until - step)

    on_save = CurveWriter(options.data, options.cache, options.out, options.leave_out, options.size, options.width)
    trainer.run(batches(trainer.step), save=500, on_save=on_save)


if __name__ == "__main__":
    main()
