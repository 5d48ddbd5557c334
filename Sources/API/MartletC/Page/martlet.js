// Martlet in a page: objects and faces in images and videos, in a worker of its own, without any request but for
// its own two files.
//
//     import { Martlet } from "./martlet.js";
//     const martlet = await Martlet.load();
//     const { objects } = await martlet.detect(file, { multiple: true, classify: true });
//     const { faces } = await martlet.detect(file, { faces: true, landmarks: true });
//     const stream = await martlet.stream({ classify: true });   // for a camera's frames
//     const { objects: tracked } = await stream.detect(await createImageBitmap(video));
//     martlet.dispose();
//
// Types and documentation: martlet.d.ts.

export class MartletError extends Error {
  name = "MartletError";

  constructor(message, { code, ...options } = {}) {
    super(message, options);
    if (code) this.code = code;
  }
}

// What `work` returns; whatever it throws becomes a MartletError.
async function rejecting(work) {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MartletError) throw error;
    throw new MartletError(error?.message || String(error), { cause: error });
  }
}

// A copy of a model's bytes, in a buffer of its own; none for the shipped model.
async function bytesOf(model, name) {
  if (model === undefined || model === null) return new Uint8Array(0);
  const isBytes = model instanceof Uint8Array || model instanceof ArrayBuffer;
  if (!isBytes && !(model instanceof Blob)) throw new MartletError(`${name}: expected a Blob, ArrayBuffer or Uint8Array`);
  const bytes = isBytes ? new Uint8Array(model).slice() : new Uint8Array(await model.arrayBuffer());
  if (bytes.length === 0) throw new MartletError(`${name}: expected a .tflite file, found an empty file`);
  return bytes;
}

// An option's value for JSON, which has no NaN and no infinity.
function finite(name, value) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new MartletError(`${name}: expected a finite number, found ${value}`);
  }
  return value;
}

// What a detector is made of: equal options give equal text, in whatever order they are.
async function recipeOf({ classifier, detector, ...options }) {
  const sorted = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    options: JSON.stringify(Object.fromEntries(sorted), finite),
    classifier: await bytesOf(classifier, "classifier"),
    detector: await bytesOf(detector, "detector"),
  };
}

const buffersOf = ({ classifier, detector }) => [classifier.buffer, detector.buffer];

// The milliseconds of the option `timeout`, which is in seconds; undefined without it.
function limitOf(timeout) {
  if (timeout === undefined || timeout === null) return undefined;
  if (typeof timeout !== "number" || !(timeout >= 0.001 && timeout <= 1e6)) {
    throw new MartletError(`timeout: expected a number of seconds from 0.001 to 1000000, found ${timeout}`);
  }
  return Math.min(1000 * timeout, 2 ** 31 - 1);
}

const isSide = (value) => Number.isInteger(value) && value > 0;

// The members of a message that hold an image, and what of it is transferred.
async function imageOf(source) {
  if (source instanceof Blob) {
    const file = new Uint8Array(await source.arrayBuffer());
    return [{ file }, file.buffer];
  }
  if (source instanceof Uint8Array) return [{ file: source }];
  if (typeof ImageBitmap !== "undefined" && source instanceof ImageBitmap) return [{ bitmap: source }, source];
  const { data, width, height } = source ?? {};
  const isData = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  if (isData && isSide(width) && isSide(height)) return [{ pixels: { data, width, height } }];
  throw new MartletError("expected a File, Blob, Uint8Array, ImageBitmap or RGBA pixels with width and height");
}

export class Martlet {
  #worker;
  #url;
  #wasm;
  // How many workers were ended because a call exceeded its time limit.
  #ended = 0;
  #waiting = new Map();
  #count = 0;
  #isDisposed = false;

  static async load({ wasm, worker } = {}) {
    const base = typeof document === "undefined" ? undefined : document.baseURI;
    const martlet = new Martlet();
    return rejecting(async () => {
      try {
        martlet.#start(worker ?? new URL("worker.js", base));
        let bytes = wasm ?? new URL("martlet.wasm", base);
        if (!(bytes instanceof ArrayBuffer)) {
          const response = await fetch(bytes);
          if (!response.ok) throw new MartletError(`${bytes}: status ${response.status}`);
          bytes = await response.arrayBuffer();
        }
        martlet.#wasm = bytes;
        await martlet.#ask({ load: bytes });
        return martlet;
      } catch (error) {
        martlet.dispose();
        throw error;
      }
    });
  }

  #start(url) {
    this.#url = url;
    this.#worker = new Worker(url);
    this.#worker.onmessage = ({ data: { id, begins, value, error } }) => {
      const call = this.#waiting.get(id);
      if (begins) {
        if (call) call.timer = setTimeout(() => this.#end(id), call.limit);
        return;
      }
      clearTimeout(call?.timer);
      this.#waiting.delete(id);
      if (error === undefined) call?.resolve(value);
      else call?.reject(new MartletError(error));
    };
    this.#worker.onerror = (event) => {
      this.#rejectAll(event.message || "the worker could not start");
    };
  }

  // Ends the worker, which works on a call that exceeds its time limit, and starts another one.
  #end(id) {
    const call = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#worker.terminate();
    this.#ended += 1;
    call.reject(new MartletError(`the image took longer than ${call.limit / 1000} s`, { code: "deadlineExceeded" }));
    this.#rejectAll("an earlier call exceeded its time limit and ended the worker: call again");
    this.#start(this.#url);
    this.#ask({ load: this.#wasm }).catch(() => {});
  }

  #rejectAll(reason) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new MartletError(reason));
    }
    this.#waiting.clear();
  }

  #ask(message, transfer = [], limit = undefined) {
    if (this.#isDisposed) return Promise.reject(new MartletError("Martlet was disposed of"));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ id, isLimited: limit !== undefined, ...message }, transfer);
      this.#waiting.set(id, { resolve, reject, limit });
    });
  }

  // `by` is a recipe or a stream's number.
  async #run(by, source, name, limit, transfer = []) {
    const [image, buffer] = await imageOf(source);
    const detect = { ...by, ...image, name: String(name ?? source.name ?? "") };
    const line = await this.#ask({ detect }, buffer ? [...transfer, buffer] : transfer, limit);
    if (line.error !== undefined) throw new MartletError(line.error);
    return line;
  }

  detect(source, options) {
    return rejecting(async () => {
      const { name, timeout, ...rest } = options ?? {};
      const limit = limitOf(timeout);
      const recipe = await recipeOf(rest);
      return this.#run({ recipe }, source, name, limit, buffersOf(recipe));
    });
  }

  stream(options) {
    return rejecting(async () => {
      const { timeout, ...rest } = options ?? {};
      const limit = limitOf(timeout);
      const recipe = await recipeOf({ ...rest, stream: true });
      // The stream's number in the worker; it is made again in another worker.
      const make = () => ({ worker: this.#ended, number: this.#ask({ make: recipe }, [], limit) });
      let made = make();
      const number = () => {
        if (made.worker !== this.#ended) made = make();
        return made.number;
      };
      await number();
      return {
        detect: (source, name) => rejecting(async () => this.#run({ stream: await number() }, source, name, limit)),
        dispose: () => rejecting(async () =>
          made.worker === this.#ended ? this.#ask({ release: await made.number }) : true),
      };
    });
  }

  dispose() {
    this.#rejectAll("Martlet was disposed of");
    this.#isDisposed = true;
    this.#worker?.terminate();
  }
}
