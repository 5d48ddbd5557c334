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


@pytest.mark.skipif({"keras", "torch"} & set(MISSING), reason="needs Keras and PyTorch")
def test_only_objects_in_empty_images_and_changes_in_others_are_lost():
    import torch

    from train.empties import losses

    def outputs(logit, distance):
        return [torch.full((2, 3, 4, 2), logit), torch.full((2, 3, 4, 4), distance)]

    is_empty = torch.tensor([True, False])
    before = outputs(0.0, 1.0)
    changed, moved, found = losses(before, before, is_empty)
    assert (float(changed), float(moved)) == (0, 0)
    assert float(found) == pytest.approx(3 * 4 * 2 * np.log(2))  # 24 logits of 0
    changed, moved, found = losses(outputs(-100.0, 3.0), before, is_empty)
    assert float(moved) == pytest.approx(12 * 2 * 0.5)  # 12 boxes moved by 2, each with a probability of 0.5
    assert float(changed) > 100 and float(found) == pytest.approx(0, abs=1e-6)


@pytest.mark.skipif({"keras", "torch"} & set(MISSING), reason="needs Keras and PyTorch")
def test_run_continues_where_its_rate_falls(tmp_path):
    import torch

    from networks import face_networks
    from train import loop

    def trainer():
        def loss(outputs):
            total = outputs.square().mean()
            return total, {"total": total}

        return loop.Trainer(face_networks.expression(face_networks.SMILE), loss, tmp_path, 1e-3, [4], fall=[1, 4])

    images = torch.zeros((2, face_networks.SMILE, face_networks.SMILE, 3), dtype=torch.uint8)
    first = trainer()
    for _ in range(2):
        first.update(images)
    first.save()
    second = trainer()
    second.resume()
    assert second.step == 2
