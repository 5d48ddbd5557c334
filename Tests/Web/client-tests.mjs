// What martlet.d.ts promises, and what worker.js keeps: node --test Tests/Web/client-tests.mjs. Needs .build/wasm.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { after, before, test } from "node:test";
import { Martlet, MartletError, client } from "./client.mjs";

const file = (path) => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url)));
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

let martlet;
let evaluate;
before(async () => { ({ martlet, evaluate } = await client()); });
after(() => martlet.dispose());

const memoryInUse = () => evaluate("instance.exports.memoryInUse() >>> 0");
const memorySize = () => evaluate("instance.exports.memory.buffer.byteLength");
const text = async (promise) => JSON.stringify(await promise);
const whole = () => text(martlet.detect(fruit, { multiple: true, classify: true, name: "fruit" }));

async function failure(call) {
  const error = await Promise.resolve().then(call).then(() => null, (error) => error);
  assert.ok(error instanceof MartletError, `MartletError expected, found ${error}`);
  return error.message;
}

test("the worker keeps four detectors", async () => {
  for (let i = 0; i <= 100; i += 1) await martlet.detect(square(), { classify: true, minScore: i / 100 });
  assert.equal(await evaluate("detectors.length"), 4);
  assert.ok(await memorySize() < 80 * 2 ** 20);
});

test("the least recently used detector is released", async () => {
  const use = (minScore) => martlet.detect(square(), { minScore });
  const kept = () => evaluate("detectors.map(({ recipe }) => JSON.parse(recipe.options).minScore)");
  for (const score of [0.1, 0.2, 0.3, 0.4, 0.1, 0.5]) await use(score);
  assert.deepEqual(await kept(), [0.3, 0.4, 0.1, 0.5]);
});

test("option order does not create a new detector", async () => {
  await martlet.detect(square(), { minScore: 0.2, multiple: true });
  const number = await evaluate("detectors.at(-1).number");
  await martlet.detect(square(), { multiple: true, minScore: 0.2, name: "other" });
  assert.equal(await evaluate("detectors.at(-1).number"), number);
});

test("models with equal bytes share a detector", async () => {
  const numbers = new Set();
  for (const model of [classifier.slice(), classifier.slice().buffer, new Blob([classifier])]) {
    await martlet.detect(square(), { classifier: model });
    numbers.add(await evaluate("detectors.at(-1).number"));
  }
  assert.equal(numbers.size, 1);
});

test("a model with changed bytes gets a new detector", async () => {
  const model = classifier.slice();
  await martlet.detect(square(), { classifier: model });
  model.fill(0);
  assert.match(await failure(() => martlet.detect(square(), { classifier: model })), /TensorFlow Lite|FlatBuffer|bytes/);
  model.set(classifier);
  await martlet.detect(square(), { classifier: model });
});

test("a released detector returns the same results again", async () => {
  const first = await whole();
  for (let i = 0; i < 6; i += 1) await martlet.detect(square(), { minScore: 0.5 + i / 100 });
  assert.equal(await whole(), first);
});

for (const error of ["RuntimeError", "RangeError", "TypeError"]) {
  const type = error === "RuntimeError" ? "WebAssembly.RuntimeError" : error;
  test(`after a ${error} in the module the next call works, on a new instance`, async () => {
    const first = await whole();
    const stream = await martlet.stream({ multiple: true });
    await stream.detect(fruit);
    await evaluate(`instance = { broken: true, exports: { ...instance.exports,
      martlet_detector_detect_file() { throw new ${type}("out of bounds"); } } }; true`);
    assert.equal(await failure(() => whole()), "martlet.wasm stopped: out of bounds");
    assert.equal(await whole(), first);
    assert.equal(await evaluate("instance.broken"), undefined);
    assert.equal((await stream.detect(fruit)).frame, 0);
    assert.equal((await stream.detect(fruit)).frame, 1);
    await stream.dispose();
  });
}

test("the next call works after memory runs out", async () => {
  const first = await whole();
  await evaluate(`for (let size = 2 ** 29 - 1024; size > 4096; size >>= 1) {
    while (instance.exports.takeMemory(size) !== 0) {}
  } true`);
  await failure(() => martlet.detect(square(), { multiple: true, minScore: 0.7 }));
  if (await evaluate("instance !== null")) await failure(() => whole());
  await evaluate("renew()");
  assert.equal(await whole(), first);
});

test("addresses above 2 GiB are unsigned", async () => {
  const first = await whole();
  await evaluate("for (let i = 0; i < 5; i += 1) instance.exports.takeMemory(2 ** 29 - 1024); true");
  assert.ok(await memoryInUse() > 2 ** 31);
  assert.ok(await evaluate("instance.exports.largestMemoryInUse() >>> 0") > 2 ** 31);
  await evaluate(`for (const size of [2 ** 20, 2 ** 16, 2 ** 12, 2 ** 8]) {
    while (instance.exports.takeMemory(size) >>> 0 < 2 ** 31) {}
  } true`);
  assert.equal(await whole(), first);
  assert.equal((await martlet.detect(square(), { classifier, minScore: 0.9 })).width, 64);
  await evaluate("renew()");
});

test("rejected input leaves no memory allocated", async () => {
  await whole();
  await martlet.detect(square());
  const [used, size] = [await memoryInUse(), await memorySize()];
  const calls = [
    () => martlet.detect(new Uint8Array(largest)),
    () => martlet.detect(square(), { classifier: classifier.slice(), detector: new Uint8Array(largest) }),
    () => martlet.stream({ classifier: classifier.slice(), detector: new Uint8Array(largest) }),
  ];
  for (const call of calls) assert.match(await failure(call), /no memory for 536870912 bytes/);
  // The name is the second that a call takes.
  await evaluate(`{ const { exports } = instance;
    instance = { exports: { ...exports, takeMemory: (count) => (count === 13 ? 0 : exports.takeMemory(count)) } }; } true`);
  assert.match(await failure(() => martlet.detect(square(), { name: "without room" })), /no memory for 13 bytes/);
  assert.match(await failure(() => martlet.detect(fruit, { name: "without room" })), /no memory for 13 bytes/);
  assert.equal(await memoryInUse(), used);
  assert.equal(await memorySize(), size);
  assert.equal(await evaluate("streams.size"), 0);
});

test("5,000 rejected models leak less than a byte each", async () => {
  const folder = "Tests/Fixtures/Models/";
  const models = readdirSync(new URL(`../../${folder}`, import.meta.url)).filter((name) => name.endsWith(".tflite"));
  const refuse = async () => {
    let count = 0;
    for (const name of models) {
      const bytes = file(folder + name);
      for (const option of ["classifier", "detector"]) {
        await martlet.detect(square(), { [option]: bytes }).catch(() => { count += 1; });
      }
    }
    return count;
  };
  let count = await refuse();
  for (let i = 0; i < 4; i += 1) await martlet.detect(square(), { minScore: i / 10 });
  const used = await memoryInUse();
  while (count < 5000) count += await refuse();
  for (let i = 0; i < 4; i += 1) await martlet.detect(square(), { minScore: i / 10 });
  // A block may be 16 bytes larger than another one for the same.
  assert.ok(await memoryInUse() - used < 5000);
});

const cyclic = {};
cyclic.cyclic = cyclic;
const list = (depth) => { let value = []; for (let i = 0; i < depth; i += 1) value = [value]; return value; };
const unreadable = Object.assign(new Blob(["x"]), { arrayBuffer: () => Promise.reject(new Error("gone")) });
const pixels = (change) => ({ data: new Uint8ClampedArray(16), width: 2, height: 2, ...change });
const failures = {
  "cyclic options": () => martlet.detect(fruit, { cyclic }),
  "cyclic options of a stream": () => martlet.stream({ cyclic }),
  "a BigInt": () => martlet.detect(fruit, { maxObjects: 5n }),
  "a list 100,000 deep": () => martlet.detect(fruit, { labels: list(100000) }),
  "a list 900 deep": () => martlet.detect(fruit, { labels: list(900) }),
  "a NaN": () => martlet.detect(fruit, { minScore: NaN }),
  "an infinity in a list": () => martlet.detect(fruit, { mean: [Infinity], std: [1] }),
  "an option without effect": () => martlet.detect(fruit, { labels: ["a"] }),
  "a model for faces": () => martlet.detect(fruit, { faces: true, classifier }),
  "an unknown option": () => martlet.detect(fruit, { maxobjects: 1 }),
  "options that throw": () => martlet.detect(fruit, { get minScore() { throw new Error("no score"); } }),
  "null as an image": () => martlet.detect(null),
  "no image": () => martlet.detect(),
  "an empty file": () => martlet.detect(new Uint8Array(0)),
  "an unreadable file": () => martlet.detect(unreadable),
  "an unreadable model": () => martlet.detect(fruit, { classifier: unreadable }),
  "an empty model": () => martlet.detect(fruit, { classifier: new Blob([]) }),
  "a model of another type": () => martlet.detect(fruit, { detector: "model.tflite" }),
  "too few pixels": () => martlet.detect(pixels({ width: 3 })),
  "sides as text": () => martlet.detect(pixels({ width: "2" })),
  "sides that are no integers": () => martlet.detect(pixels({ width: 1.6, height: 2.5 })),
  "negative sides": () => martlet.detect(pixels({ width: -2, height: -2 })),
  "pixels in a list": () => martlet.detect(pixels({ data: [1, 2, 3, 4], width: 1, height: 1 })),
  "pixels as floats": () => martlet.detect(pixels({ data: new Float32Array(4) })),
  "a name that is no text": () => martlet.detect(fruit, { name: Object.create(null) }),
};
for (const [what, call] of Object.entries(failures)) {
  test(`${what}: the call rejects with a MartletError, the next one works`, async () => {
    const message = await failure(call);
    assert.ok(message.length > 0);
    assert.equal((await martlet.detect(square())).width, 64);
  });
}

test("a call that exceeds its time limit ends the worker, and the next one works", async () => {
  // Nine million pixels as text: "0 0 0 ...".
  const header = new TextEncoder().encode("P3 3000 3000 255\n");
  const slow = new Uint8Array(header.length + 54_000_000).fill(0x20);
  slow.set(header);
  for (let i = header.length; i < slow.length; i += 2) slow[i] = 0x30;
  const { martlet } = await client();
  const stream = await martlet.stream({ timeout: 60 });
  const first = await text(stream.detect(square()));
  const [late, waiting] = await Promise.allSettled([
    martlet.detect(slow, { timeout: 0.1 }), martlet.detect(square()),
  ]);
  assert.equal(late.reason.code, "deadlineExceeded");
  assert.ok(late.reason instanceof MartletError && waiting.reason instanceof MartletError);
  assert.equal(waiting.reason.code, undefined);
  assert.equal(await text(stream.detect(square())), first); // from frame 0
  assert.equal(await stream.dispose(), true);
  await martlet.detect(square(), { timeout: 60 });
  for (const timeout of [0, -1, NaN, "1", Infinity]) {
    assert.match(await failure(() => martlet.detect(square(), { timeout })), /^timeout: /);
  }
  martlet.dispose();
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

test("the browser decodes the formats that the module does not, and no others", async () => {
  const webp = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64");
  assert.match(await failure(() => martlet.detect(new Uint8Array(webp))), /WebP/);
  await evaluate(browser);
  assert.equal((await martlet.detect(new Uint8Array(webp))).width, 8);
  const stream = await martlet.stream();
  for (const frame of [0, 1]) assert.equal((await stream.detect(new Uint8Array(webp))).frame, frame);
  await stream.dispose();
  assert.equal((await martlet.detect(fruit)).width, JSON.parse(await whole()).width);
  // A damaged file of a known format is an error, whatever the browser makes of it.
  assert.match(await failure(() => martlet.detect(fruit.subarray(0, 100))), /JPEG/);
  await evaluate("delete globalThis.createImageBitmap; delete globalThis.OffscreenCanvas; true");
});

test("a module that cannot be loaded is a MartletError", async () => {
  await failure(() => Martlet.load({ wasm: new ArrayBuffer(4), worker: "worker.js" }));
  await failure(() => Martlet.load({ wasm: "no://address", worker: "worker.js" }));
});

test("a disposed stream rejects calls", async () => {
  const stream = await martlet.stream();
  await stream.dispose();
  await stream.dispose();
  assert.equal(await failure(() => stream.detect(fruit)), "the stream was disposed of");
});

test("a disposed Martlet rejects calls", async () => {
  const { martlet: other } = await client();
  const waiting = failure(() => other.detect(fruit));
  await new Promise((done) => setTimeout(done, 1));
  other.dispose();
  assert.equal(await waiting, "Martlet was disposed of");
  assert.equal(await failure(() => other.detect(fruit)), "Martlet was disposed of");
});
