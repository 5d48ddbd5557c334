"""The annotated faces: training set, evaluation sets, and MediaPipe's answers.

Images whose use is "evaluation" or whose license is "noncommercial" are never trained on. Neither are the
sources of HELD_OUT: they are an evaluation set, beside the validation split.
"""

import csv
import gzip
import importlib.util
import json
from pathlib import Path

from data.images import Images, coarse_rows, scene_rows

HELD_OUT = {"flickr30k", "dlib"}
MASKED = 1  # value of a face's `mask`: worn over mouth and nose


def annotated(data):
    """Images of faces/annotations.json. `teacher` of each face is MediaPipe's answer or None:
    k six key points, p presence, e Euler angles, m row of `meshes`."""
    folder = Path(data) / "faces"
    rows = json.loads((folder / "annotations.json").read_text())["images"]
    with gzip.open(folder / "teacher.jsonl.gz", "rt") as file:
        for row, line in zip(rows, file, strict=True):
            teacher = json.loads(line)["f"]
            row["file"] = "faces/" + row["file"]
            for face in row["faces"]:
                found = face.get("teacher")
                face["teacher"] = None if found is None else teacher[found]
    return rows


def trainable(row):
    return (row["use"] == "training" and row["split"] == "train"
            and row["licence_class"] != "noncommercial" and row["source"] not in HELD_OUT)


def evaluation_set(row):
    """The evaluation set of an image, "validation" or "held out", or None."""
    if row["use"] != "training":
        return None
    if row["source"] in HELD_OUT:
        return "held out"
    return "validation" if row["split"] == "val" else None


def labels(data, kind):
    """Rows of smile/labels.csv or eyes/labels.csv. `file` is relative to the data folder."""
    with open(Path(data) / f"faces/{kind}/labels.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["file"] = "faces/" + row["file"]
    return rows


def _mesh_io(data):
    spec = importlib.util.spec_from_file_location("mesh_io", Path(data) / "faces/mesh_io.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def meshes(data):
    """The teacher's meshes [n, 468, 3] in pixels of the image, z towards the back."""
    return _mesh_io(data).meshes()[:, :468]


def blendshapes(data):
    """The teacher's 52 blendshapes [n, 52] in 0...1, in the order of the meshes."""
    return _mesh_io(data).blend()


def without_people(data, names, held_out=False):
    """Files of scenes without people. Every second one is for training, the others for evaluation."""
    files = Path(names).read_text().split()
    return [f"scenes/images/{name}" for name in files[int(held_out)::2]]


WITHOUT_PEOPLE = ["food", "plants", "home"]  # categories of images without people


def object_files(data):
    """Training images of the classifier without people."""
    return [row["file"] for row in coarse_rows(data) if row["split"] == "train" and row["category"] in WITHOUT_PEOPLE]


def object_images(data, cache):
    return Images(data, cache, object_files, "things")


def _files(data):
    files = [row["file"] for row in annotated(data)]
    files += [row["file"] for kind in ("smile", "eyes") for row in labels(data, kind)]
    return files + [row["file"] for row in scene_rows(data)]


def images(data, cache):
    """All images with faces and all scenes."""
    return Images(data, cache, _files, "faces")
