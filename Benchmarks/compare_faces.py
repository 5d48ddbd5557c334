#!/usr/bin/env python3
"""Compare finding the face in an image file here with MediaPipe's face landmarker.

    compare_faces.py BENCH IMAGE... [--rounds N]

BENCH is the program that `swift build -c release --product bench` makes; each IMAGE shows one
face. Needs mediapipe 0.10.21, whose package holds the networks of its landmarker: a face detector
and a mesh of 468 points. Ours tells these too, and whether eyes are open and the face smiles.

Both decode each image and look at its face, by turns, N rounds long (default 9), on one thread:
MediaPipe's networks have one here, and the steps of its graph wait for each other. It is not held to
one core, where handing over from thread to thread would cost it time. Networks are warm; a round's
time is that of the fastest of at least thirty runs, for MediaPipe's steps suffer more than ours from
whatever else the machine does, and the median round is reported. In milliseconds, and MediaPipe's
over ours: above one, ours is faster.
"""
import argparse
import statistics
import sys

from compare_detect import ours, theirs


def landmarker():
    """MediaPipe's landmarker as a function, and the usual way of reading its images."""
    import cv2
    from mediapipe.python.solutions.face_mesh import FaceMesh

    mesh = FaceMesh(static_image_mode=True, max_num_faces=1, refine_landmarks=False)
    return mesh.process, lambda path: cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("bench")
    parser.add_argument("images", nargs="+")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_intermixed_args()
    look, read = landmarker()
    for path in arguments.images:
        if len(look(read(path)).multi_face_landmarks or []) != 1:
            sys.exit(f"{path}: MediaPipe finds no face")
        rounds = [(*theirs(look, read, path, of=min),
                   *ours(arguments.bench, path, "faces", 1, of="min_ms"))
                  for _ in range(arguments.rounds)]
        their_whole, their_look, *modes = (statistics.median(times) for times in zip(*rounds))
        named = zip(("fast", "accurate", "accurate, small faces"), modes[::2], modes[1::2], strict=True)
        for mode, whole, looked in named:
            print(f"{path}: MediaPipe {their_whole:.2f}, ours {mode} {whole:.2f}, "
                  f"ratio {their_whole / whole:.2f}; without decoding {their_look:.2f}, "
                  f"{looked:.2f}, ratio {their_look / looked:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
