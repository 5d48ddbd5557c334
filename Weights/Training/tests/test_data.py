"""Augmentation, views, targets and face geometry."""

import re

import numpy as np
import pytest
from conftest import TRAINING

from data import augment, boxes, canonical_face, detector_views, face_geometry, paste, scenes, targets
from data.fine_labels import FineLabels


def test_random_rectangle_stays_inside():
    rng = np.random.default_rng(0)
    for _ in range(500):
        width, height = rng.integers(8, 300, 2)
        x, y, w, h = augment.random_rectangle(rng, width, height, 0.06)
        assert 0 <= x and 0 <= y and x + w <= width and y + h <= height


def test_cropped_keeps_boxes_inside():
    rng = np.random.default_rng(1)
    view = rng.integers(0, 255, (96, 96, 3), np.uint8)
    boxes = np.float32([[10, 10, 60, 60], [50, 20, 95, 90]])
    for _ in range(100):
        fused = np.float32([[0.1, 0.1, 0.6, 0.6, 0.9, 0.5]])
        image, kept, kinds, teacher_boxes = scenes.cropped(view, boxes, np.float32([2, 2]), fused, 64, rng)
        assert image.shape == (64, 64, 3) and len(kept) == len(kinds)
        assert (kept >= -1e-3).all() and (kept <= 64 + 1e-3).all()
        assert (teacher_boxes[:, :4] >= -1e-5).all() and (teacher_boxes[:, :4] <= 1 + 1e-5).all()


def test_pasted_boxes_stay_inside():
    rng = np.random.default_rng(2)
    cut_outs = [(np.full((20, 30, 3), 90, np.uint8), np.ones((20, 30), np.float32))]
    for _ in range(50):
        view = np.zeros((96, 96, 3), np.uint8)
        no_boxes = np.zeros((0, 4), np.float32), np.zeros(0, np.float32), np.zeros((0, 6), np.float32)
        _, boxes, kinds, _ = paste.paste(view, *no_boxes, cut_outs, rng)
        assert len(boxes) and (kinds == 2).all()
        assert (boxes >= 0).all() and (boxes <= 96).all()


def test_overlap():
    shared = boxes.overlap(np.array([[0, 0, 2, 2.0]]), np.array([[1, 1, 3, 3], [0, 0, 2, 1], [4, 4, 5, 5.0]]))
    assert shared[0] == pytest.approx([1 / 7, 1 / 2, 0])


def test_annotation_replaces_the_teachers_box():
    fused = np.float32([[0, 0, 0.5, 0.5, 0.8, 0.6], [0.6, 0.6, 0.9, 0.9, 0.5, 0.1]])
    truth = targets.objects(fused, np.float32([[0, 0, 0.5, 0.45]]), np.float32([2]), False)
    assert truth.shape == (targets.MAX_OBJECTS, 6)
    assert truth[0] == pytest.approx([0, 0, 0.5, 0.45, 1, 0.6])
    assert truth[1] == pytest.approx(fused[1])
    assert (truth[2:] == 0).all()


def test_fine_names_are_distinct_and_known_to_the_classes():
    labels = FineLabels()
    assert len(set(labels.names)) == len(labels.names)
    assert [name for name, right in labels.right().items() if not right] == ["capybara/capybara"]


def test_fine_classes_have_right_hypernyms():
    labels = FineLabels()
    right = labels.right_hypernyms()
    assert right["capybara/capybara"] == {"Mammal"} and right["trapedes/cyclist"] == {"Vehicle", "Person"}
    assert set().union(*right.values()) <= set(labels.hypernyms)


def test_confidence_of_a_hypernym_is_its_sum_times_its_share():
    labels = FineLabels()
    rows = [{"Apple": 0.5, "Pear": 0.25}, {"Apple": 0.5, "Dog": 0.25, "Cat": 0.25, "Horse": 0.5}]
    found = labels.best_hypernyms(np.float32([[row.get(name, 0) for name in labels.names] for row in rows]))
    assert found[0] == ["Fruit", "Mammal"]
    assert found[1] == pytest.approx([0.75, 2 / 3])


def test_name_of_a_crop_by_its_best_label_and_the_sum_of_its_classes():
    labels = FineLabels()
    beagle, collie, person = 163, 232, 84  # of ImageNet, of ImageNet, of the labeler
    named = np.zeros((1, 4, 20), np.uint16)
    named[0, :, :2] = [beagle, collie], [96, 32], [person, person + 1], [64, 16]
    found = dict(zip(labels.names, labels.by_teachers(named)[0]))
    assert found["Dog"] == 0.5
    assert found["Person"] == 0.25
    assert sum(probability > 0.1 for probability in found.values()) == 2


def test_grid_matches_the_levels():
    centers, cells = targets.grid(*targets.LANDSCAPE)
    assert len(centers) == len(cells) == sum(count * 4 * count // 3 for count, _ in targets.LEVELS)
    assert centers[0] == pytest.approx([0.5 / 32, 0.5 / 24])
    assert cells[0].tolist() == [32, 24] and cells[-1].tolist() == [4, 3]


@pytest.mark.parametrize(("size", "shape"), [
    ((640, 480), targets.LANDSCAPE), ((480, 640), targets.PORTRAIT), ((115, 100), targets.SQUARE),
    ((116, 100), targets.LANDSCAPE), ((100, 116), targets.PORTRAIT)])
def test_input_has_the_shape_of_the_image(size, shape):
    assert targets.shape(*size) == shape


def test_face_target_lies_on_the_face():
    labels = detector_views.Faces([[60, 60, 64, 64]], np.ones((1, 6, 2)), [[1, 1]], [])
    grid = detector_views.cells(192)
    kind, boxes, _, _ = detector_views.target(labels, 192, grid)
    claimed = kind == 1
    assert claimed.any()
    assert boxes[claimed] == pytest.approx(np.tile([92, 92, 64, 64], (claimed.sum(), 1)))
    assert (np.abs(grid[0][claimed] - 92) <= 32).all()


def test_crop_coordinates_round_trip():
    rng = np.random.default_rng(3)
    mesh = rng.uniform(0, 100, (468, 3))
    crop = face_geometry.Crop([40, 60], 80, 0.3)
    assert crop.to_image(crop.to_crop(mesh)) == pytest.approx(mesh)
    assert crop.to_crop(np.array([[40.0, 60.0]]))[0] == pytest.approx([0.5, 0.5])


def test_roll_of_upright_and_rotated_faces():
    upright = np.array([[-1, 0], [1, 0], [0, 2.0]])
    assert face_geometry.roll(upright) == pytest.approx(0)
    c, s = np.cos(0.4), np.sin(0.4)
    assert face_geometry.roll(upright @ np.array([[c, s], [-s, c]])) == pytest.approx(0.4)


SWIFT = TRAINING.parents[1] / "Sources/Vision/MartletVision/Faces/Pose/CanonicalFace.swift"


def canonical_points():
    rows = re.findall(r"^    \[?(-?\d\.\d{4}[-., \d]*\d)\]?,$", SWIFT.read_text(), re.M)
    points = np.array([[float(number) for number in row.split(",")] for row in rows])
    return points[6:], points[:6]


def test_canonical_face_matches_the_script():
    mesh, six = canonical_points()
    assert mesh.shape == (468, 3)
    assert canonical_face.swift(mesh, six).encode() == SWIFT.read_bytes()


def test_euler_angles_of_a_rotated_face():
    mesh, _ = canonical_points()
    a = np.radians(20)
    rolled = mesh @ np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]]).T
    assert face_geometry.euler(mesh * [1, -1, -1], mesh) == pytest.approx([0, 0, 0], abs=1e-6)
    assert np.abs(face_geometry.euler(rolled * [1, -1, -1], mesh)) == pytest.approx([0, 0, 20], abs=1e-6)
