"""Detectors of objects and faces, and trackers."""

import ctypes
import inspect
import json
import os
import re
import sys
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generic,
    Iterable,
    Iterator,
    Literal,
    Mapping,
    Optional,
    TypeVar,
    Union,
    cast,
    overload,
)

from ._errors import BY_STATUS, INVALID_OPTIONS, InvalidModel, InvalidType
from ._library import File, Handle, call, contents, library
from ._options import (
    FaceOptions,
    FaceTrackerOptions,
    ObjectDetectorOptions,
    ObjectTrackerOptions,
    encoded,
    in_python,
    listed,
    members_of_labels,
    unknown,
)
from ._pixels import layout
from ._results import FaceResult, ObjectResult

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray
    from typing_extensions import Unpack

Image = Union[File, "NDArray[numpy.uint8]"]
Result = TypeVar("Result", bound=Union[ObjectResult, FaceResult])


class _Detector(Handle, Generic[Result]):
    """Detects in images one after another."""

    def __init__(
        self, read: Callable[[str, Mapping[str, Any]], Result], options: Mapping[str, Any], known: type, *,
        faces: bool = False, stream: bool = False
    ) -> None:
        # Makes a result of JSON.
        self._read: Callable[[str, Mapping[str, Any]], Result] = read
        names = list(listed(known))
        document: Dict[str, Any] = {"faces": faces, "stream": stream}
        models = {"classifier": b"", "detector": b""}
        for name, value in options.items():
            if name not in names:
                raise InvalidType(unknown(name, names, type(self).__name__))
            if value is None:
                continue
            if name in models:
                models[name] = contents(value)
                if not models[name]:
                    raise InvalidModel(f"{name}: the file is empty")
            elif name == "labels":
                document.update(members_of_labels(value, options.get("classifier") is not None))
            elif name == "limit":
                document["maxFaces" if faces else "maxObjects"] = value
            else:
                document[re.sub("_(.)", lambda letter: letter[1].upper(), name)] = value
        handle = ctypes.c_int32()
        status, text = call(
            library.martlet_detector_make, encoded(document), models["classifier"], len(models["classifier"]),
            models["detector"], len(models["detector"]), ctypes.byref(handle))
        if status:
            raise BY_STATUS[status](in_python(text or "", faces) if status == INVALID_OPTIONS else text)
        super().__init__(handle.value, library.martlet_detector_release)

    def _detect(self, image: Image, name: Optional[str]) -> Result:
        if name is None:
            name = os.fsdecode(image) if isinstance(image, (str, os.PathLike)) else ""
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(image, numpy.ndarray):
            # The array, or its copy, must live during the call.
            array, place = layout(image)
            status, text = call(library.martlet_detector_detect_pixels, self._open_handle, b"", *place)
            del array
        else:
            file = contents(cast(File, image))
            status, text = call(
                library.martlet_detector_detect_file, self._open_handle, b"", file, len(file))
        if text is None:
            raise BY_STATUS[status](f"the {type(self).__name__} is closed, or the array is invalid")
        values = json.loads(text)
        if status:
            raise BY_STATUS[status](f"{name}: {values['error']}" if name else values["error"])
        return self._read(name, values)


class ObjectDetector(_Detector[ObjectResult]):
    """Detects objects in images.

    All options are keywords:

    limit: the largest number of objects; 1 by default, the most prominent one.
    labels: "coarse" for one of five categories, "fine" for everyday names too, None for no labels; or the names of
        the classes of `classifier` or `detector`.
    min_score: the lowest score, 0 to 1.
    all_boxes: parts of better boxes and doubtful boxes too; needs `limit`.
    region: x, y, width and height of the part of each image to search, in pixels.
    threshold: the lowest confidence of a label, 0 to 1.
    allow_labels, deny_labels: report only objects with these labels, or none with them; need `labels`, `classifier`
        or `detector`.
    classifier: a .tflite file (path or bytes) that replaces the included classifier, with `max_labels`,
        `drop_background`, and `mean` and `std`, lists of one or three numbers.
    detector: a .tflite file that replaces the included detector, with `detector_head`, such as "yolov8" (recognized by
        default), `overlap`, 0 to 1, `anchors` of the head "grid" (widths and heights in pixels of its input), `bgr` if
        the input's first channel is blue, and, without `classifier`, `labels`, `mean` and `std`.
    strict: damage in a file is an error instead of a warning.
    max_memory: MiB for decoding a file; 256 by default.
    full_resolution: decode all pixels of large files.
    color_conversion: False keeps colors as stored instead of converting them to sRGB.
    timeout: seconds for an image, and for preparing the networks; no limit by default.
    """

    def __init__(self, **options: "Unpack[ObjectDetectorOptions]") -> None:
        super().__init__(ObjectResult._read, options, ObjectDetectorOptions)

    def detect(self, image: Image, name: Optional[str] = None) -> ObjectResult:
        """Detects in a path, the bytes of a file, or an array of uint8: height x width x 3 (RGB), x 4 (RGBA), or
        height x width (gray).

        Files are turned upright. Crops, padded rows, reversed channels (`bgr[..., ::-1]`) and dropped alpha
        (`rgba[..., :3]`) are read in place; an array with other strides is copied. `name` becomes the result's `image`.
        """
        return self._detect(image, name)


class FaceDetector(_Detector[FaceResult]):
    """Detects faces in images.

    All options are keywords:

    limit: the largest number of faces; all by default.
    min_score: the lowest score, 0 to 1; 0.4 by default.
    min_face_size: the smallest width of a face as a share of the image's width, 0 to 1. Below 0.05, which is the
        default, mode "accurate" searches parts of the image, too.
    mode: "accurate" by default, or "fast".
    landmarks: return eyes, ears, cheeks, nose and mouth.
    contours, all_contours: return the contours of the most prominent face, or of all.
    classify: return the probabilities of a smile and of open eyes.
    mesh: return 468 points.
    strict, max_memory, full_resolution, color_conversion, timeout: as for ObjectDetector.
    """

    def __init__(self, **options: "Unpack[FaceOptions]") -> None:
        super().__init__(FaceResult._read, options, FaceOptions, faces=True)

    def detect(self, image: Image, name: Optional[str] = None) -> FaceResult:
        """Detects in an image as ObjectDetector does."""
        return self._detect(image, name)


class Tracker(_Detector[Result]):
    """Tracks objects, or faces, through the frames of a video, in which they keep their `tracking_id`.

    Options are those of ObjectDetector without `all_boxes`, or with faces=True those of FaceDetector, and:

    detect_every: detect in every Nth frame; 1 by default for objects, 5 for faces.
    keep_lost: frames after which a lost object (30 by default) or face (15) is forgotten.
    smoothing: False returns the points of faces as detected in each frame.
    """

    @overload
    def __init__(
        self: "Tracker[ObjectResult]", *, faces: Literal[False] = ..., **options: "Unpack[ObjectTrackerOptions]"
    ) -> None: ...

    @overload
    def __init__(
        self: "Tracker[FaceResult]", *, faces: Literal[True], **options: "Unpack[FaceTrackerOptions]"
    ) -> None: ...

    def __init__(self, *, faces: bool = False, **options: Any) -> None:
        read: Any = FaceResult._read if faces else ObjectResult._read
        known = FaceTrackerOptions if faces else ObjectTrackerOptions
        super().__init__(read, options, known, faces=faces, stream=True)

    def update(self, frame: Image, name: Optional[str] = None) -> Result:
        """Tracks in the next frame, an image as in ObjectDetector.detect. A frame that raises an error counts, too."""
        return self._detect(frame, name)

    def track(self, frames: Iterable[Image]) -> Iterator[Result]:
        """The result of each frame, one after another. Ends at the first error."""
        return map(self.update, frames)


# Help and completion show the options.
for _class, _options in ((ObjectDetector, ObjectDetectorOptions), (FaceDetector, FaceOptions)):
    setattr(_class, "__signature__", inspect.Signature([
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=hint)
        for name, hint in listed(_options).items()]))
