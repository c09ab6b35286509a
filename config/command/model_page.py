# SPDX-License-Identifier: MIT
"""Makes a page of the JSON of `mpigraft model`: time over bytes, in a panel for each collective and
number of ranks, and a table of all figures."""

import math
from html import escape

from page import COLOURS, counted, document, number, seconds, size, table

WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 520, 300, 60, 24, 10  # of a panel and its margins, in pixels
LABELS = 6  # at most, on the axis of bytes
BOUND = "lower bound"
DASHES = ("", "7 3", "2 3")  # with the colours more pairs than there are algorithms
HEADS = ("collective", "ranks", "bytes", "algorithm", "predicted", "over the bound", "segment")


def panels_of(cells):
    """{(collective, ranks): {curve: [(bytes, seconds)]}}, the bound as a curve of its own."""
    panels = {}
    for cell in cells:
        curves = panels.setdefault((cell["collective"], cell["ranks"]), {BOUND: []})
        curves[BOUND].append((cell["bytes"], cell["lower_bound_s"]))
        for one in cell["algorithms"]:
            if one["predicted_s"] is not None:
                name = one["algorithm"].split("/")[1]
                curves.setdefault(name, []).append((cell["bytes"], one["predicted_s"]))
    return panels


class Axes:
    """Logarithmic axes. Bytes and times of 0 have no place there, and count as the least that has."""

    def __init__(self, curves):
        points = [point for curve in curves.values() for point in curve]
        self.sizes = sorted({max(size_, 1) for size_, _ in points})
        times = [time for _, time in points if time > 0] or [1e-6]
        self.low, self.high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)))
        self.high = max(self.high, self.low + 1)

    def x(self, count):
        first, last = math.log(self.sizes[0]), math.log(self.sizes[-1])
        return LEFT + (WIDTH - LEFT - 20) * (math.log(max(count, 1)) - first) / ((last - first) or 1)

    def y(self, time):
        height = HEIGHT - BELOW - ABOVE
        return ABOVE + height * (self.high - math.log10(max(time, 10 ** self.low))) / (self.high - self.low)

    def lines(self):
        for power in range(self.low, self.high + 1):
            y = self.y(10 ** power)
            yield (f'<line class="grid" x1="{LEFT}" x2="{WIDTH - 20}" y1="{y:.1f}" y2="{y:.1f}"/>'
                   f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{label(10 ** power)}</text>\n')
        for count in self.sizes[::-(-len(self.sizes) // LABELS)]:
            yield f'<text x="{self.x(count):.1f}" y="{HEIGHT - 6}" text-anchor="middle">{size(count)}</text>\n'


def label(time):
    return seconds(time * (1 + 1e-9)).replace(".0 ", " ") if time >= 1e-7 else f"{time * 1e9:g} ns"


def style_of(place):
    """The stroke of the curve in that place; of the bound without one."""
    if place is None:
        return "stroke:var(--ink);stroke-dasharray:5 4"
    return f"stroke:var(--colour-{place % COLOURS});stroke-dasharray:{DASHES[place // COLOURS % len(DASHES)] or 'none'}"


def figure(panel, curves):
    """The legend names the curves as they end, the slowest first."""
    axes, (collective, ranks) = Axes(curves), panel
    order = {name: place for place, name in enumerate(sorted(curves.keys() - {BOUND}))}
    lines, legend = [], []
    for name, points in sorted(curves.items(), key=lambda item: -max(item[1])[1]):
        style = style_of(order.get(name))
        path = " ".join(f"{axes.x(count):.1f},{axes.y(time):.1f}" for count, time in sorted(points))
        lines.append(f'<polyline points="{path}" style="{style}"><title>{name}</title></polyline>\n')
        lines += [f'<circle cx="{axes.x(count):.1f}" cy="{axes.y(time):.1f}" r="4"><title>{name}, {size(count)}: '
                  f'{seconds(time)}</title></circle>\n' for count, time in points]
        legend.append(f'<span><svg class="key" viewBox="0 0 24 8"><line x1="0" x2="24" y1="4" y2="4" style="{style}"/>'
                      f"</svg>{name}</span>")
    caption = escape(f"{collective}, {counted(ranks, 'rank')}, by the model")
    return (f'<figure><figcaption>{caption}</figcaption><div class="legend">{"".join(legend)}</div>\n'
            f'<svg class="curves" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{caption}">\n'
            f'{"".join(axes.lines())}{"".join(lines)}</svg></figure>')


def rows_of(cells):
    for cell in cells:
        bound = cell["lower_bound_s"]
        for one in cell["algorithms"]:
            time = one["predicted_s"]
            priced = [(math.inf, "not priced"), (math.inf, "")] if time is None else [
                (time, seconds(time)), (time / bound, f"{time / bound:.2f}") if bound else (1, "1.00")]
            segment = one["segment"]
            yield [cell["collective"], number(cell["ranks"]), (cell["bytes"], size(cell["bytes"])),
                   one["algorithm"].split("/")[1], *priced, size(segment) if isinstance(segment, int) else segment or ""]


def page(model):
    cells = model["cells"]
    figures = "".join(figure(panel, curves) for panel, curves in panels_of(cells).items())
    body = (f'<div class="charts">{figures}</div>\n<h2>Figures</h2>\n'
            f'{table("Figures", HEADS, list(rows_of(cells)))}')
    return document("Predicted times", "model", model["machine"], body)
