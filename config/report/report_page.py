#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the JSON of `mpigraft report` (stdin) as a page into a file: tables that sort, charts, nothing from a network."""

import sys
from html import escape

sys.dont_write_bytecode = True  # beside an installed script
from page import COLOURS, document, seconds, size, table, write  # noqa: E402

LATE_ROWS = 10  # that are drawn

TIMES = """Time: time in these calls, of all ranks together. Min, mean and max: minimum, mean and maximum over the
ranks of a rank's mean time in such a call. Imbalance: how far the time of the rank that spent longest in these calls
exceeds the mean of the ranks. Fastest and saving: what the model predicts for one rank on the machine above, in the ten
rows with the most time; the model does not price node-aware algorithms."""

FOLLOW = """One call can do what both do. The calls of mpigraft.h need a first operator that distributes over the second
(Gorlatch, Lengauer 1997)."""

LATE = """The kinds of calls in which ranks waited longest for the one that came last. A rank waits only if it
cannot leave before that one has come: in a broadcast the others wait for the root, in a reduction the root waits for
all, and in a scan the ranks above wait. Times are of all ranks together{}."""

NO_CALLS = "The job made no call of {} or {}, or none of its ranks could report it."


def saving_of(row):
    return row.get("model", row).get("saving_s", 0)


def chart(caption, bars, shown, collectives):
    """A bar for each {label: {collective: value}}, and how a value is written."""
    top = max(sum(parts.values()) for parts in bars.values()) or 1
    present = [name for name in collectives if any(name in parts for parts in bars.values())]
    legend = "".join(f'<span><i class="{name}"></i>{name}</span>' for name in present)
    lines = []
    for label, parts in bars.items():
        pieces = "".join(f'<i class="{name}" style="width:{100 * parts[name] / top:.2f}%" '
                         f'title="{name}, {label}: {shown(parts[name])}"></i>' for name in present if name in parts)
        lines.append(f"<span>{label}</span><div>{pieces}</div><span>{shown(sum(parts.values()))}</span>\n")
    return (f'<figure><figcaption>{caption}</figcaption><div class="legend">{legend}</div>\n'
            f'<div class="bars">\n{"".join(lines)}</div></figure>')


def by_size(rows, value):
    """One bar for the sizes between two powers of two."""
    bars = {}
    for row in sorted(rows, key=lambda row: row["bytes_min"]):
        bits = row["bytes_min"].bit_length()
        part = bars.setdefault(size(1 << bits - 1 if bits else 0), {})
        part[row["collective"]] = part.get(row["collective"], 0) + value(row)
    return bars


def sizes_of(row):
    least = size(row["bytes_min"])
    if row["bytes_min"] == row["bytes_max"]:
        return least
    return f"{least.removesuffix(' B')} – {size(row['bytes_max'])}"


def waiting_of(row):
    """The share of the time in these calls that ranks waited for the last, as far as they were compared."""
    late = row.get("late")
    return late["waited_ns"] / late["time_ns"] if late and late["time_ns"] else 0


def waited_seconds(row):
    return waiting_of(row) * row["time"]["sum_ns"] / 1e9


def late_chart(row):
    """Two bars for each rank: the share of the calls to which it came last, and of the time that others waited for
    it."""
    late = row["late"]
    caption = f"{row['collective']}, {row['ranks']:,} ranks, {sizes_of(row)}, {short(row['ran'], row)}"
    caption += f", at {row['site']}" if "site" in row else ""
    others = late["others"]
    ranks = [(f"rank {one['rank']}", one) for one in late["ranks"]]
    ranks += [(f"{others['ranks']:,} other{'s' * (others['ranks'] > 1)}", others)] if others["ranks"] else []
    lines = []
    for label, one in ranks:
        last, waited = one["last"] / late["calls"], one["waited_ns"] / (late["waited_ns"] or 1)
        told = f"{last:.0%} of the calls, {seconds(waited * waited_seconds(row))}"
        lines.append(f'<span>{label}</span><div title="{label}: {told}"><i class="came" style="width:{last:.2%}"></i>'
                     f'<i class="waited" style="width:{waited:.2%}"></i></div><span>{told}</span>\n')
    return (f"<figure><figcaption>{escape(caption)}</figcaption>\n<p>{waiting_of(row):.0%} of "
            f"{seconds(row['time']['sum_ns'] / 1e9)} was waiting for the last</p>\n"
            f'<div class="bars late">\n{"".join(lines)}</div></figure>')


def late_ranks(rows):
    late = sorted((row for row in rows if waiting_of(row)), key=lambda row: -waited_seconds(row))[:LATE_ROWS]
    if not late:
        return ""
    sampled = any(row["late"]["calls"] < row["time"]["calls"] for row in late)
    legend = ('<div class="legend"><span><i class="came"></i>calls to which it came last</span>'
              '<span><i class="waited"></i>time of waiting for it</span></div>')
    text = LATE.format(", as they are in a sample of the calls" if sampled else "")
    return (f"<h2>Late ranks</h2>\n<p>{text}</p>\n{legend}\n"
            f'<div class="charts">{"".join(map(late_chart, late))}</div>')


def rows_table(rows):
    """Waiting and places are columns only where a row has them."""
    compared, placed = (any(key in row for row in rows) for key in ("late", "site"))
    heads = {"collective": "", "ranks": "number", "bytes": "number", "calls": "number", "total bytes": "number",
             "time": "number", "min µs": "number", "mean µs": "number", "max µs": "number", "imbalance": "number",
             **({"waiting": "number"} if compared else {}), "ran": "", **({"called at": ""} if placed else {}),
             "fastest by the model": "", "saving": "number", "why": ""}
    lines = []
    for row in sorted(rows, key=lambda row: -row["time"]["sum_ns"]):
        time, saving = row["time"], saving_of(row)
        us = [(time[key], f"{time[key] / 1e3:,.{2 if time[key] < 1e6 else 0}f}")
              for key in ("min_call_ns", "mean_call_ns", "max_call_ns")]
        function = ("i" if row.get("nonblocking") else "") + row["collective"]
        lines.append([function, (row["ranks"], f"{row['ranks']:,}"), (row["bytes_min"], sizes_of(row)),
                      (row["calls"], f"{row['calls']:,}"), (row["total_bytes"], size(row["total_bytes"])),
                      (time["sum_ns"], seconds(time["sum_ns"] / 1e9)), *us,
                      (time["imbalance_percent"], f"{time['imbalance_percent']}%"),
                      *([(waiting_of(row), f"{waiting_of(row):.0%}" if "late" in row else "")] if compared else []),
                      short(row["ran"], row), *([row.get("site", "")] if placed else []),
                      short(row.get("model", {}).get("best", ""), row), (saving, seconds(saving) if saving > 0 else ""),
                      row["why"]])
    return table("Calls", heads, lines, "time")


def short(algorithm, row):
    return algorithm.removeprefix(row["collective"] + "/")


def called(pair, which):
    operator = pair[which + "_operator"]
    return f"{pair[which]} by {operator}" if operator else pair[which]


def one_call(pair):
    is_certain = pair["distributes"] or not pair["second_operator"]
    return pair["one_call"] + ("" if is_certain else ", if the first operator distributes")


def pairs_table(pairs):
    heads = {"call": "", "next call, of its result": "", "one call": "", "ranks": "number", "bytes": "number",
             "times": "number", "saving by one call": "number"}
    lines = []
    for pair in sorted(pairs, key=lambda pair: -saving_of(pair)):
        saving = saving_of(pair)
        lines.append([called(pair, "first"), called(pair, "second"), one_call(pair),
                      (pair["ranks"], f"{pair['ranks']:,}"), (pair["bytes_min"], size(pair["bytes_min"])),
                      (pair["calls"], f"{pair['calls']:,}"), (saving, seconds(saving) if saving > 0 else "")])
    return table("Calls on a result", heads, lines, "saving by one call")


# {title: (value of a row, how it is written)}
CHARTS = {"Time of all ranks together, by size of a call in powers of two":
              (lambda row: row["time"]["sum_ns"] / 1e9, seconds),
          "Calls, by size of a call in powers of two": (lambda row: row["calls"], "{:,.0f}".format)}


def tiles_of(rows):
    calls = sum(row["calls"] for row in rows)
    grafted = calls - sum(row["calls"] for row in rows if row["ran"] == "native")
    saving = sum(max(saving_of(row), 0) for row in rows)
    tiles = {"calls": f"{calls:,}", "of these grafted": f"{100 * grafted / (calls or 1):.0f}%",
             "in them, all ranks together": seconds(sum(row["time"]["sum_ns"] for row in rows) / 1e9),
             "of one rank's time saved, by the model": seconds(saving) if saving else "none"}
    return "".join(f"<div><b>{value}</b><span>{name}</span></div>" for name, value in tiles.items())


def verified_line(report):
    """The outcomes of the calls that MPIGRAFT_VERIFY ran natively too."""
    verdicts = ", ".join(f"{count:,} {name}" for name, count in report["verified"].items() if count)
    return f"<p>Verified calls: {verdicts}</p>" if verdicts else ""


def set_up_line(report):
    """The price of the communicators' set-up; earlier reports do not have it."""
    found = report.get("set_up", {"communicators": 0, "too_few_calls": 0})
    if not found["communicators"] + found["too_few_calls"]:
        return ""
    mean, most, due = (seconds(ns / 1e9) for ns in (found["time"]["mean_ns"], found["time"]["max_ns"],
                                                     found["due_after_native_ns"]))
    return (f"<p>Communicators set up: {found['communicators']:,}; a rank spent {mean} on it, {most} at most. Not set up, "
            f"as calls were too few: {found['too_few_calls']:,}; it is due after {due} of native calls.</p>")


def names_of(report):
    return [entry["name"] for entry in report["collectives"]]


def colours(names):
    return "".join(f".{name} {{ background: var(--colour-{i % COLOURS}) }}\n" for i, name in enumerate(names))


def learned_lines(report):
    lines = "\n".join(f"<li>{escape(line)}</li>" for line in report.get("learned", []))
    return f"<h2>What the job has learned</h2>\n<ul>\n{lines}\n</ul>" if lines else ""


def content(report, rows, pairs):
    if not rows:
        *functions, last = (entry["function"] for entry in report["collectives"])
        return f"<h2>No calls</h2>\n<p>{NO_CALLS.format(', '.join(functions), last)}</p>"
    follow = f"<h2>A call on the result of the one before</h2>\n<p>{FOLLOW}</p>\n{pairs_table(pairs)}" if pairs else ""
    charts = "".join(chart(title, by_size(rows, value), shown, names_of(report))
                     for title, (value, shown) in CHARTS.items())
    return f"""<div class="tiles">{tiles_of(rows)}</div>
{verified_line(report)}
{set_up_line(report)}
<div class="charts">{charts}</div>
{late_ranks(rows)}
<h2>Calls</h2>
<p>{TIMES}</p>
{rows_table(rows)}
{follow}
{learned_lines(report)}"""


def page(report):
    rows = [row for row in report["rows"] if row["calls"] > 0 or "site" in row]
    pairs = [pair for pair in report["pairs"] if pair["calls"] > 0]
    machine = ", ".join(f"{name} {value}" for name, value in report["machine"].items())
    told = (f"mpigraft {report['mpigraft']}; {report['reporting']:,} of {report['ranks']:,} ranks; table "
            f"{report['table']}; machine: {machine}")
    return document(report["program"], "report", told, content(report, rows, pairs), colours(names_of(report)))


if __name__ == "__main__":
    write(page)
