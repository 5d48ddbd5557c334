#!/usr/bin/env python3
"""Compare the speed of object detection in image files with MediaPipe's.

    compare_detect.py BENCH MARTLET MODEL IMAGE... [--rounds N] [--runs N] [--cold]

BENCH and MARTLET are the programs built by `swift build -c release`, MODEL a detector with
metadata for MediaPipe Tasks, as `coco_ssd_mobilenet_v1`. Needs mediapipe.

Both decode each image and detect up to five objects in it, alternately, in N rounds (default 3).
Normally both are warm, and a round's time is the median of at least thirty runs; ours also
classifies the objects, as MediaPipe's does. With --cold each run is a new process, N runs each
(default 30). Prints milliseconds, and MediaPipe's time over ours: above one, ours is faster.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MIN_RUNS = 30


def detector(model):
    """MediaPipe's detector and its reader of files, as functions."""
    import mediapipe
    from mediapipe.tasks.python import BaseOptions, vision

    options = vision.ObjectDetectorOptions(
        base_options=BaseOptions(model_asset_path=model), max_results=5)
    detector = vision.ObjectDetector.create_from_options(options)
    return detector.detect, mediapipe.Image.create_from_file


def theirs(detect, read, path, of=statistics.median):
    """MediaPipe's median run in milliseconds, with and without decoding. `of` replaces the median."""
    whole, detected = [], []
    for _ in range(MIN_RUNS + 3):
        start = time.perf_counter()
        image = read(path)
        decoded = time.perf_counter()
        detect(image)
        end = time.perf_counter()
        whole.append(end - start)
        detected.append(end - decoded)
    return of(whole[3:]) * 1000, of(detected[3:]) * 1000


def ours(bench, path, stage, threads, of="median_ms"):
    """Our time in milliseconds, by default the median, of each row of a stage of `bench`."""
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.basename(path)
        shutil.copy(path, folder)
        result = subprocess.run(
            [bench, "--images", folder, "--filter", f"{stage}/{name}", "--threads", str(threads),
             "--json", "-"], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [row[of] for row in json.loads(result.stdout)["results"]]


def cold(command, runs):
    """The median time of a process in milliseconds."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bench")
    parser.add_argument("martlet")
    parser.add_argument("model")
    parser.add_argument("images", nargs="+")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_intermixed_args()
    if arguments.once:
        detect, read = detector(arguments.model)
        for path in arguments.images:
            print(detect(read(path)))
        sys.stdout.flush()
        os._exit(0)
    if arguments.cold:
        for path in arguments.images:
            mine = cold([arguments.martlet, "detect", "--multiple", "--classify", "--min-score", "0.03", "--all-boxes", path],
                        arguments.runs)
            other = cold([sys.executable, os.path.abspath(__file__), arguments.bench,
                          arguments.martlet, arguments.model, path, "--once"], arguments.runs)
            print(f"{path}: process: MediaPipe {other:.1f}, ours {mine:.1f}, "
                  f"ratio {other / mine:.2f}", flush=True)
        return 0
    detect, read = detector(arguments.model)
    for path in arguments.images:
        rounds = [theirs(detect, read, path)
                  + tuple(ours(arguments.bench, path, "detect", threads)[0] for threads in (1, 2))
                  for _ in range(arguments.rounds)]
        whole, only, one, two = (statistics.median(times) for times in zip(*rounds))
        print(f"{path}: MediaPipe {whole:.2f} ({only:.2f} without decoding), ours {one:.2f} on "
              f"one thread, ratio {whole / one:.2f}, {two:.2f} on two, ratio {whole / two:.2f}",
              flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
