// Martlet in a page: objects and faces in pictures and films, in a worker of its own, without any request but for
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
}

export class Martlet {
  #worker;
  #waiting = new Map();
  #count = 0;
  #detectors = new Map();
  #isDisposed = false;

  static async load({ wasm, worker } = {}) {
    const base = typeof document === "undefined" ? undefined : document.baseURI;
    const martlet = new Martlet();
    martlet.#start(worker ?? new URL("worker.js", base));
    let bytes = wasm ?? new URL("martlet.wasm", base);
    if (!(bytes instanceof ArrayBuffer)) {
      const response = await fetch(bytes);
      if (!response.ok) throw new MartletError(`${bytes}: status ${response.status}`);
      bytes = await response.arrayBuffer();
    }
    await martlet.#ask({ load: bytes });
    return martlet;
  }

  #start(url) {
    this.#worker = new Worker(url);
    this.#worker.onmessage = ({ data: { id, value, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(value);
      else reject(new MartletError(error));
    };
    this.#worker.onerror = (event) => {
      this.#rejectAll(event.message || "the worker could not start");
    };
  }

  #rejectAll(reason) {
    for (const { reject } of this.#waiting.values()) reject(new MartletError(reason));
    this.#waiting.clear();
  }

  #ask(message, transfer = []) {
    if (this.#isDisposed) return Promise.reject(new MartletError("Martlet was disposed of"));
    this.#count += 1;
    const id = this.#count;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...message }, transfer);
    });
  }

  async #make({ classifier, detector, ...options }) {
    const bytes = async (model) => {
      if (model === undefined || model === null) return undefined;
      return new Uint8Array(model instanceof Blob ? await model.arrayBuffer() : model);
    };
    const make = {
      options, classifier: await bytes(classifier), detector: await bytes(detector),
    };
    return this.#ask({ make });
  }

  async #run(detector, source, name) {
    const detect = { detector, name: name ?? source.name ?? "" };
    const transfer = [];
    if (source instanceof Blob) {
      detect.file = new Uint8Array(await source.arrayBuffer());
      transfer.push(detect.file.buffer);
    } else if (source instanceof Uint8Array) {
      detect.file = source;
    } else if (typeof ImageBitmap !== "undefined" && source instanceof ImageBitmap) {
      detect.bitmap = source;
      transfer.push(source);
    } else if (source?.data && source.width && source.height) {
      detect.pixels = { data: source.data, width: source.width, height: source.height };
    } else {
      throw new MartletError("a File, Blob, Uint8Array, ImageBitmap or pixels with width and height expected");
    }
    const line = await this.#ask({ detect }, transfer);
    if (line.error !== undefined) throw new MartletError(line.error);
    return line;
  }

  async detect(source, options = {}) {
    const { name, classifier, detector, ...rest } = options;
    // Detectors of equal options are made once; those with models of one's own for each model.
    const key = JSON.stringify(Object.entries(rest).sort());
    const known = this.#detectors.get(key) ?? [];
    let entry = known.find((e) => e.classifier === classifier && e.detector === detector);
    if (!entry) {
      entry = { classifier, detector, made: this.#make({ classifier, detector, ...rest }) };
      this.#detectors.set(key, [...known, entry]);
    }
    try {
      return await this.#run(await entry.made, source, name);
    } catch (error) {
      await entry.made.catch(() => {
        this.#detectors.set(key, this.#detectors.get(key).filter((e) => e !== entry));
      });
      throw error;
    }
  }

  async stream(options = {}) {
    const detector = await this.#make({ ...options, stream: true });
    return {
      detect: (source, name) => this.#run(detector, source, name),
      dispose: () => this.#ask({ release: detector }),
    };
  }

  dispose() {
    this.#rejectAll("Martlet was disposed of");
    this.#isDisposed = true;
    this.#worker.terminate();
  }
}
