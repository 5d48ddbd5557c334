"""The training loop: Muon, a moving average of the weights, checkpoints, a log.

PyTorch computes the networks (networks/graph.py), the losses and their gradients, on a CPU or a GPU. A run writes
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
import torch

from networks.graph import Graph


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
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--save", type=int, default=500, metavar="STEPS", help="steps between checkpoints")
    arguments = parser.parse_args()
    use_threads(arguments.threads)
    cv2.setRNGSeed(arguments.seed)
    keras.utils.set_random_seed(arguments.seed)
    torch.manual_seed(arguments.seed)
    return arguments


def use_threads(count):
    """Sets the threads of PyTorch's operators."""
    torch.set_num_threads(count)
    torch.set_flush_denormal(True)


WARMUP = 300  # steps in which the learning rate rises to its peak
DECAY = 0.1  # factor on the learning rate at its end


class _Batches(torch.utils.data.Dataset):
    def __init__(self, batch):
        self.batch = batch

    def __getitem__(self, step):
        return self.batch(step)


def loaded(batch, steps, options):
    """`batch(step)`, arrays, as tensors for each of the `steps`, in order, computed in other processes."""
    return torch.utils.data.DataLoader(_Batches(batch), sampler=steps, batch_size=None, num_workers=options.workers,
                                       pin_memory=options.device != "cpu")


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
    """Trains `model` with `loss(outputs, *truth) -> (total, {name: part})`, which gets the model's outputs as of
    `Graph`, and the arrays that follow the images of a batch, as tensors.

    Muon updates the kernels of convolutions (Jordan and others, 2024; its steps scaled to AdamW's, Liu
    and others, arXiv 2502.16982), AdamW everything else."""

    def __init__(self, model, loss, out, peak, ends, extra=(), decay=0.03, average=0.998, fall=None, device="cpu",
                 size=None):
        """`extra`: arrays that are packed with the weights; `fall`: the steps between which the rate falls,
        if any; `size`: to which images are reduced, if the network gets smaller ones than the batch has."""
        self.extra, self.first_step = list(extra), 0
        self.seen, self.seconds = 0, -time.process_time()  # samples, CPU seconds
        self.loss, self.device, self.size = loss, device, size
        self.peak, self.ends, self.limit, self.out = peak, ends, average, Path(out)
        self.fall = fall
        self.out.mkdir(parents=True, exist_ok=True)
        self.graph = graph = Graph(model, device)
        self.optimizers = [
            torch.optim.Muon(graph.kernels, peak, weight_decay=decay, adjust_lr_fn="match_rms_adamw"),
            torch.optim.AdamW([{"params": graph.others, "weight_decay": decay},
                               {"params": graph.vectors, "weight_decay": 0.0}], peak, eps=1e-7, fused=True)]
        self._means = [tensor.detach().clone() for tensor in graph.tensors]
        pairs = [(mean, tensor.detach()) for mean, tensor in zip(self._means, graph.tensors)
                 if mean.is_floating_point()]
        self._averaged, self._current = map(list, zip(*pairs))
        self.step, self._sums = 0, {}
        self._trained = [*graph.kernels, *graph.others, *graph.vectors]
        for tensor in self._trained:
            tensor.grad = torch.zeros_like(tensor)
        self._captured = {}  # on a GPU, by the shapes of a batch

    @property
    def averages(self):
        """The averaged weights, in the order of the model's variables."""
        return self.graph.outward(self._means)

    def predict(self, images):
        """The outputs of the averaged weights for bytes [n, H, W, 3], as arrays."""
        outputs = self.graph.evaluated(torch.as_tensor(images, device=self.device), self._means)
        return keras.tree.map_structure(lambda out: out.cpu().numpy(), outputs)

    def update(self, images, *truth):
        """One step."""
        if self.size and images.shape[1] > self.size:
            images = _reduced(images, self.size)
        rate = self.peak * min(1.0, (self.step - self.first_step + 1) / WARMUP)
        rate *= float(np.interp(self.step, self.fall, [1, DECAY])) if self.fall else 1
        for group in itertools.chain(*[optimizer.param_groups for optimizer in self.optimizers]):
            group["lr"] = rate
        parts = self._gradients(images, *truth)
        torch.nn.utils.clip_grad_norm_(self._trained, 5.0)
        for optimizer in self.optimizers:
            optimizer.step()
        count = self.step - self.first_step
        kept = min(self.limit, (1 + count) / (10 + count))
        torch._foreach_lerp_(self._averaged, self._current, 1 - kept)
        for name, value in parts.items():
            self._sums[name] = self._sums.get(name, 0) + value
        self.step += 1
        self.seen += len(images)

    def _gradients(self, *batch):
        """Sets the gradients. Returns the parts of the loss."""
        if self.device == "cpu":
            return self._computed(*batch)
        shapes = tuple(tensor.shape for tensor in batch)
        if shapes not in self._captured:
            self._captured[shapes] = _Captured(self._computed, batch)
        return self._captured[shapes](batch)

    def _computed(self, images, *truth):
        torch._foreach_zero_([tensor.grad for tensor in self._trained])
        total, parts = self.loss(self.graph(images), *truth)
        total.backward()
        return {name: value.detach() for name, value in parts.items()}

    def run(self, batches, every=50, save=200, on_save=None):
        """As the function `run`, for one network."""
        run([self], prefetched(batches), every, save, on_save or (lambda trainer: None))

    def log(self, every):
        """The means of the parts of the loss over the last steps."""
        parts = "  ".join(f"{name} {float(value) / every:.3f}" for name, value in self._sums.items())
        self._sums = {}
        return parts

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
        state = torch.load(self.out / "state.pt", map_location=self.device)
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


def _reduced(images, size):
    """Bytes [n, size, size, 3] of larger images."""
    planes = torch.nn.functional.interpolate(images.permute(0, 3, 1, 2).float(), (size, size), mode="area")
    return planes.round().to(torch.uint8).permute(0, 2, 3, 1).contiguous()


class _Captured:
    """`compute` as a CUDA graph: one launch instead of a thousand. It runs on copies of the batch."""

    def __init__(self, compute, batch):
        self._batch = [tensor.clone() for tensor in batch]
        warm_up = torch.cuda.Stream()
        warm_up.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(warm_up):
            for _ in range(3):
                compute(*self._batch)
        torch.cuda.current_stream().wait_stream(warm_up)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._result = compute(*self._batch)

    def __call__(self, batch):
        for kept, tensor in zip(self._batch, batch):
            kept.copy_(tensor)
        self._graph.replay()
        return self._result


def run(trainers, batches, every, save, on_save):
    """Trains several networks on the same batches, to the last step or until a SIGTERM, then saves.

    The others count their steps as the first one does. At each of the first trainer's `ends` it also saves the averaged
    weights under their step. `on_save(trainer)` is called after every periodic save."""
    stopped, leader = threading.Event(), trainers[0]
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    started, first = time.time(), leader.step
    for trainer in trainers[1:]:
        if not trainer.seen:
            trainer.step = trainer.first_step = leader.step
    for batch in batches:
        if leader.step >= leader.ends[-1] or stopped.is_set():
            break
        batch = [torch.as_tensor(array).to(leader.device, non_blocking=True) for array in batch]
        for trainer in trainers:
            trainer.update(*batch)
        step = leader.step
        if step % every == 0:
            seconds = time.time() - started
            speed = (step - first) * len(batch[0]) / seconds
            print(f"step {step}  {seconds:.0f} s  {speed:.0f} /s", *[trainer.log(every) for trainer in trainers],
                  sep="  ", flush=True)
        for trainer in trainers:
            if step in leader.ends:
                save_arrays(trainer.out / f"weights-{step}.npz", trainer.averages)
            if step % save == 0:
                trainer.save()
                on_save(trainer)
    for trainer in trainers:
        trainer.save()


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
