"""Training views of the networks of open eyes and of smiles.

Both crops have the rotation of the face's crop and are placed by the mesh (`eye_crop`, `smile_crop`). A
right eye is mirrored, so the network sees left eyes only. Targets are 0...1: the label of a photograph,
the closure of drawn lids or the degree of a drawn smile, or the teacher's blendshapes.
"""

import cv2
import numpy as np

from data import augment, faces
from data.face_geometry import LEFT_EYE, RIGHT_EYE, Crop, anchors
from data.mesh_views import HELD_OUT_HEADS, Drawings, RealFaces, placed

EYE_SIDE, SMILE_SIDE = 0.2, 0.6  # in sides of the face's crop
BLINK, SMILE = [9, 10], [44, 45]  # blendshapes, left and right
MIN_SIZE = 60.0  # of the longer side of a real face's box, pixels
MAX_YAW = 40.0  # of drawn heads, degrees


def eye_crop(mesh, face, left):
    """The crop of an eye of a mesh [468, 2] in the image, given the face's crop."""
    return Crop(mesh[LEFT_EYE if left else RIGHT_EYE, :2].mean(0), EYE_SIDE * face.side, face.angle)


def smile_crop(mesh, face):
    """The crop from above the eyes to the chin."""
    right, left, mouth = anchors(mesh)
    return Crop((right + left) / 4 + mouth / 2, SMILE_SIDE * face.side, face.angle)


def _ramp(value, low, high):
    return float(np.clip((value - low) / (high - low), 0, 1))


class Views:
    """Random crops of `kind` "eyes" or "smile": labeled photographs, drawn heads, real faces."""

    def __init__(self, kind, size, data, images, folder):
        self.kind, self.size, self.images = kind, size, images
        rows = [row for row in faces.labels(data, kind)
                if row["use"] == "training" and row["split"] == "train" and row["licence_class"] != "noncommercial"]
        known = "open" if kind == "eyes" else "smiling"
        self.labeled = [[row for row in rows if row[known] == value] for value in "01"]
        self.known = known
        self.drawings, self.real = Drawings(folder), RealFaces(data, images, faces.trainable)
        self.blendshapes = faces.blendshapes(data)
        self.large = [i for i, (_, face) in enumerate(self.real.faces) if max(face["box"][2:]) >= MIN_SIZE]
        drawn = self.drawings.drawn
        frontal = np.abs(drawn.label("euler")[:, 1]) <= MAX_YAW
        visible = np.unpackbits(drawn.label("visible"), axis=1)
        seen = visible[:, LEFT_EYE].mean(1), visible[:, RIGHT_EYE].mean(1)
        bare = ~drawn.label("sunglasses") & (np.minimum(*seen) > 0.7)
        usable = bare if kind == "eyes" else drawn.label("covered") < 0.5
        self.drawn = np.flatnonzero(frontal & usable)
        self.drawn = self.drawn[self.drawn >= HELD_OUT_HEADS]
        self.closure, self.smiles = drawn.label("closure"), drawn.label("smile")

    def __call__(self, rng):
        """A crop and its target."""
        chance = rng.random()
        if chance < 0.5:
            image, truth = self._photograph(rng)
        elif chance < 0.8:
            i = self.drawn[rng.integers(len(self.drawn))]
            image, truth = self._placed(*self.drawings[i][:2], rng, *self._drawn_targets(i))
        else:
            i = self.large[rng.integers(len(self.large))]
            blendshapes = self.blendshapes[self.real.faces[i][1]["teacher"]["m"]]
            image, truth = self._placed(*self.real[i][:2], rng, *self._teacher_targets(blendshapes))
        if rng.random() < 0.4:
            image = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        if rng.random() < 0.3:
            small = int(rng.integers(self.size // 4, self.size))
            image = cv2.resize(cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA),
                               (self.size, self.size))
        return augment.recolor(image, rng), truth

    def _photograph(self, rng):
        rows = self.labeled[rng.integers(2)]
        row = rows[rng.integers(len(rows))]
        image = self.images[row["file"]]
        height, width = image.shape[:2]
        crop = Crop([width / 2, height / 2], min(width, height), 0)
        pixels = self._jittered(crop, rng).cut(image, self.size)
        return self._maybe_mirrored(pixels, rng), 0.03 + 0.94 * int(row[self.known])

    def _jittered(self, crop, rng):
        shift = rng.normal(0, 0.05, 2) * crop.side
        return Crop(crop.center + shift, crop.side * np.exp(rng.normal(0.05, 0.12)),
                    crop.angle + rng.normal(0, 0.12))

    def _maybe_mirrored(self, image, rng):
        return np.ascontiguousarray(image[:, ::-1]) if rng.random() < 0.5 else image

    def _placed(self, image, mesh, rng, left, right):
        """A crop of a mesh. `left`, `right`: targets of the eyes, or twice that of the smile."""
        face = placed(mesh, rng)
        if self.kind == "smile":
            pixels = self._jittered(smile_crop(mesh, face), rng).cut(image, self.size)
            return self._maybe_mirrored(pixels, rng), left
        chosen = rng.random() < 0.5
        pixels = self._jittered(eye_crop(mesh, face, chosen), rng).cut(image, self.size)
        return (pixels, left) if chosen else (np.ascontiguousarray(pixels[:, ::-1]), right)

    def _drawn_targets(self, i):
        if self.kind == "smile":
            return [_ramp(self.smiles[i], 0.15, 0.45)] * 2
        return [1 - _ramp(closed, 0.45, 0.85) for closed in self.closure[i]]

    def _teacher_targets(self, blendshapes):
        if self.kind == "smile":
            return [_ramp(blendshapes[SMILE].mean(), 0.2, 0.6)] * 2
        return [1 - _ramp(closed, 0.35, 0.65) for closed in blendshapes[BLINK]]
