# SPDX-License-Identifier: Apache-2.0
"""Which router is what, where a network has routers of several kinds or parameters."""
import itertools
import textwrap

import numpy as np
from matplotlib.patches import Patch, PathPatch

from . import places
from .marks import Marks
from .palette import SERIES
from .plot import Plot, polygons
from .read import Problem

NUMBERS_UP_TO = 256    # routers; beyond, their numbers are too small to read
LINES_UP_TO = 1024     # beyond, links are too thin to see
LETTERS = 70           # a line of the key
CELLS = 96             # a side, where several routers share one
COLOURS = len(SERIES)  # groups; what is left over shares the last one


def plot(result, colours):
    groups = result.get("router_groups")
    if not groups:
        return None
    return _picture(result, colours, [one["name"] for one in groups], lambda routers: _group_of(result, groups, routers), "kind and parameters",
                    ("Routers", f"Routers of {len(groups)} kinds or sets of parameters; behind each, in brackets, how many.", "summary.json"))


def domains(result, colours):
    """Which router is in which domain, where there are some."""
    table = result.tables.get("routers")
    if not table or "domain" not in table or not any(table["domain"]):
        return None
    names = sorted(dict.fromkeys(map(str, table["domain"])), key=bool)  # first those in none, as in tables of power

    def group_of(routers):
        group = np.zeros(routers, int)
        group[table["router"].astype(int)] = [names.index(str(name)) for name in table["domain"]]
        return group
    return _picture(result, colours, [name or "network" for name in names], group_of, "domain",
                    ("Domains", "Routers by their domain, which has a clock and a supply of its own; behind each, in brackets, how many.", table.file))


def _picture(result, colours, named, group_of, what, texts):
    """Routers in the colours of their groups; `texts`: title, caption and source."""
    links = result.tables.get("links")
    if not links:
        return None
    routers = int(result.get("topology.routers", 0))
    found = places.links(links, routers)
    if found is None:
        return None
    channels = found[1]
    group = group_of(routers)
    place = places.of(result, routers, channels)
    if routers <= LINES_UP_TO:
        figure, ax = places.frame(place)
        lines = places.lines(place, channels)
        for line in itertools.chain(*lines):
            ax.plot(*line.T, color=colours["line"], linewidth=0.8, zorder=1)
        size = places.router_size(place, channels, lines)
        _draw_routers(ax, place, size, group, colours)
        marks = [Marks(ax, *place.xy.T, {what: [named[g] for g in group]},
                       [f"Router {r}" for r in range(routers)], reach=size * places.points_per_unit(ax))]
        places.name_groups(ax, place, size, colours)
    else:
        figure, ax = _draw_cells(place, group, colours)
        marks = []
    names = [f"{name} ({np.count_nonzero(group == g)})" for g, name in enumerate(named)]
    _key(figure, ax, names, colours)
    rows = [(name, int(np.count_nonzero(group == g)), _numbers(_ranges(np.flatnonzero(group == g)))) for g, name in enumerate(named)]
    title, caption, source = texts
    return Plot(title, figure, caption, source, (what, "routers", "numbers"), rows, marks)


def _ranges(numbers):
    """Ascending numbers as ranges: "0-3", "7"."""
    parts = np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1)
    return [str(part[0]) if len(part) == 1 else f"{part[0]}-{part[-1]}" for part in parts if len(part)]


def _group_of(result, groups, routers):
    """By router: which of the groups it belongs to."""
    file = result.directory / "summary.json"
    group = np.full(routers, -1)
    try:
        for g, one in enumerate(groups):
            one["name"] + ""
            for numbers in one["at"]:
                first, _, last = str(numbers).partition("-")
                group[np.arange(int(first), int(last or first) + 1)] = g
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        raise Problem(f"{file}: 'router_groups' is not a list of names, each with numbers of routers") from None
    if (group < 0).any():
        raise Problem(f"{file}: router {int((group < 0).argmax())} is in none of 'router_groups'")
    return group


def _draw_cells(place, group, colours):
    """Many routers as few squares, each in the colour of the rarest group within."""
    corner, step, cell = places.cells(place, CELLS)
    rarest_last = np.argsort(-np.bincount(group), kind="stable")
    rank = np.empty_like(rarest_last)
    rank[rarest_last] = np.arange(len(rank))
    rarest = np.zeros(len(corner), int)
    np.maximum.at(rarest, cell, rank[group])
    figure, ax = places.frame(place, margin=step)
    _draw_squares(ax, corner + step / 2 - place.unit / 2, 0.47 * step, rarest_last[rarest], colours)
    return figure, ax


def _draw_squares(ax, xy, size, group, colours):
    for g in np.unique(group):
        boxes = [places.box(at, size) for at in xy[group == g]]
        ax.add_patch(PathPatch(polygons(boxes), facecolor=colours[_colour(g)], linewidth=0, zorder=3))


def _draw_routers(ax, place, size, group, colours):
    _draw_squares(ax, place.xy, size, group, colours)
    if len(group) <= NUMBERS_UP_TO:
        places.number_routers(ax, place, size, color=colours["surface"])


def _key(figure, ax, names, colours):
    if len(names) > COLOURS:
        names = names[:COLOURS - 1] + [f"{len(names) - COLOURS + 1} others"]
    names = [textwrap.fill(name, LETTERS) for name in names]
    patches = [Patch(facecolor=colours[_colour(g)], label=name) for g, name in enumerate(names)]
    lines = sum(name.count("\n") + 1 for name in names)
    figure.set_figheight(figure.get_figheight() + 0.21 * lines - 0.35)
    ax.legend(handles=patches, loc="upper left", bbox_to_anchor=(0, 0), frameon=False, handlelength=1, handleheight=1)


def _colour(group):
    return SERIES[min(group, COLOURS - 1)]


def _numbers(at):
    text = ", ".join(str(numbers) for numbers in at)
    return text if len(text) <= 60 else text[:57] + "..."
