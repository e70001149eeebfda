"""A flame graph as one HTML file that needs nothing else: click to zoom, type to search."""

import html
import json
from typing import Any


def flame_page(tree: dict[str, Any], title: str) -> str:
    """The page of a tree of `name`, `seconds` and `children`.

    >>> "<title>train.py</title>" in flame_page({"name": "a step", "seconds": 1.0, "children": []}, "train.py")
    True
    """
    # `</` would end the script that the data stand in.
    data = json.dumps(tree).replace("</", "<\\/")
    return PAGE.replace("TITLE", html.escape(title)).replace("DATA", data)


PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>TITLE</title>
<style>
 body { font: 13px/1.4 system-ui, sans-serif; margin: 16px; color: #1c1c1c; background: #fff; }
 h1 { font-size: 16px; margin: 0 0 8px; } #bar { margin-bottom: 8px; display: flex; gap: 12px; align-items: center; }
 input { font: inherit; padding: 2px 6px; width: 18em; } #told { color: #555; }
 #graph { position: relative; }
 .box { position: absolute; height: 19px; box-sizing: border-box; border: 1px solid #fff; border-radius: 2px;
   overflow: hidden; white-space: nowrap; padding: 0 4px; font-size: 12px; line-height: 17px; cursor: pointer; }
 .box:hover, .box:focus { outline: 2px solid #1c1c1c; z-index: 1; } .faded { opacity: .3; }
</style></head><body>
<h1>TITLE</h1>
<div id="bar"><input id="search" type="search" placeholder="search a layer or operation"><span id="told"></span></div>
<div id="graph"></div>
<script>
const root = DATA;
const colours = { data: "#f2c14e", forward: "#7fb2e5", backward: "#e8927c", optimizer: "#9fcf8f", other: "#c9c4bd" };
const graph = document.getElementById("graph"), told = document.getElementById("told");
let shown = root, wanted = "";
function link(node, phase) {
  node.phase = phase;
  node.children.sort((a, b) => b.seconds - a.seconds);
  for (const child of node.children) { child.parent = node; link(child, phase || child.name); }
}
link(root, null);
function time(seconds) {
  return seconds >= 1 ? seconds.toFixed(2) + " s" : seconds >= 1e-3 ? (seconds * 1e3).toFixed(2) + " ms"
    : (seconds * 1e6).toFixed(0) + " µs";
}
// What the box above tells already is left out: there is little room.
function short(node) {
  const above = node.parent ? node.parent.name + "." : "";
  return (above && node.name.startsWith(above) ? node.name.slice(above.length) : node.name).replace("aten::", "");
}
function words(node) {
  const share = (100 * node.seconds / root.seconds).toFixed(1);
  return `${node.name} · ${time(node.seconds)} · ${share} % of a step`;
}
function draw() {
  graph.textContent = "";
  const width = graph.clientWidth, above = [];
  for (let node = shown.parent; node; node = node.parent) above.unshift(node);
  let deepest = 0, found = 0;
  const put = (node, left, size, depth) => {
    deepest = Math.max(deepest, depth);
    const box = document.createElement("div");
    const hit = wanted && node.name.toLowerCase().includes(wanted);
    box.className = "box" + (wanted && !hit ? " faded" : "");
    box.tabIndex = 0;
    box.style.cssText = `left:${left}px;width:${Math.max(size, 1)}px;top:${depth * 20}px;` +
      `background:${colours[node.phase] || "#ddd"}`;
    box.textContent = size > 30 ? short(node) : "";
    box.title = words(node);
    box.onclick = () => { shown = node; draw(); };
    box.onkeydown = (event) => { if (event.key === "Enter") box.onclick(); };
    box.onmouseenter = box.onfocus = () => { told.textContent = words(node); };
    graph.appendChild(box);
    return hit;
  };
  const below = (node, left, size, depth, counted) => {
    const hit = put(node, left, size, depth);
    if (hit && !counted) found += node.seconds;
    let at = left;
    for (const child of node.children) {
      const part = size * child.seconds / node.seconds;
      if (part >= 0.5) below(child, at, part, depth + 1, counted || hit);
      at += part;
    }
  };
  above.forEach((node, depth) => put(node, 0, width, depth));
  below(shown, 0, width, above.length, false);
  graph.style.height = (deepest + 1) * 20 + "px";
  const share = (100 * found / shown.seconds).toFixed(1);
  told.textContent = wanted ? `"${wanted}": ${time(found)}, ${share} %` : words(shown);
}
document.getElementById("search").oninput = (event) => { wanted = event.target.value.toLowerCase(); draw(); };
window.onresize = draw;
draw();
</script></body></html>
"""
