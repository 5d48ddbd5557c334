"""The classifier's accuracy by its confidence.

    python -m evaluate.curve --data DATA --predictions coarse.jsonl
"""

import argparse

import numpy as np

from data.images import CATEGORIES, LABELS, coarse_rows, predictions


def curve(path, data, bins=10):
    """Prints the number of answers and the share of right ones, by ranges of confidence."""
    truth = {row["file"]: LABELS[CATEGORIES.index(row["category"])] for row in coarse_rows(data)}
    best = [(row["image"], max(row["labels"], key=lambda label: label["confidence"]))
            for row in predictions(path) if row["labels"]]
    confidences = np.array([label["confidence"] for _, label in best])
    right = np.array([truth[file] == label["text"] for file, label in best])
    print("| confidence | answers | mean confidence | right |\n|---|---|---|---|")
    for least in np.arange(bins) / bins:
        chosen = (confidences >= least) & (confidences < least + 1 / bins + (least + 1 / bins >= 1))
        if chosen.any():
            print(f"| {least:.1f} to {least + 1 / bins:.1f} | {chosen.sum()} | {confidences[chosen].mean():.3f} "
                  f"| {right[chosen].mean():.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--predictions", required=True)
    options = parser.parse_args()
    curve(options.predictions, options.data)



if __name__ == "__main__":
    main()
