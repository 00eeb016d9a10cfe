# SPDX-License-Identifier: Apache-2.0
"""What bufferless optical networks accept of a load, by extra stages, with and without retries, beside the recurrence
p(i+1) = 1 - (1 - p(i)/k)^k of networks without extra stages."""
from dataclasses import dataclass

from sare.report import read


@dataclass
class Point:
    ports: int
    k: int
    stages: int
    extra: int
    sidestep: bool
    retries: bool
    offered: float     # packets a port and slot, by the sources
    attempted: float   # of these and those sent again
    accepted: float
    acceptance: float  # of attempts
    latency: float     # slots, from generation

    @property
    def curve(self):
        how = f"{self.extra} extra" + (", sidestep" if self.sidestep and self.extra else "")
        return how, self.retries


def recurrence(p, stages, k=2):
    for _ in range(stages):
        p = 1 - (1 - p / k) ** k
    return p


def points(result):
    """Those of a sweep in its order; that of a network without extra stages stands for both settings of 'sidestep'."""
    found, table = {}, result.tables["sweep"]
    for point, status in zip(table["point"], table["status"]):
        summary = read.point_summary(result, point)
        where = f"{result.directory}: point {int(point)}"
        if summary is None or status not in ("completed", "saturated", "unsettled"):
            raise read.Problem(f"{where} is not complete; run the same 'sare sweep' again")
        made = _point(summary, where)
        found.setdefault((*made.curve, round(made.offered, 2)), made)
    if not found:
        raise read.Problem(f"{result.directory}: a sweep without points")
    return list(found.values())


def _point(summary, where):
    network, router, traffic = (read.lookup(summary, f"config.{name}", {}) for name in ("network", "router", "traffic"))
    counts = summary.get("router_counts", {})
    if network.get("topology") != "omega" or router.get("kind") != "spinet" or not counts.get("attempts"):
        raise read.Problem(f"{where} is not of an omega network of routers of kind spinet; this study is")
    slot = max(router["slot"], router["duration"], 2 * (network["n"] + network["extra"] - 1) * network.get("link_latency", 1))
    ports, length = network["k"] ** network["n"], read.lookup(summary, "config.traffic.length", 1)
    per_slot = slot / (length if isinstance(length, (int, float)) else length["flits"])
    attempts = counts["attempts"] / (ports * (summary["cycles"] / slot))
    return Point(ports, network["k"], network["n"], network["extra"], router["sidestep"], router["attempts"] != 1,
                 traffic["load"] * per_slot, attempts, read.lookup(summary, "load.accepted") * per_slot, counts["acceptance"],
                 read.lookup(summary, "latency.packet.from_generation.mean") / slot)


def table(result):
    """Header and rows of result.csv."""
    header = ["ports", "extra", "sidestep", "retries", "offered", "attempted", "accepted", "acceptance", "latency_slots",
              "recurrence"]
    rows = [[p.ports, p.extra, p.sidestep, p.retries, _digits(p.offered), _digits(p.attempted), _digits(p.accepted),
             _digits(p.acceptance), _digits(p.latency), _digits(recurrence(p.attempted, p.stages, p.k)) if not p.extra else ""]
            for p in points(result)]
    return header, rows


def _digits(value):
    return float(f"{value:.4g}") if value is not None else ""


def plots(result, colours):
    from sare.report.palette import SERIES
    from sare.report.plot import Plot, axes, legend
    found, made = points(result), []
    for retries in (False, True):
        curves = {}
        for p in found:
            if p.retries == retries:
                curves.setdefault(p.curve[0], []).append(p)
        if not curves:
            continue
        figure, ax = axes(3.2)
        for (name, curve), colour, mark in zip(curves.items(), SERIES, "osDv^"):
            curve.sort(key=lambda p: p.offered)
            ax.plot([p.offered for p in curve], [p.accepted for p in curve], mark + "-", color=colours[colour], markersize=4,
                    label=name)
        if not retries:
            one = found[0]
            loads = [i / 50 for i in range(51)]
            ax.plot(loads, [recurrence(p, one.stages, one.k) for p in loads], "--", color=colours["muted"],
                    label="recurrence, 0 extra")
        ax.set_xlabel("offered, packets a port and slot")
        ax.set_ylabel("accepted, packets a port and slot")
        ax.set_xlim(0), ax.set_ylim(0)
        legend(ax, 3)
        made.append(Plot("Sent again" if retries else "Sent once", figure,
                         "What arrives of the offered load" + (", dropped packets being sent again." if retries else
                                                               ", dropped packets being lost."), "result.csv"))
    return made
