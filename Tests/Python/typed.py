"""Uses of the package that mypy accepts, and mistakes that it finds: an error that it no longer finds is an unused
`type: ignore`."""

import pathlib
from typing import Optional

import martlet
import numpy

detector = martlet.ObjectDetector(limit=5, labels="coarse", max_memory=64, timeout=2)
objects: tuple[martlet.DetectedObject, ...] = detector.detect("a.jpg").objects
box: martlet.Box = objects[0].box
names: list[str] = [label.text for label in objects[0].labels]
detector.detect(pathlib.Path("a.jpg"))
detector.detect(numpy.zeros((4, 4, 3), numpy.uint8), name="zeros")
martlet.ObjectDetector(classifier=b"", labels=["a", "b"], mean=[1.0], std=(1, 2, 3))

faces: martlet.FaceResult = martlet.FaceDetector(mode="fast", landmarks=True).detect(b"")
angle: Optional[float] = faces.faces[0].euler_x

with martlet.Tracker(limit=5, detect_every=2) as tracker:
    for result in tracker.track(["a.jpg", "b.jpg"]):
        tracked: tuple[martlet.DetectedObject, ...] = result.objects
of_faces = martlet.Tracker(faces=True, smoothing=False)
face: martlet.Face = of_faces.update(b"").faces[0]

boxes_of_others = martlet.ObjectTracker(limit=5, start_score=0.5)
continued: tuple[martlet.DetectedObject, ...] = boxes_of_others.update([(1, 2, 3, 4, 0.9)], (640, 480))
boxes_of_others.update(objects, numpy.zeros((4, 4, 3), numpy.uint8))

model = martlet.Model("a.tflite", timeout=1)
first: martlet.Tensor = model.inputs[0]
model.run(numpy.zeros((1, 2)))
model.run({"x": numpy.zeros((1, 2))})
model.resize_input("x", (2, 2))

martlet.ObjectDetector(limt=5)  # type: ignore[call-arg]
martlet.ObjectDetector(limit="5")  # type: ignore[arg-type]
martlet.FaceDetector(mode="slow")  # type: ignore[arg-type]
martlet.FaceDetector(labels="fine")  # type: ignore[call-arg]
detector.detect(5)  # type: ignore[arg-type]
detector.detect("a.jpg").faces  # type: ignore[attr-defined]
of_faces.update(b"").objects  # type: ignore[attr-defined]
martlet.Tracker(faces=True, labels="fine")  # type: ignore[call-overload]
boxes_of_others.update([(1, 2, 3, 4, 0.9)], "a.jpg")  # type: ignore[arg-type]
martlet.ObjectTracker(labels="fine")  # type: ignore[call-arg]
box.x = 1  # type: ignore[misc]
