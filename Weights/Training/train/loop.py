"""The training loop: Muon, a moving average of the weights, checkpoints, a log.

PyTorch computes the networks (networks/graph.py), TensorFlow the losses and their gradients. A run writes
three files: weights.npz, the averaged weights; state.pt, the state for `--resume`; and packed.npz, the
averaged weights at half precision. The last is small enough to be kept with the recipe; `--init` continues from
it without the optimizers' state.
"""

import itertools
import queue
import signal
import threading
import time
from pathlib import Path

import cv2
import keras
import numpy as np
import tensorflow as tf
import torch

from networks.graph import Graph


def use_threads(count):
    """Sets the threads of PyTorch's operators. TensorFlow does little and gets one."""
    torch.set_num_threads(count)
    torch.set_flush_denormal(True)
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)


def options(parser, ends, batch, rate):
    """Adds the common options with these defaults, parses the command line, and seeds the random
    generators."""
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for decoded images and teachers' answers")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--ends", type=int, nargs="+", default=ends,
                        help="steps whose averaged weights are kept; the last is the end")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", help="a packed run to continue; for the localizer also a classifier's, "
                        "for its backbone")
    parser.add_argument("--resume", action="store_true", help="continue from RUN/state.pt")
    parser.add_argument("--threads", type=int, default=1, help="threads of each operator")
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    cv2.setRNGSeed(arguments.seed)
    keras.utils.set_random_seed(arguments.seed)
    torch.manual_seed(arguments.seed)
    return arguments


WARMUP = 300  # steps in which the learning rate rises to its peak
DECAY = 0.3  # factor on the learning rate after the step `fall`


def chained(first, second, count):
    """`count` batches of `first`, then those of `then`."""
    return itertools.chain(itertools.islice(first, max(0, count)), second)


def prefetched(batches, depth=6):
    """Runs a generator in another thread, in the same order."""
    ready = queue.Queue(depth)

    def fill():
        for batch in batches:
            ready.put(batch)

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield ready.get()


class Trainer:
    """Trains `model` on batches of arrays, the first of them images, with
    `loss(model, *arrays) -> (total, {name: part})`.

    Muon updates the kernels of convolutions (Jordan and others, 2024; its steps scaled to AdamW's, Liu
    and others, arXiv 2502.16982), AdamW everything else."""

    def __init__(self, model, loss, out, peak, ends, extra=(), decay=0.03, average=0.998, fall=None):
        """`extra`: arrays that are packed with the weights; `fall`: the step from which the rate is lower,
        if any."""
        self.extra, self.first_step = list(extra), 0
        self.seen, self.seconds = 0, -time.process_time()  # samples, CPU seconds
        self.peak, self.ends, self.limit, self.out = peak, ends, average, Path(out)
        self.fall = ends[-1] if fall is None else fall
        self.out.mkdir(parents=True, exist_ok=True)
        self.graph = graph = Graph(model)
        self.optimizers = [
            torch.optim.Muon(graph.kernels, peak, weight_decay=decay, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW([{"params": graph.others, "weight_decay": decay},
                               {"params": graph.vectors, "weight_decay": 0.0}], peak, eps=1e-7, fused=True)]
        self._means = [tensor.detach().clone() for tensor in graph.tensors]
        self.step = 0

        @tf.function
        def gradients(outputs, *batch):
            with tf.GradientTape() as tape:
                tape.watch(outputs)
                total, parts = loss(lambda *_, **__: outputs, *batch)
            return tape.gradient(total, outputs), parts

        self._gradients = gradients

    @property
    def averages(self):
        """The averaged weights, in the order of the model's variables."""
        return self.graph.outward(self._means)

    def update(self, images, *truth):
        """One step. Returns the parts of the loss."""
        outputs = self.graph(images)
        values = keras.tree.map_structure(
            lambda out: tf.constant(_channels_last(out).detach().float().numpy()), outputs)
        gradients, parts = self._gradients(values, tf.constant(images), *map(tf.constant, truth))
        outputs = [_channels_last(out) for out in keras.tree.flatten(outputs)]
        gradients = [torch.from_numpy(slope.numpy()).to(out.dtype)
                  for slope, out in zip(keras.tree.flatten(gradients), outputs)]
        for optimizer in self.optimizers:
            optimizer.zero_grad()
        torch.autograd.backward(outputs, gradients)
        graph = self.graph
        torch.nn.utils.clip_grad_norm_([*graph.kernels, *graph.others, *graph.vectors], 5.0)
        for optimizer in self.optimizers:
            optimizer.step()
        return parts

    def _average(self):
        kept = min(self.limit, (1 + self.step) / (10 + self.step))
        for mean, value in zip(self._means, self.graph.tensors):
            if mean.is_floating_point():
                mean.lerp_(value.detach(), 1 - kept)
            else:
                mean.copy_(value)

    def run(self, batches, every=50, save=200, on_save=None):
        """Trains to the last step or until a SIGTERM, then saves.

        At each of `ends` it also saves the averaged weights under their step. `on_save(trainer)` is called
        after every periodic save."""
        stopped = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
        started, first, sums = time.time(), self.step, {}
        for batch in prefetched(batches):
            if self.step >= self.ends[-1] or stopped.is_set():
                break
            rate = self.peak * min(1.0, (self.step - self.first_step + 1) / WARMUP)
            rate *= DECAY if self.step >= self.fall else 1
            for group in itertools.chain(*[optimizer.param_groups for optimizer in self.optimizers]):
                group["lr"] = rate
            for name, value in self.update(*batch).items():
                sums[name] = sums.get(name, 0.0) + float(value)
            self._average()
            self.step += 1
            self.seen += len(batch[0])
            if self.step % every == 0:
                seconds = time.time() - started
                speed = (self.step - first) * len(batch[0]) / seconds
                parts = "  ".join(f"{k} {v / every:.3f}" for k, v in sums.items())
                print(f"step {self.step}  {seconds:.0f} s  {speed:.0f} /s  {parts}", flush=True)
                sums = {}
            if self.step in self.ends:
                save_arrays(self.out / f"weights-{self.step}.npz", self.averages)
            if self.step % save == 0:
                self.save()
                if on_save:
                    on_save(self)
        self.save()

    def save(self):
        """Saves the averaged weights and the state of the run."""
        save_arrays(self.out / "weights.npz", self.averages)
        state = {"progress": self.progress(), "weights": self.graph.tensors, "means": self._means,
                 "optimisers": [optimizer.state_dict() for optimizer in self.optimizers]}
        torch.save(state, self.out / "state.tmp.pt")
        (self.out / "state.tmp.pt").rename(self.out / "state.pt")
        pack(self.out / "packed.npz", self.progress(), self.averages, self.extra)

    def restore(self, options):
        """Continues the run with `--resume`, or a packed one with `--init`."""
        if options.resume:
            self.resume()
        elif options.init:
            self.start(options.init)

    def progress(self):
        """Steps, samples and CPU seconds of this run and those that it continues."""
        return self.step, self.seen, self.seconds + time.process_time()

    def _restore_progress(self, progress):
        self.step, self.seen = map(int, progress[:2])
        self.seconds += float(progress[2])

    def resume(self):
        state = torch.load(self.out / "state.pt")
        self._set(self.graph.tensors, state["weights"])
        self._set(self._means, state["means"])
        for optimizer, kept in zip(self.optimizers, state["optimisers"]):
            optimizer.load_state_dict(kept)
        self._restore_progress(state["progress"])

    def start(self, packed):
        """Continues a packed run: averaged weights, new optimizers, a new warm-up."""
        progress, weights, _ = unpack(packed)
        self._restore_progress(progress)
        self.first_step = self.step
        for tensors in (self.graph.tensors, self._means):
            self._set(tensors, self.graph.inward(weights))

    def _set(self, tensors, values):
        with torch.no_grad():
            for tensor, value in zip(tensors, values, strict=True):
                tensor.copy_(value)


def _channels_last(out):
    """Maps with channels last, as in Keras; other tensors unchanged."""
    return out.permute(0, 2, 3, 1) if out.ndim == 4 else out


def pack(path, progress, weights, extra):
    """Saves matrices and kernels at half precision, vectors unchanged."""
    halved = [a.astype(np.float16) if a.ndim > 1 else a for a in [*weights, *extra]]
    np.savez_compressed(path, *halved, progress=progress, extra=len(extra))


def unpack(path):
    """Progress, weights, and the arrays that were packed with them."""
    arrays = np.load(path)
    values = [arrays[f"arr_{i}"] for i in range(len(arrays.files) - 2)]
    values = [v.astype(np.float32) if v.dtype == np.float16 else v for v in values]
    weights = len(values) - int(arrays["extra"])
    return arrays["progress"], values[:weights], values[weights:]


def save_arrays(path, arrays):
    np.savez(path, *arrays)


def load_arrays(path):
    arrays = np.load(path)
    return [arrays[f"arr_{i}"] for i in range(len(arrays.files))]


def averaged(path):
    """The averaged weights in weights.npz or packed.npz."""
    return unpack(path)[1] if "extra" in np.load(path).files else load_arrays(path)


def load_weights(model, path):
    """Loads averaged weights into a model of the same architecture."""
    for variable, value in zip(model.variables, averaged(path), strict=True):
        variable.assign(value)
