# SPDX-License-Identifier: MIT
"""What the pages of the command have in common: frame, style, tables that sort, figures as text; nothing from a network.
`page.py KIND FILE` makes a page of the JSON on stdin."""

import json
import os
import shutil
import sys
from html import escape
from importlib import import_module
from pathlib import Path

COLOURS = 6  # in the style sheet
FEW = 8  # rows that need no filter

FILTER = """<div class="filter"><label>Only rows with <input type="search"/></label>
<output>{0} of {0} rows</output></div>
"""


def scaled(value, units):
    """`value` as text, in the last (least value, divisor, unit) of `units` whose least value it reaches."""
    _, divisor, unit = [unit for unit in units if value >= unit[0]][-1]
    return f"{value / divisor:,.{0 if value / divisor >= 100 else 1}f} {unit}"


def size(count):
    """A number of bytes as text, exact while it is short."""
    units = [(1 << bits, 1 << bits, unit) for bits, unit in ((10, "KiB"), (20, "MiB"), (30, "GiB"), (40, "TiB"))]
    return f"{count} B" if count < 10_000 and (count == 0 or count % 1024) else scaled(count, units).replace(".0 ", " ")


def seconds(value):
    """Seconds as text, with about three digits."""
    units = [(0, 1e-6, "µs"), (1e-3, 1e-3, "ms"), (1, 1, "s"), (600, 60, "min"), (36_000, 3600, "h")]
    return scaled(value, units) if value else "0 s"


def sizes(calls):
    """The bytes of calls, from the fewest to the most."""
    least, most = size(calls["bytes_min"]), size(calls["bytes_max"])
    return least if least == most else f"{least.removesuffix(' B')} – {most}"


def function_of(calls):
    """"scan", or "iscan" of nonblocking ones."""
    return "i" * calls.get("nonblocking", False) + calls["collective"]


def number(count):
    """A cell of a table."""
    return count, f"{count:,}"


def counted(count, what):
    return f"{count:,} {what}{'s' if count != 1 else ''}"


def tiles(facts):
    """{what: value} in large letters."""
    return '<div class="tiles">' + "".join(f"<div><b>{escape(value)}</b><span>{what}</span></div>"
                                           for what, value in facts.items()) + "</div>"


def cell(value):
    """A table cell; a number is a pair: the key to sort by, and the text."""
    if isinstance(value, tuple):
        return f'<td class="number" data-key="{value[0]}">{escape(value[1])}</td>'
    return f"<td>{escape(value)}</td>"


def table(title, heads, rows, sorted_by=""):
    """The rows come sorted, most first, by the column sorted_by."""
    head = '<th scope="col" class="{}"{}><button type="button">{}</button></th>'
    text = "".join(head.format("number" * isinstance(value, tuple), ' aria-sort="descending"' * (column == sorted_by),
                               escape(column)) for column, value in zip(heads, rows[0]))
    lines = ["<tr>" + "".join(map(cell, row)) + "</tr>\n" for row in rows]
    return (FILTER.format(len(rows)) * (len(rows) > FEW)
            + f'<div class="scroll" role="region" aria-label="{escape(title)}" tabindex="0"><table>\n'
            f'<thead><tr>{text}</tr></thead>\n<tbody>\n{"".join(lines)}</tbody></table></div>')


def document(heading, kind, told, body, style=""):
    """A page with a heading, a line about it and a body, which is HTML already. Heading and line are plain text."""
    sheet, script = (Path(__file__).with_suffix(end).read_text(encoding="utf-8") for end in (".css", ".js"))
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>
<link rel="icon" href="data:,"/><title>{escape(heading)}: mpigraft {kind}</title>
<style>
{sheet}{style}</style></head>
<body>
<h1>{escape(heading)}</h1>
<p>{escape(told)}</p>
{body}
<script>
{script}</script>
</body>
</html>
"""


def write(path, text):
    """Replaces a file when all is written, so that it stays as it was where there is no room. What is no regular file is
    written to, and so is a file in a folder that takes no new one."""
    place = Path(path).resolve()
    is_stream = str(path).startswith(("/dev/", "/proc/")) or (place.exists() and not place.is_file())
    if is_stream or (place.exists() and not os.access(place.parent, os.W_OK)):
        Path(path).write_text(text, encoding="utf-8")
        return
    fresh = place.with_name(f"{place.name}.new-{os.getpid()}")
    try:
        fresh.write_text(text, encoding="utf-8")
        if place.exists():
            shutil.copymode(place, fresh)
        fresh.replace(place)
    finally:
        fresh.unlink(missing_ok=True)


if __name__ == "__main__":
    kind, file = sys.argv[1:]
    try:
        write(file, import_module(f"{kind}_page").page(json.load(sys.stdin)))
    except OSError as error:
        sys.exit(f"mpigraft: {error}")
