"""Fits the layer that names objects to the shipped classifier's pooled features.

    python -m train.fine_labels --data DATA --cache CACHE --models MODELS --classifier ../classifier.tflite \
        --out checkpoints/fine-labels.npz

The targets of a crop are the names by two teachers (data/fine_labels.py), and 1 for an annotated one. The teachers'
answers come with the data, except those for the images of more/ and gathered/. A tenth of the annotated images is kept apart. A
scale and a shift of the logits are fitted to them, so that the confidence of the best name is the share of right ones.
"""

import argparse
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from data import augment
from data.answers import cached_array
from data.crops import Crop, named, part, to_pixels, validation_files
from data.fine_labels import FineLabels, named_images
from data.images import Images, box_rows, coarse_rows, gathered_rows, more_rows, stored_answers, stored_crops
from teachers.crops import Namers
from teachers.pooled import Pooled
from train import loop

APART = 0.1  # share of the annotated images
MIN_SIDE = 20  # of a crop, in pixels


def crops_of(data, images, left_out=()):
    """Crop and teachers' answer, or None, of the crops that come with the data, then of the images of more/ and
    gathered/."""
    excluded, left_out = validation_files(data), named(left_out)
    rows = {row["file"]: row for row in [*coarse_rows(data), *box_rows(data)]}
    listed = [(str(file), box, answer) for file, box, answer in zip(*stored_crops(data), stored_answers(data))]
    unanswered = [*more_rows(data), *gathered_rows(data)]
    listed += [(row["file"], np.zeros(4), None) for row in unanswered]
    rows |= {row["file"]: row for row in unanswered}
    for file, box, answer in listed:
        row = rows.get(file)
        if row is None or file not in images or file in excluded or row["source"] in left_out:
            continue
        height, width = images[file].shape[:2]
        cut = to_pixels(box, row, (height, width)) if box.any() else np.array([0, 0, width, height])
        if min(cut[2:]) >= MIN_SIDE:
            yield Crop(file, tuple(cut.tolist()), 0, "", row["source"]), answer


def gathered(data, cache, models, classifier, images):
    """All crops, their features and the teachers' answers, which are cached."""
    crops, answers = zip(*crops_of(data, images))
    namers, pooled = Namers(models), Pooled(classifier)
    features = np.empty((len(crops), 640), np.int8)
    kept = cached_array(Path(cache) / "names_answers.bin", np.uint16, (len(crops), 4, 20))
    for place, (crop, answer) in enumerate(zip(crops, answers)):
        pixels = part(images[crop.file], crop.box)
        if not kept[place].any():
            kept[place] = namers(augment.resize(pixels, namers.size)) if answer is None else answer
        features[place] = pooled(pixels)
        if place % 5000 == 0:
            print(f"{place} of {len(crops)} crops", flush=True)
    return crops, pooled.real(features), np.array(kept)


def is_apart(file):
    return zlib.crc32(file.encode()) % 1000 < 1000 * APART


def fitted(features, targets, probabilities, steps=4500, batch=256, peak=3e-3, decay=0.02):
    """Weights [640, names] and biases of a linear layer: AdamW on random batches, the rate falling to zero."""
    rng, cumulated = np.random.default_rng(0), probabilities.cumsum()
    mean = (probabilities @ targets / cumulated[-1]).clip(1e-4, 0.5)
    weight = torch.zeros((features.shape[1], targets.shape[1]), requires_grad=True)
    bias = torch.tensor(np.log(mean / (1 - mean)).astype(np.float32), requires_grad=True)
    optimizer = torch.optim.AdamW([{"params": [weight], "weight_decay": decay}, {"params": [bias], "weight_decay": 0.0}],
                                  peak, eps=1e-7, fused=True)
    for number in range(steps):
        chosen = np.searchsorted(cumulated, rng.random(batch) * cumulated[-1])
        for group in optimizer.param_groups:
            group["lr"] = peak * (1 - number / steps)
        logits = torch.from_numpy(features[chosen]) @ weight + bias
        wanted = torch.from_numpy(targets[chosen])
        loss = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none").sum(1).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 1500 == 0:
            print(f"step {number}  {loss.item():.3f}", flush=True)
    return weight.detach().numpy(), bias.detach().numpy()


def confidence_curve(logits, right):
    """Scale and shift of the best logits with which their logistic function is the probability of being right
    (`right` [n] of 0 and 1), by Newton's method."""
    inputs, weights = np.stack([logits, np.ones(len(logits))], 1), np.array([1.0, 0.0])
    for _ in range(20):
        predicted = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (predicted * (1 - predicted))[:, None]).T @ inputs + 1e-6 * np.eye(2)
        weights += np.linalg.solve(curvature, inputs.T @ (right - predicted))
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--classifier", required=True, help="the classifier whose features are read")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="SOURCE", help="as of train.classifier")
    options = parser.parse_args()
    loop.use_threads(1)

    images = Images(options.data, options.cache)
    crops, features, answers = gathered(options.data, options.cache, options.models, options.classifier, images)
    count = Counter(crop.source for crop in crops)
    left_out = named(options.leave_out)
    probabilities = np.array([0 if crop.source in left_out or is_apart(crop.file) else count[crop.source] ** -0.35
                              for crop in crops])
    labels = FineLabels()
    targets, names_of = labels.by_teachers(answers), labels.right()
    right = {row["file"]: names_of[key] for row, key in named_images(options.data)}
    whole = [place for place, crop in enumerate(crops)
             if crop.file in right and crop.box[2:] == images[crop.file].shape[1::-1]]
    for place in whole:
        names = right[crops[place].file]
        targets[place, names[targets[place, names].argmax()]] = 1
    weight, bias = fitted(features, targets, probabilities)

    apart = [place for place in whole if is_apart(crops[place].file) and crops[place].source not in left_out]
    logits = features[apart] @ weight + bias
    hits = [best in right[crops[place].file] for best, place in zip(logits.argmax(1), apart)]
    scale, shift = confidence_curve(logits.max(1), np.array(hits, float))
    print(f"{len(crops)} crops; of {len(hits)} kept apart {np.mean(hits):.3f} right; logits times {scale:.2f} {shift:+.2f}")
    np.savez_compressed(options.out, weight=(scale * weight).astype(np.float16),
                        bias=(scale * bias + shift).astype(np.float32))


if __name__ == "__main__":
    main()
