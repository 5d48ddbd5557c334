"""Contact sheets of the networks' errors.

    python -m evaluate.sheets boxes --data DATA --predictions boxes.jsonl  --out missed.png
    python -m evaluate.sheets crops --data DATA --predictions coarse.jsonl --out misnamed.png

`boxes`: validation images whose first object is not the most prominent one. Annotated boxes are green, the first
object is red, the next four are thin and yellow. `crops`: crops with a wrong category, by decreasing confidence, with
source, truth and answer.
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from data.boxes import overlap
from data.images import CATEGORIES, LABELS, box_rows, coarse_rows, predictions
from evaluate.measures import read, truth

TILE = 200
COLUMNS = 10
GREEN, RED, YELLOW = (0, 200, 0), (230, 0, 0), (230, 210, 0)


def missed(data, path):
    found = {row["image"]: row["objects"] for row in predictions(path)}
    for row in box_rows(data):
        frames = [[o["frame"][k] for k in ("x", "y", "width", "height")]
                  for o in found.get(row["file"], [])[:5]]
        annotated, main = truth(row)
        if row["split"] != "val" or not len(annotated):
            continue
        boxes = np.array(frames, float).reshape(-1, 4)
        boxes[:, 2:] += boxes[:, :2]
        if len(boxes) and overlap(boxes, annotated)[0, main] >= 0.5:
            continue
        tile, scale = _tile(read(data, row["file"]))
        marks = [(b, YELLOW, 1) for b in boxes[:0:-1]] + [(b, GREEN, 2) for b in annotated]
        for box, color, width in [*marks, *[(b, RED, 2) for b in boxes[:1]]]:
            corners = (box * scale).astype(int)
            cv2.rectangle(tile, corners[:2].tolist(), corners[2:].tolist(), color, width)
        yield _named(tile, row["source"])


def misclassified(data, path):
    annotated = {row["file"]: row for row in coarse_rows(data)}
    wrong = []
    for row in predictions(path):
        best = max(row["labels"], key=lambda label: label["confidence"], default=None)
        answer = CATEGORIES[LABELS.index(best["text"])] if best else "unknown"
        if row["image"] in annotated and answer != annotated[row["image"]]["category"]:
            wrong.append((best["confidence"] if best else 0, row["image"], answer))
    for confidence, file, answer in sorted(wrong, reverse=True):
        row = annotated[file]
        text = f"{row['source']}: {row['category']}, not {answer} {confidence:.2f}"
        yield _named(_tile(read(data, file))[0], text)


def _tile(image):
    scale = TILE / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    tile = np.full((TILE, TILE, 3), 255, np.uint8)
    tile[: small.shape[0], : small.shape[1]] = small
    return tile, scale


def _named(tile, text):
    strip = np.full((14, TILE, 3), 255, np.uint8)
    cv2.putText(strip, text, (2, 11), cv2.FONT_HERSHEY_SIMPLEX, 0.33, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([strip, tile])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["boxes", "crops"])
    parser.add_argument("--data", required=True)
    parser.add_argument("--predictions", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=80)
    options = parser.parse_args()
    tiles = list((missed if options.kind == "boxes" else misclassified)(options.data, options.predictions))
    print(len(tiles), "wrong")
    tiles = tiles[: options.count]
    tiles += [np.full_like(tiles[0], 255)] * (-len(tiles) % COLUMNS)
    rows = [np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)]
    cv2.imwrite(str(Path(options.out)), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
