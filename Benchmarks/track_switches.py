#!/usr/bin/env python3
"""Counts identifier switches, and the events in the ground truth that cause them.

    track_switches.py TRACKING_FOLDER SCORER_FOLDER TRACKS

TRACKS are lines of `martlet track --json`. SCORER_FOLDER holds score_tracking.py, whose matching this
script uses. For each sequence with several objects it prints the events, and lists each switch:

  hidden     less than a quarter of an object is visible, then more again: by contract an object that
             reappears is a new one
  crossings  two true boxes have an intersection over union of one half or more, so that one box
             fits both objects
"""
import json
import os
import sys

import numpy as np

folder, scorer, tracks = sys.argv[1:4]
sys.path.insert(0, scorer)
from score_tracking import hungarian, iou, load_pred  # noqa: E402

MIN_VISIBLE = 0.25
SAME = 0.5


def truth(frames, number):
    return [next((o for o in f["objects"] if o["id"] == number), None) for f in frames]


def runs(marks):
    """The number of runs of true marks."""
    return sum(1 for before, now in zip([False] + marks, marks) if now and not before)


def hidden(objects):
    """How often a visible object is hidden and reappears."""
    seen = [o is not None and o.get("visible", 1) >= MIN_VISIBLE for o in objects]
    return max(runs(seen) - 1, 0)


def crossings(frames, numbers):
    count = 0
    for index, a in enumerate(numbers):
        for b in numbers[index + 1:]:
            pairs = zip(truth(frames, a), truth(frames, b))
            count += runs([bool(p and q and iou([p["box"]], [q["box"]])[0, 0] >= SAME) for p, q in pairs])
    return count


def switches(frames, found):
    """The switches as score_tracking.py counts them."""
    last, when = {}, {}
    for number, (frame, boxes) in enumerate(zip(frames, found)):
        objects = [o for o in frame["objects"] if o.get("visible", 1) >= MIN_VISIBLE]
        overlaps = np.zeros((len(objects), len(boxes)))
        if objects and boxes:
            overlaps = iou([o["box"] for o in objects], [b for _, b in boxes])
        pairs, free = {}, set(range(len(boxes)))
        for row, o in enumerate(objects):
            for column in sorted(free):
                if last.get(o["id"]) == boxes[column][0] and overlaps[row, column] >= SAME:
                    pairs[row] = column
                    free.discard(column)
                    break
        rows, columns = [r for r in range(len(objects)) if r not in pairs], sorted(free)
        if rows and columns:
            part = overlaps[np.ix_(rows, columns)]
            for r, c in hungarian(np.where(part >= SAME, 1 - part, 10)):
                if part[r, c] >= SAME:
                    pairs[rows[r]] = columns[c]
        for row, column in sorted(pairs.items()):
            o, identifier = objects[row]["id"], boxes[column][0]
            if o in last and last[o] != identifier:
                yield f"frame {number}: object {o} was {last[o]} until frame {when[o]}, is {identifier}"
            last[o], when[o] = identifier, number


for name, found in sorted(load_pred(tracks).items()):
    with open(os.path.join(folder, name, "groundtruth.json")) as file:
        frames = json.load(file)["frames"]
    numbers = sorted({o["id"] for f in frames for o in f["objects"]})
    if len(numbers) < 2:
        continue
    lines = list(switches(frames, [found.get(os.path.basename(f["file"]), ([], None))[0] for f in frames]))
    print(
        f"{name}: {sum(hidden(truth(frames, n)) for n in numbers)} hidden,"
        f" {crossings(frames, numbers)} crossings; {len(lines)} switches")
    for line in lines:
        print("   ", line)
