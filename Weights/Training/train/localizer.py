"""Trains the localizer of salient objects.

    python -m train.localizer --data DATA --cache CACHE --out RUN --init WEIGHTS

Four fused detectors (`teachers/views.py`) provide the boxes of objects in each view and the most prominent object.
Annotated boxes override them. The backbone is initialized from the trained classifier's.

During training the run is evaluated on the validation split and on the sources of `--leave-out`, which are not
trained on until the step `--until`. The scores are in RUN/curve.csv.
"""

import argparse
from functools import cache

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from data import augment, empty, paste
from data.answers import ViewAnswers
from data.images import Images, box_rows
from data.scenes import Scenes, cropped, evaluation_rows, named
from data.targets import LANDSCAPE, LEVELS, MAX_OBJECTS, SHAPES, assigned, grid, objects, overlaps, shape
from evaluate import decode
from evaluate.measures import measures, validation
from networks import object_networks
from networks.object_networks import NANO_SIZE, NANO_WIDTH
from train import loop

NO_OBJECT_SHARE = 0.06  # share of samples without an object
SMALL = (128, 128)  # width and height of views in pixels, in the first stage
PASTED_SHARE = 0.4  # share of views with pasted objects


class Samples:
    """Batches of views with the objects in them."""

    def __init__(self, scenes, cut_outs, answers, count, seed, empty_share=NO_OBJECT_SHARE):
        self.scenes, self.cut_outs, self.answers, self.count, self.seed = scenes, cut_outs, answers, count, seed
        self.empty_share = empty_share
        answered = scenes.probabilities * [index in answers for index in range(len(scenes.views))]
        self.probabilities = {size: self._probabilities(answered, size) for size in [SMALL, *SHAPES]}

    def _probabilities(self, answered, size):
        """Those of the views for an input of this size; square inputs get all."""
        fits = np.array([size[0] == size[1] or size == shape for shape in self.scenes.shapes])
        return answered * fits / (answered @ fits)

    def batch(self, step, size):
        """The views of a step, of this width and height, and their objects."""
        rng = np.random.default_rng([self.seed, step])
        chosen = rng.choice(len(self.scenes.views), self.count, p=self.probabilities[size])
        images, truth = zip(*[_empty(max(size), rng) if rng.random() < self.empty_share else
                              self._sample(i, max(size), rng) for i in chosen])
        if size[0] != size[1]:
            images = [cv2.resize(image, size, interpolation=cv2.INTER_AREA) for image in images]
        return np.stack(images), np.stack(truth)

    def _sample(self, index, size, rng):
        view, fused = self.answers[index]
        boxes, kinds, complete = self.scenes.boxes(index, view.shape[0])
        if rng.random() < PASTED_SHARE:
            view, boxes, kinds, fused = paste.paste(view, boxes, kinds, fused, self.cut_outs, rng)
        view, boxes, kinds, fused = cropped(view, boxes, kinds, fused, size, rng)
        truth = objects(fused, boxes / size, kinds, complete)
        if rng.random() < 0.5:
            view = np.ascontiguousarray(view[:, ::-1])
            truth[:, [0, 2]] = np.where(truth[:, 4:5] > 0, 1 - truth[:, [2, 0]], 0)
        view = augment.degrade(view, rng, 0.25)
        return augment.recolor(view, rng), truth


def _empty(size, rng):
    return empty.drawn(rng, size), np.zeros((MAX_OBJECTS, 6), np.float32)


@cache
def _cells(width, height, device):
    return [torch.as_tensor(part, device=device) for part in grid(width, height)]


def loss(out, truth):
    logits = torch.cat([o.flatten(1, 2) for o in out[0::2]], 1)
    logarithms = torch.cat([o.flatten(1, 2) for o in out[1::2]], 1)
    height, width = out[0].shape[1:3]
    centers, cells = _cells(8 * width, 8 * height, truth.device)
    logarithms = logarithms - cells.log().repeat(1, 2)
    distances = logarithms.clamp(-7.0, 1.5).exp()
    scores = logits[..., 0].sigmoid()
    target_distances, objectness, prominent = assigned(truth, scores.detach(), distances.detach(), centers, cells)

    iou, gap = overlaps(distances, target_distances)
    log_error = (logarithms - target_distances.log()).abs().clamp(max=2.0).mean(-1)
    total = objectness.sum() + 1
    boxes = ((1 - iou + gap + 0.2 * log_error) * objectness).sum() / total
    target = torch.stack([objectness, prominent], -1)
    entropy = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    min_entropy = -(target.xlogy(target) + torch.special.xlog1py(1 - target, -target))
    object_part, prominent_part = (entropy - min_entropy).sum((0, 1)) / total
    kept = (iou * objectness).sum() / total
    parts = {"objects": object_part, "prominent": prominent_part, "boxes": boxes, "overlap": kept}
    return object_part + 0.5 * prominent_part + 1.5 * boxes, parts


class CurveWriter:
    """Scores the averaged weights on each set of images, and adds a line to RUN/curve.csv."""

    def __init__(self, data, cache, sources):
        self.images = Images(data, cache)
        self.sets = {"validation": validation(box_rows(data))}
        if rows := evaluation_rows(data, sources):
            self.sets["left out"] = rows

    def __call__(self, trainer):
        path = trainer.out / "curve.csv"
        if not path.exists():
            names = ("prominent first", "capped recall@5", "AP50")
            names = ",".join(f"{name} {kept}" for kept in self.sets for name in names)
            path.write_text(f"step,views,CPU hours,{names}\n")
        scores = [score for rows in self.sets.values() for score in measures(self._found(trainer, rows))]
        step, seen, seconds = trainer.progress()
        scores = ",".join(f"{score:.4f}" for score in scores)
        with open(path, "a") as file:
            file.write(f"{step},{seen},{seconds / 3600:.3f},{scores}\n")

    def _found(self, trainer, rows):
        rows = [row for row in rows if row["file"] in self.images]
        for size in [(trainer.size, trainer.size)] if trainer.size else SHAPES:
            same = [row for row in rows if trainer.size or shape(row["width"], row["height"]) == size]
            for first in range(0, len(same), 32):
                some = same[first : first + 32]
                outputs = trainer.predict(np.stack([augment.resize(self.images[row["file"]], size) for row in some]))
                for i, row in enumerate(some):
                    yield row, *decode.objects([out[i] for out in outputs])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leave-out", nargs="*", default=["late"], metavar="SOURCE",
                        help="sources and folders that the run is evaluated on; "
                        "late: the six sources that data/scenes.py lists")
    parser.add_argument("--until", type=int, default=21500, metavar="STEP",
                        help="the step from which these are also trained on")
    parser.add_argument("--grow", type=int, default=5500, metavar="STEP",
                        help="the step from which views have the three sizes of the network's input, in turn, instead "
                        "of {} x {}".format(*SMALL))
    parser.add_argument("--fall", type=int, nargs=2, default=[15000, 21500], metavar="STEP",
                        help="the steps between which the learning rate falls")
    parser.add_argument("--teacher", default="views", help="whose answers of the cache are the targets: views, of the "
                        "four detectors, or shipped_views, of a localizer")
    parser.add_argument("--no-masks", dest="masks", action="store_false", help="paste products only, which need no masks")
    parser.add_argument("--nano", metavar="RUN", help="also train the nano network, on the same views")
    parser.add_argument("--nano-init", metavar="RUN", help="as --init, for the nano network")
    parser.add_argument("--share", type=float, default=1.0, help="share of the images to train on")
    parser.add_argument("--workers", type=int, default=1, help="processes that prepare batches")
    options = loop.options(parser, ends=[21500, 26000], batch=64, rate=3e-3)

    stages = [Scenes(options.data, options.cache, left_out, options.share) for left_out in (options.leave_out, [])]
    cut_outs = [paste.cut_outs(options.data, options.cache, scenes.images, left_out, options.masks)
                for scenes, left_out in zip(stages, (named(options.leave_out), set()))]

    def trainer(out, init, width=1.0, size=None):
        model = object_networks.localizer(None, LEVELS, width)
        deployed = object_networks.localizer((size, size) if size else LANDSCAPE, LEVELS, width)
        print(*[f"{len(scenes.samples)} images, {len(scenes.views)} views" for scenes in stages],
              f"{model.count_params():,} parameters",
              f"{object_networks.multiply_adds(deployed) / 1e6:.1f} M multiply-adds", sep=", ", flush=True)
        weights = loop.averaged(init) if init and not options.resume else None
        continues = weights is not None and len(weights) == len(model.variables)
        if weights is not None and not continues:
            classifier = object_networks.classifier(None, width=width)
            for variable, value in zip(classifier.variables, weights, strict=True):
                variable.assign(value)
            print(f"{object_networks.copy_layers(classifier, model)} arrays from the classifier", flush=True)
        result = loop.Trainer(model, loss, out, options.rate, options.ends, fall=options.fall,
                              device=options.device, size=size)
        if options.resume:
            result.resume()
        elif continues:
            result.start(init)
        return result

    trainers = [trainer(options.out, options.init)]
    if options.nano:
        trainers.append(trainer(options.nano, options.nano_init, NANO_WIDTH, NANO_SIZE))
    samples = [Samples(scenes, objects, ViewAnswers(scenes.keys(), options.cache, options.teacher), options.batch, options.seed)
               for scenes, objects in zip(stages, cut_outs)]

    def batch(step):
        size = SHAPES[step % len(SHAPES)] if step >= options.grow else SMALL
        return samples[step >= options.until].batch(step, size)

    batches = loop.loaded(batch, range(trainers[0].step, options.ends[-1] + 1), options)
    loop.run(trainers, batches, 50, options.save,
             CurveWriter(options.data, options.cache, options.leave_out))


if __name__ == "__main__":
    main()
