"""Lists images without people, and the false faces that a detector finds in them.

    python -m train.hard_negatives --data DATA --cache CACHE --faces FACES --further FURTHER --backgrounds NAMES
                             --run RUN/packed.npz --out negatives.json

An image counts as without people if NanoDet-Plus detects no person with a score of MAX_PERSON_SCORE or more. The
detector runs at its larger size, on the image and on its parts. The output maps each training image without
people to boxes x0, y0, x1, y1 in pixels: its false faces with a score of MIN_SCORE or more. Takes a quarter of an
hour on one core.
"""

import argparse
import json
from pathlib import Path

from data import faces
from data.images import Images, box_rows, coarse_rows, more_rows
from evaluate import decode_faces
from evaluate.faces import Network, use_one_thread
from networks.face_networks import ACCURATE
from teachers.detectors import NANODET, NanoDet

MAX_PERSON_SCORE, MIN_SCORE = 0.1, 0.2


def training_files(data, names):
    """The images of the training split."""
    rows = coarse_rows(data) + more_rows(data) + box_rows(data)
    files = [row["file"] for row in rows if row["split"] == "train"]
    return list(dict.fromkeys(files + faces.without_people(data, names)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--faces", required=True, type=Path)
    parser.add_argument("--further", required=True, type=Path, help="folder of the further teachers")
    parser.add_argument("--backgrounds", required=True, help="names of scenes without people")
    parser.add_argument("--run", required=True, help="packed.npz of the detector")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()

    use_one_thread()
    images = Images(options.data, options.cache)
    network = Network("detector", options.run, options.faces, ACCURATE)
    parameters = decode_faces.Parameters(least_score=MIN_SCORE, further=1)
    teacher, mistakes = NanoDet(options.further / NANODET), {}
    for file in training_files(options.data, options.backgrounds):
        if file in images and teacher.person(images[file]) < MAX_PERSON_SCORE:
            boxes = decode_faces.faces(network, images[file], ACCURATE, parameters, has_parts=True)[1]
            mistakes[file] = boxes.round(1).tolist()
    options.out.write_text(json.dumps(mistakes))
    print(len(mistakes), "images,", sum(map(len, mistakes.values())), "false faces")


if __name__ == "__main__":
    main()
