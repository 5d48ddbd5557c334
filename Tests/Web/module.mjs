// A module of WebAssembly, in node and in a browser. One with imports is refused.

// What makes an instance of the module's bytes, with all that it exports and two functions to speak with it:
// `lend` gives the arguments that stand for bytes, `reply` the bytes of the last call's reply.
export function load(content) {
  const module = new WebAssembly.Module(content);
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

// What an instance of martlet.wasm says of images: a function of a name and a file's bytes to the line of results.
export function detector(martlet, options) {
  const text = () => new TextDecoder().decode(martlet.reply());
  const bytes = (words) => new TextEncoder().encode(words);
  const request = martlet.lend(bytes(options));
  const number = martlet.makeDetector(...request, 0, 0, 0, 0);
  if (number === 0) throw new Error(text());
  martlet.releaseMemory(request[0]);
  return (name, content) => {
    const lent = [martlet.lend(bytes(name)), martlet.lend(content)];
    martlet.detectFile(number, ...lent.flat());
    const line = text();
    for (const [place] of lent) martlet.releaseMemory(place);
    return line;
  };
}
