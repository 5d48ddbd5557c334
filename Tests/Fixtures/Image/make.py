"""Writes golden.json: results of Pillow, OpenCV and NumPy on small seeded images.

    python3 -m pip install numpy pillow opencv-python-headless
    python3 make.py

The committed file is from numpy 2.4, pillow 13.0 and opencv 5.0.
"""
import base64
import json
import pathlib

import cv2
import numpy as np
from PIL import Image, ImageOps

random = np.random.default_rng(20240601)


def text(array):
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()


def test_image(width, height):
    """Smooth color with noise and hard edges, so that every resampling weight has an effect."""
    y, x = np.mgrid[0:height, 0:width]
    planes = [127 + 120 * np.sin(x / 5 + c) * np.cos(y / (4 + c)) for c in range(3)]
    image = np.stack(planes, -1) + random.normal(0, 12, (height, width, 3))
    image[height // 3 : height // 2, width // 4 : width // 2] = (255, 0, 255)
    return np.clip(image, 0, 255).astype(np.uint8)


def lcg(count):
    """The bytes of the large image, which the test generates as well."""
    result = np.empty(count, np.uint8)
    s = 1
    for i in range(count):
        s = (s * 1664525 + 1013904223) & 0xFFFFFFFF
        result[i] = s >> 24
    return result


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def coverage(inputs, lower, upper, count):
    """Rows of weights: the share of each input pixel in each output pixel, in double precision."""
    scale = (upper - lower) / count
    start = lower + np.arange(count)[:, None] * scale
    pixel = np.arange(inputs)[None]
    shared = np.minimum(start + scale, pixel + 1) - np.maximum(start, pixel)
    return np.maximum(shared, 0) / scale


def two_taps(inputs, lower, upper, count):
    """Rows of weights: linear between the two pixel centers around each sample, clamped at edges."""
    place = np.clip(lower + (np.arange(count) + 0.5) * (upper - lower) / count - 0.5, 0, inputs - 1)
    low = np.minimum(np.floor(place).astype(int), inputs - 1)
    high = np.minimum(low + 1, inputs - 1)
    weights = np.zeros((count, inputs))
    rows = np.arange(count)
    np.add.at(weights, (rows, low), 1 - (place - low))
    np.add.at(weights, (rows, high), place - low)
    return weights


def separable(image, box, size, weights):
    across = weights(image.shape[1], box[0], box[2], size[0])
    down = weights(image.shape[0], box[1], box[3], size[1])
    exact = np.einsum("yh,xw,hwc->yxc", down, across, image.astype(np.float64))
    return np.floor(exact + 0.5).astype(np.uint8)


def resize_cases(image):
    height, width = image.shape[:2]
    whole = (0, 0, width, height)
    boxes = [
        (whole, (16, 12)), (whole, (5, 3)), (whole, (1, 1)), (whole, (width, 9)),
        (whole, (11, height)), (whole, (width, height)), (whole, (61, 50)), (whole, (97, 8)),
        ((3, 5, 23, 17), (8, 8)), ((0.5, 1.25, 20.75, 27.5), (13, 10)),
        ((7.3, 2.9, 9.1, 4.2), (12, 9)), ((30.1, 0, 37, 29), (4, 31)),
        ((0, 0, 20, 29), (30, 20)), ((0, 0, 20, 29), (37, 20)), ((0.5, 2, 36.5, 25), (37, 20)),
        ((0.5, 2, 36.5, 25), (36, 20)),
    ]
    cases = []
    for box, size in boxes:
        # The box as the tested type computes it: floats x, y, width, height.
        x, y = np.float32(box[0]), np.float32(box[1])
        w, h = np.float32(box[2]) - x, np.float32(box[3]) - y
        edges = tuple(float(v) for v in (x, y, x + w, y + h))
        pillow = Image.fromarray(image).resize(size, Image.BILINEAR, box=edges)
        cases.append({
            "box": [float(v) for v in (x, y, w, h)], "width": size[0], "height": size[1],
            "antialiased": text(np.asarray(pillow)),
            "area": text(separable(image, edges, size, coverage)),
            "bilinear": text(separable(image, edges, size, two_taps)),
        })
        if box == whole:
            cases[-1]["cvLinear"] = text(cv2.resize(image, size, interpolation=cv2.INTER_LINEAR))
            if size[0] <= width and size[1] <= height:
                cases[-1]["cvArea"] = text(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
    return cases


def orientation_cases():
    image = random.integers(0, 256, (3, 5, 3), np.uint8)
    cases = []
    for value in range(1, 9):
        stored = Image.fromarray(image)
        stored.getexif()[0x0112] = value
        upright = np.asarray(ImageOps.exif_transpose(stored))
        cases.append({
            "orientation": value, "width": upright.shape[1], "height": upright.shape[0],
            "pixels": text(upright)})
    return {"width": 5, "height": 3, "pixels": text(image), "cases": cases}


def color_cases():
    width, height = 8, 6
    # OpenCV clamps luma below 16 to black, the formula does not.
    luma = random.integers(16, 256, (height, width), np.uint8)
    cb = random.integers(0, 256, (height // 2, width // 2), np.uint8)
    cr = random.integers(0, 256, (height // 2, width // 2), np.uint8)
    frame = np.concatenate([luma.ravel(), cb.ravel(), cr.ravel()]).reshape(-1, width)
    video = cv2.cvtColor(frame, cv2.COLOR_YUV2RGB_I420)
    wide = [np.repeat(np.repeat(plane, 2, 0), 2, 1) for plane in (cr, cb)]
    full = cv2.cvtColor(np.stack([luma, *wide], -1), cv2.COLOR_YCrCb2RGB)
    return {
        "width": width, "height": height, "luma": text(luma), "cb": text(cb), "cr": text(cr),
        "video": text(video), "full": text(full)}


def normalization_case():
    values = random.integers(0, 256, (2, 3, 3), np.uint8)
    mean = np.array([123.675, 116.28, 103.53], np.float32)
    deviation = np.array([58.395, 57.12, 57.375], np.float32)
    result = (values.astype(np.float32) - mean) * (np.float32(1) / deviation)
    return {"width": 3, "height": 2, "pixels": text(values), "floats": text(result)}


def main():
    small = test_image(37, 29)
    width, height = 1201, 907
    large = lcg(width * height * 3).reshape(height, width, 3)
    shrunk = np.asarray(Image.fromarray(large).resize((160, 160), Image.BILINEAR))
    golden = {
        "resize": {"width": 37, "height": 29, "pixels": text(small), "cases": resize_cases(small)},
        "large": {"width": width, "height": height, "fnv1a": str(fnv1a(shrunk.tobytes()))},
        "orientation": orientation_cases(),
        "color": color_cases(),
        "normalization": normalization_case(),
    }
    path = pathlib.Path(__file__).parent / "golden.json"
    path.write_text(json.dumps(golden, indent=1) + "\n")


main()
