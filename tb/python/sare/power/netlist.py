# SPDX-License-Identifier: Apache-2.0
"""A netlist in arrays: nets by number, cells by kind, gates in order of their level."""
from dataclasses import dataclass, field

import numpy as np

from .function import Function
from .liberty import Cell, Library, Wrong

NO_NET = -1


@dataclass
class Kind:
    """All instances of a cell: for each pin the nets, one an instance."""
    cell: Cell
    part: np.ndarray
    nets: dict[str, np.ndarray]


@dataclass
class Gate:
    out: int
    inputs: list[int]
    table: int
    is_latch: bool = False


@dataclass
class State:
    out: int
    inverse: int
    data: int
    clock: int
    clear: int
    preset: int


@dataclass
class Ram:
    """A memory of a port: what stands for a macro; pins to nets, the lowest bit first."""
    pins: dict[str, list[int]]


@dataclass
class Netlist:
    library: Library
    parts: list[str]
    ports: dict[str, tuple[str, list[int]]]
    groups: dict[str, list[int]]
    kinds: list[Kind]
    gates: list[Gate]
    states: list[State]
    rams: list[Ram]
    nets: int
    load: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def bits(self, port: str) -> list[int]:
        return self.ports[port][1]

    @property
    def clock(self) -> int:
        return self.bits("clk_i")[0]


class Builder:
    """From what synthesis.shrunk() gives. Constants are the nets 0 and 1."""

    def __init__(self, design: dict, library: Library):
        self.library = library
        self.number: dict = {"0": 0, "1": 1, "x": 0, "z": 0}
        self.gates: list[Gate] = []
        self.states: list[State] = []
        self.rams: list[Ram] = []
        self.parts = sorted({c[2] for c in design["cells"]})
        by_type: dict[str, list] = {}
        for _, kind, part, pins in design["cells"]:
            by_type.setdefault(kind, []).append((part, pins))
        self.kinds = [self._kind(k, cells) for k, cells in sorted(by_type.items()) if "sare_ram" not in k]
        for kind, cells in by_type.items():
            if "sare_ram" in kind:
                self.rams += [Ram({p: self.nets_of(b) for p, b in pins.items()}) for _, pins in cells]
        self.ports = {n: (d, self.nets_of(bits)) for n, (d, bits) in design["ports"].items()}
        self.groups = {n: self.nets_of(bits) for n, bits in design["nets"].items()}

    def net(self, bit) -> int:
        return self.number.setdefault(bit, len(self.number) - 2)

    def nets_of(self, bits: list) -> list[int]:
        return [self.net(b) for b in bits]

    def hidden(self) -> int:
        """A net that no wire is: of an expression within a cell."""
        return self.net(("hidden", len(self.number)))

    def _kind(self, name: str, cells: list) -> Kind:
        if name not in self.library.cells:
            raise Wrong(f"Yosys took the cell {name}, " + (f"which has a {self.library.unusable[name]}" if name in self.library.unusable
                        else f"which {self.library.files} does not have"))
        cell = self.library.cells[name]
        nets = {p.name: np.array([self.net(pins[p.name][0]) if pins.get(p.name) else self.hidden() for _, pins in cells])
                for p in cell.pins.values()}
        parts = np.array([self.parts.index(part) for part, _ in cells])
        for k in range(len(cells)):
            self._instance(cell, {p: int(n[k]) for p, n in nets.items()})
        return Kind(cell, parts, nets)

    def _instance(self, cell: Cell, pins: dict[str, int]) -> None:
        if cell.state:
            return self._stateful(cell, pins)
        for p in cell.outputs:
            f = self.library.functions[cell.name, p.name]
            self.gates.append(Gate(pins[p.name], [pins[n] for n in f.names], f.table))

    def _stateful(self, cell: Cell, pins: dict[str, int]) -> None:
        out, inverse = NO_NET, NO_NET
        for p in cell.outputs:
            if p.function == cell.state.names[0]:
                out = pins[p.name]
            else:
                inverse = pins[p.name]
        if out == NO_NET:
            out = self.hidden()
        data, clock = self._signal(cell.state.data, pins), self._signal(cell.state.clock, pins)
        if cell.state.is_latch:
            self.gates.append(Gate(out, [data, clock], 0, True))
            return
        clear = self._signal(cell.state.clear, pins) if cell.state.clear else NO_NET
        preset = self._signal(cell.state.preset, pins) if cell.state.preset else NO_NET
        self.states.append(State(out, inverse, data, clock, clear, preset))

    def _signal(self, expression: str, pins: dict[str, int]) -> int:
        f = Function(expression)
        if len(f.names) == 1 and f.table == 0b10:
            return pins[f.names[0]]
        inputs = [pins[n] for n in f.names]
        if all(n in (0, 1) for n in inputs):
            at = sum(n << i for i, n in enumerate(inputs))
            return f.table >> at & 1
        out = self.hidden()
        self.gates.append(Gate(out, inputs, f.table))
        return out

    def netlist(self) -> Netlist:
        n = Netlist(self.library, self.parts, self.ports, self.groups, self.kinds, self.gates, self.states, self.rams,
                    len(self.number) - 2)
        n.load = loads(n)
        return n


def build(design: dict, library: Library) -> Netlist:
    return Builder(design, library).netlist()


def loads(n: Netlist) -> np.ndarray:
    """pF of the pins that each net goes to."""
    load = np.zeros(n.nets)
    for kind in n.kinds:
        for pin in kind.cell.inputs:
            np.add.at(load, kind.nets[pin.name], pin.capacitance)
    for name, (direction, bits) in n.ports.items():
        if direction == "output":
            np.add.at(load, np.array(bits), n.library.around.load)
    return load


def levels(n: Netlist) -> np.ndarray:
    """Of each gate: one more than those that it reads."""
    driver = {g.out: k for k, g in enumerate(n.gates)}
    level = np.full(len(n.gates), -1)
    for start in range(len(n.gates)):
        stack = [start]
        while stack:
            g = stack[-1]
            before = [driver[i] for i in n.gates[g].inputs if i in driver and level[driver[i]] < 0]
            if before and len(stack) <= len(n.gates):
                stack += before
                continue
            if before:
                raise ValueError("the gates of this netlist go round in a circle")
            level[g] = 1 + max((level[driver[i]] for i in n.gates[g].inputs if i in driver), default=-1)
            stack.pop()
    return level
