"""Writes the cases of hash tables and strings, `Operators/tables.tar` and `Operators/strings.tar`: small
graphs, and the outputs of LiteRT (ai-edge-litert 2.3.0).

Usage: python tables.py [FOLDER]
"""
import os
import struct
import sys

import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from operator_cases import TYPES, serialized, write_operator


def packed(strings):
    """Strings as in a tensor: their number, the offsets of their bytes, the bytes."""
    place, places = 4 * (len(strings) + 2), []
    for string in strings:
        places.append(place)
        place += len(string)
    return struct.pack(f'<{len(strings) + 2}i', len(strings), *places, place) + b''.join(strings)


def content(values, dtype):
    if dtype == 'string':
        return packed([bytes(value) for value in np.ravel(np.asarray(values, object))])
    return np.asarray(values, dtype).tobytes()


class Graph:
    """A subgraph, built operator by operator."""

    def __init__(self, model):
        self.model, self.graph = model, s.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []
        self.given = []
        model.graphs.append(self.graph)

    def tensor(self, dtype, shape, values=None):
        tensor = s.TensorT()
        tensor.name, tensor.type, tensor.shape, tensor.buffer = f't{len(self.graph.tensors)}', TYPES[dtype], list(shape), 0
        if values is not None:
            buffer = s.BufferT()
            buffer.data = np.frombuffer(content(values, dtype), np.uint8)
            self.model.buffers.append(buffer)
            tensor.buffer = len(self.model.buffers) - 1
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def constant(self, dtype, values):
        return self.tensor(dtype, shape(values, dtype), values)

    def input(self, dtype, values):
        index = self.tensor(dtype, shape(values, dtype))
        self.graph.inputs.append(index)
        self.given.append((dtype, values))
        return index

    def add(self, name, inputs, outputs, options=None, version=1):
        operator = s.OperatorT()
        operator.opcodeIndex = self.model.code(name, version)
        operator.inputs, operator.outputs = inputs, outputs
        if options is not None:
            operator.builtinOptionsType = getattr(s.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        self.graph.operators.append(operator)

    def table(self, identifier, key, value):
        handle = self.tensor('resource', [1])
        self.add('HASHTABLE', [], [handle], options('Hashtable', tableId=identifier,
                 keyDtype=TYPES[key], valueDtype=TYPES[value]))
        return handle


class Graphs:
    """A model of several subgraphs."""

    def __init__(self):
        self.buffers, self.graphs, self.codes = [s.BufferT()], [], []

    def code(self, name, version):
        if (name, version) not in self.codes:
            self.codes.append((name, version))
        return self.codes.index((name, version))

    def bytes(self):
        model = s.ModelT()
        model.version, model.buffers, model.subgraphs = 3, self.buffers, self.graphs
        model.operatorCodes = []
        for name, version in self.codes:
            code = s.OperatorCodeT()
            code.builtinCode = getattr(s.BuiltinOperator, name)
            code.deprecatedBuiltinCode = min(code.builtinCode, 127)
            code.version = version
            model.operatorCodes.append(code)
        return serialized(model)


def shape(values, dtype):
    return np.shape(np.asarray(values, object if dtype == 'string' else dtype))


def options(name, **fields):
    table = getattr(s, name + 'OptionsT')()
    for key, value in fields.items():
        assert hasattr(table, key), key
        setattr(table, key, value)
    return table


CASES = {}


def case(archive, label, op, main, oracle='BUILTIN'):
    CASES.setdefault(archive, []).append((label, op, main, oracle))


WORDS = [b'martlet', b'', b'swift', 'h\u00e9ron'.encode(), b'swift', b'a' * 40]
NUMBERS = [7, -1, 2 ** 40, 0, 5, 7]


def search(label, key, value, keys, values, asked, missing, once=True, twice=False):
    """A case that fills a table, in a subgraph that runs once or in the graph itself, and looks up keys."""
    model = Graphs()
    main = Graph(model)
    filled = main
    if once:
        main.add('CALL_ONCE', [], [], options('CallOnce', initSubgraphIndex=1))
        filled = Graph(model)
    handle = filled.table(3, key, value)
    filled.add('HASHTABLE_IMPORT',
               [handle, filled.constant(key, keys), filled.constant(value, values)], [])
    if twice:
        filled.add('HASHTABLE_IMPORT',
                   [handle, filled.constant(key, keys[:1]), filled.constant(value, values[-1:])], [])
    handle = main.table(3, key, value) if once else handle
    size = main.tensor('int64', [1])
    found = main.tensor(value, shape(asked, key))
    main.add('HASHTABLE_SIZE', [handle], [size])
    main.add('HASHTABLE_FIND',
             [handle, main.input(key, asked), main.constant(value, missing)], [found])
    main.graph.outputs = [found, size]
    case('tables', label, 'HASHTABLE_FIND', main)


search('numbers_of_strings', 'string', 'int64', WORDS, NUMBERS, [b'swift', b'crow', b'', b'martlet'],
       [-9])
search('strings_of_numbers', 'int64', 'string', NUMBERS, WORDS, [[5, 7], [-1, 3]], [b'none', b'x'])
search('in_the_graph', 'string', 'int64', WORDS[:2], [1, 2], [b'martlet', b'MARTLET'], [0], once=False)
search('imported_twice', 'int64', 'string', [1, 2], [b'one', b'two'], [1, 2, 3], [b''], twice=True)
search('no_keys', 'string', 'int64', [], [], [b'a', b'b'], [4], once=False)


def moved(label, op, inputs, outputs, opts=None, version=1, oracle='BUILTIN_REF'):
    """`inputs` are pairs of type and values, or triples with True for constants."""
    main = Graph(Graphs())
    operands = [main.constant(*given[:2]) if len(given) > 2 else main.input(*given)
                for given in inputs]
    results = [main.tensor(*output) for output in outputs]
    main.add(op, operands, results, opts, version)
    main.graph.outputs = results
    case('strings', f'{op.lower()}_{label}', op, main, oracle)


moved('positions', 'GATHER', [('string', WORDS), ('int32', [3, 0, 3, 1])], [('string', [4])],
      options('Gather'), 3)
moved('constant_strings', 'GATHER', [('string', WORDS, True), ('int64', [[5, 4], [3, 2]])],
      [('string', [2, 2])], options('Gather'), 3)
moved('vector', 'RESHAPE', [('string', np.array(WORDS, object).reshape(2, 3))], [('string', [6])],
      options('Reshape', newShape=[-1]))
moved('extents', 'RESHAPE', [('string', WORDS), ('int32', [3, 2], True)], [('string', [3, 2])],
      options('Reshape'))
moved('tuples', 'GATHER_ND', [('string', np.array(WORDS, object).reshape(2, 3)),
                              ('int32', [[1, 2], [0, 0]])], [('string', [2])],
      options('GatherNd'), 2)
moved('box', 'SLICE', [('string', np.array(WORDS, object).reshape(2, 3)), ('int32', [0, 1], True),
                       ('int32', [2, -1], True)], [('string', [2, 2])], options('Slice'), 2)
moved('backwards', 'STRIDED_SLICE', [('string', WORDS), ('int32', [-1], True),
                                     ('int32', [-7], True), ('int32', [-2], True)],
      [('string', [3])], options('StridedSlice', endMask=1), 4)
moved('twice', 'TILE', [('string', np.array(WORDS[:3], object).reshape(3, 1)),
                        ('int32', [1, 2], True)], [('string', [3, 2])], options('Tile'))
moved('axes', 'SQUEEZE', [('string', np.array(WORDS[:2], object).reshape(1, 2, 1))],
      [('string', [2])], options('Squeeze', squeezeDims=[0, 2]), 2,
      'BUILTIN')
moved('first_axis', 'EXPAND_DIMS', [('string', WORDS[:3]), ('int32', [0], True)],
      [('string', [1, 3])], options('ExpandDims'))
moved('value', 'FILL', [('int32', [2, 2]), ('string', np.array(b'swift', object), True)],
      [('string', [2, 2])], options('Fill'), 1)
moved('words', 'EQUAL', [('string', WORDS[:3]), ('string', [b'martlet', b' ', b'swift'])],
      [('bool', [3])], options('Equal'), 3)
moved('words', 'NOT_EQUAL', [('string', WORDS[:3]), ('string', [b'swift'])],
      [('bool', [3])], options('NotEqual'), 3)
moved('words', 'HASHTABLE_LOOKUP', [('int32', [4, 1, 9]), ('int32', [1, 2, 4], True),
                                    ('string', WORDS[:3])],
      [('string', [3]), ('uint8', [3])])


def result(interpreter, detail):
    """An output's shape and bytes."""
    if 0 in detail['shape']:
        return [int(e) for e in detail['shape']], content(np.zeros(0, detail['dtype']), 'int64')
    array = interpreter.get_tensor(detail['index'])
    dtype = 'string' if array.dtype.kind in 'OS' else array.dtype.name
    return list(array.shape), content(array, dtype)


def run(label, op, main, oracle):
    model = main.model.bytes()
    resolver = {'BUILTIN': OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
                'BUILTIN_REF': OpResolverType.BUILTIN_REF}[oracle]
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for detail, (dtype, values) in zip(interpreter.get_input_details(), main.given):
        array = np.asarray(values, object if dtype == 'string' else dtype)
        interpreter.set_tensor(detail['index'], array)
    interpreter.invoke()
    inputs = [(dtype, list(shape(values, dtype)), content(values, dtype)) for dtype, values in main.given]
    outputs = []
    for index, detail in zip(main.graph.outputs, interpreter.get_output_details()):
        dtype = next(name for name, code in TYPES.items() if code == main.graph.tensors[index].type)
        outputs.append((dtype, *result(interpreter, detail)))
    entry = {'id': label, 'op': op, 'variant': 'edge', 'oracle': oracle, 'steps': 1,
             'inputs': listed(inputs), 'outputs': listed(outputs),
             'tolerance': [{'steps': 0}] * len(outputs), 'model': label + '.tflite'}
    print(label, [(o[1], o[2][:60]) for o in outputs])
    return entry, model, b''.join(i[2] for i in inputs), b''.join(o[2] for o in outputs)


def listed(tensors):
    entries, offset = [], 0
    for dtype, extents, bytes_ in tensors:
        entries.append({'dtype': dtype, 'shape': extents, 'offset': offset, 'nbytes': len(bytes_)})
        offset += len(bytes_)
    return entries


if __name__ == '__main__':
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, 'Operators')
    for archive, cases in CASES.items():
        rows = []
        for label, *case_ in cases:
            try:
                rows.append(run(label, *case_))
            except Exception as error:
                print('REFUSED', label, str(error).replace('\n', ' ')[:200])
        write_operator(folder, archive, rows)
