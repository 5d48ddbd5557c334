#!/usr/bin/env python3
"""Compare decoded pictures with Pillow's, sample by sample.

    compare_jpeg.py DECODED FILE...

DECODED is a folder that holds, for each FILE, a picture (PPM, PGM or PNG) named
like the file's path with every "/" turned into "_", and ".ppm", ".pgm" or ".png"
added. Nothing is turned upright. Prints each file that is missing or differs by
more than two levels, then the number of samples at each distance from Pillow's.
Exit status 1 if a file is missing, of another size, or differs by more than two.
"""
import os
import sys

import numpy
from PIL import Image


def reference(path):
    """What Pillow decodes: gray stays gray, the rest becomes RGB."""
    with Image.open(path) as picture:
        return numpy.asarray(picture if picture.mode == "L" else picture.convert("RGB"))


def decoded(folder, path):
    for suffix in (".ppm", ".pgm", ".png"):
        name = os.path.join(folder, path.replace("/", "_") + suffix)
        if os.path.exists(name):
            with Image.open(name) as picture:
                return numpy.asarray(picture)
    return None


def main():
    folder, paths = sys.argv[1], sys.argv[2:]
    counts = numpy.zeros(256, numpy.int64)
    same = bad = 0
    for path in paths:
        try:
            want = reference(path)
        except OSError as error:
            print(f"{path}: Pillow: {error}; here: {'yes' if decoded(folder, path) is not None else 'no'}")
            continue
        got = decoded(folder, path)
        if got is None or got.shape != want.shape:
            print(f"{path}: {'missing' if got is None else got.shape}, want {want.shape}")
            bad += 1
            continue
        distance = numpy.abs(got.astype(numpy.int16) - want)
        counts += numpy.bincount(distance.ravel(), minlength=256)
        same += not distance.any()
        if distance.max() > 2:
            print(f"{path}: max {distance.max()}, {(distance > 2).sum()} samples beyond 2")
            bad += 1
    print(f"{len(paths)} files, {same} equal in every sample, {bad} bad")
    for level in numpy.nonzero(counts)[0]:
        print(f"  distance {level}: {counts[level]} samples")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
