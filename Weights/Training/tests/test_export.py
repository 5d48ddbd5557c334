"""Metadata, the zip of labels, and models as Swift source."""

import io
import zipfile

import pytest
from conftest import TRAINING

from export import embed, metadata


def test_seven_bits_round_trip():
    data = bytes(range(256))
    text = embed.seven_bit(data)
    codes = [ord(mark) ^ 0x40 for mark in text]
    back = bytearray()
    for start in range(0, len(codes), 8):
        *low, high = codes[start : start + 8]
        back += bytes(code | (high >> place & 1) << 7 for place, code in enumerate(low))
    assert bytes(back) == data


@pytest.mark.parametrize("name", list(embed.MODELS))
def test_swift_source_matches_the_script(name):
    weights = TRAINING.parent
    written = embed.swift(name, (weights / embed.MODELS[name]).read_bytes())
    assert written.encode() == (weights / f"{name}.swift").read_bytes()


def test_labels_are_readable_after_the_model():
    model = b"model" * 100
    files = {"labels.txt": "Food\nPlant\n"}
    whole = model + metadata._stored_zip(files, len(model))
    with zipfile.ZipFile(io.BytesIO(whole)) as archive:
        assert archive.read("labels.txt").decode() == files["labels.txt"]
        assert archive.infolist()[0].header_offset == len(model)


def test_metadata_is_a_flatbuffer_with_its_texts():
    pytest.importorskip("flatbuffers")
    blob = metadata.metadata("Title", "Purpose", "1.0", "License", {"name": "image", "description": "In"},
                             [{"name": "scores", "description": "Out", "labels": "labels.txt", "threshold": 0.35}])
    assert blob[4:8] == b"M001"
    for text in (b"Title", b"Purpose", b"image", b"scores", b"labels.txt", b"Martlet"):
        assert text in blob
