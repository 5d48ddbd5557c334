"""Errors are exceptions by kind, as callers tell them apart."""

import pathlib
import unittest

import martlet
from surroundings import FIXTURES, FRUIT, ROOT


class ErrorTests(unittest.TestCase):
    def test_errors_of_images_have_a_kind(self):
        data = pathlib.Path(FRUIT).read_bytes()
        for options, image, kind, builtin, message in (
            ({}, b"", martlet.InvalidImage, ValueError, "expected an image, found an empty file"),
            ({}, b"\x00\x00\x00\x18ftypheic", martlet.UnsupportedImage, martlet.InvalidImage, "HEI"),
            ({}, data[:300], martlet.InvalidImage, ValueError, "JPEG: "),
            ({"strict": True}, data[:-900], martlet.InvalidImage, ValueError, "JPEG: "),
            ({"max_memory": 1, "full_resolution": True}, b"P5 4096 4096 255\n" + bytes(1 << 24), martlet.ResourceLimit,
             MemoryError, "limit"),
            ({"region": (9000, 0, 5, 5)}, data, martlet.InvalidImage, ValueError, ""),
        ):
            with self.subTest(kind=kind, options=options):
                detector = martlet.ObjectDetector(**options)
                with self.assertRaises(kind) as caught:
                    detector.detect(image, "my.jpg")
                self.assertIs(type(caught.exception), kind)
                self.assertIsInstance(caught.exception, builtin)
                self.assertIsInstance(caught.exception, martlet.Error)
                self.assertTrue(str(caught.exception).startswith("my.jpg: "))
                self.assertIn(message, str(caught.exception))

    def test_deadlines_are_timeouts(self):
        # Nearly no time is left for an image of 16 million pixels.
        with self.assertRaises(TimeoutError) as caught:
            martlet.FaceDetector(timeout=0.001, mesh=True).detect(b"P5 4096 4096 255\n" + bytes(1 << 24))
        self.assertIsInstance(caught.exception, martlet.DeadlineExceeded)
        in_time = martlet.ObjectDetector(timeout=60).detect(FRUIT)
        self.assertEqual(in_time, martlet.ObjectDetector().detect(FRUIT))

    def test_missing_files_are_errors_of_the_system(self):
        with self.assertRaises(FileNotFoundError):
            martlet.ObjectDetector().detect("/no/such/image.jpg")
        with self.assertRaises(IsADirectoryError):
            martlet.Model(str(ROOT))

    def test_errors_of_models_have_a_kind(self):
        models = FIXTURES / "Models"
        for kind, make in (
            (martlet.InvalidModel, lambda: martlet.ObjectDetector(classifier=b"")),
            (martlet.InvalidModel, lambda: martlet.ObjectDetector(classifier=b"no model")),
            (martlet.UnsupportedModel, lambda: martlet.ObjectDetector(detector=models / "blocks_f32.tflite")),
            (martlet.InvalidModel, lambda: martlet.Model(b"")),
            (martlet.InvalidModel, lambda: martlet.Model(models / "root_offset_past_end.tflite")),
            (martlet.UnsupportedModel, lambda: martlet.Model(models / "own_operators.tflite")),
            (martlet.InvalidArgument, lambda: martlet.Model(models / "blocks_f32.tflite", max_memory=0)),
            (martlet.InvalidArgument, lambda: martlet.Model(models / "blocks_f32.tflite", timeout="soon")),
        ):
            with self.subTest(kind=kind), self.assertRaises(kind) as caught:
                make()
            self.assertIs(type(caught.exception), kind)
            self.assertTrue(str(caught.exception))

    def test_frames_that_fail_count(self):
        tracker = martlet.Tracker()
        self.assertEqual(tracker.update(FRUIT).frame, 0)
        with self.assertRaises(martlet.InvalidImage):
            tracker.update(b"\xff\xd8\xff")
        self.assertEqual(tracker.update(FRUIT).frame, 2)
        results = martlet.Tracker().track([FRUIT, b"\xff\xd8\xff", FRUIT])
        self.assertEqual(next(results).frame, 0)
        with self.assertRaises(martlet.InvalidImage):
            next(results)

    def test_closed_owners_refuse_calls(self):
        detector = martlet.ObjectDetector()
        with detector as same:
            self.assertIs(same, detector)
            detector.detect(FRUIT)
        detector.close()
        with self.assertRaises(martlet.InvalidArgument) as caught:
            detector.detect(FRUIT)
        self.assertEqual(str(caught.exception), "the ObjectDetector is closed")
        with martlet.Model(FIXTURES / "Models/blocks_f32.tflite") as model:
            pass
        with self.assertRaises(martlet.InvalidArgument):
            model.run([])


if __name__ == "__main__":
    unittest.main()
