"""Average precision on WIDER FACE and COCO, by their own rules, from their own folders.

    python -m evaluate.public_sets wider-face WIDER --martlet ../../.build/release/martlet [--mode fast]
    python -m evaluate.public_sets coco COCO --martlet ../../.build/release/martlet

WIDER holds `WIDER_val/images`, and `wider_face_split` with `wider_face_val_bbx_gt.txt` and, from the archive of the
evaluation tools, `wider_easy_val.mat`, `wider_medium_val.mat` and `wider_hard_val.mat`. Without the latter, all faces
that are not marked as invalid count. The rules: sides hold both end pixels; a box finds the face that it overlaps most,
once, if their IoU is 0.5 or more; boxes on faces outside the subset and images without faces do not count; scores are
scaled to 0...1 over all images, and the area under the envelope of precision at 1,000 thresholds is the result.

COCO holds `val2017` and `annotations/instances_val2017.json`. Boxes are compared without their classes, as objects are
detected without them: `martlet evaluate --ignore-classes` has pycocotools' rules.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

SUBSETS = ["easy", "medium", "hard"]
STEPS = 1000
IGNORED, FREE, FOUND = -1, 0, 1
MINIMUM_SCORE = 0.02


def annotations(file):
    """The boxes [n, 4] (x, y, width, height) of each image, by `event/name.jpg`, and which are valid [n]."""
    lines = iter(Path(file).read_text().splitlines())
    found = {}
    for name in lines:
        count = int(next(lines))
        rows = [[int(value) for value in next(lines).split()] for _ in range(max(1, count))][:count]
        numbers = np.array(rows).reshape(-1, 10)
        found[name] = numbers[:, :4].astype(float), numbers[:, 7] == 0
    return found


def subset(file):
    """The indices of an image's faces that count, by `event/name.jpg`."""
    from scipy.io import loadmat  # only these files need it

    content = loadmat(file)
    found = {}
    for event, files, kept in zip(content["event_list"], content["file_list"], content["gt_list"]):
        for name, indices in zip(files[0], kept[0]):
            found[f"{event[0][0]}/{name[0][0]}.jpg"] = indices[0].ravel().astype(int) - 1
    return found


def overlaps(boxes, faces):
    """IoU [n, m] of boxes (x, y, width, height) whose sides hold both end pixels."""
    sizes = [each[:, 2:] + 1 for each in (boxes, faces)]
    first = np.maximum(boxes[:, None, :2], faces[None, :, :2])
    last = np.minimum(boxes[:, None, :2] + boxes[:, None, 2:], faces[None, :, :2] + faces[None, :, 2:])
    shared = np.maximum(last - first + 1, 0).prod(2)
    return shared / (sizes[0].prod(1)[:, None] + sizes[1].prod(1)[None] - shared)


def counted(boxes, faces, counts):
    """Of each box, by decreasing score: whether it counts, and how many faces are found up to it."""
    state = np.where(counts, FREE, IGNORED)
    is_counted, found = np.ones(len(boxes), bool), np.zeros(len(boxes), int)
    shared = overlaps(boxes, faces)
    for index, (best, overlap) in enumerate(zip(shared.argmax(1), shared.max(1))):
        if overlap >= 0.5 and state[best] == IGNORED:
            is_counted[index] = False
        elif overlap >= 0.5:
            state[best] = FOUND
        found[index] = (state == FOUND).sum()
    return is_counted, found


def average_precision(detected, annotated, kept):
    """`detected`: boxes and scores [n] by image; `annotated`: boxes by image; `kept`: indices that count, by image."""
    scores = np.concatenate([scores for _, scores in detected.values()] or [[]])
    if not len(scores):
        return 0.0
    low, high = scores.min(), scores.max()
    proposals, hits = np.zeros(STEPS), np.zeros(STEPS)
    for name, faces in annotated.items():
        boxes, scores = detected.get(name, (np.zeros((0, 4)), np.zeros(0)))
        if not len(boxes) or not len(faces):
            continue
        order = np.argsort(-scores, kind="stable")
        is_counted, found = counted(boxes[order], faces, np.isin(np.arange(len(faces)), kept.get(name, [])))
        scaled = (scores[order] - low) / max(high - low, np.finfo(float).tiny)
        last = np.searchsorted(-scaled, -(1 - np.arange(1, STEPS + 1) / STEPS), side="right") - 1
        has = last >= 0
        proposals[has] += np.cumsum(is_counted)[last[has]]
        hits[has] += found[last[has]]
    recall = hits / max(1, sum(len(indices) for indices in kept.values()))
    precision = hits / np.maximum(proposals, 1)
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float((np.diff(recall, prepend=0) * envelope).sum())


def detections(lines, names):
    """Boxes and scores by `event/name.jpg`, from lines of `martlet faces --json`."""
    by_file = {Path(name).name: name for name in names}
    found = {}
    for line in map(json.loads, lines):
        faces = line.get("faces", [])
        frames = [[face["frame"][key] for key in ("x", "y", "width", "height")] for face in faces]
        name = by_file.get(Path(line["image"]).name)
        if name:
            found[name] = np.array(frames, float).reshape(-1, 4), np.array([face["score"] for face in faces])
    return found


def scores(folder, lines):
    """Average precision by subset, for the lines of all validation images."""
    split = Path(folder) / "wider_face_split"
    faces = annotations(split / "wider_face_val_bbx_gt.txt")
    boxes = {name: boxes for name, (boxes, _) in faces.items()}
    detected = detections(lines, faces)
    files = {name: split / f"wider_{name}_val.mat" for name in SUBSETS}
    kept = {name: subset(file) for name, file in files.items() if file.exists()}
    kept = kept or {"all": {name: np.flatnonzero(valid) for name, (_, valid) in faces.items()}}
    return {name: average_precision(detected, boxes, indices) for name, indices in kept.items()}


def wider_face(options):
    """Detects faces in all validation images, and prints the average precision of each subset."""
    command = [options.martlet, "faces", options.folder / "WIDER_val/images", "--recursive", "--json", "--mode", options.mode,
               "--min-score", str(MINIMUM_SCORE), "--full-resolution"]
    lines = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    for name, value in scores(options.folder, lines).items():
        print(f"{name:6}  AP {value:.3f}")


def coco(options):
    """Detects objects in all validation images, and prints the table of `martlet evaluate`."""
    truth = options.folder / "annotations/instances_val2017.json"
    with tempfile.TemporaryDirectory() as work:
        boxes = Path(work) / "boxes.json"
        subprocess.run([options.martlet, "detect", options.folder / "val2017", "--max-objects", "100", "--all-boxes",
                        "--min-score", str(MINIMUM_SCORE), "--format", "coco", "--output", boxes], check=True)
        subprocess.run([options.martlet, "evaluate", boxes, truth, "--ignore-classes"], check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", choices=["wider-face", "coco"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--martlet", default="martlet")
    parser.add_argument("--mode", default="accurate", choices=["accurate", "fast"], help="of faces")
    options = parser.parse_args()
    (wider_face if options.set == "wider-face" else coco)(options)


if __name__ == "__main__":
    main()
