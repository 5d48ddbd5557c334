"""Writes the GIF fixtures with an encoder written from the GIF89a specification.

NAME.bin holds the samples that Pillow reads from the first frame: width, height, channels and 1
(one byte each), then the samples. Damaged files are read with LOAD_TRUNCATED_IMAGES. For the files
of Animated the script prints the number of frames and the CRC-32 of all frames that Pillow reads,
as RGB.

    python make.py        needs Pillow
"""

import io
import random
import struct
import zlib
from pathlib import Path

from PIL import Image, ImageFile, ImageSequence

HERE = Path(__file__).parent
ImageFile.LOAD_TRUNCATED_IMAGES = True
W, H = 11, 8


class Codes:
    """Codes from the lowest bit on."""

    def __init__(self):
        self.bits, self.count = 0, 0

    def add(self, code, width):
        self.bits |= code << self.count
        self.count += width

    def bytes(self):
        return self.bits.to_bytes((self.count + 7) // 8, "little")


def lzw(indices, bits, ends=True):
    """Compresses indices that do not fill the table."""
    out, clear = Codes(), 1 << bits
    table, width, free, string = {}, bits + 1, clear + 2, b""
    out.add(clear, width)
    for index in indices:
        longer = string + bytes([index])
        if len(longer) == 1 or longer in table:
            string = longer
            continue
        out.add(table[string] if len(string) > 1 else string[0], width)
        table[longer] = free
        width += free == 1 << width
        free += 1
        string = bytes([index])
    out.add(table[string] if len(string) > 1 else string[0], width)
    width += free == 1 << width
    if ends:
        out.add(clear + 1, width)
    return out.bytes()


def blocks(data, size=255):
    parts = [data[i:i + size] for i in range(0, len(data), size)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def colors(count, seed=1):
    rng = random.Random(seed)
    return [tuple(rng.randrange(256) for _ in range(3)) for _ in range(count)]


def table(palette):
    return b"".join(bytes(color) for color in palette)


def header(palette=None, size=(W, H), version=b"GIF89a", background=0):
    bits = (len(palette) - 1).bit_length() if palette else 1
    flags = (0x80 if palette else 0) | bits - 1
    return version + struct.pack("<HHBBB", *size, flags, background, 0) + table(palette or [])


def control(disposal=0, transparent=None, delay=0):
    flags = disposal << 2 | (transparent is not None)
    return b"!\xf9\x04" + struct.pack("<BHB", flags, delay, transparent or 0) + b"\0"


def image(indices, bits, rect=(0, 0, W, H), palette=None, interlaced=False, block=255, **coding):
    x, y, w, h = rect
    rows = [indices[i * w:i * w + w] for i in range(h)]
    if interlaced:
        order = [*range(0, h, 8), *range(4, h, 8), *range(2, h, 4), *range(1, h, 2)]
        rows = [rows[i] for i in order]
    flags = 0x40 if interlaced else 0
    if palette:
        flags |= 0x80 | (len(palette) - 1).bit_length() - 1
    head = b"," + struct.pack("<HHHHB", x, y, w, h, flags) + table(palette or [])
    data = lzw(b"".join(bytes(row) for row in rows), max(2, bits), **coding)
    return head + bytes([max(2, bits)]) + blocks(data, block)


def noise(count, limit, seed=2):
    rng, out = random.Random(seed), []
    while len(out) < count:
        out += [rng.randrange(limit)] * rng.randint(1, 5)
    return out[:count]


def write(name, data):
    (HERE / f"{name}.gif").write_bytes(data)
    decoded = Image.open(io.BytesIO(data))
    mode = "RGBA" if "transparency" in decoded.info else "RGB"
    decoded = decoded.convert(mode)
    (HERE / f"{name}.bin").write_bytes(bytes([*decoded.size, len(mode), 1]) + decoded.tobytes())


def write_animated(name, data):
    path = HERE / "Animated" / f"{name}.gif"
    path.write_bytes(data)
    frames = [f.convert("RGB").tobytes() for f in ImageSequence.Iterator(Image.open(path))]
    print(f'("{name}", {len(frames)}, 0x{zlib.crc32(b"".join(frames)):08X}),')


def stills():
    size = W * H
    for bits in range(1, 9):
        palette = colors(1 << bits, bits)
        write(f"bits{bits}", header(palette) + image(noise(size, 1 << bits), bits) + b";")
    p16 = colors(16)
    pixels = noise(size, 16)
    write("version87a", header(p16, version=b"GIF87a") + image(pixels, 4) + b";")
    write("interlaced", header(p16) + image(pixels, 4, interlaced=True) + b";")
    write("one-byte-blocks", header(p16) + image(pixels, 4, block=1) + b";")
    write("local-table", header(colors(4, 9)) + image(pixels, 4, palette=p16) + b";")
    write("only-local-table", header() + image(pixels, 4, palette=p16) + b";")
    write("no-table", header() + image(noise(size, 256), 8) + b";")
    write("beyond-table", header(p16) + image(noise(size, 32), 5) + b";")
    write("transparent", header(p16) + control(0, 3) + image(pixels, 4) + b";")
    write("transparent-beyond-table", header(p16) + control(0, 99) + image(pixels, 4) + b";")
    part = (3, 2, 7, 5)
    write("part", header(p16) + image(pixels[:35], 4, part) + b";")
    write("part-transparent", header(p16) + control(2, 5) + image(pixels[:35], 4, part) + b";")
    write("larger-than-screen", header(p16, (4, 3)) + image(pixels, 4) + b";")
    write("no-end-code", header(p16) + image(pixels, 4, ends=False) + b";")
    comment = b"!\xfe" + blocks(b"a comment") + b"!\xff" + blocks(b"NETSCAPE2.0\1\0\0", 11)
    write("extensions", header(p16) + comment + image(pixels, 4) + b";")
    write("zeros-between-blocks", header(p16) + b"\0\0" + image(pixels, 4) + b"\0;")


def damaged():
    p16, size = colors(16), W * H
    pixels = noise(size, 16)
    whole = header(p16) + image(pixels, 4, block=20) + b";"
    write("Damaged/cut-block", whole[:-12])
    write("Damaged/cut-between-blocks", whole[:13 + 48 + 11 + 21])
    write("Damaged/no-data", whole[:13 + 48 + 11])
    short = image(pixels, 4)[:11] + blocks(lzw(pixels[:50], 4)) + b";"
    write("Damaged/early-end-code", header(p16) + short)
    write("Damaged/early-end-transparent", header(p16) + control(0, 7) + short)
    codes = Codes()
    for code in (16, 1, 2, 18, 31):
        codes.add(code, 5)
    write("Damaged/bad-code", header(p16) + image(pixels, 4)[:11] + blocks(codes.bytes()) + b";")
    codes = Codes()
    for code in (16, 1, 2, 16, 18):
        codes.add(code, 5)
    bad = image(pixels, 4, interlaced=True)[:11] + blocks(codes.bytes()) + b";"
    write("Damaged/bad-first-code", header(p16) + bad)
    write("Damaged/stray-bytes", header(p16) + b"abc" + image(pixels, 4) + b";")
    write("Damaged/long-control",
          header(p16) + b"!\xf9\x05\1\0\0\3\0\0" + image(pixels, 4) + b";")


def animated():
    p16 = colors(16)
    frames = b"".join(
        control(d, t, 7) + image(noise(w * h, 16, d), 4, (x, y, w, h), interlaced=d == 3)
        for d, t, x, y, w, h in [
            (1, None, 0, 0, 20, 15), (0, 4, 2, 2, 9, 9), (2, 4, 5, 5, 9, 8), (1, None, 1, 0, 3, 15),
            (2, None, 3, 3, 10, 10), (3, 1, 0, 0, 20, 15), (3, None, 7, 7, 8, 8),
            (1, 2, 19, 14, 1, 1)])
    write_animated("disposals", header(p16, (20, 15), background=6) + frames + b";")
    write_animated("background-beyond-table", header(p16, (20, 15), background=77) + frames + b";")
    local = b"".join(
        control(2, 2 * n) + image(noise(48, 8, n), 3, (n, 1, 8, 6), colors(8, n)) for n in range(4))
    write_animated("local-tables", header(p16, (12, 9)) + local + b";")
    write_animated("part-first", header(p16, (20, 15), background=3)
                   + control(3, 5) + image(noise(30, 16), 4, (4, 4, 6, 5))
                   + image(noise(30, 16, 5), 4, (2, 2, 5, 6)) + b";")


stills()
damaged()
animated()
