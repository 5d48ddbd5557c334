// Martlet in browsers and node: objects, faces and TensorFlow Lite models, without any request but for the package's own
// files.
//
//     import { ObjectDetector } from "martlet";
//     const detector = new ObjectDetector({ limit: 5, labels: "coarse" });
//     const { objects } = await detector.detect(file);
//     detector.close();
//
// Each detector, tracker or model has a worker with an instance of martlet.wasm, which starts with the first call, and
// works on one call at a time. Types and documentation: martlet.d.ts.

export class MartletError extends Error {
  name = "MartletError";

  constructor(message, { kind, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

const failure = (kind, message, cause) => new MartletError(message, { kind, cause });

// What `work` returns; whatever it throws becomes a MartletError, of this kind.
async function checked(work, kind = "invalidArgument") {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MartletError) throw error;
    throw failure(kind, error?.message || String(error), error);
  }
}

// MARK: The module

// Where the worker and the module are, unless they are beside this file.
const places = {};
// The promise of the compiled module, which all workers share.
let moduleLoad = null;

export function configure({ wasm, worker }) {
  Object.assign(places, { wasm, worker });
  moduleLoad = null;
}

// A module of node, where browsers have functions of their own; undefined in browsers. Bundlers do not look for it.
const nodeModule = (name) => globalThis.process?.getBuiltinModule?.(`node:${name}`);

async function compiledModule(wasm) {
  if (wasm instanceof WebAssembly.Module) return wasm;
  if (wasm instanceof ArrayBuffer || ArrayBuffer.isView(wasm)) return WebAssembly.compile(wasm);
  const address = String(wasm);
  const files = address.startsWith("file:") ? nodeModule("fs/promises") : undefined;
  if (files) return WebAssembly.compile(await files.readFile(new URL(address)));
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

function loadedModule() {
  moduleLoad ??= compiledModule(places.wasm ?? new URL("./martlet.wasm", import.meta.url)).catch((error) => {
    moduleLoad = null;
    throw failure("loadFailed",
      `martlet.wasm cannot be loaded: ${error.message}; configure({ wasm }) sets its place`, error);
  });
  return moduleLoad;
}

// MARK: Workers

// This file's address; of the source if webpack has bundled it, which replaces the two literal addresses of other files.
const here = new URL(import.meta.url);
let importer = null; // the address of a worker that imports worker.js

function startedWorker() {
  if (typeof Worker === "undefined") {
    // Options of the program such as --input-type are not for the worker's file.
    const { Worker: Thread } = nodeModule("worker_threads");
    return new Thread(places.worker ?? new URL("worker.js", here), { execArgv: [] });
  }
  // worker.js is a module and a classic script; a page in a folder may start only the latter.
  if (places.worker) return new Worker(places.worker);
  if (!here.protocol.startsWith("http") || !globalThis.location || here.origin === location.origin) {
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  }
  // A worker's own script must come from the page's server, but what it imports may not.
  const script = `import ${JSON.stringify(new URL("worker.js", here))};`;
  importer ??= URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  return new Worker(importer, { type: "module" });
}

// A worker, which is asked one thing at a time.
class Engine {
  #worker = startedWorker();
  #running = null; // { resolve, reject } of the running call
  isEnded = false;

  constructor() {
    const receive = ({ value, error, kind, isLost }) => {
      if (error === undefined) this.#running?.resolve(value);
      else if (isLost) this.end(failure(kind, error));
      else this.#running?.reject(failure(kind, error));
    };
    const fail = ({ message }) => {
      const reason = message || "the file cannot be loaded; configure({ worker }) sets its place";
      this.end(failure("loadFailed", `the worker stopped: ${reason}`));
    };
    if (this.#worker.on) {
      this.#worker.on("message", receive);
      this.#worker.on("error", fail);
    } else {
      this.#worker.onmessage = ({ data }) => receive(data);
      this.#worker.onerror = fail;
    }
    this.#worker.unref?.();
  }

  // The value that the worker answers. The worker ends if the signal aborts or after `limit` milliseconds.
  async ask(message, transfer, signal, limit) {
    const answer = new Promise((resolve, reject) => { this.#running = { resolve, reject }; });
    const late = () => this.end(failure("deadlineExceeded", `the call took longer than ${limit / 1000} s`));
    const timer = limit === undefined ? undefined : setTimeout(late, limit);
    const abort = () => this.end(signal.reason);
    signal?.addEventListener("abort", abort);
    // A program in node runs on while it waits for an answer, and only then.
    this.#worker.ref?.();
    try {
      this.#worker.postMessage(message, transfer);
      return await answer;
    } finally {
      this.#running = null;
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      this.#worker.unref?.();
    }
  }

  // Ends the worker. The running call rejects with `reason`.
  end(reason) {
    this.isEnded = true;
    this.#worker.terminate();
    this.#running?.reject(reason);
  }
}

// Ends the workers of sessions that are collected without having been closed.
const abandoned = new FinalizationRegistry((engine) => engine.end());

const closed = () => failure("invalidArgument", "close() was called");

// What `call` returns; rejects as soon as the signal aborts.
function unlessAborted(call, signal) {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    call.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

// Calls a session's worker; subclasses have it, users do not.
const request = Symbol("request");

// A detector, tracker or model: calls one after another in an engine, which is replaced after it has ended.
class Session {
  #recipe;
  #wording;
  #description;
  #engine = null;
  #last = Promise.resolve();
  #isClosed = false;

  // `recipe` is the promise of { message, limit }. Messages of errors in it become `wording` of them.
  constructor(recipe, wording = (message) => message) {
    this.#recipe = recipe;
    this.#wording = wording;
    recipe.catch(() => {}); // for the calls
  }

  #check(signal) {
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
  }

  async #start(signal) {
    this.#check(signal);
    if (this.#engine && !this.#engine.isEnded) return;
    if (typeof Worker === "undefined" && !nodeModule("worker_threads")) {
      throw failure("loadFailed", "there are no workers here; node has them from version 20.16 on");
    }
    const [{ message, limit }, module] = await Promise.all([this.#recipe, loadedModule()]);
    this.#check(signal);
    if (this.#engine) abandoned.unregister(this.#engine);
    const engine = await checked(() => new Engine(), "loadFailed");
    this.#engine = engine;
    abandoned.register(this, engine, engine);
    try {
      this.#description = await engine.ask({ module, ...message }, [], signal, limit);
    } catch (error) {
      engine.end();
      throw error?.kind === "invalidOptions" ? failure(error.kind, this.#wording(error.message)) : error;
    }
  }

  // What the worker answers to the promise of { message, transfer }; without it, to the first message.
  [request](content, signal) {
    content?.catch(() => {}); // for the call, when its turn comes
    const call = this.#last.then(async () => {
      await this.#start(signal);
      if (!content) return this.#description;
      const { message, transfer } = await content;
      this.#check(signal);
      return this.#engine.ask(message, transfer, signal, (await this.#recipe).limit);
    });
    this.#last = call.catch(() => {});
    return signal ? unlessAborted(call, signal) : call;
  }

  async prepare({ signal } = {}) {
    await this[request](undefined, signal);
  }

  close() {
    this.#isClosed = true;
    if (!this.#engine) return;
    abandoned.unregister(this.#engine);
    this.#engine.end(closed());
  }
}
if (Symbol.dispose) Session.prototype[Symbol.dispose] = Session.prototype.close;

// MARK: Options

// A copy; node's Buffer has a `slice` that is none.
const copyOf = (bytes) => (bytes instanceof ArrayBuffer ? new Uint8Array(bytes.slice(0)) : new Uint8Array(bytes));

const isBytes = (value) => value instanceof Uint8Array || value instanceof ArrayBuffer;

// A copy of a file's bytes, made before the call returns unless it is a Blob.
async function bytesOf(file) {
  if (isBytes(file)) return copyOf(file);
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch (error) {
    throw failure("loadFailed", `${file.name ?? "the Blob"} cannot be read: ${error.message}`, error);
  }
}

async function modelOf(name, file) {
  if (!isBytes(file) && !(file instanceof Blob)) {
    throw failure("invalidOptions", `${name}: expected a Blob, an ArrayBuffer or a Uint8Array`);
  }
  const bytes = await bytesOf(file);
  if (bytes.length === 0) throw failure("invalidModel", `${name}: expected a .tflite file, found an empty file`);
  return bytes;
}

// The bytes of a model that replaces a built-in one; none without it.
const replacementOf = async (name, file) => ((file ?? null) === null ? new Uint8Array(0) : modelOf(name, file));

// The milliseconds of the option `timeout`, which is in seconds.
function limitOf(timeout) {
  if ((timeout ?? null) === null) return undefined;
  if (typeof timeout !== "number" || !(timeout >= 0.001 && timeout <= 1e6)) {
    throw failure("invalidOptions", `timeout: expected a number of seconds from 0.001 to 1000000, found ${timeout}`);
  }
  return Math.min(1000 * timeout, 2 ** 31 - 1);
}

// An option's value for JSON, which has no NaN and no infinity.
function finite(name, value) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw failure("invalidOptions", `${name}: expected a finite number, found ${value}`);
  }
  return value;
}

// The module's names of options that are other ones here.
const objectNames = {
  multiple: "limit", maxObjects: "limit", classify: 'labels: "coarse"', fineLabels: 'labels: "fine"', stream: "Tracker",
};
const faceNames = { maxFaces: "limit", stream: "Tracker" };

// The module's options, from those of a detector of objects or faces, or of a tracker.
function moduleOptions({ limit, labels, ...options }, isFaces, isStream) {
  for (const [name, own] of Object.entries(isFaces ? faceNames : objectNames)) {
    if (name in options) throw failure("invalidOptions", `unknown option ${name}; use ${own}`);
  }
  const { faces } = options;
  if ("faces" in options && !isStream) throw failure("invalidOptions", "unknown option faces; use FaceDetector");
  if (![undefined, null, true, false].includes(faces)) {
    throw failure("invalidOptions", `faces: expected true or false, found ${faces}`);
  }
  const common = { ...options, labels, stream: isStream };
  if (isFaces) return { ...common, maxFaces: limit };
  if (typeof labels !== "string") return { ...common, maxObjects: limit };
  if (labels !== "coarse" && labels !== "fine") {
    throw failure("invalidOptions", `labels: expected "coarse", "fine" or a list of names, found "${labels}"`);
  }
  const name = labels === "coarse" ? "classify" : "fineLabels";
  return { ...common, labels: undefined, [name]: true, maxObjects: limit };
}

// A message of the module about options, in the names that they have here.
function inOwnNames(message, isFaces) {
  const text = message.replace(/unknown member (\w+)$/, "unknown option $1; martlet.d.ts lists the options")
    .replace("unknown member", "unknown option")
    .replace(/\bmultiple or maxObjects\b|\bmax(Objects|Faces)\b/g, "limit");
  return isFaces ? text : text.replace(/\b(classify|fineLabels)\b/g, (name) => objectNames[name]);
}

// The first message of a detector's worker, and its time limit.
async function recipeOf({ classifier, detector, timeout, ...options }, isFaces, isStream) {
  const limit = limitOf(timeout);
  const text = JSON.stringify({ ...moduleOptions(options, isFaces, isStream), faces: isFaces }, finite);
  const models = await Promise.all([replacementOf("classifier", classifier), replacementOf("detector", detector)]);
  return { message: { options: text, classifier: models[0], detector: models[1] }, limit };
}

// MARK: Images

const isSide = (value) => Number.isInteger(value) && value > 0;

// What the worker is asked about an image: a copy, made before the call returns unless it is a Blob.
async function imageContent(source, givenName) {
  const name = String(givenName ?? source?.name ?? "");
  if (isBytes(source) || source instanceof Blob) {
    const file = await bytesOf(source);
    return { message: { name, file }, transfer: [file.buffer] };
  }
  const { data, width, height } = source ?? {};
  const isData = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (isData && isSide(width) && isSide(height)) {
    const pixels = copyOf(data);
    return { message: { name, pixels, width, height }, transfer: [pixels.buffer] };
  }
  // An image, video, canvas, bitmap or frame of a browser; other values are a TypeError there.
  const bitmap = await globalThis.createImageBitmap?.(source).catch((error) => {
    if (!(error instanceof TypeError)) throw failure("invalidImage", error.message, error);
  });
  if (bitmap) return { message: { name, bitmap }, transfer: [bitmap] };
  const found = typeof source === "string" ? `"${source}"` : source?.constructor?.name ?? source;
  throw failure("invalidArgument",
    `expected a Blob, the bytes of an image file, or RGBA pixels with width and height, found ${found}`);
}

const result = Symbol("result");

// A session whose calls are images.
class ImageSession extends Session {
  constructor(options, isFaces, isStream) {
    super(checked(() => recipeOf(options, isFaces, isStream)), (message) => inOwnNames(message, isFaces));
  }

  async [result](image, { name, signal } = {}) {
    return JSON.parse(await this[request](checked(() => imageContent(image, name)), signal));
  }
}

export class ObjectDetector extends ImageSession {
  constructor(options = {}) { super(options, false, false); }

  detect(image, options) { return this[result](image, options); }
}

export class FaceDetector extends ImageSession {
  constructor(options = {}) { super(options, true, false); }

  detect(image, options) { return this[result](image, options); }
}

export class Tracker extends ImageSession {
  constructor(options = {}) { super(options, options?.faces === true, true); }

  update(frame, options) { return this[result](frame, options); }

  async* track(frames, options) {
    for await (const frame of frames) yield await this.update(frame, options);
  }
}

// MARK: Boxes of other detectors

const numbersOfBox = 6; // left, top, width, height, score and class

// The numbers of a box, which is an array or an object of a detector, whose text `texts` gets.
function numbersOf(box, texts) {
  const { frame, score, labels: [label] = [] } = Object(box);
  if (label) texts.set(label.index, label.text);
  const numbers = Array.isArray(box) ? box : frame && [frame.x, frame.y, frame.width, frame.height, score, label?.index];
  if (!numbers || numbers.length < numbersOfBox - 1 || numbers.length > numbersOfBox) {
    throw failure("invalidArgument", "expected boxes of x, y, width, height, score and perhaps a class, or objects");
  }
  return [...numbers.slice(0, numbersOfBox - 1), numbers[numbersOfBox - 1] ?? -1];
}

// What the worker is asked about a frame: its pixels, or its size alone.
async function frameContent(frame) {
  const { data, width, height } = frame ?? {};
  if (data === undefined && isSide(width) && isSide(height) && Object.getPrototypeOf(frame) === Object.prototype) {
    return { message: { width, height }, transfer: [] };
  }
  const content = await imageContent(frame);
  if (!content.message.file) return content;
  throw failure("invalidArgument", "expected pixels or a size of the frame, found a file");
}

export class ObjectTracker extends Session {
  #texts = new Map(); // by the index of a class: labels have no text in the module

  constructor({ limit, ...options } = {}) {
    super(checked(async () => ({ message: { tracker: JSON.stringify({ ...options, maxObjects: limit }, finite) } })),
      (message) => inOwnNames(message, true));
  }

  async update(boxes, frame, { signal } = {}) {
    return this.#objects(checked(async () => {
      const numbers = Float32Array.from([...boxes].flatMap((box) => numbersOf(box, this.#texts)));
      const { message, transfer } = await frameContent(frame);
      return { message: { ...message, boxes: numbers }, transfer };
    }), signal);
  }

  async skip({ width, height }, { signal } = {}) {
    return this.#objects(Promise.resolve({ message: { isSkipped: true, width, height }, transfer: [] }), signal);
  }

  async reset({ signal } = {}) {
    await this[request](Promise.resolve({ message: { isReset: true }, transfer: [] }), signal);
  }

  async #objects(content, signal) {
    const { objects } = JSON.parse(await this[request](content, signal));
    const named = (label) => ({ ...label, text: this.#texts.get(label.index) ?? "" });
    return objects.map((object) => ({ ...object, labels: object.labels.map(named) }));
  }
}

// MARK: Models

// The typed arrays of element types; other types are bytes.
const arrayTypes = {
  float32: Float32Array, float64: Float64Array, float16: Uint16Array, bfloat16: Uint16Array,
  int8: Int8Array, int16: Int16Array, int32: Int32Array, int64: BigInt64Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, uint64: BigUint64Array,
};
const arrayType = ({ type }) => arrayTypes[type] ?? Uint8Array;

// An input, which is an array or { data, shape }, with a copy of its bytes.
function copied(input) {
  const { data, shape } = input === null || ArrayBuffer.isView(input) ? { data: input } : Object(input);
  if (!ArrayBuffer.isView(data)) return { data, shape };
  return { data, shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength).slice() };
}

// The model's input of an array, checked. Without a shape it has the model's own.
function inputOf(tensor, { data, shape = tensor.shape, bytes }) {
  const type = arrayType(tensor);
  if (!Array.isArray(shape) || !shape.every((extent) => Number.isInteger(extent) && extent >= 0 && extent < 2 ** 31)) {
    throw failure("invalidArgument", `input ${tensor.name}: expected a list of extents as shape, found ${shape}`);
  }
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (data instanceof type && (type === Uint8Array || data.length === count)) return { bytes, shape };
  const found = bytes ? `${data.constructor.name} of ${data.length}` : String(data);
  throw failure("invalidArgument", `input ${tensor.name}: expected ${type.name} of ${count} elements, found ${found}`);
}

// A model's inputs, from copied ones in its order or by name.
function inputsOf(given, tensors) {
  const names = tensors.map(({ name }) => name);
  const other = Array.isArray(given) ? undefined : Object.keys(given).find((name) => !names.includes(name));
  const inputs = Array.isArray(given) ? given : names.flatMap((name) => given[name] ?? []);
  if (inputs.length !== names.length || other !== undefined) {
    throw failure("invalidArgument",
      `expected an array for each of the inputs ${names.join(", ")}; found ${other ?? `${inputs.length} arrays`}`);
  }
  return tensors.map((tensor, index) => inputOf(tensor, inputs[index]));
}

const ownTensor = ({ bytes, ...tensor }) => tensor;

export class Model extends Session {
  constructor(file, { timeout, ...options } = {}) {
    super(checked(async () => {
      const limit = limitOf(timeout);
      const text = JSON.stringify(options, finite);
      return { limit, message: { options: text, model: await modelOf("model", file) } };
    }), (message) => inOwnNames(message, true));
  }

  async describe({ signal } = {}) {
    const { inputs, outputs } = await this[request](undefined, signal);
    return { inputs: inputs.map(ownTensor), outputs: outputs.map(ownTensor) };
  }

  async run(inputs, { signal } = {}) {
    const content = checked(async () => {
      const given = Array.isArray(inputs)
        ? inputs.map(copied) : Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, copied(input)]));
      const ready = inputsOf(given, (await this[request](undefined, signal)).inputs);
      return { message: { inputs: ready }, transfer: ready.map(({ bytes }) => bytes.buffer) };
    });
    const outputs = await this[request](content, signal);
    return outputs.map((tensor) => ({ ...ownTensor(tensor), data: new (arrayType(tensor))(tensor.bytes.buffer) }));
  }
}
