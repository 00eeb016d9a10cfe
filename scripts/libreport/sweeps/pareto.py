# SPDX-License-Identifier: Apache-2.0
"""The combinations that no other beats in every objective: the Pareto front."""
from dataclasses import dataclass

import numpy as np

from ..marks import Marks, with_unit
from ..plot import Plot, axes, number
from .curves import place_of, short_name

# Columns of sweep.csv: what is wanted of each, what it is called, and of a load curve which of its values counts.
OBJECTIVES = [("makespan_cycles", min, "makespan, cycles"), ("latency_mean", min, "latency, cycles"),
              ("accepted", max, "accepted load, flits/node/cycle"), ("buffer_bits", min, "buffer bits")]
# With the section 'power' time is in ns, and costs are known.
OBJECTIVES_OF_POWER = [("latency_ns", min, "latency, ns"), ("throughput_gbit_s", max, "throughput, Gbit/s"),
                       ("power_mw", min, "power, mW"), ("area_mm2", min, "area, mm²")]


@dataclass
class Candidate:
    name: str
    values: list
    place: str = ""  # of its run, if it is one
    on_front: bool = True


def candidates(sweep):
    """The objectives that differ, and each combination with its values of them: of a load curve the lowest latency and
    the highest accepted load."""
    costs = all(o[0] in sweep.table for o in OBJECTIVES_OF_POWER)
    columns = [o for o in (OBJECTIVES_OF_POWER if costs else OBJECTIVES) if o[0] in sweep.table]
    made = []
    for name, rows, place in _combinations(sweep):
        steady = [row for row in rows if sweep.table["status"][row] == "completed"]
        if steady:
            values = [_value(sweep, o, steady if o[0].startswith("latency") else rows) for o in columns]
            made.append(Candidate(name, values, place))
    made = [c for c in made if np.isfinite(c.values).all()]
    differ = [k for k in range(len(columns)) if len({c.values[k] for c in made}) > 1]
    for c in made:
        c.values = [c.values[k] for k in differ]
    columns = [columns[k] for k in differ]
    for c in made:
        c.on_front = not any(_beats(other.values, c.values, columns) for other in made)
    return columns, made


def _combinations(sweep):
    """(name, rows of the table, where its run is)."""
    for curve in sweep.curves:
        if sweep.load_axis:
            yield curve.name, np.concatenate(curve.rows), ""
            continue
        for x, rows in zip(curve.x, curve.rows):
            along = "" if sweep.is_categorical else f"{short_name(sweep.x_name or 'point')} {number(float(x))}"
            yield ", ".join(filter(None, [curve.name, along])), rows, place_of(sweep, rows)


def _value(sweep, objective, rows):
    column, wanted, _ = objective
    values = sweep.table[column][rows]
    values = values[np.isfinite(values)]
    if not len(values):
        return np.nan
    return float(wanted(values)) if sweep.load_axis else float(values.mean())


def _beats(a, b, objectives):
    better = [(x - y if wanted is max else y - x) for x, y, (_, wanted, _) in zip(a, b, objectives)]
    return all(d >= 0 for d in better) and any(d > 0 for d in better)


def _is_wanted(sweep):
    columns, made = candidates(sweep)
    return len(columns) >= 2 and len(made) >= 3


def tables(sweep):
    if not _is_wanted(sweep):
        return []
    columns, made = candidates(sweep)
    note = " Of each curve the lowest latency and the highest accepted load." if sweep.load_axis else ""
    return [table(columns, made, note)]


def table(columns, made, note=""):
    front = sorted((c for c in made if c.on_front), key=lambda c: c.values)
    wanted = ", ".join(f"{'high' if best is max else 'low'} {name.split(',')[0]}" for _, best, name in columns)
    said = f"{len(front)} of {len(made)} that no other beats in all of: {wanted}."
    return ("Pareto front", ["", *(name for _, _, name in columns)], [[c.name, *c.values] for c in front], said + note)


def plots(sweep, colours):
    if not _is_wanted(sweep):
        return []
    return [plot_of(*candidates(sweep), sweep.table.file, colours)]


def plot_of(columns, made, source, colours):
    figure, ax = axes(2.9)
    plot = Plot("Pareto front", figure, "", source, axes=ax, colours=colours)
    for on_front in (False, True):
        at = [c for c in made if c.on_front == on_front]
        ax.plot([c.values[0] for c in at], [c.values[1] for c in at], "o", color=colours["c0" if on_front else "muted"],
                markersize=6 if on_front else 4, linestyle="none", alpha=1 if on_front else 0.6)
    values = np.array([c.values for c in made])
    plot.marks.append(Marks(ax, values[:, 0], values[:, 1], {with_unit(name): v for v, (_, _, name) in zip(values.T, columns)}
                            | {"": ["on the front" if c.on_front else None for c in made]},
                            [c.name for c in made], pages=[c.place for c in made]))
    if len(columns) == 2:
        front = sorted(c.values for c in made if c.on_front)
        ax.plot(*zip(*front), "-", color=colours["c0"], linewidth=1, zorder=1)
    for axis, (_, wanted, name) in zip((ax.xaxis, ax.yaxis), columns):
        axis.set_label_text(f"{name.split(',')[0]}; {'higher' if wanted is max else 'lower'} is better")
    plot.caption = (f"Large points: those that no other beats in all of {', '.join(name.split(',')[0] for _, _, name in columns)}. "
                    "They are listed below.")
    return plot
