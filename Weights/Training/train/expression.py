"""Trains the network of open eyes, or of smiles.

    python -m train.expression eyes  --data DATA --cache CACHE --faces FACES --out RUN
    python -m train.expression smile --data DATA --cache CACHE --faces FACES --out RUN

RUN/curve.csv: area under the curve, and calibration error before export, on the labeled
crops of the validation split.
"""

import argparse
from pathlib import Path

import numpy as np
import torch.nn.functional as F

from data import augment, faces
from data.expression_views import Views
from networks import face_networks
from train import loop

SIZES = {"eyes": face_networks.EYE, "smile": face_networks.SMILE}


def batches(views, count, seed):
    rng = np.random.default_rng(seed)
    while True:
        images, truth = zip(*(views(rng) for _ in range(count)))
        yield np.stack(images), np.array(truth, np.float32)


def loss(out, truth):
    entropy = F.binary_cross_entropy_with_logits(out[:, 0], truth)
    return entropy, {"entropy": entropy}


def labeled(data, kind, split):
    """The files and labels of labeled crops."""
    rows = [row for row in faces.labels(data, kind) if row["split"] == split]
    known = "open" if kind == "eyes" else "smiling"
    return [row["file"] for row in rows], np.array([int(row[known]) for row in rows])


def crop(image, size):
    """A labeled crop as the network's input: its middle square."""
    height, width = image.shape[:2]
    side = min(height, width)
    y, x = (height - side) // 2, (width - side) // 2
    return augment.resize(image[y : y + side, x : x + side], size)


def area_under_curve(predicted, truth):
    order = predicted[truth == 1][:, None] - predicted[truth == 0][None]
    return float((order > 0).mean() + (order == 0).mean() / 2)


def calibration_error(predicted, truth, bins=10):
    """The mean distance of probability and frequency over bins of equal width."""
    place = np.minimum((predicted * bins).astype(int), bins - 1)
    return sum(abs(predicted[place == b].sum() - truth[place == b].sum()) for b in range(bins)) / len(predicted)


class CurveWriter:
    def __init__(self, kind, data, images, out):
        files, self.truth = labeled(data, kind, "val")
        self.images = np.stack([crop(images[file], SIZES[kind]) for file in files])
        self.path = Path(out) / "curve.csv"
        if not self.path.exists():
            self.path.write_text("step,crops,CPU hours,area under curve,calibration error\n")

    def __call__(self, trainer):
        predicted = 1 / (1 + np.exp(-trainer.predict(self.images)[:, 0]))
        step, seen, seconds = trainer.progress()
        with open(self.path, "a") as file:
            file.write(f"{step},{seen},{seconds / 3600:.3f},{area_under_curve(predicted, self.truth):.4f},"
                       f"{calibration_error(predicted, self.truth):.4f}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=list(SIZES))
    parser.add_argument("--faces", required=True, type=Path, help="folder of drawn heads")
    options = loop.options(parser, ends=[6000], batch=128, rate=2e-3)

    images = faces.images(options.data, options.cache)
    views = Views(options.kind, SIZES[options.kind], options.data, images, options.faces)
    print(f"{sum(map(len, views.labeled))} labeled crops, {len(views.drawn)} drawn heads, "
          f"{len(views.large)} real faces", flush=True)
    model = face_networks.expression(SIZES[options.kind])
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends, device=options.device)
    trainer.restore(options)
    trainer.run(batches(views, options.batch, options.seed + trainer.step), save=options.save,
                on_save=CurveWriter(options.kind, options.data, images, options.out))


if __name__ == "__main__":
    main()
