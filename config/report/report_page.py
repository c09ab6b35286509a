# SPDX-License-Identifier: MIT
"""Makes a page of the JSON of `mpigraft report`: tables that sort, charts, nothing from a network."""

from html import escape

from page import COLOURS, FEW, counted, document, function_of, number, seconds, size, sizes, table, tiles

TIMES = """Time: time in these calls, of all ranks together. Share: of the time from the start of the ranks to
MPI_Finalize, of all jobs of the program. Min, mean and max: minimum, mean and maximum over the ranks of a rank's mean
time in such a call. Imbalance: how far the time of the rank that spent longest in these calls exceeds the mean of the
ranks. Fastest and estimated saving: what the model predicts for one rank on the machine above, in the ten
rows with the most time; the model does not price node-aware algorithms."""

NO_CALLS = "The job made no call of {} or {}, or none of its ranks could report it."


def saving_of(row):
    return row.get("model", {}).get("saving_s", 0)


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


def rows_table(rows):
    """Program and place are columns only where a row has one."""
    of_programs, placed = (any(key in row for row in rows) for key in ("program", "site"))
    heads = ["program"] * of_programs + ["collective", "ranks", "bytes", "calls", "total bytes", "time", "share", "min µs",
                                         "mean µs", "max µs", "imbalance", "ran"]
    heads += ["called at"] * placed + ["fastest by the model", "estimated saving", "reason"]
    lines = []
    for row in rows:
        time, saving, share = row["time"], saving_of(row), row["share_per_mille"]
        us = [(time[key], f"{time[key] / 1e3:,.{2 if time[key] < 1e6 else 0}f}")
              for key in ("min_call_ns", "mean_call_ns", "max_call_ns")]
        lines.append([*([row["program"]] if of_programs else []), function_of(row), number(row["ranks"]),
                      (row["bytes_min"], sizes(row)), number(row["calls"]), (row["total_bytes"], size(row["total_bytes"])),
                      (time["sum_ns"], seconds(time["sum_ns"] / 1e9)), (share, f"{share / 10:.1f}%"), *us,
                      (time["imbalance_percent"], f"{time['imbalance_percent']}%"),
                      short(row["ran"], row), *([row.get("site", "")] if placed else []),
                      short(row.get("model", {}).get("best", ""), row), (saving, seconds(saving) if saving > 0 else ""),
                      row["reason"]])
    return table("Calls", heads, lines, "time")


def short(algorithm, row):
    return algorithm.removeprefix(row["collective"] + "/")


# {title: (value of a row, how it is written)}
CHARTS = {"Time of all ranks together, by size of a call in powers of two":
              (lambda row: row["time"]["sum_ns"] / 1e9, seconds),
          "Calls, by size of a call in powers of two": (lambda row: row["calls"], "{:,.0f}".format)}


def facts_of(rows):
    calls = sum(row["calls"] for row in rows)
    grafted = calls - sum(row["calls"] for row in rows if row["ran"] == "native")
    saving = sum(max(saving_of(row), 0) for row in rows)
    return {"calls": f"{calls:,}", "of these grafted": f"{100 * grafted / (calls or 1):.0f}%",
             "in them, all ranks together": seconds(sum(row["time"]["sum_ns"] for row in rows) / 1e9),
             "of one rank's time could be saved, as the model estimates": seconds(saving) if saving else "none"}


def jobs_table(report):
    heads = ["program", "job", "user", "begun", "ranks", "wall time", "hosts", "first hosts", "command"]
    lines = [[job["program"], job["id"], job["user"], job["date"], number(job["ranks"]),
              (job["time"]["max_ns"], seconds(job["time"]["max_ns"] / 1e9)), number(len(job["hosts"])),
              ", ".join(job["hosts"][:FEW]), job["command"]]
             for job in sorted(report["jobs"], key=lambda job: -job["time"]["max_ns"])]
    return f"<h2>Jobs</h2>\n{table('Jobs', heads, lines, 'wall time')}"


def names_of(report):
    return [entry["name"] for entry in report["collectives"]]


def colours(names):
    return "".join(f".{name} {{ background: var(--colour-{i % COLOURS}) }}\n" for i, name in enumerate(names))


def calls(report, rows):
    if not rows:
        *functions, last = (entry["function"] for entry in report["collectives"])
        return f"<h2>No calls</h2>\n<p>{NO_CALLS.format(', '.join(functions), last)}</p>"
    charts = "".join(chart(title, by_size(rows, value), shown, names_of(report))
                     for title, (value, shown) in CHARTS.items())
    return f"""<div class="charts">{charts}</div>
<h2>Calls</h2>
<p>{TIMES}</p>
{rows_table(rows)}"""


def content(report, rows):
    notes = "\n".join(f"<p>{escape(note)}</p>" for note in report["notes"])
    return f"""{tiles(facts_of(rows)) if rows else ""}
{notes}
{calls(report, rows)}
{jobs_table(report) if report["jobs"] else ""}"""


def page(report):
    rows = [row for row in report["rows"] if row["calls"] > 0 or "site" in row]
    machine = ", ".join(f"{name} {value}" for name, value in report["machine"].items())
    told = (f"mpigraft {report['mpigraft']}; {report['reporting']:,} of {counted(report['ranks'], 'rank')}; "
            f"table {report['table']}; machine: {machine}")
    return document(report["program"], "report", told, content(report, rows), colours(names_of(report)))
