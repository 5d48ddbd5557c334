// The worker in which martlet.wasm runs, so that a page stays responsive. It is sent
//
//     { id, load: bytes of martlet.wasm }
//     { id, make: recipe }                                              -> a stream's number
//     { id, detect: { recipe | stream, name, file | pixels | bitmap } } -> a line of results
//     { id, release: stream }
//
// and answers { id, value } or { id, error }. Before a message with `isLimited`, it answers { id, begins: true }. A recipe
// is { options, classifier, detector }: JSON, and the bytes of two models, which are empty for the shipped ones.
//
// The detectors of the four recipes used last are kept; recipes are equal if their options and their models' bytes
// are. A stream is kept until it is released. After an error of the engine (a trap, because memory ran out, say) the
// next call works on a new instance, on which detectors are made again; streams begin anew.

const capacity = 4; // how many detectors are kept, streams aside
const largestCount = 2 ** 29 - 1; // the most bytes that the module takes at once

let module = null;
let instance = null;
let detectors = []; // { recipe, number in the instance }, the one used last at the end
let count = 0;
const streams = new Map(); // a stream's number -> { recipe, number in the instance, or 0 before it is made there }

// What a call is refused for, after which the module works on.
class Refusal extends Error {}

function renew() {
  instance = null;
  detectors = [];
  for (const stream of streams.values()) stream.number = 0;
}

const noMemory = (count) => new Refusal(`no memory for ${count} bytes, at most ${largestCount} are taken`);

// An address in the instance's memory, which holds a copy of `bytes` there. Addresses are unsigned.
function lend({ takeMemory, memory }, bytes) {
  if (bytes.length === 0) return 0;
  const place = takeMemory(bytes.length) >>> 0;
  if (place === 0) throw noMemory(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, place);
  return place;
}

// Calls `work` with the module's exports and the addresses of `arrays` in its memory, which are valid until it returns.
function inModule(arrays, work) {
  if (!module) throw new Refusal("martlet.wasm is not loaded");
  const tooLarge = arrays.find((bytes) => bytes.length > largestCount);
  if (tooLarge) throw noMemory(tooLarge.length);
  const places = [];
  try {
    instance ??= new WebAssembly.Instance(module);
    for (const bytes of arrays) places.push(lend(instance.exports, bytes));
    return work(instance.exports, ...places);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    renew();
    throw new Refusal(`martlet.wasm stopped: ${error.message}`);
  } finally {
    // What an instance that is given up holds goes with it.
    for (const place of places) instance?.exports.releaseMemory(place);
  }
}

// UTF-8 that ends with a zero byte, as the module's functions expect and return it.
const text = (value) => new TextEncoder().encode(`${value}\0`);

// The text whose address is at `place`, and which is released.
function taken({ memory, martlet_text_release }, place) {
  const start = new DataView(memory.buffer).getUint32(place, true);
  const bytes = new Uint8Array(memory.buffer, start);
  const result = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  martlet_text_release(start);
  return result;
}

// The number in the instance of a new detector.
function make({ options, classifier, detector }) {
  return inModule([text(options), classifier, detector, new Uint8Array(8)], (martlet, ...places) => {
    const [optionsAt, classifierAt, detectorAt, results] = places;
    const status = martlet.martlet_detector_make(
      optionsAt, classifierAt, classifier.length, detectorAt, detector.length, results, results + 4);
    if (status !== 0) throw new Refusal(taken(martlet, results + 4));
    return new DataView(martlet.memory.buffer).getInt32(results, true);
  });
}

const release = (number) => inModule([], (martlet) => martlet.martlet_detector_release(number));

// Models are compared by words, in a tenth of the time that bytes take; each begins in a buffer of its own.
const wordsOf = ({ buffer, length }) => new Int32Array(buffer, 0, length >>> 2);

function areEqual(a, b) {
  if (a.length !== b.length) return false;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  for (let i = 0; i < left.length; i += 1) if (left[i] !== right[i]) return false;
  for (let i = 4 * left.length; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

function numberOf(recipe) {
  const known = detectors.findIndex((kept) => kept.recipe.options === recipe.options
    && areEqual(kept.recipe.classifier, recipe.classifier) && areEqual(kept.recipe.detector, recipe.detector));
  if (known >= 0) {
    detectors.push(...detectors.splice(known, 1));
  } else {
    if (detectors.length === capacity) release(detectors.shift().number);
    const number = make(recipe);
    detectors.push({ recipe, number });
  }
  return detectors.at(-1).number;
}

function numberOfStream(id) {
  const stream = streams.get(id);
  if (!stream) throw new Refusal("the stream was disposed of");
  if (stream.number === 0) stream.number = make(stream.recipe);
  return stream.number;
}

function pixelsOf(bitmap) {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

// The line of a detection; `status` 1 says that an argument is invalid, and there is no line.
function line(martlet, status, place) {
  if (status === 1) throw new Refusal("the detector was released, or the image is too large");
  return JSON.parse(taken(martlet, place));
}

function detectFile(number, name, file) {
  return inModule([name, file, new Uint8Array(4)], (martlet, nameAt, fileAt, lineAt) =>
    line(martlet, martlet.martlet_detector_detect_file(number, nameAt, fileAt, file.length, lineAt), lineAt));
}

function detectPixels(number, name, { data, width, height }) {
  const rgba = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (rgba.length !== 4 * width * height) {
    throw new Refusal(`${rgba.length} bytes for ${width} x ${height} pixels of four`);
  }
  return inModule([name, rgba, new Uint8Array(4)], (martlet, nameAt, rgbaAt, lineAt) =>
    line(martlet, martlet.martlet_detector_detect_pixels(number, nameAt, rgbaAt, 0, width, height, 0, lineAt), lineAt));
}

// Whether the module decodes a file of this format, by the file's first bytes.
function isDecoded(file) {
  const start = file.subarray(0, 64);
  return inModule([start], (martlet, place) => martlet.martlet_image_check(place, start.length)) === 0;
}

async function detect({ recipe, stream, name, file, pixels, bitmap }) {
  try {
    const number = recipe ? numberOf(recipe) : numberOfStream(stream);
    const named = text(name);
    // What the browser can read and Martlet can't (WebP, HEIC and so on) comes in as pixels.
    if (file && !isDecoded(file)) {
      try {
        bitmap = await createImageBitmap(new Blob([file]));
      } catch {
        // The line of results names the format.
      }
    }
    if (file && !bitmap) return detectFile(number, named, file);
    return detectPixels(number, named, bitmap ? pixelsOf(bitmap) : pixels);
  } finally {
    bitmap?.close();
  }
}

async function answer(message) {
  if (message.load) {
    module = await WebAssembly.compile(message.load);
    inModule([], () => {});
    return true;
  }
  if (message.make) {
    const number = make(message.make);
    count += 1;
    streams.set(count, { recipe: message.make, number });
    return count;
  }
  if (message.detect) return detect(message.detect);
  if (message.release) {
    const number = streams.get(message.release)?.number;
    streams.delete(message.release);
    if (number) release(number);
    return true;
  }
  throw new Refusal("no such call");
}

// One message after another, however long each takes.
let queue = Promise.resolve();
self.onmessage = ({ data }) => {
  queue = queue.then(async () => {
    if (data.isLimited) self.postMessage({ id: data.id, begins: true });
    try {
      self.postMessage({ id: data.id, value: await answer(data) });
    } catch (error) {
      self.postMessage({ id: data.id, error: error?.message || String(error) });
    }
  });
};
