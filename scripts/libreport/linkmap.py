# SPDX-License-Identifier: Apache-2.0
"""The map of links: every router at its place, every link an arrow in the colour of its utilisation."""
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import PathPatch

from . import failed, linkseries, places
from .marks import Marks
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
    series = linkseries.of(result)
    if series:
        measure.least_top = scale_top(series.use[:, rows])
    place = places.of(result, routers, channels)
    dead = failed.of(result, table, rows, routers)
    said = Said(result, table, rows, channels, measure)
    if routers > ARROWS_UP_TO or len(channels.a) > CHANNELS_UP_TO:
        figure, what, marks, over_time = _heat_map(place, channels, measure, dead, said, series, colours)
    else:
        figure, what, marks, over_time = _arrow_map(place, channels, measure, dead, said, series, colours)
    values, a, b = measure.values, channels.a, channels.b
    worst = int(np.nanargmax(values)) if np.isfinite(values).any() else 0
    caption = (f"{what} Mean {measure.name} {measure.text(np.nanmean(values))}, highest {measure.text(values[worst])}, "
               f"from router {a[worst]} to {b[worst]}.{dead.text() if dead else ''}")
    order = np.argsort(-np.nan_to_num(values), kind="stable")[:20]
    columns = {f"{measure.name} ({measure.unit})": values, "load (flits/cycle)": table["load"][rows]}
    plot = Plot(f"Link {measure.name}", figure, caption, table.file, ("from router", "to router", *columns),
                [(a[i], b[i], *(column[i] for column in columns.values())) for i in order], marks=marks)
    if series:
        plot.series = series.for_page(over_time) | {"top": measure.top, "unit": measure.unit, "name": measure.name}
        plot.onset = linkseries.onset(result, series)
    return plot


@dataclass
class Measure:
    """What links are coloured by."""
    name: str
    unit: str
    values: np.ndarray
    least_top: float = 0  # of the scale

    def text(self, value):
        return f"{number(value)} {self.unit}"

    @property
    def top(self):
        return max(scale_top(self.values), self.least_top)


def _measure(table, rows):
    """How much of what a link could carry it did carry; of directories of old its load alone."""
    use = table["utilisation"][rows] if "utilisation" in table else np.array([np.nan])
    if np.isfinite(use).any():
        return Measure("utilisation", "%", 100 * use)
    return Measure("load", "flits/cycle", table["load"][rows])


class Said:
    """What is said of links and routers that are pointed at."""

    def __init__(self, result, table, rows, channels, measure):
        self.table, self.rows, self.measure = table, rows, measure
        self.routers, ports = result.tables.get("routers"), result.tables.get("ports")
        self.names = [f"Link from router {a} to router {b}" for a, b in zip(channels.a, channels.b)]
        self.links = {f"{measure.name} ({measure.unit})": measure.values, "load (flits/cycle)": table["load"][rows]}
        self.links |= self._stalls(ports) if ports else {}

    def _stalls(self, ports):
        """By cause, of flits at the end of each link."""
        row = {place: k for k, place in enumerate(zip(ports["router"].astype(int), ports["port"].astype(int)))}
        ends = zip(self.table["to"][self.rows].astype(int), self.table["to_port"][self.rows].astype(int))
        at = [row.get(end) for end in ends]
        return {f"{name.replace('_', ' ')} at its end (cycles)": [None if k is None else ports[name][k] for k in at]
                for name in ports.columns if name.startswith("stalls")}

    def of_routers(self, channels, count):
        """The busiest link of each kind, and what routers.csv counts."""
        use = 100 * self.table["utilisation"] if "utilisation" in self.table else self.table["load"]
        said = {}
        for kind, end in (("router", "from"), ("injection", "to"), ("ejection", "from")):
            most, of = np.full(count, np.nan), self.table["kind"] == kind
            np.fmax.at(most, self.table[end][of].astype(int), use[of])
            label = {"router": "busiest link out", "injection": "busiest injection", "ejection": "busiest ejection"}[kind]
            said[f"{label} ({self.measure.unit})"] = most
        if self.routers and self.routers.rows == count:
            order = np.argsort(self.routers["router"])
            for name, about in self.routers.about.items():
                if about.get("summing", "as it is") != "as it is":
                    said[f"{name.replace('_', ' ')} ({about.get('unit')})" if about.get("unit") else name] = self.routers[name][order]
        return said


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


def _arrow_map(place, channels, measure, dead, said, series, colours):
    figure, ax = places.frame(place)
    lines = places.lines(place, channels)
    size = places.router_size(place, channels, lines)
    length = np.hypot(*(place.xy[channels.b] - place.xy[channels.a]).T)
    whole = ~np.isfinite(channels.stub)
    crossing = whole.any() and np.median(length[whole]) > 1.5 * place.unit or any(len(parts[0]) > 2 for parts in lines)
    unit = (THIN if crossing else THINNER if size < 0.27 * place.unit else 1) * place.unit
    shapes, of, crosses = [], [], []
    for i in np.flatnonzero(channels.a != channels.b):
        for part, line in enumerate(lines[i]):
            last = part == len(lines[i]) - 1
            cut = places.shortened(line, size if part == 0 else 0, size if last else 0)
            shapes.append(_arrow(cut, unit))
            if dead.links[i]:
                crosses.append(shapes[-1].mean(0))
            of.append(i)
    order = heat(ax, shapes, measure.values[of], measure.top, colours, gid="mark-links") if shapes else []
    squares = [places.box(xy, size * 0.9) for xy in place.xy]
    ax.add_patch(PathPatch(polygons(squares), facecolor=colours["shade"], edgecolor=colours["muted"], linewidth=0.7,
                           zorder=3))
    places.number_routers(ax, place, size)
    failed.cross(ax, crosses, failed.MARK * unit, colours)
    failed.cross(ax, place.xy[dead.routers], size * 0.9, colours, zorder=3.5)
    places.name_groups(ax, place, size, colours)
    heat_scale(figure, ax, measure.top, f"{measure.name} of the link, {measure.unit}", colours)
    what = f"Each arrow is a link in the colour of its {measure.name}."
    if not whole.all():
        what += " Two short ones are a link that leads round an edge or to another part of the picture."
    middle = np.array([parts[0].mean(0) for parts in lines])
    links = Marks(ax, *middle.T, said.links, said.names, shapes=[of[k] for k in order], gid="links")
    routers = Marks(ax, *place.xy.T, said.of_routers(channels, len(place.xy)), [f"Router {r}" for r in range(len(place.xy))],
                    reach=max(size * places.points_per_unit(ax), 4))
    return figure, what, [links, routers], series.use[:, said.rows] if series else None


def _heat_map(place, channels, measure, dead, said, series, colours):
    corner, step, cell = places.cells(place, SQUARES)

    def busiest(values):
        """Of all links out of the routers of each square."""
        most = np.full(len(corner), np.nan)
        np.fmax.at(most, cell[channels.a], values)
        return most

    figure, ax = places.frame(place, margin=step)
    squares = [places.box(xy + step / 2 - place.unit / 2, 0.47 * step) for xy in corner]
    heaviest = busiest(measure.values)
    order = heat(ax, squares, heaviest, measure.top, colours, gid="mark-squares")
    holds = np.unique(cell[np.union1d(np.flatnonzero(dead.routers), channels.a[dead.links])])
    failed.cross(ax, corner[holds] + step / 2 - place.unit / 2, 0.3 * step, colours, width=0.7)
    places.name_groups(ax, place, 0.5 * step, colours)
    heat_scale(figure, ax, measure.top, f"busiest link of the router: {measure.name}, {measure.unit}", colours)
    several = "" if len(corner) == len(place.xy) else ", or for several the busiest of them"
    inside = np.split(np.argsort(cell, kind="stable"), np.cumsum(np.bincount(cell))[:-1])
    names = [f"Router {routers[0]}" if len(routers) == 1 else f"{len(routers)} routers, {routers[0]} to {routers[-1]}"
             for routers in inside]
    marks = Marks(ax, *(np.array(squares).mean(1).T), {f"busiest link out ({measure.unit})": heaviest}, names,
                  reach=0.5 * step * places.points_per_unit(ax), shapes=order, gid="squares")
    over_time = np.array([busiest(use) for use in series.use[:, said.rows]]) if series else None
    return figure, f"Each square is a router in the colour of its busiest outgoing link{several}.", [marks], over_time
