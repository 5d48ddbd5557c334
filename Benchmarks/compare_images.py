#!/usr/bin/env python3
"""Compare the speed of image decoding with libjpeg-turbo's and libpng's, used by Pillow.

    compare_images.py BENCH IMAGE [--rounds N] [--markdown] [WORD ...]

BENCH is the program built by `swift build -c release --product bench`. IMAGE is enlarged, gets
seeded noise, so that it is as hard to decode as a photograph, and is saved in several formats and
sizes. WORDs select files by their names. Needs numpy and Pillow.

Both decode each file alternately, in N rounds (default 3); a round's time is the median of at
least thirty runs. Prints the median round in milliseconds: Pillow's, ours on one thread and on two,
and Pillow's time over each of ours: above one, ours is faster.
"""
import argparse
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image, ImageFilter

SIZES = ((640, 480), (1920, 1080), (4000, 3000))
MIN_RUNS, MIN_SECONDS = 30, 0.5


def photograph(source, width, height):
    """The image at a size, with noise like a sensor's."""
    random = numpy.random.default_rng(1)
    pixels = numpy.asarray(source.resize((width, height), Image.BICUBIC)).astype(numpy.float32)
    coarse = random.normal(0, 6, (height // 4 + 1, width // 4 + 1, 1))
    coarse = coarse.repeat(4, 0).repeat(4, 1)[:height, :width]
    pixels = pixels + coarse + random.normal(0, 4, (height, width, 1))
    pixels = (pixels + random.normal(0, 2, pixels.shape)).clip(0, 255).astype(numpy.uint8)
    return Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(0.6))


def drawing(width, height):
    """Flat areas, gradients and rings."""
    y, x = numpy.mgrid[0:height, 0:width]
    planes = [x // 40 * 20, y // 30 * 30, (x + y) // 64 * 9]
    pixels = numpy.stack(planes, -1).astype(numpy.uint8)
    pixels[(x * x + y * y) // 5000 % 7 == 0] = 255
    return Image.fromarray(pixels)


def files(source):
    """The names and contents of the images to decode."""
    for width, height in SIZES:
        image, size = photograph(source, width, height), f"{width}x{height}"
        transparent = image.copy()
        transparent.putalpha(image.convert("L"))
        quality = 93 if width > 3000 else 87
        kinds = [
            ("420.jpg", image, {"quality": quality, "subsampling": 2}),
            ("444.jpg", image, {"quality": quality, "subsampling": 0}),
            ("gray.jpg", image.convert("L"), {"quality": quality}),
            ("progressive.jpg", image, {"quality": quality, "progressive": True}),
            ("restart.jpg", image, {"quality": quality, "restart_marker_rows": 1}),
            ("rgb.png", image, {}),
        ]
        if width < 3000:
            kinds += [
                ("rgba.png", transparent, {}),
                ("gray.png", image.convert("L"), {}),
                ("palette.png", image.quantize(256), {}),
                ("drawing.png", drawing(width, height), {}),
            ]
        for kind, variant, options in kinds:
            buffer = io.BytesIO()
            variant.save(buffer, "JPEG" if kind.endswith("jpg") else "PNG", **options)
            yield f"{size}-{kind}", buffer.getvalue()


def theirs(data):
    """Pillow's median run in milliseconds."""
    times, start = [], time.perf_counter()
    while len(times) < MIN_RUNS or time.perf_counter() - start < MIN_SECONDS:
        before = time.perf_counter()
        with Image.open(io.BytesIO(data)) as image:
            image.load()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1000


def ours(bench, folder, name, threads):
    """Our median run in milliseconds."""
    result = subprocess.run(
        [bench, "--images", folder, "--filter", "decode/" + name, "--threads", str(threads),
         "--json", "-"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for entry in json.loads(result.stdout)["results"]:
        if entry["name"] == "decode/" + name:
            return entry["median_ms"]
    raise ValueError(name)


def row(cells, markdown):
    if markdown:
        return "| " + " | ".join(cells) + " |"
    return f"{cells[0]:28}" + "".join(f"{cell:>10}" for cell in cells[1:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bench")
    parser.add_argument("image")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_intermixed_args()
    print(row(["image", "Pillow", "Martlet 1", "ratio 1", "Martlet 2", "ratio 2"],
              arguments.markdown))
    if arguments.markdown:
        print("|---|" + "--:|" * 5)
    lowest_ratio = float("inf")
    with Image.open(arguments.image) as source:
        images = list(files(source.convert("RGB")))
    for name, data in images:
        if not any(word in name for word in arguments.words or [""]):
            continue
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
            rounds = [
                (theirs(data), ours(arguments.bench, folder, name, 1),
                 ours(arguments.bench, folder, name, 2)) for _ in range(arguments.rounds)]
        other, one, two = (statistics.median(times) for times in zip(*rounds))
        cells = [name, f"{other:.2f}", f"{one:.2f}", f"{other / one:.2f}", f"{two:.2f}",
                 f"{other / two:.2f}"]
        print(row(cells, arguments.markdown), flush=True)
        lowest_ratio = min(lowest_ratio, other / one)
    return 0 if lowest_ratio >= 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
