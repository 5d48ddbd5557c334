"""Writes the BMP fixtures: NAME.bmp and NAME.bin for each kind of BMP image.

The encoder follows the format's description. NAME.bin holds the samples before encoding: width,
height, channels and 1 (one byte each), then the samples. Pillow reads the files that it can, and must
return the same samples.

    python generate.py        needs Pillow
"""

import io
import random
import struct
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
W, H = 13, 7


def info(size, width, height, bits, compression=0, colors=0, masks=()):
    if size == 12:
        return struct.pack("<IHHHH", 12, width, height, 1, bits)
    out = struct.pack("<IiiHHIIiiII", size, width, height, 1, bits, compression, 0, 2835, 2835,
                      colors, 0)
    if size > 40 and size != 64:
        out += b"".join(struct.pack("<I", m) for m in (list(masks) + [0] * 4)[:(size - 40) // 4])
    return (out + bytes(200))[:size]


def bmp(size, bits, rows, height=H, compression=0, palette=(), colors=0, masks=(), gap=0):
    header = info(size, W, height, bits, compression, colors, masks)
    if size == 40:
        header += b"".join(struct.pack("<I", m) for m in masks)
    for r, g, b in palette:
        header += bytes([b, g, r]) + (b"" if size == 12 else b"\0")
    offset = 14 + len(header) + gap
    body = header + bytes([255] * gap) + rows
    return b"BM" + struct.pack("<IHHI", 14 + len(body), 0, 0, offset) + body


def packed(rows, bits):
    """Packs rows of numbers into rows padded to four bytes. 16 bits and more are little-endian."""
    out = b""
    for row in rows:
        if bits >= 16:
            data = b"".join(v.to_bytes(bits // 8, "little") for v in row)
        else:
            text = "".join(format(v, f"0{bits}b") for v in row)
            text += "0" * (-len(text) % 8)
            data = bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))
        out += data + bytes(-len(data) % 4)
    return out


def write(name, data, samples, pillow=True):
    channels = len(samples[0][0])
    if pillow:
        image = Image.open(io.BytesIO(data)).convert("RGBA" if channels == 4 else "RGB")
        assert list(image.get_flattened_data()) == [p for row in samples for p in row], name
    (HERE / f"{name}.bmp").write_bytes(data)
    flat = bytes(v for row in samples for p in row for v in p)
    (HERE / f"{name}.bin").write_bytes(bytes([W, len(samples), channels, 1]) + flat)


def field(pixel, mask):
    if mask == 0:
        return 0
    shift = (mask & -mask).bit_length() - 1
    return (pixel & mask) // (1 << shift) * 255 // (mask >> shift)


def pixels(name, top):
    """Rows of random numbers up to `top`, with runs."""
    rng = random.Random(name)
    rows = []
    for _ in range(H):
        row = []
        while len(row) < W:
            row += [rng.randint(0, top)] * rng.choice([1, 1, 1, 2, 5])
        rows.append(row[:W])
    return rows


def palette_of(count):
    rng = random.Random(count)
    return [tuple(rng.randrange(256) for _ in range(3)) for _ in range(count)]


def run_length(rows, bits, rng):
    """Run-length encodes rows from the bottom, with runs, literals and ends of rows."""
    out = b""
    for row in rows:
        x = 0
        while x < len(row):
            run = 1
            while x + run < len(row) and row[x + run] == row[x]:
                run += 1
            rest = row[x:x + 5]
            if run > 1 or len(rest) < 3 or rng.random() < 0.3:
                value = row[x] if bits == 8 else row[x] * 17
                out += bytes([run, value])
                x += run
            else:
                data = bytes(rest) if bits == 8 else packed([rest], 4)[:(len(rest) + 1) // 2]
                out += bytes([0, len(rest)]) + data + bytes(len(data) % 2)
                x += len(rest)
        out += b"\0\0"
    return out + b"\0\1"


def main():
    for bits in (1, 2, 4, 8):
        colors = palette_of(1 << bits)
        rows = pixels(f"palette{bits}", (1 << bits) - 1)
        samples = [[colors[v] for v in row] for row in rows]
        data = packed(rows[::-1], bits)
        write(f"palette{bits}", bmp(40, bits, data, palette=colors), samples, bits != 2)
        write(f"palette{bits}-os2", bmp(12, bits, data, palette=colors), samples, bits != 2)
    few = palette_of(5)
    rows = pixels("few", 4)
    samples = [[few[v] for v in row] for row in rows]
    write("palette8-few", bmp(40, 8, packed(rows[::-1], 8), palette=few, colors=5), samples)
    write("palette8-topdown", bmp(40, 8, packed(rows, 8), -H, palette=few, colors=5), samples)
    write("palette4-os2v2", bmp(64, 4, packed(rows[::-1], 4), palette=few, colors=5), samples)
    write("palette4-os2short", bmp(16, 4, packed(rows[::-1], 4), palette=few), samples, False)
    rows = pixels("short", 9)
    samples = [[few[v] if v < 5 else (0, 0, 0) for v in row] for row in rows]
    write("palette4-short", bmp(40, 4, packed(rows[::-1], 4), palette=few, colors=5), samples)

    for bits, kind in ((8, 1), (4, 2)):
        colors = palette_of(1 << bits)
        rows = pixels(f"rle{bits}", (1 << bits) - 1)
        samples = [[colors[v] for v in row] for row in rows]
        data = run_length(rows[::-1], bits, random.Random(bits))
        write(f"rle{bits}", bmp(40, bits, data, compression=kind, palette=colors), samples)
    colors = palette_of(16)
    # From the bottom row: 5 pixels, a step to the right and up, an alternating run, the end.
    data = bytes([5, 0x77, 0, 2, 3, 2, 4, 0x1A, 0, 1])
    rows = [[0] * W for _ in range(H)]
    rows[H - 1][:5] = [7] * 5
    rows[H - 3][8:12] = [1, 10, 1, 10]
    samples = [[colors[v] for v in row] for row in rows]
    write("rle4-delta", bmp(40, 4, data, compression=2, palette=colors), samples, False)
    # A run past the end of its row, rows that end early, and all rows without an end code.
    data = bytes([20, 3, 0, 0]) + bytes([2, 9, 0, 0]) * (H - 2) + bytes([W, 1])
    rows = [[1] * W] + [[9, 9] + [0] * (W - 2) for _ in range(H - 2)] + [[3] * W]
    samples = [[palette_of(256)[v] for v in row] for row in rows]
    write("rle8-ragged", bmp(40, 8, data, compression=1, palette=palette_of(256)), samples, False)

    rows = pixels("bgr", 0xFFFFFF)
    samples = [[(v >> 16, v >> 8 & 255, v & 255) for v in row] for row in rows]
    for size in (12, 40, 108, 124):
        write(f"rgb24-header{size}", bmp(size, 24, packed(rows[::-1], 24)), samples)
    write("rgb24-gap", bmp(40, 24, packed(rows[::-1], 24), gap=11), samples)
    write("rgb24-topdown", bmp(40, 24, packed(rows, 24), -H), samples)
    wide = [[v | 0x5A000000 for v in row] for row in rows]
    write("rgb32", bmp(40, 32, packed(wide[::-1], 32)), samples)

    five = (0x7C00, 0x3E0, 0x1F)
    for name, bits, size, masks, alpha, pillow in [
            ("rgb555", 16, 40, (), 0, True),
            ("rgb555-masks", 16, 40, five, 0, True),
            ("rgb565", 16, 40, (0xF800, 0x7E0, 0x1F), 0, True),
            ("rgb565-v4", 16, 108, (0xF800, 0x7E0, 0x1F, 0), 0, True),
            ("rgb444", 16, 56, (0xF00, 0xF0, 0xF, 0), 0, False),
            ("rgba4444", 16, 56, (0xF00, 0xF0, 0xF, 0xF000), 1, False),
            ("rgba5551", 16, 124, (*five, 0x8000), 1, False),
            ("rgba32-v5", 32, 124, (0xFF0000, 0xFF00, 0xFF, 0xFF000000), 1, True),
            ("rgba32-v3", 32, 56, (0xFF, 0xFF00, 0xFF0000, 0xFF000000), 1, True),
            ("rgb32-v2", 32, 52, (0xFF000000, 0xFF0000, 0xFF00), 0, True),
            ("rgb30", 32, 40, (0x3FF00000, 0xFFC00, 0x3FF), 0, False)]:
        rows = pixels(name, (1 << bits) - 1)
        used = masks or five
        samples = [[tuple(field(v, m) for m in used[:3 + alpha]) for v in row] for row in rows]
        data = packed(rows[::-1], bits)
        write(name, bmp(size, bits, data, compression=3 if masks else 0, masks=masks), samples,
              pillow)
    rows = pixels("alphabits", 0xFFFFFFFF)
    masks = (0xFF00, 0xFF0000, 0xFF000000, 0xFF)
    samples = [[tuple(field(v, m) for m in masks) for v in row] for row in rows]
    write("rgba32-alphabits", bmp(40, 32, packed(rows[::-1], 32), compression=6, masks=masks),
          samples, False)


main()
