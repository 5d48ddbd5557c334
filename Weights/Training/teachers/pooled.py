"""The shipped classifier's pooled features.

They are the output of its only MEAN operator: 640 bytes, which its last layer and the layer of names read.
"""

import numpy as np
from tensorflow.lite.python import schema_py_generated as schema
from tensorflow.lite.tools import flatbuffer_utils

from data import augment
from teachers.crops import Teacher


def pooled_tensor(model):
    """The index of the features in the model's first subgraph."""
    codes = [max(code.builtinCode, code.deprecatedBuiltinCode) for code in model.operatorCodes]
    [operator] = [o for o in model.subgraphs[0].operators if codes[o.opcodeIndex] == schema.BuiltinOperator.MEAN]
    return int(operator.outputs[0])


class Pooled:
    """`pooled(image)`: int8 [640]. `scale`, `zero_point`: how they become real numbers."""

    def __init__(self, path):
        model = flatbuffer_utils.read_model(str(path))
        model.subgraphs[0].outputs = [pooled_tensor(model)]
        model.signatureDefs = None
        self._network = Teacher(bytes(flatbuffer_utils.convert_object_to_bytearray(model)))
        self.scale, self.zero_point = self._network.outputs[0]["quantization"]

    def __call__(self, image):
        return self._network(augment.resize(image, self._network.size))[0]

    def real(self, features):
        return (features.astype(np.float32) - self.zero_point) * np.float32(self.scale)
