"""Runs MediaPipe's face detectors, and prints lines like those of `martlet faces --json`.

    python -m evaluate.blazeface full|short IMAGE... > blazeface.jsonl

`full` is for faces at a distance, `short` for faces near the camera. Boxes are BlazeFace's own, 10 %
wider than the annotations. Needs mediapipe 0.10.21 and opencv-python, in a
separate environment.
"""

import json
import sys

import cv2
from mediapipe.python.solutions.face_detection import FaceDetection

RANGES = {"short": 0, "full": 1}


def main():
    detector = FaceDetection(model_selection=RANGES[sys.argv[1]], min_detection_confidence=0.5)
    for name in sys.argv[2:]:
        image = cv2.cvtColor(cv2.imread(name), cv2.COLOR_BGR2RGB)
        height, width = image.shape[:2]
        found = []
        for face in detector.process(image).detections or []:
            box = face.location_data.relative_bounding_box
            frame = {"x": box.xmin * width, "y": box.ymin * height,
                     "width": box.width * width, "height": box.height * height}
            found.append({"frame": frame, "score": face.score[0]})
        print(json.dumps({"image": name, "faces": found}))


if __name__ == "__main__":
    main()
