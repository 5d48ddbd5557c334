// The client of Sources/API/MartletC/JavaScript in node with the built module, and a look into its workers.
import { readFileSync } from "node:fs";
import threads from "node:worker_threads";

const source = new URL("../../Sources/API/MartletC/JavaScript/", import.meta.url);
const worker = readFileSync(new URL("worker.js", source), "utf8");

// Runs worker.js, and evaluates text among its variables.
const script = `
  const { parentPort } = require("node:worker_threads");
  const vm = require("node:vm");
  const post = parentPort.postMessage.bind(parentPort);
  vm.runInThisContext(${JSON.stringify(worker)});
  const receive = parentPort.onmessage;
  parentPort.onmessage = (event) => {
    if (event.data.evaluate) post({ evaluated: vm.runInThisContext(event.data.evaluate) });
    else receive(event);
  };`;

let last = null;
let count = 0;
// The thread that was started last, and the number of those that run.
export const lastThread = () => last;
export const threadCount = () => count;

const { getBuiltinModule } = process;
process.getBuiltinModule = (name) => (name !== "node:worker_threads" ? getBuiltinModule(name) : {
  ...threads,
  Worker: class extends threads.Worker {
    constructor() {
      super(script, { eval: true });
      last = this;
      count += 1;
      this.on("exit", () => { count -= 1; });
    }
  },
});

export const client = await import(new URL("martlet.js", source));
client.configure({ wasm: new URL("../../.build/wasm/martlet.wasm", import.meta.url) });

// What `text` is in the worker that started last, or in `thread`.
export function evaluate(text, thread = last) {
  return new Promise((resolve) => {
    const receive = (data) => {
      if (!("evaluated" in data)) return;
      thread.off("message", receive);
      thread.unref();
      resolve(data.evaluated);
    };
    thread.on("message", receive);
    thread.ref();
    thread.postMessage({ evaluate: text });
  });
}
