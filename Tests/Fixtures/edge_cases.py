"""Writes the edge cases of operators, `Operators/edge_*.tar`: one-operator models with small inputs, and
the outputs of LiteRT's reference kernels (ai-edge-litert 2.3.0).

Usage: python edge_cases.py [FOLDER]
"""
import os
import sys
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from operator_cases import TYPES, serialized, write_operator


class T:
    """A tensor with the shape and type of `data`. If `const`, the data is in the model."""
    def __init__(self, data, const=False, type=None, quant=None, axis=0, shape=None):
        self.data = np.asarray(data)
        self.const = const
        self.type = type or self.data.dtype.name
        self.quant = quant
        self.axis = axis
        self.shape = list(self.data.shape) if shape is None else shape


def tensor(model, sub, name, type, shape, quant=None, axis=0, bytes_=None):
    t = s.TensorT()
    t.name = name
    t.type = TYPES[type]
    t.shape = list(shape)
    t.buffer = 0
    if bytes_ is not None:
        b = s.BufferT()
        b.data = np.frombuffer(bytes_, np.uint8)
        model.buffers.append(b)
        t.buffer = len(model.buffers) - 1
    if quant:
        q = s.QuantizationParametersT()
        q.scale = np.asarray(quant[0], np.float32).reshape(-1)
        q.zeroPoint = np.asarray(quant[1], np.int64).reshape(-1)
        q.quantizedDimension = axis
        t.quantization = q
    sub.tensors.append(t)
    return len(sub.tensors) - 1


def pack(t):
    if t.type == 'int4':
        flat = (t.data.astype(np.int8).reshape(-1) & 15).astype(np.uint8)
        if len(flat) % 2:
            flat = np.append(flat, np.uint8(0))
        return (flat[0::2] | flat[1::2] << 4).astype(np.uint8).tobytes()
    if t.type == 'int2':
        flat = (t.data.astype(np.int8).reshape(-1) & 3).astype(np.uint8)
        while len(flat) % 4:
            flat = np.append(flat, np.uint8(0))
        return (flat[0::4] | flat[1::4] << 2 | flat[2::4] << 4 | flat[3::4] << 6).astype(np.uint8).tobytes()
    return t.data.tobytes()


def build(op, version, inputs, outputs, options=None):
    """outputs: (type, shape[, quant]). options: (union tag name, object)."""
    m = s.ModelT()
    m.version = 3
    m.description = ''
    m.buffers = [s.BufferT()]
    sub = s.SubGraphT()
    sub.name = ''
    sub.tensors, sub.operators, sub.inputs, sub.outputs = [], [], [], []
    code = s.OperatorCodeT()
    code.builtinCode = getattr(s.BuiltinOperator, op)
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    code.version = version
    m.operatorCodes = [code]
    o = s.OperatorT()
    o.opcodeIndex = 0
    o.inputs, o.outputs = [], []
    for i, t in enumerate(inputs):
        k = tensor(m, sub, f'in{i}', t.type, t.shape, t.quant, t.axis, pack(t) if t.const else None)
        o.inputs.append(k)
        if not t.const:
            sub.inputs.append(k)
    for i, out in enumerate(outputs):
        k = tensor(m, sub, f'out{i}', out[0], out[1], out[2] if len(out) > 2 else None)
        o.outputs.append(k)
        sub.outputs.append(k)
    if options is not None:
        o.builtinOptionsType = getattr(s.BuiltinOptions, options.__class__.__name__[:-1])
        o.builtinOptions = options
    sub.operators = [o]
    m.subgraphs = [sub]
    return serialized(m)


def result(it, details):
    # LiteRT cannot return tensors without elements.
    if 0 in details['shape']:
        return np.zeros(details['shape'], details['dtype'])
    return it.get_tensor(details['index'])


def run(op, model, inputs):
    # SEGMENT_SUM has no reference kernel, only one kernel.
    resolver = OpResolverType.BUILTIN_REF
    if op == 'SEGMENT_SUM':
        resolver = OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    it = Interpreter(model_content=model, experimental_op_resolver_type=resolver)
    it.allocate_tensors()
    live = [t for t in inputs if not t.const]
    for d, t in zip(it.get_input_details(), live):
        if t.data.size:
            it.set_tensor(d['index'], t.data)
    it.invoke()
    return [result(it, d) for d in it.get_output_details()]


CASES = []


def options(name, **fields):
    table = getattr(s, name + 'OptionsT')()
    for key, value in fields.items():
        setattr(table, key, value)
    return table


def case(folder, label, op, version, inputs, outputs, opts=None):
    CASES.append((folder, label, op, version, inputs, outputs, opts))


def c(x, dtype=np.int32, **more):
    return T(np.asarray(x, dtype), True, **more)


def v(x, dtype=np.float32, **more):
    return T(np.asarray(x, dtype), **more)


def topk(label, x, k, dtype=np.float32, ktype=np.int32, itype='int32', live=False):
    x = np.asarray(x, dtype)
    shape = list(x.shape[:-1]) + [max(k, 0)]
    case('topk_v2', label, 'TOPK_V2', 3, [T(x), T(np.asarray(k, ktype), not live)],
         [(x.dtype.name, shape), (itype, shape)], options('TopKV2'))


topk('ties', [[1, 3, 3, 2, 3], [0, 0, 0, 0, 0]], 4)
topk('zeros', [-0.0, 0.0, -0.0, 1, -np.inf, np.inf], 6)
topk('none', [[1, 2, 3], [4, 5, 6]], 0)
topk('negative', [[1, 2, 3], [4, 5, 6]], -2)
topk('all', [5, 4, 5, 6, 4], 5, np.int64)
topk('no_rows', np.zeros((0, 3)), 2)
topk('short', [[300, -300, 300, 7]], 3, np.int16, np.int16, 'int16')
topk('live_k', [[2, 9, 9, 1], [0, 5, 5, 5]], 3, np.int32, live=True)
topk('many', np.random.default_rng(1).integers(0, 40, (3, 100)), 17, np.uint8)


def one_hot(label, indices, depth, axis, on=1, off=0, itype=np.int32, dtype=np.float32, live=False):
    indices = np.asarray(indices, itype)
    shape = list(indices.shape)
    shape.insert(len(shape) if axis == -1 else axis, depth)
    case('one_hot', label, 'ONE_HOT', 1,
         [T(indices), T(np.asarray(depth, np.int32), not live), c(on, dtype), c(off, dtype)],
         [(np.dtype(dtype).name, shape)], options('OneHot', axis=axis))


one_hot('out_of_range', [[0, 2, -1], [3, 1, 100]], 3, -1)
one_hot('middle', [[0, 2], [1, 1], [2, 0]], 3, 1, 7, -7, dtype=np.int8)
one_hot('first_bool', [[0, 2], [1, 5]], 4, 0, True, False, dtype=np.bool_)
one_hot('wide_indices', [2 ** 32 + 1, -2 ** 32, 2 ** 31, 2], 3, -1, 5, 6, np.int64, np.int64)
one_hot('scalar', 1, 3, -1, 2, 1, dtype=np.uint8)
one_hot('no_depth', [0, 1], 0, -1)
one_hot('no_indices', np.zeros((0, 2)), 3, 1)
one_hot('live_depth', [1, 0], 4, 0, dtype=np.int32, live=True)


def reverse(label, x, axes, dtype=np.float32):
    x = np.asarray(x, dtype)
    case('reverse_v2', label, 'REVERSE_V2', 3, [T(x), c(axes)], [(x.dtype.name, x.shape)],
         options('ReverseV2'))


BOX = np.arange(24).reshape(2, 3, 4)
reverse('last', BOX, [-1], np.int64)
reverse('two', BOX, [2, 1], np.int16)
reverse('two_counted_back', BOX, [-2, -3], np.float16)
reverse('all', BOX, [0, 1, 2], np.uint8)
reverse('bools', BOX % 5 == 0, [1], np.bool_)
reverse('empty', np.zeros((2, 0, 3)), [1])
reverse('eight_axes', np.arange(256).reshape([2] * 8), [3, 4], np.int32)


def reverse_sequence(label, shape, lengths, time, batch, dtype=np.float32, ltype=np.int32):
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    case('reverse_sequence', label, 'REVERSE_SEQUENCE', 1, [T(x), v(lengths, ltype)],
         [(x.dtype.name, shape)], options('ReverseSequence', seqDim=time, batchDim=batch))


reverse_sequence('time_last', [3, 4], [0, 1, 4], 1, 0)
reverse_sequence('time_first', [4, 3], [3, 0, 2], 0, 1, np.int16, np.int64)
reverse_sequence('between', [2, 3, 2, 4, 2], [1, 3, 4], 3, 1, np.int64)
reverse_sequence('between_time_first', [2, 4, 2, 3, 2], [1, 3, 4], 1, 3, np.uint8)
reverse_sequence('last_two', [2, 2, 3], [3, 2], 2, 1, np.int32)


def scatter(label, indices, updates, shape, dtype=np.float32, live=False):
    updates = np.asarray(updates, dtype)
    case('scatter_nd', label, 'SCATTER_ND', 1,
         [v(indices, np.int32), T(updates), T(np.asarray(shape, np.int32), not live)],
         [(updates.dtype.name, shape)], options('ScatterNd'))


scatter('repeated', [[1], [3], [1], [1]], [1e8, 2, 1, -1e8], [4])
scatter('slices', [[2], [0], [2]], BOX[0], [3, 4], np.int64)
scatter('wraps', [[0], [0], [1], [1]], [100, 100, -100, -100], [2], np.int8)
scatter('wraps_unsigned', [[0, 1], [0, 1]], [200, 100], [2, 2], np.uint8)
scatter('wraps_wide', [[0], [0]], [2 ** 31 - 1, 1], [1], np.int32)
scatter('bools', [[0], [0], [1], [1], [2]], [True, False, False, False, True], [4], np.bool_)
scatter('matrix_of_tuples', [[[0, 0], [1, 2]], [[1, 2], [0, 1]]], [[1, 2], [3, 4]], [2, 3])
scatter('no_updates', np.zeros((0, 1)), np.zeros((0, 2)), [3, 2])
scatter('live_shape', [[1], [0]], [[1, 2], [3, 4]], [3, 2], np.int32, live=True)


def where(label, x, dtype=np.float32):
    x = np.asarray(x, dtype)
    case('where', label, 'WHERE', 2, [T(x)], [('int64', [1, max(x.ndim, 1)])], options('Where'))


where('floats', [[0, -0.0, np.nan], [1e-40, -1, np.inf]])
where('four_axes', np.arange(24).reshape(2, 3, 2, 2) % 7 == 0, np.bool_)
where('nothing', [0, 0, 0], np.int32)
where('everything', [1, 255, 3], np.uint8)
where('no_elements', np.zeros((2, 0)), np.bool_)
where('wide', [0, 2 ** 40, 0, -1], np.int64)
where('unsigned', [[0, 2 ** 31], [1, 0]], np.uint32)
where('signed_bytes', [[0, -128], [1, 0]], np.int8)


def nms(label, boxes, scores, limit, overlap=0.5, score=-1.0, sigma=None, live=False):
    inputs = [v(boxes), v(scores), T(np.asarray(limit, np.int32), not live),
              c(overlap, np.float32), c(score, np.float32)]
    soft = sigma is not None
    if soft:
        inputs.append(c(sigma, np.float32))
    outputs = [('int32', [limit])] + ([('float32', [limit])] if soft else []) + [('int32', [])]
    name = 'V5' if soft else 'V4'
    case('non_max_suppression', label, 'NON_MAX_SUPPRESSION_' + name, 1, inputs, outputs,
         options('NonMaxSuppression' + name))


def boxes(seed, count, side):
    random = np.random.default_rng(seed)
    corner = random.random((count, 2)) * (8 - side)
    return np.concatenate([corner, corner + side * (0.5 + random.random((count, 2)))], 1)


APART = [[10 * k, 0, 10 * k + 5, 5] for k in range(12)]
ROUGH = np.round(np.random.default_rng(5).random(60) * 8) / 8
nms('ties', APART, [0.5] * 12, 12)
nms('two_levels', APART, [0.5, 0.75] * 6, 12)
nms('three_levels', APART, [0.75, 0.5, 0.25] * 4, 7)
nms('crowd', boxes(1, 60, 2), ROUGH, 40)
nms('soft_crowd', boxes(2, 60, 3), ROUGH, 50, 0.6, 0.05, 0.3)
nms('soft_wide', boxes(3, 60, 4), ROUGH, 60, 1.0, 0.0, 2.0)
nms('soft_off', boxes(4, 60, 3), ROUGH, 20, 0.4, 0.25, 0.0)
nms('no_area', np.zeros((4, 4)), [0.1, 0.2, 0.3, 0.4], 6)
nms('no_area_soft', np.zeros((4, 4)), [0.1, 0.2, 0.3, 0.4], 6, sigma=0.5)
nms('corners_swapped', [[1, 1, 0, 0], [0, 1, 1, 0], [3, 3, 2, 2]], [0.3, 0.9, 0.5], 3)
nms('equal_to_thresholds', [[0, 0, 1, 1], [0, 0, 1, 2], [5, 5, 6, 6]], [0.9, 0.8, 0.25], 3, 0.5,
    0.25)
nms('none_asked', APART, [0.5] * 12, 0)
nms('no_boxes', np.zeros((0, 4)), [], 3)
nms('live_limit', boxes(6, 20, 3), ROUGH[:20], 15, 0.3, 0.2, 0.5, live=True)


def sparse(label, indices, shape, values, rest, dtype=np.float32, itype=np.int32, live=False):
    values = np.asarray(values, dtype)
    case('sparse_to_dense', label, 'SPARSE_TO_DENSE', 3,
         [v(indices, itype), T(np.asarray(shape, itype), not live), T(values), c(rest, dtype)],
         [(values.dtype.name, shape)], options('SparseToDense'))


sparse('vector', [3, 1], [5], [7, 8], -1)
sparse('one', [2], [4], 9, 1, np.int64, np.int64)
sparse('tuples', [[0, 1], [1, 2], [0, 1]], [2, 3], [1, 2, 3], 0, np.int8)
sparse('four_axes', [[0, 1, 0, 1], [1, 0, 1, 0]], [2, 2, 2, 2], [5, 6], 1, np.uint8, np.int64)
sparse('nothing', np.zeros((0, 2)), [2, 2], [], 3, np.int32)
sparse('live_shape', [[0, 1], [1, 2]], [2, 3], [1, 2], 0, np.int32, live=True)


def matrix_diag(label, x, dtype=np.float32):
    x = np.asarray(x, dtype)
    case('matrix_diag', label, 'MATRIX_DIAG', 1, [T(x)],
         [(x.dtype.name, list(x.shape) + [x.shape[-1]])], options('MatrixDiag'))


matrix_diag('vector', [1, 2, 3], np.int64)
matrix_diag('batches', BOX, np.int16)
matrix_diag('bytes', [[7], [8]], np.uint8)
matrix_diag('empty', np.zeros((2, 0)), np.int32)


def matrix_set_diag(label, shape, diagonal, dtype=np.float32):
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    case('matrix_diag', 'set_' + label, 'MATRIX_SET_DIAG', 1, [T(x), v(diagonal, dtype)],
         [(x.dtype.name, shape)], options('MatrixSetDiag'))


matrix_set_diag('wide', [2, 4], [50, 60])
matrix_set_diag('tall', [3, 2], [50, 60], np.int8)
matrix_set_diag('batches', [2, 3, 3], [[50, 60, 70], [80, 90, 99]], np.int64)


def lookup(label, indices, table, otype=None, **more):
    shape = [len(indices)] + list(np.shape(table.data)[1:])
    case('embedding_lookup', label, 'EMBEDDING_LOOKUP', 4, [v(indices, np.int32), table],
         [(otype or table.type, shape)])


lookup('cubes', [1, 0, 1], c(BOX, np.int64))
lookup('live_table', [1, 1], v(BOX[0], np.int8))
lookup('nothing', [], c(BOX, np.float32))
lookup('hybrid', [2, 0, 2, 1], c([[1, -2, 3], [127, -128, 0], [7, 8, 9]], np.int8, quant=(0.3, 0)),
       'float32')
lookup('hybrid_rows', [2, 1, 0], c([[1, -2], [127, -128], [7, 8]], np.int8,
                                   quant=([0.3, 0.1, 1e-3], [0, 0, 0])), 'float32')
lookup('hybrid_unsigned', [1, 0], c([[1, 200], [127, 255]], np.uint8, quant=(0.3, 0)), 'float32')
lookup('hybrid_nibbles', [3, 1, 0, 2], c(np.arange(12).reshape(4, 3) - 6, np.int8, type='int4',
                                         quant=([0.3, 0.1, 1e-3, 2], [0] * 4)), 'float32')
lookup('hybrid_nibbles_even', [1, 0], c(np.arange(16).reshape(2, 2, 4) - 8, np.int8, type='int4',
                                        quant=(0.7, 0)), 'float32')
lookup('hybrid_quarters', [2, 1, 0], c(np.arange(15).reshape(3, 5) % 4 - 2, np.int8, type='int2',
                                       quant=(0.7, 0)), 'float32')


def update(label, shape, patch, start, dtype=np.float32, itype=np.int32):
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    patch = -1 - np.arange(np.prod(patch)).reshape(patch)
    case('dynamic_update_slice', label, 'DYNAMIC_UPDATE_SLICE', 2,
         [T(x), T(patch.astype(dtype)), v(start, itype)], [(x.dtype.name, shape)],
         options('DynamicUpdateSlice'))


update('inside', [3, 4], [2, 2], [1, 1], np.int8)
update('held_back', [3, 4], [2, 3], [-5, 100], np.int64, np.int64)
update('far', [5], [2], [2 ** 40], np.int16, np.int64)
update('whole', [2, 3], [2, 3], [1, 1], np.bool_)
update('three_axes', [2, 3, 4], [1, 2, 3], [1, 1, 0], np.float16)
update('nothing', [2, 3], [2, 0], [0, 1])


def segment_sum(label, x, ids, dtype=np.float32):
    x = np.asarray(x, dtype)
    shape = [max(list(ids) + [-1]) + 1] + list(x.shape[1:])
    case('segment', label, 'SEGMENT_SUM', 1, [T(x), v(ids, np.int32)], [(x.dtype.name, shape)],
         options('SegmentSum'))


segment_sum('rows', BOX.reshape(6, 4), [0, 0, 1, 2, 2, 2])
segment_sum('in_order', [1e8, 1, -1e8, 5], [0, 0, 0, 1])
segment_sum('wraps', [2 ** 31 - 1, 1, 3], [0, 0, 1], np.int32)
segment_sum('nothing', np.zeros((0, 2)), [])


def unsorted(kind, label, x, ids, count, dtype=np.float32, live=True):
    x = np.asarray(x, dtype)
    ids = np.asarray(ids, np.int32)
    case('segment', f'{kind}_{label}', f'UNSORTED_SEGMENT_{kind.upper()}', 1,
         [T(x), T(ids), T(np.asarray(count, np.int32), not live)],
         [(x.dtype.name, [count] + list(x.shape[ids.ndim:]))],
         options('UnsortedSegment' + kind.capitalize()))


for kind in ['max', 'min', 'prod', 'sum']:
    unsorted(kind, 'rows', BOX.reshape(6, 4) * 0.3 - 2, [2, 0, 2, -1, 0, 2], 4)
    unsorted(kind, 'wraps', [2 ** 31 - 1, -2 ** 31, 3, 2 ** 30], [0, 1, 0, 1], 3, np.int32, False)
unsorted('sum', 'matrix_of_ids', BOX, [[0, 1, 0], [1, -7, 1]], 2, np.int32)
unsorted('max', 'whole_ids', [[3, 1], [2, 9]], [[1, 0], [1, 0]], 2)
unsorted('max', 'no_ids', np.zeros((0, 2)), [], 2)


def unique(label, x, dtype=np.float32, itype='int32'):
    x = np.asarray(x, dtype)
    case('unique', label, 'UNIQUE', 1, [T(x)], [(x.dtype.name, [1]), (itype, x.shape)],
         options('Unique', idxOutType=TYPES[itype]))


unique('floats', [3, 1, 3, -0.0, 0.0, 1, np.inf, -np.inf, np.inf])
unique('bytes', [200, 1, 200, 0, 255, 1], np.uint8, 'int64')
unique('signed_bytes', [-128, 127, -128, 0], np.int8)
unique('shorts', [5] * 9, np.int16)
unique('words', np.arange(20) % 7 - 3, np.int32, 'int64')
unique('wide', [2 ** 40, -2 ** 40, 2 ** 40, 1], np.int64)
unique('nothing', [], np.int32)


def bucketize(label, x, boundaries, dtype=np.float32):
    x = np.asarray(x, dtype)
    case('bucketize', label, 'BUCKETIZE', 1, [T(x)], [('int32', x.shape)],
         options('Bucketize', boundaries=boundaries))


bucketize('floats', [[-1, 0, 0.5], [1, 2, np.inf], [np.nan, -np.inf, 9]], [0.0, 1.0, 1.0, 2.0])
bucketize('doubles', [0.1, 0.3, -5, 1e300], [0.1, 0.3], np.float64)
bucketize('integers', [2 ** 24 + 1, 2 ** 24, -1, 0], [-0.5, 16777216.0], np.int32)
bucketize('wide', [2 ** 60 + 1, 5], [5.0, float(2 ** 60)], np.int64)
bucketize('one_bucket', [1, 2], [])


def moved(label, op, version, inputs, outputs, opts=None):
    case('moved', label, op, version, inputs, outputs, opts)


def every_type(make):
    for dtype in ['bool', 'float16', 'int16', 'int64']:
        make(dtype, (BOX % 3 == 1) if dtype == 'bool' else BOX.astype(dtype))


every_type(lambda t, x: moved(
    'gather_' + t, 'GATHER', 7, [T(x), v([2, 0, 2], np.int16)], [(t, [2, 3, 4])],
    options('Gather', axis=1, batchDims=0)))
every_type(lambda t, x: moved(
    'gather_nd_' + t, 'GATHER_ND', 5, [T(x), v([[1, 2], [0, 0]], np.int16)], [(t, [2, 4])],
    options('GatherNd')))
every_type(lambda t, x: moved(
    'transpose_' + t, 'TRANSPOSE', 7, [T(x), c([2, -3, 1])], [(t, [4, 2, 3])],
    options('Transpose')))
every_type(lambda t, x: moved(
    'slice_' + t, 'SLICE', 7, [T(x), c([0, 1, 1], np.int64), c([-1, 2, 2], np.int64)],
    [(t, [2, 2, 2])], options('Slice')))
every_type(lambda t, x: moved(
    'strided_slice_' + t, 'STRIDED_SLICE', 4, [T(x), c([1, -1, 0]), c([2, -9, 4]), c([1, -2, 3])],
    [(t, [1, 2, 2])], options('StridedSlice')))
every_type(lambda t, x: moved(
    'tile_' + t, 'TILE', 2, [T(x), c([1, 2, 3], np.int64)], [(t, [2, 6, 12])], options('Tile')))
every_type(lambda t, x: moved(
    'broadcast_to_' + t, 'BROADCAST_TO', 3, [T(x[:, :1]), c([2, 2, 3, 4], np.int64)],
    [(t, [2, 2, 3, 4])], options('BroadcastTo')))
for t in ['bool', 'float16', 'int16', 'int64', 'uint32']:
    moved('concatenation_' + t, 'CONCATENATION', 5,
          [T(BOX.astype(t)), T(1 - BOX[:, 1:].astype(t) if t != 'bool' else BOX[:, 1:] < 9)],
          [(t, [2, 5, 4])], options('Concatenation', axis=-2))
for t in ['int8', 'int16', 'int32']:
    moved('pack_' + t, 'PACK', 4, [T(BOX.astype(t)), T((23 - BOX).astype(t))], [(t, [2, 3, 2, 4])],
          options('Pack', valuesCount=2, axis=-2))
    moved('unpack_' + t, 'UNPACK', 4, [T(BOX[:, :2].astype(t))], [(t, [2, 4])] * 2,
          options('Unpack', num=2, axis=1))
    moved('split_' + t, 'SPLIT', 4, [c(-1), T(BOX.astype(t))], [(t, [2, 3, 2])] * 2,
          options('Split', numSplits=2))
EIGHT = np.arange(2 ** 8).reshape([2] * 8)
moved('transpose_eight_axes', 'TRANSPOSE', 7, [v(EIGHT, np.int32), c([7, 1, 3, 5, 0, 2, 4, 6])],
      [('int32', [2] * 8)], options('Transpose'))
moved('gather_scalar_index', 'GATHER', 7, [v(BOX), v(-0, np.int64)], [('float32', [2, 4])],
      options('Gather', axis=-2, batchDims=0))
moved('broadcast_to_eight_axes', 'BROADCAST_TO', 3, [v([[1], [2]]), c([2] * 8)],
      [('float32', [2] * 8)], options('BroadcastTo'))
moved('tile_nothing', 'TILE', 2, [v(BOX[0]), c([2, 0])], [('float32', [6, 0])], options('Tile'))


def l2_pool(label, x, window, strides, padding, activation=0):
    x = np.asarray(x, np.float32)
    case('l2_pool_2d', label, 'L2_POOL_2D', 1, [T(x)], [('float32', [1, 1, 1, 1])],
         options('Pool2D', padding=padding, filterHeight=window[0], filterWidth=window[1],
                 strideH=strides[0], strideW=strides[1], fusedActivationFunction=activation))


IMAGE = np.sin(np.arange(2 * 5 * 6 * 3, dtype=np.float32)).reshape(2, 5, 6, 3)
l2_pool('same', IMAGE, (3, 2), (2, 2), 0)
l2_pool('valid', IMAGE, (2, 3), (1, 2), 1)
l2_pool('relu6', IMAGE * 20, (5, 6), (1, 1), 1, 3)
l2_pool('window_beyond_the_image', IMAGE, (9, 9), (4, 4), 0)


def rfft2d(label, x, extents, live=False):
    x = np.asarray(x, np.float32)
    lengths = v(extents, np.int32) if live else c(extents)
    case('rfft2d', label, 'RFFT2D', 1, [T(x), lengths],
         [('complex64', [*x.shape[:-2], extents[0], extents[1] // 2 + 1])],
         options('Rfft2d'))


WAVES = np.cos(np.arange(2 * 3 * 8 * 16, dtype=np.float32) ** 1.3).reshape(2, 3, 8, 16)
rfft2d('batches', WAVES, [8, 16])
rfft2d('cut', WAVES[0, 0], [4, 8])
rfft2d('filled', WAVES[0, :, :5, :7], [16, 32])
rfft2d('tall', WAVES[1, 1], [64, 4])
rfft2d('wide', WAVES[1, 2], [2, 256])
rfft2d('computed_extents', WAVES[0, 1], [8, 8], True)


def lookup_sparse(label, combiner, ids, indices, extents, weights, table=BOX[0]):
    case('embedding_lookup_sparse', label, 'EMBEDDING_LOOKUP_SPARSE', 1,
         [v(ids, np.int32), v(indices, np.int32), c(extents), v(weights), c(table, np.float32)],
         [('float32', [1] * (len(extents) + np.ndim(table) - 2))],
         options('EmbeddingLookupSparse', combiner=combiner))


for kind, combiner in [('sum', 0), ('mean', 1), ('sqrtn', 2)]:
    lookup_sparse(kind, combiner, [1, 0, 2, 1], [[0, 0], [0, 1], [2, 0], [2, 5]], [4, 6],
                  [1.5, -2, 0.25, 3])
lookup_sparse('three_axes', 1, [1, 1, 0], [[0, 1, 0], [1, 0, 0], [1, 0, 1]], [2, 2, 2], [1, 2, 3],
              BOX)
lookup_sparse('place_met_again', 1, [0, 1, 2], [[1, 0], [0, 0], [1, 1]], [2, 2], [2, 3, 4])
lookup_sparse('no_weight', 2, [0, 1], [[0, 0], [1, 0]], [2, 1], [0, 1])


def hashtable_lookup(label, lookups, keys, values):
    values = np.asarray(values)
    case('hashtable_lookup', label, 'HASHTABLE_LOOKUP', 1,
         [v(lookups, np.int32), c(keys), T(values)],
         [(values.dtype.name, [len(lookups), *values.shape[1:]]), ('uint8', [len(lookups)])])


hashtable_lookup('floats', [3, -5, 4, 9, 3], [-5, 3, 9], BOX[0].astype(np.float32))
hashtable_lookup('bytes', [1, 2, 7, 0], [1, 2, 3, 5, 7], np.arange(5, dtype=np.uint8))
hashtable_lookup('equal_keys', [4, 4, 6], [4, 4, 4, 4], np.arange(12, dtype=np.int64).reshape(4, 3))
hashtable_lookup('far_apart', [-2 ** 30, 2 ** 30, 0], [-2 ** 30, 0, 2 ** 30], BOX.astype(np.int16)[:, :, 0].T)


def fake_quant(label, x, low, high, bits):
    case('fake_quant', label, 'FAKE_QUANT', 2, [v(x)], [('float32', np.shape(x))],
         options('FakeQuant', min=low, max=high, numBits=bits, narrowRange=False))


LINE = np.concatenate([np.linspace(-9, 9, 61), [np.inf, -np.inf, 0.0]]).reshape(4, 16)
fake_quant('eight_bits', LINE, -5.3, 6.1, 8)
fake_quant('two_bits', LINE, -1, 2, 2)
fake_quant('sixteen_bits', LINE, -0.1, 8, 16)
fake_quant('from_zero', LINE, 0, 6, 8)
fake_quant('to_zero', LINE, -6.2, 0, 4)


def main(root):
    operators = {}
    for folder, label, op, version, inputs, outputs, opts in CASES:
        model = build(op, version, inputs, outputs, opts)
        try:
            # If LiteRT crashes, the case is omitted.
            with ProcessPoolExecutor(1) as pool:
                results = pool.submit(run, op, model, inputs).result()
        except Exception as error:
            print('REFUSED', folder, label, str(error).replace('\n', ' ')[:160])
            continue
        entry = {'id': f'{op.lower()}_{label}', 'op': op, 'variant': 'edge', 'oracle': 'BUILTIN_REF',
                 'steps': 1}
        entry['inputs'], given = layout([t.data for t in inputs if not t.const])
        entry['outputs'], wanted = layout(results)
        entry['tolerance'] = [tolerance(folder, r) for r in results]
        entry['model'] = entry['id'] + '.tflite'
        operators.setdefault('edge_' + folder, []).append((entry, model, given, wanted))
    for name, cases in operators.items():
        write_operator(root, name, cases)
    print(sum(map(len, operators.values())), 'cases')


def tolerance(folder, result):
    if result.dtype.kind == 'c':
        return {'atol': float(1e-6 * np.abs(result).max())}
    if folder in ('l2_pool_2d', 'embedding_lookup_sparse'):
        return {'atol': 1e-6 * float(np.nanmax(np.abs(result)))}
    return {'atol': 0} if result.dtype.kind == 'f' else {'steps': 0}


def layout(arrays):
    tensors, content = [], b''
    for array in arrays:
        tensors.append({'dtype': array.dtype.name, 'shape': list(array.shape),
                        'offset': len(content), 'nbytes': array.nbytes})
        content += array.tobytes()
    return tensors, content


if __name__ == '__main__':
    here = os.path.dirname(os.path.abspath(__file__))
    main(sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'Operators'))
