# SPDX-License-Identifier: Apache-2.0
"""The key beside a plot, whose entries light up their curves where they are pointed at (web/explore.js)."""
from dataclasses import dataclass

from markupsafe import Markup

LONG_KEY = 12  # entries; with more the plot is as wide as the page


@dataclass
class Entry:
    name: str
    curve: int
    colour: str        # its name in the palette
    dashes: str = "-"  # of matplotlib; "" for a bar
    mark: str = ""


DASH_ARRAYS = {"-": "", "--": "5 2", "-.": "6 2 1 2", ":": "1.5 2"}


def curve_id(number):
    """The gid of what is drawn of a curve."""
    return f"curve-{number}"


def swatch(entry):
    """A small picture of how a curve is drawn."""
    if not entry.dashes:
        return Markup(f'<i style="background: var(--{entry.colour})"></i>')
    dashes = DASH_ARRAYS.get(entry.dashes, "")
    return Markup(f'<svg viewBox="0 0 26 8"><path d="M1 4H25" stroke="var(--{entry.colour})" stroke-width="1.8"'
                  + (f' stroke-dasharray="{dashes}"' if dashes else "") + "/></svg>")


def add_key(plot):
    """Draws the key into the figure, at its right: for a file that is a picture alone."""
    if not plot.key and not plot.hollow:
        return plot.figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    colours = plot.colours
    handles = [Line2D([], [], color=colours[e.colour], linestyle=e.dashes, marker=e.mark or None) if e.dashes
               else Patch(color=colours[e.colour]) for e in plot.key]
    names = [e.name for e in plot.key]
    if plot.hollow:
        names.append(plot.hollow)
        handles.append(Line2D([], [], color=colours["muted"], linestyle="none", marker="o", markerfacecolor="none"))
    width, height = plot.figure.get_size_inches()
    longest = max(map(len, names))
    plot.figure.set_size_inches(width + 0.6 + 0.075 * longest, max(height, 0.4 + 0.175 * len(names)))
    plot.axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0,
                     handlelength=2.2, labelspacing=0.3)
    return plot.figure
