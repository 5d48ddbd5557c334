"""The teachers' answers about images and crops, computed once and cached.

Teachers are .tflite files, one of them written by teachers/lite0.py. Only their answers are used: the twenty best
labels of the two classifiers, and the features of EfficientNet-Lite0.
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
    """A network on one thread, from pixels of its input's size to its raw outputs."""

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


# The answers of the classifier's three teachers about a crop: Lite0's features, and twenty indices and
# probabilities (in 1/256) of ImageNet's classes and of the labeler's labels.
ANSWER = np.dtype([("features", np.float16, lite0.FEATURES), ("named", np.uint16, (4, TOP))])


class Namers:
    """The twenty best classes of the two classifiers, and their probabilities in 1/256, of pixels: [4, 20]."""

    def __init__(self, models):
        self._teachers = [Teacher((Path(models) / name).read_bytes()) for name in CLASSIFIERS]
        self.size = self._teachers[0].size

    def __call__(self, pixels):
        answer = np.zeros((4, TOP), np.uint16)
        for i, teacher in enumerate(self._teachers):
            scores = teacher(pixels)[0]
            best = np.argsort(-scores.astype(int), kind="stable")[:TOP]
            answer[2 * i], answer[2 * i + 1] = best, scores[best]
        return answer


class Answers:
    """Answers by a list's index and a crop's number in it. The teachers run when a crop is first needed;
    the answer is cached."""

    def __init__(self, counts, cache, models):
        """`counts`: the number of crops of each list."""
        self._namers = Namers(models)
        network = Path(cache) / "efficientnet_lite0.tflite"
        if not network.exists():
            network.write_bytes(lite0.tflite())
        self._lite0 = Teacher(network.read_bytes())
        self._cached = [cached_array(Path(cache) / f"answers_{i}_{count}.bin", ANSWER, (count,))
                      for i, count in enumerate(counts)]

    def __call__(self, place, image):
        """`image` is a function that returns the pixels."""
        index, number = place
        answer = self._cached[index][number]
        if not answer["named"][1].any():
            answer = self._cached[index][number] = self.query(image())
        return answer

    def query(self, image):
        pixels = augment.resize(image, lite0.SIZE)
        answer = np.zeros((), ANSWER)
        answer["features"], answer["named"] = self._lite0(pixels)[0], self._namers(pixels)
        return answer


def cached_array(path, kind, shape):
    """A memory-mapped array in a file, created with zeros."""
    if not path.exists():
        with open(path, "wb") as file:
            file.truncate(int(np.prod(shape)) * np.dtype(kind).itemsize)
    return np.memmap(path, kind, "r+", shape=shape)
