"""A tracker of the boxes of any detector."""

import ctypes
import json
from array import array
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

from ._errors import BY_STATUS, INVALID_OPTIONS, InvalidArgument
from ._library import Handle, call, library
from ._options import encoded, in_python
from ._pixels import layout
from ._results import DetectedObject, Label

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

Size = Tuple[int, int]
Boxes = Sequence[Union[DetectedObject, Sequence[float]]]


class ObjectTracker(Handle):
    """Tracks the boxes that any detector finds in the frames of a video.

        tracker = martlet.ObjectTracker()
        for frame in frames:
            for found in tracker.update(boxes_of(frame), frame):
                print(found.tracking_id, found.box)

    limit: the largest number of objects that are returned, the most salient ones; all by default.
    min_score: the lowest score of a returned object; 0 by default.
    start_score: the score of a box that starts an object; 0.6 by default.
    low_score: the lowest score of a box that continues an object; 0.1 by default.
    keep_lost: frames for which a lost object keeps its `tracking_id`; 30 by default.
    """

    def __init__(
        self, *, limit: Optional[int] = None, min_score: Optional[float] = None, start_score: Optional[float] = None,
        low_score: Optional[float] = None, keep_lost: Optional[int] = None
    ) -> None:
        options = {"maxObjects": limit, "minScore": min_score, "startScore": start_score, "lowScore": low_score,
                   "keepLost": keep_lost}
        handle = ctypes.c_int32()
        status, text = call(library.martlet_tracker_make, encoded(options), ctypes.byref(handle))
        if status:
            raise BY_STATUS[status](in_python(text or "") if status == INVALID_OPTIONS else text)
        # By the index of a class: labels have no text in the library.
        self._texts: Dict[int, str] = {}
        super().__init__(handle.value, library.martlet_tracker_release)

    def update(self, boxes: Boxes, frame: Union["NDArray[numpy.uint8]", Size]) -> Tuple[DetectedObject, ...]:
        """The tracked objects in sight in the next frame, by decreasing salience, with smoothed boxes.

        `boxes` are objects of a detector, or rows of x, y, width, height, score and perhaps the index of the class.
        Pass all boxes from a low score on, after suppression of overlapping ones. `frame` is an array of uint8, whose
        pixels tell objects that look different apart, or the frame's width and height. A frame of another size
        removes all objects.
        """
        numbers = array("f")
        for box in boxes:
            numbers.extend(self._row(box))
        place, count = numbers.buffer_info()
        if isinstance(frame, tuple):
            return self._objects(library.martlet_tracker_update, place, count // 6, None, 0, *frame, 0)
        # The array, or its copy, must live during the call.
        pixels, found = layout(frame)
        objects = self._objects(library.martlet_tracker_update, place, count // 6, *found)
        del pixels
        return objects

    def skip(self, size: Size) -> Tuple[DetectedObject, ...]:
        """The tracked objects in a frame in which the detector does not run, at their expected places."""
        return self._objects(library.martlet_tracker_skip, *size)

    def reset(self) -> None:
        """Removes all objects; their numbers are not used again."""
        library.martlet_tracker_reset(self._open_handle)

    def _row(self, box: Union[DetectedObject, Sequence[float]]) -> List[float]:
        if isinstance(box, DetectedObject):
            row = [*vars(box.box).values(), box.score]
            if box.labels:
                self._texts[box.labels[0].index] = box.labels[0].text
                row.append(box.labels[0].index)
        else:
            row = list(map(float, box))
        if len(row) not in (5, 6):
            raise InvalidArgument(f"expected x, y, width, height, score and perhaps a class, found {len(row)} numbers")
        return row if len(row) == 6 else [*row, -1]

    def _objects(self, function: Any, *arguments: Any) -> Tuple[DetectedObject, ...]:
        status, text = call(function, self._open_handle, *arguments)
        if text is None:
            raise BY_STATUS[status]("the tracker is closed, or the frame is empty or too large")
        return tuple(map(self._named, json.loads(text)["objects"]))

    def _named(self, values: Dict[str, Any]) -> DetectedObject:
        found = DetectedObject._read(values)
        return replace(found, labels=tuple(
            Label(self._texts.get(label.index, ""), label.index, label.confidence) for label in found.labels))
