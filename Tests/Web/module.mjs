// A module of WebAssembly, in node and in a browser. One with imports is refused.

// Returns what makes an instance of the module's bytes, with all that it exports and two functions to speak with it:
// `lend` gives the arguments that stand for bytes, `reply` the bytes of the last call's reply. Both are asynchronous,
// because browsers compile no large module on the main thread.
export async function load(content) {
  const module = await WebAssembly.compile(content);
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) throw new Error(`imports: ${JSON.stringify(imports)}`);
  return async () => {
    const { exports } = await WebAssembly.instantiate(module);
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

// What an instance of martlet.wasm says of images: a function of a name and a file's bytes to the line of results.
export function detector(martlet, options) {
  const text = (value) => martlet.lend(new TextEncoder().encode(`${value}\0`))[0];
  const [results] = martlet.lend(new Uint8Array(8));
  const at = (place) => new DataView(martlet.memory.buffer).getUint32(place, true);
  const taken = () => {
    const bytes = new Uint8Array(martlet.memory.buffer, at(results + 4));
    const line = new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
    martlet.martlet_text_release(at(results + 4));
    return line;
  };
  const request = text(options);
  if (martlet.martlet_detector_make(request, 0, 0, 0, 0, results, results + 4) !== 0) throw new Error(taken());
  martlet.releaseMemory(request);
  const number = at(results);
  return (name, content) => {
    const [place, file] = [text(name), martlet.lend(content)];
    martlet.martlet_detector_detect_file(number, place, ...file, results + 4);
    for (const lent of [place, file[0]]) martlet.releaseMemory(lent);
    return taken();
  };
}
