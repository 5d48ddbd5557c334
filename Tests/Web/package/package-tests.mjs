// The installed package in node: `.ci/check/npm` runs it in a folder with node_modules/martlet. ROOT is the repository,
// EXPECTED a folder with the tool's lines, COUNT the number of calls for which memory must not grow.
import assert from "node:assert/strict";
import { openAsBlob, readFileSync } from "node:fs";
import { test } from "node:test";
import { FaceDetector, MartletError, Model, ObjectDetector, Tracker } from "martlet";

const { ROOT: root, EXPECTED: expected } = process.env;
const count = Number(process.env.COUNT);
const lines = (path) => readFileSync(path, "utf8").trim().split("\n");
const fruit = `${root}/Tests/Fixtures/Scenes/fruit.jpg`;

// The JPEG files that a video consists of.
function* frames(video) {
  for (let start = 0; start < video.length;) {
    const end = video.indexOf(Buffer.from([0xFF, 0xD9]), start) + 2;
    yield video.subarray(start, end);
    start = end;
  }
}

// The package's line of each image of the tool's lines.
async function detected(detector, wanted) {
  const found = [];
  for (const line of wanted) {
    const { image } = JSON.parse(line);
    found.push(JSON.stringify(await detector.detect(readFileSync(`${root}/${image}`), { name: image })));
  }
  detector.close();
  return found;
}

test("objects equal the tool's", async () => {
  const wanted = lines(`${expected}/objects`);
  assert.deepEqual(await detected(new ObjectDetector({ limit: 5, labels: "coarse" }), wanted), wanted);
});

test("everyday names equal the tool's", async () => {
  const wanted = lines(`${expected}/fine`);
  assert.deepEqual(await detected(new ObjectDetector({ limit: 5, labels: "fine" }), wanted), wanted);
});

test("faces equal the tool's", async () => {
  const wanted = lines(`${expected}/faces`);
  const detector = new FaceDetector({ allContours: true, landmarks: true, classify: true, mesh: true });
  assert.deepEqual(await detected(detector, wanted), wanted);
});

test("tracked objects of a video equal the expected ones", async () => {
  const video = readFileSync(`${root}/Tests/Fixtures/Videos/table.mjpeg`);
  const wanted = lines(`${root}/Tests/Fixtures/Videos/table.jsonl`);
  const tracker = new Tracker({ limit: 5 });
  let frame = 0;
  for (const file of frames(video)) {
    const line = await tracker.update(file, { name: `table.mjpeg#${frame}` });
    assert.equal(JSON.stringify(line), wanted[frame]);
    frame += 1;
  }
  assert.equal(frame, 48);
  tracker.close();
});

test("a model's scores equal the tool's", async () => {
  const model = new Model(await openAsBlob(`${root}/Weights/classifier.tflite`));
  const [{ data }] = await model.run([new Uint8Array(readFileSync(`${expected}/input`))]);
  assert.deepEqual(Buffer.from(data), readFileSync(`${expected}/output`));
  model.close();
});

test("errors have a kind", async () => {
  const kindOf = (call) => call().then(() => "none", (error) => (error instanceof MartletError ? error.kind : error.name));
  const detector = new ObjectDetector({ timeout: 60 });
  const file = readFileSync(fruit);
  const calls = {
    invalidOptions: () => new ObjectDetector({ limit: -1 }).detect(file),
    invalidModel: () => new Model(file).describe(),
    invalidImage: () => detector.detect(file.subarray(0, 100)),
    invalidArgument: () => detector.detect(fruit),
    AbortError: () => detector.detect(file, { signal: AbortSignal.abort() }),
    deadlineExceeded: () => new ObjectDetector({ timeout: 0.001 }).detect(file),
  };
  for (const [kind, call] of Object.entries(calls)) assert.equal(await kindOf(call), kind);
  assert.equal((await detector.detect(file)).objects.length, 1);
});

test(`${count} calls do not let memory grow`, async () => {
  const [objects, faces] = [new ObjectDetector({ limit: 5, labels: "coarse" }), new FaceDetector()];
  const files = [fruit, `${root}/Tests/Fixtures/Faces/portrait.jpg`].map((path) => readFileSync(path));
  const gray = { data: new Uint8Array(4 * 64 * 64).fill(128), width: 64, height: 64 };
  const call = (number) => (number % 10 === 0 ? objects.detect(files[0])
    : number % 10 === 5 ? faces.detect(files[1]) : objects.detect(gray));
  const settled = Math.ceil(count / 10);
  let start = 0;
  for (let number = 0; number < count; number += 1) {
    if (number === settled) start = process.memoryUsage.rss();
    await call(number);
  }
  const end = process.memoryUsage.rss();
  const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  console.log(`${mebibytes(start)} after ${settled} calls, ${mebibytes(end)} after ${count}`);
  assert.ok(end - start < 16 * 2 ** 20);
});
