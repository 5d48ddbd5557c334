#!/usr/bin/env python3
"""Compare the speed of networks here with LiteRT's.

    compare_litert.py BENCH MODELS [WORD]

BENCH is the benchmark program that `swift build -c release --product bench` makes,
MODELS a folder of .tflite files; with WORD only files with WORD in their names.
Needs ai-edge-litert and numpy. Both run each network on seeded inputs at one and at
two threads, one network after the other; the ratio is LiteRT's fastest run over ours:
above one, ours is faster.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy
from ai_edge_litert.interpreter import Interpreter

LEAST_RUNS, LEAST_SECONDS = 20, 0.5


def ours(bench, folder, threads, word):
    """Fastest runs in milliseconds by network."""
    with tempfile.TemporaryDirectory() as temporary:
        path = os.path.join(temporary, "results.json")
        subprocess.run(
            [bench, "--models", folder, "--filter", "model/" + word, "--threads", str(threads),
             "--json", path], check=True, stdout=subprocess.DEVNULL)
        with open(path) as file:
            results = json.load(file)["results"]
    return {r["name"].removeprefix("model/"): r["min_ms"] for r in results}


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


def theirs(path, threads):
    interpreter = Interpreter(model_path=path, num_threads=threads)
    interpreter.allocate_tensors()
    fill(interpreter)
    for _ in range(3):
        interpreter.invoke()
    times, start = [], time.perf_counter()
    while len(times) < LEAST_RUNS or time.perf_counter() - start < LEAST_SECONDS:
        before = time.perf_counter()
        interpreter.invoke()
        times.append(time.perf_counter() - before)
    return min(times) * 1000


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    bench, folder = sys.argv[1:3]
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    print(f"{'network':60} threads  LiteRT ms   ours ms   ratio")
    for name in sorted(os.listdir(folder)):
        stem = name.removesuffix(".tflite")
        if stem == name or word not in name:
            continue
        for threads in (1, 2):
            mine = ours(bench, folder, threads, stem).get(stem)
            try:
                other = theirs(os.path.join(folder, name), threads)
            except (RuntimeError, ValueError) as error:
                print(f"{stem:60} LiteRT: {str(error).splitlines()[0]}")
                break
            if mine is None:
                print(f"{stem:60} not run here")
                break
            print(f"{stem:60} {threads:7}  {other:9.4f} {mine:9.4f} {other / mine:7.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
