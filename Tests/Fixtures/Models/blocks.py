#!/usr/bin/env python3
"""Writes blocks_f32.tflite and blocks_int8.tflite: the usual layers of vision networks, few and small,
with seeded weights. Needs TensorFlow 2.21 with tf_keras or Keras 3.

    blocks.py FOLDER
"""
import os
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = ""
import numpy
import tensorflow as tf

keras = tf.keras
layers = keras.layers


def network():
    """A network with one of each block, from an image of 64x64 pixels to five probabilities."""
    image = keras.Input((64, 64, 3), batch_size=1)
    x = layers.Conv2D(16, 3, strides=2, padding="same", use_bias=True)(image)
    x = layers.ReLU(6.0)(x)
    # Depthwise with 16, 8 and 24 channels, strides of 1 and 2, filters of 3 and 5.
    x = layers.DepthwiseConv2D(3, padding="same")(x)
    x = layers.Conv2D(8, 1)(x)
    left = x
    x = layers.DepthwiseConv2D(3, padding="same")(x)
    x = layers.PReLU(shared_axes=[1, 2])(layers.Add()([x, left]))
    x = layers.ReLU(6.0)(layers.Conv2D(48, 1)(x))
    x = layers.ReLU(6.0)(layers.DepthwiseConv2D(5, strides=2, padding="same")(x))
    x = layers.Conv2D(24, 1)(x)
    # Squeeze and excitation.
    gate = layers.GlobalAveragePooling2D(keepdims=True)(x)
    gate = layers.ReLU()(layers.Conv2D(8, 1)(gate))
    gate = layers.Activation("sigmoid")(layers.Conv2D(24, 1)(gate))
    x = layers.Multiply()([x, gate])
    x = layers.DepthwiseConv2D(3, padding="same")(x)
    x = layers.Activation(lambda v: v * tf.nn.relu6(v + 3) / 6)(x)
    # Downsampling, and upsampling with a skip connection.
    down = layers.MaxPooling2D(2)(x)
    down = layers.ReLU()(layers.Conv2D(64, 3, padding="same")(down))
    up = layers.Conv2DTranspose(24, 2, strides=2)(down)
    wide = layers.UpSampling2D(2, interpolation="bilinear")(down)
    x = layers.Concatenate()([up, wide, x])
    x = layers.AveragePooling2D(2)(x)
    x = layers.ReLU()(layers.Conv2D(128, 1)(x))
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(image, layers.Softmax()(layers.Dense(5)(x)))


def main():
    folder = sys.argv[1]
    keras.utils.set_random_seed(7)
    model = network()
    random = numpy.random.default_rng(7)
    for layer in model.layers:
        layer.set_weights([
            random.normal(0, 1 / max(1, numpy.sqrt(w.size / w.shape[-1])), w.shape)
            for w in layer.get_weights()])
    for name in ("f32", "int8"):
        converter = tf.lite.TFLiteConverter.from_keras_model(model)
        if name == "int8":
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.representative_dataset = lambda: (
                [random.uniform(-1, 1, (1, 64, 64, 3)).astype("float32")] for _ in range(16))
            converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
            converter.inference_input_type = converter.inference_output_type = tf.int8
        with open(os.path.join(folder, f"blocks_{name}.tflite"), "wb") as file:
            file.write(converter.convert())


if __name__ == "__main__":
    main()
