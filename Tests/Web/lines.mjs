// Prints the line of each image: node lines.mjs MARTLET.wasm OPTIONS IMAGES...
import { readFileSync } from "node:fs";
import { detector, load } from "./module.mjs";

const [path, options, ...images] = process.argv.slice(2);
const make = await load(readFileSync(path));
const line = detector(await make(), options);
for (const image of images) console.log(line(image, readFileSync(image)));
