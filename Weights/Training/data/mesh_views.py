"""Training views of the mesh network: rotated crops of drawn heads, of real faces, or without a face.

A crop is placed as by the detector or by the mesh of the previous frame, then jittered. A target is x, y
[468, 2] and z [468] in sides of the crop, a weight for each point, and whether there is a face.
"""

import numpy as np

from data import augment, faces
from data.draw_faces import SUBPIXELS, Drawn
from data.face_geometry import Crop, anchors, box
from networks.face_networks import MESH

HELD_OUT_HEADS = 500  # the first drawn heads, never trained on
MIN_SIZE = 26.0  # of the longer side of a real face's box, pixels
HIDDEN_WEIGHT = 0.3  # of a point's weight


class Drawings:
    """Drawn heads: image, mesh [468, 3] in pixels, weights. More labels are in `drawn`."""

    def __init__(self, folder):
        self.drawn = Drawn(folder, "crops")
        self._mesh, self._z = self.drawn.label("mesh"), self.drawn.label("z")
        self._visible = self.drawn.label("visible")

    def __len__(self):
        return len(self.drawn)

    def __getitem__(self, i):
        mesh = np.concatenate([self._mesh[i], self._z[i][:, None]], 1) / np.float32(SUBPIXELS)
        seen = np.unpackbits(self._visible[i])[:468]
        return self.drawn[i], mesh, np.where(seen, 1, HIDDEN_WEIGHT).astype(np.float32)


class RealFaces:
    """Annotated faces with a teacher's mesh: image, mesh, weights."""

    def __init__(self, data, images, chosen):
        self.images, self.meshes = images, faces.meshes(data)
        self.faces = [(row, face) for row in faces.annotated(data) if chosen(row)
                      for face in row["faces"] if _usable(face)]

    def __len__(self):
        return len(self.faces)

    def __getitem__(self, i):
        row, face = self.faces[i]
        # The teacher is unreliable behind a mask.
        weight = 0.5 if face.get("mask") == faces.MASKED else 1.0
        return (self.images[row["file"]], self.meshes[face["teacher"]["m"]],
                np.full(468, weight, np.float32))


def _usable(face):
    teacher = face["teacher"]
    return teacher is not None and "m" in teacher and teacher["p"] >= 0.6 and max(face["box"][2:]) >= MIN_SIZE


def jittered(crop, rng, strength=1.0):
    """The crop with random errors, like a detector's."""
    rotation = rng.uniform(-0.6, 0.6) if rng.random() < 0.1 else rng.normal(0, 0.12)
    shift = rng.normal(0, 0.035 * strength, 2) * crop.side
    side = crop.side * np.exp(rng.normal(0, 0.09 * strength))
    return Crop(crop.center + shift, side, crop.angle + strength * rotation)


def placed(mesh, rng):
    if rng.random() < 0.4:
        return Crop.around(mesh)
    return Crop.of(box(mesh), anchors(mesh))


class Views:
    """Random crops for training."""

    def __init__(self, drawings, real, scenes, images, mirror):
        self.drawings, self.real, self.mirror = drawings, real, mirror
        self.scenes, self.images = scenes, images

    def face(self, rng, real):
        """Crop, points, depths, weights."""
        if real:
            image, mesh, weights = self.real[rng.integers(len(self.real))]
        else:
            image, mesh, weights = self.drawings[rng.integers(HELD_OUT_HEADS, len(self.drawings))]
        crop = jittered(placed(mesh, rng), rng)
        pixels, target = crop.cut(image, MESH), crop.to_crop(mesh)
        if rng.random() < 0.5:
            pixels, target, weights = np.ascontiguousarray(pixels[:, ::-1]), target[self.mirror], weights[self.mirror]
            target[:, 0] = 1 - target[:, 0]
        depths = target[:, 2] - target[:, 2].mean()
        return self._augmented(pixels, rng), target[:, :2], depths, weights

    def without_face(self, rng):
        """A crop without a face, of a scene or beside a drawn head."""
        if rng.random() < 0.6:
            image = self.images[self.scenes[rng.integers(len(self.scenes))]]
            side = np.exp(rng.uniform(np.log(24), np.log(min(image.shape[:2]))))
            center = rng.uniform(0, 1, 2) * image.shape[1::-1]
        else:
            image, mesh, _ = self.drawings[rng.integers(HELD_OUT_HEADS, len(self.drawings))]
            face = Crop.of(box(mesh), anchors(mesh))
            angle = rng.uniform(0, 2 * np.pi)
            center = face.center + rng.uniform(0.7, 1.2) * face.side * np.array([np.cos(angle), np.sin(angle)])
            side = face.side * rng.uniform(0.6, 1.2)
        return self._augmented(Crop(center, side, rng.normal(0, 0.4)).cut(image, MESH), rng)

    def _augmented(self, image, rng):
        image = augment.erase(augment.degrade(image, rng, 0.3), rng, 0.15)
        return augment.recolor(image, rng)
