"""Averages checkpoints of runs with a common start, and packs the mean.

    python -m train.average A/weights-24000.npz B/weights-30000.npz --out checkpoints/localizer.npz

Such networks lie in one basin of the loss, and their mean has a smaller error than each of them (Wortsman and
others, "Model soups", 2022). Steps and samples are those of the last checkpoint named.
"""

import argparse
from pathlib import Path

import numpy as np

from train import loop


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weights", nargs="+", type=Path, help="weights-STEP.npz of runs")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()
    means = [np.mean(arrays, 0) for arrays in
             zip(*[loop.averaged(path) for path in options.weights], strict=True)]
    progress, _, extra = loop.unpack(options.weights[-1].parent / "packed.npz")
    loop.pack(options.out, progress, means, extra)


if __name__ == "__main__":
    main()
