"""TensorFlow Lite models on arrays."""

import ctypes
import json
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import BY_STATUS, INVALID_OPTIONS, InvalidArgument, InvalidType, UnsupportedModel
from ._library import File, Handle, call, check, contents, library
from ._options import encoded, in_python

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Array = NDArray[Any]

# The types of elements that NumPy has, too.
_TYPES = {
    "bool", "complex128", "complex64", "float16", "float32", "float64", "int16", "int32", "int64", "int8", "uint16",
    "uint32", "uint64", "uint8",
}


@dataclass(frozen=True)
class Quantization:
    """How a tensor's integers stand for real numbers: `real = scale * (integer - zero_point)`.

    One scale and zero point for the whole tensor, or one for each slice along `axis`.
    """

    scales: Tuple[float, ...]
    zero_points: Tuple[int, ...]
    axis: int


@dataclass(frozen=True)
class Tensor:
    """An input or output of a model."""

    name: str
    shape: Tuple[int, ...]
    #: The name of NumPy's type.
    dtype: str
    quantization: Optional[Quantization] = None

    @classmethod
    def _read(cls, values: Mapping[str, Any]) -> "Tensor":
        map = values.get("quantization")
        return cls(
            values["name"], tuple(values["shape"]), values["type"],
            map and Quantization(tuple(map["scales"]), tuple(map["zeroPoints"]), map["axis"]))

    def __str__(self) -> str:
        return f'"{self.name}" of {self.dtype} {self.shape}'


class Model(Handle):
    """A TensorFlow Lite model, from the path or the bytes of a .tflite file.

        model = martlet.Model("mobilenet.tflite")
        scores, = model.run(image)

    `max_memory` limits the MiB of tensors (1024 by default), `timeout` the seconds for preparing the model and for each
    run. Variables keep their values from run to run. Runs of one model wait for each other and use one core; several
    models run in parallel.
    """

    def __init__(
        self, file: File, *, max_memory: Optional[int] = None, timeout: Optional[float] = None
    ) -> None:
        data = contents(file)
        options = encoded({"maxMemory": max_memory, "timeout": timeout})
        handle = ctypes.c_int32()
        status, text = call(library.martlet_model_make, options, data, len(data), ctypes.byref(handle))
        if status:
            raise BY_STATUS[status](in_python(text or "") if status == INVALID_OPTIONS else text)
        super().__init__(handle.value, library.martlet_model_release)
        # A run consists of several calls.
        self._lock = threading.RLock()
        self._describe()

    @property
    def inputs(self) -> Tuple[Tensor, ...]:
        """The inputs in the model's order."""
        return self._inputs

    @property
    def outputs(self) -> Tuple[Tensor, ...]:
        """The outputs in the model's order. Shapes that depend on the inputs are those of the last run."""
        return self._outputs

    def run(self, inputs: "Union[Array, Sequence[Array], Mapping[str, Array]]") -> "List[Array]":
        """Runs the model and returns its outputs as new arrays, in the model's order.

        `inputs` is the array of the only input, a sequence of arrays in the model's order, or a mapping from names.
        Each has exactly the type and the shape of its tensor. An array that is not contiguous is copied first.
        """
        import numpy

        for tensor in (*self._inputs, *self._outputs):
            if tensor.dtype not in _TYPES:
                raise UnsupportedModel(f"NumPy has no type for the elements of {tensor}")
        with self._lock:
            arrays = [
                self._checked(array, tensor) for array, tensor in zip(self._ordered(inputs), self._inputs)]
            outputs = [numpy.empty(tensor.shape, tensor.dtype) for tensor in self._outputs if self._is_fixed]
            check(
                library.martlet_model_run, self._open_handle, *_memory(arrays), len(arrays), *_memory(outputs),
                len(outputs))
            if self._is_fixed:
                return outputs
            self._describe()
            outputs = [numpy.empty(tensor.shape, tensor.dtype) for tensor in self._outputs]
            for index, output in enumerate(outputs):
                check(
                    library.martlet_model_read_output, self._open_handle, index, output.ctypes.data, output.nbytes)
            return outputs

    def resize_input(self, input: Union[int, str], shape: Sequence[int]) -> None:
        """Gives an input, by its position or name, another shape, and prepares the model for it."""
        with self._lock:
            index = self._index(input) if isinstance(input, str) else input
            extents = (ctypes.c_int32 * len(shape))(*shape)
            check(library.martlet_model_resize_input, self._open_handle, index, extents, len(shape))
            self._describe()

    def _describe(self) -> None:
        _, text = call(library.martlet_model_describe, self._open_handle)
        values = json.loads(text or "")
        self._inputs = tuple(map(Tensor._read, values["inputs"]))
        self._outputs = tuple(map(Tensor._read, values["outputs"]))
        self._is_fixed: bool = values["isFixed"]

    def _index(self, name: str) -> int:
        names = [tensor.name for tensor in self._inputs]
        if name not in names:
            raise InvalidArgument(f'the model has no input "{name}"; it has ' + ", ".join(map(str, self._inputs)))
        return names.index(name)

    def _ordered(self, inputs: Any) -> Sequence[Any]:
        """The arrays in the model's order, as many as it has inputs."""
        import numpy

        if isinstance(inputs, numpy.ndarray):
            inputs = [inputs]
        if isinstance(inputs, Mapping):
            arrays: List[Any] = [None] * len(self._inputs)
            for name, array in inputs.items():
                arrays[self._index(name)] = array
            inputs = [array for array in arrays if array is not None]
        if len(inputs) != len(self._inputs):
            raise InvalidArgument(
                f"found {len(inputs)} inputs, expected {len(self._inputs)}: " + ", ".join(map(str, self._inputs)))
        return list(inputs)

    def _checked(self, array: Any, tensor: Tensor) -> "Array":
        """A contiguous array of the tensor's type and shape."""
        import numpy

        if not isinstance(array, numpy.ndarray):
            raise InvalidType(f"input {tensor}: expected an array, found {type(array).__name__}")
        if array.dtype != tensor.dtype:
            raise InvalidArgument(
                f"input {tensor}: found an array of {array.dtype}; array.astype('{tensor.dtype}') converts it")
        if array.shape != tensor.shape:
            raise InvalidArgument(
                f"input {tensor}: found an array of shape {array.shape}; see numpy.reshape and Model.resize_input")
        return numpy.ascontiguousarray(array)


def _memory(arrays: "Sequence[Array]") -> Tuple[Any, Any]:
    """The addresses and sizes of arrays, which must be kept meanwhile."""
    count = len(arrays)
    addresses = (ctypes.c_void_p * count)(*(array.ctypes.data for array in arrays))
    return addresses, (ctypes.c_ssize_t * count)(*(array.nbytes for array in arrays))
