# SPDX-License-Identifier: MIT
"""Makes a page of the JSON of `mpigraft compare`: the time of every launch, of every kind of call in each launch, and a table
of all calls."""

from html import escape
from statistics import median

from page import COLOURS, counted, document, function_of, number, seconds, sizes, table, tiles

WIDTH, LEFT, ROW, ABOVE, BELOW = 520, 130, 30, 8, 24  # of a figure and its margins, in pixels
FIGURES = 8  # kinds of calls that get one
HEADS = ("call", "ranks", "bytes", "calls", "native", "grafted", "native / native", "native / grafted", "verdict", "ran")
TOLD = """A dot is a launch, a line their median. Wall times are those of launches without a report; native ones had no
mpigraft in them. Times of calls are means over calls and ranks, from launches with a report. Ratios are of medians."""
STYLE = "figure circle { stroke-width: 1.5; fill-opacity: .25 }\n"


def figure(caption, arms):
    """Dots for the seconds of each launch, from 0 on: {arm: seconds}."""
    top = max(max(times) for times in arms.values()) or 1
    height = ABOVE + ROW * len(arms) + BELOW

    def x(value):
        return LEFT + (WIDTH - LEFT - 20) * value / top

    lines = []
    for quarter in range(5):
        at = x(top * quarter / 4)
        lines.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{ABOVE}" y2="{height - BELOW}"/>'
                     f'<text x="{at:.1f}" y="{height - 6}" text-anchor="middle">{seconds(top * quarter / 4)}</text>\n')
    for place, (arm, times) in enumerate(arms.items()):
        y, colour = ABOVE + ROW * (place + .5), f"var(--colour-{place % COLOURS})"
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(arm)}</text>\n')
        lines += [f'<circle cx="{x(time):.1f}" cy="{y:.1f}" r="5" style="stroke:{colour};fill:{colour}">'
                  f'<title>{escape(arm)}, launch {launch}: {seconds(time)}</title></circle>\n'
                  for launch, time in enumerate(times, 1)]
        middle = x(median(times))
        lines.append(f'<line x1="{middle:.1f}" x2="{middle:.1f}" y1="{y - 11:.1f}" y2="{y + 11:.1f}" style="stroke:{colour}">'
                     f'<title>{escape(arm)}, median: {seconds(median(times))}</title></line>\n')
    return (f'<figure><figcaption>{escape(caption)}</figcaption>\n<svg class="launches" viewBox="0 0 {WIDTH} {height}" '
            f'role="img" aria-label="{escape(caption)}">\n{"".join(lines)}</svg></figure>')


def figures(comparison):
    arms = {arm: times for arm, times in comparison["wall_s"].items() if times}
    made = [figure("Wall time of launches", arms)] if arms else []
    for call in comparison["calls"][:FIGURES]:
        caption = f"{function_of(call)}, {sizes(call)}, {call['ranks']:,} ranks: time of a call in each launch"
        made.append(figure(caption, {arm: [us / 1e6 for us in call[f"{arm}_us"]] for arm in ("native", "grafted")}))
    return "".join(made)


def rows_of(calls):
    for call in calls:
        times = [median(call[f"{arm}_us"]) / 1e6 for arm in ("native", "grafted")]
        ran = ", ".join(sorted(call["ran"], key=call["ran"].get, reverse=True))
        yield [function_of(call), number(call["ranks"]), (call["bytes_min"], sizes(call)), number(call["calls"]),
               *((time, seconds(time)) for time in times),
               *((call[key], f"{call[key]:.2f}") for key in ("null_ratio", "ratio")), call["verdict"], ran]


def facts_of(comparison):
    wall = comparison["wall"]
    return {"verdict": comparison["verdict"]} | (
        {"native / grafted, wall time": f"{wall['ratio']:.2f}", "native / native": f"{wall['null_ratio']:.2f}"} if wall else {})


def page(comparison):
    lines = [*comparison["told"], *comparison["notes"]]
    output = comparison["output"]
    lines.append(f"output: {output['verdict']}" + (f"; {output['difference']}" if output["difference"] else ""))
    told = "".join(f"<p>{escape(line)}</p>\n" for line in lines)
    calls = f"<h2>Calls</h2>\n{table('Calls', HEADS, list(rows_of(comparison['calls'])))}" if comparison["calls"] else ""
    body = (f'{tiles(facts_of(comparison))}\n{told}<h2>Launches</h2>\n<p>{TOLD}</p>\n'
            f'<div class="charts">{figures(comparison)}</div>\n{calls}')
    where = f"{counted(comparison['ranks'], 'rank')}; {comparison['launches']} launches; {comparison['mpigraft']}"
    return document(" ".join(comparison["program"]), "compare", where, body, STYLE)
