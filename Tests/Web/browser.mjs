// Drives the page in headless Chromium, over a pipe, and compares with the tool:
//
//     node Tests/Web/browser.mjs PAGE-FOLDER TOOL CHROMIUM SCREENSHOT-FOLDER [IMAGES...]
//
// The page from a server and from a folder; an image chosen and one dropped; a classifier of one's own; faces; thirty
// frames of a camera whose objects keep their numbers; what can't be read. No request but the page's own. Then the
// module itself: of each image (the scenes, where none is given) the tool's bytes, for objects and for faces.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [pageFolder, tool, chromium, shots, ...given] = process.argv.slice(2).map((path) => resolve(path));
const scenes = resolve("Tests/Fixtures/Scenes");
const within = (folder) => readdirSync(folder).filter((name) => name.endsWith(".jpg")).map((name) => join(folder, name));
const images = given.length > 0 ? given : [...within(scenes), ...within(resolve("Tests/Fixtures/Faces"))];
mkdirSync(shots, { recursive: true });
let failures = 0;
const check = (what, holds, more = "") => {
  console.log(`${holds ? "holds" : "NOT SO"}: ${what}${holds ? "" : ` ${more}`}`);
  if (!holds) failures += 1;
};

// MARK: The tool's answers, and a video

const run = (...words) => spawnSync(tool, words, { encoding: "utf8", maxBuffer: 1 << 28 }).stdout.trim();
// As the page asks: ten objects at most.
const pageOptions = ["--max-objects", "10"];
const told = (image, ...more) => {
  const line = JSON.parse(run("detect", ...pageOptions, "--json", ...more, join(scenes, image)));
  return JSON.stringify({ ...line, image: image });
};

// A camera that moves over an image: thirty frames as YUV4MPEG2, gray chroma left out.
function video(path) {
  const folder = join(tmpdir(), `martlet-web-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  spawnSync(tool, ["decode", "fruit.jpg", "--output", folder], { cwd: scenes });
  const bytes = readFileSync(join(folder, "fruit.jpg.ppm"));
  const [, wide, high] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 40).toString("latin1")).map(Number);
  const pixels = bytes.subarray(bytes.length - 3 * wide * high);
  const [width, height] = [(wide - 64) & ~1, (high - 32) & ~1];
  const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`)];
  for (let frame = 0; frame < 30; frame += 1) {
    const planes = [Buffer.alloc(width * height), Buffer.alloc((width * height) / 4), Buffer.alloc((width * height) / 4)];
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const at = 3 * ((y + frame / 2 | 0) * wide + x + frame);
        const [r, g, b] = [pixels[at], pixels[at + 1], pixels[at + 2]];
        planes[0][y * width + x] = 0.299 * r + 0.587 * g + 0.114 * b;
        if (y % 2 === 0 && x % 2 === 0) {
          const c = (y / 2) * (width / 2) + x / 2;
          planes[1][c] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
          planes[2][c] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
        }
      }
    }
    parts.push(Buffer.from("FRAME\n"), ...planes);
  }
  writeFileSync(path, Buffer.concat(parts));
}

// MARK: Chromium

const camera = join(tmpdir(), `martlet-web-${process.pid}.y4m`);
video(camera);
const browser = spawn(chromium, [
  "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
  "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream",
  `--use-file-for-fake-video-capture=${camera}`, "--window-size=900,1000",
  `--user-data-dir=${join(tmpdir(), `martlet-web-profile-${process.pid}`)}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
const listeners = [];
let calls = 0;
let rest = "";
browser.stdio[4].on("data", (data) => {
  const texts = (rest + data).split("\0");
  rest = texts.pop();
  for (const text of texts) {
    const message = JSON.parse(text);
    if (message.id) {
      const { fulfil, refuse } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) refuse(new Error(message.error.message));
      else fulfil(message.result);
    } else {
      for (const listener of listeners) listener(message);
    }
  }
});
const ask = (method, params = {}, sessionId) => new Promise((fulfil, refuse) => {
  calls += 1;
  waiting.set(calls, { fulfil, refuse });
  browser.stdio[3].write(`${JSON.stringify({ id: calls, method, params, sessionId })}\0`);
});
const pause = (time) => new Promise((done) => setTimeout(done, time));

async function open(url) {
  const requests = [];
  const { targetId } = await ask("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await ask("Target.attachToTarget", { targetId, flatten: true });
  const send = (method, params) => ask(method, params, sessionId);
  listeners.push((message) => {
    if (message.sessionId === sessionId && message.method === "Network.requestWillBeSent") {
      requests.push(message.params.request.url);
    }
  });
  for (const domain of ["Network", "Page", "Runtime", "DOM"]) await send(`${domain}.enable`);
  await send("Page.navigate", { url });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression, awaitPromise: true, returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const until = async (expression, seconds = 60) => {
    for (let tries = 0; tries < seconds * 10; tries += 1) {
      const value = await evaluate(expression).catch(() => undefined);
      if (value) return value;
      await pause(100);
    }
    throw new Error(`waited in vain for ${expression}; status: ${await evaluate("document.getElementById('status')?.textContent")}`);
  };
  const choose = async (selector, files) => {
    await evaluate("delete document.body.dataset.result");
    const { root } = await send("DOM.getDocument");
    const { nodeId } = await send("DOM.querySelector", { nodeId: root.nodeId, selector });
    await send("DOM.setFileInputFiles", { nodeId, files });
  };
  const shot = async (name) => {
    const { data } = await send("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(shots, `${name}.png`), Buffer.from(data, "base64"));
  };
  return { requests, send, evaluate, until, choose, shot };
}

const result = "document.body.dataset.result";

// MARK: The checks

// The page, the package's files, the module as the tests speak with it, and the images by their number.
const server = createServer((request, response) => {
  const name = request.url === "/" ? "index.html" : request.url.slice(1);
  const types = { html: "text/html", js: "text/javascript", mjs: "text/javascript", wasm: "application/wasm" };
  const folders = { "index.html": pageFolder, "module.mjs": "Tests/Web", "martlet.wasm": join(pageFolder, "..") };
  try {
    const body = readFileSync(images[name] ?? join(folders[name] ?? "Sources/API/MartletC/JavaScript", name));
    response.writeHead(200, { "Content-Type": types[name.split(".").pop()] ?? "text/plain" }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");

try {
  await new Promise((done) => server.once("listening", done));
  const address = `http://127.0.0.1:${server.address().port}/`;
  const page = await open(address);
  await page.until("document.body.dataset.ready");

  await page.choose("#file", [join(scenes, "fruit.jpg")]);
  check("a chosen image's objects are the tool's", await page.until(result) === told("fruit.jpg"));
  await page.shot("fruit");

  const dropped = readFileSync(join(scenes, "room.jpg")).toString("base64");
  await page.evaluate(`{
    delete document.body.dataset.result;
    const bytes = Uint8Array.from(atob("${dropped}"), (c) => c.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "room.jpg"));
    document.getElementById("stage").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
  }`);
  check("a dropped image's objects are the tool's", await page.until(result) === told("room.jpg"));

  const classifier = resolve("Weights/classifier.tflite");
  await page.choose("#model", [classifier]);
  check(
    "a classifier of one's own names them as in the tool",
    await page.until(result) === told("room.jpg", "--model", classifier));
  await page.shot("classifier");
  const detector = resolve("Tests/Fixtures/Models/detector_of_quarters.tflite");
  await page.choose("#model", [detector]);
  const refusal = await page.until("document.getElementById('status').classList.contains('error') && document.getElementById('status').textContent");
  check("a model that cannot name objects is refused", refusal.startsWith("detector_of_quarters.tflite: "), refusal);
  await page.evaluate("document.querySelector('#images [aria-current=true]').click()");
  check("the classifier before it stays", await page.until(result) === told("room.jpg", "--model", classifier));

  await page.evaluate(`{
    const what = document.getElementById("what");
    what.value = "faces";
    what.dispatchEvent(new Event("change"));
  }`);
  const heads = resolve("Tests/Fixtures/Faces/winking.jpg");
  await page.choose("#file", [heads]);
  const seen = JSON.parse(run("faces", "--all-contours", "--classify", "--json", heads));
  check(
    "an image's faces are the tool's",
    await page.until(`${result}?.includes("winking") && ${result}`) === JSON.stringify({ ...seen, image: "winking.jpg" }));
  check("there are two of them", seen.faces.length === 2);
  await page.shot("faces");
  await page.evaluate(`{
    const what = document.getElementById("what");
    what.value = "objects";
    what.dispatchEvent(new Event("change"));
  }`);

  const label = await page.evaluate("document.getElementById('canvas').getAttribute('aria-label')");
  await page.choose("#file", [resolve("README.md")]);
  const words = await page.until("document.getElementById('status').textContent.includes('neither') && document.getElementById('status').textContent");
  check(
    "what is no image has its name and its reason",
    words === "README.md: neither Martlet nor this browser reads this format", words);
  check(
    "the image before it stays",
    await page.evaluate("document.getElementById('canvas').getAttribute('aria-label')") === label);
  await page.evaluate("document.getElementById('forget').click()");
  await page.choose("#file", [join(scenes, "fruit.jpg")]);
  check("and the next image is looked at", (await page.until(result)).includes("\"objects\":["));

  // Several files, of which one is no image; then the keyboard, and files saved.
  const before = await page.evaluate("document.querySelectorAll('#images button').length");
  await page.choose("#file", [join(scenes, "room.jpg"), resolve("README.md"), join(scenes, "plants.jpg")]);
  await page.until("document.getElementById('status').textContent.startsWith('3 images')");
  check(
    "several files are a list, of which one failed",
    await page.evaluate("document.getElementById('status').textContent") === "3 images, 1 failed. Choose one below."
      && await page.evaluate("document.querySelectorAll('#images button').length") === before + 3);
  const key = (name) => page.send("Input.dispatchKeyEvent", { type: "keyDown", key: name })
    .then(() => page.send("Input.dispatchKeyEvent", { type: "keyUp", key: name }));
  await page.evaluate("document.querySelectorAll('#images button')[1].focus()");
  await key("ArrowLeft");
  await page.until("document.querySelectorAll('#images button')[0].getAttribute('aria-current') === 'true'");
  check("arrow keys choose an image", (await page.evaluate(result)).includes("fruit.jpg"));
  const saved = join(tmpdir(), `martlet-web-saved-${process.pid}`);
  mkdirSync(saved, { recursive: true });
  await ask("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved });
  for (const id of ["save-image", "save-json"]) await page.evaluate(`document.getElementById("${id}").click()`);
  for (let tries = 0; readdirSync(saved).filter((name) => /(png|jsonl)$/.test(name)).length < 2 && tries < 100; tries += 1) {
    await pause(100);
  }
  const lines = readFileSync(join(saved, "results.jsonl"), "utf8").trim().split("\n").map(JSON.parse);
  check("all results are saved, a line each", lines.some((line) => line.image === "plants.jpg"));
  check("the annotated image is saved", readFileSync(join(saved, "fruit-annotated.png")).subarray(1, 4).toString() === "PNG");
  await page.shot("several");

  // An image that cannot be read is chosen, and removed.
  const states = () => page.evaluate("[...document.querySelectorAll('#images .state')].map((state) => state.textContent)");
  const place = (await states()).lastIndexOf("failed");
  await page.evaluate(`document.querySelectorAll("#images button")[${place}].click()`);
  await page.until("document.getElementById('status').textContent.startsWith('README.md: neither')");
  check(
    "a chosen image that cannot be read leaves no other one in its place",
    await page.evaluate(`document.getElementById("canvas").getAttribute("aria-label") === "No image"
      && document.getElementById("save-image").disabled && document.getElementById("objects").hidden
      && document.querySelectorAll("#images button")[${place}].getAttribute("aria-current") === "true"`));
  const known = (await states()).length;
  await page.evaluate("document.getElementById('remove').click()");
  check("an image can be removed, and the next one is shown", (await page.until(result)).includes("plants.jpg")
    && (await states()).length === known - 1);
  await page.evaluate(`{
    delete document.body.dataset.result;
    document.getElementById("several").click();
  }`);
  await page.until(result);
  check(
    "other options leave no numbers of the former ones",
    (await states()).every((words, index) => words === (index === place ? "1 object" : "waiting")), await states());
  await page.evaluate("document.getElementById('several').click()");
  await page.until(result);

  // A format of the browser's alone: WebP, one pixel.
  const webp = join(tmpdir(), `martlet-web-${process.pid}.webp`);
  writeFileSync(webp, Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=", "base64"));
  await page.evaluate("delete document.body.dataset.result");
  await page.choose("#file", [webp]);
  check(
    "an image that only the browser reads has its size",
    (await page.until(result)).includes("\"width\":1,\"height\":1"));

  await page.evaluate(`window.seen = []; new MutationObserver(() => seen.push(JSON.parse(${result})))
    .observe(document.body, { attributes: true, attributeFilter: ["data-result"] });
    document.getElementById("camera").click()`);
  const frames = await page.until("seen.filter((r) => r.frame >= 29).length > 0 && seen.filter((r) => r.frame !== undefined)", 120);
  const numbers = frames.map((frame) => frame.objects.map((object) => object.trackingID));
  const first = numbers[0].filter((number) => numbers.every((later) => later.includes(number)));
  check("a camera's objects keep their numbers for thirty frames", first.length >= 2, JSON.stringify(numbers));
  await page.shot("camera");
  await page.evaluate("document.getElementById('camera').click()");

  // A phone in dark mode, and the sample; then five hundred images.
  const phone = await open(`file://${join(pageFolder, "index.html")}`);
  await phone.send("Emulation.setDeviceMetricsOverride", { width: 390, height: 844, deviceScaleFactor: 2, mobile: true });
  await phone.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: "dark" }] });
  await phone.until("document.body.dataset.ready");
  await phone.evaluate("document.getElementById('sample').click()");
  await phone.until(result);
  await phone.shot("phone");
  const targets = await phone.evaluate(`[...document.querySelectorAll("button, select, .button, .row > label, summary")]
    .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 44).map((e) => e.outerHTML.slice(0, 60))`);
  check("what a finger touches is 44 pixels high", targets.length === 0, targets.join(" "));
  check("the page is as wide as a phone", await phone.evaluate("document.documentElement.scrollWidth <= innerWidth"));
  if (process.env.AXE) {
    await phone.evaluate(readFileSync(process.env.AXE, "utf8"));
    const { violations } = await phone.evaluate("axe.run()");
    check("axe finds no violation", violations.length === 0, violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`).join("; "));
  }
  const many = Array.from({ length: 500 }, (_, index) => images[index % images.length]);
  await phone.choose("#file", many);
  await phone.until("document.getElementById('status').textContent.startsWith('500 images')", 1800);
  await phone.send("HeapProfiler.collectGarbage");
  const { usedSize } = await phone.send("Runtime.getHeapUsage");
  const wasm = await phone.evaluate("document.querySelectorAll('#images canvas').length * 90 * 68 * 4");
  check("five hundred images need less than 256 MiB", usedSize + wasm < 256 << 20, `${usedSize} and ${wasm} bytes`);
  console.log(`500 images: ${usedSize >> 20} MiB of objects, ${wasm >> 20} MiB of thumbnails`);

  const foreign = page.requests.filter((url) => url !== address && !/^(blob|data):/.test(url));
  check("there is no request but for the page", foreign.length === 0, foreign.join(" "));

  const local = await open(`file://${join(pageFolder, "index.html")}`);
  await local.until("document.body.dataset.ready");
  await local.choose("#file", [join(scenes, "fruit.jpg")]);
  check("the page works from a folder", await local.until(result) === told("fruit.jpg"));

  // The programmers' files: the same by martlet.js, errors as exceptions, a trap that does not last.
  const bare = await open(`${address}martlet.d.ts`);
  const said = await bare.evaluate(`(async () => {
    const { FaceDetector, MartletError, ObjectDetector } = await import("/martlet.js");
    const detector = new ObjectDetector({ limit: 10, labels: "coarse" });
    const bytes = Uint8Array.from(atob("${dropped}"), (c) => c.charCodeAt(0));
    const fromFile = await detector.detect(bytes, { name: "room.jpg" });
    const wrong = await new ObjectDetector({ maxobjects: 1 }).detect(bytes).catch((error) => error);
    const huge = await detector.detect({ data: new Uint8Array(4), width: 9, height: 9 }).catch((error) => error);
    const again = await detector.detect(new File([bytes], "room.jpg"));
    // The same pixels from whatever holds them.
    const bitmap = await createImageBitmap(new Blob([bytes]));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const frame = new VideoFrame(canvas, { timestamp: 0 });
    const sources = [bitmap, canvas, frame, context.getImageData(0, 0, canvas.width, canvas.height)];
    const lines = [];
    for (const source of sources) lines.push(JSON.stringify(await detector.detect(source)));
    frame.close();
    const aborted = new AbortController();
    const running = detector.detect(bytes, { signal: aborted.signal }).catch((error) => error.name);
    const waiting = detector.detect(bitmap).then(JSON.stringify);
    setTimeout(() => aborted.abort(), 5);
    const stopped = await running;
    const after = await waiting;
    detector.close();
    const late = await detector.detect(bytes).catch((error) => error);
    return JSON.stringify({
      same: JSON.stringify(fromFile) === JSON.stringify(again), count: fromFile.objects.length,
      wrong: wrong instanceof MartletError && wrong.message, huge: huge instanceof MartletError && huge.message,
      late: late instanceof MartletError && late.message, lines, stopped, after });
  })()`);
  const { same, count, wrong, huge, late, lines: equal, stopped, after } = JSON.parse(said);
  const objects = JSON.parse(told("room.jpg")).objects.length;
  check("martlet.js finds the tool's objects, twice the same", same && count === objects, said);
  check("a bitmap, a canvas, a video frame and ImageData are the same image", new Set(equal).size === 1, said);
  check("an aborted call does not disturb the next one", stopped === "AbortError" && after === equal[0], said);
  check("errors are exceptions", [wrong, huge, late].every((message) => typeof message === "string"), said);

  const everything = [
    ["objects", { multiple: true, classify: true }, ["detect", "--multiple", "--classify"]],
    ["faces", { faces: true, allContours: true, landmarks: true, classify: true, mesh: true },
      ["faces", "--all-contours", "--landmarks", "--classify", "--mesh"]],
  ];
  for (const [what, options, command] of everything) {
    await bare.evaluate(`(async () => {
      const { detector, load } = await import("/module.mjs");
      const bytes = async (name) => new Uint8Array(await (await fetch("/" + name)).arrayBuffer());
      const make = await load(await bytes("martlet.wasm"));
      const line = detector(await make(), '${JSON.stringify(options)}');
      window.lineOf = async (name, number) => line(name, await bytes(number));
    })()`);
    const lines = run(...command, "--json", ...images).split("\n");
    const others = [];
    for (const [number, image] of images.entries()) {
      const line = await bare.evaluate(`lineOf(${JSON.stringify(image)}, ${number})`);
      if (line !== lines[number]) others.push(image);
    }
    check(`the tool's bytes on ${images.length} images, ${what}`, others.length === 0, others.join(" "));
    const times = await bare.evaluate(`(async () => {
      const times = [];
      for (let i = 0; i < 20; i += 1) {
        const start = performance.now();
        await lineOf("", 0);
        times.push(performance.now() - start);
      }
      return times.sort((a, b) => a - b);
    })()`);
    console.log(`${what} of ${images[0]}: ${times[0].toFixed(1)} ms, the median ${times[10].toFixed(1)}`);
  }
} catch (error) {
  check("the page could be driven to the end", false, error.stack);
} finally {
  browser.kill();
  server.close();
}
process.exit(failures > 0 ? 1 : 0);
