# SPDX-License-Identifier: Apache-2.0
"""What happens in a router during a run of the model (tlm/power/table/events.h has the names)."""
from collections import Counter

from .model import Flit, Trace, Traced

WARMUP = 30  # cycles that do not count


def events(t: Trace, place: int, busy: dict[str, float]) -> dict[str, float]:
    """`busy`: cycles in which input VCs bid, by the net that says so."""
    here = t.routers[place]
    came = [f for f in here.came if WARMUP <= f.cycle < t.cycles]
    left = [f for f, _, _ in here.left if WARMUP <= f.cycle < t.cycles]
    flits, heads = float(len(left)), [f for f in left if f.number == 0]
    return {"burst": beginnings([(f.cycle, port) for f, port, _ in here.left], t.cycles),
            "start": beginnings([(f.cycle, port, vc) for f, port, vc in here.left], t.cycles),
            "turn": turns(here.left, t.cycles), "fill": fills(here, t.cycles),
            "buffer_write": float(len(came)), "buffer_read": flits, "crossbar": flits, "output_register": flits, "sa_grant": flits,
            "credit": flits, "route_compute": float(sum(f.number == 0 for f in came)), "va_grant": float(len(heads)),
            "long_head": float(sum(t.lengths[f.packet] > 1 for f in heads)),
            "va_request": busy["va_req"], "sa_request": busy["sa_req"] + busy["spec_req"], "clock": float(t.cycles - WARMUP)}


def beginnings(uses: list[tuple], end: int) -> float:
    """Cycles (first in each) in which a port or VC is in use and was not in the one before."""
    all_uses = set(uses)
    return float(sum((use[0] - 1, *use[1:]) not in all_uses for use in all_uses if WARMUP <= use[0] < end))


def turns(left: list[tuple[Flit, str, int]], end: int) -> float:
    """Flits that an output takes from another input than the one before."""
    found, last = 0, {}
    for flit, port, _ in sorted(left, key=lambda use: use[0].cycle):
        found += WARMUP <= flit.cycle < end and last.get(port) != flit.port
        last[port] = flit.port
    return float(found)


def fills(here: Traced, end: int) -> float:
    """Flits that come into an empty input VC, and do not leave in the same cycle."""
    change: dict[tuple[str, int], Counter] = {}
    for flit, step in [(f, 1) for f in here.came] + [(f, -1) for f, _, _ in here.left]:
        change.setdefault((flit.port, flit.vc), Counter())[flit.cycle] += step
    found = 0
    for steps in change.values():
        waiting = 0
        for cycle in sorted(steps):
            found += waiting == 0 and steps[cycle] > 0 and WARMUP <= cycle < end
            waiting += steps[cycle]
    return float(found)
