"""Writes the WebP fixtures NAME.webp, and what libwebp 1.6 (in Pillow 13.0) reads from them.

The images are slopes, waves, seeded noise and rectangles, coded by Pillow 13.0, by cwebp and
webpmux of libwebp 1.2.4, and by FFmpeg 5.1 with libvpx. Each line ends with a SHA-256.

    expected.txt     name, width, height, channels, orientation; the samples
    frames.txt       name of an animation, number of a frame; the canvas (RGB)
    truncated.txt    name, a number of bytes from the file's start, the number of rows that the
                     incremental decoder shows of them; these rows (RGB)

    python make.py        needs Pillow, NumPy, cwebp, webpmux and ffmpeg
"""

import ctypes
import glob
import hashlib
import struct
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import PIL
from PIL import Image

HERE = Path(__file__).parent
RANDOM = np.random.default_rng(7)


def scene(width, height):
    y, x = np.mgrid[0:height, 0:width].astype(float)
    planes = [127 + 100 * np.sin(x / (5 + k)) * np.cos(y / (7 - k)) for k in range(3)]
    image = np.stack(planes, -1) + RANDOM.normal(0, 6, (height, width, 3))
    image[height // 3:height // 2, width // 4:width // 2] = (250, 20, 40)
    image[height // 2:, width * 3 // 4:] = (x + y)[height // 2:, width * 3 // 4:, None] % 256
    return Image.fromarray(np.clip(image, 0, 255).astype(np.uint8))


def palette(width, height, count):
    colors = RANDOM.integers(0, 256, (count, 3))
    blocks = RANDOM.integers(0, count, ((height + 3) // 4, (width + 3) // 4))
    indices = np.kron(blocks, np.ones((4, 4), int))[:height, :width]
    indices[::5, ::3] = RANDOM.integers(0, count, indices[::5, ::3].shape)
    return Image.fromarray(colors[indices].astype(np.uint8))


def with_alpha(image, kind):
    width, height = image.size
    y, x = np.mgrid[0:height, 0:width]
    alpha = {
        "disc": np.clip(255 - 9 * np.hypot(x - width / 2, y - height / 2), 0, 255),
        "stripes": np.where((x + y) % 7 < 3, 0, 255),
        "noise": RANDOM.integers(0, 256, (height, width)),
    }[kind]
    return Image.fromarray(np.dstack([np.asarray(image), alpha.astype(np.uint8)]))


def pillow(name, image, **options):
    image.save(HERE / f"{name}.webp", **options)


def cwebp(name, image, *options):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "image.png"
        image.save(source)
        subprocess.run(
            ["cwebp", "-quiet", *options, str(source), "-o", str(HERE / f"{name}.webp")],
            check=True)


def libvpx(name, image, *options):
    """The first frame of a VP8 video, with features that encoders for images do not use."""
    with tempfile.TemporaryDirectory() as folder:
        source, video = Path(folder) / "image.png", Path(folder) / "video.ivf"
        image.save(source)
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-i", str(source), "-frames:v", "1", "-c:v", "libvpx",
             *options, str(video)], check=True)
        data = video.read_bytes()
    size = int.from_bytes(data[32:36], "little")
    frame = data[44:44 + size] + bytes(size % 2)
    chunk = b"WEBPVP8 " + struct.pack("<I", size) + frame
    (HERE / f"{name}.webp").write_bytes(b"RIFF" + struct.pack("<I", len(chunk)) + chunk)


def animation(name, mode):
    frames = [scene(40, 30) for _ in range(2)]
    if mode == "RGBA":
        frames = [with_alpha(frame, "disc") for frame in frames]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index, frame in enumerate(frames):
            paths.append(f"{folder}/{index}.webp")
            frame.resize((24, 18)).save(paths[-1], lossless=index == 0, quality=60)
        base = f"{folder}/canvas.webp"
        frames[0].save(base, quality=20)
        arguments = ["-frame", base, "+50+0+0+0+b", "-frame", paths[0], "+50+10+6+1-b"]
        if mode == "RGBA":
            # The first frame does not cover the canvas.
            arguments = ["-frame", paths[1], "+50+6+4+1+b", "-frame", base, "+50+0+0+0+b"]
        subprocess.run(
            ["webpmux", *arguments, "-o", str(HERE / f"{name}.webp")], check=True,
            stderr=subprocess.DEVNULL)


def composed(name):
    """Frames of random places, blended or not, and disposed or not."""
    with tempfile.TemporaryDirectory() as folder:
        arguments = []
        places = [(0, 0, 32, 24), (4, 2, 20, 16), (10, 6, 22, 18), (0, 0, 32, 24), (2, 8, 16, 16)]
        ways = ["1+b", "1+b", "0+b", "0-b", "1-b", "0+b", "0+b"]
        for index, way in enumerate(ways):
            x, y, width, height = places[index % len(places)]
            path = f"{folder}/{index}.webp"
            image = with_alpha(scene(width, height), "disc" if index % 2 else "noise")
            image.save(path, lossless=index % 3 == 0, quality=40, exact=True)
            arguments += ["-frame", path, f"+80+{x}+{y}+{way}"]
        subprocess.run(
            ["webpmux", *arguments, "-o", str(HERE / f"{name}.webp")], check=True,
            stderr=subprocess.DEVNULL)


def write_images():
    lossy = scene(67, 45)
    for quality in (0, 30, 80, 100):
        pillow(f"lossy-q{quality}", lossy, quality=quality, method=6)
    for width, height in ((1, 1), (2, 2), (1, 19), (33, 1), (16, 16), (17, 31)):
        pillow(f"lossy-{width}x{height}", scene(width, height), quality=70)
    cwebp("lossy-simple-filter", lossy, "-q", "20", "-nostrong", "-f", "80")
    cwebp("lossy-no-filter", lossy, "-q", "20", "-f", "0")
    cwebp("lossy-sharp", lossy, "-q", "20", "-f", "100", "-sharpness", "7")
    cwebp("lossy-sharp-3", lossy, "-q", "20", "-f", "40", "-sharpness", "3")
    cwebp("lossy-segments", lossy, "-q", "40", "-segments", "4", "-sns", "100")
    cwebp("lossy-one-segment", lossy, "-q", "40", "-segments", "1", "-m", "0")
    libvpx("lossy-partitions", scene(40, 150), "-slices", "8", "-b:v", "20k", "-qmin", "45")
    libvpx("lossy-sharpness", lossy, "-sharpness", "5", "-b:v", "20k", "-qmin", "50")
    noise = Image.fromarray(RANDOM.integers(0, 256, (24, 40, 3), np.uint8))
    pillow("lossy-noise", noise, quality=90)
    for kind in ("disc", "stripes", "noise"):
        image = with_alpha(scene(37, 29), kind)
        for filter in ("none", "fast", "best"):
            cwebp(f"alpha-{kind}-{filter}", image, "-q", "30", "-alpha_filter", filter)
    cwebp("alpha-raw", with_alpha(scene(21, 17), "noise"), "-q", "30", "-alpha_method", "0")
    raw = bytearray((HERE / "alpha-raw.webp").read_bytes())
    place = raw.index(b"ALPH") + 8
    for filter, name in enumerate(("left", "above", "gradient"), 1):
        raw[place] = filter << 2
        (HERE / f"alpha-raw-{name}.webp").write_bytes(raw)
    cwebp("alpha-reduced", with_alpha(scene(37, 29), "disc"), "-q", "30", "-alpha_q", "20")

    pillow("lossless", scene(61, 43), lossless=True, quality=100, method=6)
    pillow("lossless-fast", scene(61, 43), lossless=True, quality=0, method=0)
    pillow("lossless-alpha", with_alpha(scene(37, 29), "disc"), lossless=True, exact=True)
    cwebp("lossless-near", scene(61, 43), "-near_lossless", "40")
    y, x = np.mgrid[0:60, 0:80]
    slope = np.stack([x * 3, y * 4, x + y], -1).astype(np.uint8)
    pillow("lossless-slope", Image.fromarray(slope), lossless=True)
    for count in (1, 2, 3, 4, 5, 16, 17, 200):
        pillow(f"palette-{count}", palette(53, 31, count), lossless=True, quality=80)
    for width, height in ((1, 1), (1, 40), (41, 1)):
        pillow(f"lossless-{width}x{height}", scene(width, height), lossless=True)

    for orientation in (3, 6):
        exif = Image.Exif()
        exif[0x0112] = orientation
        pillow(f"orientation{orientation}", scene(20, 10), quality=50, exif=exif)
    animation("animation", "RGB")
    animation("animation-alpha", "RGBA")
    composed("animation-composed")


def expected(path):
    image = Image.open(path)
    orientation = image.getexif().get(0x0112, 1)
    size = f"{image.width} {image.height} {len(image.getbands())} {orientation}"
    return f"{path.stem} {size} {hashlib.sha256(image.tobytes()).hexdigest()}"


def frames(path):
    image = Image.open(path)
    lines = []
    for index in range(image.n_frames):
        image.seek(index)
        pixels = np.asarray(image)[..., :3].tobytes()
        lines.append(f"{path.stem} {index} {hashlib.sha256(pixels).hexdigest()}")
    return lines


def incremental(data):
    """The rows that libwebp shows of a file's first bytes."""
    library = Path(PIL.__file__).parent.parent / "pillow.libs/libwebp-*.so*"
    webp = ctypes.CDLL(glob.glob(str(library))[0])
    webp.WebPINewRGB.restype = webp.WebPIDecGetRGB.restype = ctypes.c_void_p
    webp.WebPINewRGB.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
    decoder = ctypes.c_void_p(webp.WebPINewRGB(0, None, 0, 0))
    webp.WebPIUpdate(decoder, data, ctypes.c_size_t(len(data)))
    numbers = [ctypes.c_int() for _ in range(4)]
    pixels = webp.WebPIDecGetRGB(decoder, *[ctypes.byref(number) for number in numbers])
    rows, width, _, stride = [number.value for number in numbers]
    content = b"" if not pixels else b"".join(
        ctypes.string_at(pixels + y * stride, 3 * width) for y in range(rows))
    webp.WebPIDelete(decoder)
    return (rows if pixels else 0), content


def truncated(name):
    data = (HERE / f"{name}.webp").read_bytes()
    lines = []
    for part in range(1, 20):
        count = len(data) * part // 20
        rows, content = incremental(data[:count])
        if rows > 0 and f" {rows} " not in "".join(lines):
            lines.append(f"{name} {count} {rows} {hashlib.sha256(content).hexdigest()}")
    return lines


if __name__ == "__main__":
    write_images()
    files = sorted(HERE.glob("*.webp"))
    (HERE / "expected.txt").write_text("\n".join(map(expected, files)) + "\n")
    lines = [line for path in files if "animation" in path.stem for line in frames(path)]
    (HERE / "frames.txt").write_text("\n".join(lines) + "\n")
    names = [
        "lossy-q80", "lossy-partitions", "lossy-no-filter", "lossy-simple-filter", "lossless",
        "lossless-fast", "palette-16", "alpha-disc-best",
    ]
    lines = [line for name in names for line in truncated(name)]
    (HERE / "truncated.txt").write_text("\n".join(lines) + "\n")
