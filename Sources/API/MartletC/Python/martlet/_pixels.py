"""Arrays of pixels as the library reads them."""

from typing import TYPE_CHECKING, Optional, Tuple

from ._errors import InvalidArgument, ResourceLimit

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

# MartletPixelFormat, and the byte of a pixel at which its first channel is, by the number of channels, the distance of
# pixels and that of channels.
_RGBA, _BGRA, _RGB, _BGR, _GRAY = range(5)
_FORMATS = {
    (3, 3, 1): (_RGB, 0), (3, 3, -1): (_BGR, 2), (3, 4, 1): (_RGBA, 0), (3, 4, -1): (_BGRA, 2),
    (4, 4, 1): (_RGBA, 0), (1, 1, 1): (_GRAY, 0),
}


def layout(array: "NDArray[numpy.uint8]") -> Tuple["NDArray[numpy.uint8]", Tuple[int, ...]]:
    """The array to read, a copy if needed, with its address, format, width, height and distance of rows."""
    if array.dtype != "uint8":
        raise InvalidArgument(
            f"expected an array of uint8, found {array.dtype}; (255 * array).astype('uint8') converts 0 to 1")
    if array.ndim not in (2, 3) or array.ndim == 3 and array.shape[2] not in (3, 4) or 0 in array.shape:
        raise InvalidArgument(
            f"expected an array of height x width x 3 or 4, or height x width, found shape {array.shape}")
    height, width = array.shape[:2]
    if max(height, width) > 1 << 20 or height * width > 1 << 29:
        raise ResourceLimit(f"the image of {width} x {height} pixels is too large")
    found = _in_place(array)
    if found is None:
        array = array.copy(order="C")
        found = _in_place(array)
        assert found is not None
    return array, found


def _in_place(array: "NDArray[numpy.uint8]") -> Optional[Tuple[int, ...]]:
    """Address, format, width, height and distance of rows; None if the library cannot read these strides."""
    height, width = array.shape[:2]
    row, pixel = array.strides[:2]
    channels, channel = (array.shape[2], array.strides[2]) if array.ndim == 3 else (1, 1)
    found = _FORMATS.get((channels, pixel, channel))
    if found is None or height > 1 and row < width * pixel:
        return None
    pixel_format, first = found
    return array.ctypes.data - first, pixel_format, width, height, row if height > 1 else 0
