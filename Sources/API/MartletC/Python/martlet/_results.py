"""What detectors return: immutable values in pixels of the upright image, from its upper left corner.

`to_dict` gives the object that the tool prints with `--json`, and `to_json` the line itself.
"""

import base64
import json
import os
import re
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple

Point = Tuple[float, float]
Point3D = Tuple[float, float, float]


@dataclass(frozen=True)
class Box:
    """A box in pixels, from its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def corners(self) -> Tuple[float, float, float, float]:
        """Left, top, right and bottom, as Pillow's `ImageDraw.rectangle` takes them."""
        return self.x, self.y, self.x + self.width, self.y + self.height

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> "Box":
        return cls(*(float(values[name]) for name in ("x", "y", "width", "height")))

    def to_dict(self) -> Dict[str, Any]:
        return {name: _number(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class Label:
    """What an object may be. `index` is the class among the classifier's own, `confidence` is 0 to 1."""

    text: str
    index: int
    confidence: float

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> "Label":
        return cls(values["text"], values["index"], float(values["confidence"]))

    def to_dict(self) -> Dict[str, Any]:
        return {"text": self.text, "index": self.index, "confidence": _number(self.confidence)}


@dataclass(frozen=True)
class DetectedObject:
    """An object and its labels by decreasing confidence."""

    box: Box
    #: How sure the detector is, 0 to 1.
    score: float
    #: The object's number from frame to frame of a tracker; None in an image.
    tracking_id: Optional[int] = None
    #: fashion, food, home, places, plants or unknown; only from the coarse classifier.
    category: Optional[str] = None
    labels: Tuple[Label, ...] = ()
    #: Everyday names with a confidence of at least 0.3; only with labels="fine". If no name has 0.6, the first may be
    #: a hypernym that has, such as Fruit. None in a frame of a tracker in which the object has not been classified yet.
    fine_labels: Optional[Tuple[Label, ...]] = None

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> "DetectedObject":
        fine = values.get("fineLabels")
        return cls(
            Box._read(values["frame"]), float(values["score"]), values["trackingID"], values.get("category"),
            _labels(values["labels"]), None if fine is None else _labels(fine))

    def to_dict(self) -> Dict[str, Any]:
        result = _found(self)
        if self.category is not None:
            result["category"] = self.category
        result["labels"] = [label.to_dict() for label in self.labels]
        if self.fine_labels is not None:
            result["fineLabels"] = [label.to_dict() for label in self.fine_labels]
        return result


@dataclass(frozen=True)
class Face:
    """A face. Left and right are the subject's. What was not requested or is not visible is None or empty."""

    box: Box
    #: How sure the detector is, 0 to 1.
    score: float
    #: The face's number from frame to frame of a tracker; None in an image.
    tracking_id: Optional[int] = None
    #: Degrees by which the head is turned up, to the right of the image, and counter-clockwise.
    euler_x: Optional[float] = None
    euler_y: Optional[float] = None
    euler_z: Optional[float] = None
    smiling_probability: Optional[float] = None
    left_eye_open_probability: Optional[float] = None
    right_eye_open_probability: Optional[float] = None
    #: Points by ML Kit's names: leftEye, mouthBottom, noseBase ...
    landmarks: Mapping[str, Point] = field(default_factory=dict, hash=False)
    #: Lists of points by ML Kit's names: face, upperLipTop, noseBridge ...
    contours: Mapping[str, Sequence[Point]] = field(default_factory=dict, hash=False)
    #: 468 points x, y and z, numbered as in MediaPipe's face mesh; z grows away from the viewer.
    mesh: Tuple[Point3D, ...] = ()

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> "Face":
        numbers = {name: float(values[member]) for name, member in _FACE_NUMBERS.items() if member in values}
        return cls(
            Box._read(values["frame"]), float(values["score"]), values["trackingID"],
            landmarks={name: _point(point) for name, point in values.get("landmarks", {}).items()},
            contours={name: tuple(map(_point, points)) for name, points in values.get("contours", {}).items()},
            mesh=tuple(map(_point, values.get("mesh", ()))), **numbers)

    def to_dict(self) -> Dict[str, Any]:
        result = _found(self)
        for name, member in _FACE_NUMBERS.items():
            if getattr(self, name) is not None:
                result[member] = _number(getattr(self, name))
        if self.landmarks:
            result["landmarks"] = {name: _numbers(point) for name, point in self.landmarks.items()}
        if self.contours:
            result["contours"] = {name: list(map(_numbers, points)) for name, points in self.contours.items()}
        if self.mesh:
            result["mesh"] = list(map(_numbers, self.mesh))
        return result


@dataclass(frozen=True)
class _Result:
    #: The path of the image's file, or the `name` of the call.
    image: str
    #: Size of the upright image in pixels.
    width: int
    height: int

    def to_json(self) -> str:
        """The line that the tool prints for this image."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"))

    def to_dict(self) -> Dict[str, Any]:
        raise NotImplementedError

    def _line(self, frame: Optional[int], member: str, found: Sequence[Any], warnings: Sequence[str]) -> Dict[str, Any]:
        # As the tool prints paths, which need not be UTF-8.
        image = re.sub("[\udc80-\udcff]", lambda byte: f"\\x{ord(byte[0]) - 0xDC00:02X}", self.image)
        result: Dict[str, Any] = {"image": image}
        if frame is not None:
            result["frame"] = frame
        result.update({"width": self.width, "height": self.height, member: [one.to_dict() for one in found]})
        if image != self.image:
            result["imageBytes"] = base64.b64encode(os.fsencode(self.image)).decode()
        if warnings:
            result["warnings"] = list(warnings)
        return result


@dataclass(frozen=True)
class ObjectResult(_Result):
    """The objects of an image, or of a frame of a tracker, by decreasing salience."""

    objects: Tuple[DetectedObject, ...] = ()
    #: The number of a tracker's frame, from 0; None for an image.
    frame: Optional[int] = None
    #: Damage in the file despite which it was decoded.
    warnings: Tuple[str, ...] = ()

    @classmethod
    def _read(cls, image: str, values: Mapping[str, Any]) -> "ObjectResult":
        return cls(
            image, values["width"], values["height"], tuple(map(DetectedObject._read, values["objects"])),
            values.get("frame"), tuple(values.get("warnings", ())))

    def to_dict(self) -> Dict[str, Any]:
        return self._line(self.frame, "objects", self.objects, self.warnings)


@dataclass(frozen=True)
class FaceResult(_Result):
    """The faces in an image, or in a frame of a tracker, by decreasing salience."""

    faces: Tuple[Face, ...] = ()
    #: The number of a tracker's frame, from 0; None for an image.
    frame: Optional[int] = None
    #: Damage in the file despite which it was decoded.
    warnings: Tuple[str, ...] = ()

    @classmethod
    def _read(cls, image: str, values: Mapping[str, Any]) -> "FaceResult":
        return cls(
            image, values["width"], values["height"], tuple(map(Face._read, values["faces"])),
            values.get("frame"), tuple(values.get("warnings", ())))

    def to_dict(self) -> Dict[str, Any]:
        return self._line(self.frame, "faces", self.faces, self.warnings)


# The attributes of a face that are numbers, and their names in JSON.
_FACE_NUMBERS = {
    "euler_x": "eulerX",
    "euler_y": "eulerY",
    "euler_z": "eulerZ",
    "smiling_probability": "smilingProbability",
    "left_eye_open_probability": "leftEyeOpenProbability",
    "right_eye_open_probability": "rightEyeOpenProbability",
}


def _labels(values: Sequence[Mapping[str, Any]]) -> Tuple[Label, ...]:
    return tuple(map(Label._read, values))


def _point(values: Sequence[float]) -> Any:
    return tuple(map(float, values))


def _number(value: float) -> float:
    """A whole number without a fraction, as the tool prints it."""
    return int(value) if value == int(value) else value


def _numbers(values: Sequence[float]) -> Any:
    return list(map(_number, values))


def _found(found: Any) -> Dict[str, Any]:
    return {"frame": found.box.to_dict(), "score": _number(found.score), "trackingID": found.tracking_id}
