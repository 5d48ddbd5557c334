#!/usr/bin/env python3
"""Compare the speed of networks with LiteRT's.

    compare_litert.py BENCH MODELS [--rounds N] [--starts N] [--markdown] [WORD ...]

BENCH is the program built by `swift build -c release --product bench`, MODELS a folder of .tflite
files. WORDs select files by their names. Needs ai-edge-litert and numpy.

Both run each network on seeded inputs, on one and on two threads, alternately, in N rounds
(default 3). A round's ratio is LiteRT's median run over ours, of at least thirty runs each. The
median ratio is reported: above one, ours is faster. `1 -> 2` is our time on one thread over that
on two.

With `--starts`, compares the processor time from opening a file to its first result (load, allocate,
invoke) on one thread instead: the first start of a process, and the median of N further ones.
"""
import argparse
import json
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from ai_edge_litert.interpreter import Interpreter

MIN_RUNS, MIN_SECONDS = 30, 0.3
THREADS = (1, 2)


def ours(bench, folder, threads, stem):
    """The median run of a network in milliseconds, or None if it does not run."""
    with tempfile.TemporaryDirectory() as temporary:
        path = os.path.join(temporary, "results.json")
        subprocess.run(
            [bench, "--models", folder, "--filter", "model/" + stem, "--threads", str(threads),
             "--json", path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with open(path) as file:
            results = json.load(file)["results"]
    times = [r["median_ms"] for r in results if r["name"] == "model/" + stem]
    return times[0] if times else None


def fill(interpreter, seed=1):
    random = numpy.random.default_rng(seed)
    for tensor in interpreter.get_input_details():
        shape, kind = tensor["shape"], numpy.dtype(tensor["dtype"])
        if kind.kind == "f":
            values = random.uniform(-1, 1, shape)
        elif kind.itemsize > 2:
            values = random.integers(0, 8, shape)
        else:
            values = random.integers(0, 2 if kind.kind == "b" else 128, shape)
        interpreter.set_tensor(tensor["index"], values.astype(kind))


def theirs(path, threads, measure=None):
    """LiteRT's median run in milliseconds, measured in its own process, which it may crash."""
    measure = measure or median_run
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=send, args=(measure, path, threads, sender))
    child.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = "crashes"
    child.join()
    if isinstance(answer, str):
        raise RuntimeError(answer)
    return answer


def send(measure, path, argument, sender):
    try:
        sender.send(measure(path, argument))
    except (RuntimeError, ValueError, TypeError) as error:
        sender.send((str(error).strip() or "fails").splitlines()[0])


def median_run(path, threads):
    interpreter = Interpreter(model_path=path, num_threads=threads)
    interpreter.allocate_tensors()
    fill(interpreter)
    for _ in range(3):
        interpreter.invoke()
    times, start = [], time.perf_counter()
    while len(times) < MIN_RUNS or time.perf_counter() - start < MIN_SECONDS:
        before = time.perf_counter()
        interpreter.invoke()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1000


def our_starts(bench, folder, stem, count):
    """The first start and the median of the others, in milliseconds."""
    table = subprocess.run(
        [bench, "--models", folder, "--filter", stem, "--threads", "1", "--starts", str(count)],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [line.split() for line in table.splitlines()]
    return next((float(row[1]), float(row[2])) for row in rows if row and row[0] == stem)


def starts(path, count):
    times = []
    for _ in range(count + 1):
        before = time.process_time()
        interpreter = Interpreter(model_path=path, num_threads=1)
        interpreter.allocate_tensors()
        interpreter.invoke()
        times.append((time.process_time() - before) * 1000)
        del interpreter
    return times[0], statistics.median(times[1:])


def compare_starts(stems, arguments):
    print(row(["network", "LiteRT first", "Martlet first", "ratio", "LiteRT", "Martlet", "ratio"],
              arguments.markdown))
    if arguments.markdown:
        print("|---|" + "--:|" * 6)
    for stem in stems:
        path, pairs = os.path.join(arguments.models, stem + ".tflite"), []
        for _ in range(arguments.rounds):
            mine = our_starts(arguments.bench, arguments.models, stem, arguments.starts)
            pairs.append((theirs(path, arguments.starts, starts), mine))
        cells = [stem]
        for kind in range(2):
            other, mine = sorted(
                ((other[kind], mine[kind]) for other, mine in pairs),
                key=lambda pair: pair[0] / pair[1])[len(pairs) // 2]
            cells += [f"{other:.2f}", f"{mine:.2f}", f"{other / mine:.2f}"]
        print(row(cells, arguments.markdown), flush=True)
    return 0


def compare(bench, folder, stem, rounds):
    """LiteRT's time, ours and the ratio, by number of threads; or the reason for a failure."""
    path = os.path.join(folder, stem + ".tflite")
    result = {}
    for threads in THREADS:
        pairs = []
        for _ in range(rounds):
            mine = ours(bench, folder, threads, stem)
            try:
                other = theirs(path, threads)
            except RuntimeError as error:
                return f"LiteRT: {error}"
            if mine is None:
                return "not run by Martlet"
            pairs.append((other / mine, other, mine))
        pairs.sort()
        ratio, other, mine = pairs[len(pairs) // 2]
        result[threads] = (other, mine, ratio)
    return result


def row(cells, markdown):
    if markdown:
        return "| " + " | ".join(cells) + " |"
    return f"{cells[0]:60}" + "".join(f"{cell:>11}" for cell in cells[1:])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bench")
    parser.add_argument("models")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--starts", type=int)
    parser.add_argument("--markdown", action="store_true")
    arguments = parser.parse_intermixed_args()
    stems = [
        name.removesuffix(".tflite") for name in sorted(os.listdir(arguments.models))
        if name.endswith(".tflite") and any(word in name for word in arguments.words or [""])]
    if arguments.starts:
        return compare_starts(stems, arguments)
    print(row(["network", "LiteRT 1", "Martlet 1", "ratio 1", "LiteRT 2", "Martlet 2", "ratio 2",
               "1 -> 2"], arguments.markdown))
    if arguments.markdown:
        print("|---|" + "--:|" * 7)
    ratios, failed = {threads: [] for threads in THREADS}, []
    for stem in stems:
        result = compare(arguments.bench, arguments.models, stem, arguments.rounds)
        if isinstance(result, str):
            failed.append(f"{stem}: {result}")
            continue
        cells = [stem]
        for threads in THREADS:
            other, mine, ratio = result[threads]
            ratios[threads].append(ratio)
            cells += [f"{other:.4f}", f"{mine:.4f}", f"{ratio:.2f}"]
        print(row(cells + [f"{result[1][1] / result[2][1]:.2f}"], arguments.markdown), flush=True)
    means = [
        f"{math.exp(statistics.mean(map(math.log, ratios[threads]))):.2f}" if ratios[threads] else ""
        for threads in THREADS]
    print(row(["geometric mean", "", "", means[0], "", "", means[1], ""], arguments.markdown))
    for line in failed:
        print(("- " if arguments.markdown else "") + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
