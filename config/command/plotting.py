# SPDX-License-Identifier: MIT
"""matplotlib without a screen, for the scripts that `mpigraft ... --plot` starts."""

import os
import sys

try:
    import matplotlib
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first on PATH.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    sys.exit("mpigraft: --plot needs matplotlib: apt-get install python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def size_label(size):
    for suffix in ("", "K", "M"):
        if size < 1024:
            return f"{size}{suffix}"
        size //= 1024
    return f"{size}G"


def legend_beside(axes, handles, names):
    axes.legend(handles, names, fontsize=7, loc="upper left", bbox_to_anchor=(1.01, 1))


def draw_panels(panels, width, height, draw, file, title=""):
    """Draws {key: content} by draw(axes, key, content), in rows of two panels, `width` by `height` inches each."""
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    figure, all_axes = plt.subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False)
    for axes in all_axes.flat[len(panels):]:
        axes.set_visible(False)
    for axes, (key, content) in zip(all_axes.flat, panels.items()):
        draw(axes, key, content)
    if title:
        figure.suptitle(title, parse_math=False)
    figure.tight_layout()
    figure.savefig(file, dpi=120)
