"""The options of detectors, trackers and models, which are those of the tool, and messages about them.

None stands for the library's default.
"""

import difflib
import json
import re
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, TypedDict, Union, get_type_hints

from ._errors import InvalidArgument
from ._library import File


class DecodingOptions(TypedDict, total=False):
    strict: bool
    max_memory: Optional[int]
    full_resolution: bool
    color_conversion: bool
    timeout: Optional[float]


class StreamOptions(TypedDict, total=False):
    detect_every: Optional[int]
    keep_lost: Optional[int]


class ObjectOptions(DecodingOptions, total=False):
    limit: Optional[int]
    min_score: Optional[float]
    region: Optional[Sequence[float]]
    detector: Optional[File]
    detector_head: Optional[str]
    overlap: Optional[float]
    anchors: Optional[Sequence[float]]
    bgr: bool
    labels: Union[None, Literal["coarse", "fine"], List[str], Tuple[str, ...]]
    threshold: Optional[float]
    classifier: Optional[File]
    max_labels: Optional[int]
    allow_labels: Optional[Sequence[str]]
    deny_labels: Optional[Sequence[str]]
    drop_background: bool
    mean: Optional[Sequence[float]]
    std: Optional[Sequence[float]]


class FaceOptions(DecodingOptions, total=False):
    limit: Optional[int]
    min_score: Optional[float]
    min_face_size: Optional[float]
    mode: Literal["accurate", "fast"]
    landmarks: bool
    contours: bool
    all_contours: bool
    classify: bool
    mesh: bool


class ObjectDetectorOptions(ObjectOptions, total=False):
    all_boxes: bool


class ObjectTrackerOptions(ObjectOptions, StreamOptions, total=False):
    pass


class FaceTrackerOptions(FaceOptions, StreamOptions, total=False):
    smoothing: bool


def listed(options: type) -> Dict[str, Any]:
    """The names and types of options, those of decoding last."""
    hints = get_type_hints(options)
    return {**{name: hints[name] for name in hints if name not in DecodingOptions.__annotations__}, **hints}


def encoded(document: Mapping[str, Any]) -> bytes:
    """The options in JSON. Numbers may be NumPy's."""
    try:
        return json.dumps(document, allow_nan=False, default=lambda value: value.item()).encode()
    except (AttributeError, TypeError, ValueError) as error:
        raise InvalidArgument(f"an option has an invalid value: {error}") from None


def members_of_labels(labels: Any, has_classifier: bool) -> Dict[str, Any]:
    """The members of JSON for the option `labels`."""
    if not isinstance(labels, str):
        return {"labels": list(labels)}
    if labels not in ("coarse", "fine"):
        raise InvalidArgument(f'labels: expected "coarse", "fine" or a list of names, found "{labels}"')
    if has_classifier:
        raise InvalidArgument(f'labels="{labels}" cannot be combined with classifier')
    return {"classify" if labels == "coarse" else "fineLabels": True}


# Names of the tool's options that differ here.
_NAMES_OF_TOOL = {
    "multiple": "limit", "max_objects": "limit", "max_faces": "limit", "classify": "labels", "fine_labels": "labels",
}


def unknown(name: str, names: Sequence[str], owner: str) -> str:
    """The message for an option that does not exist."""
    wanted = _snake_case(name)
    nearest = difflib.get_close_matches(wanted, [*names, *_NAMES_OF_TOOL], 1)
    found = nearest[0] if nearest else ""
    found = found if found in names else _NAMES_OF_TOOL.get(found, "")
    hint = f"did you mean {found}?" if found in names else "options are " + ", ".join(names)
    return f"{owner} has no option {name}; {hint}"


def _snake_case(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def in_python(text: str, faces: bool = False) -> str:
    """A message of the library with the names that options have here."""
    if not faces:
        text = text.replace("multiple or maxObjects", "limit")
        text = re.sub(r"\bclassify\b", 'labels="coarse"', re.sub(r"\bfineLabels\b", 'labels="fine"', text))
    text = re.sub(r"\bmax(Objects|Faces)\b", "limit", text)
    return re.sub(r"\b[a-z]+([A-Z][a-z]+)+\b", lambda name: _snake_case(name[0]), text)
