"""Tries changes of `CALIBRATION` in export/objects.py, and prints them by decreasing sum of the measures.

    python -m evaluate.tune --data DATA --model ../localizer.tflite [--sources SOURCE...]
"""

import itertools

from evaluate import decode
from evaluate.measures import measures
from evaluate.network import Network, maps, parser


def tune(network, data, sources):
    """Tries scales and shifts of the object logits, for the two finer levels and the two coarser."""
    entries = list(maps(network, data, sources))
    tried = list(itertools.product((0.8, 1, 1.25), (-0.5, 0, 0.5)))
    results = []
    for fine, coarse in itertools.product(tried, tried):
        levels = [fine, fine, coarse, coarse]
        found = []
        for row, out in entries:
            logits = [l * [factor, 1] + [shift, 0]
                      for l, (factor, shift) in zip(out[0::2], levels, strict=True)]
            out = [part for pair in zip(logits, out[1::2]) for part in pair]
            found.append((row, *decode.objects(out)))
        results.append((*measures(found), *fine, *coarse))
    for result in sorted(results, key=lambda r: -sum(r[:3])):
        print("prominent first {:.3f}  capped recall@5 {:.3f}  AP50 {:.3f}  "
              "finer levels * {:.2f} {:+.1f}  coarser * {:.2f} {:+.1f}".format(*result))


def main():
    options = parser(__doc__)
    options.add_argument("--model", required=True)
    options = options.parse_args()
    tune(Network(options.model), options.data, options.sources)



if __name__ == "__main__":
    main()
