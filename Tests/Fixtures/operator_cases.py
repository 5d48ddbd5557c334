"""Shared by the writers of operator cases: the bytes of a model, and the archive of an operator's cases."""

import io
import json
import os
import tarfile

import flatbuffers

TYPES = {'float32': 0, 'float16': 1, 'int32': 2, 'uint8': 3, 'int64': 4, 'string': 5,
         'bool': 6, 'int16': 7, 'complex64': 8, 'int8': 9, 'float64': 10, 'uint64': 12,
         'resource': 13, 'uint32': 15, 'uint16': 16, 'int4': 17, 'int2': 19}


def serialized(model):
    """Serializes a model of the schema's objects."""
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b'TFL3')
    return bytes(builder.Output())


def write_operator(folder, name, cases):
    """Packs an operator's cases into `name.tar`: a manifest with a line per case, and the files of each. A
    case is its entry in the manifest, then its model, inputs and outputs as bytes."""
    lines = [json.dumps(entry, separators=(',', ':')) for entry, *_ in cases]
    files = {'manifest.json': ('{"cases":[\n' + ',\n'.join(lines) + '\n]}\n').encode()}
    for entry, *contents in cases:
        for ending, content in zip(['tflite', 'in', 'out'], contents, strict=True):
            files[f'{entry["id"]}.{ending}'] = content
    write_archive(os.path.join(folder, name + '.tar'), files)


def write_archive(path, files):
    """Writes a ustar archive of files by name, reproducibly."""
    os.makedirs(os.path.dirname(path) or '.', exist_ok=True)
    with tarfile.open(path, 'w', format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
