// Answers the request on standard input: node answer.mjs MODULE.wasm. The module exports `answerCase`.
import { readFileSync } from "node:fs";
import { load } from "./module.mjs";

const module = await (await load(readFileSync(process.argv[2])))();
module.answerCase(...module.lend(readFileSync(0)));
process.stdout.write(module.reply());
