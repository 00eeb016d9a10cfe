# SPDX-License-Identifier: Apache-2.0
"""Arrival times and transitions of all nets from the library's tables, the latest and the slowest of what may come:
static timing without wires, with pins of the router and the clock at time 0."""
from dataclasses import dataclass

import numpy as np

from .liberty import Arc, Cell
from .netlist import Kind, Netlist, levels

RISE, FALL = 0, 1
EDGES = ("rise", "fall")
CHECKS = ("setup_rising", "setup_falling")


@dataclass
class Timing:
    """By edge and net, ns."""
    arrival: np.ndarray
    slew: np.ndarray
    period: float


def sources(sense: str, edge: int) -> list[int]:
    """Edges of the input that make this one of the output."""
    return {"positive_unate": [edge], "negative_unate": [1 - edge]}.get(sense, [RISE, FALL])


def is_delay(arc: Arc) -> bool:
    return arc.kind in ("combinational", "rising_edge", "falling_edge") and "cell_rise" in arc.tables


class Propagation:
    def __init__(self, n: Netlist):
        self.n = n
        self.arrival = np.zeros((2, n.nets))
        self.slew = np.full((2, n.nets), n.library.around.slew)
        self.still = np.zeros(n.nets, bool)  # nets that reset or nothing drives: no path
        for net in n.bits("rst_ni") + [0, 1]:
            self.still[net] = True

    def run(self) -> Timing:
        self._clocked()
        for kind, at in self._by_level():
            self._combine(kind, at)
        return Timing(self.arrival, self.slew, self._period())

    def _clocked(self) -> None:
        for kind in self.n.kinds:
            if kind.cell.state and not kind.cell.state.is_latch:
                for pin in kind.cell.outputs:
                    self._clock_to(kind, pin.name, [a for a in pin.arcs if is_delay(a) and a.kind != "combinational"])

    def _clock_to(self, kind: Kind, output: str, arcs: list[Arc]) -> None:
        nets = kind.nets[output]
        for edge in (RISE, FALL):
            for arc in arcs:
                name, load = EDGES[edge], self.n.load[nets]
                self.arrival[edge, nets] = arc.tables[f"cell_{name}"](load, self.n.library.around.slew)
                self.slew[edge, nets] = np.maximum(arc.tables[f"{name}_transition"](load, self.n.library.around.slew), 0.0)

    def _by_level(self) -> list[tuple[Kind, np.ndarray]]:
        """Kinds of cells without a state, level by level; a latch passes on when it is open."""
        level = self._levels()
        found = []
        for kind in self.n.kinds:
            if kind.cell.state and not kind.cell.state.is_latch:
                continue
            own = level[kind.nets[kind.cell.outputs[0].name]]
            found += [(int(k), kind, np.flatnonzero(own == k)) for k in np.unique(own)]
        return [(kind, at) for _, kind, at in sorted(found, key=lambda f: f[0])]

    def _levels(self) -> np.ndarray:
        """By net: of what drives it."""
        by_net = np.zeros(self.n.nets, int)
        for gate, level in zip(self.n.gates, levels(self.n)):
            by_net[gate.out] = level
        return by_net

    def _combine(self, kind: Kind, at: np.ndarray) -> None:
        for pin in kind.cell.outputs:
            nets = kind.nets[pin.name][at]
            arcs = [a for a in pin.arcs if is_delay(a)]
            for edge in (RISE, FALL):
                name = EDGES[edge]
                late, slow = np.zeros(len(at)), np.zeros(len(at))
                for arc in arcs:
                    inputs = kind.nets[arc.related][at]
                    for before in sources(arc.sense, edge):
                        slew = self.slew[before, inputs]
                        comes = self.arrival[before, inputs] + arc.tables[f"cell_{name}"](self.n.load[nets], slew)
                        turns = arc.tables[f"{name}_transition"](self.n.load[nets], slew)
                        moves = ~self.still[inputs]
                        late, slow = np.where(moves, np.maximum(late, comes), late), np.where(moves, np.maximum(slow, turns), slow)
                self.arrival[edge, nets], self.slew[edge, nets] = late, slow

    def _period(self) -> float:
        worst = max((float(self.arrival[:, bits].max()) for _, (d, bits) in self.n.ports.items() if d == "output" and bits), default=0.0)
        for kind in self.n.kinds:
            if kind.cell.state:
                worst = max(worst, self._worst_setup(kind, kind.cell))
        return worst

    def _worst_setup(self, kind: Kind, cell: Cell) -> float:
        worst = 0.0
        for pin in cell.inputs:
            nets = kind.nets[pin.name]
            nets = nets[~self.still[nets]]
            for arc in (a for a in pin.arcs if a.kind in CHECKS and len(nets)):
                for edge in (RISE, FALL):
                    table = arc.tables.get(f"{EDGES[edge]}_constraint")
                    if table:  # its axes: transition of the clock, of the data
                        worst = max(worst, float((self.arrival[edge, nets] + constraint(table, self.slew[edge, nets], self.n.library.around.slew)).max()))
        return worst


def constraint(table, slew: np.ndarray, of_clock: float) -> np.ndarray:
    """Both axes are transitions: the reader takes the first for a load."""
    return table(of_clock, slew)


def timing(n: Netlist) -> Timing:
    return Propagation(n).run()
