# SPDX-License-Identifier: Apache-2.0
"""The designs that no other beats in every objective: the Pareto front, as far as noise lets it be told."""
from dataclasses import dataclass, field

import numpy as np

from ..digits import number, with_error
from ..marks import Marks, with_unit
from ..plot import Plot, axes, label_lines
from . import front, noise
from .anova import analyse
from .curves import is_seed, place_of, short_name, values_of

# A design is wanted low in all but noise.HIGH. Energy and power follow from each other: one is enough.
OBJECTIVES = ("makespan_cycles", "latency_mean", "accepted", "buffer_bits", "latency_ns", "throughput_gbit_s", "power_mw", "area_mm2")


SURELY = 0.005


@dataclass
class Candidate:
    name: str
    values: list
    place: str = ""  # of its run, if it is one
    verdict: str = front.FRONT
    rival: str = ""  # which may beat it, where that cannot be told
    widths: list = field(default_factory=list)  # half widths of the values' 95 % intervals; NaN where not known

    @property
    def on_front(self):
        return self.verdict == front.FRONT


@dataclass
class Choice:
    columns: list     # (column, min or max, name with unit) of each objective
    made: list        # candidates
    note: str = ""    # what they are means over, and what was left out


def candidates(sweep):
    """Every design with its figures, each the mean over the workloads that it was tried under."""
    names = [o for o in noise.columns(sweep) if o in OBJECTIVES or sweep.result.responses]
    designs, conditions = _designs(sweep)
    found = {key: _figures(sweep, names, by_workload, len(conditions)) for key, by_workload in designs.items()}
    found = {key: each for key, each in found.items() if each}
    left_out = len(designs) - len(found)
    kept = [k for k in range(len(names)) if len(found) > 1 and _differ([each[k] for each in found.values()])]
    columns = [(names[k], max if names[k] in noise.HIGH else min, noise.label(names[k], sweep)) for k in kept]
    made = [Candidate(", ".join(f"{short_name(a)} {v}" for a, v in key), [each[k].mean for k in kept],
                      place_of(sweep, rows) if len(rows := sum(designs[key].values(), [])) == 1 else "") for key, each in found.items()]
    if made and columns:
        judge(columns, made, [[each[k].variance for k in kept] for each in found.values()], [[each[k].df for k in kept] for each in found.values()])
    same = [noise.label(names[k], sweep).split(",")[0] for k in range(len(names)) if k not in kept and len(found) > 1
            and len({each[k].mean for each in found.values()}) > 1]
    over = [short_name(a) for a in sweep.axes if noise.is_workload(a) and a != sweep.load_axis and len(set(sweep.table[a])) > 1]
    note = f" Means over {len(conditions)} workloads ({', '.join(over)})." if len(conditions) > 1 else ""
    note += f" Of each load curve the {' and the '.join(c[2].split(',')[0] for c in columns if c[2].startswith(('low', 'high')))}." if sweep.load_axis else ""
    note += f" {', '.join(same)}: the same for all, as far as noise tells." if same else ""
    note += f" {left_out} designs have no steady figures everywhere and are left out." if left_out else ""
    return Choice(columns, made, note)


def _designs(sweep):
    """Rows by design and workload, and the workloads."""
    table, found, conditions = sweep.table, {}, {}
    varying = [a for a in sweep.axes if not is_seed(a) and a != sweep.load_axis and len(set(table[a])) > 1]
    own = [a for a in varying if not noise.is_workload(a)]
    texts = {a: values_of(dict.fromkeys(table[a])) for a in own}
    for row in range(table.rows if own else 0):
        key = tuple((a, str(texts[a][table[a][row]])) for a in own)
        condition = tuple(table[a][row] for a in varying if a not in own)
        conditions[condition] = True
        found.setdefault(key, {}).setdefault(condition, []).append(row)
    return found, list(conditions)


def _figures(sweep, names, by_workload, workloads):
    """Means over the workloads; None where one is missing or has no steady figure."""
    if len(by_workload) < workloads:
        return None
    found = []
    for name in names:
        each = [noise.estimate(sweep, name, rows) for rows in by_workload.values()]
        if None in each:
            return None
        found.append(noise.Estimate(float(np.mean([e.mean for e in each])), float(np.sum([e.variance for e in each])) / len(each) ** 2,
                                    min(e.df for e in each)))
    return found


def _differ(estimates):
    """Whether designs surely differ by more than noise; where none is known, at all. An objective that noise has made would put
    designs on the front that are not."""
    cells, variances, dfs = (np.array([getattr(e, part) for e in estimates]) for part in ("mean", "variance", "df"))
    if not np.isfinite(variances).all():
        return len(set(cells)) > 1
    return analyse(cells, variances, dfs).main(0).chance < SURELY


def judge(columns, made, variances, dfs):
    """Sets the verdict on each candidate."""
    costs = [[-v if wanted is max else v for v, (_, wanted, _) in zip(c.values, columns)] for c in made]
    verdicts, rivals = front.verdicts(costs, variances, np.nan_to_num(dfs, nan=1))
    for c, verdict, rival, variance, df in zip(made, verdicts, rivals, variances, dfs):
        c.verdict, c.rival = verdict, "" if rival is None else made[rival].name
        c.widths = [front.half_width(v, d) for v, d in zip(variance, df)]


def _is_wanted(choice):
    return len(choice.columns) >= 2 and len(choice.made) >= 3


def tables(sweep):
    choice = candidates(sweep)
    return [table(choice)] if _is_wanted(choice) else []


def table(choice):
    columns, made = choice.columns, choice.made
    order = {front.FRONT: 0, front.OPEN: 1}
    shown = sorted((c for c in made if c.verdict in order), key=lambda c: (order[c.verdict], c.values))
    wanted = ", ".join(f"{'high' if best is max else 'low'} {name.split(',')[0].removeprefix('lowest ').removeprefix('highest ')}" for _, best, name in columns)
    count = sum(c.on_front for c in made)
    said = f"{count} of {len(made)} that no other beats in all of: {wanted}."
    said += f" Of {len(shown) - count} more noise (95 %) does not let it be told." if len(shown) > count else ""
    rows = [[c.name, *(with_error(v, w) for v, w in zip(c.values, c.widths or [np.nan] * len(c.values))),
             "" if c.on_front else f"no better than {c.rival}, beyond noise"] for c in shown]
    return ("Pareto front", ["", *(name for _, _, name in columns), "verdict"], rows, said + choice.note + _unknown(choice))


def _unknown(choice):
    names = [name.split(",")[0] for k, (_, _, name) in enumerate(choice.columns) if any(np.isnan(c.widths[k]) for c in choice.made if c.widths)]
    return f" The noise of {', '.join(names)} is not known from one seed; --seeds tells." if names else ""


def plots(sweep, colours):
    choice = candidates(sweep)
    return [plot_of(choice, sweep.table.file, colours)] if _is_wanted(choice) else []


LOOKS = {front.BEATEN: ("muted", 4, 0.6, True), front.OPEN: ("c0", 6, 1, False), front.FRONT: ("c0", 6, 1, True)}


def plot_of(choice, source, colours):
    columns, made = choice.columns, choice.made
    figure, ax = axes(2.9)
    plot = Plot("Pareto front", figure, "", source, axes=ax, colours=colours)
    for verdict, (colour, size, alpha, full) in LOOKS.items():
        at = [c for c in made if c.verdict == verdict]
        ax.plot([c.values[0] for c in at], [c.values[1] for c in at], "o", color=colours[colour], markersize=size, linestyle="none", alpha=alpha,
                markerfacecolor=colours[colour if full else "surface"], markeredgewidth=1.2)
        for c in at if verdict != front.BEATEN else ():
            ax.errorbar(*c.values[:2], *(np.nan_to_num(w) for w in reversed(c.widths[:2] or [0, 0])), fmt="none", ecolor=colours["muted"], elinewidth=1)
    values = np.array([c.values for c in made])
    said = {front.FRONT: front.FRONT, front.BEATEN: None}
    plot.marks.append(Marks(ax, values[:, 0], values[:, 1], {with_unit(name): v for v, (_, _, name) in zip(values.T, columns)}
                            | {"": [said.get(c.verdict, f"no better than {c.rival}, beyond noise") for c in made]},
                            [c.name for c in made], pages=[c.place for c in made]))
    if len(columns) == 2:
        on_front = sorted(c.values for c in made if c.on_front)
        ax.plot(*zip(*on_front), "-", color=colours["c0"], linewidth=1, zorder=1) if on_front else None
    for axis, (_, wanted, name) in zip((ax.xaxis, ax.yaxis), columns):
        way = f"; {'higher' if wanted is max else 'lower'} is better"
        axis.set_label_text(label_lines(name, 20) + way if axis is ax.yaxis else name + way)
    if any(c.verdict == front.OPEN for c in made):
        plot.hollow = "no better, beyond noise"
    plot.caption = (f"Large points: {number(sum(c.on_front for c in made))} designs that no other beats in all of "
                    f"{', '.join(name.split(',')[0] for _, _, name in columns)}; they are listed below."
                    + " Hollow points are no better than another, beyond noise." * bool(plot.hollow) + choice.note + _unknown(choice))
    return plot
