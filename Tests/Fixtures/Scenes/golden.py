#!/usr/bin/env python3
"""Writes golden.json: the objects that other implementations detect in the scenes.

    python golden.py        (needs Pillow, NumPy, OpenCV and ai-edge-litert)

Pillow decodes and scales, LiteRT's reference kernels run the shipped networks, and
Weights/Training/evaluate/decode.py, which is independent of the Swift code, decodes the objects: all, and those
that its rules report of several from a minimum score on. The classifier's scores and the fine labels are those of
the true boxes in objects.json, which are whole pixels, so that they can be compared exactly. Run it whenever the
networks or the images change.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

HERE = Path(__file__).resolve().parent
WEIGHTS = HERE.parents[2] / "Weights"
sys.path.insert(0, str(WEIGHTS / "Training"))
from data.fine_labels import FineLabels  # noqa: E402
from evaluate import decode  # noqa: E402

OBJECTS = 5
MINIMUMS = 0.03, 0.1, 0.25, 0.4, 0.6  # the default is 0.25
NAMES, LEAST_CONFIDENCE, SHOWN_CONFIDENCE = 5, 0.3, 0.6  # of the fine labels


class Network:
    """A shipped model on LiteRT's reference kernels: from part of an image, or from an input's bytes, to real numbers."""

    def __init__(self, name):
        self.interpreter = Interpreter(
            str(WEIGHTS / f"{name}.tflite"),
            experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
            experimental_preserve_all_tensors=True)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]

    def __call__(self, image, box):
        _, height, width, _ = self.input["shape"]
        return self.run(np.asarray(image.resize((int(width), int(height)), Image.BILINEAR, box=box))[None])

    def run(self, input_):
        self.interpreter.set_tensor(self.input["index"], input_)
        self.interpreter.invoke()
        return [self.real(detail) for detail in self.interpreter.get_output_details()]

    def tensor(self, name):
        """The elements of a tensor of the graph after a run."""
        [index] = [detail["index"] for detail in self.interpreter.get_tensor_details() if detail["name"] == name]
        return self.interpreter.get_tensor(index)

    def real(self, detail):
        scale, zero = detail["quantization"]
        values = self.interpreter.get_tensor(detail["index"])[0].astype(np.float32)
        return np.float32(scale) * (values - zero)


def named(probabilities):
    """Text and confidence of the best fine labels; the first of equals comes first. If none is sure, a sure hypernym
    comes before them."""
    names = FineLabels()
    best = np.argsort(-probabilities, kind="stable")[:NAMES]
    labels = [[names.names[i], float(probabilities[i])] for i in best if probabilities[i] >= LEAST_CONFIDENCE]
    [hypernym], [confidence] = names.best_hypernyms(probabilities[None])
    if confidence < SHOWN_CONFIDENCE or probabilities.max() >= SHOWN_CONFIDENCE:
        return labels
    return [[hypernym, float(confidence)], *[label for label in labels if label[0] != hypernym][: NAMES - 1]]


def listed(boxes, scores, size):
    """Frames in pixels and scores."""
    return [{"frame": [round(float(v), 3) for v in (x0, y0, x1 - x0, y1 - y0)], "score": round(float(score), 5)}
            for (x0, y0, x1, y1), score in zip(boxes * size, scores)]


def reported(outputs, minimum, size):
    """The objects that are reported of several from a score of `minimum` on."""
    boxes, scores = decode.objects(outputs, decode.Parameters(limit=20))
    kept = decode.reported(boxes, scores, minimum)
    kept = kept[decode.selected(scores[kept], OBJECTS)]
    return {"minimum": minimum, "objects": listed(boxes[kept], scores[kept], size)}


def main():
    localizer, classifier, namer = Network("localizer"), Network("classifier"), Network("fine-labels")
    truth = json.loads((HERE / "objects.json").read_text())
    results = []
    for path in sorted(HERE.glob("*.jpg")):
        image = Image.open(path).convert("RGB")
        size = np.array([image.width, image.height] * 2)
        whole = (0, 0, image.width, image.height)
        outputs = localizer(image, whole)
        objects = listed(*decode.objects(outputs), size)
        crops = []
        for object_ in truth[path.name]["objects"]:
            box = [object_["box"][key] for key in ("x", "y", "width", "height")]
            x, y, width, height = box
            confidences = classifier(image, (x, y, x + width, y + height))[0].ravel()
            names = namer.run(classifier.tensor(namer.input["name"]))[0]
            crops.append({"box": box, "confidences": [round(float(v), 6) for v in confidences],
                          "fineLabels": named(names),
                          "fineChecksum": zlib.crc32(np.round(names * 256).astype(np.uint8).tobytes())})
        results.append({"image": path.name, "objects": objects,
                        "reported": [reported(outputs, minimum, size) for minimum in MINIMUMS], "crops": crops})
    lines = ",\n".join(json.dumps(result) for result in results)
    (HERE / "golden.json").write_text(f"[{lines}]\n")


if __name__ == "__main__":
    main()
