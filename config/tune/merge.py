# SPDX-License-Identifier: MIT
"""Neighbouring measured cells, by bytes or by ranks, become the range of a rule."""

import math

from units import size_text


def spans_of(items, join, start=lambda value: value):
    """[[first key, last key, value]] of `items`, [(key, value)] in the order of keys: a span begins with start(value)
    and goes on as long as join(value of the span, value) is not None, which then is the span's value."""
    spans = []
    for key, value in items:
        joined = join(spans[-1][2], value) if spans else None
        if joined is None:
            spans.append([key, key, start(value)])
        else:
            spans[-1][1:] = [key, joined]
    return spans


def between(size, following):
    """The size halfway between two, in the logarithm, to three significant bits."""
    middle = math.sqrt(max(size, 1) * following)
    step = 2 ** max(0, math.floor(math.log2(middle)) - 2)
    return int(middle // step * step)


def limits_of(spans, least=0, most=None):
    """{"min", "max"} of each span: halfway to its neighbours, outwards to `least` and `most` (0, None: no limit)."""
    found = []
    for number, (first, last, _) in enumerate(spans):
        low = between(spans[number - 1][1], first) + 1 if number else least
        high = between(last, spans[number + 1][0]) if number + 1 < len(spans) else most
        found.append(({"min": low} if low else {}) | ({} if high is None else {"max": high}))
    return found


def as_sizes(limits):
    """The limits as a table writes bytes: "64K", or a number."""
    texts = {key: size_text(value) for key, value in limits.items()}
    return {key: int(text) if text.isdigit() else text for key, text in texts.items()}
