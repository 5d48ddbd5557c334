"""A tracker of the boxes of any detector."""

import unittest

import martlet
import numpy
from surroundings import SCENES


def frame(step):
    """A red and a blue square that pass each other, and their boxes."""
    array = numpy.full((48, 64, 3), 128, numpy.uint8)
    boxes = []
    for index, (x, color) in enumerate(((4 + 2 * step, (220, 20, 30)), (40 - 2 * step, (20, 40, 220)))):
        y = 10 + 12 * index
        array[y:y + 16, x:x + 16] = color
        boxes.append((x, y, 16, 16, 0.9, index))
    return array, boxes


class TrackerTests(unittest.TestCase):
    def test_objects_keep_their_numbers(self):
        tracker = martlet.ObjectTracker()
        for step in range(12):
            array, boxes = frame(step)
            found = tracker.update(boxes, array)
            self.assertEqual({one.tracking_id for one in found}, {0, 1})
            for one in found:
                self.assertEqual([label.index for label in one.labels], [one.tracking_id])

    def test_boxes_have_many_forms(self):
        array, boxes = frame(0)
        expected = martlet.ObjectTracker().update(boxes, array)
        objects = [martlet.DetectedObject(
            martlet.Box(*box[:4]), box[4], labels=(martlet.Label("", box[5], 0.9),)) for box in boxes]
        for form in (list(map(list, boxes)), numpy.array(boxes), numpy.array(boxes, numpy.float32), objects):
            self.assertEqual(martlet.ObjectTracker().update(form, array), expected)
        without = martlet.ObjectTracker().update([box[:5] for box in boxes], (64, 48))
        self.assertEqual([one.labels for one in without], [(), ()])

    def test_labels_of_a_detector_keep_their_texts(self):
        found = martlet.ObjectDetector(limit=5, labels="coarse").detect(SCENES[0])
        tracked = martlet.ObjectTracker().update(found.objects, (found.width, found.height))
        texts = {label.text for one in found.objects for label in one.labels}
        self.assertTrue(tracked)
        for one in tracked:
            self.assertTrue({label.text for label in one.labels} <= texts)

    def test_options_reset_and_skip(self):
        tracker = martlet.ObjectTracker(limit=1, start_score=0.3, low_score=0.2, keep_lost=5, min_score=0)
        _, boxes = frame(0)
        # The second box is nearer to the center.
        found = tracker.update([(*box[:4], 0.4) for box in boxes], (64, 48))
        self.assertEqual([one.tracking_id for one in found], [1])
        self.assertEqual([one.tracking_id for one in tracker.skip((64, 48))], [1])
        tracker.reset()
        self.assertEqual(tracker.skip((64, 48)), ())
        self.assertEqual(tracker.update([], (64, 48)), ())

    def test_mistakes_are_errors(self):
        array, boxes = frame(0)
        with self.assertRaisesRegex(martlet.InvalidArgument, "start_score"):
            martlet.ObjectTracker(start_score=2)
        with self.assertRaisesRegex(martlet.InvalidArgument, "limit"):
            martlet.ObjectTracker(limit=0)
        tracker = martlet.ObjectTracker()
        with self.assertRaisesRegex(martlet.InvalidArgument, "found 4 numbers"):
            tracker.update([(1, 2, 3, 4)], array)
        with self.assertRaises(martlet.InvalidArgument):
            tracker.update(boxes, (0, 48))
        with self.assertRaises(martlet.InvalidArgument):
            tracker.update(boxes, array.astype(float))
        tracker.close()
        with self.assertRaisesRegex(martlet.InvalidArgument, "closed"):
            tracker.update(boxes, array)


if __name__ == "__main__":
    unittest.main()
