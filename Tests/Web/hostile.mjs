// Gives files to a fuzzer's module: node hostile.mjs FUZZER.wasm FOLDERS... Fails where one traps.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { load } from "./module.mjs";

const [path, ...folders] = process.argv.slice(2);
const make = await load(readFileSync(path));
let fuzzer = await make();
let count = 0;
for (const folder of folders) {
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    count += 1;
    try {
      const bytes = fuzzer.lend(readFileSync(file));
      fuzzer.LLVMFuzzerTestOneInput(...bytes);
      fuzzer.releaseMemory(bytes[0]);
    } catch (trap) {
      console.error(`${file}: ${trap.message}`);
      process.exitCode = 1;
      fuzzer = await make();
    }
  }
}
console.log(`${path}: ${count} files`);
