"""Runs a localizer on annotated images, writes its objects, and prints its three measures.

    python -m evaluate.localizer --data DATA --model ../localizer.tflite --out boxes.jsonl

With `--sources` it runs on all images of these sources ("late": those that data/scenes.py lists).
"""

from evaluate import decode
from evaluate.network import Network, line, maps, parser, report_boxes


def main():
    options = parser(__doc__)
    options.add_argument("--model", required=True)
    options.add_argument("--out", required=True)
    options = options.parse_args()
    found = maps(Network(options.model), options.data, options.sources)
    report_boxes([line(row, *decode.objects(out)) for row, out in found], options)



if __name__ == "__main__":
    main()
