// The worker in which martlet.wasm runs, so that a page stays responsive. It is sent
//
//     { id, load: bytes of martlet.wasm }
//     { id, make: { options, classifier, detector } }           -> a detector's number
//     { id, detect: { detector, name, file | pixels | bitmap } } -> a line of results
//     { id, release: detector }
//
// and answers { id, value } or { id, error }. After a trap (memory that ran out, say) the next call works on
// a new instance, on which the detectors are made again; streams begin anew.

let module = null;
let instance = null;
let count = 0;
const recipes = new Map(); // a detector's number -> what it was made of
const made = new Map(); // a detector's number -> its number in the instance

const exportsOf = () => {
  if (!instance) {
    if (!module) throw new Error("martlet.wasm is not loaded");
    instance = new WebAssembly.Instance(module);
    made.clear();
  }
  return instance.exports;
};

// Calls with bytes in the instance's memory: each array becomes an address and a number of bytes.
function call(name, ...values) {
  const martlet = exportsOf();
  const lent = [];
  const parameters = values.flatMap((value) => {
    if (!ArrayBuffer.isView(value)) return [value];
    if (value.length === 0) return [0, 0];
    const place = martlet.takeMemory(value.length);
    if (place === 0) throw new Error(`no memory for ${value.length} bytes`);
    lent.push(place);
    new Uint8Array(martlet.memory.buffer).set(value, place);
    return [place, value.length];
  });
  const result = martlet[name](...parameters);
  for (const place of lent) martlet.releaseMemory(place);
  return result;
}

function reply() {
  const { memory, replyAddress, replyCount } = exportsOf();
  const bytes = new Uint8Array(memory.buffer, replyAddress(), replyCount());
  return JSON.parse(new TextDecoder().decode(bytes));
}

const text = (value) => new TextEncoder().encode(value);

function detectorIn(number) {
  const recipe = recipes.get(number);
  if (!recipe) throw new Error("the detector was released");
  exportsOf();
  if (!made.has(number)) {
    const none = new Uint8Array(0);
    const own = call(
      "makeDetector", text(JSON.stringify(recipe.options)), recipe.classifier ?? none,
      recipe.detector ?? none);
    if (own === 0) {
      recipes.delete(number);
      throw new Error(reply().error);
    }
    made.set(number, own);
  }
  return made.get(number);
}

function pixelsOf(bitmap) {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

async function detect({ detector, name, file, pixels, bitmap }) {
  const own = detectorIn(detector);
  if (file) {
    call("detectFile", own, text(name), file);
    const line = reply();
    const isForeign = line.error?.includes("PNM picture expected") || line.error?.includes("PNM: ");
    if (!isForeign) return line;
    // What the browser can read and Martlet can't (WebP, HEIC and so on) comes in as pixels.
    try {
      bitmap = await createImageBitmap(new Blob([file]));
    } catch {
      return line;
    }
  }
  const { data, width, height } = bitmap ? pixelsOf(bitmap) : pixels;
  const martlet = exportsOf();
  const rgba = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (rgba.length !== 4 * width * height) {
    throw new Error(`${rgba.length} bytes for ${width} x ${height} pixels of four`);
  }
  const place = martlet.takeMemory(rgba.length);
  if (place === 0) throw new Error(`no memory for ${rgba.length} bytes`);
  new Uint8Array(martlet.memory.buffer).set(rgba, place);
  const named = text(name);
  const nameAt = martlet.takeMemory(named.length);
  new Uint8Array(martlet.memory.buffer).set(named, nameAt);
  martlet.detectPixels(own, nameAt, named.length, place, width, height);
  martlet.releaseMemory(place);
  martlet.releaseMemory(nameAt);
  return reply();
}

async function answer(message) {
  if (message.load) {
    module = await WebAssembly.compile(message.load);
    exportsOf();
    return true;
  }
  if (message.make) {
    count += 1;
    recipes.set(count, message.make);
    detectorIn(count);
    return count;
  }
  if (message.detect) return detect(message.detect);
  if (message.release) {
    if (made.has(message.release)) exportsOf().releaseDetector(made.get(message.release));
    recipes.delete(message.release);
    made.delete(message.release);
    return true;
  }
  throw new Error("no such call");
}

// One message after another, however long each takes.
let queue = Promise.resolve();
self.onmessage = ({ data }) => {
  queue = queue.then(async () => {
    try {
      self.postMessage({ id: data.id, value: await answer(data) });
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) instance = null;
      const trap = error instanceof WebAssembly.RuntimeError;
      self.postMessage({
        id: data.id,
        error: trap ? `martlet.wasm stopped: ${error.message}` : error.message,
      });
    }
  });
};
