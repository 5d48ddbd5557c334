"""Writes models with custom operators, own_operators.tflite and own_shape.tflite, and models with
numbers that exceed 32 bits: slice_beyond_32_bits.tflite, which no interpreter accepts, and
range_beyond_32_bits.tflite.

Needs TensorFlow 2.21 for its Python schema, and the package `flatbuffers`.
"""

import flatbuffers
import numpy as np
from flatbuffers import flexbuffers
from tensorflow.lite.python import schema_py_generated as schema

FLOAT, INT, LONG = schema.TensorType.FLOAT32, schema.TensorType.INT32, schema.TensorType.INT64


def tensor(name, kind, shape, buffer=0):
    t = schema.TensorT()
    t.name, t.type, t.shape, t.buffer = name, kind, shape, buffer
    return t


def code(number, version=1, custom=None):
    c = schema.OperatorCodeT()
    c.builtinCode, c.deprecatedBuiltinCode = number, min(number, 127)
    c.version, c.customCode = version, custom
    return c


def operator(index, inputs, outputs, custom=None, leak=None):
    o = schema.OperatorT()
    o.opcodeIndex, o.inputs, o.outputs = index, inputs, outputs
    if custom is not None:
        o.customOptions = np.frombuffer(flexbuffers.Dumps(custom), np.uint8)
    if leak is not None:
        o.builtinOptionsType = schema.BuiltinOptions.LeakyReluOptions
        o.builtinOptions = schema.LeakyReluOptionsT()
        o.builtinOptions.alpha = leak
    return o


def write(name, codes, tensors, operators, inputs, outputs, constants=()):
    m = schema.ModelT()
    m.version, m.operatorCodes = 3, codes
    m.buffers = [schema.BufferT()]
    for values in constants:
        b = schema.BufferT()
        b.data = np.frombuffer(values.tobytes(), np.uint8)
        m.buffers.append(b)
    g = schema.SubGraphT()
    g.tensors, g.operators, g.inputs, g.outputs = tensors, operators, inputs, outputs
    m.subgraphs = [g]
    builder = flatbuffers.Builder(1024)
    builder.Finish(m.Pack(builder), b"TFL3")
    with open(name, "wb") as file:
        file.write(bytes(builder.Output()))


custom, leaky = schema.BuiltinOperator.CUSTOM, schema.BuiltinOperator.LEAKY_RELU

# Blend of x and weights w, then a LEAKY_RELU of an unknown version, then a standard one.
write(
    "own_operators.tflite",
    [code(custom, custom="Blend"), code(leaky, version=7), code(leaky)],
    [
        tensor("x", FLOAT, [2, 3]), tensor("w", FLOAT, [3], buffer=1),
        tensor("blended", FLOAT, [2, 3]), tensor("bounded", FLOAT, [2, 3]),
        tensor("y", FLOAT, [2, 3]),
    ],
    [
        operator(0, [0, 1, -1], [2], custom={"amount": 0.5, "mode": "mean"}),
        operator(1, [2], [3], leak=2.0),
        operator(2, [3], [4], leak=0.25),
    ],
    [0], [4], [np.array([1, 2, -4], np.float32)])

# Count writes 0, 1, 2, ...; its input is the number of elements.
write(
    "own_shape.tflite", [code(custom, custom="Count")],
    [tensor("n", INT, [1]), tensor("y", FLOAT, [0])], [operator(0, [0], [1])], [0], [1])

# The slice starts at element 2^33 of four.
write(
    "slice_beyond_32_bits.tflite", [code(schema.BuiltinOperator.SLICE)],
    [
        tensor("x", FLOAT, [4]), tensor("begin", LONG, [1], buffer=1),
        tensor("size", LONG, [1], buffer=2), tensor("y", FLOAT, [1]),
    ],
    [operator(0, [0, 1, 2], [3])], [0], [3], [np.array([1 << 33]), np.array([1])])

# Three elements from 2^33 on.
write(
    "range_beyond_32_bits.tflite", [code(schema.BuiltinOperator.RANGE)],
    [tensor(name, LONG, [], buffer=number) for number, name in enumerate(["start", "limit", "delta"], 1)]
    + [tensor("y", LONG, [3])],
    [operator(0, [0, 1, 2], [3])], [], [3],
    [np.array(1 << 33), np.array((1 << 33) + 3), np.array(1)])
