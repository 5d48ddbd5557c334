"""Runs a detector that selects its boxes itself (TFLite_Detection_PostProcess), as evaluate/localizer.py does.

    python -m evaluate.peer --data DATA --model DETECTOR.tflite --out peer.jsonl
"""

from evaluate.network import Network, line, maps, parser, report_boxes


def peer_lines(network, data, sources):
    for row, (boxes, _, scores, count) in maps(network, data, sources):
        kept = slice(int(count))
        yield line(row, boxes[kept][:, [1, 0, 3, 2]].clip(0, 1), scores[kept])


def main():
    options = parser(__doc__)
    options.add_argument("--model", required=True)
    options.add_argument("--out", required=True)
    options = options.parse_args()
    report_boxes(list(peer_lines(Network(options.model), options.data, options.sources)), options)



if __name__ == "__main__":
    main()
