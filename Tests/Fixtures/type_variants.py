"""Varies the types of the models in `Operators`: `variants` yields the models of an operator with other types.

Each operator's fixtures get other types: inputs, weights with one scale or one for each channel, biases, states and
results, with and without a bias, with `asymmetricQuantizeInputs` on and off. Of up to 6,000 combinations all are built,
of more those in which at most two operands differ from a fixture. Results have the types of an operand or of a
fixture's result. Models of several operators keep their types. `Benchmarks/compare_types.py` runs the models.
"""
import collections
import glob
import itertools
import json
import math
import os
import tarfile

import flatbuffers
import numpy
from ai_edge_litert import schema_py_generated as schema
from narrow import packed
from operator_cases import TYPES
from tables import content

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Operators")
NAMES = {code: name for name, code in TYPES.items()}
COMMON = ["float32", "int8", "uint8", "int16", "int32", "int64", "float16", "bool", "int4"]
RARE = ["uint16", "uint32", "uint64", "float64", "complex64", "string"]
WEIGHTS = ["float32", "float16", "int8", "int8*", "uint8", "int16", "int4", "int4*", "int2", "int32"]
VALUES = {"int8": (4, 100), "uint8": (132, 250), "int16": (4, 100), "int4": (1, 7), "int2": (0, 1), "bool": (0, 1)}
ZEROS = {"int8": 3, "uint8": 131, "int16": 0, "int4": 0, "int2": 0}
# The operands that are image, weights and bias of a layer, and the axis of the weights' channels.
LAYERS = {"CONV_2D": (0, 1, 2), "DEPTHWISE_CONV_2D": (0, 1, 2), "FULLY_CONNECTED": (0, 1, 2),
          "TRANSPOSE_CONV": (2, 1, 3), "CONV_3D": (0, 1, 2), "CONV_3D_TRANSPOSE": (2, 1, 3)}
AXES = {"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": 0, "TRANSPOSE_CONV": 0, "CONV_3D": 4,
        "CONV_3D_TRANSPOSE": 3, "EMBEDDING_LOOKUP": 0, "DEQUANTIZE": 0, "BATCH_MATMUL": 1}
HYBRID = [*LAYERS, "BATCH_MATMUL", "DEQUANTIZE", "EMBEDDING_LOOKUP", "EMBEDDING_LOOKUP_SPARSE", "SVDF", "RNN", "LSTM",
          "UNIDIRECTIONAL_SEQUENCE_RNN", "UNIDIRECTIONAL_SEQUENCE_LSTM", "BIDIRECTIONAL_SEQUENCE_RNN",
          "BIDIRECTIONAL_SEQUENCE_LSTM"]
MOST = 6000


class Base:
    """A model of the fixtures, whose tensors get other types."""

    def __init__(self, entry, model, given):
        self.op, self.id, self.entry = entry["op"], entry["id"], entry
        self.model = schema.ModelT.InitFromPackedBuf(model, 0)
        graphs = self.model.subgraphs
        self.single = len(graphs) == 1 and len(graphs[0].operators) == 1
        self.operator = graphs[0].operators[0]
        self.tensors = graphs[0].tensors
        self.operands = list(self.operator.inputs) if self.single else []
        self.results = list(self.operator.outputs) if self.single else []
        self.first = [NAMES.get(t.type, "other") for t in self.tensors]
        self.maps = [t.quantization for t in self.tensors]
        self.shapes = [[] if t.shape is None else [int(e) for e in t.shape] for t in self.tensors]
        self.live = list(graphs[0].inputs)
        self.values = {}
        for index, item in zip(self.live, entry["inputs"]):
            if item["dtype"] not in ("string", "bfloat16"):
                raw = given[item["offset"]:item["offset"] + item["nbytes"]]
                self.values[index] = numpy.frombuffer(raw, item["dtype"])
        for index, tensor in enumerate(self.tensors if self.single else []):
            data = self.model.buffers[tensor.buffer].data
            if data is None or not len(data):
                tensor.buffer = 0
                continue
            self.model.buffers.append(schema.BufferT())
            tensor.buffer = len(self.model.buffers) - 1
            self.model.buffers[-1].data = data
            if self.first[index] not in ("other", "string", "int4", "int2"):
                self.values[index] = numpy.frombuffer(numpy.asarray(data, numpy.uint8).tobytes(), self.first[index])
        self.groups = self.grouped() if self.single else []

    def kind(self, index):
        if index in self.results:
            return "result"
        if self.tensors[index].buffer:
            return "weights" if len(self.shapes[index]) > 1 else "vectors"
        return "state" if self.tensors[index].isVariable else "input"

    def pattern(self):
        """What the operands are, without their types."""
        kinds = tuple("-" if i < 0 else self.kind(i) for i in self.operands)
        return (self.op, kinds if self.single else self.id, len(self.results))

    def grouped(self):
        """The tensors whose types change together: of many, those of one kind and type."""
        groups = {}
        chosen = list(dict.fromkeys([i for i in self.operands if i >= 0] + self.results))
        for i in chosen:
            if self.first[i] != "resource":
                groups.setdefault((self.kind(i), self.first[i]) if len(chosen) > 4 else i, []).append(i)
        return list(groups.values())

    def place(self, index):
        return self.results.index(index) if index in self.results else self.operands.index(index)

    def has_scale(self, index):
        return self.maps[index] is not None and self.maps[index].scale is not None and len(self.maps[index].scale) > 0

    def is_index(self, index):
        """Whether a tensor's numbers are positions, extents or axes."""
        known = "float32" in self.first or self.first[index] not in [self.first[i] for i in self.results]
        return self.first[index] in ("int32", "int64") and not self.has_scale(index) and index in self.values and known

    def is_weights(self, index):
        return index in self.operands and self.op in HYBRID and (
            self.place(index) == LAYERS[self.op][1] if self.op in LAYERS else self.place(index) > 0)

    def choices(self, index):
        """The types that a tensor may get; `*` stands for a scale for each channel."""
        layer = LAYERS.get(self.op)
        if layer and index in self.operands and self.place(index) == layer[2]:
            return ["float32", "int32", "int64", "float16"]
        if self.is_index(index):
            return ["int32", "int64", "int16"]
        if self.kind(index) == "state":
            return ["float32", "int8", "int16", "uint8", "float16"]
        if self.op in AXES and self.kind(index) == "weights":
            return WEIGHTS
        if layer or len(self.groups) > 4:
            return ["float32", "int32" if self.kind(index) == "vectors" else "uint8", "int8", "int16", "float16", "int4"]
        strings = ["string"] if len(self.groups) == 3 and "string" in self.first else []
        return COMMON + (RARE if len(self.groups) <= 2 else strings)

    def combinations(self):
        """The types of the groups."""
        choices = [self.choices(group[0]) for group in self.groups]
        if math.prod(map(len, choices)) <= MOST:
            yield from itertools.product(*choices)
            return
        own = [self.first[group[0]] for group in self.groups]
        for a, b in itertools.combinations(range(len(own)), 2):
            for t, u in itertools.product([own[a], *choices[a]], [own[b], *choices[b]]):
                yield tuple(own[:a] + [t] + own[a + 1:b] + [u] + own[b + 1:])

    def is_sensible(self, types, known, equal):
        """Whether results have the types of operands, or, if a fixture has others, those of the fixtures."""
        kinds = [(self.kind(g[0]), t.rstrip("*")) for g, t in zip(self.groups, types) if not self.is_index(g[0])]
        allowed = set(known) if not equal or self.op in HYBRID else set()
        if equal or self.op in HYBRID:
            allowed |= {t for kind, t in kinds if kind not in ("result", "state")}
        return all(t in allowed for kind, t in kinds if kind in ("result", "state"))

    def label(self, types, bias, asymmetric):
        names = {i: t for g, t in zip(self.groups, types) for i in g}
        operands = [names.get(i, "-") for i in self.operands]
        if not bias:
            operands[LAYERS[self.op][2]] = "-"
        if len(operands) > 6:
            operands = [f"{self.kind(g[0])} {t}" for g, t in zip(self.groups, types) if self.kind(g[0]) != "result"]
        results = [names.get(i, "-") for i in self.results]
        return (f"{self.op} {', '.join(operands)} > {', '.join(results)}" + (" asymmetric" if asymmetric else "")
                + f" ({self.id})")

    def numbers(self, index, name):
        """The elements of a tensor that gets a type."""
        random = numpy.random.default_rng(index)
        shape = [max(extent, 1) for extent in self.shapes[index]]
        values, stored = self.values.get(index), "int8" if name in ("int4", "int2") else name
        if self.tensors[index].sparsity:
            shape = [values.size]
        if values is not None and (self.is_index(index) or name == self.first[index] or not self.single):
            return values.reshape(shape if self.single else self.shapes[index]).astype(stored)
        if name == "string":
            return numpy.array([b"w%d" % (i % 3) for i in range(math.prod(shape))], object).reshape(shape)
        if name.startswith(("float", "complex")):
            return random.uniform(0.1, 1, shape).astype(name)
        low, high = VALUES.get(name, (1, 7))
        return random.integers(low, high + 1, shape).astype(stored)

    def quantization(self, palette, index, name, channels):
        """The scales of a tensor: those of a fixture for the same operand and type, or others."""
        many = self.has_scale(index) and len(self.maps[index].scale) > 1
        if name == self.first[index] and channels == many:
            return self.maps[index]
        if name not in ZEROS and (self.op, name) != ("QUANTIZE", "int32"):
            return None
        scales, zero = [0.05], 0 if self.is_weights(index) and name != "uint8" else ZEROS.get(name, 0)
        if channels:
            scales, zero = numpy.linspace(0.01, 0.03, self.shapes[index][AXES[self.op]]), 0
        elif (self.op, index in self.results, self.place(index), name) in palette:
            scale, zero = palette[self.op, index in self.results, self.place(index), name]
            scales = [scale]
        return scaled(scales, zero, AXES[self.op] if channels else 0)

    def retyped(self, palette, types, bias, asymmetric):
        """The model with these types for its groups, and the types and elements of its inputs."""
        names = dict(enumerate(self.first))
        for group, name in zip(self.groups, types):
            for index in group:
                tensor, names[index] = self.tensors[index], name.rstrip("*")
                tensor.type = TYPES[names[index]]
                tensor.quantization = self.quantization(palette, index, names[index], name.endswith("*"))
                if tensor.buffer:
                    values = self.numbers(index, names[index])
                    raw = content(values, "string") if name == "string" else packed(values, names[index])
                    self.model.buffers[tensor.buffer].data = numpy.frombuffer(raw, numpy.uint8)
        options = self.operator.builtinOptions
        for field in ("outputType", "outType", "outDataType", "idxOutType") if self.single else ():
            if hasattr(options, field):
                setattr(options, field, self.tensors[self.results[-1]].type)
        if self.single and hasattr(options, "inDataType"):
            options.inDataType = self.tensors[self.operands[0]].type
        if self.single and hasattr(options, "asymmetricQuantizeInputs"):
            options.asymmetricQuantizeInputs = asymmetric
        if self.has_bias():
            self.set_bias(names, bias)
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output()), [(names[i], self.numbers(i, names[i])) for i in self.live]

    def has_bias(self):
        place = LAYERS.get(self.op, (0, 0, 99))[2]
        return self.single and place < len(self.operands) and self.operands[place] >= 0

    def set_bias(self, names, bias):
        image, weights, index = (self.operands[place] for place in LAYERS[self.op])
        maps = [self.tensors[i].quantization for i in (image, weights)]
        if names[index] in ("int32", "int64") and all(m is not None and m.scale is not None for m in maps):
            self.tensors[index].quantization = scaled(maps[0].scale[0] * numpy.asarray(maps[1].scale), 0)
        if hasattr(self.operator.builtinOptions, "quantizedBiasType"):
            self.operator.builtinOptions.quantizedBiasType = TYPES[names[index]] if names[image] == "int16" else 0
        self.operator.inputs = [-1 if i == index and not bias else i for i in self.operands]


def scaled(scales, zero, axis=0):
    map = schema.QuantizationParametersT()
    map.scale = numpy.asarray(scales, numpy.float32)
    map.zeroPoint = numpy.full(len(map.scale), zero, numpy.int64)
    map.quantizedDimension = axis
    return map


def bases():
    """The models to vary by operator, the scales of operands, and the types of results."""
    found = []
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.tar"))):
        with tarfile.open(path) as archive:
            for entry in json.load(archive.extractfile("manifest.json"))["cases"]:
                stem = entry["model"].removesuffix(".tflite")
                found.append(Base(entry, *(archive.extractfile(stem + e).read() for e in (".tflite", ".in"))))
    found = [base for base in found if not any(0 in base.shapes[index] for index in base.live)]
    chosen, palette, results, versions = {}, {}, {}, collections.Counter()
    with_floats = {base.op for base in found if base.single and "float32" in base.first} - set(HYBRID)
    for base in sorted(found, key=lambda base: ("float32" not in base.first, sum(map(math.prod, base.shapes)))):
        if base.single:
            versions[base.op] = max(versions[base.op], base.model.operatorCodes[0].version)
            for index in [i for i in base.operands + base.results if i >= 0 and base.has_scale(i)]:
                map_ = base.maps[index]
                if len(map_.scale) == 1:
                    palette.setdefault((base.op, index in base.results, base.place(index), base.first[index]),
                                       (float(map_.scale[0]), int(map_.zeroPoint[0])))
            known, equal = results.get(base.op, (set(), True))
            types = {base.first[i] for i in base.results}
            results[base.op] = known | types, equal and types <= {
                base.first[i] for i in base.operands if i >= 0 and not base.is_index(i)}
        has_floats = "float32" in base.first or not base.single or base.op not in with_floats
        if "other" in base.first or not has_floats:
            continue
        key = base.pattern()
        if math.prod(len(base.choices(g[0])) for g in base.groups) > MOST:
            key += tuple(base.first[g[0]] for g in base.groups)
        chosen.setdefault(key, base)
    operators = collections.defaultdict(list)
    for base in chosen.values():
        if base.single:
            base.model.operatorCodes[0].version = versions[base.op]
        operators[base.op].append(base)
    return operators, palette, results


def variants(found, palette, results):
    """All variants of an operator: label, model, inputs."""
    for base in found:
        if not base.single:
            yield (f"{base.op} ({base.id})", *base.retyped(palette, (), True, False), base)
            continue
        can_be_asymmetric = hasattr(base.operator.builtinOptions, "asymmetricQuantizeInputs")
        seen = set()
        for asymmetric, bias, types in itertools.product((False, True)[:1 + can_be_asymmetric],
                                                         (True, False)[:1 + base.has_bias()], base.combinations()):
            key = asymmetric, types if bias else (types[:-2] + types[-1:], None)
            if key not in seen and base.is_sensible(types, *results[base.op]) and not (asymmetric and "float32" not in types):
                seen.add(key)
                yield (base.label(types, bias, asymmetric), *base.retyped(palette, types, bias, asymmetric), base)
