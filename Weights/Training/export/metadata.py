"""TFLite metadata: a FlatBuffer inside the model file, and a zip of label files after it.

The field numbers are those of metadata_schema.fbs of TFLite Support.
"""

import io
import struct
import zipfile

import flatbuffers
import numpy as np
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

FEATURE, IMAGE = 1, 2
NORMALIZATION, SCORE_THRESHOLDING = 1, 3
TENSOR_AXIS_LABELS = 2
RGB = 1


class _Writer:
    """Tables as lists of (field number, kind, value); children are written before parents."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1024)

    def text(self, value):
        return self.builder.CreateString(value)

    def floats(self, values):
        return self.builder.CreateNumpyVector(np.array(values, np.float32))

    def offsets(self, values):
        self.builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.builder.PrependUOffsetTRelative(value)
        return self.builder.EndVector()

    def table(self, count, offsets=(), bytes_=(), floats=()):
        self.builder.StartObject(count)
        for slot, value in offsets:
            self.builder.PrependUOffsetTRelativeSlot(slot, value, 0)
        for slot, value in floats:
            self.builder.PrependFloat32Slot(slot, value, 0.0)
        for slot, value in bytes_:
            self.builder.PrependInt8Slot(slot, value, 0)
        return self.builder.EndObject()


def metadata(name, description, version, license, input_, outputs, is_image=True):
    """The FlatBuffer. `input_` and each of `outputs` are dictionaries: name, description, and for outputs
    optionally `labels` (a file name) and `threshold`. `is_image`: whether the input is one."""
    w = _Writer()

    def unit(kind, options):
        return w.table(2, offsets=[(1, options)], bytes_=[(0, kind)])

    def content(kind, properties):
        return w.table(3, offsets=[(1, properties)], bytes_=[(0, kind)])

    def tensor(entry, properties, units, files):
        fields = [(0, w.text(entry["name"])), (1, w.text(entry["description"])), (3, properties)]
        if units:
            fields.append((4, w.offsets(units)))
        if files:
            fields.append((6, w.offsets(files)))
        return w.table(7, offsets=fields)

    if is_image:
        mean, std = w.floats([0.0]), w.floats([255.0])
        scaling = unit(NORMALIZATION, w.table(2, offsets=[(0, mean), (1, std)]))
        image = content(IMAGE, w.table(2, bytes_=[(0, RGB)]))
        inputs = [tensor(input_, image, [scaling], [])]
    else:
        inputs = [tensor(input_, content(FEATURE, w.table(0)), [], [])]

    described = []
    for entry in outputs:
        units, files = [], []
        if "threshold" in entry:
            options = w.table(1, floats=[(0, entry["threshold"])])
            units.append(unit(SCORE_THRESHOLDING, options))
        if "labels" in entry:
            label_name = w.text(entry["labels"])
            what = w.text("One label a line, in the order of the output's numbers.")
            files.append(w.table(5, offsets=[(0, label_name), (1, what)],
                                 bytes_=[(2, TENSOR_AXIS_LABELS)]))
        described.append(tensor(entry, content(FEATURE, w.table(0)), units, files))

    inputs, described = w.offsets(inputs), w.offsets(described)
    graph = w.table(10, offsets=[(2, inputs), (3, described)])
    graphs = w.offsets([graph])
    texts = [(0, w.text(name)), (1, w.text(description)), (2, w.text(version)),
             (4, w.text("Martlet")), (5, w.text(license)), (7, w.text("1.0.0"))]
    root = w.table(8, offsets=[*texts, (3, graphs)])
    w.builder.Finish(root, b"M001")
    return bytes(w.builder.Output())


def with_metadata(model, names, blob, files, is_image=True):
    """The model's bytes with its tensors named, its outputs ordered, metadata and files added.

    `names`: the outputs in order, each with its tensor's shape except the first dimension, which
    identifies the converter's outputs. `is_image`: whether the input is an image, and so named."""
    graph_model = flatbuffer_utils.convert_bytearray_to_object(bytearray(model))
    graph = graph_model.subgraphs[0]
    for tensor in graph.tensors:  # the converter lists all layers that it merged
        tensor.name = tensor.name.split(b";")[0]
    if is_image:
        graph.tensors[graph.inputs[0]].name = "image"
    ordered = []
    for name, shape in names:
        found = [t for t in graph.outputs if tuple(graph.tensors[t].shape[1:]) == tuple(shape)]
        assert len(found) == 1, (name, shape)
        graph.tensors[found[0]].name = name
        ordered.append(found[0])
    graph.outputs = np.array(ordered, np.int32)
    graph_model.signatureDefs = None

    buffer = schema.BufferT()
    buffer.data = np.frombuffer(blob, np.uint8)
    graph_model.buffers.append(buffer)
    entry = schema.MetadataT()
    entry.name, entry.buffer = "TFLITE_METADATA", len(graph_model.buffers) - 1
    graph_model.metadata = [entry] + [m for m in graph_model.metadata or []
                                      if m.name == b"min_runtime_version"]
    out = bytes(flatbuffer_utils.convert_object_to_bytearray(graph_model))
    return out + _stored_zip(files, len(out)) if files else out


def _stored_zip(files, start):
    """A zip of uncompressed entries whose offsets count from the start of the model file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), text)
    data = bytearray(out.getvalue())
    end = data.rindex(b"PK\x05\x06")
    directory, = struct.unpack_from("<I", data, end + 16)
    struct.pack_into("<I", data, end + 16, directory + start)
    at = directory
    while data[at : at + 4] == b"PK\x01\x02":
        name, extra, comment = struct.unpack_from("<3H", data, at + 28)
        offset, = struct.unpack_from("<I", data, at + 42)
        struct.pack_into("<I", data, at + 42, offset + start)
        at += 46 + name + extra + comment
    return bytes(data)
