"""What the teachers say about pictures and parts of pictures: asked once, kept in the cache.

Teachers are .tflite files, one of them made by lite0.py; only their answers are used. The
localiser's answers are taken before its suppression: a score and a box for each of its 738 anchors.
Of the two that name things the twenty best answers are kept, of EfficientNet-Lite0 the features.
"""

import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
import tensorflow as tf
from tensorflow.lite.tools import flatbuffer_utils

import augment
import lite0

LOCALISER = "kazu__object_detection_mobile_object_localizer_v1_1_default_1.tflite"
ANCHORS = 738
# ImageNet's 1001 classes, the labeler's 631.
BROAD = ["coral__tf2_mobilenet_v2_1.0_224_ptq.tflite", "mlkit__object_labeler.tflite"]
KEPT = 20


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


def raw_localiser(models):
    """The localiser without its last step, which selects boxes, and the anchors (centre y, centre
    x, height, width, as shares). Outputs: encoded boxes [738, 4], scores [738, 1]."""
    content = (Path(models) / LOCALISER).read_bytes()
    model = flatbuffer_utils.convert_bytearray_to_object(bytearray(content))
    graph = model.subgraphs[0]
    last = graph.operators.pop()
    boxes, scores, anchors = last.inputs
    graph.outputs = [boxes, scores]
    stored = graph.tensors[anchors]
    scale, zero = stored.quantization.scale[0], stored.quantization.zeroPoint[0]
    anchors = np.frombuffer(bytes(model.buffers[stored.buffer].data), np.uint8).astype(np.float32)
    anchors = ((anchors - zero) * scale).reshape(-1, 4)
    quantized = graph.tensors[boxes].quantization
    return (bytes(flatbuffer_utils.convert_object_to_bytearray(model)), anchors,
            (float(quantized.scale[0]), int(quantized.zeroPoint[0])))


def decoded(encoded, anchors, quantized):
    """Boxes [n, 4] (x0, y0, x1, y1, as shares) of the encoded bytes."""
    scale, zero = quantized
    y, x, h, w = ((encoded.astype(np.float32) - zero) * scale).T
    y, x = y / 10 * anchors[:, 2] + anchors[:, 0], x / 10 * anchors[:, 3] + anchors[:, 1]
    h, w = np.exp(h / 5) * anchors[:, 2] / 2, np.exp(w / 5) * anchors[:, 3] / 2
    return np.stack([x - w, y - h, x + w, y + h], 1)


class LocaliserAnswers:
    """By view: [738, 5] bytes, score * 256 and encoded box. A view is asked about when it is first
    needed; its answer stays in the cache."""

    def __init__(self, scenes, cache, models):
        content, self._anchors, self._quantized = raw_localiser(models)
        self._scenes, self._teacher = scenes, Teacher(content)
        name = f"localiser_answers_{len(scenes.views)}.bin"
        self._answers = kept_array(Path(cache) / name, np.uint8, (len(scenes.views), ANCHORS, 5))

    def __call__(self, index, view):
        """Scores [738] and boxes [738, 4] of what `view`, the view of that index, shows."""
        answer = self._answers[index]
        if not answer[:, 0].any():
            answer[:, 1:], answer[:, :1] = self._teacher(view)
        return answer[:, 0] / np.float32(256), decoded(answer[:, 1:], self._anchors, self._quantized)


# What the three teachers of the classifier say of a crop: Lite0's features; by twenty, indices and
# shares (in 1/256) of ImageNet's classes, then of the labeler's labels.
ANSWER = np.dtype([("features", np.float16, lite0.FEATURES), ("named", np.uint16, (4, KEPT))])


class Answers:
    """By a list's index and a crop's number in it. The teachers are asked about a crop when it is
    first needed; the answer stays in the cache."""

    def __init__(self, counts, cache, models):
        """`counts`: the crops of each list."""
        self._named = [Teacher((Path(models) / name).read_bytes()) for name in BROAD]
        network = Path(cache) / "efficientnet_lite0.tflite"
        if not network.exists():
            network.write_bytes(lite0.tflite())
        self._lite0 = Teacher(network.read_bytes())
        self._kept = [kept_array(Path(cache) / f"answers_{i}_{count}.bin", ANSWER, (count,))
                      for i, count in enumerate(counts)]

    def __call__(self, place, picture):
        """`picture()` gives the pixels."""
        index, number = place
        answer = self._kept[index][number]
        if not answer["named"][1].any():
            answer = self._kept[index][number] = self.ask(picture())
        return answer

    def ask(self, picture):
        pixels = augment.resize(picture, lite0.SIZE)
        answer = np.zeros((), ANSWER)
        answer["features"] = self._lite0(pixels)[0]
        for i, teacher in enumerate(self._named):
            said = teacher(pixels)[0]
            best = np.argsort(-said.astype(int), kind="stable")[:KEPT]
            answer["named"][2 * i], answer["named"][2 * i + 1] = best, said[best]
        return answer


def kept_array(path, kind, shape):
    """An array in a file, zero where nothing was written."""
    if not path.exists():
        with open(path, "wb") as file:
            file.truncate(int(np.prod(shape)) * np.dtype(kind).itemsize)
    return np.memmap(path, kind, "r+", shape=shape)
