"""The training loop: AdamW, a schedule, a moving average of the weights, checkpoints, a log.

A run leaves three files: weights.npz, the averaged weights; state.npz, all that `--resume` needs to
go on; packed.npz, the averaged weights at half precision, small enough to be kept with the recipe,
from which `--init` goes on without the optimiser's state.
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


def use_threads(count):
    """Operators that run side by side, each on one thread: a step's batch is cut into as many parts."""
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(count)


def options(parser, ends, batch, rate):
    """What the command line says, with the options that all trainings have, whose defaults these are.
    Numbers are seeded by it."""
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True, help="folder for decoded pictures and teachers' answers")
    parser.add_argument("--out", required=True, help="folder for weights and checkpoints")
    parser.add_argument("--ends", type=int, nargs="+", default=ends,
                        help="steps by which the learning rate falls to nothing, the last the end")
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--init", help="a packed run to go on from; for the localiser also a classifier's, "
                        "whose backbone to start from")
    parser.add_argument("--resume", action="store_true", help="go on from RUN/state.npz")
    parser.add_argument("--threads", type=int, default=1,
                        help="parts of a batch that are computed side by side")
    given = parser.parse_args()
    use_threads(given.threads)
    cv2.setRNGSeed(given.seed)
    keras.utils.set_random_seed(given.seed)
    return given


FALLING = 0.4  # the share of all steps so far, in which the learning rate falls


def learning_rate(step, began, ends, peak):
    """A rise over 300 steps; then flat and down in a straight line, to nothing at each of `ends`."""
    end = next((end for end in ends if step < end), ends[-1])
    rise = min(1.0, (step - began + 1) / 300)
    fall = min(1.0, (end - step) / (FALLING * end))
    return peak * min(rise, max(fall, 0.005))


def in_turn(first, then, count):
    """`count` of the first batches, then the others."""
    return itertools.chain(itertools.islice(first, max(0, count)), then)


def prefetched(batches, depth=6):
    """Runs a generator in a thread of its own. Its order stays the same."""
    ready = queue.Queue(depth)

    def fill():
        for batch in batches:
            ready.put(batch)

    threading.Thread(target=fill, daemon=True).start()
    while True:
        yield ready.get()


class Trainer:
    """Trains `model` on batches of arrays with `loss(model, *arrays) -> (total, {name: part})`."""

    def __init__(self, model, loss, out, peak, ends, extra=(), decay=0.03, average=0.998):
        """`extra`: arrays that are packed with the weights."""
        self.extra, self.began = list(extra), 0
        self.seen, self.seconds = 0, -time.process_time()  # samples, processor's seconds
        self.model, self.out, self.peak, self.ends = model, Path(out), peak, ends
        self.out.mkdir(parents=True, exist_ok=True)
        self.optimizer = keras.optimizers.AdamW(peak, weight_decay=decay)
        self.optimizer.exclude_from_weight_decay(
            var_list=[v for v in model.trainable_variables if len(v.shape) <= 1])
        self.optimizer.build(model.trainable_variables)
        self.averages = [tf.Variable(v, trainable=False) for v in model.variables]
        self.step = 0
        self.momentum = tf.Variable(0.0, trainable=False)

        count = tf.config.threading.get_inter_op_parallelism_threads()

        def gradients_of(batch):
            with tf.GradientTape() as tape:
                total, parts = loss(model, *batch)
            return tape.gradient(total, model.trainable_variables), parts

        @tf.function
        def update(*batch):
            shares = zip(*[tf.split(array, count) for array in batch])
            gradients, parts = tf.nest.map_structure(
                lambda *values: sum(values) / count, *[gradients_of(share) for share in shares])
            gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
            self.optimizer.apply(gradients, model.trainable_variables)
            for mean, value in zip(self.averages, model.variables):
                if mean.dtype.is_floating:
                    mean.assign(mean * self.momentum + (1 - self.momentum) * value)
                else:
                    mean.assign(value)
            return parts

        self.update = update
        self.limit = average

    def run(self, batches, every=50, save=200, watch=None):
        """Trains to the last step, or until a SIGTERM; what is reached is saved, and at each end of the
        schedule the averaged weights under their step as well. `watch(trainer)` is called whenever
        it is saved."""
        stopped = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: stopped.set())
        started, first, sums = time.time(), self.step, {}
        for batch in prefetched(batches):
            if self.step >= self.ends[-1] or stopped.is_set():
                break
            self.optimizer.learning_rate.assign(
                learning_rate(self.step, self.began, self.ends, self.peak))
            self.momentum.assign(min(self.limit, (1 + self.step) / (10 + self.step)))
            for name, value in self.update(*[tf.constant(a) for a in batch]).items():
                sums[name] = sums.get(name, 0.0) + float(value)
            self.step += 1
            self.seen += len(batch[0])
            if self.step % every == 0:
                seconds = time.time() - started
                rate = (self.step - first) * len(batch[0]) / seconds
                parts = "  ".join(f"{k} {v / every:.3f}" for k, v in sums.items())
                print(f"step {self.step}  {seconds:.0f} s  {rate:.0f} /s  {parts}", flush=True)
                sums = {}
            if self.step in self.ends:
                save_arrays(self.out / f"weights-{self.step}.npz", self.averages)
            if self.step % save == 0:
                self.save()
                if watch:
                    watch(self)
        self.save()

    def save(self):
        """Averaged weights for use, and everything that is needed to go on."""
        save_arrays(self.out / "weights.npz", self.averages)
        state = [v.numpy() for v in self.model.variables]
        state += [v.numpy() for v in self.optimizer.variables]
        np.savez(self.out / "state.tmp.npz", progress=self.progress(), *state)
        (self.out / "state.tmp.npz").rename(self.out / "state.npz")
        pack(self.out / "packed.npz", self.progress(), [v.numpy() for v in self.averages], self.extra)

    def begin(self, options):
        """Goes on from where the run, or another that was packed, stopped, if that is asked for."""
        if options.resume:
            self.resume()
        elif options.init:
            self.start(options.init)

    def progress(self):
        """Steps, samples, the processor's seconds, in this run and those it goes on from."""
        return self.step, self.seen, self.seconds + time.process_time()

    def _go_on(self, progress):
        self.step, self.seen = map(int, progress[:2])
        self.seconds += progress[2]

    def resume(self):
        state = np.load(self.out / "state.npz")
        variables = list(self.model.variables) + list(self.optimizer.variables)
        for i, variable in enumerate(variables):
            variable.assign(state[f"arr_{i}"])
        for mean, value in zip(self.averages, load_arrays(self.out / "weights.npz")):
            mean.assign(value)
        self._go_on(state["progress"])

    def start(self, packed):
        """Goes on from a packed run: averaged weights, an empty optimiser, a new rise of the rate."""
        progress, weights, _ = unpack(packed)
        self._go_on(progress)
        self.began = self.step
        for variable, mean, value in zip(self.model.variables, self.averages, weights, strict=True):
            variable.assign(value)
            mean.assign(value)


def pack(path, progress, weights, extra):
    """Matrices and kernels at half precision, vectors as they are."""
    halved = [a.astype(np.float16) if a.ndim > 1 else a for a in [*weights, *extra]]
    np.savez_compressed(path, progress=progress, extra=len(extra), *halved)


def unpack(path):
    """Progress, weights, and the arrays that were packed with them."""
    arrays = np.load(path)
    values = [arrays[f"arr_{i}"] for i in range(len(arrays.files) - 2)]
    values = [v.astype(np.float32) if v.dtype == np.float16 else v for v in values]
    weights = len(values) - int(arrays["extra"])
    return arrays["progress"], values[:weights], values[weights:]


def save_arrays(path, variables):
    np.savez(path, *[v.numpy() for v in variables])


def load_arrays(path):
    arrays = np.load(path)
    return [arrays[f"arr_{i}"] for i in range(len(arrays.files))]


def averaged(path):
    """The averaged weights in weights.npz or packed.npz."""
    return unpack(path)[1] if "extra" in np.load(path).files else load_arrays(path)


def load_weights(model, path):
    """Puts averaged weights into a model of the same make."""
    for variable, value in zip(model.variables, averaged(path), strict=True):
        variable.assign(value)
