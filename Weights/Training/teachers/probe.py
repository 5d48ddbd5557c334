"""The classifier's targets, from its teachers' answers.

Its features learn the first 256 principal components of EfficientNet-Lite0's features. Each is divided by the
square root of its standard deviation, so that large ones count most, but not alone. Its categories learn the
output of a linear layer on all three teachers, which is fitted to the labeled crops.
"""

from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from data.answers import ANSWER, FEATURES, TOP
from networks.object_networks import COMPONENTS

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
        inputs, labels = torch.from_numpy(inputs), torch.from_numpy(labels)
        share = torch.from_numpy((probabilities / probabilities.sum()).astype(np.float32))
        weight, bias = [torch.tensor(array, requires_grad=True) for array in (self.weight, self.bias)]
        optimizer = torch.optim.Adam([weight, bias], 0.02, eps=1e-7)
        for i in range(steps):
            optimizer.param_groups[0]["lr"] = 0.02 * (1 - i / steps)
            entropy = F.cross_entropy(inputs @ weight + bias, labels, reduction="none")
            loss = (share * entropy).sum() + decay * (weight**2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        self.weight, self.bias = weight.detach().numpy(), bias.detach().numpy()
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
    """A probe of the answers about the first list. Its components are those of the probe `like`, if given."""
    first = [i for i, crop in enumerate(crops.crops) if crop.place[0] == 0]
    answers = np.array([crops.answer(i) for i in first], ANSWER)
    known = answers, crops.labels[first], crops.probabilities(0.5)[first]
    return Probe.with_layer(like.mean, like.components, *known) if like else Probe.fitted(*known)


class CropTargets:
    """The targets of all crops, which are computed from the teachers' answers and cached: training needs no answers.
    `stages`: the crops of each stage of a run; `like`: the probe of the run that it continues, if any, for its
    components."""

    def __init__(self, stages, cache, like=None):
        path = Path(cache) / "crop_targets.npz"
        if not path.exists():
            _write_targets(path, stages, like)
        arrays = np.load(path)
        self.probe = Probe([arrays[f"probe{i}"] for i in range(4)])
        self._components, self._categories, self._names = [arrays[name] for name in ("components", "categories", "names")]
        self._starts = arrays["starts"]

    def __call__(self, stage, places):
        """Probabilities of the categories [n, 6], components of the features [n, 256], and the labeler's best labels and
        their probabilities in 1/256, [n, 2, 20]."""
        rows = [self._starts[index] + number for index, number in places]
        return (self._categories[stage, rows].astype(np.float32), self._components[rows].astype(np.float32),
                self._names[rows].astype(np.int32))


def _write_targets(path, stages, like):
    first = fitted_probe(stages[0], like)
    probes = [first, *[fitted_probe(crops, like=first) for crops in stages[1:]]]
    crops = stages[-1]  # of all sources
    starts = np.cumsum([0, *crops.counts[:-1]])
    components = np.zeros((sum(crops.counts), COMPONENTS), np.int8)
    categories = np.zeros((len(probes), len(components), 6), np.float16)
    names = np.zeros((len(components), 2, TOP), np.uint16)
    for some in np.array_split(np.arange(len(crops.crops)), len(crops.crops) // 5000 + 1):
        rows = [starts[index] + number for index, number in [crops.crops[i].place for i in some]]
        answers = np.array([crops.answer(i) for i in some], ANSWER)
        target = first.target(answers)
        components[rows] = np.rint(127 * target / np.abs(target).max(1, keepdims=True))
        names[rows] = answers["named"][:, 2:]
        for stage, probe in enumerate(probes):
            categories[stage, rows] = probe.categories(answers)
    kept = {f"probe{i}": array for i, array in enumerate(first.arrays)}
    np.savez(path, components=components, categories=categories, names=names, starts=starts, **kept)
