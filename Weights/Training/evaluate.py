"""Runs a .tflite on the validation split and writes what the scoring scripts read.

    python evaluate.py localizer  --data DATA --model ../localiser.tflite  --out boxes.jsonl
    python evaluate.py classifier --data DATA --model ../classifier.tflite --out coarse.jsonl
    python evaluate.py peer       --data DATA --model DETECTOR.tflite --out peer.jsonl
    python evaluate.py linear     --data DATA --cache CACHE --models MODELS --sources S... --out o.jsonl
    python evaluate.py tune       --data DATA --model ../localiser.tflite
    python evaluate.py curve      --data DATA --predictions coarse.jsonl

`peer` runs a detector that selects its boxes itself (TFLite_Detection_PostProcess). `tune` tries
changes of `CALIBRATION` in export.py and prints them by the sum of the three measures.
`curve` shows how often the classifier is right, by its confidence. With `--sources` a network sees
all images of these sources, for one that was trained without them ("strangers", and for the
classifier "held-out": those that scenes.py and crops.py list); `linear` is what a linear layer on the
three teachers' answers, fitted to all other images, says of them. The localizer's three measures
are printed, too.
"""

import argparse
import itertools
import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import cv2
import numpy as np
import tensorflow as tf

import augment
import decode
from crops import Crops, named
from pictures import CATEGORIES, LABELS, box_rows, coarse_rows, more_rows, predictions
from probe import fitted_probe
from scenes import judged_rows
from targets import overlap


class Network:
    """A .tflite on one thread: an image, or its mirror image, in, real numbers out."""

    def __init__(self, path):
        self.interpreter = tf.lite.Interpreter(str(path), num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.size = int(self.input["shape"][1])

    def __call__(self, picture, mirrored=False):
        pixels = augment.resize(picture, self.size)[None, :, :: -1 if mirrored else 1]
        if self.input["dtype"] == np.float32:
            pixels = pixels.astype(np.float32) / 255
        self.interpreter.set_tensor(self.input["index"], pixels)
        self.interpreter.invoke()
        return [self._real(d) for d in self.interpreter.get_output_details()]

    def _real(self, detail):
        value = self.interpreter.get_tensor(detail["index"])[0].astype(np.float32)
        scale, zero = detail["quantization"]
        return (value - zero) * scale if scale else value


def validation(rows):
    return [row for row in rows if row["split"] == "val"]


def read(data, file):
    return cv2.cvtColor(cv2.imread(str(Path(data) / file)), cv2.COLOR_BGR2RGB)


def maps(network, data, sources=(), looks=1):
    """(row, outputs) of every image with boxes; of two looks the mean."""
    for row in box_pictures(data, sources):
        picture = read(data, row["file"])
        outputs = network(picture)
        yield row, outputs if looks == 1 else decode.averaged(outputs, network(picture, mirrored=True))


def box_pictures(data, sources):
    """Images with boxes: the validation split's, or all of some sources."""
    return judged_rows(data, sources) if sources else validation(box_rows(data))


def line(row, boxes, scores):
    size = [row["width"], row["height"]] * 2
    found = []
    for box, score in zip(boxes * size, scores):
        frame = dict(zip(("x", "y"), map(float, box[:2])))
        frame |= dict(zip(("width", "height"), map(float, box[2:] - box[:2])))
        found.append({"frame": frame, "score": float(score)})
    return {"image": row["file"], "objects": found}


def peer_lines(network, data, sources):
    for row, (boxes, _, scores, count) in maps(network, data, sources):
        kept = slice(int(count))
        yield line(row, boxes[kept][:, [1, 0, 3, 2]].clip(0, 1), scores[kept])


def categorised(data, sources=()):
    """Images with a category: the validation split's, or all of some sources."""
    if not sources:
        return validation(coarse_rows(data))
    return [row for row in coarse_rows(data) + more_rows(data)
            if row["category"] and row["source"] in named(sources)]


def macro_accuracy(rows, said):
    """Mean of the categories' shares of right answers; `said`: an index of CATEGORIES a row."""
    truth = np.array([CATEGORIES.index(row["category"]) for row in rows])
    return np.mean([(said[truth == label] == label).mean() for label in np.unique(truth)])


def linear_lines(data, cache, models, sources):
    crops = Crops(data, cache, models, 1, sources)
    layer = fitted_probe(crops)
    for row in categorised(data, sources):
        answer = crops.ask(read(data, row["file"]))
        yield coarse_line(row["file"], layer.categories(answer[None])[0])


def coarse_line(file, scores):
    labels = [{"text": LABELS[i], "index": i, "confidence": float(s)} for i, s in enumerate(scores)]
    return {"image": file, "labels": labels}


def coarse_lines(network, data, sources, looks):
    for row in categorised(data, sources):
        picture = read(data, row["file"])
        scores = [network(part)[0] for part in (picture, _middle(picture))[:looks]]
        yield coarse_line(row["file"], np.mean(scores, 0))


def _middle(picture, share=0.8):
    """What `martlet classify` looks at as well."""
    y, x = [round(side * (1 - share) / 2) for side in picture.shape[:2]]
    return picture[y : picture.shape[0] - y, x : picture.shape[1] - x]


def truth(row):
    """The annotated boxes that count (x0, y0, x1, y1) and the most prominent one's index."""
    boxes = [b["box"] for b in row["boxes"]
             if not (b.get("crowd") or b.get("part") or b["difficult"])]
    g = np.array(boxes, float).reshape(-1, 4)
    middle = g[:, :2] + g[:, 2:] / 2 - [row["width"] / 2, row["height"] / 2]
    far = np.hypot(*middle.T) / (np.hypot(row["width"], row["height"]) / 2)
    weight = g[:, 2:].prod(1) * (1 - far)
    g[:, 2:] += g[:, :2]
    return g, int(weight.argmax()) if len(g) else 0


def measures(found):
    """Most prominent first, capped recall@5 and AP50 of the first five, as the scoring script defines
    them, of triples of an image's row, its boxes in order, and their scores."""
    prominent = hits = possible = pictures = 0
    judged, objects = [], 0  # scores of boxes and whether they are right, where all is annotated
    for row, boxes, scores in found:
        g, main = truth(row)
        if not len(g):
            continue
        boxes, scores = boxes[:5], scores[:5]
        shared = overlap(boxes * ([row["width"], row["height"]] * 2), g)
        pictures += 1
        possible += min(5, len(g))
        prominent += len(boxes) > 0 and shared[0, main] >= 0.5
        hits += sum(matched(shared))
        if row["labelled"] in ("all", "salient"):
            order = np.argsort(-scores, kind="stable")
            judged += zip(scores[order], matched(shared[order]))
            objects += len(g)
    return prominent / pictures, hits / possible, _average_precision(judged, objects)


def measured(lines, data, sources):
    """The measures of written lines, and how many images there are."""
    found = []
    for row, entry in zip(box_pictures(data, sources), lines, strict=True):
        size = [row["width"], row["height"]] * 2
        scores = np.array([object["score"] for object in entry["objects"]])
        found.append((row, corners(entry) / size, scores))
    return *measures(found), len(found)


def corners(entry, most=None):
    """The first boxes [n, 4] (x0, y0, x1, y1) of an image's line, in pixels."""
    frames = [object["frame"] for object in entry["objects"][:most]]
    boxes = [[f["x"], f["y"], f["x"] + f["width"], f["y"] + f["height"]] for f in frames]
    return np.array(boxes).reshape(-1, 4)


def assigned(shared):
    """For each box in turn the object that it is the first to lie on, by half at least, or -1."""
    free, objects = np.ones(shared.shape[1], bool), []
    for each in shared:
        best = np.where(free, each, -1).argmax()
        right = free[best] and each[best] >= 0.5
        objects.append(int(best) if right else -1)
        free[best] &= not right
    return np.array(objects, int)


def matched(shared):
    """Whether each box in turn is the first to lie on an object, by half at least."""
    return assigned(shared) >= 0


def _average_precision(judged, objects):
    right = np.array([right for _, right in sorted(judged, key=lambda entry: -entry[0])], float)
    precision = np.cumsum(right) / np.arange(1, len(right) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    return float((precision * right).sum() / max(objects, 1))


def tune(network, data, sources, looks):
    """Tries to stretch and shift the scores' logits of the two finer levels and of the others."""
    entries = list(maps(network, data, sources, looks))
    tried = list(itertools.product((0.8, 1, 1.25), (-0.5, 0, 0.5)))
    results = []
    for fine, coarse in itertools.product(tried, tried):
        levels = [fine, fine, coarse, coarse]
        found = []
        for row, out in entries:
            logits = [l * [factor, 1] + [shift, 0]
                      for l, (factor, shift) in zip(out[0::2], levels, strict=True)]
            out = [part for pair in zip(logits, out[1::2]) for part in pair]
            found.append((row, *decode.objects(out)))
        results.append((*measures(found), *fine, *coarse))
    for result in sorted(results, key=lambda r: -sum(r[:3])):
        print("prominent first %.3f  capped recall@5 %.3f  AP50 %.3f  "
              "finer levels * %.2f %+.1f  coarser * %.2f %+.1f" % result)


def curve(path, data, bins=10):
    """Of the answers of each range of confidence, how many there are and how many are right."""
    truth = {row["file"]: LABELS[CATEGORIES.index(row["category"])] for row in coarse_rows(data)}
    best = [(row["image"], max(row["labels"], key=lambda label: label["confidence"]))
            for row in predictions(path) if row["labels"]]
    sure = np.array([label["confidence"] for _, label in best])
    right = np.array([truth[file] == label["text"] for file, label in best])
    print("| confidence | answers | mean confidence | right |\n|---|---|---|---|")
    for least in np.arange(bins) / bins:
        these = (sure >= least) & (sure < least + 1 / bins + (least + 1 / bins >= 1))
        if these.any():
            print(f"| {least:.1f} to {least + 1 / bins:.1f} | {these.sum()} | {sure[these].mean():.3f} "
                  f"| {right[these].mean():.3f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["localiser", "classifier", "peer", "linear", "tune", "curve"])
    parser.add_argument("--data", required=True)
    parser.add_argument("--model")
    parser.add_argument("--cache")
    parser.add_argument("--models")
    parser.add_argument("--predictions")
    parser.add_argument("--sources", nargs="*", default=[])
    parser.add_argument("--looks", type=int, choices=[1, 2], default=1,
                        help="at a picture, and at its middle (classifier) or its mirror image (localiser)")
    parser.add_argument("--out")
    options = parser.parse_args()
    if options.looks > 1 and options.kind not in ("localiser", "classifier", "tune"):
        parser.error(f"{options.kind} looks once")
    if options.kind == "curve":
        return curve(options.predictions, options.data)
    network = Network(options.model) if options.model else None
    if options.kind == "tune":
        return tune(network, options.data, options.sources, options.looks)
    if options.kind == "linear":
        lines = linear_lines(options.data, options.cache, options.models, options.sources)
    elif options.kind == "classifier":
        lines = coarse_lines(network, options.data, options.sources, options.looks)
    elif options.kind == "peer":
        lines = peer_lines(network, options.data, options.sources)
    else:
        lines = (line(row, *decode.objects(out))
                 for row, out in maps(network, options.data, options.sources, options.looks))
    lines = list(lines)
    if options.kind in ("localiser", "peer"):
        print("most prominent first %.3f, capped recall@5 %.3f, AP50 %.3f, %d pictures"
              % measured(lines, options.data, options.sources))
    with open(options.out, "w") as out:
        for each in lines:
            out.write(json.dumps(each) + "\n")
    if options.kind in ("linear", "classifier"):
        said = np.array([np.argmax([label["confidence"] for label in each["labels"]]) for each in lines])
        score = macro_accuracy(categorised(options.data, options.sources), said)
        print(f"macro accuracy {score:.3f} of {len(lines)} pictures")


if __name__ == "__main__":
    main()
