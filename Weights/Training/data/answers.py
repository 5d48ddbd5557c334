"""The teachers' answers about views and crops, kept in the cache.

`python -m teachers.views` and `python -m teachers.crops` compute them; training only reads them, so a machine that
trains needs no teacher. Files grow with the number of images: images of a new folder come last.
"""

import json
import os
from pathlib import Path

import numpy as np

TOP = 20  # best classes of a classifier
FEATURES = 1280  # of EfficientNet-Lite0
MAX_BOXES = 20  # per view
VIEW_SIZE = 256  # side of a kept view in pixels

# The answers of the classifier's three teachers about a crop: Lite0's features, and twenty indices and
# probabilities (in 1/256) of ImageNet's classes and of the labeler's labels.
ANSWER = np.dtype([("features", np.float16, FEATURES), ("named", np.uint16, (4, TOP))])


class CropAnswers:
    """Answers by a list's index and a crop's number in it. `counts`: the number of crops of each list."""

    def __init__(self, counts, cache):
        self._kept = [cached_array(Path(cache) / f"answers_{i}.bin", ANSWER, (count,)) for i, count in enumerate(counts)]

    def __contains__(self, place):
        index, number = place
        return self._kept[index][number]["named"][1].any()

    def __getitem__(self, place):
        index, number = place
        return self._kept[index][number]

    def __setitem__(self, place, answer):
        index, number = place
        self._kept[index][number] = answer


class ViewAnswers:
    """The pixels of views, VIEW_SIZE a side, and the boxes of a teacher in them, [n, 6] as of `teachers.fused`, by the
    names of the views."""

    def __init__(self, keys, cache, teacher="views"):
        listed = Path(cache) / f"{teacher}.json"
        places = json.loads(listed.read_text()) if listed.exists() else {}
        known = len(places)
        for key in keys:
            places.setdefault(key, len(places))
        if len(places) > known:
            listed.write_text(json.dumps(places))
        self._places = [places[key] for key in keys]
        self._boxes = cached_array(Path(cache) / f"{teacher}_answers.bin", np.float16, (len(places), MAX_BOXES, 6))
        self._pixels = cached_array(Path(cache) / f"{teacher}_pixels.bin", np.uint8, (len(places), VIEW_SIZE, VIEW_SIZE, 3))

    def __contains__(self, index):
        return self._boxes[self._places[index]].any()

    def __getitem__(self, index):
        boxes = self._boxes[self._places[index]]
        return np.array(self._pixels[self._places[index]]), boxes[boxes[:, 4] > 0].astype(np.float32)

    def __setitem__(self, index, answer):
        view, boxes = answer
        self.show(index, view)
        place = self._places[index]
        self._boxes[place, : len(boxes)] = boxes
        if not len(boxes):
            self._boxes[place, 0, :4] = 1  # computed, without boxes

    def show(self, index, view):
        """Keeps the pixels of a view."""
        self._pixels[self._places[index]] = view


def cached_array(path, kind, shape):
    """A memory-mapped array in a file, which is created, or grows, with zeros."""
    bytes_ = int(np.prod(shape)) * np.dtype(kind).itemsize
    if not path.exists() or path.stat().st_size < bytes_:
        with open(path, "ab") as file:
            os.truncate(file.fileno(), bytes_)
    return np.memmap(path, kind, "r+", shape=shape)


def in_parts(numbers, processes, compute):
    """Calls `compute(number)` for all numbers in several processes, and prints the progress. Exits if one fails."""
    children = []
    for part in range(processes):
        if child := os.fork():
            children.append(child)
            continue
        for done, number in enumerate(numbers[part::processes]):
            compute(number)
            if part == 0 and done % 500 == 0:
                print(f"{done * processes} of {len(numbers)}", flush=True)
        os._exit(0)
    if any([os.waitpid(child, 0)[1] for child in children]):
        raise SystemExit("a process failed; its error is above")
