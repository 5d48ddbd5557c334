"""Four detectors as teachers of the localizer.

Each is `detector(image) -> boxes [n, 4], scores [n]`, best first. Boxes are x0, y0, x1, y1 as shares of
the image, of any class; those that a better one overlaps by more than 0.6 are dropped. Two are SSDs that end in
TensorFlow Lite's detection post-processing, one runs in ncnn, one in ONNX Runtime. Only their answers
are used.
"""

from pathlib import Path

import ncnn
import numpy as np
import onnxruntime

from data import augment
from data.boxes import overlap
from teachers.crops import LOCALIZER, Teacher

COCO_SSD = "support__coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"
NANODET = "det/nanodet-plus-m-1.5x_416_int8"
DEIM = "det/deimv2_femto.onnx"
MIN_SCORE, OVERLAP, MAX_BOXES = 0.01, 0.6, 40


def detectors(models, further):
    """All four; `models` and `further`: the folders that hold the SSDs and the two others."""
    return [NanoDet(Path(further) / NANODET), Deim(Path(further) / DEIM),
            *[Ssd(Path(models) / name) for name in (LOCALIZER, COCO_SSD)]]


class NanoDet:
    """NanoDet-Plus: at strides 8 to 64 a score for each class, and distances to the sides as
    distributions over 0 to 7 strides."""

    STRIDES, SIZE = (8, 16, 32, 64), 416
    PERSON = 0
    MEAN, STD = np.float32([103.53, 116.28, 123.675]), np.float32([57.375, 57.12, 58.395])

    def __init__(self, path):
        self._network = ncnn.Net()
        self._network.opt.num_threads = 1
        self._network.load_param(f"{path}.param")
        self._network.load_model(f"{path}.bin")

    def __call__(self, image):
        levels = [self._level(*level) for level in self._outputs(image)]
        boxes, scores = [np.concatenate(part) for part in zip(*levels)]
        return _best(boxes / self.SIZE, scores)

    def person(self, image):
        """The highest score of a person."""
        return max(float(classes[self.PERSON].max()) for _, classes, _ in self._outputs(image))

    def _outputs(self, image):
        """Stride, classes [80, H, W] and distances [H, W, 32] of each level."""
        pixels = (augment.resize(image, self.SIZE)[..., ::-1] - self.MEAN) / self.STD
        planes = np.ascontiguousarray(pixels.transpose(2, 0, 1))  # a Mat does not own its memory
        run = self._network.create_extractor()
        run.input("data", ncnn.Mat(planes).clone())
        for stride in self.STRIDES:
            yield stride, *[np.array(run.extract(f"{part}{stride}")[1]) for part in ("cls", "dis")]

    def _level(self, stride, classes, distances):
        height, width = classes.shape[1:]
        share = np.exp(distances.reshape(height * width, 4, -1))
        sides = share @ np.arange(share.shape[2]) / share.sum(2) * stride
        y, x = np.divmod(np.arange(height * width), width)
        center = np.stack([x, y], 1) * stride
        return (np.concatenate([center - sides[:, :2], center + sides[:, 2:]], 1),
                classes.reshape(len(classes), -1).max(0))


class Deim:
    """DEIMv2. Its boxes and scores need no decoding."""

    def __init__(self, path):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._network = onnxruntime.InferenceSession(str(path), options)
        self._inputs = [i.name for i in self._network.get_inputs()]
        self._size = int(self._network.get_inputs()[0].shape[2])

    def __call__(self, image):
        pixels = augment.resize(image, self._size).transpose(2, 0, 1)[None] / np.float32(255)
        _, boxes, scores = self._network.run(None, dict(zip(self._inputs, [pixels, np.array([[1, 1]])])))
        return _best(boxes[0], scores[0])


class Ssd:
    def __init__(self, path):
        self._teacher = Teacher(path.read_bytes())

    def __call__(self, image):
        boxes, _, scores, _ = self._teacher(augment.resize(image, self._teacher.size))
        return _best(boxes[:, [1, 0, 3, 2]], scores)


def _best(boxes, scores):
    boxes = np.clip(boxes, 0, 1)
    order = np.argsort(-scores, kind="stable")[:300]
    sides = boxes[order, 2:] - boxes[order, :2]
    order = order[(scores[order] >= MIN_SCORE) & (sides.min(1) > 0.003)]
    shared = overlap(boxes[order], boxes[order])
    kept = []
    for i in range(len(order)):
        if len(kept) < MAX_BOXES and (shared[i, kept] <= OVERLAP).all():
            kept.append(i)
    return boxes[order[kept]], scores[order[kept]]
