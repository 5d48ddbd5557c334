"""Images in each form give the same objects."""

import io
import pathlib
import unittest

import martlet
import numpy
from surroundings import FRUIT


def ppm(array):
    """A binary PPM or PGM file of pixels."""
    kind = b"P6" if array.ndim == 3 else b"P5"
    return kind + b"\n%d %d\n255\n" % (array.shape[1], array.shape[0]) + array.tobytes()


class ImageTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.detector = martlet.ObjectDetector(limit=9, labels="coarse", min_score=0, all_boxes=True)
        # Two boxes of different colors before a gradient.
        rows, columns = numpy.mgrid[0:240, 0:320]
        cls.rgb = numpy.stack([rows, columns * 3 // 4, 255 - rows], axis=2).astype(numpy.uint8)
        cls.rgb[60:160, 90:190] = (230, 40, 30)
        cls.rgb[150:220, 200:300] = (20, 200, 60)

    def found(self, image):
        result = self.detector.detect(image)
        self.assertEqual(result.image, "")
        return result.width, result.height, result.objects

    def test_path_and_bytes_give_the_same_objects(self):
        data = pathlib.Path(FRUIT).read_bytes()
        expected = self.detector.detect(FRUIT)
        self.assertEqual((expected.image, expected.frame, expected.warnings), (FRUIT, None, ()))
        self.assertGreater(len(expected.objects), 2)
        self.assertEqual(self.detector.detect(pathlib.Path(FRUIT)), expected)
        for image in (data, bytearray(data), memoryview(data)):
            self.assertEqual(self.detector.detect(image, FRUIT), expected)

    def test_arrays_equal_the_file_of_their_pixels(self):
        expected = self.found(ppm(self.rgb))
        self.assertTrue(expected[2])
        self.assertEqual(self.found(self.rgb), expected)
        self.assertNotEqual(self.found(numpy.ascontiguousarray(self.rgb[..., ::-1])), expected)

    def test_each_layout_gives_the_same_objects(self):
        rgb = self.rgb
        expected = self.found(rgb)
        height, width = rgb.shape[:2]
        rgba = numpy.dstack([rgb, numpy.full((height, width), 7, numpy.uint8)])
        bgra = numpy.dstack([rgb[..., ::-1], numpy.full((height, width), 7, numpy.uint8)])
        large = numpy.zeros((height + 30, width + 50, 3), numpy.uint8)
        large[10:-20, 15:-35] = rgb
        padded = numpy.zeros((height, width * 4 + 13), numpy.uint8)
        padded[:, : width * 4] = rgba.reshape(height, -1)
        step = numpy.zeros((height * 2, width * 3, 3), numpy.uint8)
        step[::2, ::3] = rgb
        layouts = {
            "RGBA": rgba,
            "RGBA without alpha": rgba[..., :3],
            "BGR reversed": numpy.ascontiguousarray(rgb[..., ::-1])[..., ::-1],
            "BGRA reversed": bgra[..., 2::-1],
            "crop": large[10:-20, 15:-35],
            "crop reversed": numpy.ascontiguousarray(large[..., ::-1])[10:-20, 15:-35, ::-1],
            "padded rows": numpy.lib.stride_tricks.as_strided(
                padded, (height, width, 4), (width * 4 + 13, 4, 1)),
            "every third column": step[::2, ::3],
            "upside down": numpy.ascontiguousarray(rgb[::-1])[::-1],
            "mirrored": numpy.ascontiguousarray(rgb[:, ::-1])[:, ::-1],
            "columns first": numpy.asfortranarray(rgb),
            "channels first": numpy.ascontiguousarray(rgb.transpose(2, 0, 1)).transpose(1, 2, 0),
            "read only": numpy.frombuffer(rgb.tobytes(), numpy.uint8).reshape(rgb.shape),
        }
        for name, array in layouts.items():
            with self.subTest(name):
                self.assertEqual(self.found(array), expected)

    def test_gray_arrays_equal_gray_files(self):
        gray = numpy.ascontiguousarray(self.rgb[..., 0])
        expected = self.found(ppm(gray))
        for array in (gray, self.rgb[..., 0], numpy.asfortranarray(gray), gray[:, :, None].repeat(3, axis=2)):
            self.assertEqual(self.found(array), expected)

    def test_small_arrays_are_images(self):
        for shape in ((1, 1), (1, 1, 3), (5, 1, 4), (1, 5, 3), (1, 7)):
            with self.subTest(shape):
                self.assertEqual(self.found(numpy.zeros(shape, numpy.uint8))[:2], (shape[1], shape[0]))

    def test_contiguous_arrays_are_not_copied(self):
        from martlet._pixels import layout

        for array in (self.rgb, self.rgb[3:70, 5:90], self.rgb[..., ::-1], self.rgb[..., 0].copy()):
            read, (address, *_) = layout(array)
            self.assertIs(read, array)
            first = array.__array_interface__["data"][0]
            self.assertIn(first - address, (0, 2))
        self.assertIsNot(layout(self.rgb[:, ::2])[0], self.rgb)

    def test_other_arrays_are_refused(self):
        for array, reason in (
            (self.rgb.astype(numpy.float32), "expected an array of uint8, found float32"),
            (self.rgb.astype(numpy.int8), "found int8"),
            (self.rgb[..., :2], "found shape (240, 320, 2)"),
            (self.rgb[None], "found shape (1, 240, 320, 3)"),
            (self.rgb[:0], "found shape (0, 320, 3)"),
            (numpy.zeros(9, numpy.uint8), "found shape (9,)"),
        ):
            with self.subTest(reason), self.assertRaises(martlet.InvalidArgument) as caught:
                self.detector.detect(array)
            self.assertIn(reason, str(caught.exception))

    def test_arrays_beyond_the_limits_are_refused(self):
        for shape in ((1 << 20, 1 << 20), (1, (1 << 20) + 1), ((1 << 32) + 5, 5, 3)):
            with self.assertRaises(martlet.ResourceLimit):
                self.detector.detect(numpy.broadcast_to(numpy.uint8(0), shape))

    def test_other_types_are_refused(self):
        for image in (None, 7, [[1, 2]], io.BytesIO(b"")):
            with self.assertRaises(martlet.InvalidType) as caught:
                self.detector.detect(image)
            self.assertIn(type(image).__name__, str(caught.exception))
            self.assertIsInstance(caught.exception, TypeError)


if __name__ == "__main__":
    unittest.main()
