# SPDX-License-Identifier: MIT
"""Makes a page of the map of `mpigraft explain --all`: for each collective a panel that shows
which algorithm runs for how many ranks and bytes."""

from html import escape
from itertools import groupby

from page import COLOURS, document, size

SIDE, WIDTH, LEFT, BELOW = 14, 480, 46, 32  # of a cell; of a panel and its margins, in pixels
SIZES_PER_LABEL, RANKS_PER_LABEL = 5, 2
NOTE = """A cell is a number of ranks and a number of bytes. Point at one to read what runs there."""


def colour_of(number):
    """The style sheet's colours, then others around the colour circle."""
    return f"var(--colour-{number})" if number < COLOURS else f"hsl({number * 137 % 360} 50% 55%)"


def cells(panel, colours):
    for line, (ranks, row) in enumerate(zip(panel["ranks"], panel["algorithms"])):
        y = (len(panel["ranks"]) - 1 - line) * SIDE
        for name, places in groupby(range(len(row)), row.__getitem__):
            first, *more = places
            last = more[-1] if more else first
            told = f"{name}: {ranks} ranks, {size(panel['bytes'][first])}"
            told += f" to {size(panel['bytes'][last])}" if last > first else ""
            yield (f'<rect x="{LEFT + first * SIDE}" y="{y}" width="{(last - first + 1) * SIDE}" height="{SIDE}" '
                   f'fill="{colours[name]}"><title>{escape(told)}</title></rect>\n')


def labels(panel):
    height = len(panel["ranks"]) * SIDE
    for line, ranks in list(enumerate(panel["ranks"]))[::RANKS_PER_LABEL]:
        yield f'<text x="{LEFT - 5}" y="{height - line * SIDE - 3}" text-anchor="end">{ranks}</text>\n'
    for place, count in list(enumerate(panel["bytes"]))[::SIZES_PER_LABEL]:
        yield f'<text x="{LEFT + place * SIDE}" y="{height + 13}">{size(count)}</text>\n'
    yield f'<text x="{LEFT}" y="{height + 28}">ranks (up) and bytes (right)</text>\n'


def figure(panel):
    present = sorted({name for row in panel["algorithms"] for name in row} - {"native"})
    colours = {"native": "var(--track)"} | {name: colour_of(number) for number, name in enumerate(present)}
    legend = "".join(f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in colours.items())
    height = len(panel["ranks"]) * SIDE + BELOW
    return (f'<figure><figcaption>{escape(panel["title"])}</figcaption><div class="legend">{legend}</div>\n'
            f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(panel["title"])}">\n'
            f'{"".join(cells(panel, colours))}{"".join(labels(panel))}</svg></figure>')


def page(document_of_map):
    panels = "".join(map(figure, document_of_map["panels"]))
    return document(document_of_map["table"], "map", NOTE, f'<div class="charts">{panels}</div>')
