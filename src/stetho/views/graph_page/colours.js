// Colours: by class, or by a number on a scale of powers.
const KINDS = { input: "#e7f0fe", output: "#e7f0fe", operation: "#ffffff" };
const STOPS = [[253, 246, 227], [254, 217, 118], [253, 141, 60], [227, 26, 28], [128, 0, 38]];

function hueOf(text) {
  let sum = 7;
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 360;
  return sum;
}

function shade(part) {
  const at = Math.min(0.999, Math.max(0, part)) * (STOPS.length - 1), low = Math.floor(at), rest = at - low;
  const mixed = STOPS[low].map((value, k) => Math.round(value + (STOPS[low + 1][k] - value) * rest));
  return `rgb(${mixed.join(",")})`;
}

const measures = [...new Set(DATA.nodes.flatMap(each => Object.keys(each.numbers)))];

// The range is that of the nodes that hold no others: boxes are sums, and would leave them pale.
function scaleOf(measure) {
  const values = DATA.nodes.filter(each => each.id !== 0 && measure in each.numbers)
    .map(each => Math.abs(each.numbers[measure])).filter(value => value > 0 && isFinite(value));
  if (!values.length) return null;
  const low = values.reduce((a, b) => Math.min(a, b)), high = values.reduce((a, b) => Math.max(a, b));
  const span = Math.log(high / low) || 1;
  return { low, high, part: value => Math.log(Math.abs(value) / low) / span };
}

function fillOf(node, measure, scale) {
  if (measure !== "class") {
    const value = node.numbers[measure];
    return value === undefined || !scale || value === 0 ? "#f4f5f7" : isFinite(value) ? shade(scale.part(value)) : "#7a00cc";
  }
  if (node.about.failed) return "#fee4e2";
  return KINDS[node.kind] || `hsl(${hueOf(node.sub || node.label)} 70% ${node.open ? 97 : 92}%)`;
}

const isDark = fill => fill.startsWith("rgb(") && fill.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) < 330;

function amount(value, name) {
  if (!isFinite(value)) return String(value);
  if (name === "seconds") return value < 1e-3 ? `${(value * 1e6).toFixed(1)} µs` : value < 1 ? `${(value * 1e3).toFixed(2)} ms` : `${value.toFixed(2)} s`;
  const isBytes = name.includes("bytes"), base = isBytes ? 1024 : 1000;
  if (Math.abs(value) < base) return (Number.isInteger(value) ? String(value) : value.toPrecision(3)) + (isBytes ? " B" : "");
  const power = Math.min(4, Math.floor(Math.log(Math.abs(value)) / Math.log(base))), shown = value / base ** power;
  const number = Math.abs(shown) >= 999.5 ? String(Math.round(shown)) : shown.toPrecision(3);
  return `${number} ${isBytes ? `${" KMGT"[power]}iB` : " kMGT"[power]}`;
}
