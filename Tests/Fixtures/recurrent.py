"""Writes the operator cases of matrix products, recurrent cells and 3D convolutions.

Usage: python recurrent.py OUT_FOLDER [NAME...]

One-operator models with seeded numbers; the expected outputs are those of LiteRT's reference
kernels. Needs NumPy, flatbuffers and ai-edge-litert.
"""

import sys
import zlib

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from operator_cases import TYPES, serialized, write_operator


class Model:
    """A graph of one operator, built tensor by tensor."""

    def __init__(self, operator, version, options_type, options):
        self.tensors, self.buffers = [], [schema.BufferT()]
        self.inputs, self.outputs, self.operands, self.results = [], [], [], []
        self.intermediates = []
        self.code = schema.OperatorCodeT()
        self.code.builtinCode = operator
        self.code.deprecatedBuiltinCode = min(operator, 127)
        self.code.version = version
        self.operator = schema.OperatorT()
        self.operator.builtinOptionsType = options_type
        self.operator.builtinOptions = options

    def tensor(self, dtype, shape, data=None, scale=None, zero=0, axis=0, variable=False):
        tensor = schema.TensorT()
        tensor.name = f"t{len(self.tensors)}".encode()
        tensor.type = TYPES[dtype]
        tensor.shape = list(shape)
        tensor.isVariable = variable
        buffer = schema.BufferT()
        if data is not None:
            buffer.data = np.frombuffer(np.ascontiguousarray(data, dtype).tobytes(), np.uint8)
        self.buffers.append(buffer)
        tensor.buffer = len(self.buffers) - 1
        if scale is not None:
            map = schema.QuantizationParametersT()
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            map.scale = list(scales)
            map.zeroPoint = [zero] * len(scales)
            map.quantizedDimension = axis
            tensor.quantization = map
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def input(self, *args, **kwargs):
        index = self.tensor(*args, **kwargs)
        self.inputs.append(index)
        self.operands.append(index)

    def constant(self, *args, **kwargs):
        self.operands.append(self.tensor(*args, **kwargs))

    def absent(self, count=1):
        self.operands += [-1] * count

    def state(self, *args, **kwargs):
        self.operands.append(self.tensor(*args, variable=True, **kwargs))

    def output(self, *args, hidden=False, **kwargs):
        index = self.tensor(*args, **kwargs)
        self.results.append(index)
        if not hidden:
            self.outputs.append(index)

    def bytes(self):
        self.operator.inputs, self.operator.outputs = self.operands, self.results
        self.operator.intermediates = self.intermediates or None
        graph = schema.SubGraphT()
        graph.tensors, graph.operators = self.tensors, [self.operator]
        graph.inputs, graph.outputs = self.inputs, self.outputs
        model = schema.ModelT()
        model.version, model.subgraphs = 3, [graph]
        model.operatorCodes, model.buffers = [self.code], self.buffers
        return serialized(model)


def options(kind, **fields):
    table = getattr(schema, kind + "OptionsT")()
    for name, value in fields.items():
        assert hasattr(table, name), name
        setattr(table, name, value)
    return getattr(schema.BuiltinOptions, kind + "Options"), table


class Numbers:
    def __init__(self, name):
        self.random = np.random.default_rng(zlib.crc32(name.encode()))

    def floats(self, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def ints(self, dtype, *shape, limit=127):
        low = 0 if dtype == "uint8" else -limit
        return self.random.integers(low, limit + 1, shape).astype(dtype)


def batch_matmul(name, x, w, adj=(False, False), kind="f32", constant=False, scale=None, axis=0,
                 asymmetric=False, version=4):
    n = Numbers(name)
    model = Model(126, version, *options(
        "BatchMatMul", adjX=adj[0], adjY=adj[1], asymmetricQuantizeInputs=asymmetric))
    types = {"f32": ("float32", "float32", "float32"), "hybrid": ("float32", "int8", "float32"),
             "i8": ("int8", "int8", "int8"), "i32": ("int8", "int8", "int32"),
             "i16": ("int16", "int16", "int16"), "i16x8": ("int16", "int8", "int16")}[kind]
    map = {"float32": {}, "int8": {"scale": 0.02, "zero": 3}, "int32": {},
           "int16": {"scale": 2e-4}}
    model.input(types[0], x, **map[types[0]])
    right = dict(map[types[1]])
    if kind in ("hybrid", "i16x8"):
        right = {"scale": 0.01 if scale is None else scale, "axis": axis}
    if constant:
        data = n.floats(*w) if types[1] == "float32" else n.ints(types[1], *w)
        model.constant(types[1], w, data=data, **right)
    else:
        model.input(types[1], w, **right)
    rows, columns = x[-1 if adj[0] else -2], w[-2 if adj[1] else -1]
    batch = np.broadcast_shapes(x[:-2], w[:-2])
    out = {"int8": {"scale": 0.11, "zero": -9}, "int16": {"scale": 9e-4}}.get(types[2], {})
    model.output(types[2], (*batch, rows, columns), **out)
    return model


def lstm(name, sequence, kind, batch=2, steps=3, inputs=5, cells=4, outputs=None, coupled=False,
         peephole=False, norm=False, clip=0.0, projection_clip=0.0, time_major=False,
         asymmetric=False, activation=4, diagonal=False):
    n = Numbers(name)
    outputs_ = outputs or cells
    if sequence:
        table = options("UnidirectionalSequenceLSTM", fusedActivationFunction=activation,
                        cellClip=clip, projClip=projection_clip, timeMajor=time_major,
                        asymmetricQuantizeInputs=asymmetric, diagonalRecurrentTensors=diagonal)
        model = Model(44, 3, *table)
        shape = (steps, batch) if time_major else (batch, steps)
    else:
        table = options("LSTM", fusedActivationFunction=activation, cellClip=clip,
                        projClip=projection_clip, asymmetricQuantizeInputs=asymmetric)
        model = Model(16, 4, *table)
        shape = (batch,)
    integer = kind == "i8"
    scales = []

    def matrix(*shape):
        if kind == "f32" or len(shape) == 1:
            model.constant("float32", shape, data=n.floats(*shape, scale=0.5))
        else:
            scale = float(np.float32(0.006 + 0.001 * len(model.operands)))
            scales.append(scale)
            model.constant("int8", shape, data=n.ints("int8", *shape), scale=scale)

    def vector(dtype, count, scale, limit=20000):
        if dtype == "float32":
            model.constant(dtype, (count,), data=n.floats(count, scale=0.5))
        else:
            model.constant(dtype, (count,), data=n.ints(dtype, count, limit=limit), scale=scale)

    x_scale, h_scale, h_zero = 0.03, 0.008, -7
    model.input("int8" if integer else "float32", (*shape, inputs),
                **({"scale": x_scale, "zero": 4} if integer else {}))
    for gate in range(4):
        model.absent() if gate == 0 and coupled else matrix(cells, inputs)
    for gate in range(4):
        if gate == 0 and coupled:
            model.absent()
        elif diagonal:
            matrix(cells)
        else:
            matrix(cells, outputs_)
    for gate in range(3):
        if not peephole or (gate == 0 and coupled):
            model.absent()
        elif integer:
            vector("int16", cells, 3e-5)
        elif kind == "hybrid":
            model.constant("int8", (cells,), data=n.ints("int8", cells), scale=0.005)
        else:
            vector("float32", cells, None)
    for gate in range(4):
        if gate == 0 and coupled:
            model.absent()
        else:
            vector("int32" if integer else "float32", cells, 1e-4, limit=4000)
    if outputs:
        matrix(outputs, cells)
        vector("int32" if integer else "float32", outputs, 1e-4, limit=2000)
    else:
        model.absent(2)
    state = {"scale": h_scale, "zero": h_zero} if integer else {}
    model.state("int8" if integer else "float32", (batch, outputs_), **state)
    model.state("int16" if integer else "float32", (batch, cells),
                **({"scale": 2.0 ** -12} if integer else {}))
    for gate in range(4):
        if not norm or (gate == 0 and coupled):
            model.absent()
        else:
            vector("int16" if integer else "float32", cells, 4e-5)
    model.output("int8" if integer else "float32", (*shape, outputs_), **state)
    if integer:
        for _ in range(4):
            model.intermediates.append(model.tensor("int16", (0,), scale=2e-4))
        hidden = {"scale": 0.0075, "zero": 11} if outputs else state
        model.intermediates.append(model.tensor("int8", (0,), **hidden))
    return model


def basic_lstm(name, kind, batch=2, inputs=5, cells=4):
    n = Numbers(name)
    model = Model(16, 2, *options("LSTM", fusedActivationFunction=4, kernelType=1))
    byte = kind == "u8"
    scalar, wide, sums = ("uint8", "int32", "int16") if byte else ("float32",) * 3
    map = {"scale": 1 / 128, "zero": 128} if byte else {}
    state = {"scale": 2.0 ** -11} if byte else {}
    depth = inputs + cells
    model.input(scalar, (batch, inputs), **map)
    model.state(scalar, (batch, cells), **map)
    if byte:
        model.constant(scalar, (4 * cells, depth), data=n.ints("uint8", 4 * cells, depth, limit=255),
                       scale=0.012, zero=121)
        model.constant(wide, (4 * cells,), data=n.ints("int32", 4 * cells, limit=9000),
                       scale=0.012 / 128)
    else:
        model.constant(scalar, (4 * cells, depth), data=n.floats(4 * cells, depth, scale=0.5))
        model.constant(wide, (4 * cells,), data=n.floats(4 * cells, scale=0.5))
    model.state(sums, (batch, cells), **state)
    model.output(scalar, (batch, cells), **map)
    model.output(sums, (batch, cells), **state)
    model.output(scalar, (batch, depth), hidden=True, **map)
    model.output(sums, (batch, 4 * cells), hidden=True, **({"scale": 2.0 ** -12} if byte else {}))
    return model


def directions(name, cell, kind, batch=2, steps=3, inputs=5, units=(4, 3), activation=4,
               time_major=False, asymmetric=False, merged=False, auxiliary=None, coupled=False,
               peephole=False, outputs=None, clip=0.0, projection_clip=0.0):
    """Layers of plain or LSTM cells over a sequence, in one direction or, with two numbers of units, in both.
    `auxiliary` is the width of a second input with its own weights, or 'backward' for one that replaces the
    first in the backward direction."""
    n = Numbers(name)
    two, single = len(units) == 2, cell == "rnn" and not steps
    fields = dict(fusedActivationFunction=activation, asymmetricQuantizeInputs=asymmetric)
    if not single:
        fields["timeMajor"] = time_major
    if two:
        fields["mergeOutputs"] = merged
    if cell == "lstm":
        fields.update(cellClip=clip, projClip=projection_clip)
        model = Model(52, 3, *options("BidirectionalSequenceLSTM", **fields))
    elif two:
        model = Model(46, 3, *options("BidirectionalSequenceRNN", **fields))
    else:
        model = Model(24 if single else 35, 3, *options("RNN" if single else "SequenceRNN", **fields))
    shape = (batch,) if single else (steps, batch) if time_major else (batch, steps)

    def matrix(*extents):
        if kind == "f32":
            model.constant("float32", extents, data=n.floats(*extents, scale=0.5))
        else:
            model.constant("int8", extents, data=n.ints("int8", *extents),
                           scale=float(np.float32(0.004 + 0.0003 * len(model.operands))))

    def gates(*extents, count=4):
        for gate in range(count):
            model.absent() if gate == 0 and coupled else matrix(*extents)

    def vectors(count, extent):
        for gate in range(count):
            model.absent() if gate == 0 and coupled else model.constant(
                "float32", (extent,), data=n.floats(extent, scale=0.5))

    results = [outputs or count for count in units]
    model.input("float32", (*shape, inputs))
    for count, result in zip(units, results):
        if cell == "rnn":
            matrix(count, inputs)
            matrix(count, count)
            model.constant("float32", (count,), data=n.floats(count, scale=0.5))
            model.state("float32", (batch, count))
            continue
        gates(count, inputs)
        gates(count, result)
        for gate in range(3):
            if not peephole or (gate == 0 and coupled):
                model.absent()
            elif kind == "f32":
                model.constant("float32", (count,), data=n.floats(count, scale=0.5))
            else:
                model.constant("int8", (count,), data=n.ints("int8", count), scale=0.005)
        vectors(4, count)
        if outputs:
            matrix(result, count)
            model.constant("float32", (result,), data=n.floats(result, scale=0.5))
        else:
            model.absent(2)
    if cell == "lstm":
        for count, result in zip(units, results):
            model.state("float32", (batch, result))
            model.state("float32", (batch, count))
    if two:
        width = inputs if auxiliary == "backward" else auxiliary
        model.input("float32", (*shape, width)) if auxiliary else model.absent()
        for count in units:
            if not auxiliary or auxiliary == "backward":
                model.absent(4 if cell == "lstm" else 1)
            elif cell == "lstm":
                gates(count, width)
            else:
                matrix(count, width)
    if two and not merged:
        for result in results:
            model.output("float32", (*shape, result))
    else:
        model.output("float32", (*shape, sum(results)))
    return model


def svdf(name, kind, batch=2, inputs=6, units=3, rank=2, memory=4, activation=1, bias=True,
         asymmetric=False):
    n = Numbers(name)
    model = Model(27, 4, *options("SVDF", rank=rank, fusedActivationFunction=activation,
                                  asymmetricQuantizeInputs=asymmetric))
    filters = units * rank
    integer = kind == "i8"
    model.input("int8" if integer else "float32", (batch, inputs),
                **({"scale": 0.03, "zero": -5} if integer else {}))
    if kind == "f32":
        model.constant("float32", (filters, inputs), data=n.floats(filters, inputs))
        model.constant("float32", (filters, memory), data=n.floats(filters, memory))
    else:
        model.constant("int8", (filters, inputs), data=n.ints("int8", filters, inputs), scale=0.01)
        if integer:
            model.constant("int16", (filters, memory),
                           data=n.ints("int16", filters, memory, limit=3000), scale=3e-4)
        else:
            model.constant("int8", (filters, memory), data=n.ints("int8", filters, memory),
                           scale=0.01)
    if not bias:
        model.absent()
    elif integer:
        model.constant("int32", (units,), data=n.ints("int32", units, limit=900000), scale=1e-6)
    else:
        model.constant("float32", (units,), data=n.floats(units))
    model.state("int16" if integer else "float32", (batch, memory * filters),
                **({"scale": 2e-3} if integer else {}))
    model.output("int8" if integer else "float32", (batch, units),
                 **({"scale": 0.09, "zero": -128} if integer else {}))
    return model


def conv_3d(name, x, w, padding=0, strides=(1, 1, 1), dilations=(1, 1, 1), activation=0,
            bias=True, extents=None):
    n = Numbers(name)
    table = options("Conv3D", padding=padding, strideD=strides[0], strideH=strides[1],
                    strideW=strides[2], dilationDFactor=dilations[0],
                    dilationHFactor=dilations[1], dilationWFactor=dilations[2],
                    fusedActivationFunction=activation)
    if extents:
        model = Model(141, 1, *table)
        model.constant("int32", (5,), data=np.array(extents))
        model.constant("float32", w, data=n.floats(*w))
        model.input("float32", x)
        units = w[3]
    else:
        model = Model(132, 1, *table)
        model.input("float32", x)
        model.constant("float32", w, data=n.floats(*w))
        units = w[4]
    if bias:
        model.constant("float32", (units,), data=n.floats(units))
    model.output("float32", extents or (1, 1, 1, 1, units))
    return model


CASES = {
    "batch_matmul": {
        "batch_matmul_f32_2x3x7_7x5_constant": (batch_matmul, dict(
            x=(2, 3, 7), w=(7, 5), constant=True)),
        "batch_matmul_f32_2x1x3x9_1x3x17x9_01": (batch_matmul, dict(
            x=(2, 1, 3, 9), w=(1, 3, 17, 9), adj=(False, True))),
        "batch_matmul_f32_2x1x1x4x3_3x2x5x4_11": (batch_matmul, dict(
            x=(2, 1, 1, 4, 3), w=(3, 2, 5, 4), adj=(True, True))),
        "batch_matmul_hybrid_2x3x9_9x5_sym": (batch_matmul, dict(
            kind="hybrid", x=(2, 3, 9), w=(9, 5), constant=True)),
        "batch_matmul_hybrid_pc_3x9_5x9_01_asym": (batch_matmul, dict(
            kind="hybrid", x=(3, 9), w=(5, 9), adj=(False, True), constant=True,
            scale=[0.01, 0.02, 0.03, 0.004, 0.015], axis=0, asymmetric=True)),
        "batch_matmul_hybrid_2x8x3_2x8x5_10_asym": (batch_matmul, dict(
            kind="hybrid", x=(2, 8, 3), w=(2, 8, 5), adj=(True, False), constant=True,
            asymmetric=True)),
        "batch_matmul_i8_2x3x9_9x5_constant": (batch_matmul, dict(
            kind="i8", x=(2, 3, 9), w=(9, 5), constant=True)),
        "batch_matmul_i8_2x9x3_2x5x9_11": (batch_matmul, dict(
            kind="i8", x=(2, 9, 3), w=(2, 5, 9), adj=(True, True))),
        "batch_matmul_i32_3x9_9x5": (batch_matmul, dict(kind="i32", x=(3, 9), w=(9, 5))),
        "batch_matmul_i16x8_2x3x9_9x5_constant": (batch_matmul, dict(
            kind="i16x8", x=(2, 3, 9), w=(9, 5), constant=True)),
        "batch_matmul_i16_2x1x3x4_1x2x4x5": (batch_matmul, dict(
            kind="i16", x=(2, 1, 3, 4), w=(1, 2, 4, 5))),
    },
    "unidirectional_sequence_lstm": {
        "unidirectional_sequence_lstm_f32_coupled_norm": (lstm, dict(
            sequence=True, kind="f32", coupled=True, norm=True)),
        "unidirectional_sequence_lstm_f32_all_time_major": (lstm, dict(
            sequence=True, kind="f32", peephole=True, norm=True, outputs=3, clip=0.7,
            projection_clip=0.4, time_major=True)),
        "unidirectional_sequence_lstm_f32_diagonal_relu": (lstm, dict(
            sequence=True, kind="f32", diagonal=True, activation=1)),
        "unidirectional_sequence_lstm_hybrid_asym": (lstm, dict(
            sequence=True, kind="hybrid", asymmetric=True)),
        "unidirectional_sequence_lstm_hybrid_all": (lstm, dict(
            sequence=True, kind="hybrid", peephole=True, norm=True, outputs=3, clip=0.7,
            projection_clip=0.4, time_major=True)),
        "unidirectional_sequence_lstm_i8": (lstm, dict(sequence=True, kind="i8")),
        "unidirectional_sequence_lstm_i8_coupled_peephole_time_major": (lstm, dict(
            sequence=True, kind="i8", coupled=True, peephole=True, time_major=True, clip=0.5)),
        "unidirectional_sequence_lstm_i8_norm_projection": (lstm, dict(
            sequence=True, kind="i8", norm=True, outputs=3, projection_clip=0.3)),
    },
    "lstm": {
        "lstm_f32_peephole_projection": (lstm, dict(
            sequence=False, kind="f32", peephole=True, outputs=3)),
        "lstm_f32_coupled_relu6": (lstm, dict(
            sequence=False, kind="f32", coupled=True, activation=3, clip=0.9)),
        "lstm_hybrid_projection_asym": (lstm, dict(
            sequence=False, kind="hybrid", outputs=3, asymmetric=True)),
        "lstm_i8_norm_peephole": (lstm, dict(
            sequence=False, kind="i8", norm=True, peephole=True)),
        "lstm_i8_coupled_projection": (lstm, dict(
            sequence=False, kind="i8", coupled=True, outputs=6, cells=5)),
        "lstm_basic_f32": (basic_lstm, dict(kind="f32")),
        "lstm_basic_u8": (basic_lstm, dict(kind="u8")),
    },
    "rnn": {
        "rnn_f32": (directions, dict(cell="rnn", kind="f32", steps=0, units=(4,))),
        "rnn_f32_relu6": (directions, dict(
            cell="rnn", kind="f32", steps=0, units=(7,), activation=3, batch=1)),
        "rnn_hybrid": (directions, dict(
            cell="rnn", kind="hybrid", steps=0, units=(4,), activation=1)),
        "rnn_hybrid_asym": (directions, dict(
            cell="rnn", kind="hybrid", steps=0, units=(5,), asymmetric=True)),
    },
    "unidirectional_sequence_rnn": {
        "unidirectional_sequence_rnn_f32": (directions, dict(
            cell="rnn", kind="f32", units=(4,))),
        "unidirectional_sequence_rnn_f32_time_major_none": (directions, dict(
            cell="rnn", kind="f32", units=(3,), time_major=True, activation=0)),
        "unidirectional_sequence_rnn_hybrid_time_major": (directions, dict(
            cell="rnn", kind="hybrid", units=(4,), time_major=True)),
        "unidirectional_sequence_rnn_hybrid_asym": (directions, dict(
            cell="rnn", kind="hybrid", units=(4,), asymmetric=True)),
    },
    "bidirectional_sequence_rnn": {
        "bidirectional_sequence_rnn_f32": (directions, dict(cell="rnn", kind="f32")),
        "bidirectional_sequence_rnn_f32_merged_time_major": (directions, dict(
            cell="rnn", kind="f32", merged=True, time_major=True, activation=1)),
        "bidirectional_sequence_rnn_f32_auxiliary": (directions, dict(
            cell="rnn", kind="f32", auxiliary=2)),
        "bidirectional_sequence_rnn_f32_backward_input": (directions, dict(
            cell="rnn", kind="f32", auxiliary="backward", time_major=True, merged=True)),
        "bidirectional_sequence_rnn_hybrid": (directions, dict(cell="rnn", kind="hybrid")),
        "bidirectional_sequence_rnn_hybrid_auxiliary_asym": (directions, dict(
            cell="rnn", kind="hybrid", auxiliary=5, asymmetric=True, merged=True)),
    },
    "bidirectional_sequence_lstm": {
        "bidirectional_sequence_lstm_f32": (directions, dict(cell="lstm", units=(4, 4), kind="f32")),
        "bidirectional_sequence_lstm_f32_many_steps": (directions, dict(
            cell="lstm", units=(20, 20), kind="f32", steps=40, inputs=30)),
        "bidirectional_sequence_lstm_f32_merged": (directions, dict(
            cell="lstm", units=(4, 4), kind="f32", merged=True, batch=1)),
        "bidirectional_sequence_lstm_f32_merged_time_major_peephole_projection": (directions, dict(
            cell="lstm", units=(4, 4), kind="f32", merged=True, time_major=True, peephole=True, outputs=2,
            clip=0.7, projection_clip=0.4)),
        "bidirectional_sequence_lstm_f32_auxiliary_coupled": (directions, dict(
            cell="lstm", units=(4, 4), kind="f32", auxiliary=2, coupled=True)),
        "bidirectional_sequence_lstm_f32_backward_input": (directions, dict(
            cell="lstm", units=(4, 4), kind="f32", auxiliary="backward", time_major=True, activation=3)),
        "bidirectional_sequence_lstm_hybrid": (directions, dict(cell="lstm", units=(4, 4), kind="hybrid")),
        "bidirectional_sequence_lstm_hybrid_auxiliary_asym": (directions, dict(
            cell="lstm", units=(4, 4), kind="hybrid", auxiliary=5, asymmetric=True, merged=True,
            time_major=True)),
        "bidirectional_sequence_lstm_hybrid_peephole_projection": (directions, dict(
            cell="lstm", units=(4, 4), kind="hybrid", peephole=True, outputs=2)),
    },
    "svdf": {
        "svdf_f32": (svdf, dict(kind="f32", activation=0)),
        "svdf_f32_relu_nobias": (svdf, dict(kind="f32", bias=False, rank=1)),
        "svdf_hybrid": (svdf, dict(kind="hybrid", activation=0)),
        "svdf_hybrid_asym": (svdf, dict(kind="hybrid", asymmetric=True)),
        "svdf_i8": (svdf, dict(kind="i8")),
        "svdf_i8_rank1_nobias": (svdf, dict(kind="i8", rank=1, units=5, bias=False)),
    },
    "conv_3d": {
        "conv_3d_f32_valid_dilated_relu": (conv_3d, dict(
            x=(2, 5, 6, 7, 2), w=(2, 3, 2, 2, 5), padding=1, dilations=(2, 1, 3), activation=1)),
        "conv_3d_f32_same_s213_nobias": (conv_3d, dict(
            x=(1, 4, 5, 6, 3), w=(3, 2, 4, 3, 2), strides=(2, 1, 3), bias=False)),
    },
    "conv_3d_transpose": {
        "conv_3d_transpose_f32_same_s2": (conv_3d, dict(
            x=(2, 2, 3, 2, 3), w=(3, 3, 2, 4, 3), strides=(2, 2, 2), extents=(2, 4, 5, 3, 4))),
        "conv_3d_transpose_f32_valid_dilated_relu6": (conv_3d, dict(
            x=(1, 3, 2, 2, 2), w=(2, 2, 3, 3, 2), padding=1, strides=(1, 2, 1),
            dilations=(2, 1, 1), extents=(1, 5, 4, 4, 3), activation=3, bias=False)),
    },
}


def run(operator, name, make, arguments):
    model = make(name, **arguments).bytes()
    steps = 2 if make in (lstm, basic_lstm, directions, svdf) else 1
    n = Numbers(name + " inputs")
    interpreter = Interpreter(
        model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    ins, outs = [], []
    for _ in range(steps):
        for detail in interpreter.get_input_details():
            shape, dtype = detail["shape"], np.dtype(detail["dtype"]).name
            limit = {"int16": 32767, "uint8": 255}.get(dtype, 127)
            x = n.floats(*shape) if dtype == "float32" else n.ints(dtype, *shape, limit=limit)
            interpreter.set_tensor(detail["index"], x)
            ins.append(x.tobytes())
        interpreter.invoke()
        for detail in interpreter.get_output_details():
            outs.append(interpreter.get_tensor(detail["index"]))
    details = interpreter.get_output_details()
    case = {"id": name, "op": operator.upper(), "oracle": "BUILTIN_REF", "steps": steps, "variant": arguments.get("kind", "f32"),
            "model": name + ".tflite"}
    for kind, list_ in (("inputs", interpreter.get_input_details()), ("outputs", details)):
        offset, case[kind] = 0, []
        for index, detail in enumerate(list_ * steps):
            dtype = np.dtype(detail["dtype"]).name
            size = int(np.prod(detail["shape"])) * np.dtype(dtype).itemsize
            case[kind].append({"name": f"{kind[:-1]}{index}", "dtype": dtype, "offset": offset,
                               "shape": [int(e) for e in detail["shape"]], "nbytes": size})
            offset += size
    case["tolerance"] = []
    for index, detail in enumerate(details * steps):
        index %= len(details)
        largest = max(float(np.abs(o.astype(np.float64)).max()) for o in outs[index::len(details)])
        isfloat = np.dtype(detail["dtype"]).name == "float32"
        case["tolerance"].append({"atol": max(1e-5 * largest, 1e-6)} if isfloat else {"steps": 0})
    print(name, [(str(o.dtype), o.ravel()[:6].tolist()) for o in outs[:1]], len(model))
    return case, model, b"".join(ins), b"".join(o.tobytes() for o in outs)


for operator, cases in CASES.items():
    if len(sys.argv) > 2 and operator not in sys.argv[2:]:
        continue
    write_operator(
        sys.argv[1], operator, [run(operator, name, *case) for name, case in cases.items()])
