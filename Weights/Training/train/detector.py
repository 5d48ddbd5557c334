"""Trains the face detector.

    python -m train.detector --data DATA --cache CACHE --faces FACES --backgrounds LIST --out RUN

FACES is the output of `data/draw_faces.py scenes`. With `--negatives LIST`, scenes and object images are replaced
by images without people and their false faces (`train/hard_negatives.py`). Views are 192 pixels wide; from
step `--grow` on every second batch has 320: one network serves both input sizes. The target of a cell's score is the
overlap of its box.

RUN/curve.csv has, for both input sizes, the AP at an overlap of 0.3 for faces from 24 pixels, on the validation split
and on held-out sources. It also has the number of false faces with a score from 0.5 on held-out images without people.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import tensorflow as tf

from data import faces
from data.detector_views import FacelessImages, HardNegatives, RealImages, Scenes, augmented, cells, mosaic, target, view
from data.images import Images
from evaluate import decode_faces
from evaluate.face_scores import average_precision
from networks import face_networks
from networks.face_networks import ACCURATE, FAST
from train import loop

SHARES = {"drawn": 0.4, "real": 0.37, "scenes": 0.11, "things": 0.12}
SHARES_MINED = {"drawn": 0.38, "real": 0.35, "negatives": 0.27}
MOSAIC_SHARE = 0.4  # share of views that are mosaics
CURVE_STEPS = 1000  # between lines of the curve; a line takes half a minute


class Samples:
    def __init__(self, sources, shares, folder):
        self.sources, self.shares, self.folder = sources, shares, folder

    def batches(self, plan, seed):
        """`plan`: the size and count of each batch."""
        rng = np.random.default_rng(seed)
        names, probabilities = list(self.shares), list(self.shares.values())
        for number, (size, count) in enumerate(plan):
            if number % 500 == 499:
                self.sources["drawn"] = Scenes(self.folder)
            grid, samples = cells(size), []
            for _ in range(count):
                four = rng.random() < MOSAIC_SHARE
                chosen = [self.sources[name] for name in rng.choice(names, 4 if four else 1, p=probabilities)]
                samples_ = [source[rng.integers(len(source))] for source in chosen]
                image, labels = mosaic(samples_, size, rng) if four else view(*samples_[0], size, rng)
                samples.append((augmented(image, rng), *target(labels, size, grid)))
            yield tuple(np.stack(part) for part in zip(*samples))


def loss(model, images, kind, boxes, six, confidence):
    out = model(tf.cast(images, tf.float32) / 255, training=True)
    count = tf.shape(images)[0]
    centers, _, sizes = [tf.constant(part) for part in cells(images.shape[1])]
    logits = tf.concat([tf.reshape(o, (count, -1)) for o in out[0::2]], 1)
    numbers = tf.concat([tf.reshape(o, (count, -1, 16)) for o in out[1::2]], 1)
    level_sizes = sizes[:, None]
    middle = centers + level_sizes * numbers[..., :2]
    sides = level_sizes * tf.exp(tf.clip_by_value(numbers[..., 2:4], -3.0, 3.0))

    # Generalized intersection over union.
    low, high = middle - sides / 2, middle + sides / 2
    true_low, true_high = boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2
    area = lambda a, b: tf.reduce_prod(tf.maximum(b - a, 0.0), -1)
    both = area(tf.maximum(low, true_low), tf.minimum(high, true_high))
    union = area(low, high) + area(true_low, true_high) - both
    hull = area(tf.minimum(low, true_low), tf.maximum(high, true_high))
    iou = both / union
    face = tf.cast(kind == 1, tf.float32)
    faces_ = tf.reduce_sum(face) + 1.0
    weights = face * confidence[..., 0]
    l1 = tf.abs(middle - boxes[..., :2]) / boxes[..., 2:] + tf.abs(tf.math.log(sides / boxes[..., 2:]))
    box = 1 - iou + (hull - union) / hull + 0.3 * tf.reduce_sum(tf.minimum(l1, 2.0), -1)
    box = tf.reduce_sum(box * weights) / (tf.reduce_sum(weights) + 1.0)

    large = tf.sqrt(boxes[..., 2] * boxes[..., 3])[..., None]
    predicted_points = tf.reshape(tf.tile(centers, [1, 6]), (-1, 12)) + level_sizes * numbers[..., 4:]
    weights = face * confidence[..., 1]
    points = tf.reduce_mean(tf.minimum(tf.abs(predicted_points - six) / large, 1.0), -1)
    points = tf.reduce_sum(points * weights) / (tf.reduce_sum(weights) + 1.0)

    target_score = face * tf.maximum(tf.stop_gradient(iou), 0.35)
    focal_weight = tf.square(tf.abs(target_score - tf.sigmoid(logits)))
    entropy = tf.nn.sigmoid_cross_entropy_with_logits(target_score, logits) * focal_weight
    score = tf.reduce_sum(tf.where(kind < 0, 0.0, entropy)) / faces_
    kept = tf.reduce_sum(iou * face) / faces_
    return 3 * score + box + 8 * points, {"score": score, "box": box, "points": points, "overlap": kept}


class CurveWriter:
    def __init__(self, data, images, empty, out):
        self.path, self.images = Path(out) / "curve.csv", images
        self.networks = {size: face_networks.detector(size) for size in (FAST, ACCURATE)}
        self.predict = {size: tf.function(lambda batch, network=network: network(batch))
                    for size, network in self.networks.items()}
        rows = faces.annotated(data)
        self.sets = {name: [row for row in rows if faces.evaluation_set(row) == name]
                     for name in ("validation", "held out")}
        self.empty = empty
        if not self.path.exists():
            columns = [f"{name} {size}" for size in self.networks for name in [*self.sets, "false faces"]]
            self.path.write_text(",".join(["step,views,CPU hours", *columns]) + "\n")

    def __call__(self, trainer):
        if trainer.step % CURVE_STEPS:
            return
        step, seen, seconds = trainer.progress()
        scores = [str(step), str(seen), f"{seconds / 3600:.3f}"]
        for size, network in self.networks.items():
            for variable, mean in zip(network.variables, trainer.averages, strict=True):
                variable.assign(mean)
            for rows in self.sets.values():
                found = [self.found(row["file"], size) for row in rows]
                scores.append(f"{average_precision(rows, found):.4f}")
            wrong = [self.found(file, size)[0] for file in self.empty]
            scores.append(str(sum((s >= 0.5).sum() for s in wrong)))
        with open(self.path, "a") as file:
            file.write(",".join(scores) + "\n")

    def found(self, file, size):
        """Scores and boxes, x0 y0 x1 y1 in pixels of the image."""
        def network(image):
            outputs = self.predict[size](tf.constant(image[None].astype(np.float32) / 255))
            return [o.numpy()[0] for o in outputs]

        return decode_faces.faces(network, self.images[file], size, LOW_THRESHOLD)[:2]


LOW_THRESHOLD = decode_faces.Parameters(least_score=0.05)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faces", required=True, type=Path, help="folder of drawn scenes")
    parser.add_argument("--backgrounds", required=True, help="names of scenes without people")
    parser.add_argument("--grow", type=int, default=8000, metavar="STEP",
                        help="step from which every second batch has the larger size")
    parser.add_argument("--negatives", help="output of train/hard_negatives.py")
    options = loop.options(parser, ends=[12000, 40000], batch=32, rate=2e-3)

    images = faces.images(options.data, options.cache)
    sources = {
        "drawn": Scenes(options.faces),
        "real": RealImages(options.data, images, faces.trainable),
        "scenes": FacelessImages(images, faces.without_people(options.data, options.backgrounds)),
        "things": FacelessImages(faces.object_images(options.data, options.cache), faces.object_files(options.data)),
    }
    shares = SHARES
    if options.negatives:
        shares = SHARES_MINED
        sources["negatives"] = HardNegatives(
            Images(options.data, options.cache), json.loads(Path(options.negatives).read_text()))
    model = face_networks.detector(None)
    print({name: len(source) for name, source in sources.items()}, flush=True)
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends)
    trainer.restore(options)

    def plan():
        for step in range(trainer.step, options.ends[-1] + 1):
            large = step >= options.grow and step % 2
            yield (ACCURATE, options.batch * FAST ** 2 // ACCURATE ** 2) if large else (FAST, options.batch)

    batches = Samples(sources, shares, options.faces).batches(plan(), options.seed + trainer.step)
    on_save = CurveWriter(options.data, images,
                  faces.without_people(options.data, options.backgrounds, held_out=True), options.out)
    trainer.run(batches, save=500, on_save=on_save)


if __name__ == "__main__":
    main()
