"""Calls on several threads, and many of them."""

import gc
import os
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import martlet
import numpy
from surroundings import FACES, FIXTURES, FRUIT, SCENES

CALLS = int(os.environ.get("MARTLET_SOAK", "400"))


def resident():
    """The bytes of memory in use, without those of files."""
    with open("/proc/self/statm") as file:
        _, resident, shared, *_ = map(int, file.read().split())
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")


class CallTests(unittest.TestCase):
    def test_threads_get_the_same_results(self):
        shared = martlet.ObjectDetector(limit=5, labels="coarse")
        expected = [shared.detect(path) for path in SCENES]

        def detect(index):
            own = shared if index % 2 else martlet.ObjectDetector(limit=5, labels="coarse")
            return [own.detect(path) for path in SCENES]

        with ThreadPoolExecutor(8) as pool:
            for results in pool.map(detect, range(8)):
                self.assertEqual(results, expected)

    def test_threads_share_a_model(self):
        model = martlet.Model(FIXTURES / "Models/blocks_f32.tflite")
        arrays = numpy.random.default_rng(5).random((16, *model.inputs[0].shape), numpy.float32)
        expected = [model.run(array)[0].copy() for array in arrays]
        with ThreadPoolExecutor(8) as pool:
            for found, one in zip(pool.map(lambda array: model.run(array)[0], arrays), expected):
                numpy.testing.assert_array_equal(found, one)

    def test_other_threads_run_during_a_call(self):
        """The interpreter's lock is released: a counting thread continues while a detector works."""
        detector = martlet.ObjectDetector(limit=20, min_score=0, all_boxes=True, labels="fine")
        with open(FRUIT, "rb") as file:
            image = file.read()
        steps, done = [], threading.Event()

        def count():
            while not done.is_set():
                steps.append(time.perf_counter())
                time.sleep(0.0005)

        counter = threading.Thread(target=count)
        counter.start()
        start = time.perf_counter()
        detector.detect(image)
        end = time.perf_counter()
        done.set()
        counter.join()
        during = sum(start < step < end for step in steps)
        # One step before the call and one after it could be made with the lock.
        self.assertGreater(during, 10, f"in {end - start} seconds")

    def test_many_calls_do_not_grow_memory(self):
        array = numpy.zeros((96, 128, 3), numpy.uint8)
        array[20:60, 30:80] = 200
        objects = martlet.ObjectDetector(limit=5)
        faces = martlet.FaceDetector(landmarks=True, mode="fast")
        tracker = martlet.Tracker(limit=2)
        tracker_of_boxes = martlet.ObjectTracker(keep_lost=5)
        model = martlet.Model(FIXTURES / "Models/blocks_int8.tflite")
        values = numpy.zeros(model.inputs[0].shape, model.inputs[0].dtype)
        with open(FACES[-1], "rb") as file:
            face = file.read()
        before, first = 0, max(CALLS // 20, 100)
        for call in range(CALLS + first):
            if call == first:
                gc.collect()
                before = resident()
            objects.detect(array)
            tracker.update(array)
            tracker_of_boxes.update([(call % 80, 20, 40, 40, 0.9, call % 3)], array)
            model.run(values)
            if call % 10 == 0:
                faces.detect(face)
                martlet.Model(FIXTURES / "Models/blocks_f32.tflite")
                with self.assertRaises(martlet.InvalidImage):
                    objects.detect(b"\xff\xd8\xff")
                with self.assertRaises(martlet.InvalidArgument):
                    martlet.ObjectDetector(limit=0)
        gc.collect()
        self.assertLess(resident() - before, 4 << 20, f"bytes more after {CALLS} calls, from {before}")

    def test_texts_are_released(self):
        model = martlet.Model(FIXTURES / "Models/blocks_int8.tflite")
        detector = martlet.ObjectDetector()

        def make_texts(count):
            for _ in range(count):
                model._describe()
                with self.assertRaises(martlet.UnsupportedImage):
                    detector.detect(b"none")

        make_texts(2000)
        before = resident()
        make_texts(20000)
        self.assertLess(resident() - before, 2 << 20)

    def test_detectors_are_released(self):
        martlet.ObjectDetector(labels="fine").detect(FRUIT)
        before = resident()
        for _ in range(20):
            martlet.ObjectDetector(labels="fine").detect(FRUIT)
        self.assertLess(resident() - before, 16 << 20)


if __name__ == "__main__":
    unittest.main()
