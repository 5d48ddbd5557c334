"""Scores a linear layer on the classifier's three teachers, as evaluate/classifier.py scores a network.

    python -m evaluate.linear --data DATA --cache CACHE --models MODELS --sources SOURCE... --out o.jsonl

The layer is fitted to the labeled crops of all other sources.
"""

from data.crops import Crops
from evaluate.measures import categorized, read
from evaluate.network import coarse_line, parser, report_categories
from teachers.crops import CropTeachers
from teachers.probe import fitted_probe


def linear_lines(data, cache, models, sources):
    layer, teachers = fitted_probe(Crops(data, cache, 1, sources)), CropTeachers(cache, models)
    for row in categorized(data, sources):
        answer = teachers(read(data, row["file"]))
        yield coarse_line(row["file"], layer.categories(answer[None])[0])


def main():
    options = parser(__doc__)
    options.add_argument("--cache", required=True)
    options.add_argument("--models", required=True, help="folder of the teachers")
    options.add_argument("--out", required=True)
    options = options.parse_args()
    report_categories(list(linear_lines(options.data, options.cache, options.models, options.sources)), options)



if __name__ == "__main__":
    main()
