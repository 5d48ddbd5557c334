#!/usr/bin/env python3
"""Writes the color profiles, the colors that Little CMS converts them to, and files with a profile.

Needs NumPy and Pillow. NAME.icc is a profile written from ICC.1:2022. NAME.bin holds the sRGB colors of a
grid of 9 x 9 x 9 colors of the profile (blue varies fastest, 0 to 255), converted by Pillow's ImageCms.
"""
import io
import os
import struct

import numpy
from PIL import Image, ImageCms

FOLDER = os.path.dirname(os.path.abspath(__file__))
SRGB = [(0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410)]
P3 = [(0.51512, 0.24120, -0.00105), (0.29198, 0.69225, 0.04189), (0.15710, 0.06657, 0.78407)]
ADOBE = [(0.60974, 0.31111, 0.01947), (0.20528, 0.62567, 0.06087), (0.14919, 0.06322, 0.74457)]
WIDE = [(0.79767, 0.28804, 0.0), (0.13519, 0.71188, 0.0), (0.03134, 0.00009, 0.82491)]


def fixed(value):
    return struct.pack(">i", round(value * 65536))


def curve(*samples):
    return b"curv" + bytes(4) + struct.pack(f">I{len(samples)}H", len(samples), *samples)


def parametric(kind, *values):
    return b"para" + bytes(4) + struct.pack(">HH", kind, 0) + b"".join(map(fixed, values))


def profile(primaries, curves, space=b"RGB ", version=0x02400000):
    tags = [(b"wtpt", (0.9642, 1.0, 0.8249))]
    tags += list(zip([b"rXYZ", b"gXYZ", b"bXYZ"], primaries))
    tags = [(name, b"XYZ " + bytes(4) + b"".join(map(fixed, color))) for name, color in tags]
    tags += list(zip([b"rTRC", b"gTRC", b"bTRC"], curves))
    if space == b"GRAY":
        tags = [tags[0], (b"kTRC", curves[0])]
    tags.append((b"desc", b"desc" + bytes(4) + struct.pack(">I", 5) + b"test\0" + bytes(79)))
    tags.append((b"cprt", b"text" + bytes(4) + b"none\0"))
    start = 132 + 12 * len(tags)
    table, content = struct.pack(">I", len(tags)), b""
    for name, data in tags:
        table += name + struct.pack(">II", start + len(content), len(data))
        content += data + bytes(-len(data) % 4)
    size = start + len(content)
    header = struct.pack(">I4sI4s4s4s12s4s4sIIIQI", size, b"\0\0\0\0", version, b"mntr", space, b"XYZ ",
                         struct.pack(">6H", 2026, 1, 1, 0, 0, 0), b"acsp", bytes(4), 0, 0, 0, 0, 0)
    header += fixed(0.9642) + fixed(1.0) + fixed(0.8249)
    header += bytes(128 - len(header))
    return header + table + content


SRGB_CURVE = parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
GAMMA = curve(*(round(65535 * (i / 1023) ** 1.8) for i in range(1024)))
PROFILES = {
    "display-p3": profile(P3, [SRGB_CURVE] * 3, version=0x04000000),
    "adobe-rgb": profile(ADOBE, [curve(563)] * 3),
    "wide-table": profile(WIDE, [GAMMA] * 3),
    "linear": profile(SRGB, [curve()] * 3),
    "short-table": profile(P3, [curve(0, 9000, 65535), curve(0, 20000, 50000, 65535), curve(0, 65535)]),
    "parametric": profile(ADOBE, [parametric(0, 2.2), parametric(1, 2.4, 0.9, 0.1),
                                  parametric(2, 2.0, 0.8, 0.1, 0.02)], version=0x04000000),
    "parametric-offset": profile(P3[1:] + P3[:1], [parametric(4, 2.4, 0.9, 0.1, 0.08, 0.1, 0.01, 0.02)] * 3,
                                 version=0x04000000),
}


def converted(image, data):
    source = ImageCms.ImageCmsProfile(io.BytesIO(data))
    return ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"),
                                     renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)


def main():
    steps = numpy.array([min(32 * i, 255) for i in range(9)], numpy.uint8)
    grid = numpy.stack(numpy.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(27, 27, 3)
    for name, data in PROFILES.items():
        with open(os.path.join(FOLDER, name + ".icc"), "wb") as file:
            file.write(data)
        with open(os.path.join(FOLDER, name + ".bin"), "wb") as file:
            file.write(converted(Image.fromarray(grid), data).tobytes())
    for name, data in [("srgb", profile(SRGB, [SRGB_CURVE] * 3)),
                       ("gray", profile([], [curve(563)], b"GRAY")),
                       ("cmyk", profile(P3, [SRGB_CURVE] * 3, b"CMYK"))]:
        with open(os.path.join(FOLDER, name + ".icc"), "wb") as file:
            file.write(data)
    # Files of one color with a profile.
    image = Image.new("RGB", (8, 8), (200, 80, 40))
    p3 = PROFILES["display-p3"]
    image.save(os.path.join(FOLDER, "display-p3.png"), icc_profile=p3)
    image.save(os.path.join(FOLDER, "display-p3.webp"), lossless=True, icc_profile=p3)
    image.save(os.path.join(FOLDER, "display-p3.tif"), icc_profile=p3)
    image.save(os.path.join(FOLDER, "display-p3.jpg"), quality=100, subsampling=0, icc_profile=p3)
    image.convert("L").save(os.path.join(FOLDER, "gray.png"), icc_profile=p3)


main()
