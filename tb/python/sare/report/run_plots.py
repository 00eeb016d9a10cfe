# SPDX-License-Identifier: Apache-2.0
"""The plots of one run. Each function gives None where the run has nothing for it to show."""
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from . import bridge, failed, flowplot, linkmap, places, power, routermap, sizeplot, stallmap
from .contents import not_steady
from .digits import number
from .marks import Marks
from .plot import WIDTH, Plot, axes, bars, heat, heat_scale, legend, scale_top, squares, thinned

LOADS = {"offered": ("c6", "--"), "injected": ("c1", ":"), "accepted": ("c0", "-")}
MATRIX_CELLS = 64     # squares a side
NAMES_UP_TO = 24      # nodes
BARS_UP_TO = 128      # beyond, bars are put together
NODES_UP_TO = 4096  # that can be pointed at one by one: a page holds each
STEPS = 300           # of the histogram of latencies, at the most
FAILURES_UP_TO = 60  # lines
COUNT = FuncFormatter(lambda value, _: number(value))


def plots(result, colours):
    """In the order of the page."""
    makers = (flowplot.plot, stallmap.plot, routermap.plot, routermap.domains, sizeplot.plot, histogram, per_node, distances, queues, tasks, matrix, task_matrix)
    made = [evolution(result, colours), *linkmap.plots(result, colours), *power.plots(result, colours), *(maker(result, colours) for maker in makers)]
    return bridge.plots(result, colours) + [plot for plot in made if plot]


def main_picture(result, colours):
    made = linkmap.plots(result, colours)[:1] or (maker(result, colours) for maker in (evolution, histogram))
    return next(filter(None, made), None)


def evolution(result, colours):
    table = result.tables.get("series")
    if not table:
        return None
    panels = [panel for panel in (_loads, _latency, _packets) if panel is not _latency
              or np.isfinite(table["latency_mean"]).any()]
    figure, panes = axes(1.1 + 1.15 * len(panels), rows=len(panels), sharex=True, squeeze=False)
    measured = result.get("measured", {})
    for panel, ax in zip(panels, panes[:, 0]):
        panel(ax, table, colours)
        ax.set_ylim(0, ax.get_ylim()[1] if any(np.nanmax(line.get_ydata(), initial=0) > 0 for line in ax.lines) else 1)
        ax.yaxis.set_major_locator(MaxNLocator(4))
        ax.yaxis.set_major_formatter(COUNT)
        if measured.get("to", 0) > measured.get("from", 0):
            ax.axvspan(measured["from"], measured["to"], color=colours["shade"], linewidth=0, zorder=0)
    caption = _mark_failures(result, panes[:, 0], colours)
    ax.set_xlim(0, max(table["cycle"].max(), 1))
    ax.set_xlabel("cycle")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    ax.xaxis.set_major_formatter(COUNT)
    figure.align_ylabels()
    rows = thinned(zip(*(table[name] for name in
                         ("cycle", "offered", "injected", "accepted", "latency_mean", "packets_in_network"))))
    return Plot("Evolution", figure, "Loads, latency and packets in the network, each over one interval; "
                "the measured window is shaded." + caption, table.file,
                ("cycle", "offered", "injected", "accepted", "mean latency", "packets in network"), rows,
                [mark for ax in panes[:, 0] for mark in _of_lines(ax, "up to cycle")])


def _mark_failures(result, panes, colours):
    """A line at each cycle in which something failed; says what they are."""
    happened = failed.happened(result)
    if not happened:
        return ""
    for ax in panes:
        for cycle in happened.cycles[:FAILURES_UP_TO]:
            ax.axvline(cycle, color=colours["bad"], linewidth=1, dashes=(4, 2), label="_failure")
    return f" Dashed lines: something failed, first in cycle {number(happened.cycles[0])}."


def _of_lines(ax, x_name):
    """The points of the curves of a panel."""
    labels = {line: "" if line.get_label().startswith("_") else line.get_label() for line in ax.lines}
    return [Marks(ax, *line.get_data(), {x_name: line.get_xdata(), ax.get_ylabel(): line.get_ydata()}, label)
            for line, label in labels.items() if line.get_transform() == ax.transData]


def _loads(ax, table, colours):
    for name, (colour, dashes) in LOADS.items():
        ax.plot(table["cycle"], table[name], dashes, color=colours[colour], label=name)
    ax.set_ylabel("flits/node/cycle")
    legend(ax)


def _latency(ax, table, colours):
    ax.plot(table["cycle"], table["latency_mean"], color=colours["c3"])
    ax.set_ylabel("latency, cycles")


def _packets(ax, table, colours):
    ax.plot(table["cycle"], table["packets_in_network"], color=colours["c2"])
    ax.set_ylabel("packets inside")


def histogram(result, colours):
    table = result.tables.get("latency_histogram")
    if not table or not (table["from_generation"].sum() or table["from_injection"].sum()):
        return None
    edges, generation, injection = _densities(table)
    figure, ax = axes()
    ax.stairs(generation, edges, fill=True, linewidth=0, color=colours["c0"], alpha=0.45, label="from generation")
    ax.stairs(injection, edges, color=colours["c1"], linewidth=1.3, label="from injection")
    _mark_percentiles(ax, result, colours)
    both = np.concatenate([generation, injection])
    ax.set_yscale("log")
    ax.set_ylim(0.7 * both[both > 0].min(), 1.6 * both.max())
    ax.set_xlim(edges[0], edges[-1])
    ax.yaxis.set_major_formatter(COUNT)
    ax.set_xlabel("packet latency, cycles")
    ax.set_ylabel("packets a cycle of latency")
    legend(ax)
    p = {q: number(result.get(f"latency.packet.from_generation.{q}")) for q in ("p50", "p95", "p99")}
    caption = (f"Packets by latency: how many a cycle of it, on a logarithmic scale. From generation, half took at most {p['p50']} cycles, "
               f"95 % at most {p['p95']}, 99 % at most {p['p99']}.")
    if grows := not_steady(result.get("status")):
        caption += f" Latency from generation {grows}."
    columns = ("low", "high", "from_generation", "from_injection")
    middle = (edges[:-1] + edges[1:]) / 2
    marks = [Marks(ax, middle[density > 0], density[density > 0],
                   {"latency, from cycle": edges[:-1][density > 0], "to below": edges[1:][density > 0],
                    "packets a cycle of it": density[density > 0]}, name)
             for density, name in ((generation, "from generation"), (injection, "from injection"))]
    return Plot("Latency", figure, caption, table.file, ("from cycle", "to below", "packets, from generation",
                                                         "packets, from injection"),
                thinned(zip(*(table[name] for name in columns))), marks)


def _densities(table):
    """Edges of steps, and packets a cycle in each: where bins are wide a step is one bin, else some of them."""
    low, high = table["low"], table["high"]
    least = max((high[-1] - low[0]) / STEPS, 1)
    edges = [low[0]]
    for begin, end in zip(low, high):
        if begin >= edges[-1] + least:
            edges.append(begin)  # empty bins are left out of the table: a step ends before one that is filled
        if end >= edges[-1] + least:
            edges.append(end)
    if edges[-1] < high[-1]:
        edges.append(high[-1])
    edges = np.array(edges)
    counts = [np.histogram((low + high) / 2, edges, weights=table[name])[0] for name in ("from_generation", "from_injection")]
    return edges, *(count / np.diff(edges) for count in counts)


def _mark_percentiles(ax, result, colours):
    for q, height in (("p50", 0.98), ("p95", 0.98), ("p99", 0.86)):
        value = result.get(f"latency.packet.from_generation.{q}")
        if value is not None and np.isfinite(value):
            ax.axvline(value, color=colours["ink"], linewidth=0.8, dashes=(3, 2))
            ax.annotate(q, (value, height), xytext=(3, 0), textcoords="offset points", va="top", fontsize=8.5,
                        xycoords=("data", "axes fraction"))


def per_node(result, colours):
    table = result.tables.get("nodes")
    if not table or table.rows < 2:
        return None
    figure, ax = axes(2.5)
    accepted = table["accepted"]
    if table.rows <= BARS_UP_TO:
        bars(ax, table["node"] - 0.4, 0.8, accepted, color=colours["c0"], label="accepted")
    else:
        _banded(ax, table["node"], accepted, colours["c0"], "accepted, least to most")
    if np.isfinite(table["offered"]).any():
        ax.axhline(np.nanmean(table["offered"]), color=colours["c6"], dashes=(4, 2), label="offered, mean")
    ax.set_xlim(table["node"].min() - 0.6, table["node"].max() + 0.6)
    ax.set_ylim(0, scale_top([np.nanmax(accepted, initial=0), np.nanmean(table["offered"])]) * 1.02)
    ax.set_xlabel("node")
    ax.set_ylabel("flits/node/cycle")
    called = places.names(result, "node", int(table["node"].max()) + 1)
    if "name" in table and table.rows <= NAMES_UP_TO:
        ax.set_xticks(table["node"], [called[int(n)] for n in table["node"]], rotation=30, ha="right")
    else:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.xaxis.set_major_formatter(COUNT)
    ax.yaxis.set_major_formatter(COUNT)
    legend(ax)
    fair = result.get("fairness.accepted", {})
    caption = (f"Accepted load of each node: least {number(fair.get('min'))}, most {number(fair.get('max'))}, "
               f"Jain's index {number(fair.get('jain'))} (1 is even).")
    return Plot("Fairness", figure, caption, table.file, ("node", "router", "offered", "accepted"),
                thinned(zip(table["node"], table["router"], table["offered"], accepted)),
                [_marks_of_groups(ax, table["node"], accepted) if table.rows > NODES_UP_TO else
                 Marks(ax, table["node"], accepted, {name: table[name] for name in ("router", "offered", "accepted")},
                       [f"Node {called[int(n)]}" for n in table["node"]])])


def _groups(x, values):
    """BARS_UP_TO groups of neighbours: where each is, and the least, mean and most of its values."""
    groups = np.array_split(np.arange(len(x)), BARS_UP_TO)
    return np.array([(x[g].mean(), values[g].min(), values[g].mean(), values[g].max()) for g in groups]).T


def _banded(ax, x, values, colour, label):
    at, least, mean, most = _groups(x, values)
    ax.fill_between(at, least, most, color=colour, alpha=0.3, linewidth=0, label=label)
    ax.plot(at, mean, color=colour, linewidth=1, label="mean")


def _marks_of_groups(ax, nodes, accepted):
    at, least, mean, most = _groups(nodes, accepted)
    ends = np.array_split(nodes, BARS_UP_TO)
    return Marks(ax, at, mean, {"accepted, least": least, "mean": mean, "most": most},
                 [f"Nodes {int(g[0])} to {int(g[-1])}" for g in ends])


def distances(result, colours):
    table = result.tables.get("distances")
    if not table or not table["injected"].sum():
        return None
    figure, ax = axes(2.5)
    for name, colour, shift in (("injected", "c6", -0.4), ("consumed", "c0", 0.0)):
        bars(ax, table["hops"] + shift, 0.4, table[name], color=colours[colour], label=name)
    ax.set_xlim(-0.7, table["hops"].max() + 0.7)
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(COUNT)
    ax.set_xlabel("distance, hops")
    ax.set_ylabel("packets")
    legend(ax)
    caption = (f"Packets by distance, as injected and as consumed. Mean {number(result.get('hops.mean'))} hops, "
               f"at most {number(result.get('hops.max'))}.")
    return Plot("Distances", figure, caption, table.file, ("hops", "packets injected", "packets consumed"),
                thinned(zip(table["hops"], table["injected"], table["consumed"])),
                [Marks(ax, table["hops"], np.maximum(table["injected"], table["consumed"]),
                       {"packets injected": table["injected"], "packets consumed": table["consumed"]},
                       [f"{int(h)} hops" for h in table["hops"]])])


def queues(result, colours):
    table = result.tables.get("queues")
    if not table or not table["samples"].sum():
        return None
    share = table["samples"] / table["samples"].sum() * 100
    shown = np.maximum(share, 0)
    least = min(10 ** np.floor(np.log10(shown[shown > 0].min())), 1) if (shown > 0).any() else 1
    figure, ax = axes(2.5)
    bars(ax, table["flits"] - 0.4, 0.8, np.where(shown > 0, shown - least, 0), bottom=least, color=colours["c2"])
    ax.set_yscale("log")
    ax.set_ylim(least, 110)
    ax.set_xlim(-0.7, table["flits"].max() + 0.7)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    ax.yaxis.set_major_formatter(COUNT)
    ax.set_xlabel("flits in the buffer of a virtual channel")
    ax.set_ylabel("share of samples, %")
    mean = (table["flits"] * share).sum() / 100
    return Plot("Queue occupancy", figure, f"How full the buffers were, on a logarithmic scale; mean {number(mean)} "
                "flits.", table.file, ("flits", "samples", "share (%)"),
                thinned(zip(table["flits"], table["samples"], share)),
                [Marks(ax, table["flits"], np.maximum(shown, least), {"samples": table["samples"], "share (%)": share},
                       [f"{int(f)} flits" for f in table["flits"]])])


def tasks(result, colours):
    table = result.tables.get("tasks")
    if not table or not table["finish_cycle"].max() > 0:
        return None
    figure, ax = axes(2.7)
    groups = np.array_split(np.arange(table.rows), min(table.rows, BARS_UP_TO))
    width = table.rows / len(groups)
    bottom = np.zeros(len(groups))
    for name, colour in (("compute", "s0"), ("overhead", "s1"), ("blocked", "s3")):
        height = np.array([np.nanmean(table[f"{name}_cycles"][g]) for g in groups])
        bars(ax, table["task"].min() - 0.5 + width * (np.arange(len(groups)) + 0.08), width * 0.84, height, bottom,
             color=colours[colour], label=name)
        bottom += np.nan_to_num(height)
    ax.set_xlim(table["task"].min() - 0.6, table["task"].max() + 0.6)
    ax.set_ylim(0, max(bottom.max() * 1.03, 1))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(COUNT)
    ax.set_xlabel("task")
    ax.set_ylabel("cycles")
    legend(ax)
    total = {name: np.nansum(table[f"{name}_cycles"]) for name in ("compute", "overhead", "blocked")}
    whole = sum(total.values()) or 1
    caption = "Where the time of the tasks went: " + ", ".join(
        f"{name} {number(100 * value / whole, 3)} %" for name, value in total.items()) + "."
    names = ("task", "node", "finish_cycle", "compute_cycles", "overhead_cycles", "blocked_cycles")
    return Plot("Tasks", figure, caption, table.file,
                ("task", "node", "finished at cycle", "compute", "overhead", "blocked"),
                thinned(zip(*(table[name] for name in names))), [_task_marks(ax, table)])


def _task_marks(ax, table):
    parts = {name: table[f"{name}_cycles"] for name in ("compute", "overhead", "blocked")}
    high = np.minimum(sum(np.nan_to_num(cycles) for cycles in parts.values()), ax.get_ylim()[1])
    return Marks(ax, table["task"], high, {"node": table["node"], **{f"{n} (cycles)": v for n, v in parts.items()}},
                 [f"Task {int(t)}" for t in table["task"]])


def matrix(result, colours):
    return _matrix(result.tables.get("matrix"), "flits", "node", "Traffic matrix", colours)


def task_matrix(result, colours):
    return _matrix(result.tables.get("task_matrix"), "bytes", "task", "Communication", colours)


def _matrix(table, unit, place, title, colours):
    if not table or not table[unit].sum():
        return None
    source, destination = table["source"].astype(int), table["destination"].astype(int)
    nodes = max(source.max(), destination.max()) + 1
    block = -(-nodes // MATRIX_CELLS)
    shown = np.zeros((-(-nodes // block),) * 2)  # only squares: there may be many nodes
    np.add.at(shown, (source // block, destination // block), table[unit])
    top = scale_top(shown)
    figure = Figure(figsize=(WIDTH, WIDTH * 0.86))
    ax = figure.subplots()
    heat(ax, squares(*shown.shape, -0.5, -0.5, 0.96), shown.ravel(), top, colours)
    ax.set(xlim=(-0.7, len(shown) - 0.3), ylim=(len(shown) - 0.3, -0.7), aspect="equal", xlabel=f"destination {place}",
           ylabel=f"source {place}")
    ax.grid(False)
    ax.spines["bottom"].set_visible(False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
        axis.set_major_formatter(FuncFormatter(lambda cell, _: number(cell * block)))
    heat_scale(figure, ax, top, unit, colours)
    together = f" Each square stands for {block} by {block} {place}s." if block > 1 else ""
    order = np.argsort(-table[unit], kind="stable")[:20]
    most = order[0]
    names = [name for name in ("messages", "packets", unit) if name in table]
    return Plot(title, figure, f"{unit.capitalize()} from each source to each destination.{together} Most, "
                f"{number(float(table[unit][most]))}, went from {place} {source[most]} to {destination[most]}.", table.file,
                ("source", "destination", *names),
                [(source[i], destination[i], *(table[name][i] for name in names)) for i in order],
                [_square_marks(ax, shown, place, block, unit)])


def _square_marks(ax, shown, place, block, unit):
    row, column = np.nonzero(shown)
    first, last = lambda k: k * block, lambda k: k * block + block - 1
    of = lambda k: f"{place} {k}" if block == 1 else f"{place}s {first(k)} to {last(k)}"
    size = 72 * WIDTH * 0.85 / len(shown) / 2
    return Marks(ax, column, row, {unit: shown[row, column]}, [f"{of(r)} to {of(c)}".capitalize() for r, c in zip(row, column)],
                 reach=max(size * 1.3, 3))
