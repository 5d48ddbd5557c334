"""What the writers of operator cases share: a model's bytes, a case's files, and a folder's manifest.
"""

import json
import os

import flatbuffers

TYPES = {'float32': 0, 'float16': 1, 'int32': 2, 'uint8': 3, 'int64': 4, 'bool': 6, 'int16': 7,
         'int8': 9, 'float64': 10, 'uint64': 12, 'uint32': 15, 'uint16': 16, 'int4': 17, 'int2': 19}


def serialized(model):
    """The bytes of a model that is made of the schema's objects."""
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def write_case(folder, name, model, given, wanted):
    """Writes a model, its inputs and its outputs, as bytes."""
    os.makedirs(folder, exist_ok=True)
    for ending, content in [('tflite', model), ('in', given), ('out', wanted)]:
        with open(os.path.join(folder, f'{name}.{ending}'), 'wb') as file:
            file.write(content)


def write_manifest(folder, cases):
    """Writes the manifest of a folder, a line for each case."""
    lines = [json.dumps(case, separators=(',', ':')) for case in cases]
    with open(os.path.join(folder, 'manifest.json'), 'w') as file:
        file.write('{"cases":[\n' + ',\n'.join(lines) + '\n]}\n')
