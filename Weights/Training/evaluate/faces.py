"""Runs the face networks, packed runs or exported files, and writes or prints their results.

    python -m evaluate.faces images --detector D --mesh M [--eyes E --smile S] --split val --out faces.jsonl …
    python -m evaluate.faces eyes  --eyes E  --split val --out eyes.jsonl …
    python -m evaluate.faces smile --smile S --split val --out smile.jsonl …
    python -m evaluate.faces empty --detector D --backgrounds LIST …
    python -m evaluate.faces recall --said LINES … --threshold 0.4 --split val …

each with --data DATA --cache CACHE --faces FACES. A network is a RUN/packed.npz (float32) or a .tflite
(integers); `--size` is the input of a packed detector; `--detector annotated` takes annotated boxes.
`images` detects faces in whole images, `eyes` and `smile` classify labeled crops. `empty` counts false faces
on the scenes without people that are not trained on. `recall` prints the recall in files of `martlet faces
--json` or of evaluate/blazeface.py, also for small and for turned faces.
"""

import argparse
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

from data import faces
from data.expression_views import eye_crop, smile_crop
from data.face_geometry import LEFT_EYE, RIGHT_EYE, Crop, euler, reference
from data.images import read_json_lines
from evaluate import decode_faces
from evaluate.decode_faces import overlaps
from evaluate.network import resized
from export import faces as export_faces
from networks.face_networks import ACCURATE

ANNOTATED = "annotated"


def use_one_thread():
    """Limits TensorFlow to one thread. Call it before the first `Network`."""
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


class Network:
    """Bytes [height, width, 3] -> outputs as real numbers, in the order of the exported file. All but the detector have
    inputs of `size`, which is square."""

    def __init__(self, kind, path, folder, size=None):
        self._bytes, self._interpreters = None, {}
        if Path(path).suffix == ".tflite":
            self._bytes = Path(path).read_bytes()
            self.size = int(self._interpreter(None).get_input_details()[0]["shape"][1])
        else:
            self.size = size if kind == "detector" else export_faces.side(kind)
            model = export_faces.trained(kind, path, folder, None if kind == "detector" else self.size)
            self._predict = tf.function(lambda image: model(image, training=False))
            self._probability = kind in ("eyes", "smile")

    def _interpreter(self, sides):
        if sides not in self._interpreters:
            content = resized(self._bytes, *sides) if sides else self._bytes
            self._interpreters[sides] = tf.lite.Interpreter(model_content=content, num_threads=1)
            self._interpreters[sides].allocate_tensors()
        return self._interpreters[sides]

    def __call__(self, image):
        if self._bytes is None:
            outputs = self._predict(tf.constant(image[None].astype(np.float32) / 255))
            outputs = [o.numpy()[0] for o in (outputs if isinstance(outputs, list) else [outputs])]
            return [1 / (1 + np.exp(-o)) for o in outputs] if self._probability else outputs
        interpreter = self._interpreter(image.shape[1::-1])
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], image[None])
        interpreter.invoke()
        outputs = []
        for output in interpreter.get_output_details():
            scale, zero = output["quantization"]
            values = interpreter.get_tensor(output["index"])[0].astype(np.float32)
            outputs.append((values - zero) * scale)
        return outputs


class Pipeline:
    """Detects the faces in whole images, as entries of JSON lines."""

    def __init__(self, options):
        paths = {kind: getattr(options, kind) for kind in ("detector", "mesh", "eyes", "smile")}
        self.networks = {kind: Network(kind, path, options.faces, options.size)
                         for kind, path in paths.items() if path and path != ANNOTATED}
        detector = self.networks.get("detector")
        self.is_accurate = detector is None or detector.size == ACCURATE
        self.canonical = np.load(options.faces / "martlet.npy")
        self.front = reference(self.canonical)
        self.parameters = decode_faces.Parameters(least_score=options.threshold)

    def detections(self, image):
        """Scores, boxes x0 y0 x1 y1 and six points in pixels of the image."""
        detector = self.networks["detector"]
        return decode_faces.faces(detector, image, detector.size, self.parameters, self.is_accurate)

    def __call__(self, image, row):
        found = self.detections(image) if "detector" in self.networks else annotated(row)
        return [self._face(image, *face) for face in zip(*found)]

    def _face(self, image, score, box, six):
        box = np.concatenate([box[:2], box[2:] - box[:2]])
        result = {"frame": dict(zip(("x", "y", "width", "height"), map(float, box))), "score": float(score)}
        landmarks = dict(zip(("rightEye", "leftEye", "nose", None, "rightEar", "leftEar"), six))
        if "mesh" in self.networks:
            mesh, present, crop = self.mesh(image, box, six)
            result["present"], result["mesh"] = float(present), mesh[:, :2].round(2).tolist()
            landmarks |= {"rightEye": mesh[RIGHT_EYE, :2].mean(0), "leftEye": mesh[LEFT_EYE, :2].mean(0),
                          "nose": mesh[4, :2], "leftMouth": mesh[291, :2], "rightMouth": mesh[61, :2]}
            result |= zip(("eulerX", "eulerY", "eulerZ"), map(float, euler(mesh, self.canonical)))
            result |= self._expression(image, mesh, crop)
        result["landmarks"] = {name: point[:2].tolist() for name, point in landmarks.items() if name}
        return result

    def mesh(self, image, box, six):
        """Mesh [468, 3] in the image, probability of a face, crop. The accurate mode has a second
        pass, on the crop around the first mesh."""
        crop = Crop.of(box, six[[0, 1, 3]])
        mesh, present = self._run_mesh(image, crop)
        if present >= 0.5 and self.is_accurate:
            crop = Crop.around(mesh)
            mesh, present = self._run_mesh(image, crop)
        return mesh, present, crop

    def _run_mesh(self, image, crop):
        network = self.networks["mesh"]
        points, depths, present = network(crop.cut(image, network.size))
        flat = np.concatenate([points.reshape(468, 2), depths[:, None]], 1) + self.front
        return crop.to_image(flat), 1 / (1 + np.exp(-present[0]))

    def _expression(self, image, mesh, crop):
        probabilities = {}
        if "eyes" in self.networks:
            network = self.networks["eyes"]
            for side in ("left", "right"):
                eye = eye_crop(mesh, crop, side == "left").cut(image, network.size)
                eye = eye if side == "left" else np.ascontiguousarray(eye[:, ::-1])
                probabilities[f"{side}EyeOpenProbability"] = float(network(eye)[0][0])
        if "smile" in self.networks:
            network = self.networks["smile"]
            probabilities["smilingProbability"] = float(network(smile_crop(mesh, crop).cut(image, network.size))[0][0])
        return probabilities


def annotated(row):
    """The annotated faces of an image as detections, with the teacher's points."""
    known = [face for face in row["faces"] if face["teacher"] and face["teacher"].get("k")]
    boxes = np.array([face["box"] for face in known], float).reshape(-1, 4)
    boxes[:, 2:] += boxes[:, :2]
    return np.ones(len(known)), boxes, [np.reshape(face["teacher"]["k"], (6, 2)) for face in known]


def write(path, lines):
    with open(path, "w") as file:
        for image, found in lines:
            # The scored images are JPEGs.
            name = str(Path(image).with_suffix(".jpg"))
            file.write(json.dumps({"image": name, "faces": found}) + "\n")


def run_images(options, images):
    pipeline = Pipeline(options)
    rows = [row for row in faces.annotated(options.data) if row["split"] == options.split]
    write(options.out, ((row["file"], pipeline(images[row["file"]], row)) for row in rows))


def run_crops(options, images):
    from train.expression import area_under_curve, calibration_error, crop, labeled
    kind = options.task
    network = Network(kind, getattr(options, kind), options.faces)
    files, truth = labeled(options.data, kind, options.split)
    predicted = np.array([network(crop(images[file], network.size))[0][0] for file in files])
    names = ["leftEyeOpenProbability"] if kind == "eyes" else ["smilingProbability"]
    write(options.out, ((file, [{name: float(value) for name in names}]) for file, value in zip(files, predicted)))
    print(f"{len(files)} crops  area under curve {area_under_curve(predicted, truth):.4f}  "
          f"calibration error {calibration_error(predicted, truth):.3f}")


def count_false_faces(options, images):
    pipeline = Pipeline(options)
    files = faces.without_people(options.data, options.backgrounds, held_out=True)
    scores = np.concatenate([pipeline.detections(images[file])[0] for file in files])
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7):
        print(f"score {threshold}: {(scores >= threshold).sum()} false faces on {len(files)} images")


def print_recall(options, images):
    """Shares of faces found at an overlap of 0.3 in each file of `martlet faces --json` or evaluate/blazeface.py."""
    rows = [row for row in faces.annotated(options.data) if row["split"] == options.split]
    for path in options.predictions:
        found = {Path(line["image"]).stem: line["faces"] for line in read_json_lines(path)}
        shares, unmatched = {}, 0
        for row in rows:
            frames = [face["frame"] for face in found[Path(row["file"]).stem]
                      if face["score"] >= options.threshold]
            boxes = np.array([[f["x"], f["y"], f["x"] + f["width"], f["y"] + f["height"]] for f in frames])
            boxes, matched = boxes.reshape(-1, 4), np.zeros(len(frames), bool)
            for face in row["faces"]:
                x, y, w, h = face["box"]
                near = overlaps(np.array([x, y, x + w, y + h]), boxes) >= 0.3
                matched |= near
                for group in groups(face):
                    shares.setdefault(group, []).append(near.any())
            unmatched += (~matched).sum()
        print(path, *[f"{group}: {np.mean(hits):.3f} of {len(hits)}" for group, hits in sorted(shares.items())],
              f"and {unmatched} boxes without a face", sep="  ")


def groups(face):
    """Groups of a face by size and by rotation, which is the teacher's."""
    large, teacher = max(face["box"][2:]), face["teacher"] or {}
    yield "under 16" if large < 16 else "16 to 24" if large < 24 else "from 24"
    if abs(teacher.get("e", teacher.get("e6", [0, 0, 0]))[1]) > 45:
        yield "turned over 45"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("task", choices=["images", "eyes", "smile", "empty", "recall"])
    for kind in ("detector", "mesh", "eyes", "smile"):
        parser.add_argument(f"--{kind}", help="packed run or .tflite")
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--faces", required=True, type=Path, help="folder with martlet.npy")
    parser.add_argument("--backgrounds", help="names of scenes without people")
    parser.add_argument("--split", default="val", choices=["val", "eval"])
    parser.add_argument("--size", type=int, default=320, help="input of a packed detector")
    parser.add_argument("--threshold", type=float, default=0.1, help="least score of a face")
    parser.add_argument("--said", nargs="+", dest="predictions",
                        help="prediction files of the split, in JSON lines")
    parser.add_argument("--out")
    options = parser.parse_args()

    use_one_thread()
    images = faces.run_images(options.data, options.cache)
    task = {"images": run_images, "eyes": run_crops, "smile": run_crops, "empty": count_false_faces, "recall": print_recall}
    task[options.task](options, images)


if __name__ == "__main__":
    main()
