"""Writes the icon fixtures with an encoder written from the format's description.

NAME.bin holds the samples that Pillow reads as RGBA: width, height, 4 and 1 (one byte each), then
the samples.

    python make.py        needs Pillow
"""

import io
import random
import struct
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
W, H = 9, 7


def pack(rows, bits):
    out = b""
    for row in rows[::-1]:
        line = b"".join(v.to_bytes(bits // 8, "little") for v in row) if bits > 8 else b""
        if bits <= 8:
            text = "".join(format(v, f"0{bits}b") for v in row)
            text += "0" * (-len(text) % 8)
            line = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        out += line + b"\0" * (-len(line) % 4)
    return out


def dib(bits, seed, size=(W, H), mask=True):
    rng = random.Random(seed)
    w, h = size
    rows = [[rng.randrange(1 << bits) for _ in range(w)] for _ in range(h)]
    palette = b""
    if bits <= 8:
        palette = b"".join(bytes([*(rng.randrange(256) for _ in range(3)), 0]) for _ in range(1 << bits))
    header = struct.pack("<IiiHHIIiiII", 40, w, 2 * h, 1, bits, 0, 0, 0, 0, 0, 0)
    transparent = [[rng.randrange(2) for _ in range(w)] for _ in range(h)]
    return header + palette + pack(rows, bits) + (pack(transparent, 1) if mask else b"")


def icon(images, kind=1):
    """A file of images: width, height, bits, data."""
    offset, directory, body = 6 + 16 * len(images), b"", b""
    for w, h, bits, data in images:
        directory += struct.pack("<BBBBHHII", w, h, 0, 0, 1, bits, len(data), offset + len(body))
        body += data
    return struct.pack("<HHH", 0, kind, len(images)) + directory + body


def write(name, data):
    (HERE / f"{name}.ico").write_bytes(data)
    image = Image.open(io.BytesIO(data)).convert("RGBA")
    (HERE / f"{name}.bin").write_bytes(bytes([*image.size, 4, 1]) + image.tobytes())


def main():
    for bits in (1, 4, 8, 24, 32):
        write(f"bits{bits}", icon([(W, H, bits, dib(bits, bits))]))
    png = io.BytesIO()
    Image.frombytes("RGBA", (5, 4), bytes(random.Random(6).randrange(256) for _ in range(80))).save(png, "PNG")
    write("png", icon([(5, 4, 32, png.getvalue())]))
    small, large = dib(24, 7, (4, 4)), dib(4, 8)
    write("largest", icon([(4, 4, 24, small), (W, H, 4, large), (5, 4, 32, png.getvalue())]))
    write("fewest-bits", icon([(W, H, 24, dib(24, 9)), (W, H, 4, large)]))
    write("cursor", icon([(W, H, 0, dib(32, 10))], 2))


main()
