// The controls: open and close, search, select, zoom and pan.
const field = id => document.getElementById(id);
let depth = 1;
const deepest = Math.max(1, ...[...nodes.values()].filter(canOpen).map(node => depthOf(node) + 1));

function setDepth(wanted) {
  depth = Math.min(deepest, Math.max(1, wanted));
  openTo(depth, field("detailed").checked);
  relayout();
  field("depth").textContent = `level ${depth} of ${deepest}`;
}

// Opening or closing a box keeps its upper left corner where it was.
function toggle(node) {
  const before = { x: node.ax, y: node.ay };
  node.open = !node.open;
  relayout();
  view.x += (before.x - node.ax) * view.scale;
  view.y += (before.y - node.ay) * view.scale;
  draw();
}

function show(node, { centre = false } = {}) {
  state.selected = node;
  if (node && centre) {
    let hidden = false;
    for (let at = node; at.parent !== null; at = nodes.get(at.parent))
      if (!nodes.get(at.parent).open) { nodes.get(at.parent).open = true; hidden = true; }
    if (hidden) relayout();
    view.scale = Math.max(view.scale, 0.9);
    view.x = canvas.clientWidth / 2 - (node.ax + node.width / 2) * view.scale;
    view.y = Math.min(canvas.clientHeight / 2, canvas.clientHeight / 2 - (node.ay + Math.min(node.height, 200) / 2) * view.scale);
  }
  fillPanel(node || root);
  draw();
}

function element(name, text, parent, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

function fillPanel(node) {
  const panel = field("panel"), { about } = node;
  panel.replaceChildren();
  element("h2", about.layer && node.kind === "layer" ? about.layer : node.label, panel);
  for (const part of [about.class, about.operation, about.settings]) if (part) element("p", part, panel);
  if (node.kind === "operation" && about.layer) element("p", `in ${about.layer}`, panel);
  if (about.line) element("p", about.line, panel, "code");
  if (about.failed) element("p", about.failed, panel).style.color = "#b42318";
  if (canOpen(node) && node !== root) element("button", node.open ? "close" : "open", panel).onclick = () => { toggle(node); fillPanel(node); };
  rows("numbers", Object.entries(node.numbers).map(([name, value]) => [name, amount(value, name)]), panel);
  rows("arguments", Object.entries(about.arguments || {}).map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]), panel);
  for (const part of ["inputs", "outputs"]) list(part, about[part] || [], panel);
  neighbours(node, panel);
}

function rows(title, pairs, panel) {
  if (!pairs.length) return;
  element("h3", title, panel);
  const table = element("table", "", panel);
  for (const [name, value] of pairs) { const row = element("tr", "", table); element("td", name, row); element("td", value, row, "code"); }
}

function list(title, texts, panel) {
  if (!texts.length) return;
  element("h3", title, panel);
  const items = element("ul", "", panel);
  for (const text of texts) element("li", text, items, "code");
}

function neighbours(node, panel) {
  if (node.parent === null) return;
  const routes = levelOf(nodes.get(node.parent)).routes;
  for (const [title, here, there] of [["comes from", 1, 0], ["goes to", 0, 1]]) {
    const found = routes.filter(route => route[here] === node.id && route[there] >= 0);
    if (!found.length) continue;
    element("h3", title, panel);
    const items = element("ul", "", panel);
    for (const route of found.slice(0, 30)) {
      const other = nodes.get(route[there]), item = element("li", "", items);
      element("a", other.label, item).onclick = () => show(other, { centre: true });
      element("span", `  ${route[2]}`, item);
    }
  }
}

function search(text) {
  const words = text.trim().toLowerCase(), found = [];
  if (words)
    for (const node of nodes.values())
      if (node !== root && `${node.about.layer || ""} ${node.label} ${node.sub} ${node.about.class || ""}`.toLowerCase().includes(words)) found.push(node);
  state.hits = new Set(found.map(node => node.id));
  const panel = field("panel");
  if (!words) { fillPanel(state.selected || root); draw(); return found; }
  panel.replaceChildren();
  element("h3", `${found.length} found`, panel);
  const items = element("ul", "", panel);
  for (const node of found.slice(0, 200)) {
    const item = element("li", "", items);
    element("a", node.kind === "layer" ? node.about.layer : `${node.about.layer || ""} · ${node.label}`, item).onclick = () => show(node, { centre: true });
    element("span", `  ${node.sub}`, item);
  }
  draw();
  return found;
}

function setColour(measure) {
  state.colour = field("colour").value = measure;
  state.scale = measure === "class" ? null : scaleOf(measure);
  const legend = field("legend"), brush = legend.getContext("2d");
  legend.hidden = !state.scale;
  field("range").textContent = state.scale ? `${amount(state.scale.low, measure)} … ${amount(state.scale.high, measure)}` : "";
  for (let k = 0; k < 150; k++) { brush.fillStyle = shade(k / 150); brush.fillRect(k, 0, 1, 18); }
  draw();
}

function zoom(factor, x, y) {
  const scale = Math.min(4, Math.max(0.005, view.scale * factor));
  view.x = x - (x - view.x) * (scale / view.scale);
  view.y = y - (y - view.y) * (scale / view.scale);
  view.scale = scale;
  draw();
}

// The whole picture, or, where it is too tall to be read, its beginning.
function begin() {
  fit();
  if (view.scale >= 0.5) return;
  view.scale = Math.min(1, Math.max(0.5, (canvas.clientWidth - 30) / root.width));
  view.x = (canvas.clientWidth - root.width * view.scale) / 2;
  view.y = 10;
  draw();
}

let drag = null;
canvas.addEventListener("pointerdown", event => { drag = { x: event.offsetX, y: event.offsetY, moved: false }; canvas.setPointerCapture(event.pointerId); });
canvas.addEventListener("pointermove", event => {
  if (!drag) return;
  const [dx, dy] = [event.offsetX - drag.x, event.offsetY - drag.y];
  if (!drag.moved && Math.hypot(dx, dy) < 4) return;
  view.x += dx; view.y += dy;
  drag = { x: event.offsetX, y: event.offsetY, moved: true };
  draw();
});
canvas.addEventListener("pointerup", event => {
  if (drag && !drag.moved) show(nodeAt(event.offsetX, event.offsetY));
  drag = null;
});
canvas.addEventListener("dblclick", event => { const node = nodeAt(event.offsetX, event.offsetY); if (node && canOpen(node)) { toggle(node); fillPanel(node); } });
canvas.addEventListener("wheel", event => { event.preventDefault(); zoom(Math.exp(-event.deltaY * 0.0015), event.offsetX, event.offsetY); }, { passive: false });
canvas.addEventListener("keydown", event => {
  const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] }[event.key];
  if (moves) { view.x += moves[0]; view.y += moves[1]; draw(); event.preventDefault(); }
  if (event.key === "Enter" && state.selected && canOpen(state.selected)) toggle(state.selected);
  if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1.25 : 0.8, canvas.clientWidth / 2, canvas.clientHeight / 2);
});
field("more").onclick = () => { setDepth(depth + 1); begin(); };
field("less").onclick = () => { setDepth(depth - 1); begin(); };
field("fit").onclick = () => fit();
field("detailed").onchange = () => { setDepth(depth); begin(); };
field("shapes").onchange = event => { state.shapes = event.target.checked; draw(); };
field("search").oninput = event => search(event.target.value);
field("search").onkeydown = event => { if (event.key === "Enter") { const [first] = search(event.target.value); if (first) show(first, { centre: true }); } };
field("colour").onchange = event => setColour(event.target.value);
window.addEventListener("resize", draw);

for (const measure of ["class", ...measures]) element("option", measure, field("colour")).value = measure;
field("counts").textContent = `${DATA.nodes.filter(each => each.kind === "operation").length.toLocaleString("en")} operations`;
if (DATA.failure) { field("failure").textContent = DATA.failure; field("failure").hidden = false; }
field("detailed").checked = DATA.detailed;
setDepth(DATA.depth);
setColour(DATA.colour);
fillPanel(root);
begin();
