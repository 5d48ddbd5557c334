"""Teaches a trained localizer that images without an object are empty. It keeps its other answers.

    python -m train.empties --data DATA --cache CACHE --init WORK/localizer/packed.npz --out WORK/localizer/emptied.npz

A third of the images are empty. The targets of the others are the answers of the network as it was, so their
gradients start at zero; with the loss of `train/localizer.py` the noise of small batches would move all weights. Batch
normalization keeps its statistics. Takes less than ten minutes of a core, and does not resume.
"""

import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F

from data import paste
from data.answers import ViewAnswers
from data.scenes import Scenes, named
from data.targets import LEVELS, SHAPES
from networks import object_networks
from networks.graph import Graph
from train import loop
from train.localizer import Samples

STEPS, BATCH, RATE, WARMUP = 500, 32, 1e-4, 20
EMPTY_SHARE = 0.33


def losses(outputs, before, is_empty):
    """Changed and moved objects in images with some, and objects in empty images, per image of each kind."""
    changed = moved = found = 0
    for new, old in zip(zip(outputs[0::2], outputs[1::2]), zip(before[0::2], before[1::2]), strict=True):
        (logits, boxes), (old_logits, old_boxes) = new, old
        kept, target = logits[~is_empty], old_logits[~is_empty]
        entropy = F.binary_cross_entropy_with_logits(kept, target.sigmoid(), reduction="sum")
        changed += entropy - F.binary_cross_entropy_with_logits(target, target.sigmoid(), reduction="sum")
        distances = (boxes - old_boxes)[~is_empty].abs().mean(-1)
        moved += (distances * target[..., 0].sigmoid()).sum()
        none = torch.zeros_like(logits[is_empty])
        found += F.binary_cross_entropy_with_logits(logits[is_empty], none, reduction="sum")
    count = max(int(is_empty.sum()), 1)
    others = max(len(is_empty) - count, 1)
    return changed / others, moved / others, found / count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--init", required=True, help="a packed run")
    parser.add_argument("--out", required=True, help="the file to write, packed")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="SOURCE", help="sources to leave out, or late")
    parser.set_defaults(workers=1, device="cpu")
    options = parser.parse_args()
    loop.use_threads(1)
    torch.manual_seed(1)

    scenes = Scenes(options.data, options.cache, options.leave_out)
    cut_outs = paste.cut_outs(options.data, options.cache, scenes.images, named(options.leave_out))
    answers = ViewAnswers(scenes.keys(), options.cache)
    samples = Samples(scenes, cut_outs, answers, BATCH, seed=78, empty_share=EMPTY_SHARE)
    model = object_networks.localizer(None, LEVELS)
    loop.load_weights(model, options.init)
    graph = Graph(model)
    before = [tensor.detach().clone() for tensor in graph.tensors]
    optimizer = torch.optim.Adam([*graph.kernels, *graph.others, *graph.vectors], betas=(0.9, 0.99))

    batches = loop.loaded(lambda step: samples.batch(step, SHAPES[step % len(SHAPES)]), range(STEPS), options)
    sums, started = np.zeros(3), time.time()
    for step, (images, truth) in enumerate(batches, 1):
        optimizer.param_groups[0]["lr"] = RATE * min(1, step / WARMUP) * (1 - step / (STEPS + 1))
        is_empty = (truth[:, :, 4] == 0).all(1)
        parts = losses(graph(images, training=False), graph.evaluated(images, before), is_empty)
        optimizer.zero_grad()
        sum(parts).backward()
        optimizer.step()
        sums += [float(part.detach()) for part in parts]
        if step % 50 == 0:
            changed, moved, found = sums / 50
            print(f"step {step}  {time.time() - started:.0f} s  changed {changed:.3f}  moved {moved:.3f}  "
                  f"found in empty images {found:.3f}", flush=True)
            sums[:] = 0
    progress, _, extra = loop.unpack(options.init)
    loop.pack(options.out, progress, graph.outward(graph.tensors), extra)


if __name__ == "__main__":
    main()
