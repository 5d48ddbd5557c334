"""The networks of objects: localizer and classifier.

Both use one backbone. Down to stride 16 it has a stem and six fused blocks: a dense 3x3 and a 1x1
convolution, which train 2.6 times faster on a CPU than depthwise blocks. Below are inverted residual
blocks (MobileNetV2). Pixels are 0...1, so the exported network takes bytes unchanged.
"""

import keras
import numpy as np
from keras import layers

COMPONENTS = 256  # of Lite0's features, see teachers/probe.py

# expansion, channels, repetitions, stride of the first, fused
BLOCKS = [(2, 24, 1, 2, True), (4, 32, 2, 2, True), (3, 64, 3, 2, True), (5, 144, 4, 2, False)]
STEM = 24
NANO_WIDTH, NANO_SIZE = 0.4, 128  # of the networks for microcontrollers, and their input in pixels


def convolution(x, channels, kernel=1, stride=1, activation=True):
    x = layers.Conv2D(channels, kernel, stride, "same", use_bias=False)(x)
    return _normalize(x, activation)


def depthwise(x, kernel=3, stride=1, activation=True):
    x = layers.DepthwiseConv2D(kernel, stride, "same", use_bias=False)(x)
    return _normalize(x, activation)


def _normalize(x, activation):
    x = layers.BatchNormalization(momentum=0.98, epsilon=1e-4)(x)
    return layers.ReLU(6.0)(x) if activation else x


def _block(x, expansion, channels, stride, fused):
    y = x
    wide = x.shape[-1] * expansion
    if fused:
        y = convolution(y, wide, 3, stride)
    else:
        y = convolution(y, wide)
        y = depthwise(y, 3, stride)
    y = convolution(y, channels, activation=False)
    return layers.Add()([x, y]) if stride == 1 and x.shape[-1] == channels else y


def scaled(channels, width):
    """A share `width` of the channels, a multiple of eight."""
    return 8 * round(width * channels / 8)


def backbone(image, width=1.0, stem=STEM, blocks=BLOCKS):
    """The last feature map at each stride: {8: ..., 16: ..., 32: ...}. `width`: the channels of all layers, as a
    share of those of `stem` and `blocks`, the shipped object networks' by default."""
    x, stride, taps = convolution(image, scaled(stem, width), 3, 2), 2, {}
    for expansion, channels, repetitions, first, fused in blocks:
        for i in range(repetitions):
            x = _block(x, expansion, scaled(channels, width), first if i == 0 else 1, fused)
        stride *= first
        taps[stride] = x
    return taps


def classifier(size, features=640, width=1.0):
    """Outputs: logits of six categories; the projection of EfficientNet-Lite0's features (teachers/probe.py)
    and logits of the labeler's 631 labels, which are dropped at export. `width` as of `backbone`."""
    image = keras.Input((size, size, 3))
    x = convolution(backbone(image, width)[32], scaled(features, width))
    x = layers.GlobalAveragePooling2D()(x)
    dropped = layers.Dropout(0.1, seed=1)(x)
    rare = keras.initializers.Constant(-5.0)
    return keras.Model(image, {
        "category": layers.Dense(6, name="category")(dropped),
        "lite0": layers.Dense(COMPONENTS, name="lite0")(x),
        "labeler": layers.Dense(631, name="labeler", bias_initializer=rare)(x),
    })


def doubled(x):
    """Upsamples by two. With a known size it is one operator in the exported file."""
    if x.shape[1] is None:
        return layers.UpSampling2D(2)(x)
    return keras.ops.image.resize(x, (2 * x.shape[1], 2 * x.shape[2]), interpolation="nearest")


def localizer(size, levels, width=1.0, features=96):
    """Two outputs per level: logits [cells, cells, 2] of an object and of the most prominent one, and
    logarithms of the distances to the box's sides, in cells [cells, cells, 4]. `size` None: any size, for
    training. `levels`: cells along a side, of strides 8, 16, 32 and 64, and the initial side of the boxes.
    `width` as of `backbone`."""
    image = keras.Input((size, size, 3))
    taps, features = backbone(image, width), scaled(features, width)

    def separable(x, kernel=3, stride=1):
        return convolution(depthwise(x, kernel, stride), features)

    def refined(x, kernel=3):
        return layers.Add()([x, separable(x, kernel)])

    def joined(coarse, fine):
        coarse = doubled(convolution(coarse, features, activation=False))
        return layers.ReLU(6.0)(layers.Add()([coarse, convolution(fine, features, activation=False)]))

    x = refined(convolution(taps[32], features), 5)
    coarsest = refined(separable(x, stride=2))
    x = layers.Add()([x, doubled(coarsest)])
    middle = refined(joined(x, taps[16]), 5)
    fine = refined(joined(middle, taps[8]), 3)
    middle = refined(layers.Add()([middle, separable(fine, stride=2)]))
    x = refined(layers.Add()([x, separable(middle, stride=2)]))

    outputs = []
    for level, (_, side) in zip([fine, middle, x, coarsest], levels, strict=True):
        rare = keras.initializers.Constant(-4.0)
        outputs.append(layers.Conv2D(2, 1, bias_initializer=rare)(depthwise(level)))
        boxes = layers.Conv2D(4, 1, bias_initializer=keras.initializers.Constant(np.log(side / 2)))
        outputs.append(boxes(depthwise(level)))
    return keras.Model(image, outputs)


def multiply_adds(model):
    """Multiplications of all convolutions and dense layers for one image."""
    total = 0
    for layer in model.layers:
        if isinstance(layer, layers.DepthwiseConv2D):
            _, height, width, channels = layer.output.shape
            total += height * width * channels * layer.kernel_size[0] ** 2
        elif isinstance(layer, layers.Conv2D):
            _, height, width, channels = layer.output.shape
            total += height * width * channels * layer.kernel.shape[2] * layer.kernel_size[0] ** 2
        elif isinstance(layer, layers.Dense):
            total += layer.kernel.shape[0] * layer.kernel.shape[1]
    return total


def copy_backbone(source, target):
    """Copies the leading layers of equal shape, which are the backbone's. Returns the number of arrays."""
    copied = 0
    for a, b in zip(source.layers, target.layers):
        if type(a) is not type(b) or [w.shape for w in a.weights] != [w.shape for w in b.weights]:
            break
        b.set_weights(a.get_weights())
        copied += len(a.weights)
    return copied
