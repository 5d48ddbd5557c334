#!/usr/bin/env python3
"""Compare which images of folders Martlet, Pillow, OpenCV and ffmpeg show, and with which samples.

    compare_corpora.py MARTLET FOLDER... [--list FILE]

MARTLET is the program built by `swift build -c release --product martlet`. FOLDERS hold image files of any
names, damaged ones too, such as the test images of other decoders; files of other formats are skipped. Needs
numpy, Pillow, opencv-python-headless and imageio-ffmpeg. --list writes a line for each file that is not equal.

A format's row counts its files, and of them

    equal      same samples as Pillow or OpenCV
    near       at most 2 from the nearest of the three
    differing  further from it
    ours       shown by Martlet alone
    none       refused by all four
    named      refused by Martlet as a kind that it does not support, with advice; shown by another
    one        refused by Martlet otherwise, shown by one of the three
    missing    refused by Martlet otherwise, shown by OpenCV or ffmpeg and one more

Ends with status 1 if a file is missing or MARTLET crashes.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import numpy

COLUMNS = ("equal", "near", "differing", "ours", "none", "named", "one", "missing")
MAX_PIXELS = 1 << 26
CHUNK = 64


def format_of(path):
    """The format by a file's first bytes, or None."""
    head = path.open("rb").read(16)
    starts = {b"\xff\xd8": "JPEG", b"\x89PNG\r\n\x1a\n": "PNG", b"GIF8": "GIF", b"BM": "BMP", b"II*\0": "TIFF",
              b"MM\0*": "TIFF"}
    for start, name in starts.items():
        if head.startswith(start):
            return name
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "WebP"
    return "PNM" if head[:1] == b"P" and head[1:2] in b"123456" and head[2:3].isspace() else None


def pillow(path):
    from PIL import Image
    warnings.simplefilter("ignore")
    with Image.open(path) as image:
        if image.width * image.height > MAX_PIXELS:
            return None
        if image.mode == "F":
            image = image.convert("L")
        if image.mode.startswith("I"):  # convert() clips these
            array = numpy.asarray(image)
            bits = 8 if array.size and array.max() > 255 else 0
            return numpy.repeat((array.astype(numpy.int64) >> bits).astype(numpy.uint8)[..., None], 3, 2)
        return numpy.asarray(image.convert("RGBA").convert("RGB") if image.mode == "P" else image.convert("RGB"))


def opencv(path):
    import cv2
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    return None if image is None else image[:, :, ::-1]


def ffmpeg(path):
    import imageio_ffmpeg
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "quiet", "-noautorotate", "-i", str(path), "-frames:v", "1",
               "-pix_fmt", "rgb24", "-f", "image2pipe", "-c:v", "ppm", "-"]
    output = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60).stdout
    return read_ppm(output) if output else None


def silence():
    """Peers print every damage."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def read_ppm(data):
    _, size, _, samples = data.split(b"\n", 3)
    width, height = map(int, size.split())
    return numpy.frombuffer(samples, numpy.uint8, width * height * 3).reshape(height, width, 3)


class Peers:
    """Calls the peers in a process of their own, as damaged files may end it."""

    def __init__(self):
        self.start()

    def start(self):
        self.pool = ProcessPoolExecutor(1, initializer=silence)

    def image(self, peer, path):
        try:
            return self.pool.submit(peer, path).result(timeout=90)
        except (BrokenProcessPool, TimeoutError) as error:
            self.pool.shutdown(wait=isinstance(error, BrokenProcessPool), cancel_futures=True)
            self.start()
        except Exception:  # whatever a peer raises, it shows nothing
            pass
        return None


def ours(martlet, paths, folder):
    """Runs Martlet on files; returns their images, those refused by name, and whether it crashed."""
    for index, path in enumerate(paths):
        os.symlink(path.resolve(), folder / f"{index}")
    names = "\n".join(str(folder / f"{index}") for index in range(len(paths)))
    run = subprocess.run([martlet, "decode", "--files-from", "-", "--output", folder / "out", "--threads", "1",
                          "--max-memory", "4096"],
                         input=names, text=True, errors="replace", capture_output=True)
    images = {}
    for file in (folder / "out").glob("*.ppm"):
        images[int(file.stem.rsplit("_", 1)[-1])] = read_ppm(file.read_bytes())
    if run.returncode not in (0, 1):
        print(f"status {run.returncode}: {names}\n{run.stderr[-2000:]}", file=sys.stderr)
    errors = re.findall(r"^[^:]+: .*/(\d+): .*not supported", run.stderr, re.MULTILINE)
    return images, {int(index) for index in errors}, run.returncode not in (0, 1)


def distance(first, second):
    if first.shape != second.shape:
        return 256
    return int(numpy.abs(first.astype(numpy.int16) - second).max(initial=0))


def judged(image, is_named, path, peers):
    """The column of a file, and the distance to the nearest peer."""
    nearest, shown, largest = 256, set(), False
    for peer in (pillow, opencv, ffmpeg):
        theirs = peers.image(peer, path)
        if theirs is None:
            continue
        shown.add(peer.__name__)
        largest |= theirs.shape[0] * theirs.shape[1] >= MAX_PIXELS
        if image is not None:
            nearest = min(nearest, distance(image, theirs))
            if nearest == 0:
                return "equal", 0, shown
    if image is None:
        if not shown:
            return "none", None, shown
        is_missing = len(shown) > 1 and not largest
        return "named" if is_named else "missing" if is_missing else "one", None, shown
    return "near" if nearest <= 2 else "differing" if shown else "ours", nearest, shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("martlet")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--list", type=pathlib.Path)
    options = parser.parse_args()
    files = sorted(f for folder in options.folders for f in folder.rglob("*") if f.is_file() and format_of(f))
    counts, lines, crashes, peers = collections.defaultdict(collections.Counter), [], 0, Peers()
    for start in range(0, len(files), CHUNK):
        chunk = files[start : start + CHUNK]
        with tempfile.TemporaryDirectory() as folder:
            images, named, crashed = ours(options.martlet, chunk, pathlib.Path(folder))
            crashes += crashed
            for index, path in enumerate(chunk):
                column, nearest, shown = judged(images.get(index), index in named, path, peers)
                counts[format_of(path)][column] += 1
                if column not in ("equal", "none"):
                    lines.append(f"{column}\t{nearest}\t{','.join(sorted(shown))}\t{path}\n")
        if sys.stderr.isatty():
            print(f"\r{start + len(chunk)} of {len(files)}", end="", file=sys.stderr)
    if options.list:
        options.list.write_text("".join(sorted(lines)))
    print("| format | files |", " | ".join(COLUMNS), "|\n|---|" + "--:|" * (len(COLUMNS) + 1))
    for name, row in sorted(counts.items()):
        print(f"| {name} | {row.total()} |", " | ".join(str(row[column]) for column in COLUMNS), "|")
    sys.exit(crashes > 0 or any(row["missing"] for row in counts.values()))


if __name__ == "__main__":
    main()
