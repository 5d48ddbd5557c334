// Prints the line of each picture: node lines.mjs MARTLET.wasm OPTIONS PICTURES...
import { readFileSync } from "node:fs";
import { load } from "./module.mjs";

const [path, options, ...pictures] = process.argv.slice(2);
const martlet = load(path)();
const text = () => new TextDecoder().decode(martlet.reply());

const request = martlet.lend(new TextEncoder().encode(options));
const detector = martlet.makeDetector(...request, 0, 0, 0, 0);
if (detector === 0) throw new Error(text());
martlet.releaseMemory(request[0]);
const lines = [];
for (const picture of pictures) {
  const name = martlet.lend(new TextEncoder().encode(picture));
  const file = martlet.lend(readFileSync(picture));
  martlet.detectFile(detector, ...name, ...file);
  lines.push(text());
  martlet.releaseMemory(name[0]);
  martlet.releaseMemory(file[0]);
}
process.stdout.write(lines.join("\n") + "\n");
