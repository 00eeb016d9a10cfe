# SPDX-License-Identifier: Apache-2.0
"""The map of links: every router at its place, every link an arrow in the colour of its utilisation."""
from dataclasses import dataclass

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
    measure = _measure(table, rows)
    place = places.of(result, routers, channels)
    dead = failed.of(result, table, rows, routers)
    names = places.names(result, "router", routers)
    if routers > ARROWS_UP_TO or len(channels.a) > CHANNELS_UP_TO:
        figure, what = _heat_map(place, channels, measure, dead, colours)
    else:
        figure, what = _arrow_map(place, channels, measure, dead, names, colours)
    values, a, b = measure.values, channels.a, channels.b
    worst = int(np.nanargmax(values)) if np.isfinite(values).any() else 0
    caption = (f"{what} Mean {measure.name} {measure.text(np.nanmean(values))}, highest {measure.text(values[worst])}, "
               f"from router {names[a[worst]]} to {names[b[worst]]}.{dead.text() if dead else ''}")
    order = np.argsort(-np.nan_to_num(values), kind="stable")[:20]
    columns = {f"{measure.name} ({measure.unit})": values, "load (flits/cycle)": table["load"][rows]}
    return Plot(f"Link {measure.name}", figure, caption, table.file, ("from router", "to router", *columns),
                [(names[a[i]], names[b[i]], *(column[i] for column in columns.values())) for i in order])


@dataclass
class Measure:
    """What links are coloured by."""
    name: str
    unit: str
    values: np.ndarray

    def text(self, value):
        return f"{number(value)} {self.unit}"

    @property
    def top(self):
        return scale_top(self.values)


def _measure(table, rows):
    """How much of what a link could carry it did carry; of directories of old its load alone."""
    use = table["utilisation"][rows] if "utilisation" in table else np.array([np.nan])
    if np.isfinite(use).any():
        return Measure("utilisation", "%", 100 * use)
    return Measure("load", "flits/cycle", table["load"][rows])


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


def _arrow_map(place, channels, measure, dead, names, colours):
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
            values.append(measure.values[i])
    heat(ax, shapes, values, measure.top, colours)
    squares = [places.box(xy, size * 0.9) for xy in place.xy]
    ax.add_patch(PathPatch(polygons(squares), facecolor=colours["shade"], edgecolor=colours["muted"], linewidth=0.7,
                           zorder=3))
    places.number_routers(ax, place, size, names)
    failed.cross(ax, crosses, failed.MARK * unit, colours)
    failed.cross(ax, place.xy[dead.routers], size * 0.9, colours, zorder=3.5)
    places.name_groups(ax, place, size, colours)
    heat_scale(figure, ax, measure.top, f"{measure.name} of the link, {measure.unit}", colours)
    what = f"Each arrow is a link in the colour of its {measure.name}."
    if not whole.all():
        what += " Two short ones are a link that leads round an edge or to another part of the picture."
    return figure, what


def _heat_map(place, channels, measure, dead, colours):
    busiest = np.full(len(place.xy), np.nan)
    np.fmax.at(busiest, channels.a, measure.values)
    corner, step, cell = places.cells(place, SQUARES)
    heaviest = np.full(len(corner), np.nan)
    np.fmax.at(heaviest, cell, busiest)
    figure, ax = places.frame(place, margin=step)
    heat(ax, [places.box(xy + step / 2 - place.unit / 2, 0.47 * step) for xy in corner], heaviest, measure.top, colours)
    holds = np.unique(cell[np.union1d(np.flatnonzero(dead.routers), channels.a[dead.links])])
    failed.cross(ax, corner[holds] + step / 2 - place.unit / 2, 0.3 * step, colours, width=0.7)
    places.name_groups(ax, place, 0.5 * step, colours)
    heat_scale(figure, ax, measure.top, f"busiest link of the router: {measure.name}, {measure.unit}", colours)
    several = "" if len(corner) == len(place.xy) else ", or for several the busiest of them"
    return figure, f"Each square is a router in the colour of its busiest outgoing link{several}."
