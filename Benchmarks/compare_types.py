#!/usr/bin/env python3
"""Compare the combinations of types that operators run with those that LiteRT runs.

    compare_types.py MARTLET [--table FILE] [OPERATOR ...]

MARTLET is the program built by `swift build -c release --product martlet`. OPERATORs select operators by name. Needs
ai-edge-litert 2.3.0, flatbuffers and numpy.

`Tests/Fixtures/type_variants.py` builds the models. LiteRT runs each with its reference (r), optimized (o) and XNNPACK
(x) kernels, in a process of its own, and `martlet conformance` compares with each of the three. Prints a line for each
operator, and the rows without a reason: rows that only LiteRT runs, and rows whose results differ from all of LiteRT's.
Exits with 1 if there are any. The reasons are those of `DifferencesFromLiteRT.md`. `--table` writes all rows that
either runs.
"""
import argparse
import collections
import concurrent.futures
import itertools
import json
import math
import multiprocessing
import os
import re
import resource
import subprocess
import sys
import tempfile

import numpy
from ai_edge_litert.interpreter import Interpreter, OpResolverType

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "Sources/Inference/MartletInference/MartletInference.docc/DifferencesFromLiteRT.md")
sys.path.insert(0, os.path.join(ROOT, "Tests", "Fixtures"))
from tables import content
from type_variants import bases, variants

KERNELS = {"r": OpResolverType.BUILTIN_REF, "o": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
           "x": OpResolverType.AUTO}
# Reasons of rows that only LiteRT runs, or that differ: patterns of lines of the table, and texts of the page.
RECURRENT = "(SVDF|RNN|LSTM|[A-Z]+DIRECTIONAL_SEQUENCE_(RNN|LSTM))"
# The types of recurrent operators for which there is no such reason.
FLOATS = ("(input )?float32, (weights )?(float32|int8), (int8, |float32, )?(vectors int8, )?(vectors )?(float32|-), "
          "(state )?float32 > float32")
BYTES = ("input int8, weights int8, (vectors int16, )?vectors int32, state int8, state int16 > int8|"
         "int8, int8, int16, (int32|-), int16 > int8")
REASONS = [
    (r".*float16.* \| x \| (?!runs)", "only XNNPACK computes them"),
    (rf"{RECURRENT} (?!{FLOATS}|{BYTES}).* \| [rox]+ \| (?!runs)",
     "Only the types of the input and of the first weights are looked at"),
    (r"BATCH_MATMUL float32, int8\*? > float32 .*\| runs \|", "| BATCH_MATMUL, float32 x int8 |"),
    (r"CONV_2D (float32|int16), int2, .*\| runs \|", "| CONV_2D of float32 or int16 with int2 weights |"),
    (r"PAD(V2)? .*int16.* \| int16 \|", "Numbers of padded elements (PAD, PADV2) of types other than int32 and int64"),
    (r"(DEQUANTIZE|EMBEDDING_LOOKUP) .*the quantization of input \d is missing", "of a tensor without scales"),
    (r"BROADCAST_TO int4, .*\| runs \|", "| BROADCAST_TO of int4 |"),
    (r"GATHER int4, .*\| runs \|", "| GATHER of int4 in rows of an odd number |"),
    (r"DEPTHWISE_CONV_2D float32, int8, .*\| runs \|", "| DEPTHWISE_CONV_2D, float32 with int8 weights that have one scale |"),
    (r"DEPTHWISE_CONV_2D int16, int[24].*\| runs \|", "| DEPTHWISE_CONV_2D of int16 with int4 or int2 weights |"),
    (r"MATRIX_(SET_)?DIAG (?!float32|uint8|int(8|16|32|64)).*\| runs \|", "| MATRIX_DIAG and MATRIX_SET_DIAG of"),
    (r"SVDF int8, .*, u?int8 > u?int8 .*\| runs \|", "| SVDF with a state of int8 |"),
    (r"TFLITE_DETECTION_POSTPROCESS .*\| runs \|", "| TFLite_Detection_PostProcess | Rows after the last detection"),
    (r"MAXPOOLINGWITHARGMAX2D .*\| runs \|", "| MaxPoolingWithArgmax2D |"),
    (r"MAXUNPOOLING2D .*\| runs \|", "| MaxUnpooling2D with taps |"),
    (r"BIDIRECTIONAL_SEQUENCE_RNN .*weights int8.*time_major\) .*\| runs \|",
     "| BIDIRECTIONAL_SEQUENCE_RNN, float32 with weights of bytes, time first |"),
    (r"BIDIRECTIONAL_SEQUENCE_RNN .*weights int8.*(auxiliary|backward_input)\) .*\| runs \|",
     "| BIDIRECTIONAL_SEQUENCE_RNN with a second input |"),
]


def serve(pipe):
    """Runs models in LiteRT, in a process that these may end."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    while True:
        model, inputs, kernels = pipe.recv()
        try:
            interpreter = Interpreter(model_content=model, experimental_op_resolver_type=KERNELS[kernels], num_threads=1)
            interpreter.allocate_tensors()
            for detail, (_, values) in zip(interpreter.get_input_details(), inputs):
                interpreter.set_tensor(detail["index"], values)
            interpreter.invoke()
            arrays = [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]
            names = ["string" if a.dtype.kind in "OS" else a.dtype.name for a in arrays]
            pipe.send([(n, list(a.shape), content(a, n)) for n, a in zip(names, arrays)])
        except Exception:
            pipe.send("refuses")


class LiteRT:
    """LiteRT in another process, replaced if it ends."""

    def __init__(self):
        self.child, self.served = None, 0

    def run(self, *request):
        """The outputs, `refuses`, or `crashes` if a new process ends or takes longer than five seconds too."""
        while True:
            if not self.child:
                context = multiprocessing.get_context("fork")
                self.pipe, other = context.Pipe()
                self.child, self.served = context.Process(target=serve, args=(other,), daemon=True), 0
                self.child.start()
                other.close()
            try:
                self.pipe.send(request)
                if self.pipe.poll(5):
                    self.served += 1
                    return self.pipe.recv()
            except (EOFError, OSError):
                self.served -= 1
            if self.stop() <= 0:
                return "crashes"

    def stop(self):
        self.child.kill()
        self.child.join()
        self.pipe.close()
        self.child = None
        return self.served


def measure(martlet, operator, found, palette, results):
    """The rows of an operator: label, the kernels of LiteRT that run it, Martlet's error, the difference."""
    litert, rows, entries = LiteRT(), [], []
    with tempfile.TemporaryDirectory() as folder:
        for number, (label, model, inputs, base) in enumerate(variants(found, palette, results)):
            answers = {k: litert.run(model, inputs, k) for k in KERNELS}
            given, raw = listed([(n, list(v.shape), content(v, n if n == "string" else v.dtype)) for n, v in inputs])
            ran = {k: a for k, a in answers.items() if not isinstance(a, str)}
            for which, answer in enumerate(ran.values() or [[]]):
                entry = {"id": f"{number}_{which}", "op": operator, "variant": "", "steps": 1, "inputs": given}
                entry["outputs"], wanted = listed(answer)
                entry["tolerance"], entry["model"] = [{"atol": 1e300}] * len(answer), entry["id"] + ".tflite"
                if "compare_rows" in base.entry:
                    entry["compare_rows"] = base.entry["compare_rows"]
                entries.append((entry, max(map(tolerance, answer), default=0)))
                for ending, data in ((".tflite", model), (".in", raw), (".out", wanted)):
                    with open(os.path.join(folder, entry["id"] + ending), "wb") as file:
                        file.write(data)
            rows.append((label, "".join(ran) or ("crashes" if "crashes" in answers.values() else "")))
        if litert.child:
            litert.stop()
        with open(os.path.join(folder, "manifest.json"), "w") as file:
            json.dump({"cases": [entry for entry, _ in entries]}, file)
        path = os.path.join(folder, "results.json")
        subprocess.run([martlet, "conformance", folder, "--json", path, "--threads", "1"], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        with open(path) as file:
            outcomes = collections.defaultdict(list)
            for result, (_, most) in zip(json.load(file), entries):
                outcomes[int(result["id"].split("_")[0])].append((result, most))
    return [(*row, *judged(outcomes[number])) for number, row in enumerate(rows)]


def judged(outcomes):
    """Martlet's error, if it refuses, and the least difference, if it runs: 0 if it equals one of LiteRT's."""
    least, error = None, ""
    for result, most in outcomes:
        difference = result.get("largestDifference", math.inf) or 0
        if result["outcome"] != "passed" and not re.match(r"output \d+ element", result["reason"]):
            error = result["reason"]
        else:
            difference = math.inf if result.get("largestDifference", math.inf) is None else difference
            least = min(math.inf if least is None else least, 0 if difference <= most else difference)
    return error, least


def listed(arrays):
    """Tensors as in a manifest, and their bytes."""
    ends = list(itertools.accumulate(len(raw) for *_, raw in arrays))
    return [{"dtype": name, "shape": shape, "offset": end - len(raw), "nbytes": len(raw)}
            for (name, shape, raw), end in zip(arrays, ends)], b"".join(raw for *_, raw in arrays)


def tolerance(array):
    """The difference between floats that counts as none."""
    name, _, raw = array
    if not name.startswith(("float", "complex")):
        return 0
    values = numpy.abs(numpy.frombuffer(raw, name.replace("complex64", "float32")).astype(float))
    return (1e-3 if name == "float16" else 1e-5) * values[numpy.isfinite(values)].max(initial=0)


def reasons():
    """The patterns of rows that have a reason: those above, and the page's table of types that LiteRT does not check."""
    with open(PAGE) as file:
        page = file.read()
    for _, text in REASONS:
        if text not in " ".join(page.split()):
            sys.exit(f"{PAGE} does not say: {text}")
    table = page[page.index("## Types that LiteRT does not check"):]
    unchecked = re.findall(r"^\| ([A-Za-z0-9_, ]+) \| ((?:input|output) \d+) \|", table[:table.index("\n## ")], re.M)
    return [pattern for pattern, _ in REASONS] + [
        rf"({operators.upper().replace(', ', '|')}) .*({place} is \w+, expected .*|\| (?!runs)\w+ \| )$"
        for operators, place in unchecked]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("martlet")
    parser.add_argument("operators", nargs="*")
    parser.add_argument("--table")
    arguments = parser.parse_intermixed_args()
    patterns, (found, palette, results) = reasons(), bases()
    chosen = [o for o in sorted(found) if o in arguments.operators or not arguments.operators]
    table, totals, open_rows = [], collections.Counter(), []
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), multiprocessing.get_context("fork")) as pool:
        work = [pool.submit(measure, arguments.martlet, o, found[o], palette, results) for o in chosen]
        for operator, future in zip(chosen, work):
            counts = collections.Counter()
            for label, kernels, error, difference in future.result():
                runs = kernels not in ("", "crashes")
                kind = ("both" if runs else "Martlet alone") if not error else "LiteRT alone" if runs else "neither"
                line = f"{label} | {kernels or 'refuses'} | {error or 'runs'} | "
                line += "equal" if difference == 0 else f"{difference:g}" if kind == "both" else ""
                counts[kind] += 1
                counts["differ"] += kind == "both" and difference != 0
                counts["crash LiteRT"] += kernels == "crashes"
                if kind != "neither":
                    table.append(line)
                if (kind == "LiteRT alone" or kind == "both" and difference != 0) and not any(
                        re.match(pattern, line) for pattern in patterns):
                    open_rows.append(line)
            totals += counts
            print(f"{operator:32}" + ", ".join(f"{n} {kind}" for kind, n in sorted(counts.items()) if n), flush=True)
    print(f"{'all':32}" + ", ".join(f"{n} {kind}" for kind, n in sorted(totals.items())))
    if arguments.table:
        with open(arguments.table, "w") as file:
            file.write("\n".join(["operator, types | LiteRT | Martlet | difference", *table]) + "\n")
    print("\n".join(["rows without a reason:", *open_rows]) if open_rows else "each row has a reason")
    return 1 if open_rows else 0


if __name__ == "__main__":
    sys.exit(main())
