"""How the page of a data pipeline looks, in light and in dark."""

STYLE = """
.stetho-data { --ink: #1d2430; --dim: #667085; --line: #d9dee7; --back: #fff; --card: #f6f8fb; --mark: #2f6fde;
  --bad: #c0262d; color: var(--ink); background: var(--back); font: 14px/1.5 system-ui, sans-serif;
  max-width: 1200px; margin: 0 auto; padding: 24px; }
@media (prefers-color-scheme: dark) { .stetho-data { --ink: #e6e9ef; --dim: #98a2b3; --line: #333b48;
  --back: #14181f; --card: #1c222c; --mark: #7aa7ff; --bad: #ff7b7b; } body { background: #14181f; } }
body { margin: 0; }
.stetho-data h1 { font-size: 22px; margin: 0; } .stetho-data .lead { color: var(--dim); margin: 2px 0 12px; }
.stetho-data h2 { font-size: 16px; margin: 28px 0 8px; border-bottom: 1px solid var(--line); padding-bottom: 4px; }
.stetho-data h3 { font-size: 14px; margin: 12px 0 4px; }
.stetho-data dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; margin: 0; }
.stetho-data dt { color: var(--dim); } .stetho-data dd { margin: 0; }
.stetho-data .bad h2, .stetho-data .bad h3 { color: var(--bad); }
.stetho-data pre { background: var(--card); padding: 12px; overflow-x: auto; border-radius: 6px;
  font: 12px/1.45 ui-monospace, monospace; }
.stetho-data .wide { overflow-x: auto; }
.stetho-data table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.stetho-data .wide td, .stetho-data .wide th { padding: 3px 14px 3px 0; text-align: right; white-space: pre;
  border-bottom: 1px solid var(--line); }
.stetho-data .wide .text { text-align: left; } .stetho-data th { font-weight: 500; color: var(--dim); }
.stetho-data .grid { display: flex; flex-wrap: wrap; gap: 12px; margin: 8px 0 16px; align-items: flex-start; }
.stetho-data figure { margin: 0; background: var(--card); border-radius: 6px; padding: 8px; max-width: 100%; }
.stetho-data figcaption { font-size: 12px; margin-top: 4px; }
.stetho-data figcaption th, .stetho-data figcaption td { text-align: left; padding: 0 8px 0 0; vertical-align: top;
  max-width: 220px; overflow-wrap: anywhere; }
.stetho-data img { image-rendering: pixelated; display: block; border-radius: 3px; max-width: 100%; height: auto; }
.stetho-data svg { display: block; } .stetho-data polygon { fill: var(--mark); stroke: var(--mark); stroke-width: 1; }
.stetho-data small { color: var(--dim); display: block; }
.stetho-data .words { max-width: 320px; overflow-wrap: anywhere; }
.stetho-data .faded { color: var(--dim); opacity: .55; }
.stetho-data .bars td:nth-child(2) { width: 320px; } .stetho-data .bars th { text-align: right; padding-right: 10px; }
.stetho-data .bars i { display: block; height: 11px; background: var(--mark); border-radius: 2px; min-width: 1px; }
.stetho-data .bars td:last-child { padding-left: 10px; text-align: right; }
"""
