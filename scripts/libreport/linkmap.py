# SPDX-License-Identifier: Apache-2.0
"""The link-load map: every router at its place, every link an arrow in the colour of its load."""
import numpy as np
from matplotlib.patches import PathPatch

from . import failed, places
from .plot import Plot, heat, heat_scale, number, polygons, scale_top

ARROWS_UP_TO = 1024     # routers; beyond, arrows are too small to see
CHANNELS_UP_TO = 8192
SQUARES = 96            # a side, where a square stands for several routers
THIN, THINNER = 0.4, 0.55  # where links cross, or stubs leave between them, thin arrows can be followed


def plot(result, colours):
    table = result.tables.get("links")
    if not table:
        return None
    largest = int(max(table[name][table["kind"] == "router"].max(initial=-1) for name in ("from", "to")))
    routers = int(max(result.get("topology.routers", 0), largest + 1))
    found = places.links(table, routers)
    if found is None:
        return None
    rows, channels = found
    load = table["load"][rows]
    place = places.of(result, routers, channels)
    top = scale_top(load)
    dead = failed.of(result, table, rows, routers)
    if routers > ARROWS_UP_TO or len(load) > CHANNELS_UP_TO:
        figure, what = _heat_map(place, channels, load, top, dead, colours)
    else:
        figure, what = _arrow_map(place, channels, load, top, dead, colours)
    worst = int(np.nanargmax(load)) if np.isfinite(load).any() else 0
    a, b = channels.a, channels.b
    caption = (f"{what} Mean load {number(np.nanmean(load))}, highest {number(load[worst])} "
               f"flits/cycle, from router {a[worst]} to {b[worst]}.{dead.text() if dead else ''}")
    order = np.argsort(-np.nan_to_num(load))[:20]
    return Plot("Link load", figure, caption, table.file, ("from router", "to router", "load (flits/cycle)"),
                [(a[i], b[i], load[i]) for i in order])


def _arrow(line, unit):
    """Outline of an arrow along the line, moved to its right so that the link back has room."""
    way = np.gradient(line, axis=0)
    way /= np.hypot(*way.T)[:, None]
    right = np.stack([way[:, 1], -way[:, 0]], 1)
    middle = line + right * 0.11 * unit
    half, tip = 0.05 * unit, middle[-1]
    head = min(0.2 * unit, 0.5 * np.hypot(*(line[-1] - line[0])))
    middle = middle.copy()
    middle[-1] -= way[-1] * head
    wing = right[-1] * 0.11 * unit
    return np.concatenate([middle + right * half, [middle[-1] + wing, tip, middle[-1] - wing],
                           (middle - right * half)[::-1]])


def _arrow_map(place, channels, load, top, dead, colours):
    figure, ax = places.frame(place)
    lines = places.lines(place, channels)
    size = places.router_size(place, channels, lines)
    length = np.hypot(*(place.xy[channels.b] - place.xy[channels.a]).T)
    whole = ~np.isfinite(channels.stub)
    crossing = whole.any() and np.median(length[whole]) > 1.5 * place.unit or any(len(parts[0]) > 2 for parts in lines)
    unit = (THIN if crossing else THINNER if size < 0.27 * place.unit else 1) * place.unit
    shapes, values, crosses = [], [], []
    for i in np.flatnonzero(channels.a != channels.b):
        for part, line in enumerate(lines[i]):
            last = part == len(lines[i]) - 1
            cut = places.shortened(line, size if part == 0 else 0, size if last else 0)
            shapes.append(_arrow(cut, unit))
            if dead.links[i]:
                crosses.append(shapes[-1].mean(0))
            values.append(load[i])
    heat(ax, shapes, values, top, colours)
    squares = [places.box(xy, size * 0.9) for xy in place.xy]
    ax.add_patch(PathPatch(polygons(squares), facecolor=colours["shade"], edgecolor=colours["muted"], linewidth=0.7,
                           zorder=3))
    places.number_routers(ax, place, size)
    failed.cross(ax, crosses, failed.MARK * unit, colours)
    failed.cross(ax, place.xy[dead.routers], size * 0.9, colours, zorder=3.5)
    places.name_groups(ax, place, size, colours)
    heat_scale(figure, ax, top, "load of the link, flits/cycle", colours)
    what = "Each arrow is a link in the colour of its load."
    if not whole.all():
        what += " Two short ones are a link that leads round an edge or to another part of the picture."
    return figure, what


def _heat_map(place, channels, load, top, dead, colours):
    busiest = np.full(len(place.xy), np.nan)
    np.fmax.at(busiest, channels.a, load)
    corner, step, cell = places.cells(place, SQUARES)
    heaviest = np.full(len(corner), np.nan)
    np.fmax.at(heaviest, cell, busiest)
    figure, ax = places.frame(place, margin=step)
    heat(ax, [places.box(xy + step / 2 - place.unit / 2, 0.47 * step) for xy in corner], heaviest, top, colours)
    holds = np.unique(cell[np.union1d(np.flatnonzero(dead.routers), channels.a[dead.links])])
    failed.cross(ax, corner[holds] + step / 2 - place.unit / 2, 0.3 * step, colours, width=0.7)
    places.name_groups(ax, place, 0.5 * step, colours)
    heat_scale(figure, ax, top, "busiest link of the router, flits/cycle", colours)
    several = "" if len(corner) == len(place.xy) else ", or for several the busiest of them"
    return figure, f"Each square is a router in the colour of its busiest outgoing link{several}."
