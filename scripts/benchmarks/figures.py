# SPDX-License-Identifier: MIT
"""Figures of what `scripts/bench applications` timed: speed-up of prefix sums over ranks (Huang 2007, figure 11), and ratios."""

from pyplot import plt

LANES = {"native": "natively", "preloaded": "with mpigraft"}


def draw_speedups(axes, curves, arm):
    """Draws curves: {method: {arm: [(ranks, speed-up)]}}."""
    for number, (method, points) in enumerate(curves.items()):
        axes.plot(*zip(*points[arm]), marker="os^vDP"[number % 6], markersize=4, label=method)
    ranks = [n for n, _ in next(iter(curves.values()))[arm]]
    axes.axhline(1, color="black", linewidth=0.8, linestyle=":", label="sequential")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(ranks, map(str, ranks))
    axes.set_xlabel("ranks")
    axes.set_ylabel("sequential time / time")
    axes.set_title(f"prefix sums {LANES[arm]}", fontsize=10)
    axes.grid(True, alpha=0.3)
    axes.legend(fontsize=7)


def draw_ratios(axes, ratios, titles):
    """Draws ratios: {application: [native / preloaded, a bar for each title; None for no bar]}."""
    height = 0.8 / len(titles)
    for number, title in enumerate(titles):
        bars = [(y + (number - (len(titles) - 1) / 2) * height, row[number]) for y, row in enumerate(ratios.values())
                if row[number] is not None]
        axes.barh([y for y, _ in bars], [ratio - 1 for _, ratio in bars], height, left=1, label=title)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(ratios)), list(ratios), fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("native / preloaded")
    axes.legend(fontsize=7)


def draw(file, curves, ratios, titles):
    arms = [arm for arm in LANES if curves and all(points[arm] for points in curves.values())]
    figure, grid = plt.subplots(1, len(arms) + 1, figsize=(4.6 * (len(arms) + 1.2), 1.5 + 0.33 * max(10, len(ratios))),
                                width_ratios=[1] * len(arms) + [1.2], squeeze=False)
    for axes, arm in zip(grid[0], arms):
        draw_speedups(axes, curves, arm)
    limits = [axes.get_ylim() for axes in grid[0][:len(arms)]]
    for axes in grid[0][:len(arms)]:
        axes.set_ylim(min(low for low, _ in limits), max(high for _, high in limits))
    draw_ratios(grid[0][-1], ratios, titles)
    figure.tight_layout()
    figure.savefig(file, dpi=100)
    plt.close(figure)
