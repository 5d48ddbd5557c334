"""WIDER FACE's layout and rules, on a small folder of the same form, against values computed by hand."""

import json

import numpy as np
import pytest

from evaluate import public_sets

EVENT = "0--Parade"
ANNOTATIONS = f"""{EVENT}/a.jpg
3
0 0 9 9 0 0 0 0 0 0 
100 0 49 49 0 0 0 0 0 0 
200 0 4 4 0 0 0 1 0 0 
{EVENT}/b.jpg
0
0 0 0 0 0 0 0 0 0 0 
{EVENT}/c.jpg
1
0 0 19 19 0 0 0 0 0 0 
"""


def line(name, *faces):
    frames = [{"frame": dict(zip(("x", "y", "width", "height"), box)), "score": score} for *box, score in faces]
    return json.dumps({"image": f"wider/WIDER_val/images/{EVENT}/{name}", "faces": frames})


@pytest.fixture
def folder(tmp_path):
    split = tmp_path / "wider_face_split"
    split.mkdir()
    (split / "wider_face_val_bbx_gt.txt").write_text(ANNOTATIONS)
    return tmp_path


def cells(values):
    content = np.empty((len(values), 1), object)
    content[:, 0] = values
    return content


def write_subset(folder, name, indices):
    """A file in the form of the evaluation tools: cells of cells, indices from 1."""
    scipy_io = pytest.importorskip("scipy.io")
    columns = [np.array(each, np.uint8).reshape(-1, 1) for each in indices]
    scipy_io.savemat(folder / f"wider_face_split/wider_{name}_val.mat", {
        "event_list": cells([EVENT]), "file_list": cells([cells(["a", "b", "c"])]), "gt_list": cells([cells(columns)])})


def test_reads_images_without_faces(folder):
    faces = public_sets.annotations(folder / "wider_face_split/wider_face_val_bbx_gt.txt")
    assert [len(boxes) for boxes, _ in faces.values()] == [3, 0, 1]
    assert faces[f"{EVENT}/a.jpg"][1].tolist() == [True, True, False]


def test_sides_hold_both_end_pixels():
    boxes = np.array([[0, 0, 9, 9], [5, 0, 9, 9]], float)
    assert public_sets.overlaps(boxes[:1], boxes)[0] == pytest.approx([1, 50 / 150])


def test_all_valid_faces_count_without_subsets(folder):
    # By score: right, wrong, a face found twice, an invalid face that does not count, right.
    lines = [line("a.jpg", (100, 0, 49, 49, 1), (300, 0, 9, 9, 0.8), (101, 0, 49, 49, 0.6), (200, 0, 4, 4, 0.5)),
             line("b.jpg", (0, 0, 9, 9, 0.9)), line("c.jpg", (0, 0, 19, 19, 0.1))]
    assert public_sets.scores(folder, lines) == {"all": pytest.approx(1 / 3 + 1 / 3 * 2 / 4)}


def test_subsets_choose_faces(folder):
    write_subset(folder, "easy", [[2], [], []])
    write_subset(folder, "hard", [[1, 2], [], [1]])
    lines = [line("a.jpg", (0, 0, 9, 9, 0.9), (100, 0, 49, 49, 0.5)), line("c.jpg", (0, 0, 19, 19, 0.1))]
    # Boxes on faces outside of the subset do not count.
    assert public_sets.scores(folder, lines) == {"easy": pytest.approx(1), "hard": pytest.approx(1)}


def test_nothing_detected_is_zero(folder):
    assert public_sets.scores(folder, [line("a.jpg")]) == {"all": 0}
