#!/usr/bin/env python3
"""Compare the speed of image decoding with Pillow's and libwebp's.

    compare_images.py BENCH IMAGE [--rounds N] [--processor-time] [--markdown] [WORD ...]

BENCH is the program built by `swift build -c release --product bench`. IMAGE is enlarged, gets
seeded noise, so that it is as hard to decode as a photograph, and is saved in several formats and
sizes. WORDs select files by their names. Needs numpy and Pillow. WebP files are decoded by
`WebPDecodeRGB` of Pillow's libwebp, and all frames of animations to RGB.

Both decode each file alternately, in N rounds (default 3); a round's time is the median of at
least thirty runs, with --processor-time the minimum of their processor time, which other programs
disturb less. Prints the median round in milliseconds: theirs, ours on one thread and on two, and
their time over each of ours: above one, ours is faster.
"""
import argparse
import ctypes
import glob
import io
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import PIL
from PIL import Image, ImageFilter, ImageSequence

SIZES = ((640, 480), (1920, 1080), (4000, 3000))
MIN_RUNS, MIN_SECONDS = 30, 0.5
FORMATS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "tif": "TIFF", "gif": "GIF"}


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


def moved(image, step):
    """The image with a part of it pasted elsewhere."""
    image, side = image.copy(), image.height // 4
    image.paste(image.crop((0, 0, side, side)), (step * side // 4, side))
    return image


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
                ("50.webp", image, {"quality": 50}),
                ("80.webp", image, {"quality": 80}),
                ("95.webp", image, {"quality": 95}),
                ("lossless.webp", image, {"lossless": True}),
                ("plain.tif", image, {}),
                ("lzw.tif", image, {"compression": "tiff_lzw"}),
                ("predicted-lzw.tif", image, {"compression": "tiff_lzw", "tiffinfo": {317: 2}}),
                ("deflate.tif", image, {"compression": "tiff_adobe_deflate"}),
                ("jpeg.tif", image, {"compression": "jpeg", "quality": 90}),
                ("packbits.tif", image, {"compression": "packbits"}),
                ("packbits-drawing.tif", drawing(width, height), {"compression": "packbits"}),
                ("palette.gif", image.quantize(256), {}),
                ("drawing.gif", drawing(width, height).quantize(256), {}),
                ("animation.gif", image.quantize(256), {
                    "save_all": True, "append_images": [
                        moved(image, step).quantize(256) for step in range(1, 10)]}),
                ("rgba.png", transparent, {}),
                ("gray.png", image.convert("L"), {}),
                ("palette.png", image.quantize(256), {}),
                ("drawing.png", drawing(width, height), {}),
            ]
        for kind, variant, options in kinds:
            buffer = io.BytesIO()
            variant.save(buffer, FORMATS[kind.split(".")[-1]], **options)
            yield f"{size}-{kind}", buffer.getvalue()


def webp():
    """libwebp's decoder to RGB, as a function of a file's contents."""
    folder = os.path.join(os.path.dirname(os.path.dirname(PIL.__file__)), "pillow.libs")
    for name in ("libsharpyuv", "libwebp-"):
        library = ctypes.CDLL(glob.glob(os.path.join(folder, name + "*"))[0])
    library.WebPDecodeRGB.restype = ctypes.c_void_p

    def decode(data):
        pixels = library.WebPDecodeRGB(
            data, ctypes.c_size_t(len(data)), ctypes.byref(ctypes.c_int()),
            ctypes.byref(ctypes.c_int()))
        library.WebPFree(ctypes.c_void_p(pixels))
    return decode


def pillow(data):
    """Decodes a file with Pillow, an animation to RGB."""
    with Image.open(io.BytesIO(data)) as image:
        if getattr(image, "n_frames", 1) == 1:
            image.load()
        else:
            for frame in ImageSequence.Iterator(image):
                frame.convert("RGB")


def theirs(decode, data, is_processor_time):
    """The other decoder's run in milliseconds."""
    clock = time.process_time if is_processor_time else time.perf_counter
    times, start = [], time.perf_counter()
    while len(times) < MIN_RUNS or time.perf_counter() - start < MIN_SECONDS:
        before = clock()
        decode(data)
        times.append(clock() - before)
    return (min(times) if is_processor_time else statistics.median(times)) * 1000


def ours(bench, folder, name, threads, is_processor_time):
    """Our run in milliseconds."""
    name = ("frames/" if "animation" in name else "decode/") + name
    command = [
        bench, "--images", folder, "--filter", name, "--threads", str(threads), "--json", "-"]
    result = subprocess.run(
        command + ["--processor-time"] * is_processor_time, check=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL)
    for entry in json.loads(result.stdout)["results"]:
        if entry["name"] == name:
            return entry["min_ms" if is_processor_time else "median_ms"]
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
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_intermixed_args()
    print(row(["image", "theirs", "Martlet 1", "ratio 1", "Martlet 2", "ratio 2"],
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
            decode = webp() if name.endswith("webp") else pillow
            is_processor = arguments.processor_time
            rounds = [
                (theirs(decode, data, is_processor),
                 ours(arguments.bench, folder, name, 1, is_processor),
                 ours(arguments.bench, folder, name, 2, is_processor))
                for _ in range(arguments.rounds)]
        other, one, two = (statistics.median(times) for times in zip(*rounds))
        cells = [name, f"{other:.2f}", f"{one:.2f}", f"{other / one:.2f}", f"{two:.2f}",
                 f"{other / two:.2f}"]
        print(row(cells, arguments.markdown), flush=True)
        lowest_ratio = min(lowest_ratio, other / one)
    return 0 if lowest_ratio >= 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
