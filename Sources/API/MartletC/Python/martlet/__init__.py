"""Object detection, tracking, classification and face detection, and TensorFlow Lite models.

    import martlet

    detector = martlet.ObjectDetector(limit=5, labels="fine")
    for found in detector.detect("photo.jpg").objects:
        print(found.box, found.score, found.labels)

An image is the path of a file, the bytes of a file, or an array of 8-bit pixels: height x width x 3 (RGB),
height x width x 4 (RGBA, alpha is ignored) or height x width (gray). Results are those of the tool `martlet`.

Each call may be made on any thread and releases the interpreter's lock. Calls with one detector, tracker or model
wait for each other; several of them work in parallel.
"""

from ._detectors import FaceDetector, ObjectDetector, Tracker
from ._errors import (
    DeadlineExceeded,
    Error,
    InvalidArgument,
    InvalidImage,
    InvalidModel,
    InvalidType,
    ResourceLimit,
    RunFailed,
    UnsupportedImage,
    UnsupportedModel,
)
from ._model import Model, Quantization, Tensor
from ._results import Box, DetectedObject, Face, FaceResult, Label, ObjectResult
from ._tracker import ObjectTracker
from ._version import __version__

__all__ = [
    "Box",
    "DeadlineExceeded",
    "DetectedObject",
    "Error",
    "Face",
    "FaceDetector",
    "FaceResult",
    "InvalidArgument",
    "InvalidImage",
    "InvalidModel",
    "InvalidType",
    "Label",
    "Model",
    "ObjectDetector",
    "ObjectResult",
    "ObjectTracker",
    "Quantization",
    "ResourceLimit",
    "RunFailed",
    "Tensor",
    "Tracker",
    "UnsupportedImage",
    "UnsupportedModel",
    "__version__",
]
