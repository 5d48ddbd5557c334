// Prints the line of each picture: node lines.mjs MARTLET.wasm OPTIONS PICTURES...
import { readFileSync } from "node:fs";
import { detector, load } from "./module.mjs";

const [path, options, ...pictures] = process.argv.slice(2);
const line = detector(load(readFileSync(path))(), options);
for (const picture of pictures) console.log(line(picture, readFileSync(picture)));
