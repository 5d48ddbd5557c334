// Compares the time of a detection in martlet.wasm with the tool's, alternately, on one thread:
//
//     node Benchmarks/compare_web.mjs .build/wasm/martlet.wasm .build/release/martlet IMAGE [ROUNDS]
//
// Decodes the image, detects five objects and classifies them, 30 times a round. Prints the fastest and the median
// time of each over all rounds (default 3), and their ratio. Both are warm; the module's first call is listed
// separately. On a machine under load the fastest times are more reliable.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { detector, load } from "../Tests/Web/module.mjs";

const [wasm, tool, image, rounds = "3"] = process.argv.slice(2);
const count = 30;
const summary = (times) => {
  const sorted = [...times].sort((a, b) => a - b);
  return [sorted[0], sorted[sorted.length >> 1]];
};

const started = performance.now();
const line = detector(await (await load(readFileSync(wasm)))(), JSON.stringify({ multiple: true, classify: true, minScore: 0.03 }));
const file = readFileSync(image);
line(image, file);
const first = performance.now() - started;
const inModule = [];
const inTool = [];
for (let round = 0; round < Number(rounds); round += 1) {
  for (let i = 0; i < count; i += 1) {
    const start = performance.now();
    line(image, file);
    inModule.push(performance.now() - start);
  }
  const words = ["detect", "--multiple", "--classify", "--min-score", "0.03", "--threads", "1", "--timings", "--json"];
  const lines = execFileSync(tool, [...words, ...Array(count + 5).fill(image)], { encoding: "utf8" });
  inTool.push(...lines.trim().split("\n").slice(5).map((text) => JSON.parse(text).milliseconds));
}
const [web, native] = [summary(inModule), summary(inTool)];
const row = (name, values, digits = 2) => `| ${name} | ${values.map((value) => value.toFixed(digits)).join(" | ")} |`;
console.log("| | fastest, ms | median, ms |\n|---|--:|--:|");
console.log(row("martlet", native));
console.log(row("martlet.wasm", web));
console.log(row("ratio", web.map((time, index) => time / native[index])));
console.log(row("martlet.wasm, from loading to the first result", [first], 0));
