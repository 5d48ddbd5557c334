// Time of one detection in martlet.wasm beside the tool, on one thread, by turns:
//
//     node Benchmarks/compare_web.mjs .build/wasm/martlet.wasm .build/release/martlet PICTURE [ROUNDS]
//
// Decodes the picture, finds five objects and classifies them, 30 times a round. Prints the median of each, over all
// rounds (three unless given), and what one is of the other. Networks are warm; the module's first call is told apart.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { detector, load } from "../Tests/Web/module.mjs";

const [wasm, tool, picture, rounds = "3"] = process.argv.slice(2);
const count = 30;
const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

const started = performance.now();
const line = detector(load(readFileSync(wasm))(), JSON.stringify({ multiple: true, classify: true }));
const file = readFileSync(picture);
line(picture, file);
const first = performance.now() - started;
const inModule = [];
const inTool = [];
for (let round = 0; round < Number(rounds); round += 1) {
  for (let i = 0; i < count; i += 1) {
    const start = performance.now();
    line(picture, file);
    inModule.push(performance.now() - start);
  }
  const words = ["detect", "--multiple", "--classify", "--threads", "1", "--timings", "--json"];
  const lines = execFileSync(tool, [...words, ...Array(count + 5).fill(picture)], { encoding: "utf8" });
  inTool.push(...lines.trim().split("\n").slice(5).map((text) => JSON.parse(text).milliseconds));
}
const [web, native] = [median(inModule), median(inTool)];
console.log(`| | milliseconds |\n|---|--:|\n| martlet | ${native.toFixed(2)} |\n| martlet.wasm | ${web.toFixed(2)} |`);
console.log(`| of the tool's | ${(web / native).toFixed(2)} |\n| martlet.wasm from load to the first answer | ${first.toFixed(0)} |`);
