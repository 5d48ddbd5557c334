#!/usr/bin/env python3
"""Writes the JPEG fixtures: synthetic images, encoded by other tools.

Needs NumPy, OpenCV, Pillow, and cjpeg of libjpeg-turbo. For each
NAME.jpg, NAME.bin holds Pillow's result: width, height, channels and 1, one byte each,
then the samples. If Pillow rejects a valid file, the samples are computed from the
planes (see `fractional`).
"""
import io
import os
import subprocess
import tempfile
import zlib

import cv2
import numpy
from PIL import Image, ImageFile

ImageFile.LOAD_TRUNCATED_IMAGES = True
SCRATCH = tempfile.TemporaryDirectory()
FOLDER = os.path.dirname(os.path.abspath(__file__))


def test_image(width, height, seed=1):
    """Gradients, a disc, stripes and a little noise."""
    y, x = numpy.mgrid[0:height, 0:width].astype(numpy.float64)
    red = 255 * x / width
    green = 255 * y / height
    blue = 127 + 120 * numpy.sin(x / 5) * numpy.cos(y / 7)
    rgb = numpy.stack([red, green, blue], -1)
    disc = (x - width * 0.6) ** 2 + (y - height * 0.4) ** 2 < (min(width, height) * 0.3) ** 2
    rgb[disc] = [230, 30, 60]
    rgb[(y > height * 0.8) & (x.astype(int) % 4 < 2)] = [10, 200, 240]
    rgb += numpy.random.default_rng(seed).normal(0, 6, rgb.shape)
    return Image.fromarray(rgb.clip(0, 255).astype(numpy.uint8))


def save(name, data, samples=None):
    if samples is None:
        with Image.open(io.BytesIO(data)) as decoded:
            samples = numpy.asarray(decoded if decoded.mode == "L" else decoded.convert("RGB"))
    height, width = samples.shape[:2]
    channels = 1 if samples.ndim == 2 else 3
    with open(os.path.join(FOLDER, name + ".jpg"), "wb") as file:
        file.write(data)
    with open(os.path.join(FOLDER, name + ".bin"), "wb") as file:
        file.write(bytes([width, height, channels, 1]) + samples.tobytes())


def pillow(image, **options):
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", **options)
    return buffer.getvalue()


def cjpeg(image, *options):
    buffer = io.BytesIO()
    image.save(buffer, "PPM")
    return subprocess.run(["cjpeg", *options], input=buffer.getvalue(), stdout=subprocess.PIPE,
                          check=True).stdout


def scans(text):
    """The path of a file with a scan script."""
    path = os.path.join(SCRATCH.name, f"{abs(hash(text))}.txt")
    with open(path, "w") as file:
        file.write(text)
    return path


def edit(data, text):
    """`data` after edits: cut:COUNT, put:OFFSET:BYTE, drop:OFFSET:COUNT, or - for none."""
    for word in text.split(","):
        kind, *numbers = word.split(":")
        numbers = [int(number) for number in numbers]
        if kind == "cut":
            data = data[:numbers[0]]
        elif kind == "put":
            data = data[:numbers[0]] + bytes(numbers[1:]) + data[numbers[0] + 1:]
        elif kind == "drop":
            data = data[:numbers[0]] + data[sum(numbers):]
    return data


def recovered(data):
    """The samples that Pillow decodes of a damaged file, or None if OpenCV's differ."""
    with Image.open(io.BytesIO(data)) as decoded:
        samples = numpy.asarray(decoded if decoded.mode == "L" else decoded.convert("RGB"))
    path = os.path.join(SCRATCH.name, "damaged.jpg")
    with open(path, "wb") as file:
        file.write(data)
    other = cv2.imread(path, cv2.IMREAD_UNCHANGED | cv2.IMREAD_IGNORE_ORIENTATION)
    if other is None or not numpy.array_equal(samples, other if other.ndim == 2 else other[..., ::-1]):
        return None
    return samples


def damaged():
    """damaged/damaged.txt: for each file and its edits, the CRC-32 of the samples that Pillow and OpenCV
    both decode.

    The files in damaged/ are already damaged; they were made by hand.
    """
    folder = os.path.join(FOLDER, "damaged")
    names = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".jpg"))
    tries = [(f"damaged/{name}", "-") for name in names]
    random = numpy.random.default_rng(7)
    for name in ["sampling-420", "sampling-444", "gray", "restart-3B", "restart-1", "scans-apart",
                 "progressive", "progressive-gray", "progressive-restart", "progressive-444",
                 "optimized", "sampling-442"]:
        with open(os.path.join(FOLDER, name + ".jpg"), "rb") as file:
            data = file.read()
        start = data.index(b"\xff\xda") + 14
        places = sorted(int(place) for place in random.integers(start, len(data) - 8, 9))
        tries += [(f"{name}", f"cut:{place}") for place in places[:3]]
        tries += [(f"{name}", f"put:{place}:{random.integers(0, 256)}") for place in places[3:6]]
        tries.append((name, f"drop:{places[6]}:{random.integers(1, 30)}"))
        tries.append((name, f"put:{places[7]}:255:{random.choice([0xD0, 0xD2, 0xD5, 0xD9])}"))
        tries.append((name, f"put:{places[8]}:0,put:{places[0]}:255,put:{places[4]}:77"))
    with open(os.path.join(FOLDER, "sampling-420.jpg"), "rb") as file:
        frame = file.read().index(b"\xff\xc0")
    # An image far larger than its file, and an APP0 segment of length 1.
    tries += [("sampling-420", f"put:{frame + 5}:64"), ("sampling-420", "put:5:1")]
    # The number of an AC table that a scan of DC coefficients does not need.
    with open(os.path.join(FOLDER, "progressive.jpg"), "rb") as file:
        tries.append(("progressive", f"put:{file.read().index(bytes([0xFF, 0xDA])) + 6}:15"))
    with open(os.path.join(folder, "damaged.txt"), "w") as sums:
        for name, edits in tries:
            with open(os.path.join(FOLDER, name + ".jpg"), "rb") as file:
                samples = recovered(edit(file.read(), edits))
            if samples is not None:
                sums.write(f"{name} {edits} {zlib.crc32(samples.tobytes())}\n")


def scaled():
    """scaled.txt: for each file and its edits, the CRC-32 of the samples that Pillow decodes at 1/2, 1/4
    and 1/8, the least side that selects the scale, and the size.
    """
    tries = [(name, "-") for name in sorted(
        [file[:-4] for file in os.listdir(FOLDER) if file.endswith(".bin")]
        + ["bands/" + file[:-4] for file in os.listdir(os.path.join(FOLDER, "bands"))
           if file.endswith(".jpg")]) if name not in ["dnl", "sampling-fractional"]]
    with open(os.path.join(FOLDER, "damaged", "damaged.txt")) as cases:
        tries += [tuple(case.split()[:2]) for case in cases]
    with open(os.path.join(FOLDER, "scaled.txt"), "w") as sums:
        for name, edits in tries:
            with open(os.path.join(FOLDER, name + ".jpg"), "rb") as file:
                data = edit(file.read(), edits)
            for scale in [2, 4, 8]:
                with Image.open(io.BytesIO(data)) as image:
                    side = -(-min(image.size) // scale)
                    # A smaller scale with the same side is selected first.
                    if scale < 8 and -(-min(image.size) // (2 * scale)) == side:
                        continue
                    # As `draft` does, which refuses small images.
                    width, height = [-(-length // scale) for length in image.size]
                    tile = image.tile[0]
                    image.tile = [ImageFile._Tile(tile.codec_name, (0, 0, width, height), tile.offset,
                                                  tile.args)]
                    image._size = (width, height)
                    image.decoderconfig = (scale, 0)
                    samples = numpy.asarray(image if image.mode == "L" else image.convert("RGB"))
                sums.write(f"{name} {edits} {zlib.crc32(samples.tobytes())} {side} {width} {height}\n")


def segments(data):
    """The offsets of the markers before the first scan, by code."""
    found, place = {}, 2
    while data[place + 1] != 0xDA:
        found.setdefault(data[place + 1], place)
        place += 2 + int.from_bytes(data[place + 2:place + 4], "big")
    found[0xDA] = place
    return found


def without(data, *codes):
    """The file without its segments of these codes."""
    result, place = data[:2], 2
    while data[place + 1] != 0xDA:
        end = place + 2 + int.from_bytes(data[place + 2:place + 4], "big")
        if data[place + 1] not in codes:
            result += data[place:end]
        place = end
    return result + data[place:]


def with_identifier(data, identifier):
    """The file with this identifier for all components, which only scans of all of them may have."""
    data, place = bytearray(data), 2
    while place < len(data) - 2:
        if data[place] != 0xFF or data[place + 1] in (0, *range(0xD0, 0xD9)):
            place += 1
            continue
        if data[place + 1] in (0xC0, 0xC2):
            data[place + 10:place + 19:3] = bytes([identifier] * 3)
        elif data[place + 1] == 0xDA:
            count = data[place + 4]
            data[place + 5:place + 5 + 2 * count:2] = bytes([identifier] * count)
        place += 2 + int.from_bytes(data[place + 2:place + 4], "big")
    return bytes(data)


def fractional():
    """A file whose components have 3, 2 and 1 samples in each direction, and its samples.

    Combined from three grayscale files. Pillow rejects such ratios. A sample of the image is
    the component's at the coordinates divided by the ratio of the factors, rounded down.
    """
    width, height = 53, 37
    planes = [test_image(-(-width * f // 3), -(-height * f // 3), f).convert("L") for f in (3, 2, 1)]
    parts = [pillow(plane, quality=85) for plane in planes]
    where = segments(parts[0])
    data = parts[0][:where[0xC0]]
    data = without(data + parts[0][where[0xDA]:], 0xE0)[:-len(parts[0]) + where[0xDA]]
    data += b"\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\0"
    data += b"\xff\xc0\0\x11\x08" + height.to_bytes(2, "big") + width.to_bytes(2, "big") + b"\3"
    data += b"".join(bytes([f, f << 4 | f, 0]) for f in (3, 2, 1))
    data += parts[0][where[0xC4]:where[0xDA]]
    for factor, part in zip((3, 2, 1), parts):
        scan = part[segments(part)[0xDA]:-2]
        data += scan[:5] + bytes([factor]) + scan[6:]
    y, x = numpy.mgrid[0:height, 0:width]
    channels = []
    for factor, part in zip((3, 2, 1), parts):
        with Image.open(io.BytesIO(part)) as plane:
            channels.append(numpy.asarray(plane)[y * factor // 3, x * factor // 3])
    return data + b"\xff\xd9", numpy.stack(channels, -1)


def main():
    small, odd, large = test_image(40, 24), test_image(53, 37), test_image(120, 90)

    # Sampling factors, luminance first; with a single pair the others are 1x1.
    # Components have separate scans if a unit would have more than ten blocks.
    separate = scans("0;\n1;\n2;\n")
    for name, factors in [
        ("444", "1x1"), ("422", "2x1"), ("420", "2x2"), ("440", "1x2"), ("411", "4x1"),
        ("410", "4x2"), ("441", "1x4"), ("442", "4x4"), ("310", "3x1"), ("331", "3x3"),
        ("mixed", "2x2,2x1,1x2"), ("chroma", "1x1,2x2,1x2"), ("ones", "2x2,2x2,2x2"),
        ("wide", "4x2,2x2,1x1"),
    ]:
        blocks = sum(int(h) * int(v) for h, v in (f.split("x") for f in factors.split(",")))
        options = ["-scans", separate] if blocks > 8 else []
        save("sampling-" + name, cjpeg(odd, "-quality", "85", "-sample", factors, *options))
    save("sampling-fractional", *fractional())

    # Sides of one or two samples, and of exactly a block.
    for width, height in [(1, 1), (2, 2), (3, 3), (4, 5), (5, 4), (8, 8), (16, 16), (17, 1), (1, 17)]:
        save(f"size-{width}x{height}",
             pillow(test_image(width, height), quality=90, subsampling="4:2:0"))
    save("size-5x3-422", cjpeg(test_image(5, 3), "-sample", "2x1"))
    save("size-3x5-440", cjpeg(test_image(3, 5), "-sample", "1x2"))

    # Qualities: fine and coarse quantization, 16-bit tables.
    for quality in [1, 10, 50, 100]:
        save(f"quality-{quality}", pillow(odd, quality=quality))
    save("quality-extended", cjpeg(small, "-quality", "1"))
    save("optimized", pillow(large, quality=80, optimize=True))

    # Progressive files, and files with several scans.
    save("progressive", pillow(large, quality=75, progressive=True))
    save("progressive-444", pillow(odd, quality=90, progressive=True, subsampling="4:4:4"))
    save("progressive-gray", pillow(odd.convert("L"), quality=80, progressive=True))
    save("progressive-restart", cjpeg(odd, "-progressive", "-restart", "5B"))
    save("progressive-by-coefficient", cjpeg(small, "-scans", scans(
        "0,1,2: 0-0, 0, 3;\n0,1,2: 0-0, 3, 2;\n0,1,2: 0-0, 2, 1;\n0,1,2: 0-0, 1, 0;\n"
        + "".join(f"{c}: {k}-{k + 6}, 0, 2;\n" for c in range(3) for k in range(1, 64, 7))
        + "".join(f"{c}: 1-63, {b + 1}, {b};\n" for b in (1, 0) for c in range(3)))))
    save("scans-apart", cjpeg(odd, "-scans", separate))
    save("scans-two", cjpeg(odd, "-scans", scans("0;\n1,2;\n")))

    # Restart intervals in units and rows.
    for interval in ["1B", "3B", "1", "20B"]:
        save(f"restart-{interval}", cjpeg(odd, "-restart", interval))
    save("restart-large", cjpeg(large, "-restart", "4B"))

    # Colors.
    save("gray", pillow(odd.convert("L"), quality=80))
    save("gray-sampled", cjpeg(odd, "-grayscale", "-sample", "2x2"))
    save("rgb", cjpeg(odd, "-rgb"))
    save("rgb-identifiers", without(cjpeg(odd, "-rgb"), 0xEE))
    save("no-markers", without(pillow(odd, quality=80), 0xE0))
    save("rgb-adobe", pillow(odd, quality=85, keep_rgb=True))
    cmyk = Image.fromarray(numpy.dstack([
        numpy.asarray(odd), numpy.asarray(test_image(53, 37, 9).convert("L")) // 2]), "CMYK")
    ink = pillow(cmyk, quality=85)
    save("cmyk", ink)
    save("cmyk-no-adobe", without(ink, 0xEE))
    # The same components, marked as YCCK.
    place = segments(ink)[0xEE] + 15
    save("ycck", ink[:place] + b"\x02" + ink[place + 1:])
    save("cmyk-progressive", pillow(cmyk, quality=85, progressive=True))

    # Components that share an identifier: in the frame, and in the scan.
    for name, options in [("444", {"subsampling": "4:4:4"}), ("420-progressive", {"progressive": True})]:
        save("shared-identifiers-" + name, with_identifier(pillow(odd, quality=85, **options), 7))

    # The order of segments, and bytes between them.
    data = pillow(small, quality=80)
    place = segments(data)[0xDB]
    save("fill-bytes", data[:place] + b"\xff\xff\xff" + data[place:-2] + b"\xff\xff\xff\xff\xd9")
    save("standard-tables", without(data, 0xC4))
    save("comment", data[:2] + b"\xff\xfe\x00\x07hello" + data[2:])
    # Height zero in the frame; the number of lines after the scan.
    frame = segments(data)[0xC0]
    lines = data[frame + 5:frame + 7]
    with Image.open(io.BytesIO(data)) as decoded:
        save("dnl", data[:frame + 5] + b"\0\0" + data[frame + 7:-2] + b"\xff\xdc\0\4" + lines
             + b"\xff\xd9", numpy.asarray(decoded))

    # Images of several bands. They have too many samples for a .bin, so bands.txt holds their CRC-32.
    os.makedirs(os.path.join(FOLDER, "bands"), exist_ok=True)
    wide = test_image(2001, 75).resize((2001, 75)).quantize(24).convert("RGB")
    with open(os.path.join(FOLDER, "bands", "bands.txt"), "w") as sums:
        for name, data in [
            ("420", pillow(wide, quality=20, subsampling=2)),
            ("440", cjpeg(wide, "-quality", "20", "-sample", "1x2")),
            ("444", pillow(wide, quality=15, subsampling=0)),
            ("gray", pillow(wide.convert("L"), quality=20)),
            ("progressive", pillow(wide, quality=20, progressive=True)),
            ("restart", cjpeg(wide, "-quality", "20", "-restart", "77B")),
            ("scans", cjpeg(wide, "-quality", "20", "-scans", scans("0;1 2;"))),
        ]:
            with open(os.path.join(FOLDER, "bands", name + ".jpg"), "wb") as file:
                file.write(data)
            with Image.open(io.BytesIO(data)) as decoded:
                sums.write(f"{name} {zlib.crc32(decoded.tobytes())}\n")

    damaged()
    scaled()


main()
