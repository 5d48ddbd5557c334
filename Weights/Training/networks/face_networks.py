"""The networks of faces: detector, mesh, expression.

Like the localizer and the classifier they take pixels as 0...1. Where maps are small enough, they use
dense 3x3 convolutions, which train two to three times faster than depthwise ones of equal
multiply-adds. The detector's maps are large and thin, so its blocks are depthwise.
"""

import keras
from keras import layers

from networks.object_networks import backbone, convolution, depthwise, doubled

# Detector: strides of the three levels, and the typical face size of each in pixels.
LEVELS = {8: 28.0, 16: 64.0, 32: 150.0}
FAST, ACCURATE = 192, 320
DETECTOR_STAGES = [(48, 2, 3), (80, 3, 3), (112, 2, 5)]  # channels, residual blocks, their kernel
WIDTH = 48  # of the maps that the levels are read from

# Mesh
MESH = 128
MESH_BLOCKS = [(2, 24, 1, 2, True), (3, 32, 2, 2, True), (3, 64, 3, 2, True), (4, 112, 3, 2, False)]
MESH_SHAPES = 160  # shape coefficients
UNIT = 1 / 16  # of the mesh network's outputs in training, in sides of the crop; keeps steps small

# Expression
EYE, SMILE = 32, 48


def detector(size):
    """`size` None: any size, for training. Two outputs per level: logits of a face [cells, cells, 1], and
    [cells, cells, 16] of its box and six key points, in sizes of the level: center x, y from the cell's
    center, logarithms of width and height, then x, y of each point from the cell's center."""
    image = keras.Input((size, size, 3))
    x = convolution(image, 16, 3, 2)
    x = _separable(x, 24, stride=2)
    taps = []
    for channels, blocks, kernel in DETECTOR_STAGES:
        x = _separable(x, channels, stride=2)
        for _ in range(blocks):
            x = _residual(x, kernel)
        taps.append(x)

    finer = convolution(taps[2], WIDTH)
    maps = [finer]
    for tap in taps[1::-1]:
        finer = layers.ReLU(6.0)(layers.Add()([doubled(finer), convolution(tap, WIDTH, activation=False)]))
        finer = _separable(finer, WIDTH)
        maps.insert(0, finer)

    outputs = []
    for x in maps:
        x = _separable(x, WIDTH)
        rare = keras.initializers.Constant(-4.0)
        outputs.append(layers.Conv2D(1, 1, bias_initializer=rare)(x))
        outputs.append(layers.Conv2D(16, 1)(x))
    return keras.Model(image, outputs)


def _separable(x, channels, kernel=3, stride=1):
    return convolution(depthwise(x, kernel, stride), channels)


def _residual(x, kernel=3):
    y = convolution(depthwise(x, kernel), x.shape[-1], activation=False)
    return layers.ReLU(6.0)(layers.Add()([x, y]))


def mesh():
    """Outputs: x, y of 468 points [936] and their z [468], in units of the crop, as offsets from the
    reference face; logit of a face [1]."""
    image = keras.Input((MESH, MESH, 3))
    x = backbone(image, stem=16, blocks=MESH_BLOCKS)[32]
    x = convolution(x, 256)
    present = layers.Dense(1, name="present")(layers.GlobalAveragePooling2D()(x))
    x = layers.Flatten()(convolution(x, 48))
    x = layers.Dense(MESH_SHAPES, name="shapes")(x)
    return keras.Model(image, [layers.Dense(936, name="points")(x), layers.Dense(468, name="depths")(x),
                               present])


def expression(size, channels=16):
    """The logit [1] of an open eye, or of a smile, in a crop of `size`."""
    image = keras.Input((size, size, 3))
    x = convolution(image, channels, 3, 2)
    x = convolution(x, 2 * channels, 3, 2)
    x = convolution(x, 3 * channels, 3, 2)
    x = convolution(x, 4 * channels, 3, 1)
    x = layers.GlobalAveragePooling2D()(convolution(x, 64))
    return keras.Model(image, layers.Dense(1)(layers.Dropout(0.2, seed=1)(x)))
