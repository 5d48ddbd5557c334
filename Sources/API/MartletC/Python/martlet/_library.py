"""The C library: its functions, texts and handles. ctypes releases the interpreter's lock during each call."""

import ctypes
import os
import weakref
from ctypes import POINTER, c_char_p, c_int, c_int32, c_ssize_t, c_void_p
from types import TracebackType
from typing import Any, Optional, Tuple, Type, TypeVar, Union

from ._errors import BY_STATUS, InvalidArgument, InvalidType

File = Union[str, os.PathLike[str], bytes, bytearray, memoryview]

Owner = TypeVar("Owner", bound="Handle")

library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libMartletC.so"))

# The arguments of each function; all but releases return a MartletStatus.
_TEXT = POINTER(c_void_p)
_ARGUMENTS = {
    "martlet_detector_make": [c_char_p, c_char_p, c_ssize_t, c_char_p, c_ssize_t, POINTER(c_int32), _TEXT],
    "martlet_detector_detect_file": [c_int32, c_char_p, c_void_p, c_ssize_t, _TEXT],
    "martlet_detector_detect_pixels": [
        c_int32, c_char_p, c_void_p, c_int32, c_int32, c_int32, c_ssize_t, _TEXT],
    "martlet_detector_release": [c_int32],
    "martlet_model_make": [c_char_p, c_char_p, c_ssize_t, POINTER(c_int32), _TEXT],
    "martlet_model_describe": [c_int32, _TEXT],
    "martlet_model_resize_input": [c_int32, c_ssize_t, POINTER(c_int32), c_ssize_t, _TEXT],
    "martlet_model_run": [
        c_int32, POINTER(c_void_p), POINTER(c_ssize_t), c_ssize_t, POINTER(c_void_p), POINTER(c_ssize_t),
        c_ssize_t, _TEXT],
    "martlet_model_read_output": [c_int32, c_ssize_t, c_void_p, c_ssize_t, _TEXT],
    "martlet_model_release": [c_int32],
    "martlet_tracker_make": [c_char_p, POINTER(c_int32), _TEXT],
    "martlet_tracker_update": [
        c_int32, c_void_p, c_ssize_t, c_void_p, c_int32, c_int32, c_int32, c_ssize_t, _TEXT],
    "martlet_tracker_skip": [c_int32, c_int32, c_int32, _TEXT],
    "martlet_tracker_reset": [c_int32],
    "martlet_tracker_release": [c_int32],
    "martlet_text_release": [c_void_p],
}
for _name, _types in _ARGUMENTS.items():
    _function = getattr(library, _name)
    _function.argtypes = _types
    _function.restype = None if _name.endswith("release") else c_int


def call(function: Any, *arguments: Any) -> Tuple[int, Optional[str]]:
    """The status of a call, and the text that it returned."""
    place = c_void_p()
    status: int = function(*arguments, ctypes.byref(place))
    if not place.value:
        return status, None
    text = ctypes.string_at(place.value).decode()
    library.martlet_text_release(place)
    return status, text


def check(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a text only if it fails."""
    status, text = call(function, *arguments)
    if status:
        raise BY_STATUS[status](text)


def contents(file: File) -> bytes:
    """The bytes of a file that is given by its path or its bytes."""
    if isinstance(file, bytes):
        return file
    if isinstance(file, (bytearray, memoryview)):
        return bytes(file)
    if not isinstance(file, (str, os.PathLike)):
        raise InvalidType(f"expected a path or bytes, found {type(file).__name__}")
    with open(file, "rb") as opened:
        return opened.read()


class Handle:
    """The owner of a handle of the library, which is released once nothing refers to the owner, or it is closed."""

    def __init__(self, handle: int, release: Any) -> None:
        self._handle = handle
        self._release = weakref.finalize(self, release, handle)

    def close(self) -> None:
        """Frees the memory now instead of with the last reference. Calls afterwards raise InvalidArgument."""
        self._release()

    def __enter__(self: Owner) -> Owner:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
        trace: Optional[TracebackType]
    ) -> None:
        self.close()

    @property
    def _open_handle(self) -> int:
        if not self._release.alive:
            raise InvalidArgument(f"the {type(self).__name__} is closed")
        return self._handle
