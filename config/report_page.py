#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the JSON of `mpigraft report` (stdin) as a page into a file: tables that sort, charts, nothing from a network."""

import json
import sys
from collections import defaultdict
from html import escape

COLLECTIVES = {"scan": "#3b6fb6", "exscan": "#d9822b", "bcast": "#3a9a6b", "reduce": "#a4509a"}

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --quiet: #5d6879; --line: #d8dde5; --ground: #fff; --raised: #f5f7fa }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e8ee; --quiet: #9aa5b5; --line: #39424f; --ground: #161b22; --raised: #1e252e }
}
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground); margin: 2rem auto;
       max-width: 1180px; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: .2rem } h2 { font-size: 1.1rem; margin: 2rem 0 .6rem }
p, figcaption { color: var(--quiet); margin: .2rem 0 }
.tiles, .charts { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1.2rem 0 }
.tile { background: var(--raised); border-radius: 8px; padding: .7rem 1.1rem; min-width: 9rem }
.tile b { display: block; font-size: 1.4rem } .tile span { color: var(--quiet) }
figure { margin: 0; background: var(--raised); border-radius: 8px; padding: .8rem }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap }
.number { text-align: right } .why { white-space: normal; min-width: 12rem }
th { cursor: pointer; user-select: none; position: sticky; top: 0; background: var(--ground) }
th[aria-sort=ascending]::after { content: " \\25b4" } th[aria-sort=descending]::after { content: " \\25be" }
text { fill: var(--quiet); font: 11px system-ui, sans-serif }
"""

# A click on a column's head sorts by it, another one the other way round.
SCRIPT = """
for (const head of document.querySelectorAll("th")) head.addEventListener("click", () => {
  const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = row => row.cells[column].dataset.key ?? row.cells[column].textContent;
  const order = (a, b) => head.className === "number" ? key(a) - key(b) : key(a).localeCompare(key(b));
  body.append(...[...body.rows].sort((a, b) => down ? order(b, a) : order(a, b)));
});
"""

FOLLOW = """<h2>A call on the result of the one before</h2>
<p>Where the first operator distributes over the second, one call on pairs does both (Gorlatch, Lengauer 1997).</p>"""


def size(count):
    for unit in ("", " KiB", " MiB", " GiB"):
        if count < 1024 or unit == " GiB":
            return f"{count:.4g}{unit}"
        count /= 1024


def table(heads, rows):
    """heads: {title: "number", "" or "why"}; a number is a pair of what sorts and what is shown."""
    text = "".join(f'<th scope="col" class="{kind}">{escape(title)}</th>' for title, kind in heads.items())
    lines = []
    for row in rows:
        cells = []
        for cell, kind in zip(row, heads.values()):
            if kind == "number":
                cells.append(f'<td class="number" data-key="{cell[0]}">{escape(cell[1])}</td>')
            else:
                cells.append(f'<td class="{kind}">{escape(cell)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>\n")
    return f'<div class="scroll"><table>\n<thead><tr>{text}</tr></thead>\n<tbody>\n{"".join(lines)}</tbody></table></div>'


def chart(caption, columns, shown):
    """Stacked columns: {label: {collective: value}}, and how a value is written."""
    width, height, left, foot = max(320, 46 * len(columns) + 80), 240, 66, 34
    top = max((sum(parts.values()) for parts in columns.values()), default=0) or 1
    marks = [f'<text x="{left - 6}" y="{14 + (height - foot - 14) * (1 - part)}" text-anchor="end">'
             f"{escape(shown(top * part))}</text>" for part in (0, 0.5, 1)]
    step = (width - left - 10) / max(len(columns), 1)
    for number, (label, parts) in enumerate(columns.items()):
        x, y = left + step * number + step * 0.15, height - foot
        for collective, value in parts.items():
            tall = (height - foot - 14) * value / top
            y -= tall
            marks.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{step * 0.7:.1f}" height="{tall:.1f}" '
                         f'fill="{COLLECTIVES[collective]}"><title>{escape(f"{collective}, {label}: {shown(value)}")}'
                         "</title></rect>")
        marks.append(f'<text x="{x + step * 0.35:.1f}" y="{height - foot + 15}" text-anchor="middle">'
                     f"{escape(label)}</text>")
    x = left
    for collective, colour in COLLECTIVES.items():
        marks.append(f'<rect x="{x}" y="{height - 10}" width="9" height="9" fill="{colour}"/>'
                     f'<text x="{x + 13}" y="{height - 2}">{collective}</text>')
        x += 62
    return (f'<figure><svg role="img" aria-label="{escape(caption)}" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}">{"".join(marks)}</svg><figcaption>{escape(caption)}</figcaption></figure>')


def by_size(rows, value):
    columns = {}
    for row in sorted(rows, key=lambda row: row["bytes_min"]):
        label = size(1 << max(row["bytes_min"].bit_length() - 1, 0))
        part = columns.setdefault(label, defaultdict(float))
        part[row["collective"]] += value(row)
    return columns


def seconds(value):
    for scale, unit in ((1, "s"), (1e-3, "ms")):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value * 1e6:.3g} us"


def rows_table(rows):
    heads = {"collective": "", "ranks": "number", "bytes": "number", "calls": "number", "total bytes": "number",
             "min us": "number", "mean us": "number", "max us": "number", "imbalance": "number", "ran": "", "why": "why",
             "fastest by the model": "", "saving": "number"}
    lines = []
    for row in rows:
        time, model = row["time"], row.get("model", {})
        sizes = str(row["bytes_min"]) if row["bytes_min"] == row["bytes_max"] else f"{row['bytes_min']}-{row['bytes_max']}"
        us = [(time[key], f"{time[key] / 1e3:.2f}") for key in ("min_call_ns", "mean_call_ns", "max_call_ns")]
        saving = model.get("saving_s", 0)
        lines.append([row["collective"], (row["ranks"], str(row["ranks"])), (row["bytes_min"], sizes),
                      (row["calls"], str(row["calls"])), (row["total_bytes"], size(row["total_bytes"])), *us,
                      (time["imbalance_percent"], f"{time['imbalance_percent']}%"), row["ran"], row["why"],
                      model.get("best", ""), (saving, seconds(saving) if saving > 0 else "")])
    return table(heads, lines)


def pairs_table(pairs):
    heads = {"call": "", "next call, of its result": "", "the first operator": "", "ranks": "number",
             "bytes": "number", "times": "number", "saving by one call on pairs": "number"}
    lines = []
    for pair in pairs:
        saving = pair.get("saving_s", 0)
        lines.append([f"{pair['first']} by {pair['first_operator']}", f"{pair['second']} by {pair['second_operator']}",
                      "distributes over the second" if pair["distributes"] else "may distribute over the second",
                      (pair["ranks"], str(pair["ranks"])), (pair["bytes_min"], str(pair["bytes_min"])),
                      (pair["calls"], str(pair["calls"])), (saving, seconds(saving) if saving > 0 else "")])
    return table(heads, lines)


def page(report):
    rows = [row for row in report["rows"] if row["calls"] > 0]
    pairs = [pair for pair in report["pairs"] if pair["calls"] > 0]
    calls = sum(row["calls"] for row in rows)
    native = sum(row["calls"] for row in rows if row["ran"] == "native")
    saving = sum(row.get("model", {}).get("saving_s", 0) for row in rows)
    rank_seconds = sum(row["time"]["sum_ns"] for row in rows) / 1e9
    machine = ", ".join(f"{name} {value}" for name, value in report["machine"].items())
    tiles = {"calls": f"{calls:,}", "of these grafted": f"{100 * (calls - native) / max(calls, 1):.0f}%",
             "in them, over all ranks": seconds(rank_seconds), "saving by the model": seconds(saving) if saving else "none"}
    boxes = "".join(f'<div class="tile"><b>{escape(value)}</b><span>{escape(name)}</span></div>'
                    for name, value in tiles.items())
    charts = (chart("calls, by the bytes of a call", by_size(rows, lambda row: row["calls"]), lambda v: f"{v:.4g}")
              + chart("time over all ranks, by the bytes of a call",
                      by_size(rows, lambda row: row["time"]["sum_ns"] / 1e9), seconds))
    follow = f"{FOLLOW}\n{pairs_table(pairs)}" if pairs else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>{escape(report['program'])}: mpigraft report</title><style>{STYLE}</style></head>
<body>
<h1>{escape(report['program'])}</h1>
<p>mpigraft {escape(report['mpigraft'])}; {report['reporting']} of {report['ranks']} ranks; table
{escape(report['table'])}; machine: {escape(machine)}</p>
<div class="tiles">{boxes}</div>
<div class="charts">{charts}</div>
<h2>Calls</h2>
<p>A column sorts by a click. Times are the mean of a rank's calls: of the rank where it is least, of all, of the one
where it is most. Imbalance: by how much the rank that was longest in all these calls exceeds the mean. Saving: of the
ten rows with the most time, as the model predicts it for the machine above.</p>
{rows_table(rows)}
{follow}
<script>{SCRIPT}</script>
</body>
</html>
"""


def main():
    text = page(json.load(sys.stdin))
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
