// The page: images, a camera and a classifier come in; boxes, contours, words and files go out.

import { FaceDetector, ObjectDetector, Tracker, configure } from "../JavaScript/martlet.js";
import { counted, described, draw, list } from "./results.js";

const element = (id) => document.getElementById(id);
const [canvas, stage, status, table, video, images] =
  ["canvas", "stage", "status", "objects", "video", "images"].map(element);

let detector = null; // of the chosen options
let classifier = null; // the file of a custom model
let entries = []; // the opened images: { file, button, result }
let shown = null; // the entry on the canvas; an image that cannot be read never becomes it
let chosen = null; // the marked entry, which may be one that cannot be read
let bitmap = null; // its pixels
let runs = 0; // the number of detections; a result that a later one has overtaken is not shown
let camera = null; // a camera's frames and tracker while it runs

const isFaces = () => element("what").value === "faces";
const options = () => (isFaces() ? {
  ...(element("several").checked ? {} : { limit: 1 }),
  classify: element("classify").checked,
  allContours: true,
} : {
  limit: element("several").checked ? 10 : 1,
  // Until the slider is moved, the detector's own rules apply.
  ...(element("score").value === element("score").defaultValue ? {} : { minScore: Number(element("score").value) }),
  ...(!element("classify").checked ? {} : classifier ? { classifier } : { labels: element("names").checked ? "fine" : "coarse" }),
});
const makeDetector = () => (isFaces() ? new FaceDetector(options()) : new ObjectDetector(options()));
const makeTracker = () => new Tracker({ ...options(), ...(isFaces() ? { faces: true } : {}) });

// Closes a detector or tracker after the calls that it has.
const retire = (old) => old.prepare().catch(() => {}).then(() => old.close());

function say(text, isError = false) {
  status.textContent = text;
  status.classList.toggle("error", isError);
}

// MARK: Images

// The pixels below the boxes; an image that the browser cannot draw is a gray field.
async function pixelsOf(file) {
  try {
    return await createImageBitmap(file);
  } catch {
    const field = new OffscreenCanvas(1, 1);
    const context = field.getContext("2d");
    context.fillStyle = "#888";
    context.fillRect(0, 0, 1, 1);
    return field;
  }
}

function show(entry, result, pixels) {
  if (bitmap !== pixels) bitmap?.close?.();
  [shown, bitmap] = [entry, pixels];
  draw(canvas, pixels, result);
  canvas.setAttribute("aria-label", described(result));
  list(table, result, (index) => { if (shown === entry) draw(canvas, bitmap, entry.result, index); });
  element("hint").hidden = true;
  stage.classList.add("full");
  for (const id of ["save-image", "save-json"]) element(id).disabled = false;
  choose(entry);
  document.body.dataset.result = JSON.stringify(result);
}

// Marks an entry, or none.
function choose(entry) {
  chosen = entry;
  element("remove").disabled = entry === null;
  for (const other of entries) other.button.setAttribute("aria-current", other === entry);
}

// Shows no image, and marks an entry that cannot be read, or none.
function clear(entry) {
  bitmap?.close?.();
  [shown, bitmap] = [null, null];
  [canvas.width, canvas.height] = [1, 1];
  canvas.setAttribute("aria-label", "No image");
  table.hidden = true;
  stage.classList.remove("full");
  element("hint").hidden = false;
  element("save-image").disabled = true;
  element("save-json").disabled = entries.length === 0;
  choose(entry);
  delete document.body.dataset.result;
}

// Detects in an entry's image and shows it. If that fails, what is shown stays, unless the entry was chosen.
async function detect(entry, isChosen = false) {
  runs += 1;
  const own = runs;
  say(`${entry.file.name} …`);
  try {
    const start = performance.now();
    const result = await detector.detect(entry.file);
    const time = Math.round(performance.now() - start);
    const pixels = await pixelsOf(entry.file);
    if (own !== runs) {
      pixels.close?.();
      return;
    }
    entry.result = result;
    show(entry, result, pixels);
    mark(entry, pixels, counted(result));
    say(`${entry.file.name}: ${counted(result)} in ${time} ms`);
  } catch (error) {
    if (own !== runs) return;
    mark(entry, null, "failed", true);
    if (isChosen) clear(entry);
    // The module's reason names its own formats and a program that converts, the browser reads further ones.
    const reason = error.kind === "unsupportedImage" ? "neither Martlet nor this browser reads this format" : error.message;
    say(`${entry.file.name}: ${reason}`, true);
  }
}

// Gives an entry's button its thumbnail and its state in words.
function mark({ button, file }, pixels, words, isError = false) {
  const [thumbnail, state] = [button.querySelector("canvas"), button.querySelector(".state")];
  if (pixels) {
    const scale = Math.max(90 / pixels.width, 68 / pixels.height);
    const [width, height] = [pixels.width * scale, pixels.height * scale];
    thumbnail.getContext("2d").drawImage(pixels, (90 - width) / 2, (68 - height) / 2, width, height);
  }
  state.textContent = words;
  state.classList.toggle("error", isError);
  button.title = `${file.name}: ${words}`;
}

function entryOf(file) {
  const button = document.createElement("button");
  button.type = "button";
  const thumbnail = Object.assign(document.createElement("canvas"), { width: 90, height: 68 });
  thumbnail.setAttribute("aria-hidden", "true");
  const name = Object.assign(document.createElement("span"), { textContent: file.name });
  const state = Object.assign(document.createElement("span"), { className: "state", textContent: "waiting" });
  button.append(thumbnail, name, state);
  const entry = { file, button, result: null };
  button.addEventListener("click", async () => {
    await stopCamera();
    await detect(entry, true);
  });
  const item = document.createElement("li");
  item.append(button);
  images.append(item);
  return entry;
}

// Lets a model's file name the objects. If it cannot be used, what names them stays.
async function use(file) {
  say(`${file.name} …`);
  const candidate = new ObjectDetector({ classifier: file });
  try {
    await candidate.prepare();
  } catch (error) {
    say(`${file.name}: ${error.message}`, true);
    return;
  } finally {
    candidate.close();
  }
  classifier = file;
  element("forget").hidden = false;
  element("classify").checked = true;
  element("what").value = "objects";
  await changed();
  if (!status.classList.contains("error")) say(`${file.name} now names the objects.`);
}

async function take(files) {
  const added = [];
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(".tflite")) {
      await use(file);
    } else {
      added.push(entryOf(file));
    }
  }
  if (added.length === 0) return;
  await stopCamera();
  entries.push(...added);
  images.hidden = entries.length < 2;
  for (const entry of added) await detect(entry);
  if (added.length > 1) {
    const failed = added.filter(({ result }) => !result).length;
    say(`${added.length} images${failed > 0 ? `, ${failed} failed` : ""}. Choose one below.`, failed > 0);
  }
}

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const stem = () => (shown?.file.name ?? "camera").replace(/\.[^.]*$/, "");

// MARK: Camera

async function startCamera() {
  let media;
  try {
    media = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    say(`No camera: ${error.message}`, true);
    return;
  }
  runs += 1;
  shown = null;
  choose(null);
  video.srcObject = media;
  await video.play();
  camera = { media, tracker: makeTracker() };
  element("camera").setAttribute("aria-pressed", "true");
  follow(camera);
}

async function stopCamera() {
  if (!camera) return;
  const { media, tracker } = camera;
  camera = null;
  for (const track of media.getTracks()) track.stop();
  video.srcObject = null;
  element("camera").setAttribute("aria-pressed", "false");
  await retire(tracker);
}

async function follow(own) {
  let frames = 0;
  const start = performance.now();
  try {
    while (camera === own) {
      const bitmap = await createImageBitmap(video);
      const result = await own.tracker.update(bitmap, { name: "camera" });
      if (camera !== own) break;
      draw(canvas, bitmap, result);
      bitmap.close();
      element("hint").hidden = true;
      element("save-image").disabled = false;
      frames += 1;
      if (frames % 10 === 0) {
        list(table, result, () => {});
        say(`${(frames * 1000 / (performance.now() - start)).toFixed(1)} frames a second`);
        document.body.dataset.result = JSON.stringify(result);
      }
      await new Promise(requestAnimationFrame);
    }
  } catch (error) {
    if (camera === own) {
      await stopCamera();
      say(`Camera: ${error.message}`, true);
    }
  }
}

// MARK: Events

async function changed() {
  element("least").value = Number(element("score").value).toFixed(2);
  element("scores").hidden = isFaces();
  element("fine").hidden = isFaces() || !element("classify").checked || classifier !== null;
  element("kind").textContent = isFaces() ? "Smiles and eyes" : "Categories";
  retire(detector);
  detector = makeDetector();
  if (camera) {
    retire(camera.tracker);
    camera = { ...camera, tracker: makeTracker() };
    follow(camera);
    return;
  }
  // What is known of images is of other options.
  for (const entry of entries) {
    entry.result = null;
    mark(entry, null, "waiting");
  }
  if (chosen) await detect(chosen, true);
}

for (const id of ["file", "model"]) {
  element(id).addEventListener("change", async ({ target }) => {
    const files = [...target.files];
    target.value = ""; // so that the same file can be opened again
    await take(files);
  });
}
element("sample").addEventListener("click", async () => {
  await take([new File([decoded(inline("sample-image"))], "sample.jpg", { type: "image/jpeg" })]);
});
element("camera").addEventListener("click", () => (camera ? stopCamera() : startCamera()));
element("forget").addEventListener("click", () => {
  classifier = null;
  element("forget").hidden = true;
  changed();
});
element("remove").addEventListener("click", async () => {
  const place = entries.indexOf(chosen);
  entries.splice(place, 1);
  chosen.button.parentElement.remove();
  images.hidden = entries.length < 2;
  const next = entries[Math.min(place, entries.length - 1)];
  if (next) {
    await detect(next, true);
  } else {
    clear(null);
    say("Ready.");
  }
});
element("save-image").addEventListener("click", () =>
  canvas.toBlob((blob) => save(blob, `${stem()}-annotated.png`), "image/png"));
element("save-json").addEventListener("click", async () => {
  for (const entry of entries) {
    entry.result ??= await detector.detect(entry.file).catch(() => null);
  }
  const lines = entries.filter(({ result }) => result).map(({ result }) => `${JSON.stringify(result)}\n`);
  save(new Blob(lines, { type: "application/json" }), entries.length > 1 ? "results.jsonl" : `${stem()}.json`);
});
for (const id of ["what", "several", "classify", "names"]) element(id).addEventListener("change", changed);
element("score").addEventListener("input", changed);
images.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const index = entries.findIndex(({ button }) => button === document.activeElement) + (step ?? 0);
  if (!step || !entries[index]) return;
  event.preventDefault();
  entries[index].button.focus();
  entries[index].button.click();
});
stage.addEventListener("dragover", (event) => {
  event.preventDefault();
  stage.classList.add("over");
});
stage.addEventListener("dragleave", () => stage.classList.remove("over"));
stage.addEventListener("drop", (event) => {
  event.preventDefault();
  stage.classList.remove("over");
  take(event.dataTransfer.files);
});
document.addEventListener("paste", (event) => take(event.clipboardData.files));

// In one file with all others, the worker, the module and the sample lie in the page itself.
function inline(id) { return element(id).textContent.trim(); }
function decoded(base64) { return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)); }
try {
  const worker = URL.createObjectURL(new Blob([inline("worker")], { type: "text/javascript" }));
  configure({ wasm: decoded(inline("wasm")), worker });
  detector = makeDetector();
  await detector.prepare();
  say("Ready.");
  document.body.dataset.ready = "yes";
} catch (error) {
  say(`Martlet could not start: ${error.message}`, true);
}
