# SPDX-License-Identifier: Apache-2.0
"""What a run with simulated computers shows of their frames, and of the time spent waiting for them."""
import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from .digits import number
from .plot import Plot, axes, legend, thinned
from .read import lookup

COUNT = FuncFormatter(lambda value, _: number(value))
LINES = 8    # nodes with a line each
STEPS = 150  # of the time line
TABLE_PAIRS = 40


def parts(result):
    """(name, result) of the run, or of each application in it, that has computers."""
    everything = [("", result), *result.members.items()]
    return [(name, one) for name, one in everything if isinstance(one.get("workload.peers"), list) and one.get("workload.frames")]


def _title(text, name):
    return f"{text} of {name}" if name else text


def plots(result, colours):
    made = [maker(name, one, colours) for name, one in parts(result) for maker in (_frames, _waiting)]
    return [plot for plot in made if plot]


def _frames(name, result, colours):
    table = result.tables.get("frames_timeline")
    if not table:
        return None
    width = float((table["to_us"] - table["from_us"]).max())
    width *= -(-table["to_us"].max() // (width * STEPS))  # bins are joined, so many at a time
    nodes = sorted(set(table["node"].astype(int)))
    begin = np.arange(0, table["to_us"].max(), width)
    count = np.zeros((len(nodes), len(begin)))
    row = {node: i for i, node in enumerate(nodes)}
    at = np.minimum((table["from_us"] / width + 1e-6).astype(int), len(begin) - 1)
    for node, place, frames in zip(table["node"].astype(int), at, table["frames"]):
        count[row[node], place] += frames
    unit, scale = ("s", 1e6) if begin[-1] >= 1e6 else ("ms", 1e3) if begin[-1] >= 1e3 else ("µs", 1)
    edges = np.append(begin, begin[-1] + width) / scale
    figure, ax = axes(2.6)
    if len(nodes) <= LINES:
        for i, node in enumerate(nodes):
            ax.stairs(count[i], edges, color=colours[f"c{i % 8}"], linewidth=1.1, label=f"node {node}")
        legend(ax)
    else:
        ax.stairs(count.sum(axis=0), edges, color=colours["c0"], linewidth=1.1)
    ax.set_xlim(0, edges[-1])
    ax.set_ylim(0)
    ax.set_xlabel(f"simulated time, {unit}")
    ax.set_ylabel(f"frames in {number(width / scale)} {unit}")
    ax.xaxis.set_major_locator(MaxNLocator(8))
    ax.yaxis.set_major_formatter(COUNT)
    caption = f"Frames as they leave the computers, counted over {number(width / scale)} {unit}" + (
        "." if len(nodes) <= LINES else f": those of all {len(nodes)} together.")
    columns = ("node", "from_us", "to_us", "frames", "bytes")
    return Plot(_title("Frames along time", name), figure, caption, table.file, ("node", "from µs", "to µs", "frames", "bytes"),
                thinned(zip(*(table[c] for c in columns))))


def _waiting(name, result, colours):
    """Where the host's time went."""
    times = _times(result)
    if not times:
        return None
    figure, ax = axes(0.9 + 0.32 * len(times))
    names, seconds = [n for n, _ in times], [s for _, s in times]
    colour = [colours["c3"] if n == "network" else colours["c0"] for n in names]
    ax.barh(range(len(times)), seconds, color=colour, height=0.62)
    ax.set_yticks(range(len(times)), names)
    ax.invert_yaxis()
    ax.set_xlabel("seconds of the host")
    ax.xaxis.set_major_formatter(COUNT)
    return Plot(_title("Where the time went", name), figure,
                "How long the run waited for each simulator (those that run side by side are waited for together), and the time "
                "of the network itself.", "summary.json", ("what", "s"), times)


def _times(result):
    host = result.get("run.workload", {})
    peers = host.get("peers") if isinstance(host.get("peers"), list) else []
    if not peers:
        return []
    times = [(str(p.get("name")), float(p.get("waited_s") or 0)) for p in peers if isinstance(p, dict)]
    if len(times) > 24:
        times = sorted(times, key=lambda one: -one[1])[:24]
    wall = result.get("run.wall_s")
    if wall is not None:
        times.append(("network", max(0.0, wall - (host.get("waiting_s") or 0) - (host.get("joining_s") or 0))))
    return times


def tables(result):
    made = []
    for name, one in parts(result):
        made += [_peers(name, one), _pairs(name, one)]
    return [table for table in made if table]


def _peers(name, result):
    waited = {p.get("name"): p.get("waited_s") for p in lookup(result.summary, "run.workload.peers", []) if isinstance(p, dict)}
    rows = [[str(p.get("name")), _short(p.get("nodes")), p.get("simulated_us"), p.get("access_latency_us"), waited.get(p.get("name")),
             str(p.get("end") or "–")] for p in result.get("workload.peers") if isinstance(p, dict)]
    total = result.get("run.workload.waiting_s")
    note = f"All together were waited for {number(total)} s of the host" if total is not None else ""
    wall = result.get("run.wall_s")
    share = f", {number(100 * total / wall, 3)} % of the run." if total is not None and wall else "."
    return (_title("Simulators", name), ("", "nodes", "simulated, µs", "cable, µs", "waited for, s", "end"), rows, note and note + share)


def _short(nodes):
    nodes = [str(n) for n in nodes] if isinstance(nodes, list) else []
    return ", ".join(nodes[:8]) + (f", … ({len(nodes)})" if len(nodes) > 8 else "")


def _pairs(name, result):
    table = result.tables.get("frames")
    if not table:
        return None
    order = np.argsort(-table["frames"], kind="stable")[:TABLE_PAIRS]
    columns = ("source", "destination", "frames", "bytes", "lost", "mean_us", "min_us", "max_us")
    rows = [[table[c][i] for c in columns] for i in order]
    note = "Latency of frames from their sending to the computer that they reach" + (
        f"; the {TABLE_PAIRS} busiest of {table.rows} pairs." if table.rows > TABLE_PAIRS else ".")
    return (_title("Frames by pair", name), ("from node", "to node", "frames", "bytes", "lost", "mean µs", "least µs", "most µs"), rows, note)
