# SPDX-License-Identifier: Apache-2.0
"""NICs in gates: sare_nic_inject and sare_nic_eject as one block, beside the NIC of a node in runs of the model."""
import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .. import cache, netlist, synthesis
from ..energy import CLOCK, Meter
from ..events import WARMUP, beginnings
from ..gatesim import Simulator, Stimulus
from ..liberty import Library
from ..model import Flit, Run, Trace, busiest, router_of, trace
from ..pins import CREDIT_DELAY, SA, ST, START, Pins, bits
from ..points import COORDINATE_BITS, Router
from ..rows import RUNS, Built, Differs, Row

SOURCE = Path(__file__).with_name("sare_nic.sv")
PARTS = {"registers": ["*"]}
NIC_DELAY = 1  # cycles before the register of the link, as experiments have them where they say nothing
INPUTS = ["rst_ni", "here_i", "last_i", "valid_i", "tail_i", "data_i", "dest_i", "ways_i", "length_i", "credit_i", "flit_valid_i",
          "flit_head_i", "flit_tail_i", "flit_vc_i", "flit_data_i"]
OUTPUTS = ["ready_o", "flit_valid_o", "flit_vc_o", "flit_data_o", "flit_length_o", "flit_port_o", "flit_vcs_o", "credit_o", "valid_o"]
# By the router that each is at: ports and dimensions make the destination wide.
POINTS = [
    Router("mesh", 4, 4, 32), Router("line", 1, 2, 16), Router("line", 1, 8, 64), Router("mesh", 2, 2, 16), Router("line", 2, 8, 32),
    Router("cube", 2, 4, 64), Router("mesh", 8, 2, 32), Router("line", 4, 16, 16), Router("mesh", 1, 4, 128), Router("ring", 2, 4, 32),
    Router("torus", 4, 2, 16), Router("cube", 1, 3, 24), Router("line", 3, 5, 48), Router("line", 8, 4, 16),
    Router("mesh", 2, 4, 32, lookahead=True), Router("line", 3, 3, 16, lookahead=True), Router("cube", 1, 4, 24, lookahead=True),
    Router("line", 2, 4, 16, switching="cut_through"), Router("mesh", 1, 6, 24, switching="cut_through"),
    Router("line", 4, 7, 16, switching="cut_through"), Router("ring", 3, 3, 16, lookahead=True),
]


def block(router: Router) -> synthesis.Block:
    asked = router.parameters()
    return synthesis.Block(SOURCE, {name: asked[name] for name in ("Vcs", "Depth", "FlitWidth", "Ports", "Dims", "CoordWidth", "Wrap",
                                                                    "Switching", "Lookahead")},
                           PARTS, "registers")


@dataclass
class Traffic:
    """Of one NIC: flits as they are on the link to the router; those that the router took from its buffer; those that come, with their VC."""
    sent: list[Flit]
    taken: list[Flit]
    came: list[tuple[Flit, int]]


def traffic(t: Trace, router: Router, place: int) -> tuple[int, Traffic]:
    """Of the first node of that router, and its number."""
    here, node = t.routers[place], place * router.nodes_at
    port = f"n{node}"
    return node, Traffic([f for f in here.came if f.port == port], [f for f, _, _ in here.left if f.port == port],
                                  [(f, v) for f, p, v in here.left if p == port])


class NicPins:
    """Pins of the NIC, cycle by cycle; what no flit drives stays as it was."""

    def __init__(self, router: Router, run: Run, t: Trace, place: int, of: Traffic):
        self.of = Pins(router, run, t, place)
        self.router, self.trace, self.cycles = router, t, START + t.cycles
        r = self.of
        sizes = dict(data_i=router.width, flit_data_i=router.width, flit_data_o=router.width, dest_i=r.dest_bits, ways_i=2 * len(router.dims),
                     here_i=r.ins["here_i"].shape[1], last_i=r.ins["last_i"].shape[1], length_i=r.count_bits, flit_length_o=r.count_bits,
                     flit_port_o=r.port_bits, flit_vcs_o=router.vcs, credit_i=router.vcs, credit_o=router.vcs, flit_vc_i=r.vc_bits,
                     flit_vc_o=r.vc_bits)
        self.pins = {n: np.zeros((self.cycles, sizes.get(n, 1)), np.uint8) for n in INPUTS + OUTPUTS}
        self.care = {n: np.zeros((self.cycles, sizes.get(n, 1)), np.uint8) for n in OUTPUTS}
        self.pins["rst_ni"][START:] = 1
        for d, (at, size) in enumerate(zip(router_of(router, place), router.dims)):
            where = slice(d * COORDINATE_BITS, (d + 1) * COORDINATE_BITS)
            self.pins["here_i"][:, where], self.pins["last_i"][:, where] = bits(at, COORDINATE_BITS), bits(size - 1, COORDINATE_BITS)
        for name in ("ready_o", "flit_valid_o", "credit_o", "valid_o"):
            self.care[name][START:] = 1
        self._sends(of.sent)
        self._gets_places_back(of.taken)
        self._receives(of.came)

    def _hold(self, name: str, t: int, value) -> None:
        self.pins[name][t:] = value

    def _is_tail(self, f: Flit) -> int:
        return int(f.number == self.trace.lengths[f.packet] - 1)

    def _at(self, name: str, t: int, value) -> None:
        if t < self.cycles:
            self.pins[name][t] = value
            if name in self.care:
                self.care[name][t] = 1

    def _sends(self, flits: list[Flit]) -> None:
        out_port = {(f.packet, f.port): p for f, p, _ in self.trace.routers[self.of.number].left}
        for f in flits:
            out = START + f.cycle
            taken = out - NIC_DELAY - 1
            if taken >= self.cycles:
                continue
            data = self.of.data(f.packet, f.number)
            self.pins["valid_i"][taken] = self.pins["ready_o"][taken] = 1
            for name, value in (("tail_i", self._is_tail(f)), ("data_i", data), ("dest_i", bits(self.of.destination(f.destination), self.of.dest_bits)),
                                ("ways_i", bits(self.of.ways(f), 2 * len(self.router.dims)))):
                self._hold(name, taken, value)
            self._at("flit_valid_o", out, 1)
            self._at("flit_vc_o", out, bits(f.vc, self.of.vc_bits))
            self._at("flit_data_o", out, data)
            if self.router.switching == "cut_through":
                length = bits(self.of.run.length, self.of.count_bits)
                self._hold("length_i", taken, length)
                self._at("flit_length_o", out, length)
            if self.router.lookahead and (f.packet, f.port) in out_port:
                self._at("flit_port_o", out, bits(self.of.port(out_port[f.packet, f.port]), self.of.port_bits))
                if self.router.wraps:  # else all of them, and no wires
                    self._at("flit_vcs_o", out, bits(self.of.vcs(f), self.router.vcs))

    def _gets_places_back(self, flits: list[Flit]) -> None:
        for f in flits:
            t = START + f.cycle + CREDIT_DELAY + 1
            if t < self.cycles:
                self.pins["credit_i"][t, f.vc] = 1

    def _receives(self, flits: list[tuple[Flit, int]]) -> None:
        for f, vc in flits:
            t = START + f.cycle + SA + ST + 1
            if t >= self.cycles:
                continue
            self.pins["flit_valid_i"][t] = self.pins["valid_o"][t] = 1
            for name, value in (("flit_head_i", int(f.number == 0)), ("flit_tail_i", self._is_tail(f)), ("flit_vc_i", bits(vc, self.of.vc_bits)),
                                ("flit_data_i", self.of.data(f.packet, f.number))):
                self._hold(name, t, value)
            if t + CREDIT_DELAY + 1 < self.cycles:
                self.pins["credit_o"][t + CREDIT_DELAY + 1, vc] = 1

    def stimulus(self) -> Stimulus:
        join = lambda arrays, names: np.concatenate([arrays[n] for n in names], axis=1)  # noqa: E731
        return Stimulus(INPUTS, join(self.pins, INPUTS), OUTPUTS, join(self.pins, OUTPUTS), join(self.care, OUTPUTS),
                        [START + WARMUP, self.cycles])


def events(of: Traffic, cycles: int) -> dict[str, float]:
    """In the cycles in which flits are on the links."""
    sent = [f for f in of.sent if WARMUP <= f.cycle < cycles]
    came = [f for f, _ in of.came if WARMUP <= f.cycle + SA + ST + 1 < cycles]
    return {"inject": float(len(sent)), "inject_head": float(sum(f.number == 0 for f in sent)),
            "inject_burst": beginnings([(f.cycle,) for f in of.sent], cycles), "eject": float(len(came)),
            "eject_head": float(sum(f.number == 0 for f in came)), "clock": float(cycles - WARMUP)}


class NicBench:
    def __init__(self, router: Router, library: Library):
        self.router = router
        self.n = netlist.build(synthesis.netlist(block(router), library, cache.folder()), library)
        self.meter, self.simulator = Meter(self.n), Simulator(self.n)

    def built(self) -> Built:
        return Built(self.router.settings(), *({"nics": sum(found.values())} for found in (self.meter.area(), self.meter.leakage())),
                     self.meter.timing.period)

    def row(self, run: Run, t: Trace, place: int) -> Row:
        node, of = traffic(t, self.router, place)
        seen = self.simulator.replay(NicPins(self.router, run, t, place, of).stimulus(), [])
        if seen.wrong_cycle >= 0:
            raise Differs(f"NIC of node {node}, {self.router}: in cycle {seen.wrong_cycle} pin {seen.wrong_pin} of {', '.join(OUTPUTS)} "
                          "is not what the model has")
        spent = self.meter.measure(seen.rises[1], seen.falls[1])
        energy = {"nics": sum(e for part, e in spent.items() if part != CLOCK), CLOCK: spent[CLOCK]}
        return Row(self.router.settings(), energy, events(of, t.cycles), run.activity, t.cycles - WARMUP, run.load, node, run.data)


def measured(router: Router, library: Library, runs: list[Run] = RUNS) -> tuple[Built, list[Row]]:
    """Out of the cache where they are there."""
    above = Path(__file__).parent.parent
    sources = "".join(f.read_text() for f in (Path(__file__), SOURCE, *(above / name for name in (
        "events.py", "pins.py", "energy.py", "timing.py", "gatesim.c", "netlist.py", "liberty.py"))))
    key = cache.key_of(router.key(), router.network, library.key, str(library.voltage), repr(runs), sources,
                       synthesis.recipe(library, block(router)))
    kept = cache.folder() / f"{key}.nics.json"
    if not kept.exists():
        bench, rows = NicBench(router, library), []
        for run in runs:
            t = trace(router, run)
            rows += [bench.row(run, t, place) for place in busiest(t, 2)]
        kept.write_text(json.dumps({"built": dataclasses.asdict(bench.built()), "rows": [dataclasses.asdict(r) for r in rows]}))
    text = json.loads(kept.read_text())
    return Built(**text["built"]), [Row(**r) for r in text["rows"]]
