"""Runs a .tflite on images. Options and output lines that the commands of this folder share."""

import argparse
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf

from data import augment
from data.images import LABELS
from evaluate import decode
from evaluate.measures import box_images, categorized, macro_accuracy, measured, read


class Network:
    """A .tflite on one thread, from an image or its mirror image to real numbers."""

    def __init__(self, path):
        self.interpreter = tf.lite.Interpreter(str(path), num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.size = int(self.input["shape"][1])

    def __call__(self, image, mirrored=False):
        pixels = augment.resize(image, self.size)[None, :, :: -1 if mirrored else 1]
        if self.input["dtype"] == np.float32:
            pixels = pixels.astype(np.float32) / 255
        self.interpreter.set_tensor(self.input["index"], pixels)
        self.interpreter.invoke()
        return [self._real(d) for d in self.interpreter.get_output_details()]

    def _real(self, detail):
        value = self.interpreter.get_tensor(detail["index"])[0].astype(np.float32)
        scale, zero = detail["quantization"]
        return (value - zero) * scale if scale else value


def maps(network, data, sources=(), passes=1):
    """(row, outputs) of every image with boxes. The outputs of two passes are averaged."""
    for row in box_images(data, sources):
        image = read(data, row["file"])
        outputs = network(image)
        yield row, outputs if passes == 1 else decode.averaged(outputs, network(image, mirrored=True))


def line(row, boxes, scores):
    size = [row["width"], row["height"]] * 2
    found = []
    for box, score in zip(boxes * size, scores):
        frame = dict(zip(("x", "y"), map(float, box[:2])))
        frame |= dict(zip(("width", "height"), map(float, box[2:] - box[:2])))
        found.append({"frame": frame, "score": float(score)})
    return {"image": row["file"], "objects": found}


def coarse_line(file, scores):
    labels = [{"text": LABELS[i], "index": i, "confidence": float(s)} for i, s in enumerate(scores)]
    return {"image": file, "labels": labels}


def parser(description, passes=False):
    """The options --data and --sources, and --looks if two passes are possible."""
    options = argparse.ArgumentParser(description=description.splitlines()[0])
    options.add_argument("--data", required=True)
    options.add_argument("--sources", nargs="*", default=[], help="all images of these instead of the validation split")
    if passes:
        options.add_argument("--looks", dest="passes", type=int, choices=[1, 2], default=1,
                          help="passes; the second is over the mirror image (localizer) or the middle (classifier)")
    return options


def write(path, lines):
    with open(path, "w") as out:
        for each in lines:
            out.write(json.dumps(each) + "\n")


def report_boxes(lines, options):
    """Prints the three measures of a localizer's lines, and writes them."""
    print("most prominent first {:.3f}, capped recall@5 {:.3f}, AP50 {:.3f}, {} images"
          .format(*measured(lines, options.data, options.sources)))
    write(options.out, lines)


def report_categories(lines, options):
    """Writes a classifier's lines, and prints their macro accuracy."""
    write(options.out, lines)
    predicted = np.array([np.argmax([label["confidence"] for label in each["labels"]]) for each in lines])
    score = macro_accuracy(categorized(options.data, options.sources), predicted)
    print(f"macro accuracy {score:.3f} of {len(lines)} images")
