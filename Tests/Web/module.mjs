// A module of WebAssembly as node sees it. One with imports is refused.
import { readFileSync } from "node:fs";

// What makes an instance of the file at `path`, with all that it exports and two functions to speak with it:
// `lend` gives the arguments that stand for bytes, `reply` the bytes of the last call's reply.
export function load(path) {
  const module = new WebAssembly.Module(readFileSync(path));
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) throw new Error(`imports: ${JSON.stringify(imports)}`);
  return () => {
    const { exports } = new WebAssembly.Instance(module);
    const lend = (bytes) => {
      const place = exports.takeMemory(bytes.length);
      new Uint8Array(exports.memory.buffer).set(bytes, place);
      return [place, bytes.length];
    };
    const reply = () =>
      new Uint8Array(exports.memory.buffer, exports.replyAddress(), exports.replyCount()).slice();
    return { ...exports, lend, reply };
  };
}
