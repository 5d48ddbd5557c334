"""What the teachers say about images and parts of images: asked once, kept in the cache.

Teachers are .tflite files, one of them made by teachers/lite0.py; only their answers are used. Of the two that
name things the twenty best answers are kept, of EfficientNet-Lite0 the features.
"""

import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

from data import augment
from teachers import lite0

LOCALIZER = "kazu__object_detection_mobile_object_localizer_v1_1_default_1.tflite"
# ImageNet's 1001 classes, the labeler's 631.
CLASSIFIERS = ["coral__tf2_mobilenet_v2_1.0_224_ptq.tflite", "mlkit__object_labeler.tflite"]
TOP = 20


class Teacher:
    """A network on one thread: pixels of its input's size in, its outputs as bytes."""

    def __init__(self, content):
        self.interpreter = tf.lite.Interpreter(model_content=content, num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.outputs = self.interpreter.get_output_details()
        self.size = int(self.input["shape"][1])

    def __call__(self, pixels):
        self.interpreter.set_tensor(self.input["index"], pixels[None].astype(self.input["dtype"]))
        self.interpreter.invoke()
        return [self.interpreter.get_tensor(o["index"])[0] for o in self.outputs]


# What the three teachers of the classifier say of a crop: Lite0's features; by twenty, indices and
# shares (in 1/256) of ImageNet's classes, then of the labeler's labels.
ANSWER = np.dtype([("features", np.float16, lite0.FEATURES), ("named", np.uint16, (4, TOP))])


class Answers:
    """By a list's index and a crop's number in it. The teachers are asked about a crop when it is
    first needed; the answer stays in the cache."""

    def __init__(self, counts, cache, models):
        """`counts`: the crops of each list."""
        self._named = [Teacher((Path(models) / name).read_bytes()) for name in CLASSIFIERS]
        network = Path(cache) / "efficientnet_lite0.tflite"
        if not network.exists():
            network.write_bytes(lite0.tflite())
        self._lite0 = Teacher(network.read_bytes())
        self._cached = [cached_array(Path(cache) / f"answers_{i}_{count}.bin", ANSWER, (count,))
                      for i, count in enumerate(counts)]

    def __call__(self, place, image):
        """`image()` returns the pixels."""
        index, number = place
        answer = self._cached[index][number]
        if not answer["named"][1].any():
            answer = self._cached[index][number] = self.query(image())
        return answer

    def query(self, image):
        pixels = augment.resize(image, lite0.SIZE)
        answer = np.zeros((), ANSWER)
        answer["features"] = self._lite0(pixels)[0]
        for i, teacher in enumerate(self._named):
            scores = teacher(pixels)[0]
            best = np.argsort(-scores.astype(int), kind="stable")[:TOP]
            answer["named"][2 * i], answer["named"][2 * i + 1] = best, scores[best]
        return answer


def cached_array(path, kind, shape):
    """An array in a file, zero where nothing was written."""
    if not path.exists():
        with open(path, "wb") as file:
            file.truncate(int(np.prod(shape)) * np.dtype(kind).itemsize)
    return np.memmap(path, kind, "r+", shape=shape)
