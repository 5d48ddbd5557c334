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
import torch
import torch.nn.functional as F

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


def loss(out, kind, boxes, six, confidence):
    centers, _, sizes = [torch.as_tensor(part, device=kind.device) for part in cells(8 * out[0].shape[1])]
    logits = torch.cat([o.flatten(1) for o in out[0::2]], 1)
    numbers = torch.cat([o.flatten(1, 2) for o in out[1::2]], 1)
    level_sizes = sizes[:, None]
    middle = centers + level_sizes * numbers[..., :2]
    sides = level_sizes * numbers[..., 2:4].clamp(-3.0, 3.0).exp()

    # Generalized intersection over union.
    low, high = middle - sides / 2, middle + sides / 2
    true_low, true_high = boxes[..., :2] - boxes[..., 2:] / 2, boxes[..., :2] + boxes[..., 2:] / 2
    area = lambda a, b: (b - a).clamp(min=0.0).prod(-1)
    both = area(torch.maximum(low, true_low), torch.minimum(high, true_high))
    union = area(low, high) + area(true_low, true_high) - both
    hull = area(torch.minimum(low, true_low), torch.maximum(high, true_high))
    iou = both / union
    face = (kind == 1).float()
    faces_ = face.sum() + 1
    weights = face * confidence[..., 0]
    l1 = (middle - boxes[..., :2]).abs() / boxes[..., 2:] + (sides / boxes[..., 2:]).log().abs()
    box = 1 - iou + (hull - union) / hull + 0.3 * l1.clamp(max=2.0).sum(-1)
    box = (box * weights).sum() / (weights.sum() + 1)

    large = (boxes[..., 2] * boxes[..., 3]).sqrt()[..., None]
    predicted_points = centers.repeat(1, 6) + level_sizes * numbers[..., 4:]
    weights = face * confidence[..., 1]
    points = ((predicted_points - six).abs() / large).clamp(max=1.0).mean(-1)
    points = (points * weights).sum() / (weights.sum() + 1)

    target_score = face * iou.detach().clamp(min=0.35)
    focal_weight = (target_score - logits.sigmoid()).square()
    entropy = F.binary_cross_entropy_with_logits(logits, target_score, reduction="none") * focal_weight
    score = torch.where(kind < 0, 0, entropy).sum() / faces_
    kept = (iou * face).sum() / faces_
    return 3 * score + box + 8 * points, {"score": score, "box": box, "points": points, "overlap": kept}


class CurveWriter:
    def __init__(self, data, images, empty, out):
        self.path, self.images = Path(out) / "curve.csv", images
        rows = faces.annotated(data)
        self.sets = {name: [row for row in rows if faces.evaluation_set(row) == name]
                     for name in ("validation", "held out")}
        self.empty = empty
        if not self.path.exists():
            columns = [f"{name} {size}" for size in (FAST, ACCURATE) for name in [*self.sets, "false faces"]]
            self.path.write_text(",".join(["step,views,CPU hours", *columns]) + "\n")

    def __call__(self, trainer):
        if trainer.step % CURVE_STEPS:
            return
        step, seen, seconds = trainer.progress()
        scores = [str(step), str(seen), f"{seconds / 3600:.3f}"]
        for size in (FAST, ACCURATE):
            for rows in self.sets.values():
                found = [self.found(trainer, row["file"], size) for row in rows]
                scores.append(f"{average_precision(rows, found):.4f}")
            wrong = [self.found(trainer, file, size)[0] for file in self.empty]
            scores.append(str(sum((s >= 0.5).sum() for s in wrong)))
        with open(self.path, "a") as file:
            file.write(",".join(scores) + "\n")

    def found(self, trainer, file, size):
        """Scores and boxes, x0 y0 x1 y1 in pixels of the image."""
        network = lambda image: [o[0] for o in trainer.predict(image[None])]
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
    trainer = loop.Trainer(model, loss, options.out, options.rate, options.ends, device=options.device)
    trainer.restore(options)

    def plan():
        for step in range(trainer.step, options.ends[-1] + 1):
            large = step >= options.grow and step % 2
            yield (ACCURATE, options.batch * FAST ** 2 // ACCURATE ** 2) if large else (FAST, options.batch)

    batches = Samples(sources, shares, options.faces).batches(plan(), options.seed + trainer.step)
    on_save = CurveWriter(options.data, images,
                  faces.without_people(options.data, options.backgrounds, held_out=True), options.out)
    trainer.run(batches, save=options.save, on_save=on_save)


if __name__ == "__main__":
    main()
