"""Writes the classifier with a second output: probabilities of everyday names.

    python -m export.fine_labels --classifier ../classifier.tflite --head checkpoints/fine-labels.npz --out ../fine-labels.tflite

Three operators, a fully connected layer, a logistic function and a conversion to uint8, are added to the classifier's
file. They read the pooled features that its last layer reads, so its first output does not change.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

from data.fine_labels import FineLabels
from data.images import LABELS
from export.metadata import metadata, with_metadata
from export.objects import LICENSE, VERSION
from teachers.pooled import pooled_tensor

LOGITS = 1 / 16, 32  # scale and zero point: -10 to 5.9


class Graph:
    """Adds tensors and operators to a model's first subgraph."""

    def __init__(self, model):
        self._model, self._graph = model, model.subgraphs[0]

    def tensor(self, name, kind, shape, scale, zero_point=0, values=None):
        """The index of a new tensor. `scale` may be an array, one a channel of the first axis."""
        tensor, quantization = schema.TensorT(), schema.QuantizationParametersT()
        quantization.scale = np.atleast_1d(np.float32(scale))
        quantization.zeroPoint = np.full(len(quantization.scale), zero_point, np.int64)
        tensor.name, tensor.type, tensor.shape, tensor.quantization = name, kind, np.int32(shape), quantization
        tensor.buffer = len(self._model.buffers)
        buffer = schema.BufferT()
        if values is not None:
            buffer.data = np.frombuffer(values.tobytes(), np.uint8)
        self._model.buffers.append(buffer)
        self._graph.tensors.append(tensor)
        return len(self._graph.tensors) - 1

    def operator(self, code, inputs, output, options=None, options_type=0):
        operator = schema.OperatorT()
        operator.opcodeIndex = self._code(code)
        operator.inputs, operator.outputs = np.int32(inputs), np.int32([output])
        operator.builtinOptions, operator.builtinOptionsType = options, options_type
        self._graph.operators.append(operator)

    def _code(self, code):
        """The index of the operator's code, which is added if the model has none. Version 2 is that of int8."""
        codes = self._model.operatorCodes
        for index, known in enumerate(codes):
            if max(known.builtinCode, known.deprecatedBuiltinCode) == code:
                return index
        added = schema.OperatorCodeT()
        added.builtinCode = added.deprecatedBuiltinCode = code
        added.version = 2
        codes.append(added)
        return len(codes) - 1

    def scale(self, tensor):
        return float(self._graph.tensors[tensor].quantization.scale[0])

    def add_output(self, tensor):
        self._graph.outputs = np.append(self._graph.outputs, tensor).astype(np.int32)


def add_names(model, weight, bias):
    """Adds the layer with weights [640, names] and biases to the classifier, int8 per channel."""
    graph, features, count = Graph(model), pooled_tensor(model), len(bias)
    scales = np.abs(weight).max(0).clip(1e-6) / 127
    kernel = np.round(weight.T / scales[:, None]).astype(np.int8)
    sums = scales * graph.scale(features)
    types, kinds = schema.TensorType, schema.BuiltinOperator
    inputs = [features, graph.tensor("names/kernel", types.INT8, kernel.shape, scales, values=kernel),
              graph.tensor("names/bias", types.INT32, bias.shape, sums, values=np.round(bias / sums).astype(np.int32))]
    logits = graph.tensor("names/logits", types.INT8, (1, count), *LOGITS)
    signed = graph.tensor("names/signed", types.INT8, (1, count), 1 / 256, -128)
    names = graph.tensor("names", types.UINT8, (1, count), 1 / 256)
    graph.operator(kinds.FULLY_CONNECTED, inputs, logits, schema.FullyConnectedOptionsT(),
                   schema.BuiltinOptions.FullyConnectedOptions)
    graph.operator(kinds.LOGISTIC, [logits], signed)
    graph.operator(kinds.QUANTIZE, [signed], names)
    graph.add_output(names)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classifier", required=True)
    parser.add_argument("--head", required=True, help="the file of train.fine_labels")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--threshold", type=float, default=0.35, help="of the categories, as of export.objects")
    options = parser.parse_args()

    model, head, names = flatbuffer_utils.read_model(options.classifier), np.load(options.head), FineLabels().names
    add_names(model, head["weight"].astype(np.float32), head["bias"])
    for entry in model.metadata:
        model.buffers[entry.buffer].data = None  # with_metadata adds the new ones
    blob = metadata(
        "Martlet object classifier with names", "Classifies an object's crop by category and by everyday name.",
        VERSION, LICENSE, {"name": "image", "description": "The object's crop, stretched to the input's size."},
        [{"name": "scores", "description": "One score a label, 0...1.", "labels": "labels.txt",
          "threshold": options.threshold},
         {"name": "names", "description": "The probability of each name, 0...1.", "labels": "fine-labels.txt"}])
    files = {file: "".join(text + "\n" for text in texts)
             for file, texts in (("labels.txt", LABELS), ("fine-labels.txt", names))}
    out = with_metadata(flatbuffer_utils.convert_object_to_bytearray(model),
                        [("scores", (len(LABELS),)), ("names", (len(names),))], blob, files)
    options.out.write_bytes(out)
    print(options.out, len(out), "bytes")


if __name__ == "__main__":
    main()
