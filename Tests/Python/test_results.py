"""Results are those of the tool, byte for byte."""

import json
import os
import pickle
import shutil
import tempfile
import unittest

import martlet
from surroundings import FACES, FIXTURES, FRUIT, SCENES, frames, lines_of_tool


class ResultTests(unittest.TestCase):
    def test_objects_equal_the_tool(self):
        for options, arguments in (
            ({"limit": 5, "labels": "coarse"}, ["--multiple", "--classify"]),
            ({"limit": 9, "labels": "fine", "all_boxes": True, "min_score": 0.03},
             ["--max-objects", "9", "--fine-labels", "--all-boxes", "--min-score", "0.03"]),
            ({"region": (10, 20, 300, 200)}, ["--region", "10,20,300,200", "--no-classify"]),
            ({}, ["--no-classify"]),
        ):
            with self.subTest(arguments=arguments):
                detector = martlet.ObjectDetector(**options)
                lines = [detector.detect(path).to_json() for path in SCENES]
                self.assertEqual(lines, lines_of_tool("detect", *SCENES, *arguments))
                self.assertGreater(len(lines), 5)

    def test_faces_equal_the_tool(self):
        for options, arguments in (
            ({}, []),
            ({"landmarks": True, "all_contours": True, "classify": True, "mesh": True},
             ["--landmarks", "--all-contours", "--classify", "--mesh"]),
            ({"mode": "fast", "contours": True}, ["--mode", "fast", "--contours"]),
            ({"limit": 1, "min_face_size": 0.1, "min_score": 0.6},
             ["--max-faces", "1", "--min-face-size", "0.1", "--min-score", "0.6"]),
        ):
            with self.subTest(arguments=arguments):
                detector = martlet.FaceDetector(**options)
                lines = [detector.detect(path).to_json() for path in FACES]
                self.assertEqual(lines, lines_of_tool("faces", *FACES, *arguments))
                self.assertGreater(len(lines), 4)

    def test_tracked_videos_equal_the_tool(self):
        for video, options, arguments in (
            ("Videos/table.mjpeg", {"limit": 5, "labels": "coarse"}, ["--multiple", "--classify"]),
            ("Videos/table.mjpeg", {"limit": 3, "detect_every": 3, "keep_lost": 2},
             ["--max-objects", "3", "--detect-every", "3", "--keep-lost", "2", "--no-classify"]),
            ("Faces/crossing.mjpeg", {"faces": True, "landmarks": True, "smoothing": False},
             ["--faces", "--landmarks", "--no-smoothing"]),
        ):
            with self.subTest(video=video, arguments=arguments):
                path = str(FIXTURES / video)
                tracker = martlet.Tracker(**options)
                lines = [
                    tracker.update(frame, f"{path}#{index}").to_json()
                    for index, frame in enumerate(frames(video))]
                self.assertEqual(lines, lines_of_tool("track", path, *arguments))
                self.assertGreater(len(lines), 5)

    def test_track_returns_the_result_of_each_frame(self):
        video = frames("Videos/table.mjpeg")[:4]
        one = martlet.Tracker(limit=5)
        results = list(martlet.Tracker(limit=5).track(iter(video)))
        self.assertEqual(results, [one.update(frame) for frame in video])
        self.assertEqual([result.frame for result in results], [0, 1, 2, 3])
        self.assertIsNotNone(results[0].objects[0].tracking_id)

    def test_damage_is_a_warning(self):
        path = str(FIXTURES / "PNG/Damaged/scene-iend-crc.png")
        result = martlet.ObjectDetector(limit=5).detect(path)
        self.assertEqual(len(result.warnings), 1)
        self.assertIn("IEND", result.warnings[0])
        self.assertEqual([result.to_json()], lines_of_tool("detect", path, "--multiple", "--no-classify"))

    def test_paths_that_are_not_utf_8_equal_the_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), b"caf\xe9 \xe2\x82\xac.jpg")
            shutil.copy(FRUIT, path)
            result = martlet.ObjectDetector().detect(os.fsdecode(path))
            self.assertEqual([result.to_json()], lines_of_tool("detect", path, "--no-classify"))
            self.assertEqual(os.fsencode(result.image), path)

    def test_values_are_immutable_and_complete(self):
        result = martlet.FaceDetector(landmarks=True, mesh=True).detect(FACES[0])
        self.assertEqual(pickle.loads(pickle.dumps(result)), result)
        self.assertEqual(hash(result), hash(pickle.loads(pickle.dumps(result))))
        self.assertEqual(json.loads(result.to_json()), result.to_dict())
        face = result.faces[0]
        self.assertIsInstance(face.box.x, float)
        self.assertEqual(len(face.mesh), 468)
        self.assertIn("noseBase", face.landmarks)
        self.assertIsNone(face.smiling_probability)
        left, top, right, bottom = face.box.corners
        self.assertAlmostEqual(right - left, face.box.width)
        self.assertAlmostEqual(bottom - top, face.box.height)
        with self.assertRaises(AttributeError):
            face.score = 1.0

    def test_labels_have_names(self):
        objects = martlet.ObjectDetector(limit=5, labels="fine").detect(FRUIT).objects
        self.assertIn("food", {found.category for found in objects})
        names = {label.text for found in objects for label in found.fine_labels}
        self.assertTrue(names & {"Apple", "Banana", "Lemon", "Orange"}, names)


if __name__ == "__main__":
    unittest.main()
