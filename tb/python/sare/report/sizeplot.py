# SPDX-License-Identifier: Apache-2.0
"""Slowdown of messages by their size, as papers on data centres draw it."""
import numpy as np
from matplotlib.ticker import FuncFormatter

from .digits import number
from .marks import Marks
from .plot import Plot, axes, legend, thinned

CURVES = {"slowdown_p50": ("median", "c0", "-"), "slowdown_mean": ("mean", "c2", ":"), "slowdown_p99": ("99 %", "c1", "--")}
COLUMNS = ("messages", "latency_mean", "latency_p99", "idle_mean", *CURVES)
TICKS = FuncFormatter(lambda value, _: number(value))


def plot(result, colours):
    table = result.tables.get("message_sizes")
    if not table or not table.rows:
        return None
    low = np.maximum(table["from"], 1)
    high = np.where(np.isfinite(table["to"]), table["to"], 2 * low)
    middle = np.sqrt(low * high)
    figure, ax = axes()
    for name, (label, colour, dashes) in CURVES.items():
        ax.plot(middle, table[name], dashes, color=colours[colour], marker="o", markersize=3, label=label)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(min(1, table["slowdown_p50"].min()) * 0.95, max(table["slowdown_p99"].max() * 1.15, 2))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(TICKS)
        axis.set_minor_formatter("")
    ax.set_xlabel("size of the message, bytes")
    ax.set_ylabel("slowdown")
    legend(ax)
    caption = (f"Latency of messages over that in the idle network, by size, on logarithmic scales: half are slower by at most {number(result.get('slowdown.p50'))}, "
               f"99 % by at most {number(result.get('slowdown.p99'))}.")
    shown = {name.replace("_", " "): table[name] for name in COLUMNS}
    marks = [Marks(ax, middle, table[name], shown, [f"{number(a)} to {number(b)} bytes" for a, b in zip(table["from"], high)])
             for name in CURVES]
    return Plot("Slowdown by size", figure, caption, table.file, ("from", "to", *shown),
                thinned(zip(table["from"], table["to"], *shown.values())), marks)
