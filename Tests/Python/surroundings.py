"""What the tests share: fixtures, and the tool whose results are the expected ones."""

import os
import pathlib
import subprocess
import tarfile

ROOT = pathlib.Path(os.environ.get("MARTLET_ROOT", pathlib.Path(__file__).parents[2]))
TOOL = os.environ.get("MARTLET_TOOL", str(ROOT / ".build/release/martlet"))
FIXTURES = ROOT / "Tests/Fixtures"
SCENES = sorted(map(str, (FIXTURES / "Scenes").glob("*.jpg")))
FACES = sorted(map(str, (FIXTURES / "Faces").glob("*.jpg")))
FRUIT = str(FIXTURES / "Scenes/fruit.jpg")


def lines_of_tool(*arguments):
    """The lines of JSON that the tool prints."""
    ran = subprocess.run([TOOL, *arguments, "--json", "--threads", "1"], capture_output=True, text=True)
    return ran.stdout.splitlines()


def frames(video):
    """The JPEG files in a Motion JPEG video."""
    parts = (FIXTURES / video).read_bytes().split(b"\xff\xd8\xff")
    assert parts[0] == b""
    return [b"\xff\xd8\xff" + part for part in parts[1:]]


def operator_case(archive, case):
    """A model of one operator, with its input and output as bytes."""
    with tarfile.open(FIXTURES / "Operators" / f"{archive}.tar") as files:
        return [files.extractfile(f"{case}.{suffix}").read() for suffix in ("tflite", "in", "out")]
