# SPDX-License-Identifier: Apache-2.0
"""The plots of the study of thin trees: over k' for trees of the same k, over k:k' for switches of the same radix."""
from sare.report.palette import SERIES
from sare.report.plot import Plot, axes, legend

from .thin_tree import COSTS, families

MARKS = "osD^vPX*"
DASHES = ["-", "--", ":", "-."]


def plots(found, colours):
    made = []
    for k in sorted({k for (k, _), _ in families(found, "k")}):
        of_k = [group for (other, _), group in families(found, "k") if other == k]
        made += [performance(of_k, colours), worth(of_k, colours), kernels(of_k[-1], colours)]
    made += [same_switch(radix, [group for (other, _), group in families(found, "radix") if other == radix], colours)
             for radix in sorted({radix for (radix, _), _ in families(found, "radix")})]
    return made


def performance(groups, colours):
    figure, ax = axes()
    for i, group in enumerate(groups):
        _draw(ax, group, [tree.performance for tree in group], colours, i, 0, f"{group[0].nodes:,} nodes")
    _over_up(ax, groups[0][0].k, "performance, full tree = 1")
    return Plot(f"Performance of {groups[0][0].k}:k' trees", figure,
                "The inverse of the sum of the kernels' times, beside the full tree.", "result.csv")


def worth(groups, colours):
    figure, ax = axes(3.4)
    for i, kind in enumerate(COSTS):
        for j, group in enumerate(groups):
            full = group[-1].worth(kind)
            _draw(ax, group, [tree.worth(kind) / full for tree in group], colours, i, j, f"{kind}, {group[0].nodes:,}")
    _over_up(ax, groups[0][0].k, "performance per cost, full tree = 1", columns=3)
    return Plot(f"Performance per cost of {groups[0][0].k}:k' trees", figure,
                "A switch of radix R costs 1 (constant), R (linear) or R² (quadratic); curves by nodes.", "result.csv")


def kernels(group, colours):
    figure, ax = axes(3.2)
    for i, kernel in enumerate(group[0].relative):
        _draw(ax, group, [tree.relative[kernel] for tree in group], colours, i, 0, kernel)
    ax.set_yscale("log")
    ticks = [t for t in (1, 2, 5, 10, 20, 50, 100, 200, 500) if t <= 1.5 * max(max(tree.relative.values()) for tree in group)]
    ax.set_yticks(ticks, labels=map(str, ticks))
    ax.minorticks_off()
    _over_up(ax, group[0].k, "time, full tree = 1", bottom=None)
    return Plot(f"Kernels on {group[0].k}:k',{group[0].n} trees", figure,
                f"Time to deliver all messages on {group[0].nodes:,} nodes.", "result.csv")


def same_switch(radix, groups, colours):
    """Performance for the cost of a node; the switches are alike, so all costs say the same."""
    figure, ax = axes()
    ups = sorted({tree.up for group in groups for tree in group})
    for i, group in enumerate(groups):
        full = group[-1].worth("constant")
        _draw(ax, group, [tree.worth("constant") / full for tree in group], colours, i, 0, f"{group[0].n} levels")
    ax.set_xticks(ups, labels=[f"{radix - up}:{up}" for up in ups])
    _finish(ax, "k:k'", f"performance per cost, {radix - ups[-1]}:{ups[-1]} = 1")
    return Plot(f"Performance per cost of switches of radix {radix}", figure,
                "Performance beside the full tree of as many nodes, for the switches of a node.", "result.csv")


def _draw(ax, group, values, colours, colour, dashes, name):
    ax.plot([tree.up for tree in group], values, MARKS[colour % len(MARKS)] + DASHES[dashes % len(DASHES)],
            color=colours[SERIES[colour % len(SERIES)]], label=name)


def _over_up(ax, k, label, **options):
    ax.set_xticks(range(1, k + 1))
    _finish(ax, "k', ports up of a switch", label, **options)


def _finish(ax, x, y, columns=4, bottom=0):
    if bottom is not None:
        ax.set_ylim(bottom=bottom)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    legend(ax, columns)
