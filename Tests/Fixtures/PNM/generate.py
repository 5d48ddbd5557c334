"""Writes the PNM fixtures with Pillow: NAME.pnm, and NAME.bin with the samples before encoding.

NAME.bin: width, height, channels and 1 (one byte each), then the samples.

    python generate.py        needs Pillow
"""

import random
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent


def main():
    rng = random.Random(1)
    for mode, channels in (("1", 1), ("L", 1), ("RGB", 3)):
        data = bytes(rng.randrange(256) for _ in range(11 * 5 * channels))
        image = Image.frombytes("L" if mode == "1" else mode, (11, 5), data)
        if mode == "1":
            image = image.point([0] * 128 + [255] * 128).convert("1")
            data = image.convert("L").tobytes()
        image.save(HERE / f"{mode.lower()}.pnm", "PPM")
        (HERE / f"{mode.lower()}.bin").write_bytes(bytes([11, 5, channels, 1]) + data)


main()
