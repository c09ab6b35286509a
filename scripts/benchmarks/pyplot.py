# SPDX-License-Identifier: MIT
"""matplotlib's pyplot for scripts without a screen: `from pyplot import plt, save` before a script does anything."""

import os
import sys

try:
    import matplotlib
except ImportError:
    # Debian's package serves Debian's interpreter, which need not be the first on PATH.
    if os.path.realpath(sys.executable) != os.path.realpath("/usr/bin/python3") and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.orig_argv[1:]])
    sys.exit(f"{sys.argv[0]}: matplotlib is missing: apt-get install python3-matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402


def save(figure, file):
    figure.tight_layout()
    figure.savefig(file, dpi=100)
    plt.close(figure)
    print(f"drawn: {file}")
