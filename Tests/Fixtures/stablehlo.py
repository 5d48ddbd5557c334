"""Writes the cases of StableHLO's operators, of TensorFlow's audio operators, and of numbers that are not
finite, `Operators/{stablehlo_*,dilate,reduce_window,audio,nonfinite}.tar`: small graphs, and the outputs of LiteRT
(ai-edge-litert 2.3.0).

Usage: python stablehlo.py [FOLDER]
"""
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from flatbuffers import flexbuffers
from operator_cases import TYPES, serialized, write_operator

RESOLVERS = {'BUILTIN_REF': OpResolverType.BUILTIN_REF, 'XNNPACK': OpResolverType.AUTO}
CASES = []


class Case:
    """A model of one operator, its inputs, and the place of its case."""

    def __init__(self, archive, label, op, oracle='BUILTIN_REF', atol=0):
        self.archive, self.label, self.op, self.oracle, self.atol = archive, label, op, oracle, atol
        self.buffers, self.codes, self.given = [s.BufferT()], [], []
        self.graphs = [graph()]
        CASES.append(self)

    def tensor(self, data, const=False, where=0):
        tensor = s.TensorT()
        tensor.name, tensor.type, tensor.buffer = '', TYPES[data.dtype.name], 0
        tensor.shape = list(data.shape)
        tensor.hasRank = True
        if const:
            buffer = s.BufferT()
            buffer.data = np.frombuffer(data.tobytes(), np.uint8)
            self.buffers.append(buffer)
            tensor.buffer = len(self.buffers) - 1
        self.graphs[where].tensors.append(tensor)
        return len(self.graphs[where].tensors) - 1

    def input(self, data, const=False):
        index = self.tensor(data, const)
        if not const:
            self.graphs[0].inputs.append(index)
            self.given.append(data)
        return index

    def operator(self, name, inputs, outputs, options=None, where=0, custom=None, version=1):
        code = s.OperatorCodeT()
        code.version = version
        if custom is None:
            code.builtinCode = getattr(s.BuiltinOperator, name)
        else:
            code.builtinCode, code.customCode = s.BuiltinOperator.CUSTOM, name
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        self.codes.append(code)
        operator = s.OperatorT()
        operator.opcodeIndex = len(self.codes) - 1
        operator.inputs, operator.outputs = inputs, outputs
        if custom is not None:
            operator.customOptions = list(custom)
        elif options is not None:
            kind = type(options).__name__[:-1]
            if hasattr(s.BuiltinOptions2, kind):
                operator.builtinOptions2Type = getattr(s.BuiltinOptions2, kind)
                operator.builtinOptions2 = options
            else:
                operator.builtinOptionsType = getattr(s.BuiltinOptions, kind)
                operator.builtinOptions = options
        self.graphs[where].operators.append(operator)

    def output(self, dtype, rank):
        index = self.tensor(np.zeros([1] * rank, dtype))
        self.graphs[0].outputs = [index]
        return index

    def body(self, name, dtype):
        """Adds a subgraph with this operator, or one that passes on its second input."""
        self.graphs.append(graph())
        where = len(self.graphs) - 1
        scalar = np.zeros([], dtype)
        inputs = [self.tensor(scalar, where=where), self.tensor(scalar, where=where)]
        result = inputs[1]
        if name is not None:
            result = self.tensor(scalar, where=where)
            self.operator(name, inputs, [result], where=where)
        self.graphs[where].inputs, self.graphs[where].outputs = inputs, [result]
        return where

    def model(self):
        model = s.ModelT()
        model.version, model.description, model.buffers = 3, '', self.buffers
        model.operatorCodes, model.subgraphs = self.codes, self.graphs
        return serialized(model)


def graph():
    graph = s.SubGraphT()
    graph.name, graph.tensors, graph.operators, graph.inputs, graph.outputs = '', [], [], [], []
    return graph


def options(name, **fields):
    table = getattr(s, name + 'OptionsT')()
    for key, value in fields.items():
        assert hasattr(table, key), key
        setattr(table, key, value)
    return table


def reduce_window(label, x, initial, body, extents, strides=None, padding=None, base=None, dilations=None):
    x = np.asarray(x)
    case = Case('stablehlo_reduce_window', label, 'STABLEHLO_REDUCE_WINDOW')
    where = case.body(body, x.dtype)
    case.operator(
        'STABLEHLO_REDUCE_WINDOW',
        [case.input(x), case.input(np.asarray(initial, x.dtype), const=True)], [case.output(x.dtype, x.ndim)],
        options('StablehloReduceWindow', windowDimensions=extents, windowStrides=strides, padding=padding,
                baseDilations=base, windowDilations=dilations, bodySubgraphIndex=where))
    return case


FUNCTIONS = ['UNSUPPORTED', 'ADD', 'MUL', 'MINIMUM', 'MAXIMUM', 'ALL', 'ANY']


def old_reduce_window(label, x, initial, function, extents, strides, dilations):
    x = np.asarray(x)
    case = Case('reduce_window', label, 'REDUCE_WINDOW')
    case.operator(
        'REDUCE_WINDOW',
        [case.input(x), case.input(np.asarray(initial, x.dtype), const=True)]
        + [case.input(np.asarray(numbers, np.int64), const=True) for numbers in (extents, strides, dilations)],
        [case.output(x.dtype, x.ndim)], options('ReduceWindow', reduceFunction=FUNCTIONS.index(function)))
    return case


def scatter(label, x, indices, updates, body, window, inserted, axes, vector):
    case = Case('stablehlo_scatter', label, 'STABLEHLO_SCATTER')
    where = case.body(body, x.dtype)
    case.operator(
        'STABLEHLO_SCATTER', [case.input(x), case.input(indices), case.input(updates)],
        [case.output(x.dtype, x.ndim)],
        options('StablehloScatter', updateWindowDims=window, insertedWindowDims=inserted,
                scatterDimsToOperandDims=axes, indexVectorDim=vector, updateComputationSubgraphIndex=where))
    return case


def gather(label, x, indices, offset, collapsed, axes, vector, extents):
    case = Case('stablehlo_gather', label, 'STABLEHLO_GATHER')
    rank = len(offset) + indices.ndim - (1 if vector < indices.ndim else 0)
    case.operator(
        'STABLEHLO_GATHER', [case.input(x), case.input(indices)], [case.output(x.dtype, rank)],
        options('StablehloGather', offsetDims=offset, collapsedSliceDims=collapsed, startIndexMap=axes,
                indexVectorDim=vector, sliceSizes=extents))
    return case


def pad(label, x, filler, before, after, between):
    case = Case('stablehlo_pad', label, 'STABLEHLO_PAD')
    case.operator(
        'STABLEHLO_PAD', [case.input(x), case.input(np.asarray(filler, x.dtype), const=True)],
        [case.output(x.dtype, x.ndim)],
        options('StablehloPad', edgePaddingLow=before, edgePaddingHigh=after, interiorPadding=between))
    return case


def dilate(label, x, spacings, filler):
    case = Case('dilate', label, 'DILATE')
    case.operator(
        'DILATE', [case.input(x), case.input(np.asarray(spacings, np.int32), const=True),
                   case.input(np.asarray(filler, x.dtype), const=True)],
        [case.output(x.dtype, x.ndim)], options('Dilate'))
    return case


def pair(label, op, a, b):
    case = Case('stablehlo_pairs', label, op)
    case.operator(op, [case.input(a), case.input(b)], [case.output(a.dtype, a.ndim)])
    return case


def custom(**fields):
    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in sorted(fields.items()):
            builder.Key(name)
            (builder.Bool if isinstance(value, bool) else builder.Int)(value)
    return bytes(builder.Finish())


def spectrogram(label, x, window, stride, squared, atol):
    case = Case('audio', label, 'AudioSpectrogram', atol=atol)
    case.operator('AudioSpectrogram', [case.input(x)], [case.output(x.dtype, 3)],
                  custom=custom(window_size=window, stride=stride, magnitude_squared=squared))
    return case


def mfcc(label, x, rate, lower, upper, bands, count):
    case = Case('audio', label, 'Mfcc', atol=2e-5)
    case.operator('Mfcc', [case.input(x), case.input(np.asarray([rate], np.int32), const=True)],
                  [case.output(x.dtype, 3)],
                  custom=custom(lower_frequency_limit=lower, upper_frequency_limit=upper,
                                filterbank_channel_count=bands, dct_coefficient_count=count))
    return case


def builtin(label, op, inputs, output, opts, version=1, oracle='BUILTIN_REF'):
    case = Case('nonfinite', label, op, oracle)
    operands = [case.input(np.asarray(given[0], given[1]), const=len(given) > 2) for given in inputs]
    case.operator(op, operands, [case.output(*output)], opts, version=version)
    return case


def run(case):
    """The outputs of LiteRT."""
    interpreter = Interpreter(model_content=case.model(), experimental_op_resolver_type=RESOLVERS[case.oracle],
                              num_threads=1)
    interpreter.allocate_tensors()
    for detail, data in zip(interpreter.get_input_details(), case.given):
        if data.size:
            interpreter.set_tensor(detail['index'], data)
    interpreter.invoke()
    results = []
    for detail in interpreter.get_output_details():
        shape = interpreter._get_tensor_details(detail['index'], 0)['shape']
        results.append(np.zeros(shape, detail['dtype']) if 0 in shape
                       else interpreter.get_tensor(detail['index']))
    return results


def listed(arrays):
    entries, content = [], b''
    for array in arrays:
        entries.append({'dtype': array.dtype.name, 'shape': list(map(int, array.shape)), 'offset': len(content),
                        'nbytes': array.nbytes})
        content += array.tobytes()
    return entries, content


def entry(case, results):
    """The case's line in the manifest, and its files."""
    inputs, given = listed(case.given)
    outputs, wanted = listed(results)
    tolerances = [{'atol': case.atol} if r.dtype.kind == 'f' else {'steps': 0} for r in results]
    name = f'{case.op.lower()}_{case.label}'
    return ({'id': name, 'op': case.op, 'variant': 'edge', 'oracle': case.oracle, 'steps': 1, 'inputs': inputs,
             'outputs': outputs, 'tolerance': tolerances, 'model': name + '.tflite'}, case.model(), given, wanted)


def add_cases():
    """Adds the cases of the archives."""
    random = np.random.default_rng(7)
    nan, inf = np.nan, np.inf

    def floats(*shape, dtype=np.float32):
        return random.normal(size=shape).astype(dtype)

    def integers(low, high, *shape, dtype=np.int32):
        return random.integers(low, high, shape).astype(dtype)

    # Windows, as PyTorch's exporter writes them: channels first.
    reduce_window('sums', floats(1, 2, 5, 6), 0, 'ADD', [1, 1, 3, 3], [1, 1, 2, 1], [0, 0, 0, 0, 1, 1, 1, 1])
    reduce_window('maxima_of_volumes', floats(1, 2, 4, 5, 3), -inf, 'MAXIMUM', [1, 1, 2, 3, 2],
                  [1, 1, 2, 1, 1], [0, 0, 0, 0, 0, 1, 1, 1, 0, 0])
    reduce_window('last_axis_channels', floats(2, 6, 5, 7), inf, 'MINIMUM', [1, 3, 2, 1], [1, 2, 3, 1])
    reduce_window('dilated', floats(7, 8), 1, 'MUL', [2, 3], [2, 1], [2, 0, -1, 3], [2, 3], [3, 2])
    reduce_window('initial_counts_in_padding', integers(-9, 9, 6), 5, 'ADD', [3], [2], [2, 1])
    reduce_window('cropped', integers(-99, 99, 4, 6, dtype=np.int64), 0, 'STABLEHLO_MAXIMUM', [2, 2], [1, 1],
                  [-1, 0, -2, -1])
    reduce_window('too_wide', floats(3, 4), 0, 'ADD', [2, 5])
    reduce_window('wraps', integers(-128, 127, 3, 4, dtype=np.int8), 100, 'STABLEHLO_ADD', [2, 3])
    reduce_window('wraps_products', integers(0, 255, 4, 4, dtype=np.uint8), 3, 'STABLEHLO_MULTIPLY', [2, 2], [2, 2])
    reduce_window('shorts', integers(-999, 999, 9, dtype=np.int16), 999, 'STABLEHLO_MINIMUM', [4], [3], [1, 1])
    reduce_window('doubles', floats(3, 5, dtype=np.float64), 0, 'ADD', [3, 3])
    reduce_window('any', floats(4, 5) > 1, False, 'LOGICAL_OR', [2, 2], [1, 1], [1, 0, 0, 1])
    reduce_window('all', floats(4, 5) > -1, True, 'LOGICAL_AND', [2, 2], [1, 2])
    reduce_window('all_numbers', integers(0, 3, 5), 1, 'LOGICAL_AND', [2])
    reduce_window('any_numbers', [0, nan, 0, 0, -0.0, 2], 0, 'LOGICAL_OR', [2])
    reduce_window('not_finite', [nan, 1, 2, nan, -inf, nan, nan, 0.0, -0.0, inf], -inf, 'MAXIMUM', [2], [1], [1, 0])
    old_reduce_window('sums', floats(6, 7), 0, 'ADD', [2, 3], [2, 1], [1, 2])
    old_reduce_window('products', integers(-4, 4, 3, 4), 1, 'MUL', [2, 2], [1, 2], [1, 1])
    old_reduce_window('minima', integers(0, 255, 8, dtype=np.uint8), 200, 'MINIMUM', [3], [1], [2])
    old_reduce_window('maxima', floats(2, 5), -1, 'MAXIMUM', [1, 2], [1, 1], [1, 1])
    old_reduce_window('any', floats(9) > 1, False, 'ANY', [3], [2], [1])
    old_reduce_window('all', floats(9) > -1, True, 'ALL', [3], [2], [1])

    # y[:, i] = v, index_put, scatter and index_copy of PyTorch.
    scatter('column', floats(3, 4), np.asarray([2], np.int32), floats(3), None, [0], [1], [1], 0)
    scatter('rows', floats(5, 3), np.asarray([[4], [0], [4]], np.int64), floats(3, 3), None, [1], [0], [0], 1)
    scatter('elements', floats(3, 4), np.asarray([[0, 1], [2, 3], [0, 1], [3, 0], [1, -1]], np.int32), floats(5), None,
            [], [0, 1], [0, 1], 1)
    scatter('boxes', integers(-9, 9, 4, 5, 3), np.asarray([[-1, 3], [2, 0]], np.int32), integers(-9, 9, 2, 2, 3, 2),
            'STABLEHLO_ADD', [1, 2, 3], [], [2, 1], 1)
    scatter('vectors_first', floats(4, 6), np.asarray([[0, 3, 1], [5, 2, 2]], np.int64), floats(2, 3),
            'STABLEHLO_MULTIPLY', [0], [0], [0, 1], 0)
    scatter('windows_first', floats(6, 2), np.asarray([[0], [2], [2], [5]], np.int32), floats(3, 2, 4),
            'STABLEHLO_ADD', [0, 1], [], [0], 1)
    scatter('maxima', integers(0, 200, 7, dtype=np.uint8), np.asarray([[1], [6], [1], [9]], np.int32),
            integers(0, 255, 4, dtype=np.uint8), 'STABLEHLO_MAXIMUM', [], [0], [0], 1)
    scatter('minima', floats(5, dtype=np.float16), np.asarray([[4], [4], [0]], np.int32), floats(3, dtype=np.float16),
            'STABLEHLO_MINIMUM', [], [0], [0], 1)
    scatter('halves', floats(5, dtype=np.float16), np.asarray([[4], [4], [0]], np.int32), floats(3, dtype=np.float16),
            'STABLEHLO_ADD', [], [0], [0], 1)
    scatter('bools', floats(6) > 0, np.asarray([[0], [3], [5]], np.int32), floats(3) > 0, 'STABLEHLO_ADD', [], [0], [0],
            1)
    scatter('unsigned', integers(0, 9, 4, dtype=np.uint32), np.asarray([[3], [0]], np.int64),
            integers(0, 9, 2, dtype=np.uint32), None, [], [0], [0], 1)
    scatter('doubles', floats(2, 3, dtype=np.float64), np.asarray([1], np.int32), floats(3, dtype=np.float64), None,
            [0], [0], [0], 0)
    scatter('no_updates', floats(3, 2), np.zeros((0, 1), np.int32), floats(0, 2), None, [1], [0], [0], 1)
    scatter('not_finite', np.asarray([nan, 1, -0.0, 2], np.float32), np.asarray([[0], [1], [2], [3]], np.int32),
            np.asarray([1, nan, 0.0, inf], np.float32), 'STABLEHLO_MAXIMUM', [], [0], [0], 1)

    gather('rows', floats(5, 3), np.asarray([[4], [0], [7], [-2]], np.int64), [1], [0], [0], 1, [1, 3])
    gather('boxes', integers(-9, 9, 4, 5, 3), np.asarray([[[0, 3], [9, 1]]], np.int32), [1, 2, 3], [], [2, 0], 2,
           [2, 4, 1])
    gather('elements', floats(3, 4, dtype=np.float64), np.asarray([[0, 2, 1], [3, 3, 0]], np.int32), [], [0, 1], [0, 1],
           0, [1, 1])
    gather('bytes', integers(0, 255, 6, 2, dtype=np.uint8), np.asarray([[3, 1]], np.int32), [0], [1], [0, 1], 1,
           [4, 1])

    pad('around', floats(2, 3), 7, [1, 0], [2, 1], [0, 0])
    pad('between', integers(-9, 9, 3, 2, dtype=np.int8), -1, [0, 1], [1, 0], [2, 3])
    pad('cropped', integers(-9, 9, 5, 6, dtype=np.int64), 0, [-1, 2], [-1, -3], [0, 1])
    pad('cropped_between', integers(-9, 9, 5), 0, [-2], [-4], [2])
    dilate('both_axes', floats(2, 3), [2, 3], 0)
    dilate('first_axis', integers(-9, 9, 3, 2, dtype=np.int16), [4, 1], 5)

    signed, other = integers(-9, 9, 2, 4), integers(-9, 9, 2, 4)
    for op in ['ADD', 'MULTIPLY', 'MAXIMUM', 'MINIMUM']:
        pair('integers', 'STABLEHLO_' + op, signed, other)
        pair('bools', 'STABLEHLO_' + op, signed > 0, other > 0)
        pair('halves', 'STABLEHLO_' + op, floats(7, dtype=np.float16), floats(7, dtype=np.float16))
        pair('floats', 'STABLEHLO_' + op, np.asarray([1, -2, nan, 3, inf, -inf, -0.0], np.float32),
             np.asarray([2, -3, 1, nan, -inf, 5, 0.0], np.float32))

    # Audio: a rising tone with noise, in two channels.
    time = np.arange(400) / 8000
    tone = (np.sin(2 * np.pi * (300 + 20000 * time) * time) + 0.05 * random.normal(size=400)).astype(np.float32)
    both = np.stack([tone, np.roll(tone, 37) * 0.5], 1)
    for squared in [True, False]:
        name = 'powers' if squared else 'magnitudes'
        spectrogram(name, both, 120, 50, squared, 1e-4 if squared else 1e-5)
        spectrogram(name + '_of_two_samples', both[:9], 2, 3, squared, 1e-6)
    spectrogram('longer_steps', tone[:, None], 64, 100, True, 1e-4)
    spectrogram('too_short', tone[:50, None], 64, 1, True, 0)
    powers = random.gamma(0.5, 3, size=(2, 3, 65)).astype(np.float32)
    powers[0, 0] = 0
    mfcc('speech', powers, 8000, 20, 4000, 40, 13)
    mfcc('few_bands', powers, 16000, 0, 3000, 6, 6)
    mfcc('beyond_the_spectrum', powers, 8000, 20, 4100, 10, 4)
    mfcc('narrow_bands', powers[:, :, :9], 8000, 300, 900, 20, 5)

    # NaN and infinity.
    rows = [[nan, 1, 2], [1, nan, 2], [nan, nan, nan], [nan, inf, -inf], [nan, -inf, -inf], [2, 1, nan], [-inf, nan, -inf]]
    for op, name in [('ARG_MAX', 'ArgMax'), ('ARG_MIN', 'ArgMin')]:
        for axis, x in [(1, np.asarray(rows)), (0, np.asarray(rows).T), (1, np.asarray(rows).T[None])]:
            builtin(f'axis_{axis}_of_{x.ndim}', op, [(x, np.float32), (axis, np.int32, True)],
                    (np.int32, x.ndim - 1), options(name, outputType=2))
    extrema = [[inf, 1, -inf], [-inf] * 3, [inf] * 3, [2, 3, 4], [0.5, -7, -inf]]
    for op in ['REDUCE_MAX', 'REDUCE_MIN']:
        builtin('rows', op, [(extrema, np.float32), ([1], np.int32, True)], (np.float32, 1), options('Reducer'),
                oracle='XNNPACK')
        builtin('columns', op, [(np.asarray(extrema).T, np.float32), ([0], np.int32, True)], (np.float32, 1),
                options('Reducer'), oracle='XNNPACK')
    numbers = [nan, inf, -inf, 3e38, -3e38, 7, -7, 0.5]
    for op in ['RELU', 'RELU6', 'RELU_N1_TO_1', 'RELU_0_TO_1']:
        builtin('numbers', op, [(numbers, np.float32)], (np.float32, 1), None)
    for activation in range(4):
        for op, name in [('ADD', 'Add'), ('SUB', 'Sub'), ('MUL', 'Mul')]:
            builtin(f'activation_{activation}', op, [(numbers[1:], np.float32), ([2] * 7, np.float32)], (np.float32, 1),
                    options(name, fusedActivationFunction=activation), oracle='XNNPACK')
    builtin('of_no_indices', 'GATHER_ND', [(floats(2, 3), np.float32), (np.zeros((2, 0)), np.int32, True)],
            (np.float32, 3), options('GatherNd'))


def main(folder):
    archives = {}
    for case in CASES:
        try:
            # If LiteRT crashes, the case is omitted.
            with ProcessPoolExecutor(1) as pool:
                results = pool.submit(run, case).result()
            archives.setdefault(case.archive, []).append(entry(case, results))
        except Exception as error:
            print('REFUSED', case.op, case.label, str(error).replace('\n', ' ')[:200])
    for name, rows in archives.items():
        write_operator(folder, name, rows)
    print({name: len(rows) for name, rows in archives.items()})


if __name__ == '__main__':
    add_cases()
    here = os.path.dirname(os.path.abspath(__file__))
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'Operators'))
