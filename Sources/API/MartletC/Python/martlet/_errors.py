"""The errors of this package, by what a caller decides on. A file that cannot be read is an OSError, as usual."""

from typing import Dict, Type


class Error(Exception):
    """What all errors of this package have in common."""


class InvalidArgument(Error, ValueError):
    """An option or an array is invalid, or the detector, tracker or model is closed."""


class InvalidType(InvalidArgument, TypeError):
    """An argument has a wrong type, or there is no option of this name."""


class InvalidImage(Error, ValueError):
    """An image is damaged, or a detector cannot process it."""


class UnsupportedImage(InvalidImage):
    """An image is in a format that is not supported."""


class InvalidModel(Error, ValueError):
    """A model is damaged."""


class UnsupportedModel(InvalidModel):
    """A model needs an operator or a type that is not supported, or does not suit the task."""


class RunFailed(Error, RuntimeError):
    """A model cannot run on these inputs."""


class ResourceLimit(Error, MemoryError):
    """An image or a model needs more memory or work than permitted."""


class DeadlineExceeded(Error, TimeoutError):
    """A call took longer than the option `timeout` permits."""


INVALID_OPTIONS = 2

# By the values of MartletStatus.
BY_STATUS: Dict[int, Type[Error]] = {
    1: InvalidArgument,
    INVALID_OPTIONS: InvalidArgument,
    3: InvalidModel,
    4: InvalidImage,
    5: RunFailed,
    6: DeadlineExceeded,
    7: UnsupportedImage,
    8: UnsupportedModel,
    9: ResourceLimit,
}
