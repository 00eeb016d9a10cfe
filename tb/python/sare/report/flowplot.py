# SPDX-License-Identifier: Apache-2.0
"""Flows: what each delivers of what it requires, those that fall short first."""
from collections import Counter

import numpy as np
from matplotlib.ticker import FuncFormatter

from .contents import not_steady
from .digits import number
from .marks import Marks, with_unit
from .plot import Plot, axes, bars, legend

MOST = 40  # flows
VERDICTS = {"no": ("c1", "unmet"), "cannot tell": ("c3", "cannot tell"), "yes": ("c0", "met")}
USUAL = {"rate": "flits/cycle", "latency": "cycles"}


def given(table, column):
    """(unit, values) of a column, as its flows were given; None where their units differ, and each value is a text with its own."""
    kind = "latency" if column.startswith("latency") else "rate"
    if f"{column}_given" not in table.columns:  # of results before the column was there
        return USUAL[kind], table[column]
    values, units = table[f"{column}_given"], table[f"{kind}_unit"]
    if len(set(units)) == 1:
        return units[0], values
    return None, [number(float(value)) + (f" {unit}" if np.isfinite(value) else "") for value, unit in zip(values, units)]


def labelled(table, columns):
    """By label: values of the columns, as the flows were given; `columns`: by their names without units."""
    all_given = {text: given(table, column) for text, column in columns.items()}
    return {f"{text}, {unit}" if unit else text: values for text, (unit, values) in all_given.items()}


def counts(table):
    """What a caption says of the verdicts."""
    unmet, open_ = (int((table["met"] == said).sum()) for said in ("no", "cannot tell"))
    return (f"{unmet} of {table.rows} flows get less than they require, or later." +
            (f" Of {open_} the run is too short to tell." if open_ else ""))


def names(table):
    """Ends of each flow, and its class where others have the same ends."""
    ends = [f"{source} to {destination}" + (" (answer)" if kind == "answer" else "")
            for source, destination, kind in zip(table["source"], table["destination"], table["kind"])]
    alike = Counter(ends)
    return [text if alike[text] == 1 else f"{text}, class {table['class'][k]}" for k, text in enumerate(ends)]


def plot(result, colours):
    table = result.tables.get("flows")
    if not table or not table.rows:
        return None
    count = min(table.rows, MOST)
    at, met = np.arange(count)[::-1], table["met"][:count]
    rate, named = given(table, "delivered")[0], names(table)[:count]
    suffix = "_given" if rate not in (None, USUAL["rate"]) else ""
    delivered, required = (np.nan_to_num(table[column + suffix][:count]) for column in ("delivered", "required"))
    figure, ax = axes(0.9 + 0.2 * count)
    for said, (colour, label) in VERDICTS.items():
        if (some := met == said).any():
            bars(ax, 0, delivered[some], 0.64, at[some] - 0.32, facecolor=colours[colour], label=label)
    ax.plot(required, at, linestyle="", marker="|", markersize=9, markeredgewidth=1.8, color=colours["ink"], label="required")
    ax.set_yticks(at, named)
    ax.set_ylim(-0.6, count - 0.4)
    ax.set_xlim(0, 1.05 * max(delivered.max(), required.max(), 1e-9))
    ax.set_xlabel("delivered, " + (rate or USUAL["rate"]))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))
    ax.grid(visible=False, axis="y")
    legend(ax)
    shown = {"required": "required", "delivered": "delivered", "mean latency": "latency_mean", "p99 latency": "latency_p99"}
    what = {**{with_unit(label): values[:count] for label, values in labelled(table, shown).items()},
            "": [{"no": "unmet", "yes": None}.get(one, one) for one in met]}
    caption = counts(table) + (f" The first {MOST} are drawn." if count < table.rows else "")
    if grows := not_steady(result.get("status")):
        caption += f" Latency {grows}."
    return Plot("Flows", figure, caption, table.file,
                marks=[Marks(ax, delivered, at, what, named)])
