// The picture on its canvas: only what is in sight is drawn, and text only where it can be read.
const canvas = document.getElementById("picture"), pen = canvas.getContext("2d");
const view = { scale: 1, x: 0, y: 0 };
const state = { seen: [], selected: null, hits: new Set(), colour: "class", scale: null, shapes: true };
const READABLE = 0.45, STRIP = 80;

function relayout() { state.seen = place(); }

function draw() {
  const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const sight = { left: -view.x / view.scale, top: -view.y / view.scale, right: (width - view.x) / view.scale, bottom: (height - view.y) / view.scale };
  const visible = state.seen.filter(node => node.ax < sight.right && node.ax + node.width > sight.left && node.ay < sight.bottom && node.ay + node.height > sight.top);
  for (const node of visible) drawBox(node);
  for (const node of visible) if (node.open) drawEdges(node, sight);
  for (const node of visible) drawText(node);
}

function drawBox(node) {
  if (node === root) return;
  pen.beginPath();
  pen.roundRect(node.ax, node.ay, node.width, node.height, node.open ? 8 : node.kind === "operation" ? 3 : 7);
  const colour = fillOf(node, state.colour, state.scale);
  pen.globalAlpha = node.open && state.colour !== "class" ? 0.12 : 1;
  pen.fillStyle = colour;
  pen.fill();
  pen.globalAlpha = 1;
  const marked = node === state.selected, hit = state.hits.has(node.id);
  pen.strokeStyle = marked ? "#175cd3" : hit ? "#dc6803" : node.about.failed ? "#d92d20" : "#98a2b3";
  pen.lineWidth = (marked || hit ? 2.5 : 1) / Math.min(1, Math.max(view.scale, 0.3));
  pen.stroke();
}

function drawText(node) {
  if (node === root || view.scale * SIZE.high < 20 * READABLE) return;
  const dark = isDark(fillOf(node, state.colour, state.scale)) && !node.open;
  const middle = node.ax + node.width / 2;
  pen.textBaseline = "middle";
  pen.textAlign = node.open ? "left" : "center";
  pen.fillStyle = dark ? "#ffffff" : "#1d2430";
  pen.font = `${node.kind === "operation" ? "" : "600 "}12px system-ui, sans-serif`;
  if (node.open) {
    title(node.label, node.ax + 10, node.ay + 12);
    const used = pen.measureText(node.label).width;
    pen.font = "11px system-ui, sans-serif"; pen.fillStyle = "#667085";
    title(node.sub, node.ax + 16 + used, node.ay + 12);
    return;
  }
  const two = node.height > SIZE.high;
  pen.fillText(node.label, middle, node.ay + (two ? 12 : node.height / 2), node.width - 8);
  if (two) {
    pen.font = "11px system-ui, sans-serif";
    // Grey cannot be read on orange.
    pen.fillStyle = dark ? "#f2f4f7" : state.colour === "class" ? "#667085" : "#1d2430";
    pen.fillText(node.sub, middle, node.ay + 25, node.width - 8);
  }
}

// An edge may cross the title of a box; the light around the letters keeps it readable.
function title(text, x, y) {
  pen.strokeStyle = "rgba(255, 255, 255, 0.9)"; pen.lineWidth = 4; pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.fillText(text, x, y);
}

function drawEdges(box, sight) {
  const near = state.selected, told = new Set();
  for (const route of levelOf(box).routes) {
    const points = routePoints(box, route), [first, last] = [points[0], points[points.length - 1]];
    if (last.y < sight.top || first.y > sight.bottom) continue;
    const touches = near && (route[0] === near.id || route[1] === near.id);
    pen.strokeStyle = touches ? "#175cd3" : "#98a2b3";
    pen.lineWidth = (touches ? 2 : 1.1) / Math.min(1, Math.max(view.scale, 0.35));
    trace(points);
    if (route[1] === EXIT) continue;
    if (view.scale > READABLE) arrow(last, pen.strokeStyle);
    if (!state.shapes || view.scale < 0.6 || route[0] === ENTRY || told.has(route[0])) continue;
    told.add(route[0]);
    label(route[2], first);
  }
}

function trace(points) {
  pen.beginPath();
  pen.moveTo(points[0].x, points[0].y);
  for (let k = 1; k < points.length; k++) {
    const [from, to] = [points[k - 1], points[k]], half = (from.y + to.y) / 2;
    if (Math.abs(from.x - to.x) < 0.5) pen.lineTo(to.x, to.y);
    else pen.bezierCurveTo(from.x, half, to.x, half, to.x, to.y);
  }
  pen.stroke();
}

function arrow(at, colour) {
  pen.beginPath();
  pen.moveTo(at.x, at.y); pen.lineTo(at.x - 3.5, at.y - 6); pen.lineTo(at.x + 3.5, at.y - 6); pen.closePath();
  pen.fillStyle = colour; pen.fill();
}

// Where the edge begins: edges that end at one node meet there, and the shape would stand beside another's line.
function label(text, { x, y: start }) {
  const y = start + SIZE.gap / 2;
  pen.font = "10px system-ui, sans-serif"; pen.textAlign = "left"; pen.textBaseline = "middle"; pen.fillStyle = "#667085";
  pen.fillText(text, x + 4, y);
}

function nodeAt(x, y) {
  const px = (x - view.x) / view.scale, py = (y - view.y) / view.scale;
  let found = null;
  for (const node of state.seen)
    if (node !== root && px >= node.ax && px <= node.ax + node.width && py >= node.ay && py <= node.ay + node.height) found = node;
  return found;
}

// A picture of thousands of ranks would be a hair: it stays as wide as can be seen, and begins at the top.
function fit(node = root, most = 1.2) {
  const width = canvas.clientWidth, height = canvas.clientHeight;
  const whole = Math.min(most, (width - 30) / node.width, (height - 30) / node.height);
  view.scale = Math.max(whole, Math.min(most, STRIP / node.width));
  view.x = (width - node.width * view.scale) / 2 - node.ax * view.scale;
  view.y = Math.max(10, (height - node.height * view.scale) / 2) - node.ay * view.scale;
  draw();
}
