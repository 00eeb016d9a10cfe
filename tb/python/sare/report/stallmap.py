# SPDX-License-Identifier: Apache-2.0
"""The map of stalls: every link in the colour of how many packets waited for it, and the tree of the worst root of congestion."""
import numpy as np
from matplotlib.patches import PathPatch

from . import linkmap, places
from .digits import number
from .plot import polygons

LEAST = 0.05  # packets that wait for a link on the average: below, there is nothing to see
LACKS = {"waits_vc": "lack a VC", "waits_credit": "lack room beyond", "waits_turn": "lack their turn"}


def plot(result, colours):
    seen = linkmap.Network.of(result)
    if seen is None or not all(name in seen.table for name in LACKS):
        return None
    table, rows, channels = seen.table, seen.rows, seen.channels
    waits = np.nansum([table[name] for name in LACKS], axis=0)
    if waits[rows].max(initial=0) < LEAST:
        return None
    measure = linkmap.Measure("Stalls", "waiting", "packets, mean of samples", waits[rows], its="how many packets wait for it, on the average",
                              axis="packets that wait for the link")
    plot = linkmap.draw(result, seen, measure, colours)
    tree = _worst_tree(result, table, rows)
    small = len(seen.place.xy) <= linkmap.ARROWS_UP_TO and len(channels.a) <= linkmap.CHANNELS_UP_TO
    if small and tree is not None:
        _mark(plot.figure.axes[0], seen.place, channels, tree, result, colours)
    what = f"Each {'arrow is a link' if small else 'square is a router'} in the colour of how many packets wait for it, on the average."
    plot.caption = what + _of_root(result, tree if small else None)
    plot.header, plot.rows = ("from router", "to router", "packets waiting", *LACKS.values()), _rows(seen, waits)
    return plot


def _rows(seen, waits):
    order = np.argsort(-waits[seen.rows], kind="stable")[:20]
    return [(seen.names[seen.channels.a[i]], seen.names[seen.channels.b[i]], waits[seen.rows][i], *(seen.table[name][seen.rows][i] for name in LACKS))
            for i in order]


def _worst_tree(result, table, rows):
    """By channel, whether it is in the tree of the worst root; None where there is no root."""
    tree = result.tables.get("congestion")
    if not tree:
        return None
    first = (tree["root"] == 1) & (tree["kind"] == "router")
    ends = set(zip(tree["from"][first].astype(int), tree["from_port"][first].astype(int)))
    return np.array([end in ends for end in zip(table["from"][rows].astype(int), table["from_port"][rows].astype(int))], bool)


def _mark(ax, place, channels, tree, result, colours):
    """Outlines the links of the tree; a ring is where its root is."""
    lines = places.lines(place, channels)
    size = places.router_size(place, channels, lines)
    shapes = [linkmap._arrow(places.shortened(line, size if part == 0 else 0, size if line is lines[i][-1] else 0), place.unit)
              for i in np.flatnonzero(tree) for part, line in enumerate(lines[i])]
    if shapes:
        ax.add_patch(PathPatch(polygons(shapes), facecolor="none", edgecolor=colours["ink"], linewidth=1.1, zorder=4))
    root = result.get("congestion")[0]
    at = place.xy[root["to"] if root["kind"] == "injection" else root["from"]]
    angle = np.linspace(0, 2 * np.pi, 60)
    ring = at + 1.9 * size * np.stack([np.cos(angle), np.sin(angle)], 1)
    ax.plot(*ring.T, color=colours["ink"], linewidth=1.6, zorder=6, clip_on=False)


def _of_root(result, tree):
    roots = result.get("congestion") or []
    if not roots:
        return ""
    root = roots[0]
    held = f" and holds up {number(root['links'])} link{'s' if root['links'] != 1 else ''}" if root["links"] else ""
    drawn = " The ring is where it begins" + (", and outlined are the links that it holds up." if root["links"] else ".") if tree is not None else ""
    others = f" There are {number(len(roots) - 1)} other roots." if len(roots) > 2 else " There is one other root." if len(roots) == 2 else ""
    return f" Congestion begins at {_name(result, root)}, which is {number(100 * root['utilisation'])} % used{held}{_why(root)}.{drawn}{others}"


def _why(root):
    return f": {root['says']}; {root['change']} ({root['parameter']}) may help" if "says" in root else ""


def _name(result, link):
    def place(kind, number_of):
        return f"{kind} {places.names(result, kind, number_of + 1)[number_of]}"

    if link["kind"] == "injection":
        return f"the injection of {place('node', link['from'])}"
    if link["kind"] == "ejection":
        return f"the ejection of {place('node', link['to'])}"
    return f"the link from {place('router', link['from'])} to {place('router', link['to'])}"
