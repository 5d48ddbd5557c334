"""Writes the cases of rare combinations of types, `Operators/hybrid.tar`, and of zero scales,
`Operators/zero_scale.tar`: one-operator models with seeded numbers, and the outputs of LiteRT
(ai-edge-litert 2.3.0).

Usage: python hybrid.py [FOLDER]

The expected outputs are those of the reference kernels; if these are wrong, `oracle` names another.
"""

import os
import sys

import numpy as np
from narrow import Case, ints, run, with_weights
from operator_cases import write_operator

SCALES = [0.02, 0.003, 0.011, 0.0005, 0.03, 0.007]


def transposed(name, scales, x="float32", batches=1, padding=0, stride=2, extents=(6, 8), bias=True,
               activation=0):
    """TRANSPOSE_CONV of 3 x 4 pixels with 4 channels, to five channels."""
    case = Case(name, "TRANSPOSE_CONV", 5, "TransposeConv", padding=padding, strideW=stride,
                strideH=stride, fusedActivationFunction=activation)
    case.constant("int32", (4,), data=[batches, *extents, 5])
    case.constant("int8", (5, 3, 2, 4), scale=scales)
    image = dict(scale=0.05, zero=3) if x == "int8" else {}
    case.input(x, (batches, 3, 4, 4), **image)
    if bias and x == "float32":
        case.constant("float32", (5,))
    elif bias:
        case.constant("int32", (5,), data=case.random.integers(-90, 90, 5),
                      scale=np.float32(0.05) * np.asarray(scales, np.float32))
    result = dict(scale=0.1, zero=-4) if x == "int8" else {}
    return case.output(x, (batches, *extents, 5), **result)


def convolution(name, x, scales, w="int8"):
    case = Case(name, "CONV_2D", 5, "Conv2D", padding=0, strideW=1, strideH=1, dilationWFactor=1,
                dilationHFactor=1)
    return with_weights(case, x, (2, 5, 4, 3), w, (5, 3, 2, 3), 5, (2, 5, 4, 5), scales=scales)


def depthwise(name, x, scales, axis=3):
    case = Case(name, "DEPTHWISE_CONV_2D", 6, "DepthwiseConv2D", padding=0, strideW=1, strideH=1,
                depthMultiplier=2, dilationWFactor=1, dilationHFactor=1)
    return with_weights(case, x, (2, 5, 4, 3), "int8", (1, 3, 3, 6), 6, (2, 5, 4, 6), scales=scales,
                    axis=axis)


def depthwise_with_one_scale():
    """A case whose weights have one scale, with the outputs of the same weights with one per channel: LiteRT
    reads the scales of the other channels beyond the only one."""
    name = "depthwise_conv_2d_one_scale"
    entry, _, ins, outs = run(depthwise(name, "float32", [0.02] * 6), "hybrid")
    entry["oracle"] = "BUILTIN_REF with a scale for each channel"
    return entry, depthwise(name, "float32", [0.02], axis=0).model(), ins, outs


def layer(name, x, scales):
    case = Case(name, "FULLY_CONNECTED", 9, "FullyConnected")
    return with_weights(case, x, (3, 7), "int8", (5, 7), 5, (3, 5), scales=scales)


def wide(name, x, w, scales, bias="int32", zero=0, version=14, activation=0):
    """FULLY_CONNECTED with a result of 16 bits."""
    case = Case(name, "FULLY_CONNECTED", version, "FullyConnected",
                fusedActivationFunction=activation,
                quantizedBiasType={"int32": 2, "int64": 4}[bias] if x == "int16" else 0)
    image = dict(scale=0.05, zero=117) if x == "uint8" else dict(scale=0.001)
    case.input(x, (3, 7), **image).constant(w, (5, 7), scale=scales, zero=zero)
    case.constant(bias, (5,), data=case.random.integers(-9000, 9000, 5),
                  scale=np.float32(image["scale"]) * np.asarray(scales, np.float32))
    steps = 0.4 if w == "int16" else 0.02 if x == "int16" else 0.002
    return case.output("int16", (3, 5), scale=steps)


def narrow_sums(name, operator):
    """16-bit images with 32-bit biases and accumulators."""
    scales = SCALES[:5]
    if operator == "CONV_2D":
        case = Case(name, operator, 8, "Conv2D", padding=0, strideW=1, strideH=1,
                    dilationWFactor=1, dilationHFactor=1, quantizedBiasType=2)
        case.input("int16", (2, 5, 4, 3), scale=0.001).constant("int8", (5, 3, 2, 3), scale=scales)
    else:
        case = Case(name, operator, 5, "TransposeConv", padding=0, strideW=1, strideH=1,
                    quantizedBiasType=2)
        case.constant("int32", (4,), data=[2, 5, 4, 5])
        case.constant("int8", (5, 3, 2, 3), scale=scales).input("int16", (2, 5, 4, 3), scale=0.001)
    case.constant("int32", (5,), data=case.random.integers(-90000, 90000, 5),
                  scale=np.float32(0.001) * np.asarray(scales, np.float32))
    return case.output("int16", (2, 5, 4, 5), scale=0.05)


def hybrid():
    five = SCALES[:5]
    yield transposed("transpose_conv", five)
    yield transposed("transpose_conv_one_scale", [0.02])
    yield transposed("transpose_conv_batches", five, batches=3)
    yield transposed("transpose_conv_valid", five, padding=1, extents=(7, 8))
    yield transposed("transpose_conv_stride_1_relu", five, stride=1, extents=(3, 4), activation=1)
    yield transposed("transpose_conv_no_bias", five, bias=False)
    for bias in ("int32", "int64"):
        name = f"fully_connected_i16_i16_{bias}"
        yield wide(name, "int16", "int16", five, bias=bias)
        yield wide(name + "_one_scale", "int16", "int16", [0.013], bias=bias)
        yield wide(name + "_zero", "int16", "int16", [0.013], bias=bias, zero=-700)
        yield wide(f"fully_connected_i16_i8_{bias}_zero", "int16", "int8", [0.02], bias=bias,
                   zero=31)
    yield wide("fully_connected_i16_i16_relu", "int16", "int16", five, activation=1)
    yield wide("fully_connected_u8_i16", "uint8", "uint8", [0.02], zero=140)
    yield narrow_sums("conv_2d_i16_int32", "CONV_2D")
    yield narrow_sums("transpose_conv_i16_int32", "TRANSPOSE_CONV")
    bits = [[False, True, True, False], [True, True, False, False], [False] * 4]
    for name in ("Max", "Min"):
        yield (Case(f"arg_{name.lower()}_bool", f"ARG_{name.upper()}", 2, f"Arg{name}", outputType=2)
               .input("bool", (3, 4), bits).constant(**ints(1)).output("int32", (3,)))
    yield (Case("quantize_u8_i16", "QUANTIZE", 3).input("uint8", (4, 40), scale=0.05, zero=131)
           .output("int16", (4, 40), scale=0.00017))


def zero_scales():
    """Cases with pruned channels, for which converters write a scale of 0."""
    five, six = [0.02, 0, 0.011, 0, 0.03], [0.02, 0, 0.011, 0, 0.03, 0.007]
    for x in ("float32", "int8", "int16"):
        yield convolution(f"conv_2d_{x}", x, five)
        yield depthwise(f"depthwise_conv_2d_{x}", x, six)
        yield layer(f"fully_connected_{x}", x, five)
    for x in ("float32", "int8"):
        yield transposed(f"transpose_conv_{x}", five, x=x)
    yield layer("fully_connected_int8_all", "int8", [0])
    yield (Case("batch_matmul_float32", "BATCH_MATMUL", 4, "BatchMatMul")
           .input("float32", (2, 3, 7)).constant("int8", (7, 5), scale=five, axis=1)
           .output("float32", (2, 3, 5)))
    yield (Case("embedding_lookup", "EMBEDDING_LOOKUP", 3)
           .constant("int32", (3,), data=[2, 0, 1]).constant("int8", (3, 4), scale=[0.1, 0, 0.3])
           .output("float32", (3, 4)))
    yield (Case("dequantize", "DEQUANTIZE", 5).constant("int8", (3, 4), scale=[0.1, 0, 0.3])
           .output("float32", (3, 4)))
    yield (Case("dequantize_all", "DEQUANTIZE", 2).constant("int8", (3, 4), scale=[0])
           .output("float32", (3, 4)))


if __name__ == "__main__":
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "Operators")
    write_operator(folder, "hybrid", [run(case, "hybrid") for case in hybrid()]
                   + [depthwise_with_one_scale()])
    write_operator(folder, "zero_scale", [run(case, "zero_scale") for case in zero_scales()])
