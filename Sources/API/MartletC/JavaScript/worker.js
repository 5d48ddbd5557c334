// The worker of a detector, tracker or model, in which an instance of martlet.wasm runs. The first message is
//
//     { module, options, classifier, detector }  JSON, and the bytes of two models, empty for the built-in ones
//     { module, options, model }                 the bytes of a model; its description is the answer
//     { module, tracker }                        the options of a tracker of boxes, as JSON
//
// and the others are
//
//     { name, file }, { name, pixels, width, height } or { name, bitmap }  a line of results is the answer
//     { inputs }                                 each { bytes, shape }; a model's outputs are the answer
//     { boxes, pixels or bitmap, width, height } the numbers of boxes in a frame, perhaps with its pixels
//     { isSkipped, width, height }, { isReset }  a frame without boxes, and the end of all objects
//
// An answer is { value } or { error, kind }, with `isLost` if the instance is of no use any more.

const largestCount = 2 ** 29 - 1; // the most bytes that the module takes at once

// By the numbers of MartletStatus.
const kinds = ["", "invalidArgument", "invalidOptions", "invalidModel", "invalidImage", "failed", "deadlineExceeded",
  "unsupportedImage", "unsupportedModel", "limitExceeded"];

let instance = null;
let handle = 0; // of the detector, tracker or model
let description = null; // of the model's inputs and outputs, in their shapes now

// What a call is refused for, after which the module works on.
class Refusal extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

// Throws unless there is success; `reason` returns a sentence.
function check(status, reason) {
  if (status !== 0) throw new Refusal(kinds[status], reason());
}

// An address in the instance's memory, which holds a copy of `bytes` there. Addresses are unsigned.
function lend({ takeMemory, memory }, bytes) {
  if (bytes.length === 0) return 0;
  const place = bytes.length > largestCount ? 0 : takeMemory(bytes.length) >>> 0;
  if (place === 0) {
    throw new Refusal("limitExceeded", `no memory for ${bytes.length} bytes, at most ${largestCount} are taken`);
  }
  new Uint8Array(memory.buffer).set(bytes, place);
  return place;
}

// Calls `work` with the module's exports and the addresses of `arrays` in its memory, which are valid until it returns.
function inModule(arrays, work) {
  const martlet = instance.exports;
  const places = [];
  try {
    for (const bytes of arrays) places.push(lend(martlet, bytes));
    return work(martlet, ...places);
  } finally {
    for (const place of places) martlet.releaseMemory(place);
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

const handleAt = ({ memory }, place) => new DataView(memory.buffer).getInt32(place, true);

// MARK: Detectors

function makeDetector(options, classifier, detector) {
  handle = inModule([text(options), classifier, detector, new Uint8Array(8)], (martlet, ...places) => {
    const [optionsAt, classifierAt, detectorAt, results] = places;
    const status = martlet.martlet_detector_make(
      optionsAt, classifierAt, classifier.length, detectorAt, detector.length, results, results + 4);
    check(status, () => taken(martlet, results + 4));
    return handleAt(martlet, results);
  });
}

// Whether the module decodes a file of this format, by the file's first bytes.
function isDecoded(file) {
  const start = file.subarray(0, 64);
  return inModule([start], (martlet, place) => martlet.martlet_image_check(place, start.length)) === 0;
}

function pixelsOf(bitmap) {
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  return { pixels: new Uint8Array(data.buffer), width, height };
}

// The line of a detection; the status 1 says that there is none.
function line(martlet, status, place) {
  check(status, () =>
    (status === 1 ? "the image has more pixels than permitted" : JSON.parse(taken(martlet, place)).error));
  return taken(martlet, place);
}

function detectFile(name, file) {
  return inModule([text(name), file, new Uint8Array(4)], (martlet, nameAt, fileAt, lineAt) =>
    line(martlet, martlet.martlet_detector_detect_file(handle, nameAt, fileAt, file.length, lineAt), lineAt));
}

const rgba = 0; // of MartletPixelFormat

function detectPixels(name, { pixels, width, height }) {
  if (pixels.length !== 4 * width * height) {
    throw new Refusal("invalidArgument", `${pixels.length} bytes for ${width} x ${height} pixels of four`);
  }
  return inModule([text(name), pixels, new Uint8Array(4)], (martlet, nameAt, pixelsAt, lineAt) =>
    line(martlet, martlet.martlet_detector_detect_pixels(
      handle, nameAt, pixelsAt, rgba, width, height, width * 4, lineAt), lineAt));
}

async function detect({ name, file, bitmap, ...pixels }) {
  if (bitmap) return detectPixels(name, pixelsOf(bitmap));
  if (!file) return detectPixels(name, pixels);
  if (isDecoded(file)) return detectFile(name, file);
  // What the browser can read and Martlet can't (HEIC, AVIF and so on) comes in as pixels.
  const decoded = await globalThis.createImageBitmap?.(new Blob([file])).catch(() => {});
  return decoded ? detectPixels(name, pixelsOf(decoded)) : detectFile(name, file); // whose error names the format
}

// MARK: Boxes of other detectors

function makeTracker(options) {
  handle = inModule([text(options), new Uint8Array(8)], (martlet, optionsAt, results) => {
    const status = martlet.martlet_tracker_make(optionsAt, results, results + 4);
    check(status, () => taken(martlet, results + 4));
    return handleAt(martlet, results);
  });
}

const frameReason = () => "the frame is empty or has more pixels than permitted";

function trackBoxes({ boxes, bitmap, ...frame }) {
  const { pixels = new Uint8Array(0), width, height } = bitmap ? pixelsOf(bitmap) : frame;
  if (pixels.length > 0 && pixels.length !== 4 * width * height) {
    throw new Refusal("invalidArgument", `${pixels.length} bytes for ${width} x ${height} pixels of four`);
  }
  const numbers = new Uint8Array(boxes.buffer);
  return inModule([numbers, pixels, new Uint8Array(4)], (martlet, numbersAt, pixelsAt, lineAt) => {
    const status = martlet.martlet_tracker_update(
      handle, numbersAt, boxes.length / 6, pixelsAt, rgba, width, height, 0, lineAt);
    check(status, frameReason);
    return taken(martlet, lineAt);
  });
}

function skipFrame(width, height) {
  return inModule([new Uint8Array(4)], (martlet, lineAt) => {
    check(martlet.martlet_tracker_skip(handle, width, height, lineAt), frameReason);
    return taken(martlet, lineAt);
  });
}

// MARK: Models

function described() {
  return inModule([new Uint8Array(4)], (martlet, place) => {
    check(martlet.martlet_model_describe(handle, place), () => "the model was released");
    return JSON.parse(taken(martlet, place));
  });
}

function makeModel(options, file) {
  handle = inModule([text(options), file, new Uint8Array(8)], (martlet, optionsAt, place, results) => {
    const status = martlet.martlet_model_make(optionsAt, place, file.length, results, results + 4);
    check(status, () => taken(martlet, results + 4));
    return handleAt(martlet, results);
  });
  description = described();
}

// Integers for the module; a table without any has an address, too.
const table = (values) => new Uint8Array(Int32Array.of(...values, 0).buffer);

function resizeInput(index, shape) {
  if (String(shape) === String(description.inputs[index].shape)) return;
  inModule([table(shape), new Uint8Array(4)], (martlet, place, error) => {
    const status = martlet.martlet_model_resize_input(handle, index, place, shape.length, error);
    check(status, () => taken(martlet, error));
  });
  description = described();
}

function readOutput(tensor, index) {
  const { name, type } = tensor;
  if (tensor.bytes === null) throw new Refusal("unsupportedModel", `output ${name}: no array has elements of type ${type}`);
  return inModule([new Uint8Array(Math.max(tensor.bytes, 1)), new Uint8Array(4)], (martlet, place, error) => {
    const status = martlet.martlet_model_read_output(handle, index, place, tensor.bytes, error);
    check(status, () => taken(martlet, error));
    return { ...tensor, bytes: new Uint8Array(martlet.memory.buffer, place, tensor.bytes).slice() };
  });
}

function runModel(inputs) {
  inputs.forEach(({ shape }, index) => resizeInput(index, shape));
  inModule(inputs.map(({ bytes }) => bytes), (_, ...places) => {
    const counts = table(inputs.map(({ bytes }) => bytes.length));
    inModule([table(places), counts, table([]), new Uint8Array(4)], (martlet, placesAt, countsAt, none, error) => {
      const status = martlet.martlet_model_run(handle, placesAt, countsAt, inputs.length, none, none, 0, error);
      check(status, () => taken(martlet, error));
    });
  });
  if (!description.isFixed) description = described();
  return description.outputs.map(readOutput);
}

// MARK: Messages

async function answer({ module, ...message }) {
  if (module) {
    instance = new WebAssembly.Instance(module);
    if (message.model) makeModel(message.options, message.model);
    else if (message.tracker) makeTracker(message.tracker);
    else makeDetector(message.options, message.classifier, message.detector);
    return description;
  }
  if (message.isReset) return instance.exports.martlet_tracker_reset(handle);
  if (message.isSkipped) return skipFrame(message.width, message.height);
  if (message.boxes) return trackBoxes(message);
  return message.inputs ? runModel(message.inputs) : detect(message);
}

// The client's end: of a browser's worker, or of a thread of node.
const port = typeof self === "undefined" ? process.getBuiltinModule("node:worker_threads").parentPort : self;
port.onmessage = async ({ data }) => {
  try {
    port.postMessage({ value: await answer(data) });
  } catch (error) {
    if (error instanceof Refusal) port.postMessage({ error: error.message, kind: error.kind });
    else port.postMessage({ error: `martlet.wasm stopped: ${error.message}`, kind: "failed", isLost: true });
  }
};
