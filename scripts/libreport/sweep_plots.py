# SPDX-License-Identifier: Apache-2.0
"""The plots of a sweep: one curve for each combination of the axes other than the one along x."""
import re
from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import FuncFormatter

from . import read
from .palette import SERIES
from .plot import Plot, axes, legend, number

MARKS = "osD^vPX*"
DASHES = ["-", "--", "-.", ":"]
CURVES_UP_TO = 32  # more cannot be told apart
DECADES = 100      # a scale whose ends differ by more than that is logarithmic


@dataclass
class Curve:
    name: str
    x: np.ndarray
    latency: np.ndarray
    accepted: np.ndarray
    makespan: np.ndarray  # cycles; NaN where the workload has none
    saturated: np.ndarray
    colour: int = 0
    dashes: int = 0


class Sweep:
    """The table seen as curves."""

    def __init__(self, result):
        self.result, self.table = result, result.tables["sweep"]
        known = result.sweep.get("axes") or _axes_of(self.table)
        self.axes = [name for name in known if name in self.table]
        self.load_axis = next((name for name in self.axes if name == "load" or name.endswith(".load")), None)
        self.x_name = self.load_axis or next((name for name in self.axes if self.table[name].dtype == float), None)
        others = [name for name in self.axes if name != self.x_name and name.split(".")[-1] != "seed"]
        self.others = [name for name in others if len(set(self.table[name])) > 1]
        self.curves = self._curves()
        _tell_apart(self.curves, self._keys)
        self.bound = _bound(result)

    @property
    def x_label(self):
        return "offered load, flits/node/cycle" if self.load_axis else self.x_name or "point"

    def _curves(self):
        table = self.table
        x = table["offered"] if self.load_axis else table[self.x_name] if self.x_name else table["point"]
        makespans = table["makespan_cycles"] if "makespan_cycles" in table else np.full(table.rows, np.nan)
        keys = list(zip(*(table[name] for name in self.others))) if self.others else [()] * table.rows
        self._keys, self._values = [], {name: _values(dict.fromkeys(table[name])) for name in self.others}
        curves = []
        for key in dict.fromkeys(keys):
            rows = np.array([k == key for k in keys], bool) & np.isfinite(x)
            # Points that differ in nothing but the seed are one point: their mean.
            at = np.unique(table[self.x_name][rows] if self.x_name else x[rows])
            same = [np.flatnonzero(rows & ((table[self.x_name] if self.x_name else x) == value)) for value in at]
            if not len(at):
                continue
            self._keys.append(key)
            curves.append(Curve(self._name(key), _means(x, same), _means(table["latency_mean"], same),
                                _means(table["accepted"], same), _means(makespans, same),
                                np.array([any(table["status"][i] != "completed" for i in group) for group in same])))
        return curves

    def _name(self, key):
        return ", ".join(f"{name.split('.')[-1] if name.split('.')[-1] != 'name' else name.split('.')[0]} "
                         f"{self._values[name][value]}" for name, value in zip(self.others, key))


def _values(values):
    """How the values of an axis are called; of sections ({a: 1, b: 2}) as little as tells them apart."""
    sections = {value: re.split(r", (?=\w+: )", value[1:-1]) for value in values
                if isinstance(value, str) and re.match(r"\{\w+: .*\}$", value)}
    shared = set.intersection(*map(set, sections.values())) if len(sections) > 1 else set()
    own = {value: [part.replace(": ", " ") for part in parts if part not in shared] for value, parts in sections.items()}
    most = max(map(len, own.values()), default=0)
    enough = next((n for n in range(1, most) if len({tuple(parts[:n]) for parts in own.values()}) == len(own)), most)
    return {value: ", ".join(own[value][:enough]) or "–" if value in own
            else number(float(value)) if isinstance(value, float) else value for value in values}


def _tell_apart(curves, keys):
    """The axis with most values gets the colours, the others the dashes, as far as there are enough of both."""
    axes = [list(dict.fromkeys(values)) for values in zip(*keys)]
    most = max(range(len(axes)), key=lambda i: len(axes[i]), default=None)
    others = list(dict.fromkeys(key[:most] + key[most + 1:] for key in keys)) if axes else [()]
    enough = axes and len(axes[most]) <= len(SERIES) and len(others) <= len(DASHES)
    for i, (curve, key) in enumerate(zip(curves, keys)):
        curve.colour = axes[most].index(key[most]) if enough else i % len(SERIES)
        curve.dashes = others.index(key[:most] + key[most + 1:]) if enough else i // len(SERIES) % len(DASHES)


def _axes_of(table):
    """Where sweep.json does not tell: the columns before the seed."""
    names = list(table.columns)
    return names[1:names.index("seed")] if "seed" in names else []


def _means(column, groups):
    return np.array([np.nanmean(column[g]) if np.isfinite(column[g]).any() else np.nan for g in groups])


def _bound(result):
    """The load at which the busiest channel is full, where the points agree on one."""
    found = set()
    for point in result.tables["sweep"]["point"]:
        summary = read.point_summary(result, point)
        if summary:
            load, most = (read.lookup(summary, f"bounds.{name}") for name in ("channel_load", "throughput"))
            found.add(most or (1 / load if load else None))
    found.discard(None)
    return found.pop() if len(found) == 1 else None


def plots(result, colours):
    if not result.tables["sweep"].rows:
        return []
    sweep = Sweep(result)
    if not sweep.curves:
        return []
    made = [makespan(sweep, colours)] if any(np.isfinite(curve.makespan).any() for curve in sweep.curves) else []
    made += [latency(sweep, colours), accepted(sweep, colours)]
    return made + ([burton_normal_form(sweep, colours)] if sweep.load_axis else [])


def main_picture(result, colours):
    return next(iter(plots(result, colours)), None)


def makespan(sweep, colours):
    figure, ax = _frame(sweep)
    _draw(ax, sweep, colours, lambda curve: (curve.x, curve.makespan))
    if _spans_decades(np.concatenate([curve.makespan for curve in sweep.curves])):
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlabel(sweep.x_label)
    ax.set_ylabel("makespan, cycles")
    return _finished(sweep, ax, Plot("Makespan", figure, "From the first cycle to the last event of the programs."))


def latency(sweep, colours):
    figure, ax = _frame(sweep)
    _draw(ax, sweep, colours, lambda curve: (curve.x, curve.latency))
    cut = _limit_latency(ax, sweep)
    _mark_bound(ax, sweep, colours)
    ax.set_xlabel(sweep.x_label)
    ax.set_ylabel("mean packet latency, cycles")
    return _finished(sweep, ax, Plot("Latency" + (" against offered load" if sweep.load_axis else ""), figure,
                     "Mean packet latency from generation; hollow points did not complete." + cut))


def accepted(sweep, colours):
    figure, ax = _frame(sweep)
    _draw(ax, sweep, colours, lambda curve: (curve.x, curve.accepted))
    ax.set_ylim(bottom=0)
    if sweep.load_axis:
        end = max(curve.x.max() for curve in sweep.curves)
        ax.plot([0, end], [0, end], color=colours["line"], linewidth=1, zorder=0)
    if sweep.bound and sweep.bound < 1.6 * ax.get_ylim()[1]:
        ax.set_ylim(top=max(ax.get_ylim()[1], 1.05 * sweep.bound))
        ax.axhline(sweep.bound, color=colours["muted"], linewidth=1, dashes=(2, 2), label="bound")
    ax.set_xlabel(sweep.x_label)
    ax.set_ylabel("accepted load, flits/node/cycle")
    most = max(sweep.curves, key=lambda curve: np.nanmax(curve.accepted, initial=0))
    return _finished(sweep, ax, Plot("Accepted" + (" against offered load" if sweep.load_axis else " load"), figure,
                     f"Highest accepted load {number(float(np.nanmax(most.accepted, initial=0)))} flits/node/cycle"
                     + (f" ({most.name})." if most.name else ".")))


def burton_normal_form(sweep, colours):
    figure, ax = _frame(sweep)
    _draw(ax, sweep, colours, lambda curve: (curve.accepted, curve.latency))
    cut = _limit_latency(ax, sweep)
    _mark_bound(ax, sweep, colours)
    ax.set_xlabel("accepted load, flits/node/cycle")
    ax.set_ylabel("mean packet latency, cycles")
    return _finished(sweep, ax, Plot("Latency against accepted load", figure,
                     "Where a curve turns up, more offered load brings no more throughput." + cut))


def _frame(sweep):
    lines = -(-len(sweep.curves) // _columns(sweep)) if len(sweep.curves) > 1 else 0
    return axes(2.9 + 0.19 * lines)


def _columns(sweep):
    return max(1, min(4, int(62 / (max(len(curve.name) for curve in sweep.curves) + 6))))


def _draw(ax, sweep, colours, points):
    for i, curve in enumerate(sweep.curves[:CURVES_UP_TO]):
        x, y = points(curve)
        colour, dashes = colours[SERIES[curve.colour]], DASHES[curve.dashes]
        ax.plot(x, y, dashes, color=colour)
        for hollow in (False, True):
            at = curve.saturated == hollow
            ax.plot(x[at], y[at], MARKS[i % len(MARKS)], color=colour, linestyle="none",
                    markerfacecolor=colours["surface"] if hollow else colour, markeredgewidth=1.2)
        ax.plot([], [], MARKS[i % len(MARKS)] + dashes, color=colour, label=curve.name or None)
    if sweep.load_axis:
        ax.set_xlim(left=0)
    elif _spans_decades(np.concatenate([curve.x for curve in sweep.curves])):
        ax.set_xscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))


def _spans_decades(values):
    values = values[np.isfinite(values)]
    return len(values) > 0 and values.min() > 0 and values.max() >= DECADES * values.min()


def _limit_latency(ax, sweep):
    """Keeps saturated points, whose latency grows with the length of the run, from flattening the rest."""
    everything = np.concatenate([curve.latency for curve in sweep.curves])
    if ax.get_xscale() == "log" and _spans_decades(everything):
        ax.set_yscale("log")
        return ""
    steady = np.concatenate([curve.latency[~curve.saturated] for curve in sweep.curves])
    steady = steady[np.isfinite(steady)]
    top = max(1.6 * steady.max(), 4 * steady.min()) if len(steady) else np.inf
    cut = np.nanmax(everything, initial=0) > top
    ax.set_ylim(0, top if cut else max(1.08 * np.nanmax(everything, initial=0), 1))
    return f" Latencies beyond {number(round(top))} cycles are in the table only." if cut else ""


def _mark_bound(ax, sweep, colours):
    if sweep.load_axis and sweep.bound and sweep.bound < 1.6 * ax.get_xlim()[1]:
        ax.set_xlim(right=max(ax.get_xlim()[1], 1.03 * sweep.bound))
        ax.axvline(sweep.bound, color=colours["muted"], linewidth=1, dashes=(2, 2), label="bound")


def _finished(sweep, ax, plot):
    if ax.get_legend_handles_labels()[1]:
        legend(ax, _columns(sweep))
    if len(sweep.curves) > CURVES_UP_TO:
        plot.caption += f" Only {CURVES_UP_TO} of {len(sweep.curves)} curves are drawn."
    plot.source = sweep.table.file
    return plot
