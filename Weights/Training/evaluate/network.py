"""Runs a .tflite on images. Options and output lines that the commands of this folder share."""

import argparse
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from tensorflow.lite.tools import flatbuffer_utils

from data import augment
from data.images import LABELS
from data.targets import shape
from evaluate.measures import box_images, categorized, macro_accuracy, measured, read

RESIZE_NEAREST_NEIGHBOR = 97  # in TensorFlow Lite's schema


class Network:
    """A .tflite on one thread, from an image to real numbers. The input of the shipped localizer, the only one that
    is not square, is resized for the shape of each image."""

    def __init__(self, path):
        self._bytes, self._interpreters = Path(path).read_bytes(), {}
        _, self._height, self._width, _ = self._interpreter(None).get_input_details()[0]["shape"]

    def __call__(self, image):
        size = int(self._width), int(self._height)
        if size[0] != size[1]:
            size = shape(*image.shape[1::-1])
        interpreter = self._interpreter(size)
        detail, pixels = interpreter.get_input_details()[0], augment.resize(image, size)[None]
        if detail["dtype"] == np.float32:
            pixels = pixels.astype(np.float32) / 255
        interpreter.set_tensor(detail["index"], pixels)
        interpreter.invoke()
        return [_real(interpreter, detail) for detail in interpreter.get_output_details()]

    def _interpreter(self, size):
        if size not in self._interpreters:
            content = resized(self._bytes, *size) if size else self._bytes
            self._interpreters[size] = tf.lite.Interpreter(model_content=content, num_threads=1)
            self._interpreters[size].allocate_tensors()
        return self._interpreters[size]


def _real(interpreter, detail):
    value = interpreter.get_tensor(detail["index"])[0].astype(np.float32)
    scale, zero = detail["quantization"]
    return (value - zero) * scale if scale else value


def resized(content, width, height):
    """The bytes of a fully convolutional network for images of another size: its maps and the sizes of its
    nearest-neighbor resizings grow with the input, as by `Model.resized` in Swift."""
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(content))
    graph = model.subgraphs[0]
    _, old_height, old_width, _ = graph.tensors[graph.inputs[0]].shape
    if (width, height) == (old_width, old_height):
        return content
    codes = [max(code.builtinCode, code.deprecatedBuiltinCode) for code in model.operatorCodes]
    resizings = [each for each in graph.operators if codes[each.opcodeIndex] == RESIZE_NEAREST_NEIGHBOR]
    for buffer in {graph.tensors[each.inputs[1]].buffer for each in resizings}:
        rows, columns = np.frombuffer(bytes(model.buffers[buffer].data), np.int32)
        size = np.int32([rows * height // old_height, columns * width // old_width])
        model.buffers[buffer].data = np.frombuffer(size.tobytes(), np.uint8)
    for each in graph.tensors:
        if len(each.shape) == 4 and model.buffers[each.buffer].data is None:
            count, rows, columns, channels = each.shape
            each.shape = np.int32([count, rows * height // old_height, columns * width // old_width, channels])
    return bytes(flatbuffer_utils.convert_object_to_bytearray(model))


def maps(network, data, sources=()):
    """(row, outputs) of every image with boxes."""
    for row in box_images(data, sources):
        yield row, network(read(data, row["file"]))


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
                          help="passes; the second is over the middle")
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
