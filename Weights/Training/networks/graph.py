"""Computes a Keras model with PyTorch, for training.

The networks are defined in Keras, which exports them. PyTorch computes the training steps in two thirds of
TensorFlow's time, with convolutions in bfloat16 if the processor supports it, or on a GPU. Convolution kernels are
stored as matrices, [channels, numbers of a kernel], as the optimizer needs them (train/loop.py). In float32 the
outputs equal Keras's up to rounding.
"""

import math

import keras
import numpy as np
import torch
import torch.nn.functional as F
from keras import layers

USES_BFLOAT16 = torch.cpu._is_avx512_bf16_supported()


class Graph:
    """`graph(images)`: the model's outputs in training mode for bytes [n, H, W, 3], a tensor of `device`. The outputs
    are float32, with channels last. `tensors`: the model's variables as PyTorch tensors, in Keras's order."""

    def __init__(self, model, device="cpu"):
        self._model, self._device = model, torch.device(device)
        self.kernels, self.others, self.vectors = [], [], []  # trainable
        self._tensors, self._layouts = {}, {}
        for layer in model.layers:
            for variable in layer.variables:
                self._keep(layer, variable)
        self.tensors = [self._tensors[id(variable)] for variable in model.variables]

    def _keep(self, layer, variable):
        self._layouts[id(variable)] = layout = _layout(layer, variable)
        tensor = torch.tensor(layout.inward(variable.numpy()), device=self._device)
        self._tensors[id(variable)] = tensor
        if variable.trainable:
            tensor.requires_grad_()
            matrix = isinstance(layout, _Kernel) and not layer.use_bias
            kind = self.kernels if matrix else self.others if tensor.ndim > 1 else self.vectors
            kind.append(tensor)

    def outward(self, tensors):
        """Converts tensors like `tensors` to Keras's arrays."""
        return [self._layouts[id(variable)].outward(tensor.detach().cpu().numpy())
                for variable, tensor in zip(self._model.variables, tensors, strict=True)]

    def inward(self, arrays):
        """Converts Keras's arrays to tensors like `tensors`."""
        return [torch.tensor(self._layouts[id(variable)].inward(np.asarray(array)))
                for variable, array in zip(self._model.variables, arrays, strict=True)]

    def __call__(self, images, training=True):
        return self._outputs(images, self.tensors, training)

    def evaluated(self, images, tensors):
        """The model's outputs in evaluation mode with these tensors for its variables."""
        with torch.no_grad():
            return self._outputs(images, tensors, False)

    def _outputs(self, images, tensors, training):
        pixels = images.permute(0, 3, 1, 2).float() / 255
        values = {id(variable): tensor for variable, tensor in zip(self._model.variables, tensors, strict=True)}
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda" or USES_BFLOAT16):
            outputs = self._model._run_through_graph(
                pixels, lambda operation: self._computed(operation, values, training))
        return keras.tree.map_structure(_channels_last, outputs)

    def _computed(self, operation, tensors, training):
        compute = COMPUTED[type(operation)]
        values = [tensors[id(variable)] for variable in getattr(operation, "variables", [])]
        if isinstance(operation, (layers.BatchNormalization, layers.Dropout)):
            return lambda inputs, **_: compute(operation, inputs, *values, training=training)
        return lambda inputs, **_: compute(operation, inputs, *values)


def _channels_last(out):
    """In float32, maps with channels last, as in Keras."""
    return (out.permute(0, 2, 3, 1) if out.ndim == 4 else out).float()


class _Kernel:
    """Keras's [h, w, in, out] as [out, h w in]."""

    def __init__(self, shape):
        self.shape = shape

    def inward(self, array):
        return np.ascontiguousarray(array.transpose(3, 0, 1, 2)).reshape(self.shape[3], -1)

    def outward(self, array):
        h, w, channels, out = self.shape
        return np.ascontiguousarray(array.reshape(out, h, w, channels).transpose(1, 2, 3, 0))


class _Transposed:
    """A depthwise kernel [h, w, channels, 1] as [channels, 1, h, w], a dense one [in, out] as [out, in],
    a vector unchanged."""

    def __init__(self, order):
        self.order = order

    def inward(self, array):
        return np.ascontiguousarray(array.transpose(self.order))

    def outward(self, array):
        return np.ascontiguousarray(array.transpose(np.argsort(self.order)))


def _layout(layer, variable):
    if len(variable.shape) == 4:
        depthwise = isinstance(layer, layers.DepthwiseConv2D)
        return _Transposed((2, 3, 0, 1)) if depthwise else _Kernel(variable.shape)
    return _Transposed(range(len(variable.shape))[::-1])


def _padded(x, kernel, stride):
    """Pads maps with zeros as SAME convolutions do: one more at the end if the number is odd."""
    sides = []
    for length in (x.shape[3], x.shape[2]):
        zeros = max((math.ceil(length / stride) - 1) * stride + kernel - length, 0)
        sides += [zeros // 2, zeros - zeros // 2]
    return F.pad(x, sides) if any(sides) else x


def _convolution(layer, x, kernel, bias=None):
    (height, width), stride = layer.kernel_size, layer.strides[0]
    kernel = kernel.view(len(kernel), height, width, -1).permute(0, 3, 1, 2)
    if stride == 1:
        return F.conv2d(x, kernel, bias, padding=(height // 2, width // 2))
    return F.conv2d(_padded(x, height, stride), kernel, bias, stride)


def _depthwise(layer, x, kernel):
    size, stride, groups = layer.kernel_size[0], layer.strides[0], len(kernel)
    x, padding = (x, size // 2) if stride == 1 else (_padded(x, size, stride), 0)
    if x.is_cuda:  # with channels last, cuDNN would compile kernels for a minute
        result = F.conv2d(x.contiguous(), kernel, None, stride, padding, groups=groups)
        return result.contiguous(memory_format=torch.channels_last)
    if stride == 1:
        return F.conv2d(x, kernel, None, stride, padding, groups=groups)
    with torch.autocast("cpu", enabled=False):  # its gradient is twenty times slower in bfloat16
        return F.conv2d(x.float(), kernel, None, stride, groups=groups).to(x.dtype)


def _normalized(layer, x, scale, shift, mean, variance, training):
    return F.batch_norm(x, mean, variance, scale, shift, training, 1 - layer.momentum, layer.epsilon)


def _dropped(layer, x, *_, training):
    return F.dropout(x, layer.rate, training)


# By the type of a layer: its outputs for inputs and variables.
COMPUTED = {
    layers.InputLayer: lambda layer, x: x,
    layers.Conv2D: _convolution,
    layers.DepthwiseConv2D: _depthwise,
    layers.BatchNormalization: _normalized,
    layers.ReLU: lambda layer, x: F.hardtanh(x, 0.0, float(layer.max_value)),
    layers.Add: lambda layer, maps: sum(maps[1:], maps[0]),
    layers.UpSampling2D: lambda layer, x: F.interpolate(x, scale_factor=layer.size[0], mode="nearest"),
    layers.GlobalAveragePooling2D: lambda layer, x: x.mean((2, 3)),
    layers.Flatten: lambda layer, x: x.permute(0, 2, 3, 1).flatten(1),
    layers.Dropout: _dropped,
    layers.Dense: lambda layer, x, kernel, bias: F.linear(x, kernel, bias),
}
