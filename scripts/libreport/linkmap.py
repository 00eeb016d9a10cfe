# SPDX-License-Identifier: Apache-2.0
"""The link-load map: every router at its place, every link an arrow in the colour of its load."""
import numpy as np
from matplotlib.figure import Figure

from .plot import WIDTH, Plot, folded, heat, heat_scale, number, scale_top, squares

ARROWS_UP_TO = 1024  # routers; beyond, arrows are too small to see


class Grid:
    """Routers at integer places; a grid of more than two dimensions is cut into slices laid side by side."""

    def __init__(self, dims, routers, wraps):
        self.dims = list(dims) + [1] * (2 - len(dims))
        self.wraps = wraps
        nx, ny = self.dims[:2]
        self.slices = max(routers // (nx * ny), 1)
        self.across = int(np.ceil(np.sqrt(self.slices * ny / nx)))
        number = np.arange(routers)
        self.x, self.y, self.slice = number % nx, number // nx % ny, number // (nx * ny)
        self.xy = np.stack([self.x, self.y], 1) + self.origin(self.slice)
        self.margin = 0.85 if wraps else 0.45

    def origin(self, piece):
        """Of a slice; slices are read as text is, from the top left."""
        nx, ny = self.dims[:2]
        down = -(-self.slices // self.across)
        return np.stack([piece % self.across * (nx + 1.3), (down - 1 - piece // self.across) * (ny + 1.6)], -1)

    def line(self, a, b, second):
        """Middle line(s) of the arrow(s) from a to b: one, or two stubs for a link round the edge."""
        start, end = self.xy[a].astype(float), self.xy[b].astype(float)
        step = [self._step(int(d), n) for d, n in zip(end - start, self.dims)]
        if second:  # a ring of two has its way round as a second link
            step = [-s for s in step]
        around = np.array(step, float)
        if not self.wraps or (around == end - start).all():
            return [_straight_or_bowed(start, end)]
        return [np.array([start, start + around * 0.72]), np.array([end - around * 0.72, end])]

    def _step(self, way, size):
        if abs(way) <= 1:
            return way
        return -int(np.sign(way)) if self.wraps and abs(way) * 2 > size else 0


class Places:
    """Routers at given places; every link is one straight arrow."""
    slices = 1

    def __init__(self, xy):
        self.xy = np.asarray(xy, float)
        self.slice = np.zeros(len(xy), int)
        self.margin = 0.5

    def line(self, a, b, _second):
        return [self.xy[[a, b]]]


def plot(result, colours):
    links = result.tables.get("links")
    if not links:
        return None
    between = links["kind"] == "router"
    a, b, load = (links[name][between] for name in ("from", "to", "load"))
    if not len(a):
        return None
    a, b = a.astype(int), b.astype(int)
    routers = int(max(result.get("topology.routers", 0), a.max() + 1, b.max() + 1))
    place = layout(result, routers, a, b)
    top = scale_top(load)
    if routers > ARROWS_UP_TO:
        figure, what = _heat_map(place, routers, a, load, top, colours), "Each square is a router in the colour of its busiest outgoing link."
    else:
        figure, what = _arrow_map(place, routers, a, b, load, top, colours)
    worst = int(np.nanargmax(load)) if np.isfinite(load).any() else 0
    caption = (f"{what} Mean load {number(np.nanmean(load))}, highest {number(load[worst])} "
               f"flits/cycle, from router {a[worst]} to {b[worst]}.")
    order = np.argsort(-np.nan_to_num(load))[:20]
    return Plot("Link load", figure, caption, links.file, ("from router", "to router", "load (flits/cycle)"),
                [(a[i], b[i], load[i]) for i in order])


def layout(result, routers, a, b):
    dims = [int(d) for d in result.get("topology.dims", [])]
    name = str(result.get("topology.name", "")).lower()
    if len(dims) > 1 and np.prod(dims) == routers and dims[0] * dims[1] > 1:
        return Grid(dims, routers, wraps="torus" in name)
    table = result.tables.get("routers")
    if table and table.rows == routers and len(dims) > 1:
        xy = np.stack([table["x"], table["y"]], 1)[np.argsort(table["router"])]
        if np.isfinite(xy).all() and len(np.unique(xy, axis=0)) == routers:
            return Places(xy)
    if routers > ARROWS_UP_TO:
        side = int(np.ceil(np.sqrt(routers)))
        return Places([(r % side, r // side) for r in range(routers)])
    level = _levels(result, routers, a, b)
    return Places(_rows(level) if level.max() > 0 else _circle(routers))


def _levels(result, routers, a, b):
    """Links from each router to the nearest one that nodes inject into: the levels of a tree, the stages of a fly."""
    links = result.tables["links"]
    level = np.full(routers, -1)
    reached = np.unique(links["to"][links["kind"] == "injection"].astype(int))
    depth = 0
    while len(reached):
        level[reached] = depth
        depth += 1
        neighbours = np.concatenate([b[np.isin(a, reached)], a[np.isin(b, reached)]])
        reached = np.unique(neighbours[level[neighbours] < 0])
    return np.maximum(level, 0)


def _rows(level):
    xy = np.zeros((len(level), 2))
    widest = np.bincount(level).max()
    for depth in range(level.max() + 1):
        row = np.flatnonzero(level == depth)
        xy[row, 0] = (np.arange(len(row)) + 0.5) * widest / len(row)
        xy[row, 1] = depth * widest / (level.max() + 1) * 0.8
    return xy


def _circle(routers):
    angle = np.pi / 2 - 2 * np.pi * np.arange(routers) / routers
    radius = max(routers / (2 * np.pi), 0.6)
    return np.stack([np.cos(angle), np.sin(angle)], 1) * radius


def _straight_or_bowed(start, end):
    """A link over several routers of its row bows, else it would lie on the shorter ones."""
    way = end - start
    length = np.hypot(*way)
    if length < 1.5 or min(abs(way)) > 0:
        return np.array([start, end])
    t = np.linspace(0, 1, 12)[:, None]
    side = np.array([way[1], -way[0]]) / length
    return start + way * t + side * 0.16 * length ** 0.8 * 4 * t * (1 - t)


def _arrow(line, unit, head):
    """Outline of an arrow along the line, moved to its right so that the link back has room."""
    way = np.gradient(line, axis=0)
    way /= np.hypot(*way.T)[:, None]
    right = np.stack([way[:, 1], -way[:, 0]], 1)
    middle = line + right * 0.11 * unit
    half, tip = 0.05 * unit, middle[-1]
    if not head:
        return np.concatenate([middle + right * half, (middle - right * half)[::-1]])
    middle = middle.copy()
    middle[-1] -= way[-1] * 0.2 * unit
    wing = right[-1] * 0.11 * unit
    return np.concatenate([middle + right * half, [middle[-1] + wing, tip, middle[-1] - wing],
                           (middle - right * half)[::-1]])


def _shortened(line, start, end):
    """The line without what the routers at its ends cover."""
    line = line.copy()
    first, last = line[1] - line[0], line[-1] - line[-2]
    line[0] += first / np.hypot(*first) * min(start, 0.4 * np.hypot(*first))
    line[-1] -= last / np.hypot(*last) * min(end, 0.4 * np.hypot(*last))
    return line


def _arrow_map(place, routers, a, b, load, top, colours):
    figure, ax = frame(place.xy, place.margin)
    space = 1.0 if isinstance(place, Grid) else spacing(place.xy)
    size = 0.27 * space
    unit = space if isinstance(place, Grid) else 0.4 * space  # where links cross, thin ones can be followed
    shapes, values, leaving = [], [], np.full(routers, np.nan)
    seen = set()
    for i in range(len(a)):
        if a[i] == b[i]:
            continue
        if place.slice[a[i]] != place.slice[b[i]]:
            leaving[a[i]] = np.fmax(leaving[a[i]], load[i])
            continue
        lines = place.line(a[i], b[i], (a[i], b[i]) in seen)
        seen.add((a[i], b[i]))
        for part, line in enumerate(lines):
            whole = len(lines) == 1
            cut = _shortened(line, size if whole or part == 0 else 0, size if whole or part == 1 else 0)
            shapes.append(_arrow(cut, unit, head=True))
            values.append(load[i])
    if shapes:
        heat(ax, shapes, values, top, colours)
    _draw_routers(ax, place, size, leaving, top, colours)
    heat_scale(figure, ax, top, "load of the link, flits/cycle", colours)
    what = "Each arrow is a link in the colour of its load."
    if place.slices > 1:
        what += " Slices of the further dimensions lie side by side; a router has the colour of its busiest link to another slice."
    return figure, what


def spacing(xy):
    """Distance between the two nearest routers, kept within reason for the size of the picture."""
    apart = np.hypot(*(xy[:, None] - xy[None]).transpose(2, 0, 1)) + np.eye(len(xy)) * 1e9
    extent = max(np.ptp(xy, axis=0).max(), 1e-9)
    return float(np.clip(apart.min(), extent / 60, extent / 4))


def _draw_routers(ax, place, size, leaving, top, colours):
    boxes = [np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size * 0.9 + xy for xy in place.xy]
    if place.slices > 1:
        heat(ax, boxes, leaving, top, colours)
    else:
        from matplotlib.patches import PathPatch

        from .plot import polygons
        ax.add_patch(PathPatch(polygons(boxes), facecolor=colours["shade"], edgecolor=colours["muted"],
                               linewidth=0.7, zorder=3))
        points = size * points_per_unit(ax)
        if points > 5:
            for number, (x, y) in enumerate(place.xy):
                ax.text(x, y, number, ha="center", va="center_baseline", fontsize=min(points * 0.75, 9), zorder=4)


def points_per_unit(ax):
    return WIDTH * 72 * 0.95 / (ax.get_xlim()[1] - ax.get_xlim()[0])


def frame(xy, margin):
    """Axes without axes, the whole width of the picture."""
    low, high = xy.min(0), xy.max(0)
    spread = high - low + 2 * margin
    figure = Figure(figsize=(WIDTH, float(np.clip(WIDTH * spread[1] / spread[0], 1.0, 6.0)) + 0.7))
    ax = figure.subplots()
    ax.set_axis_off()
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    return figure, ax


def _heat_map(place, routers, a, load, top, colours):
    busiest = np.full(routers, np.nan)
    np.fmax.at(busiest, a, load)
    if isinstance(place, Grid):
        nx, ny = place.dims[:2]
        pieces = busiest.reshape(place.slices, ny, nx)
    else:
        side = int(place.xy[:, 0].max()) + 1
        pieces = np.concatenate([busiest, np.full(-routers % side, np.nan)]).reshape(1, -1, side)
    most = max(int(96 / np.sqrt(len(pieces))), 2)
    pieces = [folded(piece, most) for piece in pieces]
    rows, columns = pieces[0].shape
    grid = Grid([columns, rows], rows * columns, False)
    grid.slices = len(pieces)
    grid.across = int(np.ceil(np.sqrt(grid.slices * rows / columns)))
    origins = grid.origin(np.arange(len(pieces)))
    figure, ax = frame(np.concatenate([origins, origins + [columns, rows]]), 0.2)
    shapes = [square for x, y in origins for square in squares(rows, columns, x, y, 0.94)]
    heat(ax, shapes, np.concatenate([piece.ravel() for piece in pieces]), top, colours)
    heat_scale(figure, ax, top, "busiest link of the router, flits/cycle", colours)
    return figure
