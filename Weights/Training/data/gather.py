"""Gathers training images from public repositories.

    python -m data.gather --mirrors FOLDER --reserved TOOLS --data DATA --cache CACHE --out DATA/gathered

data/origins.csv lists the repositories: commit, folder, the most images to take, license as stated, and the category
if all images of the folder have the same. FOLDER holds their git directories as FOLDER/owner+name/*. Images are chosen
by a seed, decoded, reduced to LONG_SIDE pixels and stored as WebP. Near-duplicates of each other, of the images of DATA
and of those kept apart (`reserved.py` of TOOLS) are dropped. Folders that are already gathered are kept.
"""

import argparse
import csv
import io
import subprocess
import sys
import zlib
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageOps

from data.images import Images

LONG_SIDE, MIN_SIDE = 256, 120  # pixels of a stored image; the shorter side of an original
MAX_ASPECT = 3.5
MIN_BYTES, MAX_BYTES = 8_000, 4_000_000
QUALITY = 75
SAME_BITS = 8  # at most this many of 128 bits of the hash differ between copies
FIELDS = ["file", "width", "height", "source", "path", "category"]


def difference_hash(image):
    """128 bits: whether brightness grows to the right, and downwards, between the cells of a small gray image."""
    gray = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    a, b = [cv2.resize(gray, size, interpolation=cv2.INTER_AREA).astype(np.int16) for size in ((9, 8), (8, 9))]
    return np.packbits(np.concatenate([(a[:, 1:] > a[:, :-1]).ravel(), (b[1:] > b[:-1]).ravel()]))


class Known:
    """The hashes of all images so far, as two 64-bit words each."""

    def __init__(self):
        self._hashes, self._count = np.zeros((1024, 2), np.uint64), 0

    def adds(self, image):
        """Adds an image, unless it or its mirror image is known."""
        hashes = [difference_hash(each).view(np.uint64) for each in (image, np.ascontiguousarray(image[:, ::-1]))]
        known = self._hashes[: self._count]
        if any((np.bitwise_count(known ^ each).sum(1) <= SAME_BITS).any() for each in hashes):
            return False
        if self._count == len(self._hashes):
            self._hashes = np.concatenate([self._hashes, self._hashes])
        self._hashes[self._count] = hashes[0]
        self._count += 1
        return True


def listed(directory, commit, folder):
    """(blob, path) of the images under a folder, without repetitions."""
    lines = subprocess.run(["git", "-C", directory, "ls-tree", "-r", "-l", "-z", commit], capture_output=True, check=True)
    found = {}
    for line in lines.stdout.decode(errors="replace").split("\0"):
        if not line:
            continue
        about, path = line.split("\t", 1)
        _, kind, blob, size = about.split()
        is_image = path.lower().endswith((".jpg", ".jpeg", ".png", ".webp"))
        is_stored = kind == "blob" and size.isdigit() and MIN_BYTES <= int(size) < MAX_BYTES
        if is_image and is_stored and path.startswith(folder):
            found.setdefault(blob, path)
    return sorted(found.items(), key=lambda entry: entry[1])


def read(directory, blob):
    """The image, upright, at most LONG_SIDE pixels, or None."""
    content = subprocess.run(["git", "-C", directory, "cat-file", "blob", blob], capture_output=True).stdout
    try:
        image = Image.open(io.BytesIO(content))
        if min(image.size) < MIN_SIDE or max(image.size) > MAX_ASPECT * min(image.size):
            return None
        image.draft("RGB", (2 * LONG_SIDE, 2 * LONG_SIDE))
        pixels = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return None
    scale = min(1, LONG_SIDE / max(pixels.shape[:2]))
    size = [max(1, round(side * scale)) for side in pixels.shape[1::-1]]
    return cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)


def gathered(origin, mirrors, out, known, is_reserved):
    """Stores the images of an origin. Returns their rows."""
    source = origin["repository"]
    [directory] = list(Path(mirrors, source.replace("/", "+")).iterdir())
    images = listed(directory, origin["commit"], origin["folder"])
    rng = np.random.default_rng(zlib.crc32((source + origin["folder"]).encode()))
    rows = []
    for i in rng.permutation(len(images)):
        blob, path = images[i]
        if len(rows) >= int(origin["count"]):
            break
        image = read(directory, blob)
        if image is None or is_reserved(image) or not known.adds(image):
            continue
        file = f"{source.replace('/', '+')}/{blob[:12]}.webp"
        (out / file).parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(out / file), image[..., ::-1], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
        height, width = image.shape[:2]
        rows.append(dict(zip(FIELDS, [file, width, height, source, path, origin["category"]])))
    return rows


def _write(table, rows):
    """Replaces the table at once: other programs read it."""
    part = table.with_suffix(".part")
    with open(part, "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS)
        writer.writeheader()
        writer.writerows(rows)
    part.rename(table)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--origins", default=Path(__file__).with_name("origins.csv"), type=Path)
    parser.add_argument("--mirrors", required=True, help="folder of git directories")
    parser.add_argument("--reserved", required=True, help="folder of reserved.py")
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for decoded images")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    sys.path.append(options.reserved)
    from reserved import is_reserved

    options.out.mkdir(parents=True, exist_ok=True)
    table, known = options.out / "images.csv", Known()
    rows = list(csv.DictReader(open(table, newline=""))) if table.exists() else []
    images = Images(options.data, options.cache)
    for file in images:
        known.adds(images[file])
    done = {row["source"] for row in rows}
    origins = list(csv.DictReader(open(options.origins, newline="")))
    for number, origin in enumerate(origins):
        if origin["repository"] not in done:
            found = gathered(origin, options.mirrors, options.out, known, lambda image: is_reserved(Image.fromarray(image)))
            rows += found
            print(f"{number + 1} of {len(origins)}: {origin['repository']} {origin['folder']}: {len(found)}", flush=True)
            _write(table, rows)


if __name__ == "__main__":
    main()
