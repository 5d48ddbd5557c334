"""Renders table.mjpeg and writes the true boxes of its objects to table.json.

    python3 table.py        (needs POV-Ray 3.7 and Pillow 13.0; two minutes)

A box contains every pixel that the object would cover without occlusion.
"""
import io
import json
import pathlib
import subprocess
import tempfile

from PIL import Image

FRAMES, OBJECTS = 48, 3
here = pathlib.Path(__file__).parent


def rendered(folder, frame, *options):
    path = f"{folder}/frame.png"
    words = [here / "table.pov", f"+L{here.parent}/Scenes", f"+K{frame / (FRAMES - 1)}", "+W256", "+H192", "+WT1", "-D"]
    subprocess.run(["povray", *words, f"+O{path}", *options], check=True, stderr=subprocess.DEVNULL)
    return Image.open(path)


def box(folder, frame, index):
    mask = rendered(folder, frame, f"Declare=Only={index}", "+Q1", "-A", "+UA").getchannel("A")
    left, top, right, bottom = mask.point(lambda value: 255 * (value > 127)).getbbox()
    return [left, top, right - left, bottom - top]


video, boxes = io.BytesIO(), []
with tempfile.TemporaryDirectory() as folder:
    for frame in range(FRAMES):
        rendered(folder, frame, "+A0.2", "+R2").convert("RGB").save(video, "JPEG", quality=60, optimize=True)
        boxes.append([box(folder, frame, index) for index in range(1, OBJECTS + 1)])
(here / "table.mjpeg").write_bytes(video.getvalue())
(here / "table.json").write_text("[\n" + ",\n".join(f" {json.dumps(row)}" for row in boxes) + "\n]\n")
