"""Writes the TIFF fixtures with an encoder written from TIFF 6.0; JPEG data are Pillow's.

NAME.bin holds the expected samples: width, height, channels and 1 (one byte each), then the samples
of 8 bits. They are those before encoding; Pillow with libtiff reads the same, unless a comment names
an exception.

    python make.py        needs Pillow
"""

import io
import random
import struct
import zlib
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
W, H = 11, 8
NONE, LZW, JPEG, DEFLATE, OLD_DEFLATE, PACKBITS = 1, 5, 7, 8, 32946, 32773
WHITE, BLACK, RGB, PALETTE, CMYK, YCBCR = 0, 1, 2, 3, 5, 6


def packbits(data):
    out, i = b"", 0
    while i < len(data):
        run = 1
        while i + run < len(data) and run < 128 and data[i + run] == data[i]:
            run += 1
        if run > 1:
            out, i = out + bytes([257 - run, data[i]]), i + run
        else:
            part = data[i:i + 3]
            out, i = out + bytes([len(part) - 1]) + part, i + 3
    return out + b"\x80"


def lzw(data, old=False):
    """Codes of data that do not fill the table: TIFF 6.0 section 13, or those before TIFF 5.0."""
    bits, table, width, free, string = [], {}, 9, 258, b""

    def add(code):
        places = range(width) if old else reversed(range(width))
        bits.extend(code >> place & 1 for place in places)

    def code():
        return table[string] if len(string) > 1 else string[0]

    add(256)
    for value in data:
        longer = string + bytes([value])
        if len(longer) == 1 or longer in table:
            string = longer
            continue
        add(code())
        table[longer] = free
        free += 1
        width += free - 1 == (1 << width) - (not old)
        string = bytes([value])
    add(code())
    width += free == (1 << width) - (not old)
    add(257)
    bits += [0] * (-len(bits) % 8)
    step = 1 if old else -1
    return bytes(sum(b << i for i, b in enumerate(bits[n:n + 8][::step])) for n in range(0, len(bits), 8))


CODERS = {NONE: bytes, LZW: lzw, DEFLATE: zlib.compress, OLD_DEFLATE: zlib.compress, PACKBITS: packbits}


def pack(values, bits, order):
    if bits == 16:
        return struct.pack(f"{order}{len(values)}H", *values)
    text = "".join(format(v, f"0{bits}b") for v in values)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i:i + 8], 2) for i in range(0, len(text), 8))


def predict(values, samples, bits):
    return [(v - (values[i - samples] if i >= samples else 0)) % (1 << bits)
            for i, v in enumerate(values)]


def segments(rows, samples, bits, order, strip, tile, planar, predictor, coder, reverse):
    """The coded strips or tiles of rows of samples."""
    if planar:
        planes = [[row[p::samples] for row in rows] for p in range(samples)]
        return sum((segments(p, 1, bits, order, strip, tile, False, predictor, coder, reverse)
                    for p in planes), [])
    out = []
    w, h = tile or (W, strip)
    for y in range(0, H, h):
        for x in range(0, W, w):
            data = b""
            for line in range(y, y + h if tile else min(y + h, H)):
                row = rows[min(line, H - 1)][x * samples:(x + w) * samples]
                row += [0] * (w * samples - len(row))
                data += pack(predict(row, samples, bits) if predictor else row, bits, order)
            data = coder(data)
            out.append(bytes(int(f"{b:08b}"[::-1], 2) for b in data) if reverse else data)
    return out


def tiff(rows, samples, bits, photometric, compression=NONE, order="<", strip=3, tile=None,
         planar=False, predictor=False, reverse=False, coder=None, big=False, extra=None,
         tags=(), counts=True, parts=None):
    coder = coder or CODERS.get(compression)
    data = list(map(coder, parts)) if parts else segments(
        rows, samples, bits, order, strip, tile, planar, predictor, coder, reverse)
    head = 16 if big else 8
    body, offsets = b"", []
    for part in data:
        offsets.append(head + len(body))
        body += part + b"\0" * (len(part) % 2)
    entries = {256: (3, [W]), 257: (3, [H]), 258: (3, [bits] * samples), 259: (3, [compression]),
               262: (3, [photometric]), 277: (3, [samples]), 284: (3, [2 if planar else 1])}
    place, size = (324, 325) if tile else (273, 279)
    entries[place] = (4, offsets)
    if counts:
        entries[size] = (4, [len(part) for part in data])
    if tile:
        entries[322], entries[323] = (3, [tile[0]]), (3, [tile[1]])
    else:
        entries[278] = (3, [strip])
    if predictor:
        entries[317] = (3, [2])
    if reverse:
        entries[266] = (3, [2])
    if extra is not None:
        entries[338] = (3, [extra])
    entries.update(tags)
    word, letter = (8, "Q") if big else (4, "I")
    values, start = b"", head + len(body)
    directory = struct.pack(order + ("Q" if big else "H"), len(entries))
    after = start + len(directory) + len(entries) * (20 if big else 12) + word
    for tag, (kind, numbers) in sorted(entries.items()):
        value = struct.pack(f"{order}{len(numbers)}{'H' if kind == 3 else 'I'}", *numbers)
        count = len(numbers) // 2 if kind == 5 else len(numbers)
        directory += struct.pack(f"{order}HH{letter}", tag, kind, count)
        if len(value) <= word:
            directory += value.ljust(word, b"\0")
        else:
            directory += struct.pack(order + letter, after + len(values))
            values += value
    name = b"II" if order == "<" else b"MM"
    header = name + struct.pack(order + ("HHHQ" if big else "HI"), *((43, 8, 0) if big else (42,)), start)
    return header + body + directory + struct.pack(order + letter, 0) + values


def noise(samples, bits, seed):
    rng, rows = random.Random(seed), []
    for _ in range(H):
        row = []
        while len(row) < W * samples:
            row += [rng.randrange(1 << bits) for _ in range(samples)] * rng.randint(1, 3)
        rows.append(row[:W * samples])
    return rows


def write(name, data, expected, channels, pillow=True):
    (HERE / f"{name}.tif").write_bytes(data)
    (HERE / f"{name}.bin").write_bytes(bytes([W, H, channels, 1]) + bytes(expected))
    if pillow:
        image = Image.open(io.BytesIO(data))
        mode = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[channels]
        assert list(image.convert(mode).tobytes()) == list(expected), name


def flat(rows):
    return [v for row in rows for v in row]


def scaled(values, bits, inverted=False):
    return [(255 if inverted else 0) ^ (v >> bits - 8 if bits > 8 else v * 255 // ((1 << bits) - 1))
            for v in values]


def grays():
    for bits in (1, 2, 4, 8, 12, 16):
        rows = noise(1, bits, bits)
        for name, photometric in (("black", BLACK), ("white", WHITE)):
            # Pillow does not scale grays of 12 and 16 bits.
            write(f"gray{bits}-{name}", tiff(rows, 1, bits, photometric),
                  scaled(flat(rows), bits, photometric == WHITE), 1, bits <= 8)
    rows = noise(1, 16, 3)
    write("gray16-big-endian", tiff(rows, 1, 16, BLACK, LZW, ">", predictor=True),
          scaled(flat(rows), 16), 1, False)
    rows = noise(2, 8, 4)
    write("gray-alpha", tiff(rows, 2, 8, BLACK, extra=2), flat(rows), 2)


def colors():
    rows = noise(3, 8, 5)
    plain = flat(rows)
    for name, options in {
            "none": {}, "packbits": dict(compression=PACKBITS), "lzw": dict(compression=LZW),
            "deflate": dict(compression=DEFLATE), "old-deflate": dict(compression=OLD_DEFLATE),
            "lzw-predictor": dict(compression=LZW, predictor=True),
            "deflate-predictor": dict(compression=DEFLATE, predictor=True, order=">"),
            "one-strip": dict(strip=H), "planar": dict(planar=True),
            "planar-lzw-tiles": dict(planar=True, tile=(16, 16), compression=LZW, predictor=True),
            "tiles": dict(tile=(16, 16)), "lzw-reversed": dict(compression=LZW, reverse=True),
            "big": dict(big=True), "big-endian": dict(order=">", compression=DEFLATE),
            "lzw-old": dict(compression=LZW, coder=lambda d: lzw(d, True)),
    }.items():
        write(f"rgb-{name}", tiff(rows, 3, 8, RGB, **options), plain, 3)
    # libtiff requires a multiple of 16; the format does not need it.
    write("rgb-small-tiles", tiff(rows, 3, 8, RGB, tile=(4, 3)), plain, 3, False)
    write("rgb-no-counts", tiff(rows, 3, 8, RGB, counts=False), plain, 3, False)
    for order, name in (("<", "little"), (">", "big")):
        rows = noise(3, 16, 6)
        write(f"rgb16-{name}", tiff(rows, 3, 16, RGB, DEFLATE, order, predictor=True),
              scaled(flat(rows), 16), 3)
    rows = noise(3, 4, 7)
    write("rgb4", tiff(rows, 3, 4, RGB), scaled(flat(rows), 4), 3, False)
    rows = noise(4, 8, 8)
    write("rgb-alpha", tiff(rows, 4, 8, RGB, extra=2), flat(rows), 4)
    opaque = [v for i, v in enumerate(flat(rows)) if i % 4 < 3]
    write("rgb-unspecified", tiff(rows, 4, 8, RGB, LZW, extra=0), opaque, 3)
    divided = []
    for row in rows:
        for i in range(0, len(row), 4):
            a = row[i + 3]
            divided += [min(255, 255 * c // a) if a else 0 for c in row[i:i + 3]] + [a]
    write("rgb-premultiplied", tiff(rows, 4, 8, RGB, extra=1), divided, 4)
    inks = []
    for i in range(0, W * H * 4, 4):
        light = 255 - flat(rows)[i + 3]
        for c in flat(rows)[i:i + 3]:
            product = c * light + 128
            inks.append(max(0, light - (product + (product >> 8) >> 8)))
    write("cmyk", tiff(rows, 4, 8, CMYK, DEFLATE), inks, 3)


def palettes():
    for bits in (1, 2, 4, 8):
        rng = random.Random(bits)
        colors = [rng.randrange(65536) for _ in range(3 << bits)]
        rows = noise(1, bits, 9)
        n = 1 << bits
        expected = [colors[c * n + v] >> 8 for v in flat(rows) for c in range(3)]
        write(f"palette{bits}", tiff(rows, 1, bits, PALETTE, PACKBITS, tags={320: (3, colors)}),
              expected, 3)


def others():
    rows = noise(1, 8, 10)
    # Pillow turns the image upright.
    write("orientation6", tiff(rows, 1, 8, BLACK, tags={274: (3, [6])}), flat(rows), 1, False)
    rng = random.Random(11)
    image = Image.new("RGB", (W, H))
    image.putdata([(x * 20, y * 30, rng.randrange(256)) for y in range(H) for x in range(W)])
    for name, mode in (("jpeg-rgb", "RGB"), ("jpeg-gray", "L")):
        data = io.BytesIO()
        image.convert(mode).save(data, "TIFF", compression="jpeg", quality=80)
        write(name, data.getvalue(), Image.open(data).tobytes(), len(mode))
    strip = io.BytesIO()
    image.save(strip, "JPEG", quality=80)
    data = tiff(noise(3, 8, 12), 3, 8, 6, JPEG, strip=H, coder=lambda _: strip.getvalue(),
                tags={530: (3, [2, 2])})
    write("jpeg-ycbcr", data, Image.open(io.BytesIO(data)).tobytes(), 3)


def units(rows, columns, lines, tile):
    """The tile, or strips of four rows, in which so many columns and lines share the chroma of their
    first pixel."""
    width, height = tile or (W, 4)

    def pixel(x, y):
        return rows[min(y, H - 1)][3 * min(x, W - 1):][:3]
    out = []
    for top in range(0, H, height):
        data = b""
        for y in range(top, top + height, lines):
            for x in range(0, width, columns):
                data += bytes(pixel(x + i % columns, y + i // columns)[0] for i in range(lines * columns))
                data += bytes(pixel(x, y)[1:])
        out.append(data)
    return out


def chroma():
    rows = noise(3, 8, 14)
    ranges = {532: (5, [16, 1, 235, 1, 128, 1, 240, 1, 128, 1, 240, 1]),
              529: (5, [2126, 10000, 7152, 10000, 722, 10000])}
    for columns, lines, name, options in (
            (1, 1, "11", {}), (2, 1, "21", {}), (2, 2, "22", {}), (4, 1, "41", {}), (4, 2, "42", {}),
            (2, 2, "22-ranges", dict(tags=ranges)), (2, 2, "22-tiles", dict(tile=(16, 16)))):
        tags = {530: (3, [columns, lines])} | options.pop("tags", {})
        parts = units(rows, columns, lines, options.get("tile"))
        options |= dict(strip=4, tags=tags, parts=parts)
        data = tiff(rows, 3, 8, YCBCR, LZW, **options)
        expected = Image.open(io.BytesIO(data)).convert("RGB").tobytes()
        write(f"ycbcr-{name}", data, expected, 3)
        # Without compression, Pillow ignores the tags.
        write(f"ycbcr-{name}-none", tiff(rows, 3, 8, YCBCR, NONE, **options), expected, 3, False)
    tags = {530: (3, [1, 1])}
    data = tiff(rows, 3, 8, YCBCR, DEFLATE, planar=True, tags=tags)
    write("ycbcr-planar", data, Image.open(io.BytesIO(data)).convert("RGB").tobytes(), 3)


def numbers():
    """Signed samples keep their bits; floating-point numbers are clamped and rounded down."""
    rng = random.Random(16)
    values = [rng.uniform(-20, 280) for _ in range(W * H - 6)]
    values += [float("nan"), float("inf"), float("-inf"), 254.999, 255, -0.5]
    expected = [255 if v >= 255 else int(v) if v > 0 else 0 for v in values]
    for order, photometric, name in (("<", BLACK, "little"), (">", WHITE, "big")):
        parts = [struct.pack(f"{order}{W * H}f", *values)]
        data = tiff(None, 1, 32, photometric, DEFLATE, order, strip=H, parts=parts, tags={339: (3, [3])})
        # Pillow does not swap the bytes of compressed data.
        write(f"float-{name}", data, expected, 1, order == "<")
    rows = noise(1, 16, 17)
    write("signed16", tiff(rows, 1, 16, BLACK, tags={339: (3, [2])}), scaled(flat(rows), 16), 1, False)


def jpegs():
    """JPEG data of four samples, as Pillow's encoder writes them."""
    for name, rows in (("cmyk", noise(4, 8, 18)), ("planar-alpha", noise(4, 8, 19))):
        image = Image.frombytes("CMYK", (W, H), bytes(flat(rows)))
        data = io.BytesIO()
        if name == "cmyk":
            image.save(data, "TIFF", compression="jpeg", quality=90)
            data = data.getvalue()
        else:
            parts = []
            for plane in image.split():
                plane.save(data, "JPEG", quality=90)
                parts.append(data.getvalue())
                data.seek(data.truncate(0))
            data = tiff(None, 4, 8, RGB, JPEG, strip=H, planar=True, extra=2, parts=parts, coder=bytes)
        mode = "RGB" if name == "cmyk" else "RGBA"
        write(f"jpeg-{name}", data, Image.open(io.BytesIO(data)).convert(mode).tobytes(), len(mode))


def markers():
    """JPEG data whose markers contradict the tags, which count, and data of gray and alpha."""
    rng = random.Random(21)
    image = Image.new("RGB", (W, H))
    image.putdata([(x * 20, y * 30, rng.randrange(256)) for y in range(H) for x in range(W)])
    strip = io.BytesIO()
    image.save(strip, "JPEG", quality=90, keep_rgb=True)
    jfif = bytes.fromhex("ffe000104a46494600010100000100010000")
    place = strip.getvalue().index(b"\xff\xee")
    part = strip.getvalue()[:2] + jfif + strip.getvalue()[2:place] + strip.getvalue()[place + 16:]
    data = tiff(None, 3, 8, RGB, JPEG, strip=H, parts=[part], coder=bytes)
    write("jpeg-rgb-jfif", data, Image.open(io.BytesIO(data)).tobytes(), 3)
    # Two files of one component become one of two, in a scan each.
    planes = []
    for plane in image.split()[:2]:
        strip = io.BytesIO()
        plane.save(strip, "JPEG", quality=90)
        planes.append(strip.getvalue())
    frame, scan = (planes[0].index(bytes([0xFF, code])) for code in (0xC0, 0xDA))
    part = planes[0][:frame] + b"\xff\xc0\0\x0e\x08" + struct.pack(">HH", H, W) + bytes([2, 1, 17, 0, 2, 17, 0])
    part += planes[0][frame + 13:-2]
    scan = planes[1].index(b"\xff\xda")
    part += planes[1][scan:scan + 5] + b"\2" + planes[1][scan + 6:]
    data = tiff(None, 2, 8, BLACK, JPEG, strip=H, parts=[part], coder=bytes, extra=2)
    write("jpeg-gray-alpha", data, Image.open(io.BytesIO(data)).tobytes(), 2)


grays()
colors()
palettes()
others()
chroma()
numbers()
jpegs()
markers()
