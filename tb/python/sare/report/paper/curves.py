# SPDX-License-Identifier: Apache-2.0
"""The curves of a figure: columns of tables of sweeps, one curve for each combination of the axes that are grouped."""
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..digits import number
from ..read import Problem, lookup, result as read_result, sweep_table
from ..sweeps.columns import PLAIN_NAMES, SATURATION, UNITS, is_latency
from ..sweeps.curves import is_seed, means, own_clocks, short_name


@dataclass
class Curve:
    name: str
    x: list             # numbers in order, or texts
    y: np.ndarray
    error: np.ndarray   # half widths of confidence intervals; NaN where there is none
    steady: np.ndarray  # False: it depends on the length of the run
    key: tuple = ()     # of the directory and the values of the axes


@dataclass
class Curves:
    x: str
    y: str
    x_label: str
    y_label: str
    curves: list = field(default_factory=list)

    @property
    def top(self):
        """Where the scale ends, so that latencies which grow with the length of a run do not set it; None where they do not."""
        if not is_latency(self.y):
            return None
        steady = np.concatenate([curve.y[curve.steady] for curve in self.curves])
        top = max(1.6 * steady.max(), 4 * steady.min()) if len(steady) else np.inf
        return float(top) if max(curve.y.max() for curve in self.curves) > top else None

    @property
    def is_categorical(self):
        return any(isinstance(x, str) for curve in self.curves for x in curve.x)


def read(directories, x=None, y=None, group=None, where=None, labels=None):
    """Of directories of sweeps or searches for saturation. `group`: axes; `where`: values by axis; `labels`: of each directory."""
    directories = [Path(d) for d in directories]
    if not directories:
        raise Problem("there is no directory to draw; give those of sweeps or searches for saturation")
    if labels and len(labels) != len(directories):
        raise Problem(f"{len(labels)} labels for {len(directories)} directories; give one for each, in their order")
    sources = [_Source(directory, labels[k] if labels else None) for k, directory in enumerate(directories)]
    x, y = sources[0].column_of(x or sources[0].usual_x()), sources[0].column_of(y or sources[0].usual_y())
    found = Curves(x, y, sources[0].label(x), sources[0].label(y))
    names = [source.label_text for source in sources]
    several = len(sources) > 1
    if several and not labels and len(set(names)) < len(names):
        names = [str(directory) for directory in directories]
    for source, name in zip(sources, names):
        found.curves += source.curves(x, y, group, where or {}, name if several or labels else "")
    if not found.curves:
        raise Problem(f"{directories[0]}: no point is left to draw" + (" with the values of --where" if where else ""))
    return found


class _Source:
    """The table of one directory."""

    def __init__(self, directory, label):
        result = read_result(directory)
        self.directory, self.label_text = directory, label if label is not None else directory.name
        self.is_saturation = result.saturation is not None and bool(result.saturation)
        if not self.is_saturation and not result.is_sweep:
            raise Problem(f"{directory}: one run, and no sweep; 'sare sweep' writes what can be drawn along an axis")
        asked = result.saturation if self.is_saturation else result.sweep
        if self.is_saturation:
            self.table, self.about = sweep_table(directory / "saturation.csv")
        else:
            self.table, self.about = sweep_table(directory / "sweep.csv")
        self.axes = [name for name in asked.get("axes") or {} if name in self.table]
        self.single = None  # of seeds' means, which lack some columns: the table of points
        seeds = directory / "seeds.csv"
        if not self.is_saturation and seeds.exists():
            means_of_seeds, about = sweep_table(seeds)
            if means_of_seeds.rows:
                self.single = self.table
                self.table, self.about = means_of_seeds, {**self.about, **about}
        self.axes = [name for name in self.axes if name in self.table and not is_seed(name)]
        self.config = lookup(asked, "config", {})

    def usual_x(self):
        loads = [a for a in self.axes if a == "load" or a.endswith(".load")]
        numbers = [a for a in self.axes if self.table[a].dtype == float]
        found = (loads or numbers or self.axes or [None])[0]
        if found is None:
            raise Problem(f"{self.directory}: no axis to go along; --x names a column of its table")
        return found

    def usual_y(self):
        if self.is_saturation:
            return SATURATION
        return "latency_ns" if own_clocks(self.single or self.table) else "latency_mean"

    def label(self, column):
        unit = self.about.get(column, {}).get("unit") or UNITS.get(column, "")
        name = PLAIN_NAMES.get(column, short_name(column).replace("_", " "))
        return f"{name} ({unit.replace('^2', '²')})" if unit else name

    def _column(self, name, option):
        if name not in self.table:
            known = [c for c in self.table.columns if not c.endswith("ci95")]
            raise Problem(f"{self.directory}: no column '{name}' for {option}; there are {', '.join(known)}")
        return self.table[name]

    def column_of(self, name):
        """The column of a figure, which may have its name of a store of runs: latency.mean, load.accepted."""
        column = name.removeprefix("load.").replace(".", "_")
        return column if name not in self.table and column in self.table else name

    def curves(self, x, y, group, where, name):
        if self.single and any(c in self.single and c not in self.table for c in (x, y)):
            self.table = self.single
        along, values, self.wanted_is_latency = self._column(x, "--x"), self._column(y, "--y"), is_latency(y)
        if values.dtype != float:
            raise Problem(f"{self.directory}: --y {y} is a text, and no number")
        chosen = self._chosen(where)
        for axis in group or ():
            self._column(axis, "--group")
        # The offered load is not an axis, yet stands for that of the load.
        standing = {x} | ({a for a in self.axes if a.split(".")[-1] == "load"} if x in ("offered", "injected", "accepted") else set())
        varying = [a for a in self.axes if a not in standing and len(set(self.table[a][chosen])) > 1]
        grouped = [a for a in (group if group is not None else varying) if a != x]
        left = [a for a in varying if a not in grouped]
        if left:
            raise Problem(f"{self.directory}: '{left[0]}' varies too; name it in --group, or one of its values in --where {left[0]}=...")
        keys = {row: tuple(self.table[a][row] for a in grouped) for row in chosen}
        made = []
        for key in sorted(set(keys.values()), key=list(keys.values()).index):
            rows = [row for row in chosen if keys[row] == key and not _is_missing(along[row]) and np.isfinite(values[row])]
            if rows:
                text = ", ".join(filter(None, [name, *(f"{short_name(a)} {_shown(v)}" for a, v in zip(grouped, key) if a in varying)]))
                made.append(self._curve(text, along, values, self._errors(y), rows, (name, *key)))
        return made

    def _chosen(self, where):
        rows = np.arange(self.table.rows)
        for axis, value in where.items():
            column = self._column(axis, "--where")
            same = [row for row in rows if _shown(column[row]) == str(value) or _is_number(value, column[row])]
            if not len(same):
                raise Problem(f"{self.directory}: no point with {axis}={value}; there are {', '.join(dict.fromkeys(_shown(v) for v in column))}")
            rows = np.array(same)
        return [int(row) for row in rows]

    def _errors(self, y):
        short = {"latency_mean": "latency_ci95"}.get(y, "")
        found = next((self.table[c] for c in (f"{y}_ci95", short) if c in self.table), None)
        if y == "latency_ns" and "latency_ci95" in self.table and found is None:
            found = self.table["latency_ci95"] * self.table["clock_period_ns"]
        return found if found is not None and found.dtype == float else np.full(self.table.rows, np.nan)

    def _curve(self, name, along, values, errors, rows, key):
        """Rows of one x are one point: their mean, whose error is not known."""
        xs = list(dict.fromkeys(along[row] for row in rows))
        if all(isinstance(x, float) for x in xs):
            xs.sort()
        same = [np.array([row for row in rows if along[row] == x]) for x in xs]
        error = np.array([errors[group[0]] if len(group) == 1 else np.nan for group in same])
        status = self.table["status"] if "status" in self.table else np.full(self.table.rows, "completed", object)
        steady = np.array([not any(word in str(status[row]) for row in group for word in ("saturated", "unsettled")) for group in same])
        if self.wanted_is_latency:
            error[~steady] = np.nan  # no mean, so no interval of one
        return Curve(name, [x if isinstance(x, float) else str(x) for x in xs], means(values, same), error, steady, key)


def _shown(value):
    return number(float(value)).replace("\u202f", "") if isinstance(value, float) else str(value)


def _is_number(text, value):
    try:
        return isinstance(value, float) and float(text) == value
    except ValueError:
        return False


def _is_missing(value):
    return isinstance(value, float) and not np.isfinite(value)
