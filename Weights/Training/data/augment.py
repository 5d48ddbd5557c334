"""Augmentation of training images.

Sources differ in style: one is blurred, one is gray, several have white backgrounds. A network can
learn the style instead of the object, so each style is applied to images of all categories.
"""

import cv2
import numpy as np


def resize(image, size, rng=None):
    """Stretches to size x size, or to a width and a height. `rng` varies the interpolation, so that the network needs
    none."""
    width, height = size if isinstance(size, tuple) else (size, size)
    is_larger = image.shape[1] > width and image.shape[0] > height
    interpolation = cv2.INTER_AREA if is_larger else cv2.INTER_LINEAR
    if rng is not None and rng.random() < 0.3:
        interpolation = cv2.INTER_LINEAR
    return cv2.resize(image, (width, height), interpolation=interpolation)


def random_rectangle(rng, width, height, min_area, aspect=0.3):
    """A random part of an image, at least `least_area` of it: x, y, width, height in pixels."""
    area = width * height * rng.uniform(min_area, 1)
    ratio = np.exp(rng.uniform(-aspect, aspect)) * width / height
    w = min(width, max(8, round((area * ratio) ** 0.5)))
    h = min(height, max(8, round((area / ratio) ** 0.5)))
    return int(rng.integers(0, width - w + 1)), int(rng.integers(0, height - h + 1)), w, h


def degrade(image, rng, share):
    """Removes detail by downscaling and upscaling, and adds JPEG artifacts."""
    size = image.shape[0]
    if rng.random() < share:
        small = int(np.exp(rng.uniform(np.log(36), np.log(110))))
        small = cv2.resize(image, (small, small), interpolation=cv2.INTER_AREA)
        interpolation = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
        image = cv2.resize(small, (size, size), interpolation=interpolation)
    if rng.random() < 0.15:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 85))]
        image = cv2.imdecode(cv2.imencode(".jpg", image, quality)[1], cv2.IMREAD_COLOR)
    return image


def recolor(image, rng):
    """Changes contrast, brightness and white balance of most images, and the saturation of some."""
    if rng.random() < 0.8:
        levels = np.arange(256)[:, None]
        levels = (levels - 128) * rng.uniform(0.65, 1.4) + 128 + rng.uniform(-25, 25)
        levels = levels.clip(0, 255) * rng.uniform(0.88, 1.13, 3)
        image = cv2.LUT(image, levels.clip(0, 255).astype(np.uint8)[None])
    chance = rng.random()
    if chance < 0.4:
        keep = 0.0 if chance < 0.1 else rng.uniform(0.5, 1.4)
        gray = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB)
        image = cv2.addWeighted(image, keep, gray, 1 - keep, 0)
    return image


def erase(image, rng, share=0.2):
    """Fills a rectangle with a random color, in place."""
    if rng.random() < share:
        size = image.shape[0]
        h, w = rng.integers(size // 6, size // 2, 2)
        y, x = rng.integers(0, size - h), rng.integers(0, size - w)
        image[y : y + h, x : x + w] = rng.integers(0, 255, 3)
    return image
