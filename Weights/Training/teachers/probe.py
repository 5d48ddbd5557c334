"""The classifier's targets, from its teachers' answers.

Its features learn the first 256 principal components of EfficientNet-Lite0's features. Each is divided by the
square root of its standard deviation, so that large ones count most, but not alone. Its categories learn the
output of a linear layer on all three teachers, which is fitted to the labeled crops.
"""

import time

import numpy as np
import tensorflow as tf

from networks.object_networks import COMPONENTS
from teachers.answers import ANSWER
from teachers.lite0 import FEATURES

NAMES = 1001 + 631
MIN_PROBABILITY = 1 / 512


class Probe:
    """`arrays`: the features' mean, [1280]; the components, [1280, 256]; the layer, [2912, 6] and [6]."""

    def __init__(self, arrays):
        self.arrays = arrays
        self.mean, self.components, self.weight, self.bias = arrays

    @classmethod
    def fitted(cls, answers, labels, probabilities):
        """`answers` [n] of `teachers.ANSWER`, `labels` [n], -1 for none. Labeled crops are weighted by their
        probabilities."""
        features = answers["features"].astype(np.float32)
        mean = features.mean(0)
        variance, directions = np.linalg.eigh(np.cov(features.T))
        best = np.argsort(-variance)[:COMPONENTS]
        components = (directions[:, best] / variance[best] ** 0.25).astype(np.float32)
        return cls.with_layer(mean, components, answers, labels, probabilities)

    @classmethod
    def with_layer(cls, mean, components, answers, labels, probabilities, decay=6e-3, steps=250):
        """A probe with these components, and a layer fitted to the answers."""
        zeros = np.zeros((FEATURES + NAMES, 6), np.float32), np.zeros(6, np.float32)
        probe, known = cls([mean, components, *zeros]), labels >= 0
        probe._fit(probe._inputs(answers[known]), labels[known], probabilities[known], decay, steps)
        return probe

    def _fit(self, inputs, labels, probabilities, decay, steps):
        inputs, truth = tf.constant(inputs), tf.one_hot(labels, 6)
        share = tf.constant(probabilities / probabilities.sum(), tf.float32)
        variables = weight, bias = tf.Variable(self.weight), tf.Variable(self.bias)
        optimizer = tf.keras.optimizers.Adam(0.02)
        optimizer.build(variables)

        @tf.function
        def step():
            with tf.GradientTape() as tape:
                entropy = tf.nn.softmax_cross_entropy_with_logits(truth, inputs @ weight + bias)
                loss = tf.reduce_sum(share * entropy) + decay * tf.reduce_sum(weight**2)
            optimizer.apply(tape.gradient(loss, variables), variables)

        for i in range(steps):
            optimizer.learning_rate.assign(0.02 * (1 - i / steps))
            step()
        self.weight, self.bias = weight.numpy(), bias.numpy()
        self.arrays[2:] = [self.weight, self.bias]

    def target(self, answers):
        """The target of the features, [n, 256]."""
        return (answers["features"].astype(np.float32) - self.mean) @ self.components

    def categories(self, answers):
        """The target probabilities of the categories, [n, 6]."""
        probabilities = self._inputs(answers) @ self.weight + self.bias
        probabilities = np.exp(probabilities - probabilities.max(1, keepdims=True))
        return (probabilities / probabilities.sum(1, keepdims=True)).astype(np.float32)

    def _inputs(self, answers):
        named = answers["named"]
        names = np.zeros((len(named), NAMES), np.float32)
        rows = np.arange(len(named))[:, None]
        log_scores = np.log(named[:, 1::2] / np.float32(256) + MIN_PROBABILITY) - np.log(np.float32(MIN_PROBABILITY))
        names[rows, named[:, 0]] = log_scores[:, 0] / 3
        names[rows, 1001 + named[:, 2]] = log_scores[:, 1] / 3
        return np.concatenate([answers["features"].astype(np.float32) - self.mean, names], 1)


def fitted_probe(crops, like=None):
    """A probe of the first list's answers, for which the teachers run now. Its components are those of the
    probe `like`, if given."""
    first = [i for i, crop in enumerate(crops.crops) if crop.place[0] == 0]
    started = time.time()
    answers = np.zeros(len(first), ANSWER)
    for n, i in enumerate(first):
        answers[n] = crops.answer(i)
        if n % 5000 == 0:
            print(f"answers about {n} of {len(first)} crops, {time.time() - started:.0f} s",
                  flush=True)
    known = answers, crops.labels[first], crops.probabilities(0.5)[first]
    return Probe.with_layer(like.mean, like.components, *known) if like else Probe.fitted(*known)
