"""Computes the teachers' boxes in the localizer's views.

    python -m teachers.views --data DATA --cache CACHE --models MODELS --further FURTHER

What the cache has is not computed again. One view costs 80 ms of a core.
"""

import argparse

from data import augment
from data.answers import VIEW_SIZE, ViewAnswers, in_parts
from data.scenes import Scenes
from teachers.fused import Fused, Shipped

TEACHER_SIZE = 416  # side of a view in pixels, for the teachers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--models", required=True, help="folder of the teachers")
    parser.add_argument("--further", required=True, help="folder of the further teachers")
    parser.add_argument("--teacher", help="a localizer that is the only teacher, instead of the four detectors")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    scenes = Scenes(options.data, options.cache)
    answers = ViewAnswers(scenes.keys(), options.cache, "shipped_views" if options.teacher else "views")
    teacher = (Shipped(options.teacher) if options.teacher else
               Fused(options.data, options.cache, options.models, options.further))

    def compute(index):
        view = scenes.view(index, TEACHER_SIZE)
        answers[index] = augment.resize(view, VIEW_SIZE), teacher(view)

    in_parts([i for i in range(len(scenes.views)) if i not in answers], options.processes, compute)


if __name__ == "__main__":
    main()
