"""The networks of objects: localizer and classifier.

Both use one kind of backbone. Down to stride 16 it has a stem and fused blocks: a dense 3x3 and a 1x1
convolution, which train 2.6 times faster on a CPU than depthwise blocks. Below are inverted residual
blocks (MobileNetV2). The localizer has more of both. Pixels are 0...1, so the exported network takes bytes
unchanged. Layers are named by their role, which is how weights get from one network to another.
"""

import keras
import numpy as np
from keras import layers

COMPONENTS = 256  # of Lite0's features, see teachers/probe.py

# expansion, channels, repetitions, stride of the first, fused
BLOCKS = [(2, 24, 1, 2, True), (4, 32, 2, 2, True), (3, 64, 3, 2, True), (5, 144, 4, 2, False)]
LOCALIZER_BLOCKS = [(2, 24, 1, 2, True), (4, 32, 2, 2, True), (3, 64, 6, 2, True), (5, 144, 5, 2, False)]
STEM = 24
NANO_WIDTH, NANO_SIZE = 0.4, 128  # of the networks for microcontrollers, and their input in pixels


def convolution(x, channels, kernel=1, stride=1, activation=True, name=None):
    x = layers.Conv2D(channels, kernel, stride, "same", use_bias=False, name=name)(x)
    return _normalize(x, activation, name)


def depthwise(x, kernel=3, stride=1, activation=True, name=None):
    x = layers.DepthwiseConv2D(kernel, stride, "same", use_bias=False, name=name)(x)
    return _normalize(x, activation, name)


def _normalize(x, activation, name):
    x = layers.BatchNormalization(momentum=0.98, epsilon=1e-4, name=name and f"{name}_normalized")(x)
    return layers.ReLU(6.0)(x) if activation else x


def _block(x, expansion, channels, stride, fused, name):
    y = x
    wide = x.shape[-1] * expansion
    if fused:
        y = convolution(y, wide, 3, stride, name=f"{name}_wide")
    else:
        y = convolution(y, wide, name=f"{name}_wide")
        y = depthwise(y, 3, stride, name=f"{name}_depthwise")
    y = convolution(y, channels, activation=False, name=f"{name}_narrow")
    return layers.Add()([x, y]) if stride == 1 and x.shape[-1] == channels else y


def scaled(channels, width):
    """A share `width` of the channels, a multiple of eight."""
    return 8 * round(width * channels / 8)


def backbone(image, width=1.0, stem=STEM, blocks=BLOCKS):
    """The last feature map at each stride: {8: ..., 16: ..., 32: ...}. `width`: the channels of all layers, as a
    share of those of `stem` and `blocks`, the shipped object networks' by default."""
    x, stride, taps = convolution(image, scaled(stem, width), 3, 2, name="stem"), 2, {}
    for expansion, channels, repetitions, first, fused in blocks:
        for i in range(repetitions):
            name = f"block{stride * first}_{i}"
            x = _block(x, expansion, scaled(channels, width), first if i == 0 else 1, fused, name)
        stride *= first
        taps[stride] = x
    return taps


def classifier(size, features=640, width=1.0):
    """Outputs: logits of six categories; the projection of EfficientNet-Lite0's features (teachers/probe.py)
    and logits of the labeler's 631 labels, which are dropped at export. `width` as of `backbone`."""
    image = keras.Input((size, size, 3))
    x = convolution(backbone(image, width)[32], scaled(features, width), name="features")
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
    """Two outputs per level: logits [rows, columns, 2] of an object and of the most prominent one, and logarithms
    of the distances to the box's sides, in cells [rows, columns, 4]. `size`: width and height of the image; None:
    any size, for training. `levels`: of strides 8, 16, 32 and 64, with the initial side of the boxes. `width` as of
    `backbone`; a narrower network also has the classifier's blocks and one round of the neck."""
    columns, rows = size or (None, None)
    image = keras.Input((rows, columns, 3))
    blocks, rounds = (LOCALIZER_BLOCKS, 2) if width == 1 else (BLOCKS, 1)
    taps, features = backbone(image, width, blocks=blocks), scaled(features, width)

    def separable(x, name, kernel=3, stride=1):
        return convolution(depthwise(x, kernel, stride, name=f"{name}_depthwise"), features, name=name)

    def refined(x, name, kernel=3):
        return layers.Add()([x, separable(x, name, kernel)])

    def projected(x, name):
        return convolution(x, features, activation=False, name=name)

    def joined(coarse, fine, name):
        coarse = doubled(projected(coarse, f"{name}_coarse"))
        return layers.ReLU(6.0)(layers.Add()([coarse, projected(fine, f"{name}_fine")]))

    x = refined(convolution(taps[32], features, name="coarse"), "coarse_refined", 5)
    coarsest = refined(separable(x, "coarsest", stride=2), "coarsest_refined")
    x = layers.Add()([x, doubled(coarsest)])
    middle = refined(joined(x, taps[16], "middle"), "middle_refined", 5)
    fine = refined(joined(middle, taps[8], "fine"), "fine_refined")
    middle = refined(layers.Add()([middle, separable(fine, "middle_down", stride=2)]), "middle_down_refined")
    x = refined(layers.Add()([x, separable(middle, "coarse_down", stride=2)]), "coarse_down_refined")
    for i in range(1, rounds):
        coarsest = layers.Add()([coarsest, separable(x, f"coarsest_{i}", stride=2)])
        x = refined(layers.Add()([x, doubled(projected(coarsest, f"coarse_{i}"))]), f"coarse_{i}_refined", 5)
        middle = refined(layers.Add()([middle, doubled(projected(x, f"middle_{i}"))]), f"middle_{i}_refined", 5)
        fine = layers.Add()([fine, doubled(projected(middle, f"fine_{i}"))])
        fine = refined(fine, f"fine_{i}_refined", 5)
        middle = layers.Add()([middle, separable(fine, f"middle_{i}_down", stride=2)])
        middle = refined(middle, f"middle_{i}_down_refined")
        x = layers.Add()([x, separable(middle, f"coarse_{i}_down", stride=2)])
        x = refined(x, f"coarse_{i}_down_refined")
        coarsest = layers.Add()([coarsest, separable(x, f"coarsest_{i}_down", stride=2)])
        coarsest = refined(coarsest, f"coarsest_{i}_down_refined")

    outputs = []
    for number, (level, (_, side)) in enumerate(zip([fine, middle, x, coarsest], levels, strict=True)):
        rare = keras.initializers.Constant(-4.0)
        outputs.append(layers.Conv2D(2, 1, bias_initializer=rare, name=f"objects_{number}")(
            depthwise(level, name=f"objects_{number}_depthwise")))
        start = keras.initializers.Constant(np.log(side / 2))
        outputs.append(layers.Conv2D(4, 1, bias_initializer=start, name=f"boxes_{number}")(
            depthwise(level, name=f"boxes_{number}_depthwise")))
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


def copy_layers(source, target):
    """Copies the layers of equal name and shape. Returns the number of arrays."""
    known = {layer.name: layer for layer in source.layers if layer.weights}
    copied = 0
    for layer in target.layers:
        same = known.get(layer.name)
        if same and [w.shape for w in same.weights] == [w.shape for w in layer.weights]:
            layer.set_weights(same.get_weights())
            copied += len(layer.weights)
    return copied
