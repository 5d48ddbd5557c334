#!/usr/bin/env python3
"""Files of few bytes that ask a decoder for much work or memory, and what they cost.

    bombs.py write FOLDER           writes all files
    bombs.py run TOOL [NAME...]     runs TOOL (martlet) on all, or on those whose names begin so

Each file is given to the command of its row with the default limits: `decode` for all pixels, `detect` as
users do, `track` for videos. It fails if that takes more than 0.1 seconds of processor time, one for each megabyte of
the file, one for each 100 million pixels that its header states (of all frames), and that of a small image; or more
memory than the limit of 256 MiB, plus that of a small image. With `--timeout 1` (`detect` in place of `decode`, of all
pixels) it may take 1.1 seconds, plus that of a small image. An error is as good as a result. A time is the least of
three runs, because other processes of the machine make a run slower. Needs Python's standard library only.
"""
import os
import random
import struct
import subprocess
import sys
import tempfile
import zlib

BOMBS = []


def bomb(ending, pixels, command="decode"):
    """Registers a function that returns the bytes of a file whose header states `pixels` pixels."""
    def register(function):
        BOMBS.append((function.__name__.replace("_", "-") + "." + ending, pixels, command, function))
        return function
    return register


class Bits:
    """A string of bits, the first one in the lowest bit of a byte, or in the highest."""

    def __init__(self, lowest=True):
        self.lowest, self.value, self.count = lowest, 0, 0

    def put(self, value, size):
        if self.lowest:
            self.value |= value << self.count
        else:
            self.value = self.value << size | value
        self.count += size

    def bytes(self):
        size = (self.count + 7) // 8
        if self.lowest:
            return self.value.to_bytes(size, "little")
        return (self.value << 8 * size - self.count).to_bytes(size, "big")


# --- JPEG

def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def huffman(selector, symbols):
    """Codes of 1, 2, 3, ... bits."""
    lengths = bytes(1 if i < len(symbols) else 0 for i in range(16))
    return segment(0xC4, bytes([selector]) + lengths + bytes(symbols))


def jpeg(width, height, scans, frame=0xC2, components=1, factors=0x11, extra=b""):
    parts = bytes(v for i in range(components) for v in (i + 1, factors if i == 0 else 0x11, 0))
    return (b"\xff\xd8" + extra + segment(0xDB, b"\0" + bytes([1] * 64))
            + segment(frame, b"\x08" + struct.pack(">HH", height, width) + bytes([components]) + parts)
            + huffman(0, [0, 1]) + huffman(0x10, [0xE0, 0, 1]) + scans + b"\xff\xd9")


def scan(parts, start, end, bits, data):
    names = bytes(v for c in parts for v in (c, 0))
    return segment(0xDA, bytes([len(parts)]) + names + bytes([start, end, bits])) + data


# A code that ends 16,384 to 32,767 blocks: 0, then 14 ones.
RUN = b"\x7f\xff"


@bomb("jpg", 16000 * 16000, "detect")
def jpeg_progressive_200_scans():
    runs = 4_000_000 // 32767 + 1
    first = scan([1], 0, 0, 0, b"")
    bits = Bits(False)
    for _ in range(runs):
        bits.put(0, 1)
        bits.put((1 << 14) - 1, 14)
    data = bits.bytes().replace(b"\xff", b"\xff\0")
    return jpeg(16000, 16000, first + scan([1], 1, 63, 0, data) * 199)


@bomb("jpg", 16000 * 16000, "detect")
def jpeg_progressive_empty_scans():
    return jpeg(16000, 16000, scan([1], 0, 0, 0, b"") + scan([1], 1, 63, 0, b"") * 199)


@bomb("jpg", 16000 * 16000, "detect")
def jpeg_restart_after_each_block():
    extra = segment(0xDD, b"\0\1")
    return jpeg(16000, 16000, scan([1], 0, 0, 0, b"") + scan([1], 1, 63, 0, b"") * 199, extra=extra)


@bomb("jpg", 6000 * 6000)
def jpeg_restart_markers():
    extra = segment(0xDD, b"\0\1")
    data = b"".join(bytes([0xFF, 0xD0 + i % 8]) for i in range(500_000))
    return jpeg(6000, 6000, scan([1], 0, 63, 0, data), frame=0xC0, extra=extra)


@bomb("jpg", 16000 * 16000, "detect")
def jpeg_without_data():
    return jpeg(16000, 16000, scan([1, 2, 3], 0, 63, 0, b""), frame=0xC0, components=3)


@bomb("jpg", 8000 * 8000, "detect")
def jpeg_smoothed():
    """Only DC coefficients: all others are estimated."""
    data = bytes([0b0101_0101]) * (1_000_000 // 8)
    return jpeg(8000, 8000, scan([1], 0, 0, 0, data))


@bomb("jpg", 5000 * 5000)
def jpeg_scans_by_component():
    scans = b"".join(scan([c], 0, 63, 0, b"") for c in (1, 2, 3))
    return jpeg(5000, 5000, scans, frame=0xC0, components=3, factors=0x44)


@bomb("jpg", 64)
def jpeg_huffman_tables():
    return jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0, extra=huffman(0, [0]) * 40_000)


@bomb("jpg", 64)
def jpeg_quantization_tables():
    table = segment(0xDB, b"\0" + bytes([1] * 64))
    return jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0, extra=table * 14_000)


@bomb("jpg", 64)
def jpeg_exif_directories():
    """Directories of 5,400 entries without an orientation."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">H", 5400) + bytes(12 * 5400)
    return jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0, extra=segment(0xE1, b"Exif\0\0" + tiff) * 16)


@bomb("jpg", 64)
def jpeg_bytes_between_segments():
    return jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0, extra=bytes(1_000_000))


@bomb("jpg", 64)
def jpeg_short_segments():
    return jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0, extra=segment(0xFE, b"") * 250_000)


@bomb("jpg", 3000 * 3000)
def jpeg_color_profile():
    """255 parts of a profile with long curves."""
    part = bytes(4000)
    extra = b"".join(segment(0xE2, b"ICC_PROFILE\0" + bytes([i, 255]) + part) for i in range(1, 256))
    return jpeg(3000, 3000, scan([1, 2, 3], 0, 63, 0, b""), frame=0xC0, components=3, extra=extra)


@bomb("jpg", 16000 * 16000, "detect")
def jpeg_arithmetic():
    return jpeg(16000, 16000, scan([1], 0, 0, 0, b"") + scan([1], 1, 63, 0, b"") * 199, frame=0xCA)


@bomb("jpg", 65500 * 65500)
def jpeg_largest_sides():
    return jpeg(65500, 65500, scan([1], 0, 63, 0, b""), frame=0xC0)


# --- PNG

def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width, height, stream, depth=8, color=0, interlaced=0, before=b"", parts=None):
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced)
    data = b"".join(chunk(b"IDAT", part) for part in parts or [stream])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + before + data + chunk(b"IEND", b"")


def zeros(count, first=b""):
    """A zlib stream of so many zeros."""
    coder = zlib.compressobj(9)
    out = [coder.compress(first)]
    while count > 0:
        part = min(count, 1 << 22)
        out.append(coder.compress(bytes(part)))
        count -= part
    return b"".join(out) + coder.flush()


@bomb("png", 8000 * 8000)
def png_zeros():
    return png(8000, 8000, zeros(8001 * 8000))


@bomb("png", 16000 * 16000, "detect")
def png_one_bit():
    return png(16000, 16000, zeros(2001 * 16000), depth=1)


@bomb("png", 40_000_000)
def png_longer_than_any_image():
    return png(1, 40_000_000, zeros(2 * 40_000_000))


@bomb("png", 20 * 1_000_000)
def png_short_rows():
    return png(20, 1_000_000, zeros(21 * 1_000_000))


@bomb("png", 4000 * 4000)
def png_rgba_16_bits():
    return png(4000, 4000, zeros(4000 * (1 + 8 * 4000)), depth=16, color=6)


@bomb("png", 6000 * 6000)
def png_interlaced():
    rows = sum(-(-(6000 - y) // dy) for _, y, _, dy in (
        (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)))
    return png(6000, 6000, zeros(6000 * 6000 + rows), interlaced=1)


@bomb("png", 1)
def png_empty_stored_blocks():
    stream = b"\x78\x01" + b"\0\0\0\xff\xff" * 200_000 + b"\1\2\0\xfd\xff\0\0" + struct.pack(">I", 0x20001)
    return png(1, 1, stream)


def deflated(block, count):
    """A zlib stream with so many copies of a block of bits before a stored one of two zeros."""
    bits = Bits()
    block(bits)
    text = format(bits.value, f"0{bits.count}b")
    whole = int(text * count, 2)
    out = Bits()
    out.put(whole, bits.count * count)
    size = out.count
    out.put(1, 3)
    out.put(0, -(size + 3) % 8)
    return b"\x78\x01" + out.bytes() + b"\2\0\xfd\xff\0\0" + struct.pack(">I", 0x20001)


@bomb("png", 1)
def png_empty_fixed_blocks():
    return png(1, 1, deflated(lambda bits: (bits.put(0, 1), bits.put(1, 2), bits.put(0, 7)), 400_000))


@bomb("png", 1)
def png_empty_dynamic_blocks():
    def block(bits):
        bits.put(0, 1)
        bits.put(2, 2)
        bits.put(0, 5)
        bits.put(0, 5)
        # The code lengths 1, 2 and 18: one, two and two bits. The order is 16 17 18 0 8 ... 14 1.
        bits.put(14, 4)
        for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1):
            bits.put({18: 1, 1: 1}.get(symbol, 0), 3)
        # 138 and 118 zeros, a code of one bit for the end, and one for a distance.
        for run in (138, 118):
            bits.put(1, 1)
            bits.put(run - 11, 7)
        bits.put(0, 1)
        bits.put(0, 1)
        bits.put(0, 1)
    return png(1, 1, deflated(block, 80_000))


@bomb("png", 1)
def png_full_dynamic_blocks():
    """Tables as large as possible: codes of up to 15 bits."""
    def block(bits):
        bits.put(0, 1)
        bits.put(2, 2)
        bits.put(29, 5)
        bits.put(29, 5)
        bits.put(15, 4)
        # Lengths 9, 15 and so on: a code of 4 bits for each of 16 lengths.
        for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15):
            bits.put(0 if symbol in (16, 17, 18) else 4, 3)

        def length(value):
            bits.put(int(format(value, "04b")[::-1], 2), 4)
        # 286 codes: 128 of 8 bits, 96 of 9, and one of each length to 15, twice the last.
        lengths = [8] * 128 + [9] * 96
        rest = (1 << 15) - 128 * (1 << 7) - 96 * (1 << 6)
        while len(lengths) < 285 and rest > 0:
            size = min(rest, 1 << max(0, rest.bit_length() - 2))
            lengths.append(15 - size.bit_length() + 1)
            rest -= size
        lengths[-1:] = lengths[-1:]
        lengths += [0] * (286 - len(lengths))
        lengths[256], lengths[0] = lengths[0], lengths[256]
        for value in lengths:
            length(value)
        for value in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 15] + [0] * 14:
            length(value)
        # The end: its code is found by the lengths.
        code, first = 0, None
        for size in range(1, 16):
            for symbol, value in enumerate(lengths):
                if value == size:
                    if symbol == 256:
                        first = (code, size)
                    code += 1
            code <<= 1
        bits.put(int(format(first[0], f"0{first[1]}b")[::-1], 2), first[1])
    return png(1, 1, deflated(block, 5_000))


@bomb("png", 1)
def png_tiny_chunks():
    stream = zlib.compress(bytes(2))
    return png(1, 1, b"", parts=[stream[:2]] + [b""] * 80_000 + [stream[2:]])


@bomb("png", 1000 * 60)
def png_one_byte_chunks():
    stream = zlib.compress(random.Random(1).randbytes(60_060), 0)
    rows = b"".join(b"\0" + random.Random(2).randbytes(1000) for _ in range(60))
    stream = zlib.compress(rows, 0)
    return png(1000, 60, b"", parts=[bytes([value]) for value in stream])


@bomb("png", 100)
def png_color_profile():
    """A profile that is inflated to 256 MiB."""
    profile = chunk(b"iCCP", b"x\0\0" + zeros(256 << 20))
    return png(10, 10, zlib.compress(bytes(310)), color=2, before=profile)


@bomb("png", 100)
def png_text():
    text = chunk(b"zTXt", b"x\0\0" + zeros(64 << 20)) * 8
    return png(10, 10, zlib.compress(bytes(110)), before=text)


@bomb("png", 100)
def png_exif_directories():
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">H", 65535) + bytes(12 * 65535)
    return png(10, 10, zlib.compress(bytes(110)), before=chunk(b"eXIf", tiff) * 2)


@bomb("png", 7000 * 7000)
def png_color_conversion():
    """A profile with other primaries than sRGB's."""
    def xyz(*values):
        return b"XYZ \0\0\0\0" + b"".join(struct.pack(">i", int(v * 65536)) for v in values)
    curve = b"curv\0\0\0\0\0\0\0\1\x02\x33\0\0"
    tags = [(b"rXYZ", xyz(.6, .3, 0)), (b"gXYZ", xyz(.2, .6, .1)), (b"bXYZ", xyz(.1, .1, .7))]
    tags += [(name, curve) for name in (b"rTRC", b"gTRC", b"bTRC")]
    table, data = b"", b""
    for name, content in tags:
        table += name + struct.pack(">II", 132 + 12 * len(tags) + len(data), len(content))
        data += content
    head = bytearray(128)
    head[16:20], head[20:24], head[36:40] = b"RGB ", b"XYZ ", b"acsp"
    profile = bytes(head) + struct.pack(">I", len(tags)) + table + data
    return png(7000, 7000, zeros(7000 * 21001), color=2,
               before=chunk(b"iCCP", b"x\0\0" + zlib.compress(profile)))


# --- TIFF

def tiff(entries, data=b"", order="<"):
    """A file of the given tags (tag: type, values), whose data begin at byte 8."""
    start = 8 + len(data) + len(data) % 2
    after = start + 2 + 12 * len(entries) + 4
    body, values = struct.pack("<H", len(entries)), b""
    for tag, (kind, numbers) in sorted(entries.items()):
        letter = {1: "B", 3: "H", 4: "I", 7: "B"}[kind]
        value = numbers if isinstance(numbers, bytes) else struct.pack(f"<{len(numbers)}{letter}", *numbers)
        count = len(value) // struct.calcsize(letter)
        body += struct.pack("<HHI", tag, kind, count)
        if len(value) <= 4:
            body += value.ljust(4, b"\0")
        else:
            body += struct.pack("<I", after + len(values))
            values += value
    return b"II*\0" + struct.pack("<I", start) + data + bytes(len(data) % 2) + body + bytes(4) + values


def layout(width, height, compression=1, photometric=1, samples=1, bits=8, tile=None, strip=None):
    tags = {256: (4, [width]), 257: (4, [height]), 258: (3, [bits] * samples), 259: (3, [compression]),
            262: (3, [photometric]), 277: (3, [samples])}
    if tile:
        tags[322], tags[323] = (4, [tile[0]]), (4, [tile[1]])
    if strip:
        tags[278] = (4, [strip])
    return tags


def segments(tags, offsets, counts):
    tiled = 322 in tags
    return tags | {324 if tiled else 273: (4, offsets), 325 if tiled else 279: (4, counts)}


def clear_codes(count):
    """An LZW stream of clear codes of nine bits."""
    return (int("100000000" * 8, 2).to_bytes(9, "big")) * (count // 8)


@bomb("tif", 100)
def tiff_wide_tiles():
    tags = layout(1, 100, tile=(60_000_000, 1))
    return tiff(segments(tags, [8] * 100, [4] * 100), bytes(4))


@bomb("tif", 100)
def tiff_a_million_columns():
    tags = layout(1, 100, tile=(1_000_000, 1))
    return tiff(segments(tags, [8] * 100, [4] * 100), bytes(4))


@bomb("tif", 100_000)
def tiff_wide_lzw_tiles():
    tags = layout(1, 100_000, compression=5, tile=(1_000_000, 1))
    return tiff(segments(tags, [8] * 100_000, [9] * 100_000), clear_codes(8))


@bomb("tif", 16 * 16 * 250)
def tiff_large_jpeg_strips():
    image = jpeg(7900, 7900, scan([1], 0, 63, 0, b""), frame=0xC0)
    tags = layout(16, 16 * 250, compression=7, strip=16)
    return tiff(segments(tags, [8] * 250, [len(image)] * 250), image)


@bomb("tif", 16 * 16 * 20_000)
def tiff_jpeg_tables():
    image = b"\xff\xd8" + segment(0xC0, b"\x08\0\x10\0\x10\1\1\x11\0") + scan([1], 0, 63, 0, b"\0") + b"\xff\xd9"
    tables = b"\xff\xd8" + segment(0xDB, b"\0" + bytes([1] * 64)) + huffman(0, [0]) * 20_000 + b"\xff\xd9"
    tags = layout(16, 16 * 20_000, compression=7, strip=16) | {347: (7, tables)}
    return tiff(segments(tags, [8] * 20_000, [len(image)] * 20_000), image)


@bomb("tif", 8 * 8 * 60_000)
def tiff_shared_jpeg_strips():
    image = jpeg(8, 8, scan([1], 0, 63, 0, b"\0"), frame=0xC0)
    tags = layout(8, 8 * 60_000, compression=7, strip=8)
    return tiff(segments(tags, [8] * 60_000, [len(image)] * 60_000), image)


@bomb("tif", 4 * 100_000)
def tiff_shared_deflate_strips():
    stream = deflated(lambda bits: (bits.put(0, 1), bits.put(1, 2), bits.put(0, 7)), 8_000)
    tags = layout(4, 100_000, compression=8, strip=1)
    return tiff(segments(tags, [8] * 100_000, [len(stream)] * 100_000), stream)


@bomb("tif", 4 * 100_000)
def tiff_shared_lzw_strips():
    stream = clear_codes(80_000)
    tags = layout(4, 100_000, compression=5, strip=1)
    return tiff(segments(tags, [8] * 100_000, [len(stream)] * 100_000), stream)


@bomb("tif", 4 * 100_000)
def tiff_shared_packbits_strips():
    stream = b"\x80" * 100_000
    tags = layout(4, 100_000, compression=32773, strip=1)
    return tiff(segments(tags, [8] * 100_000, [len(stream)] * 100_000), stream)


@bomb("tif", 40 * 1_000_000)
def tiff_one_column_tiles():
    stream = zeros(1_000_000)
    tags = layout(40, 1_000_000, compression=8, tile=(1, 1_000_000))
    return tiff(segments(tags, [8] * 40, [len(stream)] * 40), stream)


@bomb("tif", 1000 * 1000)
def tiff_32_samples():
    stream = zeros(1000 * 1000 * 64)
    tags = layout(1000, 1000, compression=8, photometric=2, samples=32, bits=16)
    return tiff(segments(tags, [8], [len(stream)]), stream)


@bomb("tif", 16000 * 16000, "detect")
def tiff_sparse_strips():
    tags = layout(16000, 16000, strip=1)
    return tiff(segments(tags, [0] * 16000, [0] * 16000), bytes(4))


@bomb("tif", 12000 * 12000, "detect")
def tiff_deflate_zeros():
    stream = zeros(12000 * 12000)
    return tiff(segments(layout(12000, 12000, compression=8), [8], [len(stream)]), stream)


@bomb("tif", 64)
def tiff_many_entries():
    entries = b"".join(struct.pack("<HHII", 256 + i % 90, 4, 1, 8) for i in range(65535))
    return b"II*\0\x08\0\0\0" + struct.pack("<H", 65535) + entries + bytes(4)


# --- GIF

def gif(width, height, blocks):
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0" + bytes([0, 0, 0, 255, 255, 255]) + blocks + b";"


def gif_image(width, height, codes, size=2):
    parts = [codes[i:i + 255] for i in range(0, len(codes), 255)]
    data = b"".join(bytes([len(part)]) + part for part in parts)
    return b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + bytes([size]) + data + b"\0"


def lzw_zeros(count):
    """The codes of so many zeros, as few as possible."""
    clear = 4
    width, free, length, total = 3, 6, 0, 0
    out = Bits()
    chunks = []
    out.put(clear, width)
    while total < count:
        if length == 0:
            code, length = 0, 1
        else:
            # The string of the last code and a zero.
            code, length = free, length + 1
            free += 1
            if free == 1 << width and width < 12:
                out.put(code, width)
                width += 1
                total += length
                continue
        out.put(code, width)
        total += length
        if free == 4095:
            out.put(clear, width)
            width, free, length = 3, 6, 0
        if out.count > 8192:
            whole = out.count // 8 * 8
            chunks.append((out.value & (1 << whole) - 1).to_bytes(whole // 8, "little"))
            out.value, out.count = out.value >> whole, out.count - whole
    out.put(clear + 1, width)
    return b"".join(chunks) + out.bytes()


@bomb("gif", 65535 * 65535)
def gif_largest_canvas():
    return gif(65535, 65535, gif_image(1, 1, b"\x44\1"))


@bomb("gif", 7900 * 7900)
def gif_canvas():
    return gif(7900, 7900, gif_image(1, 1, b"\x44\1"))


@bomb("gif", 6000 * 6000)
def gif_zeros():
    return gif(6000, 6000, gif_image(6000, 6000, lzw_zeros(6000 * 6000)))


@bomb("gif", 7000 * 7000)
def gif_clear_codes():
    # The clear code of three bits is 4.
    return gif(7000, 7000, gif_image(7000, 7000, (int("100" * 8, 2)).to_bytes(3, "little") * 300_000))


@bomb("gif", 100)
def gif_one_byte_blocks():
    data = b"\1\x24" * 500_000
    return gif(10, 10, b"," + struct.pack("<HHHHB", 0, 0, 10, 10, 0) + b"\2" + data + b"\0")


@bomb("gif", 100)
def gif_unknown_bytes():
    return gif(10, 10, b"\1" * 1_000_000 + gif_image(10, 10, b"\x44\1"))


@bomb("gif", 100)
def gif_extensions():
    return gif(10, 10, b"!\xfe\1x\0" * 200_000 + gif_image(10, 10, b"\x44\1"))


# --- BMP

def bmp(width, height, bits, compression, data, palette=b"\0\0\0\0\xff\xff\xff\0"):
    offset = 54 + len(palette) if bits <= 8 else 54
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(data), 0, 0,
                       len(palette) // 4 if bits <= 8 else 0, 0)
    file = b"BM" + struct.pack("<IHHI", offset + len(data), 0, 0, offset) + head
    return file + (palette if bits <= 8 else b"") + data


@bomb("bmp", 7000 * 7000)
def bmp_runs():
    return bmp(7000, 7000, 8, 1, (b"\xff\1" * 27 + b"\x73\1\0\0") * 7000)


@bomb("bmp", 7000 * 7000)
def bmp_one_pixel_runs():
    return bmp(7000, 7000, 8, 1, b"\1\1" * 500_000)


@bomb("bmp", 7000 * 7000)
def bmp_runs_beyond_the_row():
    return bmp(7000, 7000, 8, 1, b"\xff\1" * 500_000)


@bomb("bmp", 7000 * 7000)
def bmp_moves():
    return bmp(7000, 7000, 8, 1, b"\0\2\xff\0" * 250_000)


@bomb("bmp", 40 * 1_000_000)
def bmp_short_rows():
    return bmp(40, 1_000_000, 8, 1, b"\0\1")


@bomb("bmp", 8000 * 8000)
def bmp_missing_rows():
    return bmp(8000, 8000, 24, 0, bytes(24_000))


# --- PNM

@bomb("pbm", 500_000)
def pnm_comments():
    return b"P1\n1000 500\n" + b"#\n" * 250_000 + b"1" * 500_000


@bomb("pgm", 250_000)
def pnm_stray_characters():
    return b"P2\n500 500 255\n" + b"x" * 500_000 + b"1 " * 250_000


@bomb("pbm", 40 * 1_000_000)
def pnm_short_rows():
    return b"P4\n40 1000000\n" + bytes(1_000_000)


@bomb("pam", 1)
def pnm_header_lines():
    return b"P7\n" + b"WIDTH 1\n" * 120_000 + b"HEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\n\0"


# --- WebP

def riff(chunks):
    return b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WEBP" + chunks


def part(kind, content):
    return kind + struct.pack("<I", len(content)) + content + bytes(len(content) % 2)


def vp8l(width, height, write):
    bits = Bits()
    bits.put(0x2F, 8)
    bits.put(width - 1, 14)
    bits.put(height - 1, 14)
    bits.put(0, 4)
    write(bits)
    return bits.bytes()


def single(bits, symbol=0):
    """A prefix code of one symbol."""
    bits.put(1, 1)
    bits.put(0, 1)
    bits.put(1, 1)
    bits.put(symbol, 8)


def plain(bits):
    """No color cache, no groups, and five codes of one symbol."""
    bits.put(0, 2)
    for _ in range(5):
        single(bits)


@bomb("webp", 6000 * 6000)
def webp_one_color():
    return riff(part(b"VP8L", vp8l(6000, 6000, lambda bits: (bits.put(0, 1), plain(bits))) + bytes(8)))


@bomb("webp", 16383 * 16383)
def webp_largest():
    return riff(part(b"VP8L", vp8l(16383, 16383, lambda bits: (bits.put(0, 1), plain(bits))) + bytes(8)))


@bomb("webp", 4000 * 4000)
def webp_all_transforms():
    def write(bits):
        for kind in (0, 1):
            bits.put(1, 1)
            bits.put(kind, 2)
            bits.put(0, 3)
            bits.put(0, 1)
            for _ in range(5):
                single(bits)
        bits.put(1, 1)
        bits.put(2, 2)
        bits.put(0, 1)
        plain(bits)
    return riff(part(b"VP8L", vp8l(4000, 4000, write) + bytes(8)))


@bomb("webp", 4000 * 4000)
def webp_groups():
    """65,536 groups of codes."""
    def write(bits):
        bits.put(0, 1)
        bits.put(0, 1)
        bits.put(1, 1)
        # Tiles of 512 by 512 pixels, all of group 65,535.
        bits.put(7, 3)
        bits.put(0, 1)
        for symbol in (255, 255, 0, 0, 0):
            single(bits, symbol)
        codes = 5 * 65536
        bits.put(int("00000000101" * codes, 2), 11 * codes)
    return riff(part(b"VP8L", vp8l(4000, 4000, write) + bytes(8)))


@bomb("webp", 4000 * 4000)
def webp_used_groups():
    """A group of codes for each of 62,500 tiles."""
    def write(bits):
        bits.put(0, 1)
        bits.put(0, 1)
        bits.put(1, 1)
        bits.put(2, 3)
        bits.put(0, 1)
        # Green and red: eight bits each, so that each tile names its group.
        for _ in range(2):
            bits.put(0, 1)
            bits.put(8, 4)
            for symbol in (17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8):
                bits.put(1 if symbol in (8, 0) else 0, 3)
            bits.put(0, 1)
            # 256 lengths of 8: the code of 8 is one bit, 1.
            bits.put((1 << 256) - 1, 256)
            if _ == 0:
                bits.put(0, 24)
        for _ in range(3):
            single(bits)
        for tile in range(250 * 250):
            for value in (tile & 255, tile >> 8):
                bits.put(int(format(value, "08b")[::-1], 2), 8)
        codes = 5 * 62500
        bits.put(int("00000000101" * codes, 2), 11 * codes)
    return riff(part(b"VP8L", vp8l(4000, 4000, write) + bytes(8)))


@bomb("webp", 12000 * 12000, "detect")
def webp_lossy_without_data():
    head = struct.pack("<I", (1000 << 5 | 1 << 4))[:3] + b"\x9d\x01\x2a" + struct.pack("<HH", 12000, 12000)
    return riff(part(b"VP8 ", head + bytes(200_000)))


@bomb("webp", 100)
def webp_chunks():
    head = part(b"VP8X", b"\x08\0\0\0" + b"\x09\0\0" * 2)
    exif = part(b"EXIF", b"MM\0*\0\0\0\x08\0\0")
    image = part(b"VP8L", vp8l(10, 10, lambda bits: (bits.put(0, 1), plain(bits))) + bytes(8))
    return riff(head + exif * 50_000 + image)


# --- Videos

# The beginning of an image, whose segment has 65,535 bytes.
MJPEG_START = b"\xff\xd8\xff\xe0\xff\xff"


@bomb("mjpeg", 0, "track")
def mjpeg_unending_images():
    return MJPEG_START * 200_000


@bomb("mjpeg", 0, "track")
def mjpeg_images_in_a_segment():
    return MJPEG_START * 10_000 + bytes(4_000_000)


@bomb("mjpeg", 0, "track")
def mjpeg_zeros():
    return b"\xff\xd8" + bytes(400_000_000)


@bomb("mjpeg", 0, "track")
def mjpeg_fill_bytes():
    return b"\xff\xd8" + b"\xff" * 20_000_000


@bomb("mjpeg", 0, "track")
def mjpeg_stray_bytes():
    return b"--boundary" + b"\xff\x80" * 10_000_000


@bomb("y4m", 16000 * 16000, "track")
def y4m_huge_header():
    return b"YUV4MPEG2 W16000 H16000 F25:1 C420jpeg\nFRAME\n" + bytes(1000)


@bomb("y4m", 14000 * 14000, "track")
def y4m_huge_frame():
    return b"YUV4MPEG2 W14000 H14000 F25:1 C420jpeg\nFRAME\n" + bytes(294_000_000)


@bomb("gif", 65535 * 65535, "track")
def gif_video_of_the_largest_canvas():
    return gif(65535, 65535, gif_image(1, 1, b"\x44\1"))


@bomb("gif", 4 * 6000 * 6000, "track")
def gif_video_of_restoring_frames():
    control = b"!\xf9\4" + bytes([3 << 2, 0, 0, 0, 0])
    return gif(6000, 6000, (control + gif_image(6000, 6000, lzw_zeros(6000 * 6000))) * 4)


@bomb("gif", 1, "decode")
def gif_200_000_frames():
    return gif(1, 1, gif_image(1, 1, b"\x44\1") * 200_000)


@bomb("gif", 1, "track")
def gif_video_of_zeros_between_blocks():
    return gif(1, 1, bytes(4_000_000) + gif_image(1, 1, b"\x44\1"))


def webp_animation(width, height, frames):
    size = struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3]
    return riff(part(b"VP8X", b"\2\0\0\0" + size) + part(b"ANIM", bytes(6)) + frames)


@bomb("webp", 500 * 4000 * 4000, "decode")
def webp_500_frames():
    size = struct.pack("<I", 3999)[:3] * 2
    image = part(b"VP8L", vp8l(4000, 4000, lambda bits: (bits.put(0, 1), plain(bits))) + bytes(8))
    return webp_animation(4000, 4000, part(b"ANMF", bytes(6) + size + bytes(4) + image) * 500)


@bomb("webp", 16383 * 16383, "track")
def webp_video_of_the_largest_canvas():
    image = part(b"VP8L", vp8l(1, 1, lambda bits: (bits.put(0, 1), plain(bits))) + bytes(8))
    return webp_animation(16383, 16383, part(b"ANMF", bytes(16) + image))


@bomb("webp", 0, "decode")
def webp_empty_frames():
    return webp_animation(1, 1, part(b"ANMF", bytes(16)) * 1_000_000)


# --- Runs

LIMIT = 256  # MiB: the default of --max-memory
SMALL = ("small.ppm", b"P6 8 8 255\n" + bytes(192))


def measure(tool, command, path, *options):
    """Processor seconds, peak mebibytes, and the last line of output of a run."""
    folder = os.path.dirname(path)
    arguments = [tool, command, path, *options]
    if command == "decode" and not options:
        arguments += ["--output", folder]
    elif command == "decode":
        arguments[1:2] = ["detect", "--full-resolution"]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(arguments, stdout=output, stderr=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        lines = output.read().decode(errors="replace").strip().splitlines()
    for name in os.listdir(folder):
        if name.endswith(".ppm") and os.path.join(folder, name) != path:
            os.remove(os.path.join(folder, name))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode, (lines or [""])[-1]


def fastest(tool, command, path, *options):
    """The run of three with the least processor time."""
    return min((measure(tool, command, path, *options) for _ in range(3)), key=lambda run: run[0])


def write(path, function):
    """Writes a file in a process of its own: the peak memory of a run includes that of the process that starts it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with open(path, "wb") as file:
                file.write(function())
            status = 0
        finally:
            os._exit(status)
    if os.waitpid(child, 0)[1] != 0:
        sys.exit(f"bombs: cannot write {path}")


def run(tool, names):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, SMALL[0])
        with open(small, "wb") as file:
            file.write(SMALL[1])
        starts, timed = {}, {}
        for command in sorted({bomb[2] for bomb in BOMBS}):
            runs = [measure(tool, command, small) for _ in range(3)]
            starts[command] = (max(one[0] for one in runs), max(one[1] for one in runs))
            timed[command] = max(measure(tool, command, small, "--timeout", "1")[0] for _ in range(3))
        print(f"{'file':34} {'bytes':>9} {'Mpixels':>8} {'seconds':>8} {'allowed':>8} {'MiB':>5} {'timed':>6}  result")
        for name, pixels, command, function in BOMBS:
            if names and not any(name.startswith(one) for one in names):
                continue
            path = os.path.join(folder, name)
            write(path, function)
            size = os.path.getsize(path)
            seconds, memory, code, text = fastest(tool, command, path)
            with_limit = fastest(tool, command, path, "--timeout", "1")[0]
            start, base = starts[command]
            allowed = 0.1 + size / 1e6 + pixels / 1e8 + start
            problems = []
            if seconds > allowed:
                problems.append("too slow")
            if memory > LIMIT + base:
                problems.append("too much memory")
            if with_limit > 1.1 + timed[command]:
                problems.append("over the time limit")
            if code < 0 or code > 2:
                problems.append(f"status {code}")
            failed += bool(problems)
            text = text.replace(folder + "/", "")
            print(f"{name:34} {size:9} {pixels / 1e6:8.1f} {seconds:8.2f} {allowed:8.2f} {memory:5.0f} "
                  f"{with_limit:6.2f}  {'FAILED: ' + ', '.join(problems) + ': ' if problems else ''}{text[:70]}", flush=True)
            os.remove(path)
    print(f"{failed} failed")
    return 1 if failed else 0


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "write":
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, _, _, function in BOMBS:
            write(os.path.join(sys.argv[2], name), function)
    elif len(sys.argv) > 2 and sys.argv[1] == "run":
        sys.exit(run(sys.argv[2], sys.argv[3:]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
