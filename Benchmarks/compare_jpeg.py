#!/usr/bin/env python3
"""Compare Martlet's decoded images with Pillow's, sample by sample.

    compare_jpeg.py MARTLET FILE...

MARTLET is the command line tool. Prints each file that it can't decode or that differs by more
than two levels, then the number of samples at each distance from Pillow's. Exits with 1 if any
file is printed.
"""
import os
import subprocess
import sys
import tempfile

import numpy
from PIL import Image


def samples(path):
    """The image's RGB samples as Pillow decodes them, without applying the orientation."""
    with Image.open(path) as image:
        return numpy.asarray(image.convert("RGB"))


def main():
    tool, paths = sys.argv[1], sys.argv[2:]
    counts = numpy.zeros(256, numpy.int64)
    same = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [tool, "decode", "--files-from", "-", "--output", folder],
            input="\n".join(paths), text=True, check=False)
        for path in paths:
            want = samples(path)
            name = os.path.join(folder, path.replace("/", "_") + ".ppm")
            got = samples(name) if os.path.exists(name) else None
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
