#!/usr/bin/env python3
"""Writes large images and videos of one color, without other libraries.

images.py FORMAT WIDTH HEIGHT FILE, where FORMAT is a key of `writers` or `videos`. All entropy codes of an image
are the same, so files are small and written quickly. A video has two frames.
"""
import struct
import sys
import zlib


def chunked(total, piece):
    """The sizes of pieces of `total` bytes."""
    while total > 0:
        yield min(total, piece)
        total -= min(total, piece)


def deflated(lengths):
    """A zlib stream of zeros: rows of these lengths, each after a zero byte for the filter of PNG."""
    stream = zlib.compressobj(1)
    for count in chunked(sum(lengths), 1 << 24):
        yield stream.compress(bytes(count))
    yield stream.flush()


def jpeg(width, height, progressive=False):
    """Three components with 2 x 2 subsampling. Every coefficient is zero, whose codes are single zero bits."""
    def segment(code, body):
        return struct.pack(">BBH", 255, code, len(body) + 2) + body

    def scan(components, start, end, bits):
        header = segment(218, bytes([len(components)]) + b"".join(bytes([c, 0]) for c in components)
                         + bytes([start, end, 0]))
        count, rest = divmod(bits, 8)
        return header + bytes(count) + (bytes([255 >> rest]) if rest else b"")

    def blocks(columns, rows):
        return -(-columns // 8) * -(-rows // 8)

    # Codes: the bit 0 stands for 0, which is no difference of DC and the end of the block of AC.
    table = bytes([1] + [0] * 15 + [0])
    units = -(-width // 16) * -(-height // 16)
    half = (-(-width // 2), -(-height // 2))
    yield b"\xff\xd8" + segment(219, bytes([0]) + bytes([1] * 64))
    yield segment(194 if progressive else 192, struct.pack(">BHHB", 8, height, width, 3)
                  + bytes([1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0]))
    yield segment(196, bytes([0]) + table + bytes([0x10]) + table)
    if progressive:
        yield scan([1, 2, 3], 0, 0, 6 * units)
        for component, sides in [(1, (width, height)), (2, half), (3, half)]:
            yield scan([component], 1, 63, blocks(*sides))
    else:
        yield scan([1, 2, 3], 0, 63, 12 * units)
    yield b"\xff\xd9"


def png(width, height, interlaced=False):
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    lengths = []
    for x, y, across, down in passes if interlaced else [(0, 0, 1, 1)]:
        columns, rows = len(range(x, width, across)), len(range(y, height, down))
        if columns:
            lengths.append(rows * (1 + 3 * columns))
    yield b"\x89PNG\r\n\x1a\n"
    yield chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, int(interlaced)))
    for piece in deflated(lengths):
        if piece:
            yield chunk(b"IDAT", piece)
    yield chunk(b"IEND", b"")


def riff(kind, body):
    return kind + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


def vp8l(width, height):
    """A lossless image: all five codes have one symbol, so that a pixel takes no bits."""
    bits = width - 1 | height - 1 << 14
    count = 28
    for value, size in [(0, 1), (0, 3), (0, 1), (0, 1), (0, 1)] + [(0b0001, 4)] * 5:
        # Alpha, version; no transform, no cache, no meta codes; simple codes of the one-bit symbol 0.
        bits |= value << count
        count += size
    return riff(b"VP8L", b"\x2f" + bits.to_bytes(-(-count // 8) + 1, "little"))


def vp8(width, height):
    """A lossy key frame. The decoder of bits reads zeros from zeros, which are valid headers and empty blocks."""
    units = -(-width // 16) * -(-height // 16)
    first = units * 3 // 4 + 100
    assert first < 1 << 19
    tag = 1 << 4 | first << 5
    header = tag.to_bytes(3, "little") + b"\x9d\x01\x2a" + struct.pack("<HH", width, height)
    return riff(b"VP8 ", header + bytes(first) + bytes(units * 2 + 100))


def webp(chunks):
    body = b"WEBP" + b"".join(chunks)
    yield b"RIFF" + struct.pack("<I", len(body)) + body


def animation(width, height):
    def three(value):
        return struct.pack("<I", value)[:3]

    frame = bytes(6) + three(width - 1) + three(height - 1) + three(100) + bytes([2]) + vp8l(width, height)
    yield from webp([riff(b"VP8X", bytes([2, 0, 0, 0]) + three(width - 1) + three(height - 1)),
                     riff(b"ANIM", bytes(6)), riff(b"ANMF", frame), riff(b"ANMF", frame)])


def gif(width, height, frames=1, disposal=0):
    def codes(count):
        """The codes of `count` zeros: runs that grow by one pixel, until the table is full."""
        bits = used = size = 0
        out = bytearray()
        queue = []
        while count > 0:
            queue.append((4, 3))  # clear
            length, width = 1, 3
            following = 6
            queue.append((0, 3))
            count -= 1
            while count > 0 and following < 4095:
                length += 1
                queue.append((following, width))
                count -= length
                following += 1
                if following == 1 << width and width < 12:
                    width += 1
            for code, width in queue:
                bits |= code << used
                used += width
                while used >= 8:
                    out.append(bits & 255)
                    bits >>= 8
                    used -= 8
            queue = []
        out.append(bits & 255)
        return bytes(out)

    data = codes(width * height)
    data = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"
    yield b"GIF89a" + struct.pack("<HHBBB", width, height, 0x81, 0, 0) + bytes(12)
    for _ in range(frames):
        yield b"\x21\xf9\x04" + bytes([disposal << 2, 10, 0, 0, 0])
        yield b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02" + data
    yield b"\x3b"


def tiff(width, height):
    """Deflated strips of 16 rows."""
    rows = 16
    count = -(-height // rows)
    whole = zlib.compress(bytes(3 * width * rows), 1)
    last = zlib.compress(bytes(3 * width * (height - rows * (count - 1))), 1)
    start = 8 + 2 + 12 * 10 + 4
    bits, offsets = start, start + 6
    sizes = offsets + 4 * count
    data = sizes + 4 * count
    def long(tag, value, count=1, kind=4):
        return struct.pack("<HHII", tag, kind, count, value)
    yield b"II*\0" + struct.pack("<IH", 8, 10)
    yield long(256, width) + long(257, height) + long(258, bits, 3, 3) + long(259, 8) + long(262, 2)
    yield long(273, offsets if count > 1 else data, count) + long(277, 3) + long(278, rows)
    yield long(279, sizes if count > 1 else len(last), count) + long(284, 1) + bytes(4)
    yield struct.pack("<HHH", 8, 8, 8)
    yield b"".join(struct.pack("<I", data + len(whole) * i) for i in range(count))
    yield struct.pack("<I", len(whole)) * (count - 1) + struct.pack("<I", len(last))
    for _ in range(count - 1):
        yield whole
    yield last


def bmp(width, height):
    row = (3 * width + 3) // 4 * 4
    yield b"BM" + struct.pack("<IIIIIIHHIIIIII", 54 + row * height, 0, 54, 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    for count in chunked(row * height, 1 << 24):
        yield bytes(count)


def pnm(width, height):
    yield f"P6 {width} {height} 255\n".encode()
    for count in chunked(3 * width * height, 1 << 24):
        yield bytes(count)


def y4m(width, height):
    yield f"YUV4MPEG2 W{width} H{height} F25:1 C420jpeg\n".encode()
    size = width * height + 2 * (-(-width // 2) * -(-height // 2))
    for _ in range(2):
        yield b"FRAME\n"
        for count in chunked(size, 1 << 24):
            yield bytes(count)


def mjpeg(width, height):
    for _ in range(2):
        yield from jpeg(width, height)


writers = {
    "jpeg": jpeg,
    "jpeg-progressive": lambda w, h: jpeg(w, h, progressive=True),
    "png": png,
    "png-interlaced": lambda w, h: png(w, h, interlaced=True),
    "webp-lossy": lambda w, h: webp([vp8(w, h)]),
    "webp-lossless": lambda w, h: webp([vp8l(w, h)]),
    "gif": gif,
    "tiff": tiff,
    "bmp": bmp,
    "pnm": pnm,
}
videos = {
    "webp-animated": animation,
    "gif-animated": lambda w, h: gif(w, h, frames=2),
    "gif-restoring": lambda w, h: gif(w, h, frames=3, disposal=3),
    "y4m": y4m,
    "mjpeg": mjpeg,
}

if __name__ == "__main__":
    name, width, height, path = sys.argv[1:]
    with open(path, "wb") as file:
        for part in (writers | videos)[name](int(width), int(height)):
            file.write(part)
