# SPDX-License-Identifier: Apache-2.0
"""What a wire of a link costs, with the repeaters of the library that make it fastest (Bakoglu, Circuits, Interconnections, and Packaging for
VLSI, 1990, section 5.3): the delay of a segment of l mm behind a cell of resistance R and delay t0 is t0 + 0.69 R (c l + C) + 0.38 r c l^2
+ 0.69 r l C, where C is the input of the next cell."""
from dataclasses import dataclass

import numpy as np

from .liberty import Cell, Library
from .table import rounded
from .timing import EDGES

@dataclass(frozen=True)
class Wire:
    """Ohm and pF of a mm; 0 ohm: no repeaters."""
    ohm: float = 0.0
    pf: float = 0.2  # usual for wires of half the pitch at any process


@dataclass
class Repeater:
    """A cell, mm from one to the next, and ns a mm of the wire."""
    cell: Cell
    spacing: float
    delay: float


def line_of(cell: Cell, slew: float) -> tuple[float, float]:
    """Returns delay without a load, ns, and ns a pF: of the mean of both edges, over loads of 4 and 16 of its inputs."""
    load = cell.inputs[0].capacitance * np.array([4.0, 16.0])
    tables = cell.outputs[0].arcs[0].tables
    slow, slower = np.mean([tables[f"cell_{edge}"](load, slew) for edge in EDGES], axis=0)
    rate = (slower - slow) / (load[1] - load[0])
    return slow - rate * load[0], rate


def repeater(cell: Cell, wire: Wire, slew: float) -> Repeater:
    """Returns the cell at the distance at which it is fastest."""
    own, rate = line_of(cell, slew)
    r, c, pin = wire.ohm * 1e-3, wire.pf, cell.inputs[0].capacitance  # kohm times pF is ns
    fixed = own + rate * pin
    spacing = float(np.sqrt(fixed / (0.38 * r * c)))
    return Repeater(cell, spacing, float(fixed / spacing + rate * c + 0.38 * r * c * spacing + 0.69 * r * pin))


def energy_of(cell: Cell, library: Library) -> float:
    """Returns pJ of a cell when its output toggles: the mean of both edges, with its input's capacitance and without its load's."""
    slew, load = library.around.slew, 16 * cell.inputs[0].capacitance
    inner = sum(float(tables[f"{edge}_power"](load, slew)) for _, tables, _ in cell.outputs[0].powers for edge in EDGES) / 2
    return inner + 0.5 * cell.inputs[0].capacitance * library.voltage ** 2


def costs(library: Library, wire: Wire) -> dict[str, float]:
    """Returns the section `link` of a table."""
    found = {"energy_bit_mm": 0.5 * wire.pf * library.voltage ** 2, "leakage_bit_mm": 0.0, "area_bit_mm": 0.0}
    if wire.ohm:
        best = min((repeater(c, wire, library.around.slew) for c in library.buffers()), key=lambda found: found.delay)
        found.update(repeater_mm=best.spacing, repeater_energy=energy_of(best.cell, library), repeater_leakage=best.cell.leakage * 1e-3,
                     repeater_area=best.cell.area, delay_mm=best.delay)
    return {key: rounded(value) for key, value in found.items()}
