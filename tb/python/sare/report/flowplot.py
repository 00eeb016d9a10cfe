# SPDX-License-Identifier: Apache-2.0
"""Flows: what each delivers of what it requires, those that fall short first."""
import numpy as np
from matplotlib.ticker import FuncFormatter

from .contents import not_steady
from .digits import number
from .marks import Marks
from .plot import Plot, axes, bars, legend

MOST = 40  # flows
VERDICTS = {"no": ("c1", "delivered, unmet"), "cannot tell": ("c3", "delivered, cannot tell"), "yes": ("c0", "delivered")}


def units(table):
    """(unit of rates, of latencies, suffix of the columns in them): those in which all flows were given, if they agree."""
    rates, times = (set(table.columns.get(column, ())) for column in ("rate_unit", "latency_unit"))
    if len(rates) == len(times) == 1:
        return rates.pop(), times.pop(), "_given"
    return "flits/cycle", "cycles", ""


def counts(table):
    """What a caption says of the verdicts."""
    unmet, open_ = (int((table["met"] == said).sum()) for said in ("no", "cannot tell"))
    return (f"{unmet} of {table.rows} flows get less than they require, or later." +
            (f" Of {open_} the run is too short to tell." if open_ else ""))


def name(table, k):
    return f"{table['source'][k]} to {table['destination'][k]}" + (" (answer)" if table["kind"][k] == "answer" else "")


def plot(result, colours):
    table = result.tables.get("flows")
    if not table or not table.rows:
        return None
    count = min(table.rows, MOST)
    at, met = np.arange(count)[::-1], table["met"][:count]
    rate, time, given = units(table)
    delivered, required = (np.nan_to_num(table[column + given][:count]) for column in ("delivered", "required"))
    figure, ax = axes(0.9 + 0.2 * count)
    for said, (colour, label) in reversed(VERDICTS.items()):
        if (some := met == said).any():
            bars(ax, 0, delivered[some], 0.64, at[some] - 0.32, facecolor=colours[colour], label=label)
    ax.plot(required, at, linestyle="", marker="|", markersize=9, markeredgewidth=1.8, color=colours["ink"], label="required")
    ax.set_yticks(at, [name(table, k) for k in range(count)])
    ax.set_ylim(-0.6, count - 0.4)
    ax.set_xlim(0, 1.05 * max(delivered.max(), required.max(), 1e-9))
    ax.set_xlabel(rate)
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))
    ax.grid(visible=False, axis="y")
    legend(ax)
    what = {f"required ({rate})": required, f"delivered ({rate})": delivered,
            **{f"{said} latency ({time})": table[column + given][:count] for said, column in (("mean", "latency_mean"), ("p99", "latency_p99"))},
            "": [{"no": "unmet", "yes": None}.get(one, one) for one in met]}
    caption = counts(table) + (f" The first {MOST} are drawn." if count < table.rows else "")
    if grows := not_steady(result.get("status")):
        caption += f" Latency {grows}."
    return Plot("Flows", figure, caption, table.file,
                marks=[Marks(ax, delivered, at, what, [name(table, k) for k in range(count)])])
