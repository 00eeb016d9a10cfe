# SPDX-License-Identifier: Apache-2.0
"""The map of links: every router at its place, every link an arrow in the colour of its utilisation."""
from dataclasses import dataclass

import numpy as np
from matplotlib.patches import PathPatch

from . import failed, linkseries, places
from .digits import number
from .marks import Marks
from .plot import Plot, heat, heat_scale, polygons, scale_top

ARROWS_UP_TO = 1024     # routers; beyond, arrows are too small to see
CHANNELS_UP_TO = 8192
SQUARES = 96            # a side, where a square stands for several routers
THIN, THINNER = 0.4, 0.55  # where links cross, or stubs leave between them, thin arrows can be followed


def plots(result, colours):
    """A map by utilisation and, where stalls were counted, one by flits that wait."""
    seen = Network.of(result)
    if seen is None:
        return []
    return [draw(result, seen, measure, colours) for measure in (_use(seen), _waiting(result, seen)) if measure]


@dataclass
class Network:
    """What every map of a result shows."""
    table: object      # links.csv
    rows: np.ndarray   # of it: links between routers
    channels: places.Links
    place: places.Places
    dead: failed.Failed
    series: linkseries.LinkSeries | None
    names: list        # of routers
    nodes: list        # by router, a text of the nodes at it

    @staticmethod
    def of(result):
        table = result.tables.get("links")
        if not table:
            return None
        largest = int(max(table[name][table["kind"] == "router"].max(initial=-1) for name in ("from", "to")))
        routers = int(max(result.get("topology.routers", 0), largest + 1))
        found = places.links(table, routers)
        if found is None:
            return None
        rows, channels = found
        return Network(table, rows, channels, places.of(result, routers, channels), failed.of(result, table, rows, routers),
                       linkseries.of(result), places.names(result, "router", routers), places.nodes_at(result, table, routers))


def draw(result, seen, measure, colours):
    said = Said(result, seen, measure)
    many = len(seen.place.xy) > ARROWS_UP_TO or len(seen.channels.a) > CHANNELS_UP_TO
    figure, what, marks, over_time = (_heat_map if many else _arrow_map)(seen, measure, said, colours)
    values, a, b, names = measure.values, seen.channels.a, seen.channels.b, seen.names
    worst = int(np.nanargmax(values)) if np.isfinite(values).any() else 0
    caption = (f"{what} Mean {measure.name} {measure.text(np.nanmean(values))}, highest {measure.text(values[worst])}, "
               f"from router {names[a[worst]]} to {names[b[worst]]}.{seen.dead.text() if seen.dead else ''}")
    order = np.argsort(-np.nan_to_num(values), kind="stable")[:20]
    columns = {f"{measure.name} ({measure.unit})": values, "load (flits/cycle)": seen.table["load"][seen.rows]}
    plot = Plot(measure.title, figure, caption, measure.file, ("from router", "to router", *columns),
                [(names[a[i]], names[b[i]], *(column[i] for column in columns.values())) for i in order], marks=marks)
    if over_time is not None and np.isfinite(over_time).any():
        plot.series = seen.series.for_page(over_time, measure)
        plot.onset = linkseries.onset(result, seen.series) if measure.begins else ()
    return plot


@dataclass
class Measure:
    """What links are coloured by."""
    title: str
    name: str
    unit: str
    values: np.ndarray                    # by channel
    over_time: np.ndarray | None = None   # by interval and channel
    file: str = "links.csv"
    begins: bool = False                  # it says where congestion began
    its: str = ""                         # what an arrow's colour says, beside "its NAME"
    axis: str = ""                        # and what the scale is of

    def text(self, value):
        return f"{number(value)} {self.unit}"

    def scale(self, of):
        return f"{self.axis or f'{self.name} {of}'}, {self.unit}"

    @property
    def of_its(self):
        return self.its or f"its {self.name}"

    @property
    def top(self):
        return scale_top(self.values if self.over_time is None else np.append(self.over_time, self.values))


def _use(seen):
    """How much of what a link could carry it did carry; of directories of old its load alone."""
    table, rows = seen.table, seen.rows
    use = table["utilisation"][rows] if "utilisation" in table else np.array([np.nan])
    if not np.isfinite(use).any():
        return Measure("Link load", "load", "flits/cycle", table["load"][rows])
    return Measure("Link utilisation", "utilisation", "%", 100 * use, seen.series.use[:, rows] if seen.series else None,
                   begins=True)


def _waiting(result, seen):
    """How many flits waited at the end of each link, in the mean of the measured window; None where nobody counted."""
    ports = result.tables.get("ports")
    cycles = result.get("measured.to", 0) - result.get("measured.from", 0)
    causes = [name for name in ports.columns if name.startswith("stalls")] if ports else []
    if not causes or cycles <= 0:
        return None
    row = at_ends(seen, ports)
    waits = sum(ports[name] for name in causes)
    waiting = seen.series.waiting[:, seen.rows] if seen.series and seen.series.waiting is not None else None
    return Measure("Stalls at the ends of links", "waiting", "flits", np.where(row < 0, np.nan, waits[row]) / cycles, waiting, ports.file,
                   its="the flits that wait at its end", axis="waiting at the end of the link")


def at_ends(seen, ports):
    """By channel, the row of ports.csv where it ends; -1: none."""
    row = {place: k for k, place in enumerate(zip(ports["router"].astype(int), ports["port"].astype(int)))}
    ends = zip(seen.table["to"][seen.rows].astype(int), seen.table["to_port"][seen.rows].astype(int))
    return np.array([row.get(end, -1) for end in ends])


class Said:
    """What is said of links and routers that are pointed at."""

    def __init__(self, result, seen, measure):
        self.table, self.measure = seen.table, measure
        self.routers, ports = result.tables.get("routers"), result.tables.get("ports")
        self.names = [f"Link from router {seen.names[a]} to router {seen.names[b]}" for a, b in zip(seen.channels.a, seen.channels.b)]
        self.links = {f"{measure.name} ({measure.unit})": measure.values}
        for name, unit, factor in (("utilisation", "%", 100), ("load", "flits/cycle", 1)):
            if name in seen.table:
                self.links[f"{name} ({unit})"] = factor * seen.table[name][seen.rows]
        if ports:
            row = at_ends(seen, ports)
            self.links |= {f"{name.replace('_', ' ')} at its end (cycles)": np.where(row < 0, np.nan, ports[name][row])
                           for name in ports.columns if name.startswith("stalls")}

    def of_routers(self, count):
        """The busiest link of each kind, and what routers.csv counts."""
        use = 100 * self.table["utilisation"] if "utilisation" in self.table else self.table["load"]
        said = {}
        for kind, end in (("router", "from"), ("injection", "to"), ("ejection", "from")):
            most, of = np.full(count, np.nan), self.table["kind"] == kind
            np.fmax.at(most, self.table[end][of].astype(int), use[of])
            label = {"router": "busiest link out", "injection": "busiest injection", "ejection": "busiest ejection"}[kind]
            said[f"{label} ({'%' if 'utilisation' in self.table else 'flits/cycle'})"] = most
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


def _arrow_map(seen, measure, said, colours):
    place, channels, dead = seen.place, seen.channels, seen.dead
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
    places.number_routers(ax, place, size, seen.names, colours["shade"])
    places.name_nodes(ax, place, size, seen.nodes, colours)
    failed.cross(ax, crosses, failed.MARK * unit, colours)
    failed.cross(ax, place.xy[dead.routers], size * 0.9, colours, zorder=3.5)
    places.name_groups(ax, place, size, colours)
    heat_scale(figure, ax, measure.top, measure.scale("of the link"), colours)
    what = f"Each arrow is a link in the colour of {measure.of_its}."
    if any(seen.nodes):
        what += " Below a router stand the nodes at it."
    if not whole.all():
        what += " Two short ones are a link that leads round an edge or to another part of the picture."
    middle = np.array([parts[0].mean(0) for parts in lines])
    links = Marks(ax, *middle.T, said.links, said.names, shapes=[of[k] for k in order], gid="links")
    routers = Marks(ax, *place.xy.T, said.of_routers(len(place.xy)), [f"Router {name}" for name in seen.names],
                    reach=max(size * places.points_per_unit(ax), 4))
    return figure, what, [links, routers], measure.over_time


def _heat_map(seen, measure, said, colours):
    place, channels, dead = seen.place, seen.channels, seen.dead
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
    heat_scale(figure, ax, measure.top, measure.scale("of the busiest link out of the router"), colours)
    several = "" if len(corner) == len(place.xy) else ", or for several the busiest of them"
    inside = np.split(np.argsort(cell, kind="stable"), np.cumsum(np.bincount(cell))[:-1])
    names = [f"Router {seen.names[routers[0]]}" if len(routers) == 1 else f"{len(routers)} routers, {routers[0]} to {routers[-1]}"
             for routers in inside]
    marks = Marks(ax, *(np.array(squares).mean(1).T), {f"{measure.name}, busiest link out ({measure.unit})": heaviest}, names,
                  reach=0.5 * step * places.points_per_unit(ax), shapes=order, gid="squares")
    over_time = None if measure.over_time is None else np.array([busiest(values) for values in measure.over_time])
    return figure, f"Each square is a router in the colour of its busiest outgoing link{several}.", [marks], over_time
