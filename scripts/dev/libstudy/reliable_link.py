# SPDX-License-Identifier: Apache-2.0
"""Goodput of go-back-N over one link with bit errors, beside its closed form."""
import math
from dataclasses import dataclass

from sare.report import read
from sare.report.palette import SERIES
from sare.report.plot import Plot, axes, legend


@dataclass
class Point:
    rate: float
    time_out: int
    flits: int        # of a packet
    bits: int
    goodput: float    # flits per node and cycle
    sent_again: int
    packets: int

    @property
    def lost(self):
        """Probability that a packet is bad."""
        return -math.expm1(self.bits * math.log1p(-self.rate))

    @property
    def expected(self):
        """A packet that arrives costs F cycles, one that does not the time-out."""
        good = 1 - self.lost
        return good * self.flits / (good * self.flits + self.lost * self.time_out)


def points(result):
    found, table = [], result.tables["sweep"]
    for number in table["point"]:
        summary = read.point_summary(result, number)
        where = f"{result.directory}: point {int(number)}"
        if summary is None:
            raise read.Problem(f"{where} is not complete; run the same 'sare sweep' again")
        found.append(_point(summary, where))
    if not found:
        raise read.Problem(f"{result.directory}: a sweep without points")
    return sorted(found, key=lambda p: (p.time_out, p.rate))


def _point(summary, where):
    network, nic = (read.lookup(summary, f"config.{name}", {}) for name in ("network", "nic"))
    again = read.lookup(summary, "retransmission", {})
    if not again or nic.get("acknowledge") != "ideal" or "link_bit_error_rate" not in network:
        raise read.Problem(f"{where} is not of go_back_n with ideal acknowledgements on links with bit errors")
    flits = nic["max_packet_flits"]
    return Point(network["link_bit_error_rate"], nic["time_out"], flits, 8 * nic["flit_bytes"] * flits,
                 read.lookup(summary, "load.accepted"), again["sent_again"], again["packets"])


def table(result):
    """Header and rows of result.csv."""
    header = ["time_out", "bit_error_rate", "packet_error_rate", "goodput", "closed_form", "packets", "sent_again"]
    rows = [[p.time_out, p.rate, _digits(p.lost), _digits(p.goodput), _digits(p.expected), p.packets, p.sent_again]
            for p in points(result)]
    return header, rows


def _digits(value):
    return float(f"{value:.5g}")


def plots(result, colours):
    figure, ax = axes(3.2)
    curves = {}
    for p in points(result):
        curves.setdefault(p.time_out, []).append(p)
    for i, (time_out, curve) in enumerate(curves.items()):
        colour, rates = colours[SERIES[i % len(SERIES)]], [p.rate for p in curve]
        name = f"T = {time_out:,}"
        ax.plot(rates, [p.goodput for p in curve], "osD^v"[i % 5], color=colour, label=name, markersize=4)
        ax.plot(rates, [p.expected for p in curve], "-", color=colour, linewidth=1)
    ax.set_xscale("log")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("bit error rate")
    ax.set_ylabel("goodput (flits/node/cycle)")
    ax.grid(True, linewidth=0.4)
    legend(ax, columns=3)
    return [Plot("Goodput of go-back-N", figure, "Marks are measured, lines are the closed form; T is the time-out in cycles.", "result.csv")]
