# SPDX-License-Identifier: Apache-2.0
"""A table's bridges to AXI against gates: random ones, of which none made the table, under random stimuli. Energy by the table from
the events; by the netlist, whose outputs are the model's in every cycle."""
import statistics

from libvalidate.power import AREA_BOUND, MEAN_BOUND, PERIOD_BOUND, WORST_BOUND, read
from libvalidate.rows import fail
from sare.power import table as tables
from sare.power.bridges import form, measure, points
from sare.power.liberty import Library


def mean_and_worst(found: list[float]) -> str:
    return f"mean {statistics.mean(map(abs, found)):.1%}, worst {max(found, key=abs):+.1%}"


def clock_of(table: dict, row) -> float:
    only = {**dict.fromkeys(row.events, 0.0), "clock": row.events["clock"]}
    return tables.energy(table, row.setting, only, 0.0, "bridge")[""]


def compare(table: dict, library: Library, of: points.Bridge, runs: list) -> tuple[list[float], float, float, float, list[float]]:
    """Deviations of the dynamic energy of each run, of the clock's, of area and period, and of the whole energy of each run."""
    built, rows = measure.measured(of, library, runs)
    rows = [form.with_beats(r) for r in rows]
    dynamic = [(tables.energy(table, r.setting, r.events, r.activity, "bridge")[""] - clock_of(table, r)) / r.energy["bridges"] - 1
               for r in rows if r.energy["bridges"] > 0]
    area = sum(tables.costs(table, "area", built.setting, lambda e: 1.0, "bridge").values()) / sum(built.area.values()) - 1
    whole = [tables.energy(table, r.setting, r.events, r.activity, "bridge")[""] / sum(r.energy.values()) - 1 for r in rows]
    found = (dynamic, clock_of(table, rows[0]) / rows[0].energy["clock"] - 1, area, tables.period(table, built.setting, "bridge") / built.period - 1, whole)
    print(f"{str(of):78s} {' '.join(f'{d:+6.1%}' for d in dynamic)}; clock {found[1]:+.1%}, area {area:+.1%}, period {found[3]:+.1%}", flush=True)
    return found


def validate(name):
    table, library = read(name)
    if "bridge" not in table:
        fail(f"the table {name} has no bridges")
    results = [compare(table, library, *of) for of in points.held_out()]
    dynamic, whole = ([d for r in results for d in r[k]] for k in (0, 4))
    clock, area, period = ([r[k] for r in results] for k in (1, 2, 3))
    print(f"{len(results)} bridges, {len(dynamic)} in runs: energy {mean_and_worst(whole)}; dynamic {mean_and_worst(dynamic)}; clock {mean_and_worst(clock)}; "
          f"area {mean_and_worst(area)}; period {mean_and_worst(period)}")
    bad = (max(map(abs, dynamic)) > WORST_BOUND or statistics.mean(map(abs, dynamic)) > MEAN_BOUND or
           max(map(abs, area)) > AREA_BOUND or max(map(abs, period)) > PERIOD_BOUND)
    return int(bad)
