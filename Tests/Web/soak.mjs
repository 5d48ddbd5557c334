// A page that never closes: node Tests/Web/soak.mjs COUNT. Makes COUNT calls (20,000 unless given) of detectors, trackers
// and models that last and of ones that are closed, with input that is rejected, too large, late or aborted. Fails if a
// result changes, or if memory grows by more than 4 MiB after the first thousand calls. Needs .build/wasm.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { client, evaluate, lastThread, threadCount } from "./client.mjs";

const { FaceDetector, MartletError, Model, ObjectDetector, Tracker } = client;
const count = Number(process.argv[2] ?? 20000);
const settled = Math.min(1000, count >> 1); // the calls after which memory may not grow
// What may be added after that: memory in use on both sides, and the modules' size, of which free blocks between used
// ones are a part.
const most = { used: 4 * 2 ** 20, size: 8 * 2 ** 20, JavaScript: 4 * 2 ** 20 };
const file = (path) => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url)));
const [fruit, portrait] = ["Scenes/fruit.jpg", "Faces/portrait.jpg"].map((name) => file(`Tests/Fixtures/${name}`));
const classifier = file("Weights/classifier.tflite");

// Gray with a red square, as RGBA.
const side = 64;
const data = new Uint8ClampedArray(4 * side * side).fill(128);
for (let y = 16; y < 40; y += 1) for (let x = 16; x < 48; x += 1) data.set([255, 0, 0, 255], 4 * (y * side + x));
const square = { data, width: side, height: side };

function damaged(bytes, number) {
  const copy = bytes.slice();
  for (let i = 0; i < 30; i += 1) copy[(number * 7919 + i * 104729) % copy.length] ^= 255;
  return copy;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

// Those that last, and their threads.
const threads = [];
async function lasting(session) {
  await session.prepare();
  threads.push(lastThread());
  return session;
}
const objects = await lasting(new ObjectDetector({ limit: 5, labels: "coarse" }));
const fine = await lasting(new ObjectDetector({ limit: 5, labels: "fine" }));
const faces = await lasting(new FaceDetector({ mesh: true, classify: true }));
const labeler = await lasting(new Model(classifier));
// A tracker's numbers change from call to call.
const tracker = await lasting(new Tracker({ limit: 5 }));
const impatient = new ObjectDetector({ timeout: 60 });

// What `work` returns of a session that is closed afterwards.
async function passing(session, work) {
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

async function frames(number) {
  return passing(new Tracker({ limit: 5, detectEvery: 1 + (number % 3) }), async (own) => {
    const lines = [];
    for await (const line of own.track([square, square, square])) lines.push(line);
    return lines;
  });
}

const aborted = () => {
  const control = new AbortController();
  setTimeout(() => control.abort(new MartletError("aborted")), 1);
  return impatient.detect(new Blob([fruit]), { signal: control.signal });
};

// What call `number` does: a key, for which the result is always the same, and the call.
const kinds = [
  () => ["scene", () => objects.detect(new Blob([fruit]), { name: "fruit" })],
  () => ["square", () => objects.detect(square)],
  () => ["portrait", () => faces.detect(portrait)],
  () => ["fine", () => fine.detect(square)],
  (number) => [`damaged ${number % 60}`, () => objects.detect(damaged(fruit, number % 60))],
  (number) => [`damaged face ${number % 60}`, () => faces.detect(damaged(portrait, number % 60))],
  () => ["track", () => tracker.update(square).then(({ objects }) => objects.length)],
  (number) => [`model ${number % 8}`, () => labeler.run([new Uint8Array(76800).fill(number % 8)])],
  () => ["no input", () => labeler.run([])],
  () => ["no image", () => objects.detect("fruit.jpg")],
  () => ["impatient", () => impatient.detect(square)],
];
// Once in 20 calls: sessions that do not last. Once in 500: more than the module takes.
const rare = [
  (number) => [`score ${number % 101}`, () =>
    passing(new ObjectDetector({ limit: 5, minScore: (number % 101) / 100 }), (detector) => detector.detect(square))],
  (number) => [`frames ${number % 3}`, () => frames(number)],
  () => ["classifier", () => passing(new ObjectDetector({ classifier }), (detector) => detector.detect(square))],
  (number) => [`no model ${number % 50}`, () =>
    passing(new Model(damaged(classifier.subarray(0, 4096), number % 50)), (model) => model.describe())],
  (number) => [`no option ${number % 7}`, () =>
    passing(new FaceDetector({ [`option${number % 7}`]: 1 }), (detector) => detector.detect(square))],
  () => ["aborted", aborted],
];
const large = () => ["large image", () => objects.detect(new Uint8Array(2 ** 29))];
const kindOf = (number) => (number % 500 === 499 ? large
  : number % 20 === 19 ? rare[(number / 20 | 0) % rare.length] : kinds[number % kinds.length]);

// Memory in bytes: taken in the lasting modules, their size, and JavaScript's on all threads.
async function memory() {
  // What the first collection frees is counted by the second.
  for (let i = 0; i < 2; i += 1) {
    await new Promise((done) => setTimeout(done, 100));
    collect();
    for (const thread of threads) await evaluate('require("node:vm").runInNewContext("gc")()', thread);
  }
  const heap = ({ heapUsed, arrayBuffers }) => heapUsed + arrayBuffers;
  const sum = { used: 0, size: 0, JavaScript: heap(process.memoryUsage()) };
  for (const thread of threads) {
    const [used, size, own] = await evaluate(`{
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      const { memory, memoryInUse } = instance.exports;
      [memoryInUse() >>> 0, memory.buffer.byteLength, heapUsed + arrayBuffers];
    }`, thread);
    sum.used += used;
    sum.size += size;
    sum.JavaScript += own;
  }
  return sum;
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
const report = (call, { used, size, JavaScript }) => console.log(
  `${call} calls: ${mebibytes(used)} MiB taken of ${mebibytes(size)}, JavaScript ${mebibytes(JavaScript)}, `
    + `process ${mebibytes(process.memoryUsage().rss)} MiB, ${threadCount()} threads, ${process.uptime().toFixed(0)} s`);

const results = new Map();
const problems = [];
let start = null;
for (let number = 0; number < count; number += 1) {
  const [key, call] = kindOf(number)(number);
  const result = await call().then(JSON.stringify, (error) => {
    if (!(error instanceof MartletError)) problems.push(`${key}: ${error}`);
    return `error: ${error.message}`;
  });
  if (!results.has(key)) results.set(key, result);
  if (results.get(key) !== result) problems.push(`${key}, call ${number}: ${result} instead of ${results.get(key)}`);
  if (/stopped|out of bounds/.test(result)) problems.push(`${key}, call ${number}: ${result}`);
  if (number + 1 === settled) {
    start = await memory();
    report(number + 1, start);
  } else if ((number + 1) % 5000 === 0) {
    report(number + 1, await memory());
  }
}
const end = await memory();
report(count, end);
for (const what of Object.keys(most)) {
  if (end[what] - start[what] > most[what]) problems.push(`${what}: ${mebibytes(start[what])} MiB became ${mebibytes(end[what])}`);
}
if (threadCount() > threads.length + 1) problems.push(`${threadCount()} workers run, ${threads.length + 1} are open`);
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(`soak: ${count} calls, ${results.size} kinds of results, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
