// A page that never closes: node Tests/Web/soak.mjs COUNT. Calls martlet.js COUNT times (20,000 unless given)
// with options that change, models that are new, input that is refused or too large, and streams. Fails if a
// result changes, or if memory in use grows by more than 4 MiB after the first thousand calls. Needs .build/wasm.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { MartletError, client } from "./client.mjs";

const count = Number(process.argv[2] ?? 20000);
const settled = Math.min(1000, count >> 1); // the calls after which memory may not grow
// What may be added after that: memory in use on both sides, and the module's size, of which free blocks between used
// ones are a part: seen in 20,000 calls, 6.5 MiB once.
const most = { used: 4 * 2 ** 20, size: 8 * 2 ** 20, JavaScript: 4 * 2 ** 20 };
const file = (path) => new Uint8Array(readFileSync(new URL(`../../${path}`, import.meta.url)));
const [fruit, portrait] = ["Scenes/fruit.jpg", "Faces/portrait.jpg"].map((name) => file(`Tests/Fixtures/${name}`));
const classifier = file("Weights/classifier.tflite");

// Gray with a red square, as RGBA.
const side = 64;
const data = new Uint8ClampedArray(4 * side * side).fill(128);
for (let y = 16; y < 40; y += 1) for (let x = 16; x < 48; x += 1) data.set([255, 0, 0, 255], 4 * (y * side + x));
const square = { data, width: side, height: side };

// A classifier that no call before has seen: what lies behind a model is not read.
function anotherClassifier(number) {
  const bytes = new Uint8Array(classifier.length + 4);
  bytes.set(classifier);
  new DataView(bytes.buffer).setUint32(classifier.length, number);
  return bytes;
}

function damaged(bytes, number) {
  const copy = bytes.slice();
  for (let i = 0; i < 30; i += 1) copy[(number * 7919 + i * 104729) % copy.length] ^= 255;
  return copy;
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");
const { martlet, evaluate } = await client();

async function frames(number) {
  const stream = await martlet.stream({ multiple: true, detectEvery: 1 + (number % 3) });
  const lines = [];
  for (let i = 0; i < 3; i += 1) lines.push(await stream.detect(square, "frame"));
  await stream.dispose();
  return lines;
}

// What call `number` does: a key, for which the result is always the same, and the call.
const kinds = [
  (number) => [`score ${number % 101}`, () =>
    martlet.detect(square, { multiple: true, classify: true, minScore: (number % 101) / 100 })],
  (number) => [`faces ${number % 41}`, () => martlet.detect(square, { faces: true, minScore: (number % 41) / 40 })],
  () => ["scene", () => martlet.detect(new Blob([fruit]), { multiple: true, classify: true, name: "fruit" })],
  () => ["portrait", () => martlet.detect(portrait, { faces: true, mesh: true, classify: true })],
  (number) => [`threshold ${number % 29}`, () => martlet.detect(square, { classify: true, threshold: (number % 29) / 28 })],
  () => ["equal classifier", () => martlet.detect(square, { classifier: classifier.slice() })],
  (number) => ["another classifier", () => martlet.detect(square, { classifier: anotherClassifier(number) })],
  (number) => [`no model ${number % 50}`, () =>
    martlet.detect(square, { classifier: damaged(classifier.subarray(0, 4096), number % 50) })],
  (number) => ["no detector", () => martlet.detect(square, { detector: anotherClassifier(number) })],
  (number) => [`no option ${number % 7}`, () => martlet.detect(square, { [`option${number % 7}`]: 1 })],
  () => ["no score", () => martlet.detect(square, { minScore: 2 })],
  (number) => [`damaged ${number % 60}`, () => martlet.detect(damaged(fruit, number % 60), { multiple: true })],
  (number) => [`frames ${number % 3}`, () => frames(number)],
];
// Once in 500 calls: more than the module takes, as an image, and behind a model that it has taken by then.
const large = [
  () => ["large image", () => martlet.detect(new Uint8Array(2 ** 29))],
  () => ["large detector", () =>
    martlet.detect(square, { classifier: classifier.slice(), detector: new Uint8Array(2 ** 29) })],
];

// Memory in bytes: taken in the module, the module's size, and JavaScript's on both threads. The same four detectors are
// kept whenever it is measured.
async function memory() {
  for (let i = 0; i < 4; i += 1) await martlet.detect(square, { multiple: true, minScore: i / 10 });
  // What the first collection frees is counted by the second.
  for (let i = 0; i < 2; i += 1) {
    await new Promise((done) => setTimeout(done, 100));
    collect();
    await evaluate('require("node:vm").runInNewContext("gc")()');
  }
  const heap = ({ heapUsed, arrayBuffers }) => heapUsed + arrayBuffers;
  const [used, size, worker, detectors, streams] = await evaluate(`{
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const { memory, memoryInUse } = instance.exports;
    [memoryInUse() >>> 0, memory.buffer.byteLength, heapUsed + arrayBuffers, detectors.length, streams.size];
  }`);
  return { used, size, "JavaScript": heap(process.memoryUsage()) + worker, detectors, streams };
}

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);
const told = (call, { used, size, JavaScript }) => console.log(
  `${call} calls: ${mebibytes(used)} MiB taken of ${mebibytes(size)}, JavaScript ${mebibytes(JavaScript)}, `
    + `process ${mebibytes(process.memoryUsage().rss)} MiB, ${process.uptime().toFixed(0)} s`);

const results = new Map();
const problems = [];
let start = null;
for (let number = 0; number < count; number += 1) {
  const from = number % 500 === 499 ? large[(number / 500 | 0) % 2] : kinds[number % kinds.length];
  const [key, call] = from(number);
  const result = await call().then(JSON.stringify, (error) => {
    if (!(error instanceof MartletError)) problems.push(`${key}: ${error}`);
    return `error: ${error.message}`;
  });
  if (!results.has(key)) results.set(key, result);
  if (results.get(key) !== result) problems.push(`${key}, call ${number}: ${result} instead of ${results.get(key)}`);
  if (/stopped|out of bounds/.test(result)) problems.push(`${key}, call ${number}: ${result}`);
  if (number + 1 === settled) {
    start = await memory();
    told(number + 1, start);
  } else if ((number + 1) % 5000 === 0) {
    told(number + 1, await memory());
  }
}
const end = await memory();
told(count, end);
for (const what of Object.keys(most)) {
  if (end[what] - start[what] > most[what]) problems.push(`${what}: ${mebibytes(start[what])} MiB became ${mebibytes(end[what])}`);
}
if (end.detectors !== 4 || end.streams !== 0) problems.push(`${end.detectors} detectors, ${end.streams} streams are kept`);
martlet.dispose();
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(`soak: ${count} calls, ${results.size} kinds of results, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
