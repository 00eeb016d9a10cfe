# SPDX-License-Identifier: Apache-2.0
"""What pulses add to the energy of a router: the same replay with the delay of every cell, by its load and the transitions
at its inputs, the mean of rise and fall and of its inputs. A gate swallows pulses shorter than its delay. Wires have none."""
from dataclasses import dataclass

import numpy as np

from .gatesim import Simulator
from .liberty import Wrong
from .model import Run, busiest, trace
from .netlist import Netlist
from .pins import START, Pins
from .rows import WARMUP, Bench, dynamic
from .timing import EDGES, Timing, is_delay

RUN = Run(0.3, 4)


@dataclass
class Found:
    """pJ a cycle, without the clock's."""
    plain: float
    delayed: float


def delays(n: Netlist, t: Timing) -> tuple[np.ndarray, np.ndarray]:
    """ps: of nets by what drives them, and of flip-flops."""
    by_net = np.ones(n.nets)
    for kind in n.kinds:
        for pin in kind.cell.outputs:
            arcs = [a for a in pin.arcs if is_delay(a)]
            if not arcs:
                continue
            nets = kind.nets[pin.name]
            clocked = kind.cell.state is not None and not kind.cell.state.is_latch
            each = [a.tables[f"cell_{e}"](n.load[nets], n.library.around.slew if clocked else t.slew[:, kind.nets[a.related]].mean(axis=0))
                    for a in arcs for e in EDGES]
            by_net[nets] = np.maximum(1.0, 1000 * np.mean(each, axis=0))
    states = np.array([by_net[s.out if s.out >= 0 else s.inverse] for s in n.states])
    return by_net.round(), states.round()


def factor(bench: Bench) -> Found:
    """In a run at a middling load, in the busiest router."""
    if bench.router.clock_gating or bench.router.memory_buffers:
        raise Wrong("glitches are looked for in routers without gated clocks and memories")
    t = trace(bench.router, RUN)
    pins = Pins(bench.router, RUN, t, busiest(t, 1)[0])
    found = []
    for d in (None, delays(bench.n, bench.meter.timing)):
        seen = Simulator(bench.n).replay(pins.stimulus([START + WARMUP, START + t.cycles]), [], d)
        if seen.wrong_cycle >= 0:
            raise Wrong(f"with delays the router differs in cycle {seen.wrong_cycle}")
        found.append(dynamic(bench.meter.measure(seen.rises[1], seen.falls[1])) / (t.cycles - WARMUP))
    return Found(*found)
