# SPDX-License-Identifier: Apache-2.0
"""Drops on SpiNNaker's routers: the part of all deliveries that is lost, over load, wait, emergency routes and dead links."""
from dataclasses import dataclass

from sare.report import read
from sare.report.palette import SERIES
from sare.report.plot import Plot, axes, legend

HEADER = ("dead links", "emergency", "wait", "rate", "lost part", "p99 of deliveries", "detours a packet", "status")
FIGURES = ("workload.measured.lost_part", "workload.latency.each_delivery.p99")
MARKS = "osD^vPX*"


@dataclass
class Point:
    dead: float       # share of links
    emergency: bool
    wait: int         # cycles until the emergency route, and as many again until a drop
    rate: float       # packets a node and cycle
    lost: float
    p99: float
    detours: float
    status: str


def points(result):
    """Of every point that has run, in the order of the sweep."""
    found = []
    table = result.tables["sweep"]
    for number in table["point"]:
        summary = read.point_summary(result, number)
        where = f"{result.directory}: point {int(number)}"
        if summary is None:
            raise read.Problem(f"{where} is not complete; run the same 'sare sweep' again")
        config = summary["config"]
        router = read.lookup(config, "router", {})
        values = [read.lookup(summary, name) for name in FIGURES]
        if router.get("kind") != "spinnaker" or values[0] is None:
            raise read.Problem(f"{where} is not of tb/experiments/emergency.yaml: no router spinnaker, or nothing measured")
        events = read.lookup(config, "failures.events") or []
        found.append(Point(sum(e.get("links", 0) for e in events), router["emergency"], router["emergency_wait"],
                           read.lookup(config, "traffic.rate"), *values,
                           read.lookup(summary, "packets.detoured", 0) / summary["workload"]["packets"], summary["status"]))
    return found


def table(result):
    rows = [[p.dead, p.emergency, p.wait, p.rate, p.lost, p.p99, p.detours, p.status] for p in points(result)]
    return HEADER, rows


def plots(result, colours):
    """One, with a part for each share of dead links; curves by wait, without emergency routes dashed."""
    found = points(result)
    shares = sorted({p.dead for p in found})
    figure, parts = axes(0.8 + 2.4 * len(shares), len(shares), sharex=True, squeeze=False)
    for dead, ax in zip(shares, parts[:, 0]):
        _draw(ax, [p for p in found if p.dead == dead], colours)
        links = f"{100 * dead:g} % of links dead" if dead else "all links alive"
        ax.set_ylabel(f"part of deliveries lost,\n{links}")
    parts[-1, 0].set_xlabel("packets that a node fires a cycle")
    legend(parts[0, 0], 5)
    return [Plot("Deliveries lost", figure,
                 "A blocked packet waits so many cycles for its emergency route, and again until it is dropped. Dashed: without "
                 "emergency routes. Below 0.0001 linear.", "result.csv")]


def _draw(ax, found, colours):
    for i, wait in enumerate(sorted({p.wait for p in found})):
        for emergency in (True, False):
            curve = sorted((p.rate, p.lost) for p in found if (p.wait, p.emergency) == (wait, emergency))
            if curve:
                ax.plot(*zip(*curve), MARKS[i % len(MARKS)] + ("-" if emergency else "--"), color=colours[SERIES[i % len(SERIES)]],
                        label=f"wait {wait}" if emergency else None)
    ax.set_yscale("symlog", linthresh=1e-4)
    ax.set_ylim(0, 1.5)
