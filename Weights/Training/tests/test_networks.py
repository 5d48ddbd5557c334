"""Networks fit the weights that are kept with the recipe."""

import numpy as np
import pytest
from conftest import MISSING, TRAINING

CHECKPOINTS = TRAINING / "checkpoints"


@pytest.mark.skipif({"keras", "torch"} & set(MISSING), reason="needs Keras and PyTorch")
@pytest.mark.parametrize("name", ["classifier", "localizer", "detector", "mesh", "eyes", "smile"])
def test_network_fits_its_checkpoint(name):
    from data.targets import LEVELS
    from networks import face_networks, object_networks
    from train import loop

    model = {"classifier": lambda: object_networks.classifier(None), "localizer": lambda: object_networks.localizer(None, LEVELS),
             "detector": lambda: face_networks.detector(None), "mesh": face_networks.mesh,
             "eyes": lambda: face_networks.expression(face_networks.EYE),
             "smile": lambda: face_networks.expression(face_networks.SMILE)}[name]()
    weights = loop.averaged(CHECKPOINTS / f"{name}.npz")
    assert [np.shape(weight) for weight in weights] == [tuple(variable.shape) for variable in model.variables]
