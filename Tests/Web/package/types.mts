// Uses of the package that `tsc --strict` accepts, and ones that it rejects.
import { FaceDetector, MartletError, Model, ObjectDetector, ObjectTracker, Tracker, configure } from "martlet";
import type { DetectedObject, ErrorKind, Face, FaceResult, ImageSource, ObjectResult, Tensor } from "martlet";

configure({ wasm: new URL("martlet.wasm", import.meta.url) });

const detector = new ObjectDetector({ limit: 5, labels: "coarse", region: [0, 0, 8, 8], timeout: 2 });
const signal: AbortSignal = new AbortController().signal;
const { objects, width }: ObjectResult = await detector.detect(new Uint8Array(4), { name: "a.jpg", signal });
for (const { frame, labels } of objects) console.log(frame.x + width, labels[0]?.text.length);
const names: DetectedObject["category"] = objects[0]?.category;

const faces: Face[] = (await new FaceDetector({ mode: "fast", landmarks: true }).detect(new Blob([]))).faces;
const nose: [number, number] | undefined = faces[0]?.landmarks?.["noseBase"];

const tracker: Tracker = new Tracker({ limit: 5, keepLost: 3 });
const tracked: ObjectResult = await tracker.update({ data: new Uint8ClampedArray(4), width: 1, height: 1 });
const faceTracker: Tracker<FaceResult> = new Tracker({ faces: true, smoothing: false });
for await (const result of faceTracker.track([new ArrayBuffer(4)])) console.log(result.faces.length, result.frame);

const ofBoxes = new ObjectTracker({ limit: 5, startScore: 0.5 });
const continued: DetectedObject[] = await ofBoxes.update([[1, 2, 3, 4, 0.9]], { width: 640, height: 480 });
await ofBoxes.update(objects, { data: new Uint8ClampedArray(4), width: 1, height: 1 });
console.log(continued[0]?.trackingID, (await ofBoxes.skip({ width: 1, height: 1 })).length);

const model = new Model(new Uint8Array(4), { timeout: 1 });
const [scores]: Tensor[] = await model.run({ image: new Float32Array(4) });
await model.run([new Uint8Array(4), { data: new Int8Array(4), shape: [2, 2] }]);
console.log((await model.describe()).inputs[0]?.shape, scores?.data.length, names, nose, tracked);

const canvas: ImageSource = document.createElement("canvas");
await detector.prepare().catch((error: unknown) => {
  const kind: ErrorKind | undefined = error instanceof MartletError ? error.kind : undefined;
  console.log(kind);
});
await detector.detect(canvas);
detector[Symbol.dispose]();
model.close();

// @ts-expect-error A model runs on typed arrays.
await model.run([[1, 2, 3]]);
// @ts-expect-error A path is no image.
await detector.detect("photo.jpg");
// @ts-expect-error The tool's name of `limit`.
new ObjectDetector({ maxObjects: 5 });
// @ts-expect-error An option of trackers.
new FaceDetector({ detectEvery: 2 });
// @ts-expect-error Faces have no labels.
new Tracker({ faces: true, labels: "coarse" });
// @ts-expect-error There is no such kind.
new MartletError("", { kind: "unknown" });
