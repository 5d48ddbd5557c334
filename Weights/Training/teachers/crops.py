"""Computes the answers of the classifier's teachers about crops.

    python -m teachers.crops --data DATA --cache CACHE --models MODELS

Teachers are .tflite files, one of them written by teachers/lite0.py. Only their answers are used: the twenty best
labels of the two classifiers, and the features of EfficientNet-Lite0. What the cache has is not computed again.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

from data import augment
from data.answers import ANSWER, TOP, in_parts
from data.crops import LISTS, Crops, part
from teachers import lite0

LOCALIZER = "kazu__object_detection_mobile_object_localizer_v1_1_default_1.tflite"
# ImageNet's 1001 classes, the labeler's 631.
CLASSIFIERS = ["coral__tf2_mobilenet_v2_1.0_224_ptq.tflite", "mlkit__object_labeler.tflite"]


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


class CropTeachers:
    """The answer of all three about an image."""

    def __init__(self, cache, models):
        self._namers = Namers(models)
        network = Path(cache) / "efficientnet_lite0.tflite"
        if not network.exists():
            network.write_bytes(lite0.tflite())
        self._lite0 = Teacher(network.read_bytes())

    def __call__(self, image):
        pixels = augment.resize(image, lite0.SIZE)
        answer = np.zeros((), ANSWER)
        answer["features"], answer["named"] = self._lite0(pixels)[0], self._namers(pixels)
        return answer


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--lists", type=int, default=LISTS, help="lists of crops, as of train.classifier")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    crops, teachers = Crops(options.data, options.cache, options.lists), CropTeachers(options.cache, options.models)
    missing = [i for i, crop in enumerate(crops.crops) if crop.place not in crops.answers]

    def compute(i):
        crops.answers[crops.crops[i].place] = teachers(part(crops.images[crops.crops[i].file], crops.crops[i].box))

    in_parts(missing, options.processes, compute)


if __name__ == "__main__":
    main()
