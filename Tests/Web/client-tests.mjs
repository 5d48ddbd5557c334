// What martlet.d.ts promises: node --test Tests/Web/client-tests.mjs. Needs .build/wasm.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { client, evaluate, lastThread } from "./client.mjs";

const { FaceDetector, MartletError, Model, ObjectDetector, ObjectTracker, Tracker, configure } = client;
const root = new URL("../../", import.meta.url);
const wasm = new URL(".build/wasm/martlet.wasm", root);
const file = (path) => new Uint8Array(readFileSync(new URL(path, root)));
const fruit = file("Tests/Fixtures/Scenes/fruit.jpg");
const classifier = file("Weights/classifier.tflite");
const largest = 2 ** 29; // more bytes than the module takes at once

// Gray with a red square, as RGBA.
function square(side = 64) {
  const data = new Uint8ClampedArray(4 * side * side).fill(128);
  for (let y = side / 4; y < side / 2; y += 1) {
    for (let x = side / 4; x < side / 2; x += 1) data.set([255, 0, 0, 255], 4 * (y * side + x));
  }
  return { data, width: side, height: side };
}

// 29 million pixels as text: "0 0 0 ...", near the limit of memory.
function slowFile() {
  const header = new TextEncoder().encode("P3 7300 4000 255\n");
  const slow = new Uint8Array(header.length + 175_200_000).fill(0x20);
  slow.set(header);
  for (let i = header.length; i < slow.length; i += 2) slow[i] = 0x30;
  return slow;
}

// A session that the test closes.
function opened(context, session) {
  context.after(() => session.close());
  return session;
}

const shared = new ObjectDetector({ limit: 5, labels: "coarse" });
after(() => shared.close());
const text = async (promise) => JSON.stringify(await promise);
const pause = (time) => new Promise((done) => setTimeout(done, time));

// The message of the MartletError of this kind with which a call rejects.
async function failure(kind, call) {
  const error = await Promise.resolve().then(call).then(() => null, (error) => error);
  assert.ok(error instanceof MartletError, `MartletError expected, found ${error}`);
  assert.equal(error.kind, kind, error.message);
  assert.ok(error.message.length > 0);
  return error.message;
}

// MARK: Images

test("whatever holds a file gives the same result", async () => {
  const pool = Buffer.concat([Buffer.from("before"), fruit, Buffer.from("after")]);
  const sources = [
    fruit, fruit.slice().buffer, Buffer.from(fruit), pool.subarray(6, 6 + fruit.length), new Blob([fruit]),
    new File([fruit], "fruit.jpg"),
  ];
  const first = await text(shared.detect(fruit, { name: "fruit.jpg" }));
  for (const source of sources) assert.equal(await text(shared.detect(source, { name: "fruit.jpg" })), first);
  assert.equal(await text(shared.detect(sources.at(-1))), first);
});

test("whatever holds pixels gives the same result", async () => {
  const { data, width, height } = square();
  const first = await text(shared.detect(square()));
  const bytes = new Uint8Array(4 * width * height + 3);
  bytes.set(data, 3);
  for (const pixels of [new Uint8Array(data), Buffer.from(data), bytes.subarray(3)]) {
    assert.equal(await text(shared.detect({ data: pixels, width, height })), first);
  }
});

test("an image is copied when the call is made", async () => {
  const first = await text(shared.detect(fruit));
  const [bytes, pixels] = [fruit.slice(), square()];
  const calls = [text(shared.detect(bytes)), text(shared.detect(pixels))];
  bytes.fill(0);
  pixels.data.fill(0);
  assert.deepEqual(await Promise.all(calls), [first, await text(shared.detect(square()))]);
  assert.equal(bytes.length, fruit.length);
});

// A browser that decodes every file to 8 x 4 gray pixels.
const browser = `globalThis.createImageBitmap = async () => ({ width: 8, height: 4, close() {} });
  globalThis.OffscreenCanvas = class {
    constructor(width, height) { Object.assign(this, { width, height }); }
    getContext() { return this; }
    drawImage() {}
    getImageData(x, y, width, height) {
      return { data: new Uint8ClampedArray(4 * width * height).fill(128), width, height };
    }
  }; true`;

test("the browser decodes the formats that the module does not, and no others", async (context) => {
  const webp = new Uint8Array(Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64"));
  const tracker = opened(context, new Tracker());
  await assert.rejects(tracker.update(webp), /WebP/);
  await evaluate(browser);
  for (const frame of [1, 2]) assert.deepEqual(
    [8, 4, frame], await tracker.update(webp).then((line) => [line.width, line.height, line.frame]));
  assert.equal((await tracker.update(fruit)).width, 640);
  // A damaged file of a known format is an error, whatever the browser makes of it.
  assert.match(await failure("invalidImage", () => tracker.update(fruit.subarray(0, 100))), /JPEG/);
});

// MARK: Sessions

test("calls run in the order in which they are made", async () => {
  const order = [];
  const note = (name) => () => order.push(name);
  await Promise.all([
    shared.detect(fruit).then(note("fruit")), shared.detect(square()).then(note("square")),
    shared.prepare().then(note("prepared")),
  ]);
  assert.deepEqual(order, ["fruit", "square", "prepared"]);
});

test("detectors work in parallel with equal results", async (context) => {
  const other = opened(context, new ObjectDetector({ labels: "coarse", limit: 5 }));
  const lines = await Promise.all([shared, other, shared, other].map((detector) => text(detector.detect(fruit))));
  assert.equal(new Set(lines).size, 1);
});

test("a tracked object keeps its number", async (context) => {
  const tracker = opened(context, new Tracker({ limit: 5 }));
  const lines = [];
  for await (const line of tracker.track([fruit, fruit, fruit])) lines.push(line);
  assert.deepEqual(lines.map(({ frame }) => frame), [0, 1, 2]);
  const numbers = lines.map(({ objects }) => objects.map(({ trackingID }) => trackingID));
  assert.ok(numbers[0].length > 1);
  assert.deepEqual(numbers[2], numbers[0]);
});

test("boxes of any detector are tracked", async (context) => {
  const tracker = opened(context, new ObjectTracker({ limit: 5, keepLost: 9 }));
  const size = { width: 64, height: 64 };
  const seen = [];
  for (let step = 0; step < 8; step += 1) {
    const boxes = [[step, 16, 16, 16, 0.9, 3], [48 - step, 40, 16, 16, 0.9]];
    seen.push(await tracker.update(boxes, step % 2 === 0 ? square() : size));
  }
  for (const objects of seen) {
    assert.deepEqual(objects.map(({ trackingID }) => trackingID).sort(), [0, 1]);
    assert.deepEqual(objects.find(({ trackingID }) => trackingID === 0).labels.map(({ index }) => index), [3]);
  }
  assert.equal((await tracker.skip(size)).length, 2);
  await tracker.reset();
  assert.deepEqual(await tracker.update([], size), []);
  const { width, height, objects } = await shared.detect(fruit);
  const texts = (await tracker.update(objects, { width, height })).flatMap(({ labels }) => labels.map(({ text }) => text));
  assert.ok(texts.length > 0 && texts.every((name) => objects.some(({ labels }) => labels[0]?.text === name)), texts);
});

test("boxes and frames that are none are errors", async (context) => {
  const tracker = opened(context, new ObjectTracker());
  const size = { width: 64, height: 64 };
  await failure("invalidArgument", () => tracker.update([[1, 2, 3]], size));
  await failure("invalidArgument", () => tracker.update([5], size));
  await failure("invalidArgument", () => tracker.update([], fruit));
  await failure("invalidArgument", () => tracker.update([], { width: 0, height: 9 }));
  await failure("invalidArgument", () => tracker.skip({ width: -1, height: 9 }));
  assert.deepEqual(await tracker.update([[NaN, 0, 9, 9, 0.9]], size), []);
  const message = await failure("invalidOptions", () => new ObjectTracker({ startScore: 2 }).prepare());
  assert.match(message, /startScore/);
});

test("a closed session rejects its calls", async () => {
  const detector = new ObjectDetector();
  const calls = [detector.detect(fruit), detector.detect(fruit)].map((call) => failure("invalidArgument", () => call));
  await pause(1);
  detector.close();
  detector[Symbol.dispose]();
  await Promise.all(calls);
  assert.equal(await failure("invalidArgument", () => detector.detect(fruit)), "close() was called");
  new FaceDetector().close();
});

test("a program ends without close()", () => {
  const program = `import { ObjectDetector, configure } from "./Sources/API/MartletC/JavaScript/martlet.js";
    configure({ wasm: new URL(".build/wasm/martlet.wasm", "${root}") });
    const { objects } = await new ObjectDetector({ timeout: 60 }).detect(new Blob([Buffer.from("P5 8 8 255\\n" + " ".repeat(64))]));
    console.log(objects.length);`;
  const options = { cwd: root, encoding: "utf8", timeout: 60_000 };
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "--eval", program], options), "0\n");
});

test("a detector that is collected ends its worker", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  await (async () => { await new ObjectDetector().detect(square()); })();
  let hasEnded = false;
  lastThread().once("exit", () => { hasEnded = true; });
  for (let tries = 0; !hasEnded && tries < 100; tries += 1) {
    collect();
    await pause(20);
  }
  assert.ok(hasEnded);
});

for (const error of ["WebAssembly.RuntimeError", "RangeError", "TypeError"]) {
  test(`after a ${error} in the module the next call works, in a new worker`, async (context) => {
    const tracker = opened(context, new Tracker({ limit: 5 }));
    const first = await text(tracker.update(fruit));
    await evaluate(`instance = { exports: { ...instance.exports,
      martlet_detector_detect_file() { throw new ${error}("out of bounds"); } } }; true`);
    assert.equal(await failure("failed", () => tracker.update(fruit)), "martlet.wasm stopped: out of bounds");
    assert.equal(await text(tracker.update(fruit)), first); // from frame 0
    assert.equal((await tracker.update(fruit)).frame, 1);
  });
}

// MARK: Memory

test("the next call works after memory runs out", async (context) => {
  const detector = opened(context, new ObjectDetector({ limit: 5 }));
  const first = await text(detector.detect(fruit));
  await evaluate(`for (let size = 2 ** 29 - 1024; size > 4096; size >>= 1) {
    while (instance.exports.takeMemory(size) !== 0) {}
  } true`);
  await failure("limitExceeded", () => detector.detect(fruit));
  // What is left suffices for the image, but not to decode it.
  await evaluate("instance.exports.releaseMemory(instance.exports.takeMemory(1)); true");
  const small = { data: new Uint8Array(4), width: 1, height: 1 };
  await detector.detect(small).catch(({ kind }) => assert.match(kind, /^(failed|limitExceeded)$/));
  detector.close();
  assert.equal(await text(opened(context, new ObjectDetector({ limit: 5 })).detect(fruit)), first);
});

test("addresses above 2 GiB are unsigned", async (context) => {
  const detector = opened(context, new ObjectDetector({ limit: 5 }));
  const first = await text(detector.detect(fruit));
  await evaluate("for (let i = 0; i < 5; i += 1) instance.exports.takeMemory(2 ** 29 - 1024); true");
  assert.ok(await evaluate("instance.exports.memoryInUse() >>> 0") > 2 ** 31);
  assert.ok(await evaluate("instance.exports.largestMemoryInUse() >>> 0") > 2 ** 31);
  await evaluate(`for (const size of [2 ** 20, 2 ** 16, 2 ** 12, 2 ** 8]) {
    while (instance.exports.takeMemory(size) >>> 0 < 2 ** 31) {}
  } true`);
  assert.equal(await text(detector.detect(fruit)), first);
});

test("rejected input leaves no memory allocated", async (context) => {
  const detector = opened(context, new ObjectDetector({ limit: 5 }));
  for (let i = 0; i < 3; i += 1) await detector.detect(fruit, { name: "without room" });
  const memory = () => evaluate("[instance.exports.memoryInUse(), instance.exports.memory.buffer.byteLength]");
  const before = await memory();
  assert.match(
    await failure("limitExceeded", () => detector.detect(new Uint8Array(largest))), /no memory for 536870912 bytes/);
  await failure("invalidImage", () => detector.detect(fruit.subarray(0, 100)));
  // The name takes 13 bytes.
  await evaluate(`{ const { exports } = instance;
    instance = { exports: { ...exports, takeMemory: (count) => (count === 13 ? 0 : exports.takeMemory(count)) } }; } true`);
  await failure("limitExceeded", () => detector.detect(fruit, { name: "without room" }));
  assert.deepEqual(await memory(), before);
});

test("a model that does not fit is rejected", async (context) => {
  const given = { classifier, detector: new Uint8Array(largest) };
  await failure("limitExceeded", () => opened(context, new ObjectDetector(given)).prepare());
});

// MARK: Options

const cyclic = {};
cyclic.cyclic = cyclic;
const list = (depth) => { let value = []; for (let i = 0; i < depth; i += 1) value = [value]; return value; };
const unreadable = Object.assign(new Blob(["x"]), { arrayBuffer: () => Promise.reject(new Error("gone")) });
const [objects, faces] = [ObjectDetector, FaceDetector];

for (const [what, kind, Class, options, words] of [
  ["a number out of range", "invalidOptions", objects, { limit: 0 }, /^limit: expected number from 1 on$/],
  ["the same of faces", "invalidOptions", faces, { limit: 0 }, /^limit: expected number from 1 on$/],
  ["an unknown option", "invalidOptions", objects, { minScor: 1 }, /^unknown option minScor; did you mean minScore\?$/],
  ["an option that is like no other one", "invalidOptions", objects, { limt: 1 }, /limt; martlet.d.ts lists the options$/],
  ["an option by the tool's name", "invalidOptions", objects, { maxObjects: 1 }, /^unknown option maxObjects; use limit$/],
  ["the same of faces", "invalidOptions", faces, { maxFaces: 1 }, /use limit$/],
  ["labels by the tool's name", "invalidOptions", objects, { classify: true }, /use labels: "coarse"$/],
  ["faces of an object detector", "invalidOptions", objects, { faces: true }, /use FaceDetector$/],
  ["a tracker's option", "invalidOptions", objects, { keepLost: 3 }, /keepLost requires stream/],
  ["labels of faces", "invalidOptions", faces, { labels: "coarse" }, /labels/],
  ["another word for labels", "invalidOptions", objects, { labels: "all" }, /found "all"$/],
  ["an option without effect", "invalidOptions", objects, { threshold: 0.5 }, /requires labels: "coarse" or labels: "fine" or/],
  ["all boxes of one object", "invalidOptions", objects, { allBoxes: true }, /^allBoxes requires limit$/],
  ["two classifiers", "invalidOptions", objects, { labels: "fine", classifier }, /^labels: "fine" cannot be combined with/],
  ["a model for faces", "invalidOptions", faces, { classifier }, /classifier cannot be combined with faces/],
  ["faces as a word", "invalidOptions", Tracker, { faces: "yes" }, /faces: expected true or false, found yes/],
  ["cyclic options", "invalidArgument", objects, { cyclic }],
  ["a BigInt", "invalidArgument", objects, { limit: 5n }],
  ["a list 100,000 deep", "invalidArgument", objects, { labels: list(100000) }],
  ["a list 900 deep", "invalidOptions", objects, { labels: list(900) }],
  ["a NaN", "invalidOptions", objects, { minScore: NaN }, /^minScore: expected a finite number, found NaN$/],
  ["an infinity in a list", "invalidOptions", objects, { mean: [Infinity], std: [1] }],
  ["a getter that throws", "invalidArgument", objects, { get minScore() { throw new Error("no score"); } }, /no score/],
  ["null", "invalidArgument", objects, null],
  ["an unreadable model", "loadFailed", objects, { classifier: unreadable }, /gone/],
  ["an empty model", "invalidModel", objects, { classifier: new Blob([]) }],
  ["a model of another type", "invalidOptions", objects, { detector: "model.tflite" }],
  ["a damaged model", "invalidModel", objects, { classifier: classifier.subarray(0, 1000) }],
  ...[0, -1, NaN, "1", Infinity].map((timeout) =>
    [`a time limit of ${timeout}`, "invalidOptions", objects, { timeout }, /^timeout: expected a number of seconds/]),
]) {
  test(`options: ${what} rejects as ${kind}`, async (context) => {
    const detector = opened(context, new Class(options));
    const message = await failure(kind, () => (detector.detect ?? detector.update).call(detector, square()));
    if (words) assert.match(message, words);
    assert.equal(await failure(kind, () => detector.prepare()), message);
  });
}

// Each option is accepted with a value other than its default.
for (const [what, Class, options] of [
  ["objects", objects, {
    limit: 2, labels: "coarse", threshold: 0.1, minScore: 0.1, allBoxes: true, region: [0, 0, 32, 32], strict: true,
    maxMemory: 64, fullResolution: true, colorConversion: false, timeout: 60,
  }],
  ["everyday names", objects, { labels: "fine" }],
  ["a classifier", objects, {
    classifier, labels: ["a", "b", "c", "d", "e", "f"], allowLabels: ["a", "b"], maxLabels: 2, dropBackground: true,
    mean: [127.5, 127.5, 127.5], std: [127.5, 127, 128],
  }],
  ["a classifier with denied labels", objects, { classifier, labels: ["a", "b", "c", "d", "e", "f"], denyLabels: ["a"] }],
  ["a detector", objects, { detector: file("Tests/Fixtures/Models/detector_of_quarters.tflite"), limit: 4 }],
  ["faces", faces, {
    limit: 2, mode: "fast", landmarks: true, contours: true, allContours: true, classify: true, mesh: true, minFaceSize: 0.1,
    minScore: 0.3, strict: true, maxMemory: 64, fullResolution: true, colorConversion: false, timeout: 60,
  }],
  ["tracked objects", Tracker, { limit: 2, detectEvery: 2, keepLost: 3 }],
  ["tracked faces", Tracker, { faces: true, mode: "accurate", detectEvery: 2, keepLost: 3, smoothing: false }],
  ["nothing", Tracker, { faces: null, limit: null, labels: undefined, timeout: null, classifier: null }],
]) {
  test(`options: those of ${what} are accepted`, async (context) => {
    const detector = opened(context, new Class(options));
    assert.equal((await (detector.detect ?? detector.update).call(detector, square())).width, 64);
  });
}

test("the fast face detector detects faces", async (context) => {
  const detector = opened(context, new FaceDetector({ mode: "fast" }));
  assert.equal((await detector.detect(file("Tests/Fixtures/Faces/winking.jpg"))).faces.length, 2);
});

const pixels = (change) => ({ data: new Uint8ClampedArray(16), width: 2, height: 2, ...change });
for (const [what, kind, image, options] of [
  ["null", "invalidArgument", null], ["nothing", "invalidArgument"], ["a path", "invalidArgument", "fruit.jpg"],
  ["an empty file", "invalidImage", new Uint8Array(0)], ["an unreadable file", "loadFailed", unreadable],
  ["too few pixels", "invalidArgument", pixels({ width: 3 })], ["sides as text", "invalidArgument", pixels({ width: "2" })],
  ["sides that are no integers", "invalidArgument", pixels({ width: 1.6, height: 2.5 })],
  ["negative sides", "invalidArgument", pixels({ width: -2, height: -2 })],
  ["pixels in a list", "invalidArgument", pixels({ data: [1, 2, 3, 4], width: 1, height: 1 })],
  ["pixels as floats", "invalidArgument", pixels({ data: new Float32Array(4) })],
  ["a name that is no text", "invalidArgument", fruit, { name: Object.create(null) }],
]) {
  test(`images: ${what} rejects as ${kind}, the next call works`, async () => {
    await failure(kind, () => shared.detect(image, options));
    assert.equal((await shared.detect(square())).width, 64);
  });
}

test("a module that cannot be loaded is an error, and can be set right", async (context) => {
  const detector = opened(context, new ObjectDetector());
  for (const place of [new ArrayBuffer(4), "no://address", new URL("missing.wasm", root)]) {
    configure({ wasm: place });
    assert.match(await failure("loadFailed", () => detector.detect(square())), /configure\(\{ wasm \}\)/);
  }
  for (const place of [readFileSync(wasm), await WebAssembly.compile(readFileSync(wasm)), String(wasm)]) {
    configure({ wasm: place });
    await opened(context, new ObjectDetector()).prepare();
  }
  assert.equal((await detector.detect(square())).width, 64);
});

// MARK: Cancellation

test("a call that exceeds its time limit ends alone", async (context) => {
  const tracker = opened(context, new Tracker({ timeout: 0.8 }));
  const first = await text(tracker.update(square()));
  const [late, waiting] = [tracker.update(slowFile()), text(tracker.update(square()))];
  assert.match(await failure("deadlineExceeded", () => late), /longer than 0.8 s/);
  assert.equal(await waiting, first); // from frame 0
  assert.equal((await tracker.update(square())).frame, 1);
});

test("a signal ends a running call alone", async () => {
  const first = await text(shared.detect(fruit));
  const control = new AbortController();
  const running = shared.detect(slowFile(), { signal: control.signal });
  const waiting = text(shared.detect(fruit));
  await pause(100);
  control.abort();
  await assert.rejects(running, { name: "AbortError" });
  assert.equal(await waiting, first);
  const reason = new Error("enough");
  await assert.rejects(shared.detect(fruit, { signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(shared.detect(slowFile(), { signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
  assert.equal(await text(shared.detect(fruit, { signal: new AbortController().signal })), first);
});

test("a signal ends a waiting call at once", async () => {
  const control = new AbortController();
  const order = [];
  const running = shared.detect(fruit).then(() => order.push("running"));
  const waiting = shared.detect(fruit, { signal: control.signal }).catch(({ name }) => order.push(name));
  control.abort();
  await Promise.all([running, waiting]);
  assert.deepEqual(order, ["AbortError", "running"]);
});

// MARK: Models

const model = (context, name) => opened(context, new Model(file(`Tests/Fixtures/Models/${name}.tflite`)));

test("a model describes its inputs and outputs", async (context) => {
  const { inputs, outputs } = await opened(context, new Model(classifier)).describe();
  const [{ quantization, ...input }] = inputs;
  assert.deepEqual(input, { name: "image", type: "uint8", shape: [1, 160, 160, 3] });
  assert.ok(Math.abs(quantization.scales[0] - 1 / 255) < 1e-6);
  assert.deepEqual(outputs.map(({ name, type, shape }) => [name, type, shape]), [["scores", "uint8", [1, 6]]]);
});

test("a model runs on arrays in order and by name", async (context) => {
  const loop = model(context, "while_f32_loop");
  const [n, x] = [Int32Array.of(0), Float32Array.of(1, 2, 3, 4, 5, 6)];
  const byOrder = await loop.run([n, x]);
  assert.deepEqual(byOrder.map(({ type, shape }) => [type, shape]), [["float32", [2, 3]], ["int32", []]]);
  assert.deepEqual(await loop.run({ x, n }), byOrder);
  assert.ok(byOrder[0].data instanceof Float32Array && byOrder[1].data instanceof Int32Array);
});

test("a model's variables last from run to run", async (context) => {
  const sums = model(context, "variables_f32_accumulate");
  const x = Float32Array.of(1, 2, 3, 4, 5, 6);
  const results = [];
  for (let i = 0; i < 3; i += 1) results.push((await sums.run([x]))[0].data);
  const growth = (i) => results[i + 1].map((sum, index) => sum - results[i][index]);
  assert.deepEqual(growth(0), growth(1));
  assert.ok(growth(0).every((number) => number > 0));
});

test("arrays are copied when the call is made, even if they share a buffer", async (context) => {
  const buffer = new Float32Array(40 * 10).fill(0.5);
  const post = model(context, "detection_postprocess");
  const inputs = () => [buffer.subarray(0, 160), buffer.subarray(160, 400)];
  const first = await post.run(inputs());
  const call = post.run(inputs());
  buffer.fill(0);
  assert.deepEqual(await call, first);
});

test("an input has the shape that it is given with", async (context) => {
  const convolution = model(context, "conv_scale_zero_channel"); // 8 x 8 x 3 to 4 x 4 x 8
  const image = Int8Array.from({ length: 192 }, (_, index) => index);
  const [one] = await convolution.run([image]);
  assert.deepEqual(one.shape, [1, 4, 4, 8]);
  const [two] = await convolution.run([{ data: Int8Array.of(...image, ...image), shape: [2, 8, 8, 3] }]);
  assert.deepEqual(two.shape, [2, 4, 4, 8]);
  assert.deepEqual(two.data, Int8Array.of(...one.data, ...one.data));
  assert.deepEqual((await convolution.run([image]))[0], one);
});

test("a model works on after a shape for which it was not made", async (context) => {
  const localizer = opened(context, new Model(file("Weights/localizer.tflite")));
  const image = new Uint8Array(192 * 256 * 3);
  const first = await localizer.run([image]);
  await failure("failed", () => localizer.run([{ data: new Uint8Array(64 * 64 * 3), shape: [1, 64, 64, 3] }]));
  assert.deepEqual(await localizer.run([image]), first);
});

test("options of a model are checked", async (context) => {
  const run = (options) => opened(context, new Model(classifier, options)).describe();
  assert.match(await failure("invalidOptions", () => run({ maxMemory: 0 })), /maxMemory/);
  assert.match(await failure("invalidOptions", () => run({ memory: 1 })), /unknown option memory/);
  assert.match(await failure("invalidOptions", () => run({ timeout: 0 })), /timeout/);
  assert.equal((await run({ maxMemory: 64, timeout: 60 })).inputs.length, 1);
});

test("arrays that do not suit a model are rejected", async (context) => {
  const loop = model(context, "while_f32_loop");
  const [n, x] = [Int32Array.of(0), new Float32Array(6)];
  for (const [inputs, words] of [
    [[n], /inputs n, x; found 1 arrays/], [{ n, y: x }, /found y/], [{ n }, /found 1 arrays/],
    [[x, n], /input n: expected Int32Array of 1 elements, found Float32Array of 6/], [[n, [1]], /found undefined/],
    [[n, { data: x, shape: [2] }], /of 2 elements, found Float32Array of 6/], [[n, { data: x, shape: [-1] }], /extents/],
    [[n, { data: x, shape: "6" }], /extents/],
    [[n, new Float32Array(5)], /found Float32Array of 5/], [null, /./], [undefined, /./],
  ]) assert.match(await failure("invalidArgument", () => loop.run(inputs)), words);
  assert.equal((await loop.run([n, x])).length, 2);
});

test("a file that is no model is rejected", async (context) => {
  for (const [given, kind] of [
    [fruit, "invalidModel"], [new Uint8Array(0), "invalidModel"], ["model.tflite", "invalidOptions"], [unreadable, "loadFailed"],
    [undefined, "invalidOptions"],
  ]) await failure(kind, () => opened(context, new Model(given)).describe());
});
