"""Packs the data for a machine that only trains, such as one with a GPU, and unpacks it there.

    python -m train.shards pack   --data DATA --cache CACHE --shards SHARDS --megabytes 48
    python -m train.shards unpack --data DATA --cache CACHE --shards SHARDS   # for each part that arrives
    python -m train.shards views  --data DATA --cache CACHE --shards SHARDS   # once all images are there

SHARDS gets the images as WebP, in files of at most so many megabytes, and `rest.zip`: lists, annotations, the teachers'
answers, and cutouts. The other machine needs neither teachers nor images. Pixels differ slightly from those that the
teachers saw.
"""

import argparse
import json
import zipfile
from pathlib import Path

import cv2
import numpy as np

from data.answers import VIEW_SIZE, ViewAnswers, in_parts
from data.images import Images
from data.scenes import Scenes

QUALITY = 72
LISTS = ["coarse/labels.csv", "boxes/annotations.json", "more/pictures.csv", "more/boxes.json", "gathered/images.csv",
         "faces/annotations.json", "scenes/teacher_boxes.jsonl", "teacher/boxes.jsonl", "teacher/labeler_*.npz"]
CACHED = ["pixels.json", "crop_targets.npz", "views.json", "views_answers.bin", "cut_outs.npz"]


def pack(data, cache, shards, megabytes):
    shards.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(shards / "rest.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for path in [path for pattern in LISTS for path in sorted(data.glob(pattern))]:
            out.write(path, f"data/{path.relative_to(data)}")
        for name in CACHED:
            if (cache / name).exists():
                out.write(cache / name, f"cache/{name}")
    images, number, names, parts, size = Images(data, cache), 0, [], [], 0
    for file in images:
        names.append(file)
        parts.append(_webp(data / file, images[file]))
        size += len(parts[-1])
        if size >= megabytes * 1_000_000:
            _write(shards / f"images-{number}.npz", names, parts)
            number, names, parts, size = number + 1, [], [], 0
    _write(shards / f"images-{number}.npz", names, parts)


def _webp(path, image):
    """The bytes of the file, if it is WebP, or of a new one."""
    if path.suffix == ".webp":
        return np.fromfile(path, np.uint8)
    return cv2.imencode(".webp", image[..., ::-1], [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].ravel()


def _write(path, names, parts):
    np.savez(path, names=np.array(names), ends=np.cumsum([len(part) for part in parts]), bytes=np.concatenate(parts))


def unpack(data, cache, shards, processes):
    for folder in (data, cache):
        folder.mkdir(parents=True, exist_ok=True)
    if (shards / "rest.zip").exists():
        with zipfile.ZipFile(shards / "rest.zip") as rest:
            for name in rest.namelist():
                path = (data if name.startswith("data/") else cache) / name.split("/", 1)[1]
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(rest.read(name))
    places = json.loads((cache / "pixels.json").read_text())
    length = max(offset + 3 * height * width for offset, height, width in filter(None, places.values()))
    with open(cache / "pixels.bin", "ab") as file:
        file.truncate(length)
    pixels = np.memmap(cache / "pixels.bin", np.uint8, "r+")
    for path in sorted(shards.glob("images-*.npz")):
        shard = np.load(path)
        names, ends, content = shard["names"], shard["ends"], shard["bytes"]

        def decode(i, names=names, ends=ends, content=content):
            offset, height, width = places[str(names[i])]
            image = cv2.imdecode(content[ends[i - 1] if i else 0 : ends[i]], cv2.IMREAD_COLOR)
            pixels[offset : offset + 3 * height * width] = image[..., ::-1].ravel()

        in_parts(range(len(names)), processes, decode)
        print(f"{path.name}: {len(names)} images", flush=True)


def compute_views(data, cache, processes):
    """The pixels of the views, from the images."""
    scenes = Scenes(data, cache)
    answers = ViewAnswers(scenes.keys(), cache)
    in_parts(range(len(scenes.views)), processes, lambda index: answers.show(index, scenes.view(index, VIEW_SIZE)))
    print(f"{len(scenes.views)} views", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["pack", "unpack", "views"])
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--cache", required=True, type=Path)
    parser.add_argument("--shards", required=True, type=Path)
    parser.add_argument("--megabytes", type=float, default=48)
    parser.add_argument("--processes", type=int, default=8)
    options = parser.parse_args()
    if options.command == "pack":
        pack(options.data, options.cache, options.shards, options.megabytes)
    elif options.command == "unpack":
        unpack(options.data, options.cache, options.shards, options.processes)
    else:
        compute_views(options.data, options.cache, options.processes)


if __name__ == "__main__":
    main()
