"""The images and their labels.

Each image is decoded once into one flat file, which training maps into memory. A crop then costs
0.1 ms, and two runs share the pages. An index file has the offset and the size of each image.
"""

import csv
import json
import zlib
from pathlib import Path

import cv2
import numpy as np

cv2.setNumThreads(1)

# The order of the classifier's outputs. The first five are ML Kit's coarse categories, in its order.
CATEGORIES = ["fashion", "home", "food", "places", "plants", "unknown"]
LABELS = ["Fashion good", "Home good", "Food", "Place", "Plant", "Unknown"]


def read_json_lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file if line.strip()]


def predictions(path):
    """Rows of predictions, with images named as in the data's lists."""
    rows = read_json_lines(path)
    for row in rows:
        row["image"] = "/".join(Path(row["image"]).parts[-3:])
    return rows


def coarse_rows(data):
    """Rows of coarse/labels.csv: file, category, source, split, ..."""
    with open(Path(data) / "coarse/labels.csv", newline="") as file:
        return list(csv.DictReader(file))


def box_rows(data):
    """Images of boxes/annotations.json with their boxes."""
    return json.loads((Path(data) / "boxes/annotations.json").read_text())["images"]


def more_rows(data):
    """Images of more/ with their category, or "", and their boxes, or []."""
    boxes = json.loads((Path(data) / "more/boxes.json").read_text())
    with open(Path(data) / "more/pictures.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["boxes"] = [box[:4] for box in boxes.get(row["file"], {"boxes": []})["boxes"]]
        row["category"] = row["coarse"]
        row["file"] = "more/" + row["file"]
    return rows


def more_box_rows(data):
    """The images of more/ that have boxes, in the form of `box_rows`."""
    known = json.loads((Path(data) / "more/boxes.json").read_text())
    for row in more_rows(data):
        if row["boxes"]:
            boxes = [{"box": box, "difficult": False} for box in row["boxes"]]
            yield {**row, "width": int(row["width"]), "height": int(row["height"]), "boxes": boxes,
                   "labelled": known[row["file"].removeprefix("more/")]["labelled"]}


def gathered_rows(data):
    """Images of gathered/ (data/gather.py) with their category, or "". A folder without it has none."""
    path = Path(data) / "gathered/images.csv"
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [{**row, "file": "gathered/" + row["file"], "split": "train"} for row in csv.DictReader(file)]


def face_rows(data):
    """Images of faces/ that may be trained on."""
    rows = json.loads((Path(data) / "faces/annotations.json").read_text())["images"]
    return [{"file": "faces/" + row["file"], "source": row["source"], "split": row["split"]}
            for row in rows if row["use"] == "training"]


def scene_rows(data):
    """Images of scenes/, which are not annotated."""
    return [{"file": row["image"]} for row in read_json_lines(Path(data) / "scenes/teacher_boxes.jsonl")]


def teacher_boxes(data):
    """file -> array [n, 5] of x0, y0, x1, y1 (share of the image) and score, best first."""
    boxes = {}
    for name in ("teacher/boxes.jsonl", "scenes/teacher_boxes.jsonl"):
        for row in read_json_lines(Path(data) / name):
            b = np.array(row["b"], np.float32).reshape(-1, 5)
            b[:, 2:4] += b[:, :2]
            b[:, :4] /= [row["w"], row["h"], row["w"], row["h"]]
            boxes[row["image"]] = b
    return boxes


def stored_crops(data):
    """Files and boxes (x, y, width, height in pixels of the list; 0 for a whole image) of annotated and detected
    objects."""
    parts = [np.load(Path(data) / f"teacher/labeler_{n}.npz") for n in (1, 2)]
    files = np.concatenate([part["files"][part["file_index"]] for part in parts])
    return files, np.concatenate([part["box"] for part in parts]).astype(np.float32)


def stored_answers(data):
    """Two classifiers' answers [n, 4, 20] (data/answers.py) about the crops of `stored_crops`."""
    kinds = ("mnv2_index", "mnv2_prob", "labeler_index", "labeler_prob")
    parts = [np.load(Path(data) / f"teacher/labeler_{n}.npz") for n in (1, 2)]
    return np.concatenate([np.stack([part[kind] for kind in kinds], 1) for part in parts]).astype(np.uint16)


def in_share(file, share):
    """Whether an image is in a share of all images, the same in every run."""
    return zlib.crc32(file.encode()) < share * 2**32


class Images:
    """Images of the data set as arrays [height, width, 3], by file name. Those that `files(data)` lists and that are
    not yet packed under `name` are packed on first use."""

    def __init__(self, data, cache, files=None, name="pixels"):
        listed, pixels = Path(cache) / f"{name}.json", Path(cache) / f"{name}.bin"
        self._index = json.loads(listed.read_text()) if listed.exists() else {}
        missing = [file for file in dict.fromkeys((files or object_files)(data)) if file not in self._index]
        if missing:
            self._index |= _packed(Path(data), missing, pixels)
            listed.write_text(json.dumps(self._index))
        self._bytes = np.memmap(pixels, np.uint8, "r")

    def __contains__(self, file):
        return self._index.get(file) is not None

    def __iter__(self):
        return (file for file, place in self._index.items() if place)

    def __getitem__(self, file):
        offset, height, width = self._index[file]
        return self._bytes[offset : offset + height * width * 3].reshape(height, width, 3)


def object_files(data):
    """The images of the classifier and the localizer, for training and evaluation."""
    files = [row["file"] for row in coarse_rows(data)]
    files += [row["file"] for row in box_rows(data)]
    files += [row["file"] for row in scene_rows(data)]
    return files + [row["file"] for row in more_rows(data) + face_rows(data) + gathered_rows(data)]


def _packed(data, files, pixels):
    """Appends images to a file. Returns the offset, height and width of each, or None if it can't be decoded."""
    places = {}
    pixels.parent.mkdir(parents=True, exist_ok=True)
    with open(pixels, "ab") as out:
        for file in files:
            image = cv2.imread(str(data / file), cv2.IMREAD_COLOR)
            places[file] = None if image is None else [out.tell(), *image.shape[:2]]
            if image is not None:
                out.write(cv2.cvtColor(image, cv2.COLOR_BGR2RGB).tobytes())
    return places
