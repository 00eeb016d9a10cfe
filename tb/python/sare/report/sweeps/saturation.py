# SPDX-License-Identifier: Apache-2.0
"""The plots of `sare saturate`: for each combination the runs as a latency-load curve, with what follows from them."""
import textwrap

import numpy as np

from ..contents import not_steady
from ..digits import number, with_error, without_error
from ..marks import Marks
from ..plot import Plot, axes, bars, legend
from ..read import lookup

CURVES_UP_TO = 60  # combinations with a plot of their own
BARS_UP_TO = 40
TIMES_SHOWN = 4    # the latency at the top of the scale, over the one at no load, at least


def name(combination):
    """"pattern uniform, vcs 4"; "" where there are no axes."""
    return ", ".join(f"{axis.split('.')[-1]} {value}" for axis, value in combination.get("axes", {}).items())


def main_picture(result, colours):
    drawn = plots(result, colours)
    return drawn[0] if drawn else None


def plots(result, colours):
    combinations = [one for one in result.saturation["combinations"] if one.get("runs")]
    all_of_them = [_overview(combinations, unit(result.saturation), colours)] if 1 < len(combinations) <= BARS_UP_TO else []
    return all_of_them + [_curve(one, result.saturation, colours) for one in combinations[:CURVES_UP_TO]]


def unit(asked):
    """Of loads; those of flows are factors of their rates."""
    return asked.get("load_unit", "flits/node/cycle")


def headline(one):
    """The load; where it is not known, the status."""
    return _load(one, "saturation", "sustained", "saturated") or one.get("status")


def slow(one):
    """The load with so many times the latency; None where it is not known."""
    return _load(one, "slow", "from", "to")


def _load(one, name, low, high):
    """In the digits that its bracket leaves."""
    load = lookup(one, f"{name}.load")
    ends = [lookup(one, f"{name}.{end}", np.nan) for end in (low, high)]
    return without_error(load, float(np.max(abs(np.array(ends, float) - load)))) if load else None


def without_load(one):
    """The mean latency at next to no load, with its interval."""
    return with_error(one.get("zero_load_latency") or np.nan, one.get("zero_load_latency_ci95") or np.nan)


def between(one):
    """"from 0.39 to 0.4"."""
    low, high = lookup(one, "saturation.sustained"), lookup(one, "saturation.saturated")
    return f"from {number(low)}" + (f" to {number(high)}" if high else " on")


def not_slow(one):
    """Why there is no load at which the latency is so many times that without load."""
    low, high = lookup(one, "slow.from"), lookup(one, "slow.to")
    return f"from {number(low)} to {number(high)}" if high else "nowhere before saturation"


def _overview(combinations, of_load, colours):
    figure, ax = axes(height=0.9 + 0.24 * len(combinations))
    at = np.arange(len(combinations))[::-1]
    load = [lookup(one, "saturation.load", np.nan) for one in combinations]
    ends = np.array([[lookup(one, f"saturation.{end}", np.nan) for end in ("sustained", "saturated")] for one in combinations], float)
    bound = [lookup(one, "bound.load", np.nan) for one in combinations]
    bars(ax, 0, np.nan_to_num(load), 0.62, at - 0.31, facecolor=colours["c0"], label="saturation")
    open_ones = [k for k, x in enumerate(load) if np.isnan(x)]
    if open_ones:
        ax.hlines(at[open_ones], ends[open_ones, 0], ends[open_ones, 1], color=colours["muted"], linewidth=3, label="not found: between these")
    ax.plot(bound, at, linestyle="", marker="|", markersize=11, markeredgewidth=2, color=colours["c1"], label="bound")
    ax.set_yticks(at, [textwrap.fill(name(one), 34) for one in combinations])
    ax.set_ylim(-0.6, len(combinations) - 0.4)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"load, {of_load}")
    legend(ax)
    rows = [(name(one), a, *b, c) for one, a, b, c in zip(combinations, load, ends, bound)]
    return Plot("Saturation", figure, "The highest load that every source sustains, and the bound by channel loads.",
                "saturation.csv", ("combination", "saturation", "from", "to", "bound"), rows,
                [Marks(ax, np.where(np.isnan(load), ends[:, 0], load), at,
                       {f"saturation ({of_load})": [headline(one) for one in combinations], f"from ({of_load})": list(ends[:, 0]), f"bound ({of_load})": bound},
                       [name(one) for one in combinations])])


def _curve(one, asked, colours):
    latest = {(run["load"], run["seed"]): run for run in one["runs"]}  # the longest
    runs = sorted(latest.values(), key=lambda run: run["load"])
    zero = one.get("zero_load_latency") or np.nan
    settled = {run["load"]: run for run in runs if run["status"] == "completed" and run["latency_mean"] is not None}
    curve = list(settled.values())
    factor = asked.get("latency_factor", 2)
    top = max([1.25 * max((run["latency_mean"] for run in curve), default=1), TIMES_SHOWN * zero if zero == zero else 1])
    figure, ax = axes()
    ax.plot([run["load"] for run in curve], [run["latency_mean"] for run in curve], color=colours["c0"], marker="o",
            markersize=4, label="sustained")
    for status, mark, label, colour in (("saturated", "x", "saturated", "bad"), ("unsettled", "o", "unsettled", "muted")):
        some = [run for run in runs if run["status"] == status]
        if some:
            ax.plot([run["load"] for run in some],
                    [_height(run, top) for run in some],
                    linestyle="", marker=mark, markersize=5, markerfacecolor="none", markeredgecolor=colours[colour], label=label)
    marks = _marks(ax, one, unit(asked), runs, top)
    _lines(ax, one, factor, top, colours)
    ax.set_ylim(0, top)
    bound = lookup(one, "bound.load")
    ax.set_xlim(0, 1.06 * max([run["load"] for run in runs] + ([bound] if bound else [])))
    ax.set_xlabel(f"load, {unit(asked)}")
    ax.set_ylabel("mean latency, cycles")
    legend(ax, 3)
    rows = [(run["load"], run["status"], run["latency_mean"] if run["status"] != "saturated" else None, run["accepted"],
             run["length"], run["seed"]) for run in runs]
    return Plot(name(one) or "Latency and load", figure, _caption(one, factor), "summary.json",
                ("load", "status", "latency", "accepted", "times as long", "seed"), rows, [marks])


def _marks(ax, one, of_load, runs, top):
    """The runs, each where it is drawn."""
    shown = [run["latency_mean"] if run["status"] == "completed" else _height(run, top) for run in runs]
    said = {f"load ({of_load})": [run["load"] for run in runs], "ended": [run["status"] for run in runs],
            "mean latency": [not_steady(run["status"]) or f"{number(run['latency_mean'])} cycles" for run in runs],
            "accepted (flits/node/cycle)": [run["accepted"] for run in runs], "seed": [run["seed"] for run in runs]}
    return Marks(ax, np.array([run["load"] for run in runs]), np.array(shown, float), said, name(one))


def _height(run, top):
    """Of what has no steady latency: at the top."""
    return 0.96 * top if run["status"] == "saturated" else min(run["latency_mean"] or top, 0.96 * top)


def _lines(ax, one, factor, top, colours):
    """Vertical ones, each with its name on it."""
    low, high = lookup(one, "saturation.sustained"), lookup(one, "saturation.saturated")
    slow, bound = lookup(one, "slow.load"), lookup(one, "bound.load")
    if low and high:
        ax.axvspan(low, high, color=colours["shade"], linewidth=0, zorder=0)
    for load, dashes, colour, text, height in ((slow, ":", "c2", f"{number(factor)}× latency", 0.78), (lookup(one, "saturation.load"), "-", "c1", "saturation", 0.62),
                                               (bound, "--", "c3", "bound", 0.46)):
        if not load:
            continue
        ax.axvline(load, linestyle=dashes, color=colours[colour], linewidth=1.4, zorder=1)
        ax.annotate(text, (load, height * top), xytext=(-4, 0), textcoords="offset points", ha="right", color=colours[colour],
                    bbox={"facecolor": colours["surface"], "edgecolor": "none", "pad": 1})


def _caption(one, factor):
    text = f"Saturation: {number(headline(one))}, {between(one)} ({lookup(one, 'saturation.confidence', '')}). "
    text += f"The latency is {number(factor)} times that without load ({without_load(one)} cycles) "
    text += f"at {slow(one)}. " if slow(one) else f"{not_slow(one)}. "
    if lookup(one, "bound.load"):
        more = one["bound"].get("busiest", 1) - 1
        text += f"Bound {number(one['bound']['load'])}: {one['bound']['link']}" + (f" and {more} more." if more > 0 else ".")
    else:
        text += f"No bound: {lookup(one, 'bound.why', '')}."
    return text
