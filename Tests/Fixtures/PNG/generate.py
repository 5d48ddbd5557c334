"""Writes the PNG fixtures: NAME.png and NAME.bin for each kind of PNG image.

The encoder follows the standard and shares only zlib with the tested decoder. NAME.bin holds the
samples before encoding: width, height, channels and bytes per sample (one byte each), then the
samples, 16-bit ones with the high byte first. Pillow (libpng's rules) must decode the same samples.

    python generate.py        needs Pillow
"""

import io
import random
import struct
import zlib
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
         (0, 1, 1, 2)]


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(
        ">I", zlib.crc32(kind + content))


def paeth(a, b, c):
    p = a + b - c
    distances = [abs(p - a), abs(p - b), abs(p - c)]
    return (a, b, c)[distances.index(min(distances))]


def filtered(kind, row, above, step):
    out = [kind]
    for i, x in enumerate(row):
        a = row[i - step] if i >= step else 0
        b = above[i]
        c = above[i - step] if i >= step else 0
        out.append((x - (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255)
    return bytes(out)


def packed(values, depth):
    if depth == 16:
        return b"".join(struct.pack(">H", v) for v in values)
    bits = "".join(format(v, f"0{depth}b") for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def encode(pixels, kind, depth, interlaced, rng, palette=None, trns=None, before=(), middle=(),
           after=(), split=None, level=9, strategy=0):
    """pixels[y][x] is a tuple of samples."""
    height, width = len(pixels), len(pixels[0])
    step = max(1, SAMPLES[kind] * depth // 8)
    raw = b""
    for x0, y0, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        rows = [row[x0::dx] for row in pixels[y0::dy]]
        if not rows or not rows[0]:
            continue
        above = None
        for row in rows:
            data = packed([s for p in row for s in p], depth)
            raw += filtered(rng.randrange(5), data, above or bytes(len(data)), step)
            above = data
    z = zlib.compressobj(level, 8, 15, 9, strategy)
    stream = z.compress(raw) + z.flush()
    out = b"\x89PNG\r\n\x1a\n" + chunk(
        b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced)))
    out += b"".join(chunk(*c) for c in before)
    if palette:
        out += chunk(b"PLTE", bytes(v for c in palette for v in c))
    if trns is not None:
        out += chunk(b"tRNS", trns)
    out += b"".join(chunk(*c) for c in middle)
    parts = [stream[i:i + split] for i in range(0, len(stream), split)] if split else [stream]
    if split:
        parts.insert(1, b"")
    out += b"".join(chunk(b"IDAT", p) for p in parts)
    return out + b"".join(chunk(*c) for c in after) + chunk(b"IEND", b"")


def expected(pixels, kind, depth, palette, trns):
    """The samples that a decoder must return, as tuples of 8 or 16 bits."""
    top = (1 << depth) - 1
    full = 65535 if depth == 16 else 255

    def one(p):
        if kind == 3:
            color = tuple(palette[p[0]]) if p[0] < len(palette) else (0, 0, 0)
            if trns is None:
                return color
            return color + ((trns[p[0]] if p[0] < len(trns) else 255),)
        out = tuple(v * 255 // top if depth < 8 else v for v in p)
        if trns is None:
            return out
        key = struct.unpack(f">{len(p)}H", trns)
        return out + ((0 if key == p else full),)

    return [[one(p) for p in row] for row in pixels]


def check_with_pillow(name, data, samples, depth):
    image = Image.open(io.BytesIO(data))
    image.load()
    channels = len(samples[0][0])
    reduced = [[tuple(v >> 8 for v in p) if depth == 16 else p for p in row] for row in samples]
    if image.mode in ("I;16", "I"):  # Pillow keeps 16-bit grayscale, without alpha
        got = [v for v in image.get_flattened_data()]
        assert got == [p[0] for row in samples for p in row], name
        return
    mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
    got = list(image.convert(mode).get_flattened_data())
    want = [p if channels > 1 else p[0] for row in reduced for p in row]
    if depth != 8 and image.mode != "P" and "transparency" in image.info:
        # Pillow compares the key, unscaled, with scaled or reduced samples.
        got, want = [p[:-1] for p in got], [p[:-1] for p in want]
    assert got == want, name


def write(name, pixels, kind, depth, interlaced=False, palette=None, trns=None, pillow=True, **how):
    rng = random.Random(name)
    data = encode(pixels, kind, depth, interlaced, rng, palette, trns, **how)
    samples = expected(pixels, kind, depth, palette, trns)
    if pillow:
        check_with_pillow(name, data, samples, depth)
    size = 2 if depth == 16 else 1
    flat = [v for row in samples for p in row for v in p]
    body = struct.pack(f">{len(flat)}{'H' if size == 2 else 'B'}", *flat)
    header = bytes([len(samples[0]), len(samples), len(samples[0][0]), size])
    (HERE / f"{name}.png").write_bytes(data)
    (HERE / f"{name}.bin").write_bytes(header + body)


def test_image(name, width, height, kind, depth, colors=None):
    """A gradient with noise, so that all filters and match lengths occur."""
    rng = random.Random("picture " + name)
    top = (1 << depth) - 1 if colors is None else colors - 1

    def sample(x, y, s):
        if rng.random() < 0.3:
            return rng.randint(0, top)
        return (x * 5 + y * 3 + s * 40) * top // 255 % (top + 1)

    return [[tuple(sample(x, y, s) for s in range(SAMPLES[kind])) for x in range(width)]
            for y in range(height)]


def palette_of(count):
    rng = random.Random(count)
    return [tuple(rng.randrange(256) for _ in range(3)) for _ in range(count)]


def exif(order, orientation):
    e = "<" if order == b"II" else ">"
    entries = [(0x010F, 2, 4, b"abc\0"), (0x0112, 3, 1, struct.pack(e + "HH", orientation, 0))]
    body = struct.pack(e + "H", len(entries))
    for tag, kind, count, value in entries:
        body += struct.pack(e + "HHI", tag, kind, count) + value
    return order + struct.pack(e + "HI", 42, 8) + body + bytes(4)


def main():
    kinds = {"gray": (0, (1, 2, 4, 8, 16)), "rgb": (2, (8, 16)), "palette": (3, (1, 2, 4, 8)),
             "grayalpha": (4, (8, 16)), "rgba": (6, (8, 16))}
    for word, (kind, depths) in kinds.items():
        for depth in depths:
            colors = palette_of(1 << depth) if kind == 3 else None
            for interlaced in (False, True):
                name = f"{word}{depth}" + ("-adam7" if interlaced else "")
                write(name, test_image(name, 13, 11, kind, depth), kind, depth, interlaced, colors)
            if kind in (4, 6):
                continue
            name = f"{word}{depth}-trns"
            pixels = test_image(name, 9, 7, kind, depth)
            key = b"".join(struct.pack(">H", v) for v in pixels[3][4])
            if kind == 3:
                key = bytes(range(7, 250, 83))[:max(1, (1 << depth) - 1)]
            write(name, pixels, kind, depth, palette=colors, trns=key)
    # Two colors with equal high bytes, one of them transparent.
    near = [[(0x1234, 0x5678, 0x9ABC), (0x1234, 0x5678, 0x9ABD), (0x1234, 0x5678, 0x9ABC)]]
    write("rgb16-trns-near", near, 2, 16, trns=struct.pack(">3H", *near[0][0]))
    for width, height in [(1, 1), (2, 2), (3, 1), (1, 5), (4, 9), (8, 8)]:
        name = f"adam7-{width}x{height}"
        write(name, test_image(name, width, height, 2, 8), 2, 8, True)
    write("palette-short", test_image("short", 9, 7, 3, 4, colors=11), 3, 4, palette=palette_of(7))
    write("idat-split", test_image("split", 13, 11, 2, 8), 2, 8, split=3)
    write("stored", test_image("stored", 13, 11, 2, 8), 2, 8, level=0)
    write("fixed", test_image("fixed", 13, 11, 2, 8), 2, 8, strategy=zlib.Z_FIXED)
    write("flat", [[(200, 100, 50)] * 60] * 30, 2, 8)
    write("ancillary", test_image("ancillary", 9, 7, 2, 8), 2, 8,
          before=[(b"gAMA", struct.pack(">I", 100000)), (b"sRGB", b"\0"),
                  (b"iCCP", b"none\0\0" + zlib.compress(b"no profile"))],
          middle=[(b"bKGD", bytes(6)), (b"tEXt", b"Title\0Slope"), (b"prVt", b"private")],
          after=[(b"tIME", struct.pack(">HBBBBB", 2020, 1, 1, 0, 0, 0))], palette=palette_of(5))
    still = test_image("still", 5, 4, 2, 8)
    frame = struct.pack(">IIIIIHHBB", 0, 5, 4, 0, 0, 1, 10, 0, 0)
    write("animated", still, 2, 8, middle=[(b"acTL", struct.pack(">II", 2, 0)), (b"fcTL", frame)],
          after=[(b"fcTL", struct.pack(">I", 1) + frame[4:]),
                 (b"fdAT", struct.pack(">I", 2) + zlib.compress(bytes(4 * 16)))])
    for number in range(1, 9):
        order = b"II" if number % 2 else b"MM"
        place = {"before" if number % 3 else "after": [(b"eXIf", exif(order, number))]}
        write(f"orientation{number}", test_image("exif", 3, 2, 0, 8), 0, 8, **place)


main()
