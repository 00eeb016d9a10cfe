# SPDX-License-Identifier: Apache-2.0
"""Which routers of a mesh no other beats in latency, saturation, energy and area: with time in ns, at the clock that each can
reach, and with time in cycles."""
from dataclasses import dataclass

import numpy as np

from sare.report import read
from sare.report.plot import Plot, axes, legend

COLUMNS = ("router.vcs", "router.depth", "router.va_allocator", "traffic.load", "latency_mean", "accepted", "energy_per_bit_pj",
           "area_mm2", "clock_period_ns")
USUAL_LOAD = 0.1  # flits a node and cycle, at which energies are compared


@dataclass
class Design:
    vcs: int
    depth: int
    allocator: str
    cycles: float      # latency of a packet at the least load
    saturation: float  # the most that was accepted, flits a node and cycle
    energy: float      # pJ a bit, at the usual load
    area: float        # mm^2
    period: float      # ns

    @property
    def name(self):
        return f"{self.vcs} x {self.depth}, {self.allocator}"

    @property
    def ns(self):
        return self.cycles * self.period

    @property
    def flits_per_ns(self):
        return self.saturation / self.period

    def in_ns(self):
        """Less of each is better."""
        return self.ns, -self.flits_per_ns, self.energy, self.area

    def in_cycles(self):
        return self.cycles, -self.saturation, self.energy, self.area

    def in_cycles_alone(self):
        return self.cycles, -self.saturation


FRONTS = {"ns": Design.in_ns, "cycles": Design.in_cycles, "cycles alone": Design.in_cycles_alone}


def designs(result):
    table = result.tables["sweep"]
    lacks = [name for name in COLUMNS if name not in table]
    if lacks:
        raise read.Problem(f"{result.directory / table.file}: no column {lacks[0]}; docs/studies/router-costs.md has the command")
    found = {}
    for k in range(table.rows):
        found.setdefault(tuple(table[name][k] for name in COLUMNS[:3]), []).append(k)
    return [_design(table, key, np.array(rows)) for key, rows in found.items()]


def _design(table, key, rows):
    loads = table["traffic.load"][rows]
    least, usual = rows[np.argmin(loads)], rows[np.argmin(np.abs(loads - USUAL_LOAD))]
    return Design(int(key[0]), int(key[1]), str(key[2]), float(table["latency_mean"][least]), float(table["accepted"][rows].max()),
                  float(table["energy_per_bit_pj"][usual]), float(table["area_mm2"][usual]), float(table["clock_period_ns"][usual]))


def front(found, objectives):
    """Those that no other beats in all objectives."""
    values = {id(d): objectives(d) for d in found}
    beats = lambda a, b: all(x <= y for x, y in zip(a, b)) and a != b
    return [d for d in found if not any(beats(values[id(o)], values[id(d)]) for o in found)]


def table(result):
    """Header and rows of result.csv."""
    found = designs(result)
    on = {name: {id(d) for d in front(found, objectives)} for name, objectives in FRONTS.items()}
    header = ["vcs", "depth", "allocators", "latency_cycles", "latency_ns", "saturation", "saturation_per_ns", "energy_per_bit_pj", "area_mm2",
              "clock_period_ns", *(f"front_{name.replace(' ', '_')}" for name in FRONTS)]
    rows = [[d.vcs, d.depth, d.allocator, *(_digits(x) for x in (d.cycles, d.ns, d.saturation, d.flits_per_ns, d.energy, d.area, d.period)),
             *(int(id(d) in on[name]) for name in FRONTS)] for d in found]
    return header, rows


def _digits(value):
    return float(f"{value:.5g}")


def plots(result, colours):
    found = designs(result)
    return [_plot(found, colours, "in ns", lambda d: d.flits_per_ns, lambda d: d.ns, Design.in_ns, "saturation, flits/node/ns", "latency, ns"),
            _plot(found, colours, "in cycles", lambda d: d.saturation, lambda d: d.cycles, Design.in_cycles, "saturation, flits/node/cycle",
                  "latency, cycles")]


def _plot(found, colours, title, x, y, objectives, x_name, y_name):
    figure, ax = axes(3.4)
    chosen = front(found, objectives)
    for designs_of, colour, label in (([d for d in found if d not in chosen], "muted", "beaten"), (chosen, "c0", "on the front")):
        ax.scatter([x(d) for d in designs_of], [y(d) for d in designs_of], s=[6 + 0.25 * d.area for d in designs_of], color=colours[colour],
                   alpha=0.7, linewidth=0, label=label)
    best = {d.vcs: d for d in sorted(chosen, key=x)}
    for d in best.values():
        ax.annotate(d.name, (x(d), y(d)), xytext=(4, 4), textcoords="offset points", fontsize=7)
    ax.set_xlabel(x_name)
    ax.set_ylabel(y_name)
    legend(ax)
    return Plot(f"Routers, time {title}", figure, "Routers by what they carry and their latency; the larger a point, the larger the network. On the "
                "front: no other is better in latency, saturation, energy a bit and area. Names: VCs x flits, allocators.", "result.csv")
