"""Writes the cases of integers of less than a byte, `Operators/narrow.tar`: one-operator models with
seeded numbers, and the outputs of LiteRT (ai-edge-litert 2.3.0).

Usage: python narrow.py [FOLDER]

The expected outputs are those of the reference kernels. If those lack the type
(DEPTHWISE_CONV_2D) or are wrong (weights quantized in blocks), they are the optimized kernels'. If
both are wrong, they are the reference kernels' on int8. Elements of inputs and outputs have a byte each, as in
LiteRT's Python interface.
"""

import os
import sys
import zlib

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from operator_cases import write_operator

TYPES = {"float32": 0, "int32": 2, "uint8": 3, "int64": 4, "bool": 6, "int16": 7, "int8": 9,
         "int4": 17, "float16": 1, "int2": 19, "uint4": 20}
WIDTHS = {"int4": 4, "int2": 2, "uint4": 4}
RANGES = {"int4": (-8, 7), "int2": (-2, 1), "uint4": (0, 15), "int8": (-127, 127),
          "uint8": (0, 255), "int16": (-30000, 30000)}


def packed(data, dtype):
    if dtype not in WIDTHS:
        return np.ascontiguousarray(data, dtype).tobytes()
    width = WIDTHS[dtype]
    count = 8 // width
    flat = (data.astype(np.int64).ravel() & ((1 << width) - 1)).astype(np.uint8)
    flat = np.append(flat, np.zeros(-len(flat) % count, np.uint8)).reshape(-1, count)
    return sum(flat[:, i] << (width * i) for i in range(count)).astype(np.uint8).tobytes()


class Case:
    """A graph of one operator, built tensor by tensor."""

    def __init__(self, name, operator, version=1, options=None, **fields):
        self.name, self.operator, self.version = name, operator, version
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.tensors, self.buffers, self.constants = [], [schema.BufferT()], []
        self.inputs, self.outputs, self.operands, self.results, self.live = [], [], [], [], []
        self.table = None
        self.oracle = "BUILTIN_REF"
        if options:
            self.table = getattr(schema, options + "OptionsT")()
            for field, value in fields.items():
                assert hasattr(self.table, field), field
                setattr(self.table, field, value)

    def numbers(self, dtype, shape):
        if dtype == "float32":
            return self.random.standard_normal(shape).astype(np.float32)
        low, high = RANGES[dtype]
        return self.random.integers(low, high + 1, shape)

    def tensor(self, dtype, shape, data=None, scale=None, zero=0, axis=0):
        tensor = schema.TensorT()
        tensor.name, tensor.type = f"t{len(self.tensors)}", TYPES[dtype]
        tensor.shape, tensor.buffer = list(shape), 0
        if data is not None:
            self.buffers.append(schema.BufferT())
            self.constants.append((self.buffers[-1], np.asarray(data), dtype))
            tensor.buffer = len(self.buffers) - 1
        if scale is not None:
            scales = np.atleast_1d(np.asarray(scale, np.float32))
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale = scales
            tensor.quantization.zeroPoint = np.full(len(scales), zero, np.int64)
            tensor.quantization.quantizedDimension = axis
        self.tensors.append(tensor)
        return len(self.tensors) - 1

    def input(self, dtype, shape, data=None, **map):
        index = self.tensor(dtype, shape, **map)
        self.inputs.append(index)
        self.operands.append(index)
        self.live.append((dtype, self.numbers(dtype, shape) if data is None else np.asarray(data)))
        return self

    def input_or_constant(self, dtype, *args, **map):
        """An input, or a constant if LiteRT's Python interface has no inputs of this type."""
        return (self.constant if dtype == "int2" else self.input)(dtype, *args, **map)

    def constant(self, dtype, shape, data=None, **map):
        data = self.numbers(dtype, shape) if data is None else data
        self.operands.append(self.tensor(dtype, shape, data=data, **map))
        return self

    def output(self, dtype, shape, **map):
        index = self.tensor(dtype, shape, **map)
        self.results.append(index)
        self.outputs.append(index)
        return self

    def model(self, widened=False):
        """The bytes of the model. `widened` replaces int4 and int2 by int8."""
        stored = [tensor.type for tensor in self.tensors]
        for tensor in self.tensors:
            if widened and tensor.type in (TYPES["int4"], TYPES["int2"]):
                tensor.type = TYPES["int8"]
        for buffer, data, dtype in self.constants:
            dtype = "int8" if widened and dtype in ("int4", "int2") else dtype
            buffer.data = np.frombuffer(packed(data, dtype), np.uint8)
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, self.operator)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.version = self.version
        operator = schema.OperatorT()
        operator.inputs, operator.outputs = self.operands, self.results
        if self.table:
            kind = type(self.table).__name__[:-1]
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
            operator.builtinOptions = self.table
        graph = schema.SubGraphT()
        graph.tensors, graph.operators = self.tensors, [operator]
        graph.inputs, graph.outputs = self.inputs, self.outputs
        model = schema.ModelT()
        model.version, model.subgraphs = 3, [graph]
        model.operatorCodes, model.buffers = [code], self.buffers
        builder = flatbuffers.Builder(0)
        builder.Finish(model.Pack(builder), b"TFL3")
        for tensor, kind in zip(self.tensors, stored):
            tensor.type = kind
        return bytes(builder.Output())


def ints(*values):
    return dict(dtype="int32", shape=np.shape(values), data=values)


RESULT = {"int8": dict(scale=0.4, zero=-4), "int16": dict(scale=0.002), "uint8": {}, "float32": {}}
IMAGE = {"int8": dict(scale=0.05, zero=3), "int16": dict(scale=0.0001), "float32": {}}
BIAS = {"int8": "int32", "int16": "int64", "float32": "float32"}


def with_weights(case, x, x_shape, w, w_shape, channels, y_shape, scales=None, axis=0, bias=None):
    bias = bias or BIAS[x]
    scales = [0.1 + 0.03 * i for i in range(channels)] if scales is None else scales
    case.input(x, x_shape, **IMAGE[x]).constant(w, w_shape, scale=scales, axis=axis)
    biases = case.random.integers(-90, 90, channels) if x != "float32" else None
    of_bias = {} if x == "float32" else dict(
        scale=np.float32(IMAGE[x]["scale"]) * np.asarray(scales, np.float32))
    case.constant(bias, (channels,), data=biases, **of_bias)
    return case.output(x, y_shape, **RESULT[x])


def conv(name, x, w, filters=(5, 3, 2, 4), **more):
    case = Case(name, "CONV_2D", 7, "Conv2D", padding=0, strideW=1, strideH=2, dilationWFactor=1,
                dilationHFactor=1, fusedActivationFunction=1 if x != "float32" else 0)
    return with_weights(case, x, (2, 5, 4, 4), w, filters, filters[0], (2, 3, 4, filters[0]), **more)


def widened(case):
    case.oracle = "BUILTIN_REF on int8"
    return case


def optimized(case):
    case.oracle = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
    return case


def blockwise(name, activation=0, block=32, depth=64, units=6, rows=2, bias=True, scales="float16"):
    case = Case(name, "FULLY_CONNECTED", 12, "FullyConnected", fusedActivationFunction=activation)
    case.input("float32", (rows, depth)).constant("int4", (units, depth))
    weights = case.tensors[-1]
    data = case.random.random((units, depth // block)) * 0.2 + 0.05
    # Values of half precision for either type of scales.
    index = case.tensor(scales, data.shape, data=data.astype(np.float16))
    weights.quantization = schema.QuantizationParametersT()
    weights.quantization.detailsType = schema.QuantizationDetails.BlockwiseQuantization
    details = schema.BlockwiseQuantizationT()
    details.scales, details.blockSize = index, block
    weights.quantization.details = details
    if bias:
        case.constant("float32", (units,))
    return optimized(case.output("float32", (rows, units)))


def depthwise(name, x, w, version=7, **more):
    case = Case(name, "DEPTHWISE_CONV_2D", version, "DepthwiseConv2D", padding=1, strideW=1,
                strideH=1, depthMultiplier=2, dilationWFactor=1, dilationHFactor=1)
    return with_weights(case, x, (1, 5, 4, 3), w, (1, 3, 3, 6), 6, (1, 3, 2, 6), axis=3, **more)


def layer(name, x, w, version=14, asymmetric=False, depth=7, units=5, **more):
    case = Case(name, "FULLY_CONNECTED", version, "FullyConnected",
                asymmetricQuantizeInputs=asymmetric)
    return with_weights(case, x, (3, depth), w, (units, depth), units, (3, units), **more)


def moved(name, operator, dtype, shape, result, *operands, version=1, options=None, live=True,
          **fields):
    case = Case(name, operator, version, options, **fields)
    (case.input_or_constant if live else case.constant)(dtype, shape, scale=0.3)
    for operand in operands:
        case.constant(**operand)
    return case.output(dtype, result, scale=0.3)


def cases():
    yield conv("conv_2d_f32_int4", "float32", "int4")
    yield conv("conv_2d_f32_int4_one_scale", "float32", "int4", scales=[0.2])
    yield conv("conv_2d_f32_int4_groups", "float32", "int4", filters=(6, 3, 2, 2))
    yield conv("conv_2d_i8_int4", "int8", "int4")
    yield conv("conv_2d_i8_int4_one_scale", "int8", "int4", scales=[0.2])
    yield conv("conv_2d_i8_int4_groups", "int8", "int4", filters=(6, 3, 2, 2))
    yield conv("conv_2d_i16_int4", "int16", "int4")
    yield widened(conv("conv_2d_f32_int2", "float32", "int2"))
    yield widened(conv("conv_2d_i16_int2", "int16", "int2"))
    yield optimized(depthwise("depthwise_conv_2d_i8_int4", "int8", "int4"))
    yield widened(depthwise("depthwise_conv_2d_i16_int4", "int16", "int4", version=6))
    yield widened(depthwise("depthwise_conv_2d_i16_int2", "int16", "int2", version=6))
    yield layer("fully_connected_f32_int4", "float32", "int4", depth=8)
    yield layer("fully_connected_f32_int4_odd_asymmetric", "float32", "int4", asymmetric=True)
    yield layer("fully_connected_f32_int2", "float32", "int2")
    yield layer("fully_connected_i8_int4", "int8", "int4")
    yield layer("fully_connected_i8_int4_one_scale", "int8", "int4", scales=[0.2])
    yield layer("fully_connected_i8_int2", "int8", "int2")
    yield layer("fully_connected_i16_int4", "int16", "int4")
    yield layer("fully_connected_i16_int2", "int16", "int2")
    yield blockwise("fully_connected_blocks")
    yield blockwise("fully_connected_blocks_of_16", block=16, bias=False)
    for dtype in WIDTHS:
        slices = dict(scale=[0.1, 0.2, 0.3])
        yield (Case(f"dequantize_{dtype}_slices", "DEQUANTIZE", 6)
               .constant(dtype, (3, 5), **slices).output("float32", (3, 5)))
        yield (Case(f"dequantize_{dtype}_zero", "DEQUANTIZE", 6)
               .input_or_constant(dtype, (3, 5), scale=0.3, zero=1).output("float32", (3, 5)))
        yield (Case(f"cast_{dtype}_f32", "CAST", 6, "Cast")
               .input_or_constant(dtype, (3, 5)).output("float32", (3, 5)))
        reals = [[-100, -8.6, -8.5, -0.5, 0.5], [1.5, 2.5, 7.9, 15.5, np.nan]]
        yield (Case(f"cast_f32_{dtype}", "CAST", 6, "Cast")
               .input("float32", (2, 5), reals).output(dtype, (2, 5)))
        yield moved(f"reshape_{dtype}", "RESHAPE", dtype, (3, 6), (2, 9), ints(2, 9),
                    options="Reshape", newShape=[2, 9])
    for dtype in ("int4", "uint4"):
        reals = [[-100, -8.6, -8.5, -0.5, 0.5], [1.5, 2.5, 7.4, 7.5, 100]]
        for label, map in (("", dict(scale=1)), ("_zero", dict(scale=0.5, zero=2))):
            yield (Case(f"quantize_{dtype}{label}", "QUANTIZE", 4)
                   .input("float32", (2, 5), reals).output(dtype, (2, 5), **map))
    int4 = "int4"
    yield moved("gather", "GATHER", int4, (3, 6), (2, 6), ints(2, 0), version=7, options="Gather")
    yield widened(moved("gather_odd", "GATHER", int4, (3, 5), (2, 5), ints(2, 0), version=7,
                        options="Gather"))
    yield moved("gather_constant", "GATHER", int4, (3, 6), (2, 6), ints(2, 0), version=7,
                options="Gather", live=False)
    yield moved("slice", "SLICE", int4, (3, 6), (2, 3), ints(1, 1), ints(2, 3), version=6,
                options="Slice")
    yield moved("transpose", "TRANSPOSE", int4, (3, 5), (5, 3), ints(1, 0), version=7,
                options="Transpose")
    yield moved("concatenation", "CONCATENATION", int4, (3, 3), (3, 8),
                dict(dtype=int4, shape=(3, 5), scale=0.3), version=4, options="Concatenation",
                axis=1)
    yield widened(moved("broadcast_to", "BROADCAST_TO", int4, (1, 5), (3, 5), ints(3, 5),
                        version=3))
    yield moved("dynamic_update_slice", "DYNAMIC_UPDATE_SLICE", int4, (3, 5), (3, 5),
                dict(dtype=int4, shape=(2, 3), scale=0.3), ints(1, 1), version=4)
    yield moved("expand_dims", "EXPAND_DIMS", int4, (3, 5), (1, 3, 5), ints(0),
                options="ExpandDims")
    yield (Case("embedding_lookup_rows", "EMBEDDING_LOOKUP", 4).constant(**ints(2, 0))
           .constant(int4, (3, 6), scale=0.3).output(int4, (2, 6), scale=0.3))


def run(case, variant="narrow"):
    model = case.model()
    kernels, _, is_widened = case.oracle.partition(" on ")
    interpreter = Interpreter(
        model_content=case.model(True) if is_widened else model,
        experimental_op_resolver_type=OpResolverType[kernels])
    interpreter.allocate_tensors()
    ins = []
    for detail, (dtype, data) in zip(interpreter.get_input_details(), case.live):
        memory = {"int4": "int8", "int2": "int8", "uint4": "uint8"}.get(dtype, dtype)
        ins.append(data.astype(memory))
        interpreter.set_tensor(detail["index"], ins[-1])
    interpreter.invoke()
    outs = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
    entry = {"id": f"{variant}_{case.name}", "op": case.operator, "variant": variant,
             "oracle": case.oracle, "steps": 1}
    for kind, arrays in (("inputs", ins), ("outputs", outs)):
        offset, entry[kind] = 0, []
        for array in arrays:
            entry[kind].append({"dtype": array.dtype.name, "shape": list(array.shape),
                                "offset": offset, "nbytes": array.nbytes})
            offset += array.nbytes
    entry["tolerance"] = [
        {"atol": 1e-5 * float(np.abs(o).max())} if o.dtype == np.float32 else {"steps": 0}
        for o in outs]
    entry["model"] = entry["id"] + ".tflite"
    print(entry["id"], len(model), outs[0].ravel()[:8].tolist())
    return (entry, model, b"".join(x.tobytes() for x in ins),
            b"".join(o.tobytes() for o in outs))


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    write_operator(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "Operators"), "narrow",
                   [run(case) for case in cases()])
