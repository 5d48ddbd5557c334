// Results in words, as drawings and as a table. A box has the number and the color of its row.

const colors = ["#5bd15b", "#ff7b72", "#6cb6ff", "#ffd84a", "#e58bff", "#5fe0e0", "#ffab5c", "#b3a1ff", "#c7ea4f",
  "#ff9ecb", "#4fd1b0", "#d0d7de"];

const percent = (share) => `${Math.round(100 * share)}\u00a0%`;

// "1", or "#7" for the object 7 of a stream.
const numberOf = ({ trackingID }, index) => (trackingID === null ? `${index + 1}` : `#${trackingID}`);
const colorOf = ({ trackingID }, index) => colors[(trackingID ?? index) % colors.length];

// What a face does: "turned 24° to the left", "smiling 93 %", "eyes open 98 %".
function wordsOfFace({ eulerY, smilingProbability, leftEyeOpenProbability, rightEyeOpenProbability }) {
  const words = [];
  if (Math.round(eulerY ?? 0) !== 0) {
    words.push(`turned ${Math.abs(Math.round(eulerY))}° to the ${eulerY > 0 ? "right" : "left"} of the image`);
  }
  if (smilingProbability !== undefined) words.push(`smiling ${percent(smilingProbability)}`);
  if (leftEyeOpenProbability !== undefined) words.push(`left eye open ${percent(leftEyeOpenProbability)}`);
  if (rightEyeOpenProbability !== undefined) words.push(`right eye open ${percent(rightEyeOpenProbability)}`);
  return words;
}

const shownConfidence = 0.6; // FineLabeler.shownConfidence

// The facts about an object or a face, the most important first.
function wordsOf(found) {
  if (found.labels === undefined) return ["face", ...wordsOfFace(found)];
  const words = ({ text, index, confidence }) => `${text || `class ${index}`} ${percent(confidence)}`;
  const fine = (found.fineLabels ?? []).filter(({ confidence }) => confidence >= shownConfidence).map(words);
  const own = found.labels.length > 0 ? found.labels.map(words) : [found.category ?? "object"];
  return [...fine, ...own].slice(0, 3);
}

const openContours = /Eyebrow|Lip|nose/; // lines that do not end where they begin

function drawContours(context, contours, unit) {
  context.lineWidth = Math.max(1, unit);
  for (const [name, points] of Object.entries(contours)) {
    context.beginPath();
    points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    if (points.length > 2 && !openContours.test(name)) context.closePath();
    context.stroke();
  }
}

// The first place for a label of this size that covers no other label.
function placeOf({ x, y, width, height }, wide, high, taken, size) {
  const left = [x, x + width - wide].map((place) => Math.min(Math.max(place, 0), Math.max(size.width - wide, 0)));
  const top = [y - high, y, y + height, y + height - high].filter((place) => place >= 0 && place + high <= size.height);
  const free = (place) => taken.every((other) => place.x >= other.x + other.wide || other.x >= place.x + wide
    || place.y >= other.y + other.high || other.y >= place.y + high);
  return left.flatMap((x) => top.map((y) => ({ x, y, wide, high }))).find(free);
}

// Draws an image with its result; `chosen` is the index of a box to show alone.
export function draw(canvas, image, { width, height, objects, faces }, chosen) {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  const unit = Math.max(width, height) / 400;
  const high = Math.max(16, Math.round(18 * unit));
  context.font = `600 ${Math.max(12, Math.round(13 * unit))}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  const shown = (objects ?? faces).map((found, index) => ({ found, index }))
    .filter(({ index }) => chosen === undefined || index === chosen);
  for (const { found, index } of shown) {
    context.strokeStyle = colorOf(found, index);
    if (found.contours) drawContours(context, found.contours, unit);
    context.lineWidth = Math.max(2, 2 * unit);
    context.strokeRect(found.frame.x, found.frame.y, found.frame.width, found.frame.height);
  }
  const taken = [];
  for (const { found, index } of shown) {
    const number = numberOf(found, index);
    for (const text of [`${number} ${wordsOf(found)[0]}`, number]) {
      const place = placeOf(found.frame, context.measureText(text).width + 8, high, taken, { width, height });
      if (!place) continue;
      taken.push(place);
      context.fillStyle = colorOf(found, index);
      context.fillRect(place.x, place.y, place.wide, place.high);
      context.fillStyle = "#000";
      context.fillText(text, place.x + 4, place.y + high / 2);
      break;
    }
  }
}

// "1 face", "3 objects".
export function counted({ objects, faces }) {
  const count = (objects ?? faces).length;
  return `${count} ${objects ? "object" : "face"}${count === 1 ? "" : "s"}`;
}

// The image in words, for those who cannot see it.
export function described(result) {
  const words = (result.objects ?? result.faces).map((found) => wordsOf(found).join(", "));
  return [`Image with ${counted(result)}`, ...words].join("; ");
}

// Fills the table; `point` is called with a row's index when the pointer enters it, and without when it leaves.
export function list(table, result, point) {
  const found = result.objects ?? result.faces;
  table.hidden = found.length === 0;
  const cell = (content) => {
    const element = document.createElement("td");
    element.append(content);
    return element;
  };
  table.tBodies[0].replaceChildren(...found.map((object, index) => {
    const row = document.createElement("tr");
    const number = Object.assign(document.createElement("span"), { className: "number", textContent: numberOf(object, index) });
    number.style.background = colorOf(object, index);
    const { x, y, width, height } = object.frame;
    row.append(cell(number), cell(wordsOf(object).join(", ")), cell(percent(object.score)),
      cell(`${Math.round(x)}, ${Math.round(y)}; ${Math.round(width)} × ${Math.round(height)}`));
    row.addEventListener("pointerenter", () => point(index));
    row.addEventListener("pointerleave", () => point());
    return row;
  }));
}
