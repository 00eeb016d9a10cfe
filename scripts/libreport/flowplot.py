# SPDX-License-Identifier: Apache-2.0
"""Flows: what each delivers of what it requires, those that fall short first."""
import numpy as np
from matplotlib.ticker import FuncFormatter

from .contents import not_steady
from .marks import Marks
from .plot import Plot, axes, bars, legend, number

MOST = 40  # flows


def name(table, k):
    return f"{table['source'][k]} to {table['destination'][k]}" + (" (answer)" if table["kind"][k] == "answer" else "")


def plot(result, colours):
    table = result.tables.get("flows")
    if not table or not table.rows:
        return None
    count = min(table.rows, MOST)
    at, short = np.arange(count)[::-1], table["met"][:count] == "no"
    delivered, required = (np.nan_to_num(table[column][:count]) for column in ("delivered", "required"))
    figure, ax = axes(0.9 + 0.2 * count)
    for some, colour, label in ((~short, "c0", "delivered"), (short, "c1", "delivered, unmet")):
        if some.any():
            bars(ax, 0, delivered[some], 0.64, at[some] - 0.32, facecolor=colours[colour], label=label)
    ax.plot(required, at, linestyle="", marker="|", markersize=9, markeredgewidth=1.8, color=colours["ink"], label="required")
    ax.set_yticks(at, [name(table, k) for k in range(count)])
    ax.set_ylim(-0.6, count - 0.4)
    ax.set_xlim(0, 1.05 * max(delivered.max(), required.max(), 1e-9))
    ax.set_xlabel("flits/cycle")
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))
    ax.grid(visible=False, axis="y")
    legend(ax)
    what = {"required (flits/cycle)": required, "delivered (flits/cycle)": delivered,
            **{f"{said} latency (cycles)": table[column][:count] for said, column in (("mean", "latency_mean"), ("p99", "latency_p99"))},
            "": ["unmet" if one else None for one in short]}
    unmet = int((table["met"] == "no").sum())
    caption = f"{unmet} of {table.rows} flows get less than they require, or later." + (f" The first {MOST} are drawn." if count < table.rows else "")
    if grows := not_steady(result.get("status")):
        caption += f" Latency {grows}."
    return Plot("Flows", figure, caption, table.file,
                marks=[Marks(ax, delivered, at, what, [name(table, k) for k in range(count)])])
