"""Faces turned by any angle and faces in dark images: how many are detected, and with which Euler Z.

    python -m evaluate.turned --data DATA --martlet ../../.build/release/martlet --work FOLDER [--mode fast]

Takes 60 images of HELEN and AFW with one face of at least 60 pixels. FOLDER receives each of them turned counter-clockwise
by an angle, or darkened by a factor, or darkened with noise. A face is detected if the center of a box is at most 0.35
of the face's size from its center. `Z` is the share of the detected faces whose Euler Z is the upright one plus the
angle, within 15 degrees.
"""

import argparse
import json
import subprocess
from pathlib import Path

import cv2
import numpy as np

COUNT = 60
SIZE = 60
NOISE = 4  # standard deviation, in bytes
ANGLES = [0, 30, 45, 60, 75, 90, 135, 180, 225, 270, 315]
# Name, factor, and whether noise is added.
DARK = [("x0.2", 0.2, False), ("x0.15", 0.15, False), ("x0.1", 0.1, False), ("x0.2, noise", 0.2, True)]


def chosen(data):
    """Files and boxes (x, y, width, height) of the images."""
    rows = json.loads((Path(data) / "faces/annotations.json").read_text())["images"]
    rows = [row for row in rows if row["source"] in ("helen", "afw") and len(row["faces"]) == 1
            and row["faces"][0]["box"][2] >= SIZE]
    for row in rows[:: max(1, len(rows) // COUNT)][:COUNT]:
        yield Path(data) / "faces/images" / Path(row["file"]).name, row["faces"][0]["box"]


def turned(image, box, angle):
    """The image and the box of its face, turned counter-clockwise by degrees."""
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1)
    cos, sin = np.abs(matrix[0, :2])
    size = round(width * cos + height * sin), round(width * sin + height * cos)
    matrix[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    x, y = matrix @ (box[0] + box[2] / 2, box[1] + box[3] / 2, 1)
    side = max(box[2:])
    return cv2.warpAffine(image, matrix, size, flags=cv2.INTER_CUBIC), [x - side / 2, y - side / 2, side, side]


def darkened(image, factor, has_noise):
    pixels = image * factor
    if has_noise:
        pixels = pixels + np.random.default_rng(1).normal(0, NOISE, pixels.shape)
    return pixels.clip(0, 255).astype(np.uint8)


def views(data, work):
    """By name: the angle, and path and box of each image."""
    found = {}
    for file, box in chosen(data):
        image = cv2.imread(str(file))
        for angle in ANGLES:
            found.setdefault(f"{angle}°", (angle, []))[1].append((file, *turned(image, box, angle)))
        for name, factor, has_noise in DARK:
            found.setdefault(name, (0, []))[1].append((file, darkened(image, factor, has_noise), box))
    for name, (angle, images) in found.items():
        paths = []
        for file, image, box in images:
            path = work / f"{name}_{file.stem}.png"
            cv2.imwrite(str(path), image)
            paths.append((path, box))
        yield name, angle, paths


def holds(box, frame):
    """Whether the center of a detected face is near that of an annotated one."""
    x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
    return (abs(x - box[0] - box[2] / 2) < 0.35 * box[2]) and (abs(y - box[1] - box[3] / 2) < 0.35 * box[3])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--martlet", required=True)
    parser.add_argument("--work", required=True, type=Path)
    parser.add_argument("--mode", default="accurate", choices=["accurate", "fast"])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    upright = []
    print(f"{options.mode}\n\n| view | detected | others | Z |\n|---|---|---|---|")
    for name, angle, paths in views(options.data, options.work):
        command = [options.martlet, "faces", "--mode", options.mode, "--json", *[str(path) for path, _ in paths]]
        lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        faces = [json.loads(line)["faces"] for line in lines]
        right = [next((f for f in each if holds(box, f["frame"])), None) for each, (_, box) in zip(faces, paths)]
        upright = upright or [face and face["eulerZ"] for face in right]
        errors = [(face["eulerZ"] - z - angle + 180) % 360 - 180 for face, z in zip(right, upright)
                  if face and z is not None]
        count = sum(face is not None for face in right)
        good = np.mean(np.abs(errors) < 15) if errors else 0
        print(f"| {name} | {count} | {sum(map(len, faces)) - count} | {good:.2f} |", flush=True)


if __name__ == "__main__":
    main()
