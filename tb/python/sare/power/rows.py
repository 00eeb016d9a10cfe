# SPDX-License-Identifier: Apache-2.0
"""What is measured of a router in gates: energy by part in runs of the model, with their counts of events; area, leakage
and clock period. Kept by router, library and run."""
import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import cache, netlist, synthesis
from .energy import Meter
from .events import WARMUP, events
from .gatesim import Simulator
from .liberty import Library
from .model import Run, Trace, busiest, trace
from .netlist import Netlist
from .pins import OUTPUTS, START, Pins
from .points import Router

# Few flits and many, heads alone and long packets, all loads up to beyond saturation, data of different activity.
RUNS = [Run(0.03, 1), Run(0.15, 4), Run(0.15, 4, data="zero"), Run(0.45, 4), Run(0.3, 2, ones=0.15),
        Run(0.3, 8, data="zero", seed=2), Run(0.9, 4, seed=3), Run(0.25, 1, data="zero", seed=4)]
ROUTERS_A_RUN = 2


class Differs(Exception):
    """The netlist does not do what the model does."""


@dataclass
class Row:
    """Of one router in one run: pJ by part, events, and bits that toggle in each event that moves a flit."""
    setting: dict
    energy: dict[str, float]
    events: dict[str, float]
    activity: float
    cycles: int
    load: float
    place: int
    data: str


@dataclass
class Built:
    """Of one router: um^2 and uW by part, ns."""
    setting: dict
    area: dict[str, float]
    leakage: dict[str, float]
    period: float


def groups_of(n: Netlist, router: Router) -> dict[str, list[list[int]]]:
    """Nets that say that an input VC bids, by input VC."""
    count = router.ports * router.vcs
    found = {}
    for name in ("va_req", "sa_req", "spec_req"):
        bits = n.groups.get(name, [])
        each = len(bits) // count
        found[name] = [bits[i * each:(i + 1) * each] for i in range(count)] if each else []
    return found


class Bench:
    """A router in gates, ready to be measured."""

    def __init__(self, router: Router, library: Library):
        self.router, self.library = router, library
        self.n = netlist.build(synthesis.netlist(synthesis.router_block(router), library, cache.folder()), library)
        self.meter, self.simulator = Meter(self.n), Simulator(self.n)
        self.groups = groups_of(self.n, router)

    def built(self) -> Built:
        return Built(self.router.settings(), self.meter.area(), self.meter.leakage(), self.meter.timing.period)

    def rows(self, run: Run, count: int = ROUTERS_A_RUN) -> list[Row]:
        t = trace(self.router, run)
        return [self.row(run, t, place) for place in busiest(t, count)]

    def row(self, run: Run, t: Trace, place: int) -> Row:
        pins = Pins(self.router, run, t, place)
        each = [g for name in self.groups for g in self.groups[name]]
        seen = self.simulator.replay(pins.stimulus([START + WARMUP, START + t.cycles]), each)
        if seen.wrong_cycle >= 0:
            raise Differs(f"{self.router}, router {place}: in cycle {seen.wrong_cycle} {wrong_pin(pins, seen.wrong_pin)} "
                          "is not what the model has")
        busy, first = {}, 0
        for name, groups in self.groups.items():
            busy[name] = float(seen.busy[1, first:first + len(groups)].sum())
            first += len(groups)
        return Row(self.router.settings(), self.meter.measure(seen.rises[1], seen.falls[1]), events(t, place, busy), run.activity,
                   t.cycles - WARMUP, run.load, place, run.data)


def wrong_pin(pins: Pins, number: int) -> str:
    for name in OUTPUTS:
        width = pins.outs[name].shape[1]
        if number < width:
            return f"{name}[{number}]"
        number -= width
    return "a pin"


def measured(router: Router, library: Library, runs: list[Run]) -> tuple[Built, list[Row]]:
    """Out of the cache where they are there."""
    sources = "".join((Path(__file__).with_name(f)).read_text() for f in
                      ("rows.py", "events.py", "pins.py", "energy.py", "timing.py", "gatesim.c", "netlist.py", "liberty.py"))
    key = cache.key_of(router.key(), router.network, library.key, str(library.voltage), repr(runs), sources,
                       synthesis.recipe(library, synthesis.router_block(router)))
    kept = cache.folder() / f"{key}.rows.json"
    if not kept.exists():
        bench = Bench(router, library)
        found = {"built": dataclasses.asdict(bench.built()), "rows": [dataclasses.asdict(r) for run in runs for r in bench.rows(run)]}
        kept.write_text(json.dumps(found))
    text = json.loads(kept.read_text())
    return Built(**text["built"]), [Row(**r) for r in text["rows"]]


def dynamic(energy: dict[str, float]) -> float:
    return float(np.sum([e for part, e in energy.items() if part != "clock"]))
