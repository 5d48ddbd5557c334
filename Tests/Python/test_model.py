"""Models run on arrays."""

import json
import pathlib
import subprocess
import tempfile
import unittest

import martlet
import numpy
from surroundings import FIXTURES, ROOT, TOOL, operator_case

MODELS = FIXTURES / "Models"
CLASSIFIER = ROOT / "Weights/classifier.tflite"


def outputs_of_tool(path, inputs):
    """The bytes of the outputs that the tool computes."""
    with tempfile.TemporaryDirectory() as folder:
        command = [TOOL, "run", str(path), "--output", f"{folder}/out", "--threads", "1"]
        for index, array in enumerate(inputs):
            pathlib.Path(folder, f"{index}.in").write_bytes(array.tobytes())
            command += ["--input", f"{folder}/{index}.in"]
        subprocess.run(command, check=True, capture_output=True)
        described = json.loads(pathlib.Path(folder, "out/outputs.json").read_text())
        return [pathlib.Path(folder, f"out/{index}.bin").read_bytes() for index in range(len(described))]


class ModelTests(unittest.TestCase):
    def test_outputs_equal_the_tool(self):
        for path in (CLASSIFIER, ROOT / "Weights/localizer.tflite", MODELS / "blocks_f32.tflite", MODELS / "blocks_int8.tflite"):
            with self.subTest(path):
                model = martlet.Model(path)
                values = numpy.random.default_rng(7)
                inputs = [
                    values.integers(0, 100, tensor.shape).astype(tensor.dtype) for tensor in model.inputs]
                outputs = model.run(inputs)
                self.assertEqual([output.tobytes() for output in outputs], outputs_of_tool(path, inputs))
                self.assertEqual([output.shape for output in outputs], [tensor.shape for tensor in model.outputs])
                self.assertTrue(any(output.any() for output in outputs))

    def test_tensors_are_described(self):
        with martlet.Model(CLASSIFIER.read_bytes()) as model:
            tensor, = model.inputs
            self.assertEqual((tensor.shape, tensor.dtype), ((1, 160, 160, 3), "uint8"))
            self.assertEqual(len(tensor.quantization.scales), 1)
            self.assertEqual(len(model.outputs), 1)
        self.assertIsNone(martlet.Model(MODELS / "blocks_f32.tflite").inputs[0].quantization)

    def test_addition_adds(self):
        data, inputs, _ = operator_case("add", "add_f16_relu")
        model = martlet.Model(data)
        arrays, offset = [], 0
        for tensor in model.inputs:
            count = int(numpy.prod(tensor.shape))
            arrays.append(numpy.frombuffer(inputs, tensor.dtype, count, offset).reshape(tensor.shape))
            offset += count * 2
        total, = model.run(tuple(arrays))
        self.assertEqual(total.dtype, numpy.float16)
        numpy.testing.assert_array_equal(total, numpy.maximum(arrays[0] + arrays[1], 0))
        named = {tensor.name: array for tensor, array in zip(model.inputs, arrays)}
        numpy.testing.assert_array_equal(model.run(named)[0], total)

    def test_shapes_that_depend_on_the_inputs_are_those_of_the_run(self):
        data, _, _ = operator_case("edge_where", "where_floats")
        model = martlet.Model(data)
        for values in ([[1, 0, 2], [0, 0, 3]], [[0, 0, 0], [0, 0, 0]], [[1, 1, 1], [1, 1, 1]]):
            array = numpy.array(values, numpy.float32)
            places, = model.run(array)
            self.assertEqual(places.dtype, numpy.int64)
            numpy.testing.assert_array_equal(places, numpy.argwhere(array))
            self.assertEqual(model.outputs[0].shape, places.shape)

    def test_variables_keep_their_values(self):
        path = MODELS / "variables_f32_accumulate.tflite"
        model = martlet.Model(path)
        array = numpy.full(model.inputs[0].shape, 1.5, numpy.float32)
        first, second = model.run(array)[0], model.run(array)[0]
        self.assertFalse(numpy.array_equal(first, second))
        numpy.testing.assert_array_equal(martlet.Model(path).run(array)[0], first)

    def test_arrays_that_are_not_contiguous_give_the_same_outputs(self):
        model = martlet.Model(MODELS / "blocks_f32.tflite")
        array = numpy.random.default_rng(3).random(model.inputs[0].shape, numpy.float32)
        expected = model.run(array)[0]
        self.assertGreater(numpy.ptp(expected), 0)
        for other in (numpy.asfortranarray(array), numpy.repeat(array, 2, axis=2)[:, :, ::2]):
            self.assertFalse(other.flags.c_contiguous)
            numpy.testing.assert_array_equal(model.run(other)[0], expected)

    def test_outputs_are_new_arrays(self):
        model = martlet.Model(MODELS / "blocks_f32.tflite")
        shape = model.inputs[0].shape
        first, = model.run(numpy.zeros(shape, numpy.float32))
        before = first.copy()
        model.run(numpy.ones(shape, numpy.float32))
        numpy.testing.assert_array_equal(first, before)

    def test_resized_input_takes_another_shape(self):
        data, _, _ = operator_case("abs", "abs_f32_2x33")
        model = martlet.Model(data)
        for shape in ((2, 3), (1, 4, 5)):
            for key in (0, model.inputs[0].name):
                model.resize_input(key, shape)
                self.assertEqual(model.inputs[0].shape, shape)
                self.assertEqual(model.outputs[0].shape, shape)
            values = numpy.random.default_rng(1).normal(size=shape).astype(numpy.float32)
            numpy.testing.assert_array_equal(model.run(values)[0], abs(values))
        for key, shape in ((0, (-1, 2)), (4, (1, 4, 5)), ("no", (1, 4, 5)), (0, range(1, 10))):
            with self.assertRaises(martlet.InvalidArgument):
                model.resize_input(key, shape)
        numpy.testing.assert_array_equal(model.run(values)[0], abs(values))
        fixed = martlet.Model(MODELS / "blocks_f32.tflite")
        with self.assertRaises(martlet.RunFailed):
            fixed.resize_input(0, (2, 64, 64, 3))
        self.assertEqual(fixed.inputs[0].shape, (1, 64, 64, 3))

    def test_wrong_inputs_are_errors(self):
        model = martlet.Model(MODELS / "blocks_f32.tflite")
        array = numpy.zeros(model.inputs[0].shape, numpy.float32)
        for inputs, message in (
            (array.astype(numpy.float64), "found an array of float64; array.astype('float32') converts it"),
            (array.astype(">f4"), "found an array of >f4"),
            (array[0], f"found an array of shape {array.shape[1:]}"),
            ([], "found 0 inputs, expected 1: "),
            ([array, array], "found 2 inputs, expected 1: "),
            ({}, "found 0 inputs"),
            ({"x": array}, 'the model has no input "x"; it has "'),
            ([[1.0]], "expected an array, found list"),
        ):
            with self.subTest(message), self.assertRaises(martlet.InvalidArgument) as caught:
                model.run(inputs)
            self.assertIn(message, str(caught.exception))

    def test_strings_are_not_supported(self):
        model = martlet.Model(operator_case("strings", "equal_words")[0])
        with self.assertRaises(martlet.UnsupportedModel) as caught:
            model.run([numpy.array("a")] * len(model.inputs))
        self.assertIn("string", str(caught.exception))

    def test_limits_stop_runs(self):
        with self.assertRaises(martlet.ResourceLimit):
            martlet.Model(operator_case("abs", "abs_f32_2x33")[0], max_memory=1).resize_input(0, (512, 512))
        data = operator_case("edge_where", "where_floats")[0]
        self.assertEqual(len(martlet.Model(data, max_memory=1, timeout=60).run(numpy.ones((2, 3), numpy.float32))), 1)


if __name__ == "__main__":
    unittest.main()
