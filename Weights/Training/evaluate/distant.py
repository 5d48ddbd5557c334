"""Faces at a distance: how many are detected in images and in streams of 1280x720.

    python -m evaluate.distant --data DATA --backgrounds NAMES --martlet ../../.build/release/martlet --work FOLDER

Each image with one face is scaled until the annotated box has a width of WIDTHS pixels, and pasted into a scene without
people of 1280x720 at a random place. A face is detected if a box overlaps the annotated one by 0.35 (intersection over
union). `--split eval`: 60 images of HELEN and AFW, as in `evaluate.turned`. `val`: 60 of validation and held-out sources.

A stream has 12 frames, in which one of the first 16 faces moves by half its width and grows by a tenth. `share` is the
share of frames in which it is detected.
"""

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

from data import faces
from evaluate.turned import COUNT, SIZE, chosen

WIDTHS = [120, 90, 60, 40, 28]
FRAME = 1280, 720
OVERLAP = 0.35
STREAMS, FRAMES = 16, 12


def validation(data):
    """Files and boxes of validation and held-out sources, never trained on."""
    rows = [row for row in faces.annotated(data) if faces.evaluation_set(row) and len(row["faces"]) == 1
            and row["faces"][0]["box"][2] >= SIZE and row["faces"][0]["box_from"] != "keypoints"]
    for row in rows[:: max(1, len(rows) // COUNT)][:COUNT]:
        yield Path(data) / row["file"], row["faces"][0]["box"]


def backgrounds(data, names):
    """Scenes without people, scaled and cut to the frame."""
    images = [cv2.imread(str(Path(data) / file)) for file in faces.without_people(data, names, held_out=True)[:COUNT]]
    for image in images:
        scale = max(whole / side for whole, side in zip(FRAME, image.shape[1::-1]))
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        yield cv2.resize(image[: FRAME[1], : FRAME[0]], FRAME)


def pasted(background, image, box, width, place):
    """The background with the image, scaled so that its face has this width, and the face's box. `place` is relative to
    the free space; what exceeds the frame is cut off."""
    scale = width / box[2]
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=method)
    x, y = (round(p * (whole - part)) for p, whole, part in zip(place, FRAME, small.shape[1::-1]))
    frame = background.copy()
    left, top = max(-x, 0), max(-y, 0)
    part = small[top : FRAME[1] - y, left : FRAME[0] - x]
    frame[y + top : y + top + part.shape[0], x + left : x + left + part.shape[1]] = part
    return frame, [scale * box[0] + x, scale * box[1] + y, scale * box[2], scale * box[3]]


def overlap(a, b):
    """Intersection over union of two boxes x, y, width, height."""
    sides = [max(min(a[i] + a[i + 2], b[i] + b[i + 2]) - max(a[i], b[i]), 0) for i in (0, 1)]
    both = sides[0] * sides[1]
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def is_found(face, box):
    frame = [face["frame"][key] for key in ("x", "y", "width", "height")]
    return overlap(frame, box) >= OVERLAP


def run(martlet, *arguments):
    """The faces of each image or frame."""
    command = [martlet, *map(str, arguments), "--json"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line)["faces"] for line in lines]


def stills(images, scenes, width, work):
    """Paths and boxes."""
    rng = np.random.default_rng(1)
    for (file, box), scene in zip(images, scenes):
        path = work / f"{width}_{file.stem}.png"
        frame, moved = pasted(scene, cv2.imread(str(file)), box, width, rng.random(2))
        cv2.imwrite(str(path), frame)
        yield path, moved


def streams(images, scenes, width, work):
    """Folders of frames, and the boxes of each frame."""
    rng = np.random.default_rng(1)
    for (file, box), scene in zip(images[:STREAMS], scenes):
        folder = work / f"{width}_{file.stem}_stream"
        folder.mkdir(exist_ok=True)
        image, boxes = cv2.imread(str(file)), []
        place, angle = rng.uniform(0.2, 0.8, 2), rng.uniform(0, 2 * np.pi)
        for number in range(FRAMES):
            share = number / (FRAMES - 1)
            way = share * 0.5 * width * np.array([np.cos(angle), np.sin(angle)]) / FRAME
            frame, moved = pasted(scene, image, box, width * (1 + 0.1 * share), place + way)
            cv2.imwrite(str(folder / f"{number:02}.png"), frame)
            boxes.append(moved)
        yield folder, boxes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--backgrounds", required=True, help="names of scenes without people")
    parser.add_argument("--martlet", required=True)
    parser.add_argument("--work", required=True, type=Path, help="folder for images")
    parser.add_argument("--mode", default="accurate", choices=["accurate", "fast"])
    parser.add_argument("--split", default="eval", choices=["val", "eval"])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    images = list((chosen if options.split == "eval" else validation)(options.data))
    scenes = list(backgrounds(options.data, options.backgrounds))
    print(f"{options.mode}, {options.split}\n\n| width | detected | others | share |\n|--:|--:|--:|--:|")
    for width in WIDTHS:
        paths = list(stills(images, scenes, width, options.work))
        found = run(options.martlet, "faces", "--mode", options.mode, *[path for path, _ in paths])
        count = sum(any(is_found(face, box) for face in each) for each, (_, box) in zip(found, paths))
        hits = []
        for folder, boxes in streams(images, scenes, width, options.work):
            frames = run(options.martlet, "track", folder, "--faces", "--mode", options.mode)
            hits += [any(is_found(face, box) for face in each) for each, box in zip(frames, boxes)]
        print(f"| {width} | {count} | {sum(map(len, found)) - count} | {np.mean(hits):.2f} |", flush=True)


if __name__ == "__main__":
    main()
