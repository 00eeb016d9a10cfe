# SPDX-License-Identifier: Apache-2.0
"""The network alone: routers, links, and which routers have nodes."""
import numpy as np
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.path import Path

from . import places
from .digits import number
from .read import Problem

WIDTH, WIDEST_UNIT = 9, 0.9  # inches: of the picture, and between neighbours
HEAD = 0.16  # of a router's spacing: the arrows of one-way links


def draw(result, colours):
    table = result.tables.get("links")
    if not table:
        raise Problem(f"{result.directory}: no links.csv, or no link in it")
    routers = int(result.get("topology.routers", 0))
    found = places.links(table, routers)
    channels = found[1] if found else places.Links(*np.zeros((3, 0), int))
    place = places.of(result, routers, channels)
    once, two_way = _pairs(table, found[0] if found else None)
    drawn = places.Links(channels.a[once], channels.b[once], channels.stub[once])
    lines = places.lines(place, drawn)
    figure, ax = places.frame(place, width=WIDTH, widest_unit=WIDEST_UNIT)
    size = places.router_size(place, drawn, lines)
    width = float(np.clip(0.06 * place.unit * places.points_per_unit(ax), 0.25, 1.2))
    _draw_links(ax, place, lines, two_way, size, width, colours)
    nodes = _nodes_at(table, routers)
    _draw_routers(ax, place.xy, size, nodes, width, colours)
    places.number_routers(ax, place, size, places.names(result, "router", routers), color=colours["ink"])
    places.name_nodes(ax, place, size, places.nodes_at(result, table, routers), colours)
    places.name_groups(ax, place, size, colours)
    _describe(figure, ax, result, drawn, two_way, nodes, colours)
    return figure


def _pairs(table, rows):
    """Of the channels, the first of each link, and whether that leads both ways: the same ports the other way round."""
    if rows is None:
        return np.zeros(0, int), np.zeros(0, bool)
    ends = list(zip(*(table[name][rows].astype(int) for name in ("from", "from_port", "to", "to_port"))))
    all_ends = set(ends)
    back = np.array([(to, to_port, at, port) in all_ends for at, port, to, to_port in ends])
    first = np.array([not other or end[:2] < end[2:] for end, other in zip(ends, back)])
    return np.flatnonzero(first), back[first]


def _nodes_at(table, routers):
    """By router: the nodes that send to it, or receive from it."""
    count = np.zeros((2, routers), int)
    np.add.at(count[0], table["to"][table["kind"] == "injection"].astype(int), 1)
    np.add.at(count[1], table["from"][table["kind"] == "ejection"].astype(int), 1)
    return count.max(0)


def _draw_links(ax, place, lines, two_way, size, width, colours):
    paths = []
    for parts, both in zip(lines, two_way):
        if not both:
            last = places.shortened(parts[-1], 0, size)
            parts = [*parts[:-1], last, _head(last, place.unit)]
        paths.append(_open_path(parts))
    if not paths:
        return
    ax.add_collection(PathCollection(paths, facecolors="none", edgecolors=colours["muted"], linewidths=width, zorder=1,
                                     gid="links", clip_on=False))


def _head(line, unit):
    """The two strokes of an arrow at the end of the line."""
    way = (line[-1] - line[-2]) / np.hypot(*(line[-1] - line[-2]))
    aside = np.array([-way[1], way[0]])
    back = line[-1] - way * HEAD * unit
    return np.array([back + aside * HEAD * unit * 0.6, line[-1], back - aside * HEAD * unit * 0.6])


def _open_path(lines):
    codes = [[Path.MOVETO] + [Path.LINETO] * (len(line) - 1) for line in lines]
    return Path(np.concatenate(lines), np.concatenate(codes))


def _draw_routers(ax, xy, size, nodes, width, colours):
    squares = [Path(places.box(at, size)[[0, 1, 2, 3, 0]], closed=True) for at in xy]
    ax.add_collection(PathCollection(squares, facecolors=[colours["heat4" if n else "surface"] for n in nodes],
                                     edgecolors=colours["muted"], linewidths=width, zorder=3, gid="routers", clip_on=False))


def _describe(figure, ax, result, links, two_way, nodes, colours):
    dims = " × ".join(str(size) for size in result.get("topology.dims", []))
    count = [(len(nodes), "router"), (result.get("topology.nodes", 0), "node"), (len(two_way), "link")]
    ax.set_title(" ".join([str(result.get("topology.name", "network")), dims]).strip() + ": " +
                 ", ".join(f"{number(n)} {what}{'s' * (n != 1)}" for n, what in count), fontsize=11, color=colours["ink"])
    key = []
    for each in np.unique(nodes):
        if len(np.unique(nodes[nodes > 0])) > 1 and each > 0:
            continue
        label = f"router with {each} node{'' if each == 1 else 's'}" if each else "router without nodes"
        key.append(Patch(facecolor=colours["heat4" if each else "surface"], edgecolor=colours["muted"], label=label))
    if len(np.unique(nodes[nodes > 0])) > 1:
        key.append(Patch(facecolor=colours["heat4"], edgecolor=colours["muted"], label="router with nodes"))
    if two_way.any():
        key.append(Line2D([], [], color=colours["muted"], label="link, both ways"))
    if not two_way.all():
        key.append(Line2D([], [], color=colours["muted"], marker=">", markevery=[1], label="link, one way"))
    if np.isfinite(links.stub).any():
        key.append(Line2D([], [], color=colours["muted"], linestyle=(0, (3, 4)),
                          label="two stubs: a link round an edge, or to another part, in its direction"))
    ax.legend(handles=key, loc="upper center", bbox_to_anchor=(0.5, 0), ncol=3, fontsize=9, borderaxespad=0.2)
