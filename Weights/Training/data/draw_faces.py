"""Draws heads with exact labels, in parts of 2,000 images.

    python -m data.draw_faces crops  --generator GENERATOR --backgrounds LIST --out FACES --parts 0 20
    python -m data.draw_faces scenes --generator GENERATOR --backgrounds LIST --out FACES --parts 0 6

GENERATOR is the folder of `facegen.py`, which also needs Pillow and numba. LIST is a text file of images
without people, one per line. Part n is `crops-n.npy`, bytes [count, side, side, 3], and `crops-n.npz`,
its labels (`pack_crops`, `pack_scenes`). Existing parts are kept. An image's number determines its
content, so drawing can be interrupted and resumed.
"""

import argparse
import os
import sys
import time
from pathlib import Path

import numpy as np

PART = 2000
CROP, SCENE = 192, 320
SCENES_FROM = 10_000_000  # first seed of scenes, above those of crops
SUBPIXELS = 32  # points are stored in 1/32 pixel


def points(values):
    """Pixel coordinates as integers, in 1/32 pixel."""
    return np.round(np.array(values, np.float64) * SUBPIXELS).clip(-32768, 32767).astype(np.int16)


def pack_crops(labels):
    """Labels of images with one face each. mesh [n, 468, 2] and z [n, 468] in 1/32 pixel, z towards the back; visible
    [n, 59] bits; six [n, 6, 2] key points; euler [n, 3] degrees X, Y, Z; closure [n, 2] of the left
    and right eye, 0 open; smile [n], degree 0...1; covered [n], hidden share of the mesh."""
    faces = [label["faces"][0] for label in labels]
    mesh = points([f["mesh"] for f in faces]).reshape(-1, 468, 2)
    z = -np.array([f["meshZ"] for f in faces])
    seen = np.array([[c == "1" for c in f["visible"]] for f in faces])
    return {
        "mesh": mesh, "z": points(z - z.mean(1, keepdims=True)), "visible": np.packbits(seen, 1),
        "six": points([f["keypoints"] for f in faces]),
        "euler": np.array([[f["euler"][a] for a in "XYZ"] for f in faces], np.float32),
        "closure": np.array([[f["leftEyeClosure"], f["rightEyeClosure"]] for f in faces], np.float32),
        "smile": np.array([f["smileDegree"] for f in faces], np.float32),
        "covered": np.array([1 - f["visibleShare"] for f in faces], np.float32),
        "sunglasses": np.array([f["glasses"] == "sun" for f in faces]),
    }


def pack_scenes(labels):
    """Labels of images with any number of faces. The faces of image i are those from `first[i]` to
    `first[i + 1]`. box [m, 4] x, y, width, height around the mesh, six [m, 6, 2] key points, both in 1/32
    pixel; euler; seen [m], visible share of the mesh; size [n, 2], width and height of the image, which
    lies at the top left."""
    faces = [face for label in labels for face in label["faces"]]
    count = np.cumsum([0] + [len(label["faces"]) for label in labels])
    return {
        "size": np.array([[label["width"], label["height"]] for label in labels], np.int16),
        "first": count.astype(np.int32),
        "box": points([f["boxMesh"] for f in faces]).reshape(-1, 4),
        "six": points([f["keypoints"] for f in faces]).reshape(-1, 6, 2),
        "euler": np.array([[f["euler"][a] for a in "XYZ"] for f in faces], np.float32).reshape(-1, 3),
        "seen": np.array([f["visibleShare"] for f in faces], np.float32),
    }


def draw(kind, facegen, assets, backgrounds, part, out):
    side = CROP if kind == "crops" else SCENE
    pixels, labels = np.zeros((PART, side, side, 3), np.uint8), []
    for i in range(PART):
        seed = part * PART + i
        if kind == "crops":
            # So 1.5 times the face's box is 100 to 190 pixels.
            share = np.random.default_rng([seed, 1]).uniform(0.3, 0.56)
            image, label = facegen.generate(assets, seed, side, backgrounds, share=share)
        else:
            image, label = facegen.scene(assets, SCENES_FROM + seed, side, backgrounds)
        image = np.asarray(image)
        pixels[i, : image.shape[0], : image.shape[1]] = image
        labels.append(label)
    pack = pack_crops if kind == "crops" else pack_scenes
    path = out / f"{kind}-{part}.npy"
    np.savez(path.with_suffix(".npz"), **pack(labels))
    np.save(out / "drawing.npy", pixels)
    (out / "drawing.npy").rename(path)


class Drawn:
    """All parts of a kind: pixels by number, labels by name."""

    def __init__(self, folder, kind):
        parts = sorted(Path(folder).glob(f"{kind}-*.npy"), key=lambda p: int(p.stem.split("-")[1]))
        self._pixels = [np.load(path, mmap_mode="r") for path in parts]
        self._labels = [np.load(path.with_suffix(".npz")) for path in parts]

    def __len__(self):
        return PART * len(self._pixels)

    def __getitem__(self, index):
        return self._pixels[index // PART][index % PART]

    def label(self, name):
        return np.concatenate([labels[name] for labels in self._labels])

    def first_faces(self):
        """`first` of `pack_scenes`, over all parts."""
        parts, start = [np.zeros(1, np.int64)], 0
        for labels in self._labels:
            parts.append(start + labels["first"][1:].astype(np.int64))
            start = parts[-1][-1]
        return np.concatenate(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kind", choices=["crops", "scenes"])
    parser.add_argument("--generator", required=True, type=Path)
    parser.add_argument("--backgrounds", required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--parts", type=int, nargs=2, required=True, metavar=("FIRST", "END"))
    options = parser.parse_args()

    os.environ.setdefault("NUMBA_CACHE_DIR", str(options.out / "numba"))
    sys.path.insert(0, str(options.generator))
    import facegen
    import head

    options.out.mkdir(parents=True, exist_ok=True)
    assets, backgrounds = head.Assets(), facegen.Backgrounds(options.backgrounds)
    for part in range(*options.parts):
        if not (options.out / f"{options.kind}-{part}.npy").exists():
            started = time.process_time()
            draw(options.kind, facegen, assets, backgrounds, part, options.out)
            seconds = (time.process_time() - started) / PART
            print(f"{options.kind} {part}: {seconds:.3f} s per image", flush=True)


if __name__ == "__main__":
    main()
