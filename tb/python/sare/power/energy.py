# SPDX-License-Identifier: Apache-2.0
"""Energy of a netlist's activity by the library's own tables. An edge of a net costs half of its capacitance times the
voltage squared, of its driver; the internal energy of the driver's output for that edge (of the inputs that may have
caused it, weighted by how often they change); and the energy within every cell that it goes to (Liberty's internal power
of an input pin). Rise and fall are apart."""
import numpy as np

from .liberty import Pin
from .netlist import Kind, Netlist
from .timing import EDGES, Timing, timing

CLOCK = "clock"


class Meter:
    """Energy by part. What clock pins spend is the clock's, whatever the part of the flip-flop."""

    def __init__(self, n: Netlist):
        self.n = n
        self.parts = [p for p in n.parts if p != CLOCK] + [CLOCK]
        self._place = np.array([self.parts.index(p) for p in n.parts], int)
        self.timing: Timing = timing(n)
        self.clock_nets = self._clock_nets()
        self.slew = self.timing.slew.copy()
        self.slew[:, self.clock_nets] = n.library.around.slew

    def _clock_nets(self) -> np.ndarray:
        nets = {self.n.clock} | {s.clock for s in self.n.states}
        return np.array(sorted(nets), int)

    def measure(self, rises: np.ndarray, falls: np.ndarray) -> dict[str, float]:
        """pJ by part, of counts of edges by net."""
        total = np.zeros(len(self.parts))
        counts = (rises.astype(float), falls.astype(float))
        self._switching(counts, total)
        for kind in self.n.kinds:
            for pin in kind.cell.pins.values():
                self._internal(kind, pin, counts, total)
        return dict(zip(self.parts, total))

    def _switching(self, counts: tuple, total: np.ndarray) -> None:
        edges = counts[0] + counts[1]
        energy = 0.5 * self.n.load * self.n.library.voltage ** 2 * edges
        owner = self._owners()
        np.add.at(total, owner, energy)

    def _owners(self) -> np.ndarray:
        """Of each net the part of its driver; what pins of the router load is that of the buffers behind them."""
        owner = np.full(self.n.nets, self.parts.index("buffers") if "buffers" in self.parts else 0)
        for kind in self.n.kinds:
            for pin in kind.cell.outputs:
                owner[kind.nets[pin.name]] = self._place[kind.part]
        owner[self.clock_nets] = len(self.parts) - 1
        return owner

    def _internal(self, kind: Kind, pin: Pin, counts: tuple, total: np.ndarray) -> None:
        nets = kind.nets[pin.name]
        place = np.full(len(nets), len(self.parts) - 1) if pin.clock else self._place[kind.part]
        weights = self._weights(kind, pin, counts)
        for (related, tables, _), weight in zip(pin.powers, weights):
            for edge, name in enumerate(EDGES):
                table = tables.get(f"{name}_power") or tables.get("power")
                if table is None:
                    continue
                energy = table(self.n.load[nets], self._slew_of(kind, pin, related, edge))
                np.add.at(total, place, energy * weight * counts[edge][nets])

    def _slew_of(self, kind: Kind, pin: Pin, related: str, edge: int) -> np.ndarray:
        """Of the input: its edge is that of the output, the other one, or either."""
        nets = kind.nets[related] if related else kind.nets[pin.name]
        if not related:
            return self.slew[edge, nets]
        senses = [a.sense for a in pin.arcs if a.related == related]
        if senses and all(s == "positive_unate" for s in senses):
            return self.slew[edge, nets]
        if senses and all(s == "negative_unate" for s in senses):
            return self.slew[1 - edge, nets]
        return self.slew[:, nets].mean(axis=0)

    @staticmethod
    def _weights(kind: Kind, pin: Pin, counts: tuple) -> list[np.ndarray]:
        """How much each related pin counts: by its edges; alike if none has any, and for states of the cell. What supply pins take
        adds up."""
        related = [kind.nets[r] if r and pin.direction == "output" else None for r, _, _ in pin.powers]
        edges = [np.ones(len(kind.nets[pin.name])) if r is None else counts[0][r] + counts[1][r] for r in related]
        supplies = [supply for _, _, supply in pin.powers]
        whole = {s: np.sum([e for e, its in zip(edges, supplies) if its == s], axis=0) for s in set(supplies)}
        return [np.where(whole[s] > 0, e / np.maximum(whole[s], 1e-9), 1 / supplies.count(s)) for e, s in zip(edges, supplies)]

    def leakage(self) -> dict[str, float]:
        """uW by part."""
        return self._sum(lambda cell: cell.leakage * 1e-3)

    def area(self) -> dict[str, float]:
        """um^2 by part."""
        return self._sum(lambda cell: cell.area)

    def _sum(self, value) -> dict[str, float]:
        total = np.zeros(len(self.parts))
        for kind in self.n.kinds:
            np.add.at(total, self._place[kind.part], value(kind.cell))
        return dict(zip(self.parts, total))
