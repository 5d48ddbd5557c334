#!/usr/bin/env python3
"""Writes damaged PNG files of 12 x 10 pixels, and the RGB samples that other decoders read from them.

For each NAME.png, NAME.bin holds width, height, channels and bytes per sample, each in one byte, then the
samples of ffmpeg or, if it returns none, of Pillow with LOAD_TRUNCATED_IMAGES. Needs both; run it here.
"""
import io
import struct
import subprocess
import zlib

import numpy as np
from PIL import Image, ImageFile

ImageFile.LOAD_TRUNCATED_IMAGES = True
WIDTH, HEIGHT = 12, 10


def chunk(kind, content=b"", crc=None):
    body = kind + content
    return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body) if crc is None else crc)


def filtered(pixels):
    """The rows of an array (height, width, channels), filtered in turn by Sub, Up, None, Paeth, Average."""
    height, width, step = pixels.shape
    out, above = b"", np.zeros(width * step, int)
    for y in range(height):
        row = pixels[y].reshape(-1).astype(int)
        left = np.concatenate([np.zeros(step, int), row[:-step]]) if width > 1 else np.zeros(step, int)
        corner = np.concatenate([np.zeros(step, int), above[:-step]]) if width > 1 else np.zeros(step, int)
        p = left + above - corner
        pa, pb, pc = abs(p - left), abs(p - above), abs(p - corner)
        paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, above, corner))
        kind = [1, 2, 0, 4, 3][y % 5]
        guess = [0 * row, left, above, (left + above) // 2, paeth][kind]
        out += bytes([kind]) + ((row - guess) % 256).astype(np.uint8).tobytes()
        above = row
    return out


random = np.random.default_rng(3)
y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
rgb = np.stack([x * 20, y * 25, x * y * 2], -1).astype(np.uint8) ^ random.integers(0, 8, (HEIGHT, WIDTH, 3), np.uint8)
indices = rgb[:, :, 2:] & 15
palette = chunk(b"PLTE", random.integers(0, 256, 48, np.uint8).tobytes())
passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
adam7 = b"".join(filtered(rgb[b::dy, a::dx]) for a, b, dx, dy in passes)
end = chunk(b"IEND")


def header(color, interlace=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, color, 0, 0, interlace))


def put(name, data, like=None):
    """`like` is a file with the same damage that ffmpeg reads."""
    data = b"\x89PNG\r\n\x1a\n" + data
    open(name + ".png", "wb").write(data)
    run = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", (like or name) + ".png", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True)
    samples = run.stdout
    if len(samples) != WIDTH * HEIGHT * 3:
        samples = Image.open(io.BytesIO(data)).convert("RGB").tobytes()
    open(name + ".bin", "wb").write(bytes([WIDTH, HEIGHT, 3, 1]) + samples)


for name, start, rows in [
    ("rgb", header(2), filtered(rgb)),
    ("palette", header(3) + palette, filtered(indices)),
    ("adam7", header(2, 1), adam7),
]:
    stream = zlib.compress(rows)
    data, half = chunk(b"IDAT", stream), len(stream) // 2
    halves = chunk(b"IDAT", stream[:half]), chunk(b"IDAT", stream[half:])
    put(f"{name}-text-crc", start + chunk(b"tEXt", b"a\0b", 1) + data + end)
    put(f"{name}-data-crc", start + chunk(b"IDAT", stream, 1) + end)
    put(f"{name}-end-crc", start + data + chunk(b"IEND", b"", 1))
    put(f"{name}-without-end", start + data)
    put(f"{name}-cut-in-end", start + data + end[:6])
    put(f"{name}-cut-in-data-crc", start + data[:-2])
    put(f"{name}-zeros-after-data", start + data + bytes(40))
    put(f"{name}-without-adler", start + chunk(b"IDAT", stream[:-4]) + end)
    put(f"{name}-surplus-rows", start + chunk(b"IDAT", zlib.compress(rows + bytes(500))) + end)
    put(f"{name}-surplus-stored", start + chunk(b"IDAT", zlib.compress(rows + bytes(500), 0)) + end)
    put(f"{name}-data-too-short", start + halves[0] + end)
    put(f"{name}-cut-in-data", (start + data)[: len(start) + 8 + half], like=f"{name}-data-too-short")
    put(f"{name}-stored-too-short", start + chunk(b"IDAT", zlib.compress(rows, 0)[: len(rows) // 2]) + end)
    put(f"{name}-rows-missing", start + chunk(b"IDAT", zlib.compress(rows[: len(rows) * 6 // 10])) + end)
    put(f"{name}-text-between-data", start + halves[0] + chunk(b"tEXt", b"a\0b") + halves[1] + end)
    put(f"{name}-unknown-chunk", start + chunk(b"ABCD", b"x") + data + end)
    put(f"{name}-trns-after-data", start + data + chunk(b"tRNS", bytes(6)) + end)
    put(f"{name}-palette-after-data", start + data + chunk(b"PLTE", bytes(6)) + end)
    put(f"{name}-trns-too-long", start + chunk(b"tRNS", bytes(30)) + data + end)
    put(f"{name}-two-palettes", start + chunk(b"PLTE", bytes(6)) + palette + data + end)
    put(f"{name}-text-before-header", chunk(b"tEXt", b"a\0b") + start + data + end)
    put(f"{name}-length-past-end", start + struct.pack(">I", 9000) + data[4:] + end)
rows = bytearray(filtered(rgb))
rows[4 * (3 * WIDTH + 1)] = 7
put("rgb-unknown-filter", header(2) + chunk(b"IDAT", zlib.compress(bytes(rows))) + end)
