"""Training views and targets of the face detector.

A view is a rotated square of a drawn scene, of a real image or of an image without people. It is
often placed so that one of its faces has a random size. A target has values for the cells of all
levels: the kind (1 a face, 0 none, -1 ignored), the box (center, width, height), six key points, and the
confidence of box and points. Coordinates are pixels of the view.
"""

import cv2
import numpy as np

from data import augment, faces
from data.draw_faces import SUBPIXELS, Drawn
from data.face_geometry import Crop, anchors
from networks.face_networks import LEVELS

MIN_SIZE = 8.0  # smaller faces are ignored; square root of the area, pixels of the view
MIN_VISIBLE = 0.25  # share of a drawn face that must be visible
MIN_INSIDE = 0.6  # share of a box that must lie in the view
SIX_MIRRORED = [1, 0, 2, 3, 5, 4]
# Face sizes of each level, square roots of areas.
RANGES = {8: (0.0, 44.0), 16: (36.0, 100.0), 32: (84.0, 1e9)}


class Faces:
    """The faces of one image: boxes [n, 4] x, y, width, height; six key points [n, 6, 2]; confidence
    of box and points [n, 2]; ignored regions [k, 4]."""

    def __init__(self, boxes, six, confidence, ignored):
        self.boxes = np.array(boxes, np.float32).reshape(-1, 4)
        self.six = np.array(six, np.float32).reshape(-1, 6, 2)
        self.confidence = np.array(confidence, np.float32).reshape(-1, 2)
        self.ignored = np.array(ignored, np.float32).reshape(-1, 4)


class Scenes:
    """Drawn scenes: image and its faces."""

    def __init__(self, folder):
        self.drawn = Drawn(folder, "scenes")
        self.size, self.first = self.drawn.label("size"), self.drawn.first_faces()
        self.box, self.six = self.drawn.label("box"), self.drawn.label("six")
        self.visible = self.drawn.label("seen")

    def __len__(self):
        return len(self.drawn)

    def __getitem__(self, i):
        faces_ = slice(self.first[i], self.first[i + 1])
        boxes, six = self.box[faces_] / np.float32(SUBPIXELS), self.six[faces_] / np.float32(SUBPIXELS)
        visible = self.visible[faces_] >= MIN_VISIBLE
        width, height = self.size[i]
        return (self.drawn[i][:height, :width],
                Faces(boxes[visible], six[visible], np.ones((visible.sum(), 2)), boxes[~visible]))


class RealImages:
    """Annotated images with their faces."""

    def __init__(self, data, images, chosen):
        meshes = faces.meshes(data)
        self.images = images
        self.rows = [(row["file"], _labeled(row, meshes)) for row in faces.annotated(data) if chosen(row)]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        file, labels = self.rows[i]
        return self.images[file], labels


def _labeled(row, meshes):
    boxes, six, confidence, ignored = [], [], [], list(row["ignore"])
    for face in row["faces"]:
        teacher = face["teacher"] or {}
        points, certainty = np.zeros((6, 2)), 0.0
        if teacher.get("k"):
            points, certainty = np.reshape(teacher["k"], (6, 2)).copy(), 0.5
            if "m" in teacher and teacher["p"] >= 0.6:
                mesh, certainty = meshes[teacher["m"]][:, :2], 1.0
                points[[0, 1, 3]], points[2] = anchors(mesh), mesh[4]
        boxes.append(face["box"])
        six.append(points)
        confidence.append([0.3 if face["box_from"] == "keypoints" else 1.0, certainty])
    return Faces(boxes, six, confidence, ignored)


class FacelessImages:
    """Images without people."""

    def __init__(self, images, files):
        self.images, self.files = images, files

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.images[self.files[i]], Faces([], [], [], [])


class HardNegatives:
    """Images of `train/hard_negatives.py`: whole images, and false faces with their surroundings."""

    AROUND = (3, 6, 12)  # sides of the part, in sides of the false face

    def __init__(self, images, mistakes):
        self.images, self.files = images, list(mistakes)
        self.mistakes = [(file, box) for file, boxes in mistakes.items() for box in boxes]

    def __len__(self):
        return len(self.files) + len(self.mistakes)

    def __getitem__(self, i):
        if i < len(self.files):
            return self.images[self.files[i]], Faces([], [], [], [])
        file, (left, top, right, bottom) = self.mistakes[i - len(self.files)]
        reach = self.AROUND[i % len(self.AROUND)] * max(right - left, bottom - top) / 2
        x, y = (left + right) / 2, (top + bottom) / 2
        low = [max(int(middle - reach), 0) for middle in (x, y)]
        part = self.images[file][low[1] : int(y + reach) + 1, low[0] : int(x + reach) + 1]
        return part, Faces([], [], [], [])


def view(image, labels, size, rng):
    """A random square of an image: pixels [size, size, 3], and its faces in pixels of the square."""
    height, width = image.shape[:2]
    angle = rng.uniform(-0.8, 0.8) if rng.random() < 0.1 else rng.normal(0, 0.1)
    if len(labels.boxes) and rng.random() < 0.75:
        x, y, w, h = labels.boxes[rng.integers(len(labels.boxes))]
        wanted = np.exp(rng.uniform(np.log(MIN_SIZE), np.log(0.9 * size)))
        scale = min(wanted / (w * h) ** 0.5, 3.0)
        side = min(size / scale, 1.3 * max(width, height))
        center = np.array([x + w / 2, y + h / 2]) + rng.uniform(-0.45, 0.45, 2) * max(side - max(w, h), 0)
    else:
        side = max(width, height) * np.exp(rng.uniform(-0.7, 0.15))
        center = rng.uniform(0.3, 0.7, 2) * [width, height]
    crop = Crop(center, side, angle)
    square = crop.cut(image, size)
    moved = Faces(_rotated(crop, labels.boxes) * size, crop.to_crop(labels.six) * size, labels.confidence,
                  _rotated(crop, labels.ignored) * size)
    if rng.random() < 0.5:
        square = np.ascontiguousarray(square[:, ::-1])
        for boxes in (moved.boxes, moved.ignored):
            boxes[:, 0] = size - boxes[:, 0] - boxes[:, 2]
        moved.six[..., 0] = size - moved.six[..., 0]
        moved.six = moved.six[:, SIX_MIRRORED]
    return square, moved


def mosaic(samples, size, rng):
    """Four views of half the size in one, for more small faces."""
    half, parts, all_ = size // 2, [], []
    for (image, labels), corner in zip(samples, [(0, 0), (half, 0), (0, half), (half, half)]):
        quarter, moved = view(image, labels, half, rng)
        # Faces are cut off at the quarter's border.
        for boxes in (moved.boxes, moved.ignored):
            boxes[:, :2] += corner
        moved.six += np.array(corner, np.float32)
        parts.append(quarter)
        all_.append(_cut_off(moved, corner, half))
    joined = np.concatenate([np.concatenate(parts[:2], 1), np.concatenate(parts[2:], 1)])
    return joined, Faces(*[np.concatenate([getattr(part, name) for part in all_])
                          for name in ("boxes", "six", "confidence", "ignored")])


def _cut_off(labels, corner, half):
    """Boxes cut at the quarter's border. Those with too little left are ignored."""
    left, share = _within(labels.boxes, corner, half)
    whole = share >= MIN_INSIDE
    ignored = np.concatenate([_within(labels.ignored, corner, half)[0], left[~whole & (share > 0)]])
    return Faces(left[whole], labels.six[whole], labels.confidence[whole], ignored)


def _within(boxes, corner, half):
    """The parts of boxes in a quarter, and their shares of the boxes."""
    low = boxes[:, :2].clip(corner, np.add(corner, half))
    high = (boxes[:, :2] + boxes[:, 2:]).clip(corner, np.add(corner, half))
    return np.concatenate([low, high - low], 1), (high - low).prod(1) / boxes[:, 2:].prod(1)


def _rotated(crop, boxes):
    """Bounding boxes of the rotated ellipses that fill the boxes, in sides of the crop."""
    half = boxes[:, 2:] / 2
    center = crop.to_crop(boxes[:, :2] + half)
    c, s = np.cos(crop.angle), np.sin(crop.angle)
    half = np.sqrt(np.square(half * c) + np.square(half[:, ::-1] * s)) / crop.side
    return np.concatenate([center - half, 2 * half], 1).astype(np.float32)


def augmented(image, rng):
    """Changes color and sharpness. Small faces keep some detail."""
    if rng.random() < 0.15:
        small = round(image.shape[0] * rng.uniform(0.5, 0.9))
        small = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        image = cv2.resize(small, image.shape[1::-1])
    return augment.recolor(augment.degrade(image, rng, 0), rng)


def cells(width, height=None):
    """Centers [n, 2] in pixels, strides [n] and face sizes [n] of all cells, level by level, row by row. Of a
    square input the width is enough."""
    centers, strides, sizes = [], [], []
    for stride, large in LEVELS.items():
        y, x = np.mgrid[0 : (height or width) // stride, 0 : width // stride]
        centers.append((np.stack([x, y], -1).reshape(-1, 2) + 0.5) * stride)
        strides.append(np.full(x.size, stride, np.float32))
        sizes.append(np.full(x.size, large, np.float32))
    return [np.concatenate(part).astype(np.float32) for part in (centers, strides, sizes)]


def target(labels, size, grid):
    """kind [n], box [n, 4] center and size, six [n, 12], belief [n, 2]."""
    centers, strides, _ = grid
    count = len(centers)
    kind, boxes = np.zeros(count, np.float32), np.ones((count, 4), np.float32)
    six, confidence = np.zeros((count, 12), np.float32), np.zeros((count, 2), np.float32)
    nearest = np.full(count, np.inf, np.float32)
    for x, y, w, h in labels.ignored:
        inside = ((centers >= [x, y]) & (centers <= [x + w, y + h])).all(1)
        kind[inside] = -1
    for face, points, certainty in zip(labels.boxes, labels.six, labels.confidence):
        low, high = face[:2].clip(0, size), (face[:2] + face[2:]).clip(0, size)
        w, h = high - low
        if w <= 0 or h <= 0:
            continue
        middle, large = (low + high) / 2, (w * h) ** 0.5
        distance = np.hypot(*((centers - middle) / [w, h]).T)
        near = (distance < 0.5) & (nearest == np.inf)
        if large < MIN_SIZE or w * h < MIN_INSIDE * face[2] * face[3]:
            kind[near] = -1
            continue
        # Cells at its center are positive in levels of its size, and ignored in levels of similar sizes.
        lowest, highest = np.array([RANGES[s] for s in LEVELS]).T[:, np.searchsorted(list(LEVELS), strides)]
        in_range = (large >= lowest) & (large < highest)
        kind[near & (distance < 0.4) & (large >= lowest / 1.3) & (large < highest * 1.3)] = -1
        assigned = in_range & ((distance < 0.2) | (np.abs(centers - middle).max(1) <= strides / 2)) & (distance < nearest)
        nearest[assigned] = distance[assigned]
        kind[assigned] = 1
        boxes[assigned] = [*middle, w, h]
        six[assigned], confidence[assigned] = points.reshape(12), certainty
    return kind, boxes, six, confidence
