"""Decoders, measures, calibration and averaging, against values computed by hand."""

import importlib
import sys

import numpy as np
import pytest
from conftest import TRAINING

from evaluate import decode, decode_faces, measures, reported
from evaluate import fine_labels as names
from export import calibrate
from train import average, expression, fine_labels, loop

ROW = {"file": "a", "width": 100, "height": 100, "labelled": "all", "category": "food", "boxes": [
    {"box": [10, 10, 20, 20], "difficult": False}, {"box": [40, 40, 40, 40], "difficult": False},
    {"box": [0, 0, 5, 5], "difficult": True}]}


@pytest.mark.parametrize("path", sorted(TRAINING.glob("*/*.py")), ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_module_imports(path):
    if path.parent.name != "tests":
        importlib.import_module(f"{path.parent.name}.{path.stem}")


def test_truth_excludes_difficult_boxes():
    boxes, main = measures.truth(ROW)
    assert boxes.tolist() == [[10, 10, 30, 30], [40, 40, 80, 80]]
    assert main == 1


def test_measures_of_one_image():
    boxes = np.array([[0.4, 0.4, 0.8, 0.8], [0.9, 0.9, 1, 1], [0.1, 0.1, 0.3, 0.3]])
    first, recall, precision = measures.measures([(ROW, boxes, np.array([0.9, 0.8, 0.7]))])
    assert (first, recall) == (1, 1)
    assert precision == pytest.approx((1 + 2 / 3) / 2)


def test_an_object_is_matched_once():
    assert measures.assigned(np.array([[0.8], [0.9]])).tolist() == [0, -1]


def test_macro_accuracy():
    rows = [{"category": name} for name in ("food", "food", "plants")]
    assert measures.macro_accuracy(rows, np.array([2, 0, 4])) == pytest.approx(0.75)


def test_area_under_curve_and_calibration_error():
    truth = np.array([0, 0, 1, 1])
    assert expression.area_under_curve(np.array([0.1, 0.6, 0.6, 0.9]), truth) == pytest.approx(0.875)
    assert expression.calibration_error(np.array([0.25, 0.25, 0.75, 0.75]), truth) == pytest.approx(0.25)


def test_decoder_locates_and_suppresses_boxes():
    logits, boxes = np.full((2, 2, 2), -9.0), np.zeros((2, 2, 4))
    logits[0, 1] = 2
    found, scores = decode.objects([logits, boxes])
    assert found.tolist() == [[0.25, 0, 1, 0.75]]
    assert scores == pytest.approx([1 / (1 + np.exp(-2))])
    same = np.array([[0, 0, 1, 1], [0, 0, 1, 0.9]])
    assert decode.suppressed(np.array([0.4, 0.5]), same, decode.Parameters()).tolist() == [1]


def test_group_has_half_the_score():
    group, apple, pear = [0, 0, 1, 0.5], [0.05, 0, 0.4, 0.5], [0.5, 0, 1, 0.5]
    boxes = np.array([group, apple, pear])
    assert decode.groups(np.array([0.8, 0.4, 0.4]), boxes).tolist() == [True, False, False]
    assert not decode.groups(np.array([0.8, 0.4, 0.39]), boxes).any()  # not sure enough
    assert not decode.groups(np.array([0.8, 0.4, 0.4]), np.array([group, apple, [0.5, 0.1, 1, 0.6]])).any()  # outside
    assert not decode.groups(np.array([0.8, 0.4, 0.4]), boxes * [[1], [0.5], [0.5]]).any()  # small parts
    logits, distances = np.full((1, 4, 2), -9.0), np.zeros((1, 4, 4))
    logits[0, :3], distances[0, :3, 2] = [[2, 0], [1.5, 0], [1.4, 0]], np.log([3.5, 0.5, 0.5])
    found, scores = decode.objects([logits, distances])
    assert scores == pytest.approx([1 / (1 + np.exp(-1.5)), 1 / (1 + np.exp(-1.4)), 0.5 / (1 + np.exp(-2))])


def test_first_and_best_scoring_objects_stay():
    scores = np.array([0.5, 0.8, 0.5, 0.6])
    assert [decode.selected(scores, limit).tolist() for limit in (1, 2, 3, 4)] == [[0], [0, 1], [0, 1, 3], [0, 1, 2, 3]]
    assert decode.selected(scores[:0]).tolist() == []


def test_doubtful_scenes_and_parts_are_not_reported():
    boxes = np.array([[0, 0, 1, 0.9], [0, 0, 0.2, 0.2], [0.11, 0, 0.21, 0.1], [0.5, 0.5, 0.9, 0.9]])
    scores = np.array([0.49, 0.8, 0.7, 0.24])
    assert decode.reported(boxes, scores).tolist() == [1]
    assert decode.reported(boxes, scores, rules=()).tolist() == [0, 1, 2]
    assert decode.reported(boxes, np.array([0.5, 0.8, 0.9, 0.3]), rules=["scenes"]).tolist() == [0, 1, 2, 3]


def test_right_and_false_boxes_are_counted():
    boxes = np.array([[10, 10, 30, 30], [10, 10, 30, 29], [0, 0, 5, 5], [90, 90, 99, 99]], float)
    assert reported.counted(ROW, boxes, np.array([0.9, 0.8, 0.7, 0.6])) == (1, 2, 2)


def test_overlapping_faces_are_merged():
    boxes = np.array([[0, 0, 10, 10], [0, 0, 10, 9], [50, 50, 60, 60.0]])
    scores, merged, _ = decode_faces.merged(np.array([0.9, 0.6, 0.5]), boxes, np.zeros((3, 6, 2)))
    assert scores.tolist() == [0.9, 0.5]
    assert merged[0] == pytest.approx([0, 0, 10, 9.6])


def test_cross_entropy_of_even_odds():
    assert calibrate._cross_entropy(np.zeros((3, 2)), np.array([0, 1, 0])) == pytest.approx(np.log(2))


def test_confidence_curve_gives_the_share_of_right_names():
    logits, right = np.repeat([-1.0, 1.0], 4), np.array([1, 0, 0, 0, 1, 1, 1, 0.0])
    assert fine_labels.confidence_curve(logits, right) == pytest.approx([np.log(3), 0], abs=1e-4)


def test_hypernym_is_shown_if_the_name_is_not_sure():
    confidence = np.array([[0.7, 0.9], [0.5, 0.6], [0.5, 0.5]])
    is_shown, is_right = names.shown(confidence, np.array([[True, False], [False, True], [True, True]]), 0.6)
    assert is_shown.tolist() == [[True, False], [False, True], [False, False]]
    assert is_right.tolist() == [True, True, False]


def test_threshold_is_chosen_by_the_other_sources():
    sources = np.array(["a"] * 5 + ["b"] * 5)
    confidence = np.zeros((10, 2))
    confidence[:, 0] = [0.4, 0.6, 0.6, 0.6, 0.6, 0.4, 0.5, 0.5, 0.5, 0.6]
    right = np.zeros((10, 2), bool)
    right[1:5, 0] = right[6:, 0] = True
    right[6, 0] = False  # of b: 3 of 4 from 0.5 on
    assert list(names.left_out(sources, confidence, right)) == [("a", 0.55, 5, 4, 4), ("b", 0.4, 5, 5, 3)]


def test_average_of_two_checkpoints(tmp_path, monkeypatch):
    weights = [np.ones((2, 2), np.float32), np.zeros(3, np.float32)]
    loop.pack(tmp_path / "packed.npz", (7, 70, 1.5), weights, [np.arange(3.0)])
    loop.save_arrays(tmp_path / "weights-1.npz", weights)
    loop.save_arrays(tmp_path / "weights-2.npz", [3 * weights[0], weights[1] + 1])
    names = [str(tmp_path / f"{name}.npz") for name in ("weights-1", "weights-2", "mean")]
    monkeypatch.setattr(sys, "argv", ["average", *names[:2], "--out", names[2]])
    average.main()
    progress, means, extra = loop.unpack(names[2])
    assert progress.tolist() == [7, 70, 1.5]
    assert means[0].tolist() == [[2, 2], [2, 2]] and means[1].tolist() == [0.5] * 3
    assert extra[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["classifier", "localizer", "detector", "mesh", "eyes", "smile"])
def test_checkpoint_is_readable(name):
    _, weights, _ = loop.unpack(TRAINING / f"checkpoints/{name}.npz")
    assert weights and all(np.isfinite(array).all() for array in weights)


def test_answers_are_counted_by_source_and_confidence():
    lines = list(measures.by_confidence(["b", "a", "a", "a"], [0.5, 0.7, 0.84, 0.2], [True, True, False, True]))
    assert lines[2:] == ["| a | 0/0 | 1/2 | 0/0 |", "| b | 1/1 | 0/0 | 0/0 |", "| all | 1/1 | 1/2 | 0/0 |"]
