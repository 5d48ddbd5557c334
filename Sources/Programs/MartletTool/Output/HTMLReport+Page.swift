//===--- HTMLReport+Page.swift - the page around the images ---------------===//
//
// Keys: arrows move between images, Enter opens one, left and right then go on, Escape closes it, B
// shows or hides all boxes. Colors follow the system's light or dark mode.
//===----------------------------------------------------------------------===//

import MartletVision

extension HTMLReport {
  /// The page up to the first image.
  static let beginning = #"""
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Martlet report</title>
    <style>
    :root { color-scheme: light dark; --line: light-dark(#d0d4da, #3a3f46);
      --back: light-dark(#f6f7f9, #15181c); --card: light-dark(#fff, #1e2227);
      --text: light-dark(#1b1f24, #e8eaed); --faint: light-dark(#59636e, #9aa4ae); }
    * { box-sizing: border-box; }
    body { margin: 0; font: 15px/1.5 system-ui, sans-serif; background: var(--back);
      color: var(--text); }
    header { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem;
      align-items: center; padding: .75rem 1rem; background: var(--card);
      border-bottom: 1px solid var(--line); }
    h1 { font-size: 1.1rem; margin: 0; }
    label { display: flex; gap: .5rem; align-items: center; }
    select, input, button { font: inherit; min-height: 44px; }
    output { min-width: 3ch; font-variant-numeric: tabular-nums; }
    #count { color: var(--faint); margin-left: auto; }
    main { display: grid; gap: 1rem; padding: 1rem;
      grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr)); }
    .card { display: flex; flex-direction: column; justify-content: flex-start; padding: 0; text-align: left; overflow: hidden;
      cursor: pointer; color: inherit; background: var(--card); border: 1px solid var(--line);
      border-radius: 10px; }
    .card:focus-visible { outline: 3px solid #2f81f7; outline-offset: 2px; }
    .view { position: relative; line-height: 0; margin: 0 auto; }
    .view img { display: block; max-width: 100%; max-height: 70vh; }
    .card .view img { max-height: 260px; }
    .box { position: absolute; border: 2px solid; border-radius: 2px; opacity: 0; }
    .card:hover .box, .card:focus .box, .boxes .box, dialog .box { opacity: 1; }
    .point { position: absolute; width: 4px; height: 4px; margin: -2px; border-radius: 2px; opacity: 0; }
    .boxes .point, dialog .point { opacity: 1; }
    .box b { position: absolute; left: -2px; top: -2px; padding: 0 5px; font-size: 13px;
      line-height: 18px; color: #000; }
    .caption { padding: .5rem .75rem; overflow-wrap: break-word; width: 100%; }
    .caption small { display: block; color: var(--faint); }
    .caption .error, .error { color: light-dark(#b3261e, #ff8a80); }
    #command { color: var(--faint); flex-basis: 100%; overflow-wrap: break-word; }
    #command:empty { display: none; }
    a { color: light-dark(#0a58ca, #79b8ff); }
    dialog { max-width: min(96vw, 1100px); padding: 1rem; background: var(--card);
      color: var(--text); border: 1px solid var(--line); border-radius: 12px; }
    dialog::backdrop { background: #000a; }
    dialog .view { width: min(88vw, 900px, 60vh * var(--ratio)); }
    dialog .view img { width: 100%; max-height: none; }
    table { border-collapse: collapse; margin-top: .75rem; width: 100%; }
    td, th { padding: .2rem .75rem .2rem 0; text-align: left; }
    </style>
    <header>
    <h1>Martlet report</h1>
    <label>Label <select id="name"><option value="">any</option></select></label>
    <label>Score from <input id="least" type="range" min="0" max="1" step="0.01" value="0">
    <output id="shown">0</output></label>
    <label><input id="all" type="checkbox" checked> Boxes (B)</label>
    <span id="count" role="status"></span>
    <small id="command"></small>
    </header>
    <main id="cards"></main>
    <dialog id="large"><div class="view"></div><div id="rows"></div>
    <p><button id="close">Close (Esc)</button></p></dialog>
    <script>
    "use strict"
    const images = []
    let command = ""
    </script>
    """#

  /// The page behind the last image.
  static let end = #"""
    <script>
    const colors = ["#00e040", "#ff5050", "#50b0ff", "#ffe000", "#e860ff", "#00e0e0", "#ff9020",
      "#a080ff", "#b0f020", "#ff70b8", "#20c0a0", "#c8c8c8"]
    const at = id => document.getElementById(id)
    const make = (kind, style, text = "") =>
      Object.assign(document.createElement(kind), { className: style, textContent: text })
    const percent = value => Math.round(100 * value) + " %"
    const label = ({ labels, fineLabels }) =>
      fineLabels?.[0]?.confidence >= \#(FineLabeler.shownConfidence) ? fineLabels[0] : labels?.[0]
    const nameOf = label => label && (label.text || "class " + label.index)
    const finding = (found, index) => ({ ...found, number: index + 1, isFace: !found.labels,
      name: nameOf(label(found)) || found.category || (found.labels ? "object" : "face"),
      confidence: label(found)?.confidence })
    // Long paths break behind slashes.
    const breaking = path => path.replaceAll("/", "/\u200b")
    const all = images.map(image => ({ ...image,
      found: (image.objects ?? image.faces ?? []).map(finding) }))
    at("command").textContent = command
    const counts = new Map(), failures = all.filter(image => image.error).length
    for (const { name } of all.flatMap(image => image.found)) counts.set(name, (counts.get(name) ?? 0) + 1)
    const option = (text, value) =>
      at("name").append(Object.assign(make("option", "", text), { value }))
    for (const name of [...counts.keys()].sort()) option(`${name} (${counts.get(name)})`, "=" + name)
    if (failures) option(`failed images (${failures})`, "failed")

    function view(image, found) {
      const part = make("div", "view")
      if (!image.thumbnail) return part
      part.style.setProperty("--ratio", image.width / image.height)
      part.append(Object.assign(new Image(), { src: image.thumbnail, alt: image.image }))
      for (const { frame, number, landmarks } of found) {
        const box = make("div", "box"), color = colors[(number - 1) % colors.length]
        const share = (value, side) => 100 * value / side + "%"
        Object.assign(box.style, { borderColor: color, left: share(frame.x, image.width),
          top: share(frame.y, image.height), width: share(frame.width, image.width),
          height: share(frame.height, image.height) })
        const tag = make("b", "", number)
        tag.style.background = color
        // Beside small boxes, whose contents it would cover.
        if (frame.width * frame.height < 0.02 * image.width * image.height) {
          Object.assign(tag.style, frame.y < 0.1 * image.height ? { top: "100%" }
            : { top: "auto", bottom: "100%" })
        }
        box.append(tag)
        part.append(box)
        for (const [x, y] of Object.values(landmarks ?? {})) {
          const point = make("div", "point")
          Object.assign(point.style, { background: color, left: share(x, image.width),
            top: share(y, image.height) })
          part.append(point)
        }
      }
      return part
    }

    let shown = []
    function show() {
      const filter = at("name").value, least = Number(at("least").value)
      const name = filter.startsWith("=") ? filter.slice(1) : null
      at("shown").value = least.toFixed(2)
      document.body.classList.toggle("boxes", at("all").checked)
      shown = all.map(image => ({ image,
        found: image.found.filter(f => f.score >= least && (name === null || f.name === name)) }))
        .filter(({ image, found }) => filter === "failed" ? image.error
          : found.length || (name === null && least === 0))
      at("cards").replaceChildren(...shown.map(({ image, found }, index) => {
        const card = make("button", "card"), caption = make("span", "caption", breaking(image.image))
        const words = found.some(f => f.isFace)
          ? found.length + (found.length > 1 ? " faces" : " face")
          : found.map(f => f.number + " " + f.name).join(", ")
        caption.append(make("small", image.error ? "error" : "", image.error ?? (words || "nothing")))
        card.append(view(image, found), caption)
        card.onclick = () => open(index)
        return card
      }))
      const boxes = shown.reduce((sum, { found }) => sum + found.length, 0)
      at("count").textContent = `${shown.length} of ${all.length} images, ${boxes} boxes`
    }

    let current = 0
    function open(index) {
      if (index < 0 || index >= shown.length) return
      current = index
      const { image, found } = shown[index]
      at("large").firstElementChild.replaceWith(view(image, found))
      const table = make("table", ""), row = (kind, cells) => {
        const line = make("tr", "")
        line.append(...cells.map(cell => make(kind, "", cell)))
        table.append(line)
      }
      const share = value => value === undefined ? "" : percent(value)
      const turns = f => [f.eulerX, f.eulerY, f.eulerZ].filter(turn => turn !== undefined)
      if (found.some(f => f.isFace)) {
        row("th", ["", "score", "smile", "left eye open", "right eye open", "angles"])
        for (const f of found) row("td", [f.number, percent(f.score), share(f.smilingProbability),
          share(f.leftEyeOpenProbability), share(f.rightEyeOpenProbability),
          turns(f).map(turn => Math.round(turn) + "°").join(" ")])
      } else if (found.length) {
        row("th", ["", "label", "confidence", "score"])
        for (const f of found) row("td", [f.number, f.name, share(f.confidence), percent(f.score)])
      }
      const title = make(image.link ? "a" : "strong", "", breaking(image.image))
      if (image.link) title.href = encodeURI(image.link).replace(/[#?]/g, encodeURIComponent)
      at("rows").replaceChildren(title, make("p", "error", image.error ?? ""), table)
      if (!at("large").open) at("large").showModal()
    }

    at("close").onclick = () => at("large").close()
    at("large").onclose = () => at("cards").children[current]?.focus()
    for (const id of ["name", "least", "all"]) at(id).oninput = show
    document.addEventListener("keydown", event => {
      if (event.target.matches("select, input[type=range]")) return
      const cards = [...at("cards").children], step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
      if (event.key.toLowerCase() === "b") { at("all").checked = !at("all").checked; show() }
      if (at("large").open) { if (step) open(current + step); return }
      const columns = cards.filter(card => card.offsetTop === cards[0].offsetTop).length
      const move = step ?? { ArrowUp: -columns, ArrowDown: columns }[event.key]
      if (!move || !cards.length) return
      event.preventDefault()
      const old = cards.indexOf(document.activeElement)
      cards[old < 0 ? 0 : Math.min(Math.max(old + move, 0), cards.length - 1)].focus()
    })
    show()
    </script>
    </html>
    """#
}
