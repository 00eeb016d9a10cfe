# SPDX-License-Identifier: Apache-2.0
"""The table of a sweep as curves: one for each combination of the axes other than the one along x."""
import re
from dataclasses import dataclass, field

import numpy as np

from .. import read
from ..digits import number
from ..palette import SERIES

UNSTEADY = ("saturated", "unsettled")  # latencies depend on the length of the run
DASHES = ["-", "--", "-.", ":"]


@dataclass
class Curve:
    name: str
    x: np.ndarray
    rows: list             # for each x the rows of the table that it is the mean of: one a seed
    figures: dict          # by column of the table, for each x
    errors: dict           # half widths of the confidence intervals of some
    saturated: np.ndarray  # or ended otherwise than it should
    key: tuple = ()        # values of the other axes
    colour: int = 0
    dashes: int = 0

    def __getattr__(self, name):
        if name in ("latency_mean", "accepted", "makespan_cycles"):
            return self.figures[name]
        raise AttributeError(name)


@dataclass
class Sweep:
    """The table seen as curves; without a number to go along, each combination is a category of its own."""
    result: object
    curves: list = field(default_factory=list)

    def __post_init__(self):
        result = self.result
        self.table = result.tables["sweep"]
        known = result.sweep.get("axes") or _axes_of(self.table)
        self.axes = [name for name in known if name in self.table]
        self.load_axis = next((name for name in self.axes if name == "load" or name.endswith(".load")), None)
        self.x_name = self.load_axis or next((name for name in self.axes if self.table[name].dtype == float and not is_seed(name)), None)
        self.zipped = [[name for name in names if name in self.axes] for names in result.sweep.get("zipped") or []]
        with_x = next((names for names in self.zipped if self.x_name in names), [])
        others = [name for name in self.axes if name != self.x_name and name not in with_x and not is_seed(name)]
        self.others = [name for name in others if len(set(self.table[name])) > 1]
        self.values = {name: values_of(dict.fromkeys(self.table[name])) for name in self.others}
        self.is_categorical = self.x_name is None and bool(self.others)
        self.seeds = _seeds(result, self.axes)
        self.latency_in_ns = own_clocks(self.table)
        self.curves = self._curves()
        _tell_apart(self.curves)
        self.bound = _bound(result)

    @property
    def x_label(self):
        return "offered load, flits/node/cycle" if self.load_axis else self.x_name or "point"

    def point_text(self, rows):
        """Which points of the sweep they are."""
        points = [int(self.table["point"][row]) for row in rows]
        return f"point {points[0]}" if len(points) == 1 else f"points {', '.join(map(str, points))}"

    def _curves(self):
        table = self.table
        x = table["offered"] if self.load_axis else table[self.x_name] if self.x_name else table["point"]
        keys = list(zip(*(table[name] for name in self.others))) if self.others else [()] * table.rows
        curves = []
        for key in dict.fromkeys(keys):
            rows = np.array([k == key for k in keys], bool) & np.isfinite(x)
            # Points that differ in nothing but the seed are one point: their mean.
            along = table[self.x_name] if self.x_name else np.zeros(table.rows) if self.others else x
            same = [np.flatnonzero(rows & (along == value)) for value in np.unique(along[rows])]
            if same:
                curves.append(self._curve(key, x, same))
        return curves

    def _curve(self, key, x, same):
        table = self.table
        figures = {name: means(table[name] if name in table else np.full(table.rows, np.nan), same)
                   for name in ("latency_mean", "accepted", "makespan_cycles")}
        errors = {name: np.array([self._error(name, rows) for rows in same]) for name in figures}
        steady = np.array([not any(table["status"][i] in UNSTEADY for i in rows) for rows in same])
        errors["latency_mean"][~steady] = np.nan  # no mean, so no interval of one
        if self.latency_in_ns:
            period = means(table["clock_period_ns"], same)
            figures["latency_mean"], errors["latency_mean"] = figures["latency_mean"] * period, errors["latency_mean"] * period
        return Curve(self._name(key), means(x, same), same, figures, errors,
                     np.array([any(table["status"][i] != "completed" for i in rows) for rows in same]), key)

    def label(self, column):
        """Name and unit of a figure of the curves."""
        label = {"latency_mean": "mean packet latency, cycles", "accepted": "accepted load, flits/node/cycle",
                 "makespan_cycles": "makespan, cycles"}[column]
        return label.replace("cycles", "ns") if column == "latency_mean" and self.latency_in_ns else label

    def _error(self, name, rows):
        """Over the seeds; of one seed, over the batches of the run."""
        if self.seeds is not None:
            found = self.seeds.get(tuple(self.table[axis][rows[0]] for axis in self.axes if not is_seed(axis)))
            return found.get(f"{name}_ci95", np.nan) if found else np.nan
        column = {"latency_mean": "latency_ci95", "accepted": "accepted_ci95"}.get(name)
        return self.table[column][rows[0]] if column in self.table and len(rows) == 1 else np.nan

    def _name(self, key):
        return ", ".join(f"{short_name(name)} {self.values[name][value]}" for name, value in zip(self.others, key))


def own_clocks(table):
    """Whether designs run at clocks of their own, so that their cycles cannot be compared."""
    return "latency_ns" in table and "clock_period_ns" in table and len({v for v in table["clock_period_ns"] if np.isfinite(v)}) > 1


def is_seed(name):
    return name.split(".")[-1] == "seed"


def short_name(path):
    last = path.split(".")[-1]
    return last if last != "name" else path.split(".")[0]


def values_of(values):
    """How the values of an axis are called; of sections ({a: 1, b: 2}) as little as tells them apart."""
    sections = {value: re.split(r", (?=\w+: )", value[1:-1]) for value in values
                if isinstance(value, str) and re.match(r"\{\w+: .*\}$", value)}
    shared = set.intersection(*map(set, sections.values())) if len(sections) > 1 else set()
    own = {value: [part.replace(": ", " ") for part in parts if part not in shared] for value, parts in sections.items()}
    most = max(map(len, own.values()), default=0)
    enough = next((n for n in range(1, most) if len({tuple(parts[:n]) for parts in own.values()}) == len(own)), most)
    return {value: ", ".join(own[value][:enough]) or "–" if value in own
            else number(float(value)) if isinstance(value, float) else value for value in values}


def means(column, groups):
    return np.array([np.nanmean(column[g]) if np.isfinite(column[g]).any() else np.nan for g in groups])


def _tell_apart(curves):
    """The axis with most values gets the colours, the others the dashes, as far as there are enough of both."""
    keys = [curve.key for curve in curves]
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


def _seeds(result, axes):
    """The rows of seeds.csv by the values of the axes; None where the seed is no axis."""
    table = result.tables.get("seeds")
    names = [axis for axis in axes if not is_seed(axis)]
    if table is None or not all(name in table for name in names):
        return None
    return {tuple(table[name][row] for name in names): {name: column[row] for name, column in table.columns.items()}
            for row in range(table.rows)}


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


def place_of(sweep, rows):
    """Where the run is of a point that is the mean of these rows: its page or, where it has none, its directory."""
    return point_place(sweep.result, sweep.table["point"][rows[0]])


def point_place(result, point):
    folder = f"points/{int(point):03d}"
    if (result.directory / folder / "report.html").exists():
        return f"{folder}/report.html"
    return f"{folder}/" if (result.directory / folder).is_dir() else ""
