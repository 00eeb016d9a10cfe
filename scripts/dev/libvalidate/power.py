# SPDX-License-Identifier: Apache-2.0
"""A table of costs against gates: random routers, of which none made the table, in random runs of the model. Energy by the
table from the run's events; by the netlist, replayed under the same run; router by router."""
import statistics
from dataclasses import dataclass

import numpy as np
from libvalidate.rows import fail
from sare.power import fit
from sare.power import period as periods
from sare.power import rows as measuring
from sare.power import table as tables
from sare.power.command import TABLES, in_all_runs
from sare.power.liberty import Around, Library
from sare.power.model import energies
from sare.power.nics import measure as nic
from sare.power.points import POINTS, Router, Run, held_out, joined, smallest
from sare.rtl import cells

MEAN_BOUND, WORST_BOUND, AREA_BOUND, PERIOD_BOUND = 0.05, 0.10, 0.05, 0.08


@dataclass
class Result:
    router: Router
    dynamic: list[tuple[float, str]]  # deviation of each router of each run, and which
    counted: list[float]              # the same of the section `power`, exactly
    sampled: list[float]              # and by samples
    clock: float
    area: float
    period: float


def without_clock(table: dict) -> dict:
    """Of the routers' dynamic energy alone."""
    energy = [e for e in table["router"]["energy"] if e["component"] != "clock"]
    return {**{k: v for k, v in table.items() if k not in ("link", "nic", "bridge")}, "router": {"energy": energy}}


def deviation(table: dict, row: measuring.Row) -> tuple[float, float]:
    """Of the dynamic energy, and of the clock's."""
    by_table = tables.energy(table, row.setting, row.events, row.activity)
    return (measuring.dynamic(by_table) / measuring.dynamic(row.energy) - 1, by_table["clock"] / row.energy["clock"] - 1)


def compare(table: dict, library: Library, router: Router, runs: list[Run]) -> Result:
    built, rows = measuring.measured(router, library, runs)
    found = [deviation(table, r) for r in rows]
    where = [f"load {r.load}, {r.data}, router {r.place}" for r in rows]
    area = sum(tables.costs(table, "area", built.setting, lambda e: 1.0).values()) / sum(built.area.values()) - 1
    each, by_section = len(rows) // len(runs), []
    for exact in (True, False):
        sections = [energies(router, run, without_clock(table), measuring.WARMUP, exact) for run in runs]
        by_section.append([sections[k // each][r.place] / measuring.dynamic(r.energy) - 1 for k, r in enumerate(rows)])
    return Result(router, [(d, w) for (d, _), w in zip(found, where)], *by_section, statistics.mean(c for _, c in found), area,
                  tables.period(table, router.settings()) / periods.of_router(router, library) - 1)


def show(result: Result) -> bool:
    worst, where = max(result.dynamic, key=lambda d: abs(d[0]))
    mean = statistics.mean(abs(d) for d, _ in result.dynamic)
    good = abs(worst) <= WORST_BOUND and abs(result.area) <= AREA_BOUND and abs(result.period) <= PERIOD_BOUND
    counted, sampled = (statistics.mean(map(abs, found)) for found in (result.counted, result.sampled))
    print(f"{str(result.router):74s} {mean:6.1%} {worst:+7.1%} {counted:8.1%} {sampled:8.1%} {result.clock:+7.1%} {result.area:+7.1%} {result.period:+7.1%}  "
          f"{'' if good else 'outside: '}{where}", flush=True)
    return good


def show_nics(table: dict, library: Library, settings: list) -> None:
    """Of the same routers."""
    energies, clocks, wholes, areas, paths = [], [], [], [], []
    for router, runs in settings:
        built, rows = nic.measured(router, library, runs)
        for row in rows:
            spent = sum(row.energy.values())
            by_table = tables.energy(table, row.setting, row.events, row.activity, "nic")[""]
            clock = tables.energy(table, row.setting, {**dict.fromkeys(row.events, 0.0), "clock": row.events["clock"]}, 0.0, "nic")[""]
            clocks.append(clock / row.energy["clock"] - 1)
            wholes.append(by_table / spent - 1)
            if spent > row.energy["clock"]:
                energies.append((by_table - clock) / (spent - row.energy["clock"]) - 1)
        areas.append(sum(tables.costs(table, "area", built.setting, lambda e: 1.0, "nic").values()) / sum(built.area.values()) - 1)
        paths.append(tables.period(table, built.setting, "nic") / built.period - 1)
    told = [f"{name} {statistics.mean(map(abs, found)):.1%} in the mean, {max(map(abs, found)):.1%} at worst"
            for name, found in (("dynamic energy", energies), ("clock", clocks), ("both", wholes), ("area", areas), ("period", paths))]
    print(f"{len(areas)} NICs, {len(clocks)} in runs: " + "; ".join(told))


def left_out(name) -> int:
    """Energy and clock period of the table's routers, each by the others."""
    if (name or "osu018") != "osu018":
        fail(f"{name} is made of osu018's routers, with factors; only of osu018 routers are left out")
    _, library = read(name)
    points = in_all_runs(POINTS) + joined()
    routers = [measuring.measured(router, library, runs)[1] for router, runs in points]
    off, by_network = (fit.left_out(routers, groups) for groups in (list(range(len(routers))), [router.network for router, _ in points]))
    each = np.split(off, np.cumsum([len(rows) for rows in routers])[:-1])
    for (router, _), found in zip(points, each):
        if max(abs(found)) > WORST_BOUND:
            print(f"{str(router):74s} mean {np.mean(abs(found)):.1%}, worst {max(found, key=abs):+.1%}, "
                  f"{sum(abs(found) > WORST_BOUND)} runs beyond")
    for what, found in ((f"each of {len(routers)} routers", off), ("each network", by_network)):
        print(f"dynamic energy, {what} left out in turn, {len(found)} in runs: mean {np.mean(abs(found)):.1%}, "
              f"worst {max(abs(found)):.1%}, {sum(abs(found) > WORST_BOUND)} beyond {WORST_BOUND:.0%}")
    show_periods(library)
    return 1 if np.mean(abs(off)) > MEAN_BOUND else 0


def show_periods(library: Library) -> None:
    """Of the routers that the clock period is fitted to."""
    off = periods.left_out(library, [r for r, _ in joined()] + periods.MORE)
    row, worst = max(off, key=lambda found: abs(found[1]))
    print(f"clock period, each of {len(off)} routers left out in turn: mean {statistics.mean(abs(o) for _, o in off):.1%}, "
          f"worst {worst:+.1%} ({row['Ports']} ports, {row['Vcs']} VCs), "
          f"{sum(abs(o) > PERIOD_BOUND for _, o in off)} beyond {PERIOD_BOUND:.0%}")


def read(name) -> tuple[dict, Library]:
    """Returns a table that comes with Sare, and the library that it was made of."""
    name = name or "osu018"
    known = sorted(file.stem for file in TABLES.glob("*.yaml"))
    if name not in known:
        fail(f"there is no table of {name}; there are {', '.join(known)}")
    table = tables.read(TABLES / f"{name}.yaml")
    made = table["made"]
    library = Library(cells(name, made["library"].split(", ")), dont_use=made.get("dont_use", []), around=Around(**made.get("around", {})))
    if library.digest != made["sha256"]:
        fail(f"{library.files}: this is not the library that the table was made of, by its SHA-256")
    return table, library


def validate(name):
    table, library = read(name)
    draws = smallest() if "like" in table["made"] else [held_out()]
    return max([compare_all(table, library, settings) for settings in draws])


def compare_all(table: dict, library: Library, settings: list[tuple[Router, list[Run]]]) -> int:
    """Returns 1 if a draw misses the bounds."""
    print(f"{'router':74s} {'mean':>6s} {'worst':>7s} {'exact':>8s} {'sampled':>8s} {'clock':>7s} {'area':>7s} {'period':>7s}  the worst of its runs")
    results = [compare(table, library, r, runs) for r, runs in settings]
    bad = [r for r in results if not show(r)]
    every = [abs(d) for r in results for d, _ in r.dynamic]
    counted, sampled = ([abs(d) for of in found for d in of] for found in ([r.counted for r in results], [r.sampled for r in results]))
    print(f"dynamic energy of {len(every)} routers in runs: mean {statistics.mean(every):.1%}, worst {max(every):.1%} "
          f"(of the section power, exactly: {statistics.mean(counted):.1%}, {max(counted):.1%}; by samples: {statistics.mean(sampled):.1%}, "
          f"{max(sampled):.1%}); "
          f"area: worst {max(abs(r.area) for r in results):.1%}; period: worst {max(abs(r.period) for r in results):.1%}; "
          f"{len(bad)} of {len(results)} settings beyond the bounds")
    show_nics(table, library, settings)
    return 1 if bad or statistics.mean(every) > MEAN_BOUND else 0
