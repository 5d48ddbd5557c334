"""Exports the weights of a run as an integer .tflite with metadata.

    python -m export.objects classifier --data DATA --cache CACHE --run RUN --out ../classifier.tflite
    python -m export.objects localizer  --data DATA --cache CACHE --run RUN --out ../localizer.tflite

Weights become int8 per channel; activations become int8, with ranges calibrated on 300 training images. Input and
outputs are uint8. Input bytes are pixels (zero point 0, scale 1/255). The classifier's logits are scaled in its last
layer (export/calibrate.py). `--float` also writes the network in float32, to measure the loss by quantization.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import keras
import numpy as np
import tensorflow as tf

from data import augment
from data.images import LABELS, Images, box_rows, coarse_rows
from data.targets import LANDSCAPE, LEVELS
from export import calibrate
from export.metadata import metadata, with_metadata
from networks import object_networks
from train import loop

# Scale and shift of each level's object logits, the finest first, so that a score is the share of boxes that hold an
# object. Chosen on sources that an earlier network was not trained on.
CALIBRATION = [(0.96, 0.1), (0.96, 0.1), (1.44, -0.3), (1.44, -0.3)]

# The texts of the metadata are in the shipped files.
VERSION = "1.0"
LICENSE = "Apache-2.0. Trained on the sources that the card beside this model names."


def calibration(data, cache, size, kind, count=300):
    """Training images, after a black and a white image, which fix the input's range at 0...1."""
    images = Images(data, cache)
    rows = coarse_rows(data) if kind == "classifier" else box_rows(data)
    files = [row["file"] for row in rows if row["split"] == "train" and row["file"] in images]
    chosen = np.random.default_rng(0).choice(len(files), count, replace=False)

    def samples():
        yield [np.zeros((1, *size[::-1], 3), np.float32)]
        yield [np.ones((1, *size[::-1], 3), np.float32)]
        for i in chosen:
            yield [augment.resize(images[files[i]], size)[None].astype(np.float32) / 255]

    return samples


def converter(model, samples=None):
    c = tf.lite.TFLiteConverter.from_keras_model(model)
    if samples:
        c.optimizations = [tf.lite.Optimize.DEFAULT]
        c.representative_dataset = samples
        c.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        c.inference_input_type = c.inference_output_type = tf.uint8
    return c


def fixed(model, size):
    """The input and the outputs of the model for one image, of this width and height, at a time."""
    image = keras.Input((*size[::-1], 3), batch_size=1)
    return image, model(image)


def classifier(weights, size, width, data, cache):
    trained = object_networks.classifier(size[0], width=width)
    loop.load_weights(trained, weights)
    chosen = keras.Model(trained.input, trained.output["category"])
    factor = calibrate.logit_scale(chosen, data, cache, size[0])
    last = trained.get_layer("category")
    last.set_weights([factor * weight for weight in last.get_weights()])
    print(f"logits times {factor:.2f}")
    image, x = fixed(chosen, size)
    return keras.Model(image, keras.layers.Softmax()(x))


def classifier_metadata(threshold):
    return metadata(
        "Martlet object classifier", "Tells the category of an object from its cropped picture.",
        VERSION, LICENSE,
        {"name": "image", "description": "The object's crop, stretched to the input's size."},
        [{"name": "scores", "description": "One score a label, 0...1.", "labels": "labels.txt",
          "threshold": threshold}])


def localizer(weights, size, width):
    """The localizer with calibrated object logits."""
    trained = object_networks.localizer(size, LEVELS, width)
    loop.load_weights(trained, weights)
    for number, (factor, shift) in enumerate(CALIBRATION):
        layer = trained.get_layer(f"objects_{number}")
        kernel, bias = layer.get_weights()
        layer.set_weights([kernel * [factor, 1], bias * [factor, 1] + [shift, 0]])
    image, out = fixed(trained, size)
    return keras.Model(image, out)


def localizer_metadata(names):
    descriptions = {"objects": "By location: logits of an object, and of the most prominent one.",
                    "boxes": "By location: logarithms of the distances to the left, top, right and bottom "
                             "side, in cells."}
    return metadata(
        "Martlet object localiser", "Finds salient objects of any kind in a picture.",
        VERSION, LICENSE,
        {"name": "image", "description": "The whole picture, stretched to the input's size."},
        [{"name": name, "description": descriptions[name.rstrip("0123456789")]} for name, _ in names])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["classifier", "localizer"])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--run", required=True, type=Path)
    parser.add_argument("--weights", default="weights.npz", help="which of the run's")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--size", type=int, help="side of a square input; default: 160 for the classifier; the "
                        "localizer's input is {} x {}".format(*LANDSCAPE))
    parser.add_argument("--width", type=float, default=1.0, help="width of the network's layers")
    parser.add_argument("--threshold", type=float, default=0.35)
    parser.add_argument("--float", action="store_true")
    options = parser.parse_args()

    size = (options.size, options.size) if options.size else (160, 160) if options.kind == "classifier" else LANDSCAPE
    if options.kind == "classifier":
        model = classifier(options.run / options.weights, size, options.width, options.data, options.cache)
        names = [("scores", (len(LABELS),))]
        blob = classifier_metadata(options.threshold)
        files = {"labels.txt": "".join(label + "\n" for label in LABELS)}
    else:
        model = localizer(options.run / options.weights, size, options.width)
        names = [(f"{kind}{out.shape[1]}", out.shape[1:]) for kind, out in
                 zip(["objects", "boxes"] * len(LEVELS), model.outputs)]
        blob, files = localizer_metadata(names), {}
    samples = calibration(options.data, options.cache, size, options.kind)
    out = with_metadata(converter(model, samples).convert(), names, blob, files)
    options.out.write_bytes(out)
    print(options.out, len(out), "bytes")
    if options.float:
        options.out.with_suffix(".float.tflite").write_bytes(
            with_metadata(converter(model).convert(), names, blob, files))


if __name__ == "__main__":
    main()
