// Prints the line of each picture: node lines.mjs MARTLET.wasm OPTIONS PICTURES...
// A module with imports is refused.
import { readFileSync } from "node:fs";

const [path, options, ...pictures] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(path));
const imports = WebAssembly.Module.imports(module);
if (imports.length > 0) throw new Error(`imports: ${JSON.stringify(imports)}`);
const { exports: martlet } = new WebAssembly.Instance(module);

// The arguments that stand for bytes, and the memory to give back.
function lend(bytes) {
  const place = martlet.takeMemory(bytes.length);
  new Uint8Array(martlet.memory.buffer).set(bytes, place);
  return [place, bytes.length];
}

function reply() {
  const bytes = new Uint8Array(martlet.memory.buffer, martlet.replyAddress(), martlet.replyCount());
  return new TextDecoder().decode(bytes);
}

const request = lend(new TextEncoder().encode(options));
const detector = martlet.makeDetector(...request, 0, 0, 0, 0);
if (detector === 0) throw new Error(reply());
martlet.releaseMemory(request[0]);
const lines = [];
for (const picture of pictures) {
  const name = lend(new TextEncoder().encode(picture));
  const file = lend(readFileSync(picture));
  martlet.detectFile(detector, ...name, ...file);
  lines.push(reply());
  martlet.releaseMemory(name[0]);
  martlet.releaseMemory(file[0]);
}
process.stdout.write(lines.join("\n") + "\n");
