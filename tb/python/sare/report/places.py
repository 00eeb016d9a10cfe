# SPDX-License-Identifier: Apache-2.0
"""Where a picture of the network has its routers, and which way its links lead: as the topology says in routers.csv
and links.csv; where it says nothing, as Graphviz finds."""
import subprocess
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from .plot import WIDTH

LEGIBLE = 6.5          # points of letters
GRAPHVIZ_UP_TO = 4096  # routers; beyond, it takes minutes
SPRINGS_UP_TO = 200    # neato's pictures are the finer ones, sfdp's are done sooner
STUB, SHORT_STUB = 0.72, 0.46  # of a link round an edge, and of one to another group, which has routers around


@dataclass
class Places:
    xy: np.ndarray      # by router
    group: np.ndarray   # by router: the name of the plane, level, ...; "" for none
    unit: float = 1.0   # between the nearest two routers
    margin: float = 0.5


@dataclass
class Links:
    """Channels between routers."""
    a: np.ndarray
    b: np.ndarray
    stub: np.ndarray  # degrees in which the stub at `a` leaves; NaN for links drawn whole


def links(table, routers):
    """The chosen rows of links.csv, and what they say; None where there are no links between routers."""
    rows = table["kind"] == "router"
    a, b = (table[name][rows].astype(int) for name in ("from", "to"))
    if not len(a) or max(a.max(), b.max()) >= routers:
        return None
    stub = table["stub"][rows] if "stub" in table else np.full(len(a), np.nan)
    return rows, Links(a, b, stub)


def names(result, of, count):
    """What routers or nodes are called, by number: their names, or the numbers of those that have none."""
    table = result.tables.get(of + "s")
    called = list(range(count))
    if table and "name" in table:
        for number, name in zip(table[of].astype(int), table["name"]):
            if name and number < count:
                called[number] = name
    return called


def of(result, routers, channels):
    table = result.tables.get("routers")
    if table and table.rows == routers:
        order = np.argsort(table["router"])
        xy = np.stack([table["x"], table["y"]], 1)[order]
        if np.isfinite(xy).all() and len(np.unique(xy, axis=0)) == routers:
            named = "group" in table and table["group"].dtype == object  # else no cell of it says anything
            group = table["group"][order] if named else np.full(routers, "", object)
            return Places(xy, group, margin=0.85 if np.isfinite(channels.stub).any() else 0.5)
    return _unplaced(routers, channels)


def _unplaced(routers, channels):
    nowhere = np.full(routers, "", object)
    if routers > GRAPHVIZ_UP_TO:
        side = int(np.ceil(np.sqrt(routers)))
        return Places(np.stack([np.arange(routers) % side, np.arange(routers) // side], 1).astype(float), nowhere)
    xy = _graphviz(routers, channels)
    if xy is None:
        angle = np.pi / 2 - 2 * np.pi * np.arange(routers) / routers
        xy = np.stack([np.cos(angle), np.sin(angle)], 1) * max(routers / (2 * np.pi), 0.6)
    unit = nearest(xy)
    return Places(xy, nowhere, unit, 0.5 * unit)


def _graphviz(routers, channels):
    """Places by springs; None where Graphviz is not there or fails."""
    pairs = np.unique(np.sort(np.stack([channels.a, channels.b], 1), axis=1), axis=0)
    text = ["graph {", "overlap=prism; start=1; node [fixedsize=true, width=0.5, height=0.5, shape=circle];"]
    text += [f"{router};" for router in range(routers)] + [f"{a} -- {b};" for a, b in pairs] + ["}"]
    program = "neato" if routers <= SPRINGS_UP_TO else "sfdp"
    try:
        done = subprocess.run([program, "-Tplain"], input="\n".join(text), capture_output=True, text=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return None
    xy = np.full((routers, 2), np.nan)
    for line in done.stdout.splitlines():
        word = line.split()
        if word[:1] == ["node"]:
            xy[int(word[1])] = float(word[2]), float(word[3])
    return xy if np.isfinite(xy).all() else None


def nearest(xy):
    """Distance between the two nearest routers, kept within reason for the size of the picture."""
    extent = max(np.ptp(xy, axis=0).max(), 1e-9)
    apart = min((np.hypot(*(xy[i + 1:] - xy[i]).T).min() for i in range(len(xy) - 1)), default=extent)
    return float(np.clip(apart, extent / 200, extent / 4))


def lines(place, channels):
    """By channel, the lines it is drawn as: one, or two stubs."""
    across = ~np.isfinite(channels.stub)
    bowed = _over_others(place, channels) & across
    seen, result = {}, []
    for i, (a, b) in enumerate(zip(channels.a, channels.b)):
        start, end = place.xy[a], place.xy[b]
        if across[i]:
            parallel = seen[a, b] = seen.get((a, b), -1) + 1
            result.append([_bow(start, end, parallel + bowed[i], place.unit)])
            continue
        angle = np.radians(channels.stub[i])
        length = STUB if place.group[a] == place.group[b] else SHORT_STUB
        way = np.array([np.cos(angle), np.sin(angle)]) * length * place.unit
        result.append([np.array([start, start + way]), np.array([end - way, end])])
    return result


def _over_others(place, channels):
    """By channel: whether a straight line would pass through routers on its way."""
    start, way = place.xy[channels.a], place.xy[channels.b] - place.xy[channels.a]
    length = np.hypot(*way.T)
    found = np.zeros(len(length), bool)
    for i in np.flatnonzero(length > 1.5 * place.unit):
        offset = place.xy - start[i]
        along = offset @ way[i] / length[i]
        beside = np.abs(offset @ np.array([-way[i][1], way[i][0]])) / length[i]
        found[i] = ((along > 0.5 * place.unit) & (along < length[i] - 0.5 * place.unit) &
                    (beside < 0.05 * place.unit)).any()
    return found


def _bow(start, end, times, unit):
    """A straight line, or one that swings out to its right, not into the next row."""
    way = end - start
    length = np.hypot(*way)
    if not times or not length:
        return np.array([start, end])
    t = np.linspace(0, 1, 12)[:, None]
    right = np.array([way[1], -way[0]]) / length
    height = min(0.16 * (length / unit) ** 0.8, 0.45) * unit
    return start + way * t + right * times * height * 4 * t * (1 - t)


def shortened(line, start, end):
    """The line without what the routers at its ends cover: squares, half of whose sides are given."""
    line = line.copy()
    for at, size, way in ((0, start, line[1] - line[0]), (-1, end, line[-2] - line[-1])):
        line[at] += way * min(size / np.abs(way).max(), 0.4)
    return line


def router_size(place, channels, drawn):
    """Half of a side; less where links, drawn as `drawn`, pass between neighbours."""
    away = np.isfinite(channels.stub) & (place.group[channels.a] != place.group[channels.b])
    bowed = any(len(parts[0]) > 2 for parts in drawn)
    return (0.2 if away.any() or bowed else 0.27) * place.unit


def box(xy, size):
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * size + xy


def cells(place, most):
    """Squares, at most about `most` a side of the picture, each for the routers that lie there: corners (columns
    x, y), size, and by router which square."""
    step = max(np.ptp(place.xy, axis=0).max() / place.unit / most, 1) * place.unit
    _, group = np.unique(place.group.astype(str), return_inverse=True)
    low = np.full((group.max() + 1, 2), np.inf)
    np.minimum.at(low, group, place.xy)
    where = np.floor((place.xy - low[group]) / step + 1e-9)
    keys, cell = np.unique(np.column_stack([group, where]), axis=0, return_inverse=True)
    return low[keys[:, 0].astype(int)] + keys[:, 1:] * step, step, cell.ravel()


def frame(place, margin=None, width=WIDTH, widest_unit=None):
    """Axes without axes, the whole width of the picture; `widest_unit`: inches, else few routers are large."""
    margin = place.margin if margin is None else margin
    low, high = place.xy.min(0), place.xy.max(0)
    if widest_unit:
        beside = max(width * place.unit / widest_unit - 2 * margin - np.ptp(place.xy[:, 0]), 0) / 2
        low, high = low - [beside, 0], high + [beside, 0]
    figure = Figure(figsize=(width, width))
    ax = figure.subplots()
    ax.set_axis_off()
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_aspect("equal")
    _fit(ax)
    return figure, ax


def _fit(ax):
    """As high as what is to be seen, and a key below."""
    width = ax.figure.get_figwidth()
    height = width * np.ptp(ax.get_ylim()) / np.ptp(ax.get_xlim())
    ax.figure.set_figheight(float(np.clip(height, 1.0, 1.15 * width)) + 0.7)


def points_per_unit(ax):
    """Of the axes as they lie in the figure, about."""
    width, height = ax.figure.get_size_inches() * 72 * 0.95
    return min(width / np.ptp(ax.get_xlim()), height / np.ptp(ax.get_ylim()))


def number_routers(ax, place, size, names=None, background="", **style):
    """Names or numbers within the routers, where they can be read."""
    names = [str(name) for name in names or range(len(place.xy))]
    room = size * points_per_unit(ax) * 1.1
    points = min(room * min(1, 2.7 / max(map(len, names))), 9)
    if background and points < LEGIBLE <= room:  # wider than the router, then
        points, style["bbox"] = LEGIBLE, {"facecolor": background, "edgecolor": "none", "pad": 0.6}
    if points < 3.5:
        return
    for name, (x, y) in zip(names, place.xy):
        ax.text(x, y, name, ha="center", va="center_baseline", fontsize=points, zorder=4, **style)


NODES_UP_TO = 128  # routers of a picture that says which nodes are at each
NODES_NAMED = 3    # at one router; more are counted


def nodes_at(result, table, routers):
    """By router, a text of the nodes there; all "" where that says no more than the routers' own names, or is too much."""
    if routers > NODES_UP_TO:
        return [""] * routers
    ends = {(int(n), int(r)) for kind, n, r in (("injection", "from", "to"), ("ejection", "to", "from"))
            for of in [table["kind"] == kind] for n, r in zip(table[n][of], table[r][of])}
    called, own = names(result, "node", max((n for n, _ in ends), default=-1) + 1), names(result, "router", routers)
    here = [[str(called[n]) for n, r in sorted(ends) if r == router] for router in range(routers)]
    if result.get("topology.name") != "graph" and all(isinstance(name, int) for name in called):
        return [""] * routers  # numbered alike
    return ["" if at in ([], [str(name)]) else ", ".join(at[:NODES_NAMED]) + (f" and {len(at) - NODES_NAMED} more" if len(at) > NODES_NAMED else "")
            for at, name in zip(here, own)]


def name_nodes(ax, place, size, texts, colours):
    """Below each router the nodes at it, where they can be read."""
    points = min(0.5 * place.unit * points_per_unit(ax) * 0.32, 7.5)
    if points < 4 or not any(texts):
        return
    for (x, y), text in zip(place.xy, texts):
        if text:
            ax.annotate(text, (x, y - size), xytext=(0, -1.5), textcoords="offset points", ha="center", va="top", fontsize=points, zorder=6,
                        color=colours["ink"], annotation_clip=False, bbox={"facecolor": colours["surface"], "edgecolor": "none", "pad": 0.4, "alpha": 0.75})


def name_groups(ax, place, size, colours):
    """The names of planes, levels and the like beside them, where they can be read."""
    names = [name for name in dict.fromkeys(place.group) if name]
    if len(names) < 2:
        return
    boxes = [(place.xy[place.group == name].min(0), place.xy[place.group == name].max(0)) for name in names]
    centres = np.array([place.xy[place.group == name].mean(0) for name in names])
    reach = np.hypot(*(centres - centres.mean(0)).T)
    on_circle = len(names) > 2 and np.ptp(reach) < 0.01 * reach.max() and abs(centres[0][0] - centres.mean(0)[0]) < 0.001 * place.unit
    rows = all(low[1] == high[1] for low, high in boxes) and len({low[1] for low, _ in boxes}) == len(boxes)
    columns = all(low[0] == high[0] for low, high in boxes) and len({low[0] for low, _ in boxes}) == len(boxes)
    room = np.ptp(place.xy[:, 1]) / len(names) / 2 if rows else 0.62 * place.unit
    points = min(room * points_per_unit(ax), 8)
    if not rows and not on_circle:  # no wider than the gap to the next one lets them be
        width = min(high[0] - low[0] for low, high in boxes) + 1.8 * place.unit
        points = min(points, width * points_per_unit(ax) / (0.62 * max(map(len, names))))
    if points < 3:
        return
    style = {"fontsize": points, "color": colours["muted"], "zorder": 5}
    for name, (low, high), centre in zip(names, boxes, centres):
        if on_circle:
            way = (centre - centres.mean(0)) / reach[0]
            at = centre + way * (np.hypot(*(place.xy[place.group == name] - centre).T).max() + size + 0.3 * place.unit)
            ax.text(*at, name, ha="center" if abs(way[0]) < 0.3 else "left" if way[0] > 0 else "right",
                    va="center" if abs(way[1]) < 0.3 else "bottom" if way[1] > 0 else "top", **style)
        elif rows:
            ax.text(place.xy[:, 0].min() - size - 0.3 * place.unit, low[1], name, ha="right", va="center", **style)
        else:
            bottom = place.xy[:, 1].min() if columns else low[1]
            ax.text((low[0] + high[0]) / 2, bottom - max(size + 0.15 * place.unit, place.margin - 0.07 * place.unit),
                    name, ha="center", va="top", **style)
    widest = max(len(name) for name in names) * 0.6 * points / points_per_unit(ax)
    left, right = ax.get_xlim()
    bottom, top = ax.get_ylim()
    room = 1.6 * points / points_per_unit(ax)
    ax.set_xlim(left - (widest if rows or on_circle else 0), right + (widest if on_circle else 0))
    ax.set_ylim(bottom - (0 if rows else room), top + (room if on_circle else 0))
    _fit(ax)
