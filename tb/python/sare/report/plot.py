# SPDX-License-Identifier: Apache-2.0
"""What every plot of the report has, and helpers that several plots use."""
import textwrap
from dataclasses import dataclass, field

import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from .palette import HEAT

WIDTH = 5.2  # inches; text stays readable from a telephone to half a desktop's window


@dataclass
class Plot:
    title: str
    figure: Figure
    caption: str        # one sentence: what is to be seen; also what a screen reader says
    source: str = ""    # file with all the numbers
    header: tuple = ()  # the same numbers, thinned out, as a table
    rows: list = ()
    marks: list = field(default_factory=list)  # what can be pointed at (marks.Marks)
    series: dict = None  # the values of the first marks over time, for the page to play
    onset: tuple = ()   # a sentence on that, and the interval that it speaks of
    # Of plots with a key (key.py), what that needs:
    key: list = field(default_factory=list)  # entries, beside the plot
    axes: object = None
    hollow: str = ""    # what its hollow points are, if it has any
    colours: dict = None


def axes(height=2.9, rows=1, **options):
    figure = Figure(figsize=(WIDTH, height))
    return figure, figure.subplots(rows, 1, **options)


def legend(ax, columns=4):
    """Above the axes, where it covers no data."""
    ax.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncol=columns, borderaxespad=0.2, handlelength=1.6,
              columnspacing=1.4)


def label_lines(text, letters=30):
    """A label of an axis, broken before its unit where it is longer than a plot is high."""
    return text.replace(", ", ",\n", 1) if len(text) > letters else text


def categories(ax, texts, share=1.0):
    """Names of categories along x, broken into lines, or turned where a word is too long; `share`: of the plot's width."""
    letters = max(int(64 * share / max(len(texts), 1)), 1)  # of a line below each
    folded = [textwrap.fill(text, max(letters, 4), break_long_words=False, break_on_hyphens=False) for text in texts]
    fit = all(len(line) <= letters for text in folded for line in text.split("\n"))
    ax.set_xticks(range(len(texts)), folded if fit else texts, **({} if fit else {"rotation": 30, "ha": "right"}))


def thinned(rows, most=24):
    """At most `most` of the rows, evenly spaced, first and last among them."""
    rows = list(rows)
    if len(rows) <= most:
        return rows
    return [rows[i] for i in np.unique(np.linspace(0, len(rows) - 1, most).round().astype(int))]


def bars(ax, left, width, height, bottom=0, **style):
    """All bars as one path: a tenth of the SVG of ax.bar()."""
    left, width, height, bottom = np.broadcast_arrays(left, width, height, bottom)
    corners = np.stack([np.stack([left, bottom], -1), np.stack([left, bottom + height], -1),
                        np.stack([left + width, bottom + height], -1), np.stack([left + width, bottom], -1)], 1)
    ax.add_patch(PathPatch(polygons(list(corners)), linewidth=0, **style))
    ax.autoscale_view()


def polygons(shapes):
    """One path of many closed polygons (arrays of points)."""
    codes = [[Path.MOVETO] + [Path.LINETO] * (len(shape) - 1) + [Path.CLOSEPOLY] for shape in shapes]
    points = [np.concatenate([shape, shape[:1]]) for shape in shapes]
    return Path(np.concatenate(points), np.concatenate(codes))


def scale_top(values):
    """A round number that the scale of these values ends at; 1 if there is nothing to scale."""
    values = np.asarray(values, float)
    top = np.max(values[np.isfinite(values)], initial=0)
    if top <= 0:
        return 1.0
    unit = 10.0 ** np.floor(np.log10(top))
    return float(next(step * unit for step in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * unit >= top * 0.9999))


def heat(ax, shapes, values, top, colours, gid=None):
    """Draws polygons coloured by value, hottest last: one path per colour; or, with a gid, a path for each, under that
    name, and says in which order."""
    values = np.nan_to_num(np.asarray(values, float))
    steps = np.clip(values / top * HEAT, 0, HEAT - 1).astype(int)
    if gid:
        order = np.argsort(steps, kind="stable")
        ax.add_collection(PathCollection([polygons([shapes[i]]) for i in order], linewidths=0, zorder=2, gid=gid,
                                         facecolors=[colours[f"heat{steps[i]}"] for i in order], clip_on=False))
        return order
    for step in np.unique(steps):
        chosen = [shapes[i] for i in np.flatnonzero(steps == step)]
        ax.add_patch(PathPatch(polygons(chosen), facecolor=colours[f"heat{step}"], linewidth=0, zorder=2 + step / 100))


def heat_scale(figure, ax, top, label, colours):
    """The key to heat(): a bar below ax."""
    bar = figure.colorbar(_Scale(colours, top), ax=ax, location="bottom", shrink=0.6, aspect=34, pad=0.02)
    bar.outline.set_visible(False)
    bar.set_label(label)
    bar.set_ticks(np.linspace(0, top, 5), labels=[f"{v:.3g}" for v in np.linspace(0, top, 5)])
    bar.solids.set_edgecolor("face")


def _Scale(colours, top):
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize
    return ScalarMappable(Normalize(0, top), ListedColormap([colours[f"heat{i}"] for i in range(HEAT)]))


def squares(rows, columns, x=0.0, y=0.0, size=1.0):
    """Unit squares of a matrix, row by row, growing upwards from (x, y)."""
    return [np.array([[x + c, y + r], [x + c + size, y + r], [x + c + size, y + r + size], [x + c, y + r + size]])
            for r in range(rows) for c in range(columns)]


def folded(matrix, most, reduce=np.nanmax):
    """The matrix with at most `most` rows and columns, blocks of it put together by `reduce`."""
    for axis in (0, 1):
        size = matrix.shape[axis]
        if size > most:
            block = -(-size // most)
            padding = [(0, 0), (0, 0)]
            padding[axis] = (0, -size % block)
            matrix = np.pad(matrix, padding, constant_values=np.nan)
            shape = list(matrix.shape)
            shape[axis:axis + 1] = [matrix.shape[axis] // block, block]
            matrix = reduce(matrix.reshape(shape), axis=axis + 1)
    return matrix
