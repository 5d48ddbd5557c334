"""Images without an object: plain, gradients, noise, skies, walls, blur.

    python -m data.empty --out FOLDER --count 100 --seed 7      # for inspection and evaluation
"""

import argparse
from pathlib import Path

import cv2
import numpy as np


def drawn(rng, size):
    """An empty image, [size, size, 3] bytes; three in ten have one color."""
    if rng.random() < 0.3:
        return np.full((size, size, 3), _color(rng)).astype(np.uint8)
    kind = KINDS[rng.integers(len(KINDS))]
    image = kind(rng, size)
    if rng.random() < 0.5:
        image = image * _light(rng, size)
    if rng.random() < 0.6:
        image = image + rng.normal(0, rng.uniform(0.5, 6), image.shape)
    return image.clip(0, 255).astype(np.uint8)


def _color(rng):
    """A random color, or black or white, as of a covered lens or an empty page."""
    return rng.uniform(0, 255, 3) if rng.random() < 0.7 else np.full(3, 255.0 * rng.integers(2))


def _ramp(rng, size):
    """0...1 along a random direction."""
    angle = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[:size, :size] / size - 0.5
    return ((x * np.cos(angle) + y * np.sin(angle)) / 2**0.5 + 0.5)[..., None]


def _light(rng, size):
    """A vignette, or light from one side."""
    ramp = _ramp(rng, size) if rng.random() < 0.5 else 1 - _round(rng, size)
    return 1 - rng.uniform(0, 0.6) * ramp


def _round(rng, size):
    """A soft spot at least as wide as the image: 1 in its center, 0 outside."""
    y, x = np.mgrid[:size, :size] / size - rng.uniform(0.3, 0.7, 2)[:, None, None]
    return np.exp(-(x**2 + y**2) / rng.uniform(0.3, 1.2))[..., None]


def _soft_noise(rng, size, cells):
    """Noise of a few cells per side, upscaled smoothly: 0...1."""
    shape = (max(2, int(cells)), max(2, int(cells * np.exp(rng.uniform(-1, 1)))), 3)
    noise = cv2.resize(rng.random(shape).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    return noise.clip(0, 1)


def _plain(rng, size):
    return np.ones((size, size, 3)) * _color(rng)


def _gradient(rng, size):
    ramp = _ramp(rng, size) if rng.random() < 0.6 else _round(rng, size)
    return ramp * _color(rng) + (1 - ramp) * _color(rng)


def _noise(rng, size):
    noise = rng.random((size, size, 1 if rng.random() < 0.4 else 3))
    cells = int(np.exp(rng.uniform(np.log(24), np.log(size))))
    edges = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_NEAREST
    noise = cv2.resize(noise[:cells, :cells], (size, size), interpolation=edges)
    noise = noise.reshape(size, size, -1) - 0.5
    return _plain(rng, size) + noise * rng.uniform(10, 255)


def _sky(rng, size):
    """A pale horizon below a deeper blue, gray or red, with soft clouds."""
    up = np.linspace(0, 1, size)[:, None, None]
    high = np.array([rng.uniform(20, 150), rng.uniform(60, 180), rng.uniform(120, 255)])
    low = high + rng.uniform(0, 110, 3) if rng.random() < 0.7 else _color(rng)
    sky = high * (1 - up) + low * up + np.zeros((size, size, 1))
    clouds = sum(_soft_noise(rng, size, n)[..., :1] / n**0.5 for n in (3, 6, 12)) / 1.4
    cover = ((clouds - rng.uniform(0.3, 0.8)) * 2).clip(0, 1) * rng.uniform(0, 0.9)
    return sky * (1 - cover) + rng.uniform(200, 255) * cover


def _wall(rng, size):
    """Plaster, boards or bricks, seen from the front."""
    wall = _plain(rng, size) + (_soft_noise(rng, size, rng.integers(8, 60))[..., :1] - 0.5) * rng.uniform(4, 50)
    wall += rng.normal(0, rng.uniform(1, 10), (size, size, 1))
    if rng.random() < 0.5:
        step, width = int(rng.integers(10, size // 3)), int(rng.integers(1, 4))
        depth = rng.uniform(-50, 50)
        brick = rng.random() < 0.5
        for row, y in enumerate(range(int(rng.integers(0, step)), size + step, step)):
            wall[max(y - width, 0) : y] += depth
            if brick:
                for x in range((row % 2) * step, size, 2 * step):
                    wall[max(y - step, 0) : y, x : x + width] += depth
        if rng.random() < 0.4:
            wall = wall.transpose(1, 0, 2)
    return wall


def _blur(rng, size):
    """Out-of-focus colors."""
    return _soft_noise(rng, size, rng.uniform(2, 5)) * rng.uniform(30, 255) + rng.uniform(0, 60)


KINDS = [_plain, _gradient, _noise, _sky, _wall, _blur]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--size", type=int, default=480)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    for number in range(options.count):
        cv2.imwrite(str(options.out / f"empty{number:03}.png"), drawn(rng, options.size)[..., ::-1])


if __name__ == "__main__":
    main()
