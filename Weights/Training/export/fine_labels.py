"""Writes the network that names objects from the classifier's features.

    python -m export.fine_labels --classifier ../classifier.tflite --head checkpoints/fine-labels.npz --out ../fine-labels.tflite

A fully connected layer, a logistic function and a conversion to uint8. The input has the name and the quantization of
the classifier's tensor that it is a copy of, so that one run of the classifier is enough for categories and names.
The file has two lists: fine-labels.txt, and hypernyms.txt with the hypernym of each name, or an empty line.
"""

import argparse
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")

import numpy as np
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

from data.fine_labels import FineLabels
from export.metadata import metadata, with_metadata
from export.objects import LICENSE, VERSION
from teachers.pooled import pooled_tensor

LOGITS = 1 / 16, 32  # scale and zero point: -10 to 5.9


class Graph:
    """A model of one subgraph."""

    def __init__(self):
        self.model, self._graph = schema.ModelT(), schema.SubGraphT()
        self.model.version, self.model.subgraphs = 3, [self._graph]
        self.model.buffers, self.model.operatorCodes = [schema.BufferT()], []  # the first buffer is that of no data
        self._graph.tensors, self._graph.operators = [], []

    def tensor(self, name, kind, shape, scale, zero_point=0, values=None):
        """The index of a new tensor. `scale` may be an array, one a channel of the first axis."""
        tensor, quantization = schema.TensorT(), schema.QuantizationParametersT()
        quantization.scale = np.atleast_1d(np.float32(scale))
        quantization.zeroPoint = np.full(len(quantization.scale), zero_point, np.int64)
        tensor.name, tensor.type, tensor.shape, tensor.quantization = name, kind, np.int32(shape), quantization
        tensor.buffer = 0
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(values.tobytes(), np.uint8)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        self._graph.tensors.append(tensor)
        return len(self._graph.tensors) - 1

    def operator(self, code, version, inputs, output, options=None, options_type=0):
        kind, operator = schema.OperatorCodeT(), schema.OperatorT()
        kind.builtinCode = kind.deprecatedBuiltinCode = code
        kind.version = version
        operator.opcodeIndex = len(self.model.operatorCodes)
        operator.inputs, operator.outputs = np.int32(inputs), np.int32([output])
        operator.builtinOptions, operator.builtinOptionsType = options, options_type
        self.model.operatorCodes.append(kind)
        self._graph.operators.append(operator)

    def interface(self, input_, output):
        self._graph.inputs, self._graph.outputs = np.int32([input_]), np.int32([output])


def network(source, weight, bias):
    """The model of a layer with weights [640, names] and biases, int8 per channel, whose input is a copy of the
    classifier's tensor `source`."""
    graph, count = Graph(), len(bias)
    scale, zero_point = float(source.quantization.scale[0]), int(source.quantization.zeroPoint[0])
    scales = np.abs(weight).max(0).clip(1e-6) / 127
    kernel = np.round(weight.T / scales[:, None]).astype(np.int8)
    types, kinds = schema.TensorType, schema.BuiltinOperator
    features = graph.tensor(source.name, types.INT8, (1, len(weight)), scale, zero_point)
    inputs = [features, graph.tensor("kernel", types.INT8, kernel.shape, scales, values=kernel),
              graph.tensor("bias", types.INT32, bias.shape, scales * scale,
                           values=np.round(bias / (scales * scale)).astype(np.int32))]
    logits = graph.tensor("logits", types.INT8, (1, count), *LOGITS)
    signed = graph.tensor("signed", types.INT8, (1, count), 1 / 256, -128)
    names = graph.tensor("names", types.UINT8, (1, count), 1 / 256)
    graph.operator(kinds.FULLY_CONNECTED, 5, inputs, logits, schema.FullyConnectedOptionsT(),
                   schema.BuiltinOptions.FullyConnectedOptions)
    graph.operator(kinds.LOGISTIC, 2, [logits], signed)
    graph.operator(kinds.QUANTIZE, 2, [signed], names)
    graph.interface(features, names)
    return graph.model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--classifier", required=True)
    parser.add_argument("--head", required=True, help="the file of train.fine_labels")
    parser.add_argument("--out", required=True, type=Path)
    options = parser.parse_args()

    classifier, head, labels = flatbuffer_utils.read_model(options.classifier), np.load(options.head), FineLabels()
    source = classifier.subgraphs[0].tensors[pooled_tensor(classifier)]
    model = network(source, head["weight"].astype(np.float32), head["bias"])
    blob = metadata(
        "Martlet object names", "Names an object by everyday words, from the object classifier's features.",
        VERSION, LICENSE, {"name": "features", "description": "The classifier's pooled features."},
        [{"name": "names", "description": "The probability of each name, 0...1.", "labels": "fine-labels.txt"}],
        is_image=False)
    lists = {"fine-labels.txt": labels.names, "hypernyms.txt": labels.hypernyms}
    out = with_metadata(flatbuffer_utils.convert_object_to_bytearray(model), [("names", (len(labels.names),))], blob,
                        {name: "".join(line + "\n" for line in lines) for name, lines in lists.items()}, is_image=False)
    options.out.write_bytes(out)
    print(options.out, len(out), "bytes")


if __name__ == "__main__":
    main()
