"""Options have the names of the tool in snake case, and are checked."""

import inspect
import pathlib
import re
import unittest

import martlet
import numpy
from surroundings import FRUIT, ROOT

CLASSIFIER = str(ROOT / "Weights/classifier.tflite")


class OptionTests(unittest.TestCase):
    def test_invalid_options_are_errors(self):
        objects, faces, tracker = martlet.ObjectDetector, martlet.FaceDetector, martlet.Tracker
        for kind, options, message in (
            (objects, {"limt": 5}, "ObjectDetector has no option limt; did you mean limit?"),
            (objects, {"maxObjects": 5}, "ObjectDetector has no option maxObjects; did you mean limit?"),
            (objects, {"fine_labels": True}, "ObjectDetector has no option fine_labels; did you mean labels?"),
            (objects, {"max_memry": 5}, "ObjectDetector has no option max_memry; did you mean max_memory?"),
            (objects, {"wings": 2}, "ObjectDetector has no option wings; options are limit, "),
            (faces, {"landmark": True}, "FaceDetector has no option landmark; did you mean landmarks?"),
            (faces, {"max_faces": 3}, "FaceDetector has no option max_faces; did you mean limit?"),
            (tracker, {"all_boxes": True}, "Tracker has no option all_boxes; "),
            (tracker, {"faces": True, "labels": "fine"}, "Tracker has no option labels; "),
            (objects, {"limit": 0}, "limit: expected number from 1 on"),
            (objects, {"limit": 2.5}, "limit: expected whole number"),
            (objects, {"limit": "5"}, "limit: expected whole number"),
            (faces, {"limit": 0}, "limit: expected number from 1 on"),
            (objects, {"min_score": 2}, "min_score: expected number of 0...1"),
            (objects, {"min_score": float("nan")}, "an option has an invalid value: "),
            (objects, {"strict": 1}, "strict: expected Boolean"),
            (objects, {"region": (1, 2, 3)}, "region: expected [x, y, width, height] with sides above zero"),
            (objects, {"timeout": 0}, "timeout: expected number of seconds from 0.001 to 1000000"),
            (objects, {"labels": "corse"}, 'labels: expected "coarse", "fine" or a list of names, found "corse"'),
            (objects, {"threshold": 0.5}, 'threshold requires labels="coarse" or labels="fine" or classifier'),
            (objects, {"all_boxes": True}, "all_boxes requires limit"),
            (objects, {"labels": ["a", "b"]}, "labels requires classifier or detector"),
            (objects, {"max_labels": 2, "labels": "coarse"}, "max_labels requires classifier"),
            (objects, {"labels": "coarse", "classifier": CLASSIFIER}, 'labels="coarse" cannot be combined with classifier'),
            (faces, {"mode": "slow"}, "mode: expected fast or accurate"),
            (faces, {"mode": "fast", "contours": True, "limit": 2}, "limit cannot be combined with contours and mode fast"),
        ):
            with self.subTest(message):
                with self.assertRaises(martlet.InvalidArgument) as caught:
                    kind(**options)
                self.assertIn(message, str(caught.exception))
                self.assertIsInstance(caught.exception, ValueError)
                self.assertEqual(isinstance(caught.exception, TypeError), "no option" in message)

    def test_none_is_the_default(self):
        expected = martlet.ObjectDetector().detect(FRUIT)
        names = inspect.signature(martlet.ObjectDetector).parameters
        self.assertEqual(martlet.ObjectDetector(**{name: None for name in names}).detect(FRUIT), expected)

    def test_every_option_of_the_library_has_a_name(self):
        # The members of the configurations, as their Swift sources list them.
        folder = ROOT / "Sources/Vision/MartletVision/Configuration"
        listed = {"objects": set(), "faces": set()}
        for kind, file in (("objects", "ObjectConfiguration.swift"), ("faces", "FaceConfiguration.swift")):
            for path in (file, "DecodingConfiguration.swift"):
                source = (folder / path).read_text()
                kinds = "flag|count|share|numbers|words|choice|seconds|mebibytes"
                listed[kind].update(re.findall(rf'^ *\.(?:{kinds})\(\s*"(\w+)"', source, re.MULTILINE))
        self.assertGreater(len(listed["objects"] & listed["faces"]), 6)
        special = {"faces", "stream", "multiple", "classify", "fineLabels", "maxObjects"}
        streams = {"detectEvery", "keepLost", "smoothing"}
        names = {camel(name) for name in inspect.signature(martlet.ObjectDetector).parameters}
        self.assertEqual(listed["objects"] - special - streams, names - {"limit", "classifier", "detector"})
        names = {camel(name) for name in inspect.signature(martlet.FaceDetector).parameters}
        self.assertEqual(listed["faces"] - {"faces", "stream", "maxFaces"} - streams, names - {"limit"})

    def test_numbers_may_be_numpys(self):
        detector = martlet.ObjectDetector(limit=numpy.int64(3), min_score=numpy.float32(0.5))
        self.assertEqual(detector.detect(FRUIT), martlet.ObjectDetector(limit=3, min_score=0.5).detect(FRUIT))

    def test_models_replace_the_included_ones(self):
        own = martlet.ObjectDetector(limit=5, classifier=CLASSIFIER, labels=list("abcdef"), max_labels=2, threshold=0.0)
        labels = [found.labels for found in own.detect(FRUIT).objects]
        self.assertTrue(labels)
        for found in labels:
            self.assertEqual(len(found), 2)
            self.assertLessEqual({label.text for label in found}, set("abcdef"))
        with_bytes = martlet.ObjectDetector(
            limit=5, classifier=pathlib.Path(CLASSIFIER).read_bytes(), labels=tuple("abcdef"), max_labels=2, threshold=0.0)
        self.assertEqual(with_bytes.detect(FRUIT).objects, own.detect(FRUIT).objects)

    def test_options_are_in_the_help(self):
        for kind in (martlet.ObjectDetector, martlet.FaceDetector):
            for name in inspect.signature(kind).parameters:
                self.assertIn(name, kind.__doc__)
        for name in ("faces", "detect_every", "keep_lost", "smoothing"):
            self.assertIn(name, martlet.Tracker.__doc__)


def camel(name):
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))


if __name__ == "__main__":
    unittest.main()
