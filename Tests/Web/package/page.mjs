// A page that uses the package: posts what it detects to its server.
import { FaceDetector, ObjectDetector } from "martlet";

async function results() {
  const image = new File([await (await fetch("image")).blob()], "image");
  const [objects, faces] = [new ObjectDetector({ limit: 5, labels: "coarse" }), new FaceDetector({ landmarks: true })];
  return Promise.all([objects.detect(image), faces.detect(image)]);
}
results().catch((error) => error.stack)
  .then((found) => fetch("results", { method: "POST", body: JSON.stringify(found) }));
