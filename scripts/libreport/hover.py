# SPDX-License-Identifier: Apache-2.0
"""What a plot tells where the pointer is: spots that have a text and lead somewhere, and the key beside the plot, whose
entries light up their curves. What moves is in hover.js; without it a browser shows the texts all the same."""
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup, escape

SCRIPT = (Path(__file__).parent / "hover.js").read_text()
RADIUS = 6  # points
LONG_KEY = 12  # entries; with more the plot is as wide as the page


@dataclass
class Spot:
    x: float
    y: float
    text: str          # lines
    href: str = ""
    curve: int | None = None
    width: float = 0   # of a bar, in data; its spot reaches down to 0


@dataclass
class Entry:
    """Of a key."""
    name: str
    curve: int
    colour: str        # its name in the palette
    dashes: str = "-"  # of matplotlib; "" for a bar
    mark: str = ""


DASH_ARRAYS = {"-": "", "--": "5 2", "-.": "6 2 1 2", ":": "1.5 2"}


def curve_id(number):
    """The gid of what is drawn of a curve."""
    return f"curve-{number}"


def with_spots(svg, plot):
    """The SVG of a drawn plot with its spots on top."""
    if not plot.spots:
        return svg
    height = plot.figure.get_size_inches()[1] * 72
    scale = 72 / plot.figure.dpi
    left, right = plot.axes.get_xlim(), plot.axes.get_ylim()

    def place(x, y):
        at = plot.axes.transData.transform((x, y)) * scale
        return at[0], height - at[1]

    parts = []
    for spot in plot.spots:
        inside = min(left) <= spot.x <= max(left) and min(right) <= spot.y <= max(right)
        if not spot.width and not inside:
            continue
        x, y = place(spot.x, min(spot.y, max(right)))
        shape = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{RADIUS}"'
        if spot.width:
            end, floor = place(spot.x + spot.width, 0)
            shape = f'<rect x="{x:.2f}" y="{y:.2f}" width="{end - x:.2f}" height="{max(floor - y, 2):.2f}"'
        curve = "" if spot.curve is None else f' data-curve="{spot.curve}"'
        shape += f' class="spot"{curve} data-text="{escape(spot.text)}"/>'
        label = escape(spot.text.replace("\n", ", "))
        parts.append(f'<a href="{escape(spot.href)}" aria-label="{label}">{shape}</a>' if spot.href else shape)
    at = svg.rindex("</svg>")
    return svg[:at] + '<g class="spots">' + "".join(parts) + "</g>" + svg[at:]


def swatch(entry):
    """A small picture of how a curve is drawn."""
    if not entry.dashes:
        return Markup(f'<i style="background: var(--{entry.colour})"></i>')
    dashes = DASH_ARRAYS.get(entry.dashes, "")
    return Markup(f'<svg viewBox="0 0 26 8"><path d="M1 4H25" stroke="var(--{entry.colour})" stroke-width="1.8"'
                  + (f' stroke-dasharray="{dashes}"' if dashes else "") + "/></svg>")


def add_key(plot):
    """Draws the key into the figure, at its right: for a file that is a picture alone."""
    if not plot.key:
        return plot.figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    colours = plot.colours
    handles = [Line2D([], [], color=colours[e.colour], linestyle=e.dashes, marker=e.mark or None) if e.dashes
               else Patch(color=colours[e.colour]) for e in plot.key]
    width, height = plot.figure.get_size_inches()
    longest = max(len(e.name) for e in plot.key)
    plot.figure.set_size_inches(width + 0.6 + 0.075 * longest, max(height, 0.4 + 0.175 * len(plot.key)))
    plot.axes.legend(handles, [e.name for e in plot.key], loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0,
                     handlelength=2.2, labelspacing=0.3)
    return plot.figure
