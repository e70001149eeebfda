// From ranks to places: boxes are as large as what is open in them, ranks are stacked, columns stay straight.
const ENTRY = -1, EXIT = -2;
const SIZE = { letter: 7, least: 56, most: 230, high: 20, higher: 34, gap: 26, beside: 16, border: 12, head: 22, slot: 10, near: 10 };

const nodes = new Map(DATA.nodes.map(each => [each.id, { ...each, open: false, children: [] }]));
for (const node of nodes.values()) if (node.parent !== null) nodes.get(node.parent).children.push(node);
const root = nodes.get(0);
const levelOf = node => DATA.levels[node.id];
const canOpen = node => node.kind === "layer" && node.children.length > 0;

function depthOf(node) {
  let depth = 0;
  for (let at = node; at.parent !== null; at = nodes.get(at.parent)) depth += 1;
  return depth;
}

// A layer that is one operation says no more when it is open; one that only counts calls is joined to nothing.
const joined = new Set(DATA.edges.flatMap(([source, target]) => [source, target]));
const isPlain = node => node.children.every(child => child.kind === "operation")
  && (node.children.length === 1 || node.children.filter(child => joined.has(child.id)).length === 1);

function openTo(depth, detailed) {
  for (const node of nodes.values())
    node.open = node === root || (canOpen(node) && depthOf(node) < depth && (detailed || !isPlain(node)));
}

// The size of a node, and for open boxes the places of everything inside, relative to the box.
function measure(node) {
  if (!node.open) {
    const sub = node.kind === "operation" ? "" : node.sub;
    const longest = Math.max(node.label.length, sub.length * 0.86) * SIZE.letter + 20;
    node.width = Math.min(SIZE.most, Math.max(SIZE.least, longest));
    node.height = sub ? SIZE.higher : SIZE.high;
    return;
  }
  node.children.forEach(measure);
  const level = levelOf(node), columns = new Map(), width = item => widthOf(item);
  const xs = [...new Set(level.ranks.flat().map(([, x]) => x))].sort((a, b) => a - b);
  const limits = new Map(xs.map(x => [x, []]));
  for (const rank of level.ranks)
    for (let k = 1; k < rank.length; k++) {
      const [[left, from], [right, to]] = [rank[k - 1], rank[k]];
      limits.get(to).push([from, (width(left) + width(right)) / 2 + SIZE.beside]);
    }
  let before = 0;
  for (const x of xs) {
    const least = limits.get(x).map(([from, apart]) => columns.get(from) + apart);
    before = Math.max(before, ...least);
    columns.set(x, before);
  }
  stack(node, level, columns);
}

function widthOf(item) { return item >= 0 ? nodes.get(item).width : SIZE.slot; }

function stack(node, level, columns) {
  let left = Infinity, right = -Infinity;
  for (const rank of level.ranks)
    for (const [item, x] of rank) {
      left = Math.min(left, columns.get(x) - widthOf(item) / 2);
      right = Math.max(right, columns.get(x) + widthOf(item) / 2);
    }
  const label = node === root ? 0 : (node.label.length + node.sub.length) * SIZE.letter + 40;
  const inner = Math.max(right - left, label);
  const shift = SIZE.border - left + (inner - (right - left)) / 2;
  const ends = rank => rank.some(([item]) => item === ENTRY || item === EXIT);
  let y = level.ranks.length && ends(level.ranks[0]) ? SIZE.head : SIZE.border;
  node.points = new Map();
  level.ranks.forEach((rank, number) => {
    const tall = Math.max(0, ...rank.map(([item]) => (item >= 0 ? nodes.get(item).height : 0)));
    for (const [item, x] of rank) {
      const middle = columns.get(x) + shift;
      if (item >= 0) {
        const child = nodes.get(item);
        child.x = middle - child.width / 2;
        child.y = y + (tall - child.height) / 2;
      }
      node.points.set(item, { x: middle, top: y, bottom: y + tall });
    }
    const next = level.ranks[number + 1];
    y += tall + (!next ? 0 : ends(rank) || ends(next) ? SIZE.near : SIZE.gap);
  });
  node.width = inner + 2 * SIZE.border;
  node.height = y + (level.ranks.length && ends(level.ranks.at(-1)) ? 0 : SIZE.border);
}

// Absolute places of everything that can be seen, and the ends of edges.
function settle(node, x, y, seen) {
  node.ax = x; node.ay = y;
  seen.push(node);
  if (node.open) for (const child of node.children) settle(child, x + child.x, y + child.y, seen);
}

const topOf = node => ({ x: node.ax + (node.open && node.points.has(ENTRY) ? node.points.get(ENTRY).x : node.width / 2), y: node.ay });
const bottomOf = node => ({ x: node.ax + (node.open && node.points.has(EXIT) ? node.points.get(EXIT).x : node.width / 2), y: node.ay + node.height });

// From one node to another: straight down to the end of its rank, through the slots, straight down from the next rank.
function routePoints(box, [source, target, , slots]) {
  const inside = item => { const p = box.points.get(item); return { x: box.ax + p.x, top: box.ay + p.top, bottom: box.ay + p.bottom }; };
  const points = [];
  if (source === ENTRY) points.push({ x: inside(ENTRY).x, y: box.ay });
  else { const start = bottomOf(nodes.get(source)); points.push(start, { x: start.x, y: inside(source).bottom }); }
  for (const slot of slots) { const p = inside(slot); points.push({ x: p.x, y: p.top }, { x: p.x, y: p.bottom }); }
  if (target === EXIT) points.push({ x: inside(EXIT).x, y: box.ay + box.height });
  else { const end = topOf(nodes.get(target)); points.push({ x: end.x, y: inside(target).top }, end); }
  return points;
}

function place() {
  measure(root);
  const seen = [];
  settle(root, 0, 0, seen);
  return seen;
}
