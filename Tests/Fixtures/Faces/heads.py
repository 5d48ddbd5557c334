#!/usr/bin/env python3
"""Draws the images of heads and the video, and writes heads.json, their exact labels.

    python heads.py GENERATOR        (needs NumPy, Pillow and numba)

GENERATOR is the folder of a program that draws random people's heads with labels (`facegen.py` and
`head.py`; geometry by MakeHuman, CC0). No living person is shown. Angles are ML Kit's, in degrees; left
and right are the subject's. `leftEyeOpen`, `rightEyeOpen` and `smiling` are 1 or 0. `mesh` has x and y of 468
points.
"""

import io
import json
import sys
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, sys.argv[1])
import facegen  # noqa: E402
import head  # noqa: E402

OPEN, CLOSED = 0.0, 1.0
SMILE = {"mouthSmileLeft": 0.9, "mouthSmileRight": 0.9, "cheekSquintLeft": 0.5, "cheekSquintRight": 0.5,
         "mouthUpperUpLeft": 0.3, "mouthUpperUpRight": 0.3}

# Each head: person, X, Y, Z, center x, y, size (brow to chin, pixels), left and right eye, smile.
IMAGES = {
    "portrait": ((480, 360), [(73, 0, 0, 0, 240, 170, 150, OPEN, OPEN, 0.9)]),
    "winking": ((480, 320), [(68, 0, 5, 0, 130, 160, 110, CLOSED, OPEN, 0.0),
                             (96, 0, -5, 0, 350, 160, 110, CLOSED, CLOSED, 0.0)]),
    "turned": ((720, 240), [(86, 0, -65, 0, 80, 110, 75, OPEN, OPEN, 0.0),
                            (85, 0, -35, 0, 220, 110, 75, OPEN, OPEN, 0.0),
                            (67, 0, 0, 0, 360, 110, 75, OPEN, OPEN, 0.0),
                            (80, 0, 35, 0, 500, 110, 75, OPEN, OPEN, 0.0),
                            (112, 0, 65, 0, 640, 110, 75, OPEN, OPEN, 0.0)]),
    "tilted": ((640, 280), [(82, 0, 0, 30, 90, 130, 85, OPEN, OPEN, 0.0),
                            (102, 0, 0, -30, 245, 130, 85, OPEN, OPEN, 0.0),
                            (111, 22, 0, 0, 400, 130, 85, OPEN, OPEN, 0.0),
                            (114, -22, 0, 0, 555, 130, 85, OPEN, OPEN, 0.0)]),
    "small": ((400, 240), [(79, 0, 10, 0, 50, 60, 16, OPEN, OPEN, 0.0),
                           (95, 0, -15, 5, 150, 70, 20, OPEN, OPEN, 0.0),
                           (116, 5, 0, -5, 260, 60, 24, OPEN, OPEN, 0.0),
                           (72, 0, 20, 0, 350, 150, 30, OPEN, OPEN, 0.0),
                           (89, 0, -10, 0, 100, 160, 36, OPEN, OPEN, 0.0)]),
}
VIDEO, FRAMES = (320, 200), 48


def wall(size, seed):
    """A background: soft light on a wall, a few boards."""
    random = np.random.default_rng(seed)
    width, height = size
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    light = 0.75 - 0.3 * np.hypot(x - random.uniform(), y - 0.2)
    image = light[..., None] * random.uniform(0.5, 0.95, 3)
    for _ in range(4):
        left, top = random.integers(0, width), random.integers(height // 2, height)
        image[top:top + 12, left:left + width // 3] *= random.uniform(0.5, 0.8, 3)
    return image.astype(np.float32).clip(0, 1)


def render(assets, canvas, person, angles, center, size, eyes, smile):
    """Draws a head on a canvas. Returns its label and its opacity."""
    random = np.random.default_rng(person)
    parts = head.draw(assets, random)
    parts["glasses"] = None
    units = {name: smile * weight for name, weight in SMILE.items() if smile}
    units |= {name: closed for name, closed in zip(("eyeBlinkLeft", "eyeBlinkRight"), eyes) if closed}
    look = {"units": units, "gaze": (0.0, 0.0), "smile": smile, "closure": eyes}
    height, width, _ = canvas.shape
    image, label = head.render(assets, random, parts, look, angles, (width, height), size, center=center, ss=3)
    colors, opaque = facegen.tone(image, label, random, 0.3)
    facegen.paste(canvas, colors, opaque, 0, 0)
    return facegen.face_label(label, width, height), opaque


def truth(label, has_mesh):
    entry = {"frame": dict(zip(("x", "y", "width", "height"), label["boxMesh"])),
            "euler": [label["euler"][axis] for axis in "XYZ"],
            "leftEyeOpen": label["leftEyeOpen"], "rightEyeOpen": label["rightEyeOpen"],
            "smiling": label["smiling"],
            "landmarks": {name: place for name, place in label["landmarks"].items()
                          if label["landmarksVisible"][name]}}
    return entry | ({"mesh": label["mesh"]} if has_mesh else {})


def encoded(canvas, quality):
    data = io.BytesIO()
    Image.fromarray((canvas * 255).round().astype(np.uint8)).save(data, "JPEG", quality=quality)
    return data.getvalue()


def video(assets):
    """Two heads that cross, and one that turns in place: JPEG images, and the place of each head."""
    data, places = b"", []
    for frame in range(FRAMES):
        canvas = wall(VIDEO, 9)
        share = frame / (FRAMES - 1)
        heads = [(106, (0, 40 * np.sin(2 * np.pi * share), 0), (160, 45), 34),
                 (70, (0, -20, 0), (270 - 220 * share, 115), 48),
                 (84, (0, 20, 0), (50 + 220 * share, 130), 58)]
        labels = []
        for person, angles, center, size in heads:
            label, opaque = render(assets, canvas, person, angles, center, size, (OPEN, OPEN), 0.0)
            mesh = np.array(label["mesh"]).reshape(-1, 2).round().astype(int)
            inside = ((mesh >= 0) & (mesh < VIDEO)).all(1)
            labels.append((label, mesh[inside], opaque))
        row = []
        for index, (label, mesh, _) in enumerate(labels):
            covers = [o[mesh[:, 1], mesh[:, 0]] > 0.5 for _, _, o in labels[index + 1:]]
            over = np.any(covers or [np.zeros(len(mesh), bool)], axis=0)
            row.append({"box": label["boxMesh"], "seen": round(1 - float(over.mean()), 2)})
        places.append(row)
        data += encoded(canvas, 75)
    return data, places


def main():
    assets, truths = head.Assets(), {}
    for seed, (name, (size, heads)) in enumerate(IMAGES.items()):
        canvas, faces = wall(size, seed), []
        for person, x, y, z, cx, cy, pixels, left, right, smile in heads:
            label, _ = render(assets, canvas, person, (x, y, z), (cx, cy), pixels, (left, right), smile)
            faces.append(truth(label, name != "small"))
        (HERE / f"{name}.jpg").write_bytes(encoded(canvas, 90))
        truths[f"{name}.jpg"] = faces
    data, places = video(assets)
    (HERE / "crossing.mjpeg").write_bytes(data)
    truths["crossing.mjpeg"] = places
    lines = [f"  {json.dumps(name)}: [\n    " + ",\n    ".join(json.dumps(f) for f in faces) + "\n  ]"
             for name, faces in truths.items()]
    (HERE / "heads.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
