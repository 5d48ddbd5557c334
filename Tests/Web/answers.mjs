// Answers the cases of a file: node answers.mjs CASES.wasm REQUESTS ANSWERS. The format of both files is in
// Tests/Freestanding/CaseStream.swift.
import { readFileSync, writeFileSync } from "node:fs";
import { load } from "./module.mjs";

const [path, from, to] = process.argv.slice(2);
const make = await load(readFileSync(path));
const requests = readFileSync(from);
const answers = [];
const add = (bytes) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  answers.push(size, bytes);
};

let cases = await make();
for (let place = 0; place < requests.length; ) {
  const end = place + 4 + requests.readUInt32LE(place);
  const request = cases.lend(requests.subarray(place + 4, end));
  place = end;
  try {
    cases.answerCase(...request);
    cases.releaseMemory(request[0]);
    add(cases.reply());
  } catch (trap) {
    // An answer that is none; a trapped instance is of no use any more.
    add(Buffer.from([1, 0, 0, 0, 4, 0, 0, 0, ...Buffer.from("trap")]));
    cases = await make();
  }
}
writeFileSync(to, Buffer.concat(answers));
