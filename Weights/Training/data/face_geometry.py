"""The crop of a face and the rotation of a head. The reference for the Swift code of faces.

All points are pixels of the upright image, x to the right, y down; left and right are the
subject's. The mesh has MediaPipe's 468 points; z points towards the back and has the scale of x.
"""

import cv2
import numpy as np

RIGHT_EYE = [33, 246, 161, 160, 159, 158, 157, 173, 133, 155, 154, 153, 145, 144, 163, 7]
LEFT_EYE = [362, 398, 384, 385, 386, 387, 388, 466, 263, 249, 390, 373, 374, 380, 381, 382]
MOUTH = [13, 14]
# Outline, brows, lips, nose and cheeks: with the eyes, ML Kit's 133 contour points.
CONTOURS = RIGHT_EYE + LEFT_EYE + [
    10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377,
    152, 148, 176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109, 336,
    296, 334, 293, 300, 285, 295, 282, 283, 276, 70, 63, 105, 66, 107, 46, 53, 52, 65, 55, 61,
    185, 40, 39, 37, 0, 267, 269, 270, 409, 291, 191, 80, 81, 82, 13, 312, 311, 310, 415, 95,
    88, 178, 87, 14, 317, 402, 318, 324, 146, 91, 181, 84, 17, 314, 405, 321, 375, 168, 1, 2,
    98, 327, 425, 205,
]
CROP_SCALE = 1.5  # side of the crop, in longer sides of the face's box


def anchors(mesh):
    """Right eye, left eye, middle of the mouth of meshes [..., 468, 2]: [..., 3, 2]."""
    return np.stack([mesh[..., chosen, :2].mean(-2) for chosen in (RIGHT_EYE, LEFT_EYE, MOUTH)], -2)


def box(mesh):
    """Upright rectangle x, y, width, height round points [..., n, 2]."""
    low, high = mesh[..., :2].min(-2), mesh[..., :2].max(-2)
    return np.concatenate([low, high - low], -1)


def roll(three):
    """Angle of the face in the image, radians, positive clockwise on the screen.

    The sum of the vector from the right eye to the left one and of the vector from the eyes' center to
    the mouth, rotated by 90 degrees. In profile the first is short and unreliable."""
    right, left, mouth = three
    down = mouth - (right + left) / 2
    across = left - right + [down[1], -down[0]]
    return float(np.arctan2(across[1], across[0]))


class Crop:
    """A rotated square: center, side in pixels, angle."""

    def __init__(self, center, side, angle):
        self.center, self.side, self.angle = np.asarray(center, np.float64), float(side), float(angle)

    @staticmethod
    def of(face, three):
        """Around a detected face: its box x, y, width, height and `anchors`."""
        x, y, width, height = face
        return Crop([x + width / 2, y + height / 2], CROP_SCALE * max(width, height), roll(three))

    @staticmethod
    def around(mesh):
        """Around a mesh of the previous frame, by its bounding box along the face's axes."""
        angle = roll(anchors(mesh))
        rotation = _rotation(angle)
        x, y, width, height = box(mesh[:, :2] @ rotation)
        return Crop(rotation @ [x + width / 2, y + height / 2], CROP_SCALE * max(width, height), angle)

    def to_crop(self, mesh):
        """Image -> crop, which spans 0...1. z, if present, is in sides of the crop."""
        flat = (mesh[..., :2] - self.center) @ _rotation(self.angle) / self.side + 0.5
        return np.concatenate([flat, mesh[..., 2:] / self.side], -1)

    def to_image(self, mesh):
        """Crop -> image."""
        flat = (mesh[..., :2] - 0.5) * self.side @ _rotation(self.angle).T + self.center
        return np.concatenate([flat, mesh[..., 2:] * self.side], -1)

    def cut(self, image, size):
        """The crop's pixels [size, size, 3], black outside the image. Pixel (i, j) samples the point
        ((i + 0.5) / size, (j + 0.5) / size) bilinearly. An image that shrinks by more than two is first
        halved, each pixel the mean of four."""
        scale = 1.0
        while self.side * scale > 2 * size and min(image.shape[:2]) >= 2:
            height, width = (n // 2 * 2 for n in image.shape[:2])
            image = cv2.resize(image[:height, :width], (width // 2, height // 2),
                                 interpolation=cv2.INTER_AREA)
            scale /= 2
        step = self.side * scale / size
        matrix = step * _rotation(self.angle)
        start = self.center * scale + matrix @ np.full(2, (1 - size) / 2) - 0.5
        matrix = np.column_stack([matrix, start])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return cv2.warpAffine(image, matrix, (size, size), flags=flags)


def _rotation(angle):
    """The matrix that rotates a column vector clockwise on the screen."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def reference(canonical):
    """The canonical face from the front, placed as in a crop: [468, 3] in 0...1."""
    flat = canonical * [1, -1, -1]
    low, high = flat[:, :2].min(0), flat[:, :2].max(0)
    scaled = flat / (CROP_SCALE * (high - low).max())
    scaled[:, :2] += 0.5 - (low + high) / 2 / (CROP_SCALE * (high - low).max())
    scaled[:, 2] -= scaled[:, 2].mean()
    return scaled.astype(np.float32)


def mirrored(canonical):
    """The index of each point's counterpart on the other half of the face."""
    difference = canonical[:, None] * [-1, 1, 1] - canonical[None]
    return np.square(difference).sum(-1).argmin(1)


def euler(mesh, canonical):
    """X, Y, Z in degrees with ML Kit's signs: the weak-perspective fit (scale, rotation, translation) of the
    canonical face to x and y of a mesh, or of the same points of both."""
    flat = mesh[:, :2] * [1, -1]
    model = canonical - canonical.mean(0)
    matrix = np.linalg.lstsq(model, flat - flat.mean(0), rcond=None)[0].T
    u, _, v = np.linalg.svd(matrix, full_matrices=False)
    rows = u @ v
    r = np.vstack([rows, np.cross(*rows)])
    angles = -np.arcsin(np.clip(r[2, 1], -1, 1)), np.arctan2(-r[2, 0], r[2, 2]), np.arctan2(-r[0, 1], r[1, 1])
    return np.degrees(angles)
