// martlet.js and worker.js in node: Martlet on a thread of node, with a look into the worker.
import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";

const page = new URL("../../Sources/API/MartletC/Page/", import.meta.url);
const source = (name) => readFileSync(new URL(name, page), "utf8");

// Runs worker.js as a browser does, and evaluates text among its variables.
const script = `
  const { parentPort, workerData } = require("node:worker_threads");
  const vm = require("node:vm");
  globalThis.self = globalThis;
  self.postMessage = (message) => parentPort.postMessage(message);
  vm.runInThisContext(workerData);
  parentPort.on("message", (data) => {
    if (data.evaluate) parentPort.postMessage({ evaluated: vm.runInThisContext(data.evaluate) });
    else self.onmessage({ data });
  });`;

// A browser's Worker, as far as martlet.js uses it. `evaluate` is for tests.
class NodeWorker {
  static last = null;
  #thread = new Thread(script, { eval: true, workerData: source("worker.js") });
  #evaluated = null;

  constructor() {
    NodeWorker.last = this;
    this.#thread.on("message", (data) => {
      if ("evaluated" in data) this.#evaluated(data.evaluated);
      else this.onmessage({ data });
    });
    this.#thread.on("error", (error) => this.onerror({ message: error.message }));
  }

  postMessage(message, transfer) { this.#thread.postMessage(message, transfer); }

  terminate() { this.#thread.terminate(); }

  evaluate(text) {
    return new Promise((resolve) => {
      this.#evaluated = resolve;
      this.#thread.postMessage({ evaluate: text });
    });
  }
}
globalThis.Worker = NodeWorker;

export const { Martlet, MartletError } =
  await import(`data:text/javascript,${encodeURIComponent(source("martlet.js"))}`);

// A Martlet of the built module, and `evaluate` in its worker.
export async function client() {
  const { buffer, byteOffset, length } = readFileSync(new URL("../../.build/wasm/martlet.wasm", import.meta.url));
  const martlet = await Martlet.load({ wasm: buffer.slice(byteOffset, byteOffset + length), worker: "worker.js" });
  const worker = NodeWorker.last;
  return { martlet, evaluate: (text) => worker.evaluate(text) };
}
