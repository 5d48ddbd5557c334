#!/usr/bin/env python3
"""Compare the speed of face detection in image files with MediaPipe's face landmarker.

    compare_faces.py BENCH IMAGE... [--rounds N]

BENCH is the program built by `swift build -c release --product bench`; each IMAGE shows one face.
Needs mediapipe 0.10.21, whose package contains the landmarker's networks: a face detector and a
mesh of 468 points. Ours also estimates whether eyes are open and the face smiles.

Both decode each image and detect its face, alternately, in N rounds (default 9), on one thread.
MediaPipe's networks use one thread, and the steps of its graph wait for each other. It is not
pinned to one core, because switching threads there would slow it. Both are warm. A round's time
is the fastest of at least thirty runs, because MediaPipe's graph suffers more from other load; the
median round is reported. Prints milliseconds, and MediaPipe's time over ours: above one, ours is
faster.
"""
import argparse
import statistics
import sys

from compare_detect import ours, theirs


def landmarker():
    """MediaPipe's landmarker and the usual reader of its images, as functions."""
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
    detect, read = landmarker()
    for path in arguments.images:
        if len(detect(read(path)).multi_face_landmarks or []) != 1:
            sys.exit(f"{path}: MediaPipe detects no face")
        rounds = [(*theirs(detect, read, path, of=min),
                   *ours(arguments.bench, path, "faces", 1, of="min_ms"))
                  for _ in range(arguments.rounds)]
        their_whole, their_detection, *modes = (statistics.median(times) for times in zip(*rounds))
        named = zip(("fast", "accurate", "accurate, small faces"), modes[::2], modes[1::2], strict=True)
        for mode, whole, detection in named:
            print(f"{path}: MediaPipe {their_whole:.2f}, ours {mode} {whole:.2f}, "
                  f"ratio {their_whole / whole:.2f}; without decoding {their_detection:.2f}, "
                  f"{detection:.2f}, ratio {their_detection / detection:.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
