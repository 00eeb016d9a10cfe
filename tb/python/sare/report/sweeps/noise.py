# SPDX-License-Identifier: Apache-2.0
"""How much of a figure of a sweep is chance: the mean of a group of points, and the variance of that mean. Seeds tell it or,
where there is one seed, the batches of its run."""
from dataclasses import dataclass

import numpy as np

from ..digits import with_error
from ..read import lookup
from .chance import standard_error
from .columns import PLAIN_NAMES, UNITS, is_latency
from .curves import UNSTEADY, is_seed, short_name

COSTS = ("buffer_bits", "area_mm2", "clock_period_ns")  # known without a run
# Half widths over the batches, and the column that they are of; other columns are in proportion to that one.
HALF_WIDTHS = {"latency_mean": ("latency_ci95", "latency_mean"), "latency_ns": ("latency_ci95", "latency_mean"),
               "accepted": ("accepted_ci95", "accepted"), "throughput_gbit_s": ("accepted_ci95", "accepted")}
HIGH = ("accepted", "throughput_gbit_s")  # wanted high; all others low
USUAL_BATCHES = 10
# Of designs with clocks of their own cycles cannot be compared.
TIMES = {"latency_mean": "latency_ns", "accepted": "throughput_gbit_s"}
USUAL = ("makespan_cycles", "latency_mean", "accepted", "power_mw", "energy_per_bit_pj", "area_mm2", "buffer_bits")


@dataclass
class Estimate:
    mean: float
    variance: float  # of the mean; NaN where nothing tells it
    df: float        # degrees of freedom of that variance; infinite where it is 0 because nothing is random


def is_workload(axis):
    """Whether an axis is a condition that designs are tried under, and no part of the design."""
    return axis.split(".")[0] in ("traffic", "workload", "load", "applications", "measurement")


def columns(sweep):
    """The figures of designs: those that were asked for, else the usual ones, in time where clocks differ."""
    if sweep.result.responses:
        return sweep.result.responses
    own_clocks, table = "latency_ns" in sweep.table or sweep.latency_in_ns, sweep.table
    names = [TIMES[name] if own_clocks and TIMES.get(name) in table else name for name in USUAL]
    return [name for name in names if values(sweep, name) is not None and not (own_clocks and name == "buffer_bits")]


def values(sweep, column):
    """By row, cycles of clocks that differ in ns; None where the sweep has no such figure."""
    table = sweep.table
    if column not in table or table[column].dtype != float:
        return None
    return table[column] * table["clock_period_ns"] if _in_time(sweep, column) else table[column]


def _in_time(sweep, column):
    return sweep.latency_in_ns and UNITS.get(column) == "cycles"


def label(column, sweep):
    """Name and unit."""
    name, unit = PLAIN_NAMES.get(column, short_name(column).replace("_", " ")), UNITS.get(column, "")
    unit = "ns" if _in_time(sweep, column) else unit
    if sweep.load_axis:
        name = {"latency_mean": "lowest latency", "latency_ns": "lowest latency", "accepted": "highest accepted load",
                "throughput_gbit_s": "highest throughput"}.get(column, name)
    return f"{name}, {unit}" if unit else name


def estimate(sweep, column, rows):
    """Of points that differ in seed alone, or in load: of each seed's load curve the lowest latency, the highest throughput.
    None where a point has no such figure: a latency that is saturated has no mean."""
    found = values(sweep, column)
    if is_latency(column):
        steady = [row for row in rows if sweep.table["status"][row] not in UNSTEADY]
        if len(steady) < len(rows) and not sweep.load_axis:
            return None
        rows = steady
    rows = [row for row in rows if np.isfinite(found[row])]
    if not rows:
        return None
    seed = next((sweep.table[name] for name in sweep.axes if is_seed(name)), np.zeros(sweep.table.rows))
    best = max if column in HIGH else min
    stands = [best((row for row in rows if seed[row] == one), key=lambda row: found[row]) for one in dict.fromkeys(seed[rows])]
    samples = found[stands]
    if column in COSTS:
        return Estimate(float(samples.mean()), 0.0, np.inf)
    if len(samples) > 1:
        return Estimate(float(samples.mean()), float(samples.var(ddof=1)) / len(samples), len(samples) - 1)
    return Estimate(float(samples[0]), *_over_batches(sweep, column, stands[0]))


def share(table, column, row):
    """The half width of a figure's 95 % interval over the batches of its run, as a part of it; NaN where it is not known."""
    width, of = HALF_WIDTHS.get(column, ("", ""))
    known = width in table and table[width].dtype == float and table[of][row]
    return table[width][row] / table[of][row] if known else np.nan


def known(table, name, row):
    """A figure with its interval where that is known, over seeds or batches."""
    value = table[name][row]
    if not isinstance(value, float):
        return value
    width = float(table[f"{name}_ci95"][row] if f"{name}_ci95" in table else share(table, name, row) * value)
    return with_error(float(value), width) if width > 0 else value


def _over_batches(sweep, column, row):
    part, df = share(sweep.table, column, row), (lookup(sweep.result.sweep, "config.measurement.batches") or USUAL_BATCHES) - 1
    return (standard_error(part * values(sweep, column)[row], df) ** 2, df) if np.isfinite(part) else (np.nan, np.nan)
