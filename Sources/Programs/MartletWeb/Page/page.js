// The page: images, a camera and a classifier come in; boxes, contours, names and a table go out.

import { Martlet } from "./martlet.js";

const element = (id) => document.getElementById(id);
const [canvas, stage, status, table, video] =
  ["canvas", "stage", "status", "objects", "video"].map(element);
const colours = ["#e53935", "#1e88e5", "#43a047", "#fb8c00", "#8e24aa", "#00897b"];

let martlet = null;
let classifier = null; // a custom model's file
let shown = null; // the last image's file, to be looked at again when an option changes
let looks = 0; // how often was looked: an answer that a later look has overtaken is not shown
let camera = null; // the stream of a camera while it runs

const options = () => (element("what").value === "faces" ? {
  faces: true,
  ...(element("several").checked ? {} : { maxFaces: 1 }),
  classify: element("classify").checked,
  allContours: true,
} : {
  maxObjects: element("several").checked ? 10 : 1,
  classify: element("classify").checked,
  // Until the slider is moved, the detector's own rules apply.
  ...(element("score").value === element("score").defaultValue ? {} : { minScore: Number(element("score").value) }),
  ...(element("classify").checked && classifier ? { classifier } : {}),
});

const say = (text) => { status.textContent = text; };

// What is said of a face: the turn of the head, and how likely it smiles and its eyes are open.
const wordsOf = (face) => [
  ["turned", face.eulerY === undefined ? undefined : `${Math.round(face.eulerY)}°`],
  ["smiling", face.smilingProbability?.toFixed(2)],
  ["left eye open", face.leftEyeOpenProbability?.toFixed(2)],
  ["right eye open", face.rightEyeOpenProbability?.toFixed(2)],
].filter(([, value]) => value !== undefined).map((words) => words.join(" "));

const nameOf = ({ labels, category, trackingID, ...face }) => {
  const names = labels === undefined ? wordsOf(face) : labels.length > 0
    ? labels.slice(0, 3).map((label) => `${label.text || `class ${label.index}`} ${label.confidence.toFixed(2)}`)
    : category ? [category] : [];
  return [trackingID === null ? "" : `#${trackingID}`, names.join(", ")].filter(Boolean).join(" ");
};

const contoursOpen = /Eyebrow|Lip|nose/; // lines that do not end where they begin

function drawContours(context, contours, unit) {
  context.lineWidth = Math.max(1, unit);
  for (const [name, points] of Object.entries(contours)) {
    context.beginPath();
    points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    if (points.length > 2 && !contoursOpen.test(name)) context.closePath();
    context.stroke();
  }
}

function draw(image, { width, height, objects, faces }) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  const unit = Math.max(width, height) / 400;
  context.font = `${Math.max(12, Math.round(13 * unit))}px system-ui, sans-serif`;
  context.textBaseline = "top";
  (objects ?? faces).forEach((object, index) => {
    const { frame } = object;
    const colour = colours[(object.trackingID ?? index) % colours.length];
    context.strokeStyle = colour;
    if (object.contours) drawContours(context, object.contours, unit);
    context.lineWidth = Math.max(2, 2 * unit);
    context.strokeRect(frame.x, frame.y, frame.width, frame.height);
    // All of a face's words are in the table; at its box there is room for few.
    const smile = object.smilingProbability === undefined ? "" : `smiling ${object.smilingProbability.toFixed(2)}`;
    const number = object.trackingID === null ? "" : `#${object.trackingID}`;
    const text = (faces ? [number, smile].filter(Boolean).join(" ") : nameOf(object)) || object.score.toFixed(2);
    const high = Math.max(16, Math.round(18 * unit));
    const wide = context.measureText(text).width + 8;
    const x = Math.min(Math.max(frame.x, 0), Math.max(width - wide, 0));
    const y = frame.y >= high ? frame.y - high : frame.y;
    context.fillStyle = colour;
    context.fillRect(x, y, wide, high);
    context.fillStyle = "#fff";
    context.fillText(text, x + 4, y + 2);
  });
  element("hint").hidden = true;
}

// "1 face", "3 objects".
const counted = ({ objects, faces }) => {
  const count = (objects ?? faces).length;
  return `${count} ${objects ? "object" : "face"}${count === 1 ? "" : "s"}`;
};

function list(result) {
  const found = result.objects ?? result.faces;
  const words = found.map((object) => nameOf(object) || object.score.toFixed(2));
  canvas.setAttribute("aria-label", `An image with ${counted(result)}${words.map((word) => `; ${word}`).join("")}`);
  table.hidden = found.length === 0;
  table.tBodies[0].replaceChildren(...found.map((object, index) => {
    const row = document.createElement("tr");
    const { x, y, width, height } = object.frame;
    const cells = [
      object.trackingID === null ? `${index + 1}` : `#${object.trackingID}`, object.score.toFixed(2),
      nameOf({ ...object, trackingID: null }),
      `${Math.round(x)}, ${Math.round(y)}, ${Math.round(width)} × ${Math.round(height)}`,
    ];
    row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    return row;
  }));
}

async function look(file) {
  shown = file;
  looks += 1;
  const own = looks;
  say(`Looking at ${file.name} …`);
  try {
    const start = performance.now();
    const result = await martlet.detect(file, options());
    const time = Math.round(performance.now() - start);
    const image = await imageOf(file);
    if (own !== looks) return;
    draw(image, result);
    list(result);
    say(`${file.name}: ${counted(result)} in ${time} ms`);
    document.body.dataset.result = JSON.stringify(result);
  } catch (error) {
    if (own === looks) say(error.message);
  }
}

// What is drawn below the boxes; an image that the browser can't draw is a gray field.
async function imageOf(file) {
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

async function take(files) {
  for (const file of files) {
    if (file.name.toLowerCase().endsWith(".tflite")) {
      classifier = file;
      element("forget").hidden = false;
      element("classify").checked = true;
      element("what").value = "objects";
      say(`${file.name} names the objects from now on.`);
      if (shown && !camera) await look(shown);
    } else {
      await stopCamera();
      await look(file);
    }
  }
}

// MARK: Camera

async function startCamera() {
  let media;
  try {
    media = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
  } catch (error) {
    say(`No camera: ${error.message}`);
    return;
  }
  looks += 1;
  video.srcObject = media;
  await video.play();
  camera = { media, stream: await martlet.stream(options()) };
  element("camera").setAttribute("aria-pressed", "true");
  follow(camera);
}

async function stopCamera() {
  if (!camera) return;
  const { media, stream } = camera;
  camera = null;
  for (const track of media.getTracks()) track.stop();
  video.srcObject = null;
  element("camera").setAttribute("aria-pressed", "false");
  await stream.dispose().catch(() => {});
}

async function follow(own) {
  let frames = 0;
  const start = performance.now();
  try {
    while (camera === own) {
      const bitmap = await createImageBitmap(video);
      const copy = await createImageBitmap(bitmap);
      const result = await own.stream.detect(bitmap, "camera");
      if (camera !== own) break;
      draw(copy, result);
      copy.close();
      frames += 1;
      if (frames % 10 === 0) {
        list(result);
        say(`${(frames * 1000 / (performance.now() - start)).toFixed(1)} frames a second`);
        document.body.dataset.result = JSON.stringify(result);
      }
      await new Promise(requestAnimationFrame);
    }
  } catch (error) {
    if (camera === own) {
      await stopCamera();
      say(error.message);
    }
  }
}

// MARK: Events

async function changed() {
  element("least").value = Number(element("score").value).toFixed(2);
  element("scores").hidden = element("what").value === "faces";
  if (camera) {
    const old = camera.stream;
    camera = { ...camera, stream: await martlet.stream(options()) };
    follow(camera);
    await old.dispose().catch(() => {});
  } else if (shown) {
    await look(shown);
  }
}

element("file").addEventListener("change", ({ target }) => take(target.files));
element("model").addEventListener("change", ({ target }) => take(target.files));
element("camera").addEventListener("click", () => (camera ? stopCamera() : startCamera()));
element("forget").addEventListener("click", () => {
  classifier = null;
  element("forget").hidden = true;
  changed();
});
for (const id of ["what", "several", "classify", "score"]) element(id).addEventListener("change", changed);
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

// In one file with all others, the worker and the module lie in the page itself.
const inline = (id) => element(id)?.textContent.trim();
const bytes = inline("wasm") ? Uint8Array.from(atob(inline("wasm")), (c) => c.charCodeAt(0)).buffer : undefined;
const worker = inline("worker")
  ? URL.createObjectURL(new Blob([inline("worker")], { type: "text/javascript" })) : undefined;
try {
  martlet = await Martlet.load({ wasm: bytes, worker });
  say("Ready.");
  document.body.dataset.ready = "yes";
} catch (error) {
  say(`Martlet could not start: ${error.message}`);
}
