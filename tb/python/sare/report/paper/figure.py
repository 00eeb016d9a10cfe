# SPDX-License-Identifier: Apache-2.0
"""Draws curves, or bars where x has names, for print: colours, marks and dashes tell them apart, each alone."""
import matplotlib
import numpy as np
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ..palette import LIGHT, SERIES
from .style import GOLDEN

MARKS = ["o", "s", "^", "D", "v", "P", "X", "*"]
DASHES = ["-", "--", "-.", ":"]
HATCHES = ["", "////", "....", "\\\\\\\\", "xxxx", "----", "++++", "oo"]


def figure_of(width, height=None):
    """A figure for a file; axes() makes it as high as its legend needs, where no height is given."""
    return Figure(figsize=(width, height or width * GOLDEN), constrained_layout=True)


def draw(ax, found, x_label=None, y_label=None, y_max=None):
    (_bars if found.is_categorical else _lines)(ax, found)
    ax.set_xlabel(x_label or found.x_label)
    ax.set_ylabel(y_label or found.y_label)
    top = y_max or found.top
    if top or _begins_at_0(found):
        ax.set_ylim(bottom=0, top=top)
    return ax


def _begins_at_0(found):
    values = np.concatenate([curve.y for curve in found.curves])
    return found.is_categorical or values.min() >= 0 and values.min() < 0.5 * values.max()


def _lines(ax, found):
    for k, curve in enumerate(found.curves):
        colour, mark = LIGHT[SERIES[k % len(SERIES)]], MARKS[k % len(MARKS)]
        dashes = DASHES[k // len(SERIES) % len(DASHES)] if len(found.curves) > len(SERIES) else DASHES[k % len(DASHES)]
        error = np.where(np.isfinite(curve.error), curve.error, 0)
        drawn = ax.errorbar(curve.x, curve.y, yerr=error if error.any() else None, color=colour, linestyle=dashes, marker=mark,
                            markerfacecolor=colour, elinewidth=0.7, label=curve.name or None)
        if not curve.steady.all():  # hollow: the value depends on the length of the run
            drawn.lines[0].set_markevery(list(np.flatnonzero(curve.steady)))
            x, y = (np.array(values)[~curve.steady] for values in (curve.x, curve.y))
            ax.plot(x, y, linestyle="none", marker=mark, color=colour, markerfacecolor="white")
    xs = sorted({x for curve in found.curves for x in curve.x})
    if len(xs) <= 8 and all(float(x).is_integer() for x in xs):
        ax.set_xticks(xs)  # numbers of VCs have nothing between them


def _bars(ax, found):
    names = list(dict.fromkeys(str(x) for curve in found.curves for x in curve.x))
    wide = 0.8 / len(found.curves)
    for k, curve in enumerate(found.curves):
        at = np.array([names.index(str(x)) for x in curve.x]) + (k - (len(found.curves) - 1) / 2) * wide
        error = np.where(np.isfinite(curve.error), curve.error, 0)
        ax.bar(at, curve.y, wide, yerr=error if error.any() else None, color=LIGHT[SERIES[k % len(SERIES)]], edgecolor="white",
               linewidth=0.4, hatch=HATCHES[k % len(HATCHES)], label=curve.name or None, error_kw={"elinewidth": 0.7})
    turned = max(map(len, names)) * len(names) > 50
    ax.set_xticks(range(len(names)), names, **({"rotation": 30, "ha": "right"} if turned else {}))
    ax.grid(False, axis="x")


def _headed(names):
    """A heading of the axes' names, and what is left: of "vcs 2, depth 4" the heading "vcs, depth" and "2, 4"; "" where names differ in form."""
    parts = [[part.partition(" ") for part in name.split(", ")] for name in names]
    heads = {tuple(head for head, _, _ in each) for each in parts}
    if len(heads) > 1 or not all(value for each in parts for _, _, value in each):
        return "", names
    return ", ".join(heads.pop()), [", ".join(value for _, _, value in each) for each in parts]


def _widest_legend(ax, handles, names, title=None):
    """A legend in as many columns as fit: its box, and how many."""
    figure = ax.figure
    rows = lambda columns: -(-len(names) // columns)
    for columns in sorted({-(-len(names) // rows(c)) for c in range(1, min(len(names), 5) + 1)}, reverse=True):  # evenly filled
        legend = ax.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1), ncol=columns, borderaxespad=0.2, title=title,
                           handlelength=2.6, columnspacing=1.2, labelspacing=0.3, alignment="left", title_fontsize=matplotlib.rcParams["legend.fontsize"])
        box = legend.get_window_extent(RendererAgg(figure.get_figwidth() * figure.dpi, figure.get_figheight() * figure.dpi, figure.dpi))
        if box.width <= 0.86 * figure.bbox.width or columns == 1:
            return box, columns


def add_legend(ax, keep_height=True):
    """Above the axes, where it covers no data, in as many columns as fit. The figure grows by it unless its height is kept."""
    figure, (handles, names) = ax.figure, ax.get_legend_handles_labels()
    if not names:
        return
    handles = [h.lines[0] if isinstance(h, ErrorbarContainer) else h for h in handles]
    handles = [Line2D([], [], color=h.get_color(), linestyle=h.get_linestyle(), marker=h.get_marker()) if isinstance(h, Line2D) else h
               for h in handles]  # whole: some of a curve's own marks are hollow
    box, columns = _widest_legend(ax, handles, names)
    title, short = _headed(names)
    if title and columns < min(len(names), 3):  # long names in few columns: the axes' names stand above them, once
        box, _ = _widest_legend(ax, handles, short, title)
    if not keep_height:
        width, height = figure.get_size_inches()
        figure.set_size_inches(width, height + box.height / figure.dpi)
