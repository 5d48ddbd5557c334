#!/usr/bin/env python3
"""Compare `martlet track` with OpenCV's trackers, started with the true boxes of the first frame.

    compare_trackers.py MARTLET TRACKING_FOLDER SCORER_FOLDER [--markdown]

TRACKING_FOLDER holds a folder for each sequence, with its frames in img/ and groundtruth.json;
SCORER_FOLDER holds score_tracking.py, which measures both. Needs numpy and opencv-contrib-python.

Prints the area under the success curve of each sequence, and its means of rendered sequences and of videos.
The last row is OpenCV's median time per object and frame on one thread, in milliseconds.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import cv2

MIN_VISIBLE = 0.25
THEIRS = {"CSRT": "TrackerCSRT", "MIL": "TrackerMIL", "KCF": "TrackerKCF"}


def starts(truth):
    """The boxes that both start with: x, y, width, height."""
    return [o["box"] for o in truth["frames"][0]["objects"] if o.get("visible", 1) >= MIN_VISIBLE]


def ours(martlet, folder, truth):
    """The identifiers and boxes in each frame."""
    options = [word for box in starts(truth) for word in ("--start", ",".join(map(str, box)))]
    command = [martlet, "track", os.path.join(folder, "img"), "--json", *options]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()
    found = {}
    for line in map(json.loads, lines):
        found[os.path.basename(line["image"])] = [
            (o["trackingID"], [o["frame"][key] for key in ("x", "y", "width", "height")])
            for o in line["objects"]]
    return [found.get(os.path.basename(frame["file"]), []) for frame in truth["frames"]]


def theirs(kind, folder, truth, times):
    """The same for an OpenCV tracker per object. Appends milliseconds to `times`."""
    trackers, found = [], [list(enumerate(starts(truth)))]
    for frame in truth["frames"]:
        image = cv2.imread(os.path.join(folder, "img", os.path.basename(frame["file"])))
        if not trackers:
            for box in starts(truth):
                trackers.append(getattr(cv2, kind).create())
                trackers[-1].init(image, [round(value) for value in box])
            continue
        boxes = []
        for identifier, tracker in enumerate(trackers):
            before = time.perf_counter()
            is_found, box = tracker.update(image)
            times.append((time.perf_counter() - before) * 1000)
            if is_found:
                boxes.append((identifier, list(box)))
        found.append(boxes)
    return found


def row(cells, markdown):
    if markdown:
        return "| " + " | ".join(cells) + " |"
    return f"{cells[0]:20}" + "".join(f"{cell:>10}" for cell in cells[1:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("martlet")
    parser.add_argument("folder")
    parser.add_argument("scorer")
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_args()
    sys.path.insert(0, arguments.scorer)
    from score_tracking import sequence

    cv2.setNumThreads(1)
    print(row(["sequence", "Martlet", *THEIRS], arguments.markdown))
    if arguments.markdown:
        print("|---|" + "--:|" * (1 + len(THEIRS)))
    times, scores = {name: [] for name in THEIRS}, {"rendered": [], "videos": []}
    for name in sorted(os.listdir(arguments.folder)):
        folder = os.path.join(arguments.folder, name)
        if not os.path.exists(os.path.join(folder, "groundtruth.json")):
            continue
        with open(os.path.join(folder, "groundtruth.json")) as file:
            truth = json.load(file)
        found = [ours(arguments.martlet, folder, truth)]
        found += [theirs(kind, folder, truth, times[name]) for name, kind in THEIRS.items()]
        reached = [sequence(truth, frames)["AUC"] for frames in found]
        scores["videos" if truth.get("real") else "rendered"].append(reached)
        print(row([name, *[f"{value:.2f}" for value in reached]], arguments.markdown), flush=True)
    for kind, reached in scores.items():
        if reached:
            means = [f"{statistics.mean(values):.3f}" for values in zip(*reached)]
            print(row([f"{kind} ({len(reached)})", *means], arguments.markdown))
    spent = [f"{statistics.median(values):.1f}" if values else "" for values in times.values()]
    print(row(["ms per object", "", *spent], arguments.markdown))


if __name__ == "__main__":
    main()
