"""Trains the network of the face's mesh.

    python -m train.mesh --data DATA --cache CACHE --faces FACES --backgrounds LIST --out RUN

FACES is the output of `data/draw_faces.py crops`; parts that appear during the run are used from then on. Its
`canonical.npy` is MediaPipe's canonical face. Drawn heads have exact labels, large rotations and closed eyes; real
faces, with the teacher's meshes, add realism. The loss is the weighted sum of the distances of the points in sides of the
crop, the error of the depths, and the cross entropy of presence. Points of contours count twice.

RUN/curve.csv: the mean distance of the 468 points over the distance of the eyes in space, for the averaged weights.
It is measured on drawn heads that are not trained on, on the validation split and on held-out sources.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from data import faces
from data.face_geometry import CONTOURS, LEFT_EYE, RIGHT_EYE, Crop, anchors, box, euler, mirrored, reference
from data.mesh_views import HELD_OUT_HEADS, Drawings, RealFaces, Views, jittered
from networks import face_networks, object_networks
from networks.face_networks import MESH, UNIT
from train import loop

NO_FACE_SHARE = 0.12  # share of crops without a face


class Samples:
    def __init__(self, views, folder, real):
        self.views, self.folder, self.real = views, folder, real

    def batches(self, count, seed):
        rng, made = np.random.default_rng(seed), 0
        while True:
            if made % 500 == 499:
                self.views.drawings = Drawings(self.folder)
            made += 1
            images = np.empty((count, MESH, MESH, 3), np.uint8)
            points, depths = np.zeros((count, 468, 2), np.float32), np.zeros((count, 468), np.float32)
            weights, present = np.zeros((count, 468), np.float32), np.zeros(count, np.float32)
            for i in range(count):
                if rng.random() < NO_FACE_SHARE:
                    images[i] = self.views.without_face(rng)
                    continue
                present[i] = 1
                images[i], points[i], depths[i], weights[i] = self.views.face(rng, rng.random() < self.real)
            yield images, points, depths, weights, present


def contour_weights():
    """Weights of the points: 2 for those of ML Kit's contours, 1 for others, normalized to a mean of 1."""
    weights = np.ones(468, np.float32)
    weights[CONTOURS] = 2
    return weights / weights.mean()


def make_loss(front):
    """The loss, given the reference face [468, 3], float32."""
    constants = contour_weights(), front

    def loss(out, points, depths, weights, present):
        offsets, z, logit = out
        point_weights, face = [torch.as_tensor(array, device=points.device) for array in constants]
        weights = weights * point_weights
        total = weights.sum() + 1
        difference = points - face[:, :2] - UNIT * offsets.view(-1, 468, 2)
        # Linear for large errors, smooth under half a pixel.
        point_error = (difference.square().sum(-1) + 0.004 ** 2).sqrt() - 0.004
        depth_error = (depths - face[:, 2] - UNIT * z).abs()
        point_error = (point_error * weights).sum() / total
        depth_error = (depth_error * weights).sum() / total
        presence = F.binary_cross_entropy_with_logits(logit[:, 0], present)
        parts = {"points": 100 * point_error, "depths": 100 * depth_error, "present": presence}
        return 50 * point_error + 15 * depth_error + presence, parts

    return loss


class Evaluator:
    """Measures a network on fixed, slightly jittered crops of one set of faces."""

    def __init__(self, name, samples, canonical):
        self.name, self.canonical, self.front = name, canonical, reference(canonical)
        rng, self.images, self.meshes = np.random.default_rng(0), [], []
        for image, mesh, _ in samples:
            crop = jittered(Crop.of(box(mesh), anchors(mesh)), rng, 0.5)
            self.images.append(crop.cut(image, MESH))
            self.meshes.append(crop.to_crop(mesh))

    def __call__(self, predict):
        """Mean error of the points over the eyes' distance, and of Euler angles if |Y| <= 45."""
        errors, angle_errors = [], []
        for first in range(0, len(self.images), 64):
            images = np.stack(self.images[first : first + 64])
            predicted = UNIT * predict(images)[0].reshape(-1, 468, 2) + self.front[:, :2]
            for mesh, points in zip(self.meshes[first : first + 64], predicted):
                eye_vector = mesh[RIGHT_EYE].mean(0) - mesh[LEFT_EYE].mean(0)
                errors.append(np.hypot(*(points - mesh[:, :2]).T).mean() / np.linalg.norm(eye_vector))
                angles = euler(mesh, self.canonical)
                if abs(angles[1]) <= 45:
                    angle_errors.append(np.abs(euler(points, self.canonical) - angles))
        return [np.mean(errors), *np.mean(angle_errors, 0)]


class CurveWriter:
    def __init__(self, evaluators, out):
        self.evaluators, self.path = evaluators, Path(out) / "curve.csv"
        if not self.path.exists():
            columns = [f"{judge.name} {what}" for judge in evaluators for what in ["points", "X", "Y", "Z"]]
            self.path.write_text(",".join(["step,crops,CPU hours", *columns]) + "\n")

    def __call__(self, trainer):
        step, seen, seconds = trainer.progress()
        scores = [f"{score:.4f}" for judge in self.evaluators for score in judge(trainer.predict)]
        with open(self.path, "a") as file:
            file.write(",".join([str(step), str(seen), f"{seconds / 3600:.3f}", *scores]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faces", required=True, type=Path, help="folder of drawn heads")
    parser.add_argument("--backgrounds", required=True, help="names of scenes without people")
    parser.add_argument("--real", type=float, default=0.35, help="share of real faces")
    options = loop.options(parser, ends=[10000, 40000], batch=64, rate=1.5e-3)

    canonical = np.load(options.faces / "canonical.npy")
    images = faces.images(options.data, options.cache)
    drawings = Drawings(options.faces)
    real = RealFaces(options.data, images, faces.trainable)
    scenes = faces.without_people(options.data, options.backgrounds)
    evaluators = [Evaluator("drawn", [drawings[i] for i in range(HELD_OUT_HEADS)], canonical)]
    for name in ("validation", "held out"):
        known = RealFaces(options.data, images, lambda row, name=name: faces.evaluation_set(row) == name)
        evaluators.append(Evaluator(name, [known[i] for i in range(len(known))], canonical))

    model = face_networks.mesh()
    print(f"{len(drawings)} drawn heads, {len(real)} real faces, "
          f"{object_networks.multiply_adds(model) / 1e6:.1f} M multiply-adds", flush=True)
    # One dimension, so that it is packed as it is.
    trainer = loop.Trainer(model, make_loss(reference(canonical)), options.out, options.rate, options.ends,
                           [canonical.astype(np.float32).ravel()], device=options.device)
    trainer.restore(options)
    views = Views(drawings, real, scenes, images, mirrored(canonical))
    batches = Samples(views, options.faces, options.real).batches(options.batch, options.seed + trainer.step)
    trainer.run(batches, save=options.save, on_save=CurveWriter(evaluators, options.out))


if __name__ == "__main__":
    main()
