"""Writes failing_classifier.tflite: a valid classifier that fails on every image with a sample above 2.
It gathers three scores, with the samples of a pixel as indices.

Needs the packages `flatbuffers` and `ai-edge-litert` (for its Python schema).
"""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

BYTE, INT = schema.TensorType.UINT8, schema.TensorType.INT32
CAST, GATHER = schema.BuiltinOperator.CAST, schema.BuiltinOperator.GATHER


def tensor(name, kind, shape, buffer=0, scale=None):
    t = schema.TensorT()
    t.name, t.type, t.shape, t.buffer = name, kind, shape, buffer
    if scale:
        t.quantization = schema.QuantizationParametersT()
        t.quantization.scale, t.quantization.zeroPoint = [scale], [0]
    return t


def code(number):
    c = schema.OperatorCodeT()
    c.builtinCode, c.deprecatedBuiltinCode, c.version = number, number, 1
    return c


def operator(index, inputs, outputs, kind, options):
    o = schema.OperatorT()
    o.opcodeIndex, o.inputs, o.outputs = index, inputs, outputs
    o.builtinOptionsType, o.builtinOptions = kind, options
    return o


cast, gather = schema.CastOptionsT(), schema.GatherOptionsT()
cast.inDataType, cast.outDataType = BYTE, INT
graph = schema.SubGraphT()
graph.tensors = [
    tensor("image", BYTE, [1, 1, 1, 3], scale=1 / 256),
    tensor("table", BYTE, [3], buffer=1, scale=1 / 256),
    tensor("indices", INT, [1, 1, 1, 3]),
    tensor("scores", BYTE, [1, 1, 1, 3], scale=1 / 256),
]
graph.operators = [
    operator(0, [0], [2], schema.BuiltinOptions.CastOptions, cast),
    operator(1, [1, 2], [3], schema.BuiltinOptions.GatherOptions, gather),
]
graph.inputs, graph.outputs = [0], [3]
model = schema.ModelT()
model.version, model.operatorCodes, model.subgraphs = 3, [code(CAST), code(GATHER)], [graph]
model.buffers = [schema.BufferT(), schema.BufferT()]
model.buffers[1].data = np.array([10, 20, 30], np.uint8)
builder = flatbuffers.Builder(1024)
builder.Finish(model.Pack(builder), b"TFL3")
with open("failing_classifier.tflite", "wb") as file:
    file.write(bytes(builder.Output()))
