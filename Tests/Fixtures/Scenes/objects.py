"""Writes NAME.jpg from the rendered image, and objects.json from the masks of its objects.

    python3 objects.py FOLDER SCENE.pov...

A box contains every pixel that the object would cover without occlusion. Names and
categories come from the comments `// object: NAME, CATEGORY` above each Thing of a scene.
"""
import json
import pathlib
import re
import sys

from PIL import Image

masks = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
path = here / "objects.json"
scenes = json.loads(path.read_text()) if path.exists() else {}
for scene in sys.argv[2:]:
    name = pathlib.Path(scene).stem
    image = Image.open(masks / f"{name}.png").convert("RGB")
    image.save(here / f"{name}.jpg", quality=90, optimize=True)
    objects = []
    pattern = r"^// object: (.+), (.+)\nThing\((\d+)"
    for title, category, index in re.findall(pattern, (here / scene).read_text(), re.M):
        alpha = Image.open(masks / f"{name}-{index}.png").getchannel("A")
        left, top, right, bottom = alpha.point(lambda value: 255 * (value > 127)).getbbox()
        objects.append({
            "name": title, "category": category,
            "box": {"x": left, "y": top, "width": right - left, "height": bottom - top}})
    scenes[f"{name}.jpg"] = {
        "width": image.width, "height": image.height, "objects": objects}
path.write_text(json.dumps(scenes, indent=1, sort_keys=True) + "\n")
