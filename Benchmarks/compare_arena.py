#!/usr/bin/env python3
"""Compare the size of Martlet's tensor arena with LiteRT's.

    compare_arena.py MARTLET MODELS [--threads N] [--markdown FILE]

MARTLET is the tool built by `swift build -c release --product martlet`, MODELS a folder of
.tflite files. Needs ai-edge-litert.

LiteRT's figure is its memory plan, read through an empty delegate, which gets the runtime's
context. The context's tensors (a public C structure) hold their addresses. The arena extends from
the first byte of a tensor in it to the last, on the reference kernels, which need the least scratch
memory. It is read after AllocateTensors or, if shapes are only known then, after a run. Tensors
of dynamic shape are added, because they are in Martlet's arena but not in LiteRT's. All
subgraphs are summed. The persistent arena is listed separately.

Martlet's figure is `arenaBytes` of `martlet inspect --json` on the fast and on the reference
kernels. It includes scratch memory except on stacks (up to 64 KiB per node, and per chunk of it).
Packed weights, constants that are computed once or aligned, and variables are listed separately.
Exits with 1 if an arena of Martlet is larger.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys

ARENA, PERSISTENT, DYNAMIC = 2, 3, 4
RUN_SECONDS = 30


class Tensor(ctypes.Structure):
    """TfLiteTensor of LiteRT's `c/common.h`."""
    _fields_ = [
        ("type", ctypes.c_int), ("data", ctypes.c_void_p), ("dims", ctypes.c_void_p),
        ("scale", ctypes.c_float), ("zero_point", ctypes.c_int32),
        ("allocation_type", ctypes.c_int), ("bytes", ctypes.c_size_t),
        ("allocation", ctypes.c_void_p), ("name", ctypes.c_char_p),
        ("delegate", ctypes.c_void_p), ("buffer_handle", ctypes.c_int),
        ("data_is_stale", ctypes.c_bool), ("is_variable", ctypes.c_bool),
        ("quantization_type", ctypes.c_int), ("quantization_params", ctypes.c_void_p),
        ("sparsity", ctypes.c_void_p), ("dims_signature", ctypes.c_void_p)]


class Context(ctypes.Structure):
    """The first members of TfLiteContext."""
    _fields_ = [
        ("tensors_size", ctypes.c_size_t), ("get_execution_plan", ctypes.c_void_p),
        ("tensors", ctypes.POINTER(Tensor))]


PREPARE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Delegate(ctypes.Structure):
    """TfLiteDelegate."""
    _fields_ = [
        ("data", ctypes.c_void_p), ("prepare", PREPARE), ("copy_from", ctypes.c_void_p),
        ("copy_to", ctypes.c_void_p), ("free_buffer", ctypes.c_void_p),
        ("flags", ctypes.c_int64), ("builder", ctypes.c_void_p)]


def litert(path):
    """The arena and the persistent arena of all subgraphs, in bytes.

    Prints the plan of AllocateTensors before it runs the model, which may crash the process.
    """
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    interpreter = Interpreter(
        model_path=path, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, num_threads=1)
    contexts = []

    def prepare(context, delegate):
        contexts.append(context)
        return 0

    allows_dynamic_tensors = 1
    delegate = Delegate(None, PREPARE(prepare), None, None, None, allows_dynamic_tensors, None)
    interpreter._interpreter.ModifyGraphWithDelegate(ctypes.addressof(delegate))
    interpreter.allocate_tensors()
    before = [extents(Context.from_address(address)) for address in dict.fromkeys(contexts)]
    print(json.dumps(summed(before)), flush=True)
    interpreter.invoke()
    after = [extents(Context.from_address(address)) for address in dict.fromkeys(contexts)]
    return summed([[max(pair) for pair in zip(*both)] for both in zip(before, after)])


def extents(context):
    """The bytes of the arena with dynamic tensors, and of the persistent arena."""
    places = {ARENA: [], PERSISTENT: [], DYNAMIC: []}
    for index in range(context.tensors_size):
        tensor = context.tensors[index]
        if tensor.data and tensor.bytes and tensor.allocation_type in places:
            places[tensor.allocation_type].append((tensor.data, tensor.data + tensor.bytes))
    dynamic = sum(end - start for start, end in places[DYNAMIC])
    arena, persistent = (
        max((r[1] for r in places[kind]), default=0) - min((r[0] for r in places[kind]), default=0)
        for kind in (ARENA, PERSISTENT))
    return arena + dynamic, persistent


def summed(subgraphs):
    return [sum(column) for column in zip(*subgraphs)]


def litert_or_reason(path):
    """Runs `litert` in its own process: some models crash it, some loop on inputs of zero."""
    process = subprocess.Popen(
        [sys.executable, os.path.abspath(__file__), "--litert", path], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    try:
        output, errors = process.communicate(timeout=RUN_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output, errors = process.communicate()
    try:
        return json.loads(output.splitlines()[-1]), None
    except (ValueError, IndexError):
        if process.returncode < 0:
            return None, "crashes"
        return None, (errors.strip().splitlines() or ["no answer"])[-1][:120]


def ours(tool, path, kernels, threads):
    done = subprocess.run(
        [tool, "inspect", path, "--json", "--kernels", kernels] + threads, capture_output=True,
        text=True, timeout=300)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = {}
    if "arenaBytes" in answer:
        return answer, None
    return None, (done.stderr.strip().splitlines() or ["no reason given"])[-1].replace(path + ": ", "")


def main():
    if sys.argv[1:2] == ["--litert"]:
        print(json.dumps(litert(sys.argv[2])))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("martlet")
    parser.add_argument("models")
    parser.add_argument("--threads")
    parser.add_argument("--markdown")
    options = parser.parse_args()
    threads = ["--threads", options.threads] if options.threads else []
    rows, refused, absent = [], [], []
    for name in sorted(os.listdir(options.models)):
        if not name.endswith(".tflite"):
            continue
        path = os.path.join(options.models, name)
        theirs, reason = litert_or_reason(path)
        if theirs is None:
            refused.append((name, reason))
            continue
        (fast, reason), (reference, other) = (
            ours(options.martlet, path, kernels, threads) for kernels in ("fast", "reference"))
        if fast is None or reference is None:
            absent.append((name, reason or other))
            continue
        rows.append((
            name.removesuffix(".tflite"), theirs[0], fast["arenaBytes"],
            reference["arenaBytes"], theirs[1],
            fast["foldedBytes"] + fast["copiedBytes"] + fast["variableBytes"],
            fast["packedBytes"]))
    larger = [row for row in rows if max(row[2], row[3]) > row[1]]
    lines = [
        "| model | LiteRT | fast | reference | LiteRT persistent | folded, copied, variable "
        "| packed |", "|---|--:|--:|--:|--:|--:|--:|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    total = [sum(row[i] for row in rows) for i in range(1, 7)]
    lines.append("| **all** | " + " | ".join(map(str, total)) + " |")
    text = "\n".join(lines)
    counts = (
        f"{len(rows)} models, {len(larger)} larger in Martlet, "
        f"{sum(row[2] < row[1] for row in rows)} smaller")
    if options.markdown:
        with open(options.markdown, "w") as file:
            file.write(report(text, counts, options, larger, refused, absent))
    else:
        print(text)
    print(counts)
    for row in larger:
        print("larger:", *row)
    return 1 if larger else 0


def report(table, counts, options, larger, refused, absent):
    import datetime
    from importlib.metadata import version
    lines = [
        "# Arena sizes beside LiteRT", "",
        f"`Benchmarks/compare_arena.py martlet MODELS --threads {options.threads} --markdown "
        f"{options.markdown}`, {datetime.date.today()}, ai-edge-litert "
        f"{version('ai-edge-litert')}. Bytes. {counts}.", "",
        "LiteRT: the extent of its memory plan, read from its tensors, on its reference kernels, which "
        "need the least scratch memory. Fast and reference: Martlet's arenas on these kernels, with "
        "larger scratch memory and with inputs, which keep their elements between runs as in LiteRT. "
        "The tensors of the last three columns are outside both arenas. Stack memory is not counted: "
        "up to 64 KiB of scratch memory per node, and up to 64 KiB of each chunk that runs.", "",
        table, "",
        f"LiteRT does not run {len(refused)} of the files: "
        + "; ".join(f"{name} ({reason})" for name, reason in refused) + ".", ""]
    if larger:
        lines[6:6] = [f"Larger in Martlet: {', '.join(row[0] for row in larger)}.", ""]
    if absent:
        lines += [
            "Not prepared by Martlet: "
            + "; ".join(f"{name} ({reason})" for name, reason in absent) + ".", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
