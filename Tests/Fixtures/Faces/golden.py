#!/usr/bin/env python3
"""Writes golden.json: the faces that other implementations detect in the images of heads.

    python golden.py FACES        (needs Weights/Training/requirements.txt, and LiteRT by TensorFlow)

FACES is the folder with the canonical face `martlet.npy` of Weights/Training/data/canonical_face.py. OpenCV
scales and rotates, TensorFlow Lite runs the shipped networks, and Weights/Training/evaluate/faces.py, which is
independent of the Swift code, decodes their outputs. Run it whenever the networks or the images change.
"""

import json
import sys
from argparse import Namespace
from pathlib import Path

import cv2
import numpy as np

HERE = Path(__file__).resolve().parent
WEIGHTS = HERE.parents[2] / "Weights"
sys.path.insert(0, str(WEIGHTS / "Training"))
from evaluate.faces import Pipeline  # noqa: E402

KEPT = ("frame", "score", "leftEyeOpenProbability", "rightEyeOpenProbability", "smilingProbability", "mesh")


def main():
    files = {"mesh": "face-mesh", "eyes": "face-eyes", "smile": "face-smile"}
    golden = {}
    for mode in ("fast", "accurate"):
        files["detector"] = f"face-detector-{mode}"
        paths = {kind: WEIGHTS / f"{name}.tflite" for kind, name in files.items()}
        pipeline = Pipeline(Namespace(**paths, size=None, faces=Path(sys.argv[1]), threshold=0.4))
        for path in sorted(HERE.glob("*.jpg")):
            faces = pipeline(cv2.imread(str(path))[:, :, ::-1], None)
            for face in faces:
                mesh = np.array(face["mesh"]).round(1)
                (x, y), (right, bottom) = mesh.min(0), mesh.max(0)
                face["frame"] = dict(zip(("x", "y", "width", "height"), (x, y, round(right - x, 1), round(bottom - y, 1))))
                face["mesh"] = mesh.ravel().tolist()
                for key in KEPT[1:-1]:
                    face[key] = round(face[key], 4)
            golden.setdefault(path.name, {})[mode] = [
                {key: face[key] for key in KEPT} for face in faces if face["present"] > 0.5]
    lines = [f"  {json.dumps(name)}: {json.dumps(modes)}" for name, modes in golden.items()]
    (HERE / "golden.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
