# SPDX-License-Identifier: Apache-2.0
"""A reader of Liberty (.lib): what power and timing need of a cell library. Energies are pJ, capacitances pF, times ns,
leakage nW, areas um^2."""
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Optional

import numpy as np

from .function import Function

TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([(){};:,])|([^\s(){};:,"]+)')


class Wrong(Exception):
    """It is no Liberty file, or one that says too little."""


@dataclass
class Group:
    kind: str
    name: str
    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, list[str]] = field(default_factory=dict)
    groups: list["Group"] = field(default_factory=list)

    def of(self, kind: str) -> list["Group"]:
        return [g for g in self.groups if g.kind == kind]

    def number(self, key: str, other: float = 0.0) -> float:
        return float(self.values.get(key, other))


def parse(text: str) -> Group:
    """The first group of a text, with all in it."""
    text = re.sub(r"/\*.*?\*/|\\\s*\n", " ", text, flags=re.S)
    tokens = [(m[1] is not None, m[1] if m[1] is not None else m[2] or m[3]) for m in TOKEN.finditer(text)]
    found, at = _statements(tokens, 0)
    if not found.groups or at != len(tokens):
        raise Wrong("this is no Liberty file: it has no group such as `library (name) { ... }`")
    return found.groups[0]


def _statements(tokens: list, at: int) -> tuple[Group, int]:
    """Up to the brace that closes them, or the end."""
    group = Group("", "")
    while at < len(tokens) and tokens[at] != (False, "}"):
        if tokens[at] == (False, ";"):
            at += 1
            continue
        at = _statement(tokens, at, group)
    return group, at


def _statement(tokens: list, at: int, group: Group) -> int:
    word, at = tokens[at][1], at + 1
    if at < len(tokens) and tokens[at] == (False, ":"):
        end = at + 1
        while end < len(tokens) and (tokens[end][0] or tokens[end][1] not in (";", "}")):
            end += 1
        group.values[word] = " ".join(t for _, t in tokens[at + 1:end])
        return end
    if at >= len(tokens) or tokens[at] != (False, "("):
        raise Wrong(f"`{word}` is followed neither by `:` nor by `(`")
    arguments = []
    while tokens[at] != (False, ")"):
        at += 1
        if tokens[at][0] or tokens[at][1] not in (")", ","):
            arguments.append(tokens[at][1])
    at += 1
    if at < len(tokens) and tokens[at] == (False, "{"):
        inner, at = _statements(tokens, at + 1)
        inner.kind, inner.name = word, arguments[0] if arguments else ""
        inner.lists[""] = arguments
        group.groups.append(inner)
        return at + 1
    group.lists[word] = arguments
    return at


def numbers(texts: list[str]) -> np.ndarray:
    return np.array([float(x) for text in texts for x in re.split(r"[\s,]+", text.strip()) if x])


class Table:
    """Values over the load of the output and the transition of the input; either may be missing. Beyond its edges it
    goes on as at them."""

    def __init__(self, group: Group, templates: dict[str, list[str]]):
        names = templates.get(group.name, [])
        axes = [numbers(group.lists[k]) for k in ("index_1", "index_2") if k in group.lists]
        values = numbers(group.lists["values"]).reshape([len(a) for a in axes] or [1])
        is_load = ["capacitance" in n for n in names[:len(axes)]]
        if len(axes) == 2 and not is_load[0] and is_load[1]:
            axes, values = axes[::-1], values.T
        if len(axes) == 1:
            axes = [axes[0], np.array([0.0])] if is_load[0] else [np.array([0.0]), axes[0]]
        self.loads, self.slews = axes if axes else (np.array([0.0]), np.array([0.0]))
        self.values = values.reshape(len(self.loads), len(self.slews))

    @staticmethod
    def _place(axis: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if len(axis) == 1:
            return np.zeros(np.shape(x), int), np.zeros(np.shape(x))
        i = np.clip(np.searchsorted(axis, x) - 1, 0, len(axis) - 2)
        return i, (x - axis[i]) / (axis[i + 1] - axis[i])

    def __call__(self, load: np.ndarray, slew: np.ndarray) -> np.ndarray:
        load, slew = np.broadcast_arrays(np.asarray(load, float), np.asarray(slew, float))
        (i, a), (j, b) = self._place(self.loads, load), self._place(self.slews, slew)
        i2, j2, v = np.minimum(i + 1, len(self.loads) - 1), np.minimum(j + 1, len(self.slews) - 1), self.values
        return (v[i, j] * (1 - a) * (1 - b) + v[i2, j] * a * (1 - b) + v[i, j2] * (1 - a) * b + v[i2, j2] * a * b)


@dataclass
class Arc:
    """From a pin to an output: delays and transitions by the edge of the output; or a check of a pin against a clock."""
    related: str
    sense: str
    kind: str
    tables: dict[str, Table]


@dataclass
class Pin:
    name: str
    direction: str
    capacitance: float
    function: Optional[str]
    clock: bool
    arcs: list[Arc]
    powers: list[tuple[str, dict[str, Table]]]  # related pin ("": of the pin's own transitions), tables by edge


@dataclass
class State:
    """A flip-flop or a latch: names of state and its inverse, and expressions of pins."""
    is_latch: bool
    names: tuple[str, str]
    data: str
    clock: str
    clear: str
    preset: str


@dataclass
class Cell:
    name: str
    area: float
    leakage: float
    pins: dict[str, Pin]
    state: Optional[State]

    @property
    def inputs(self) -> list[Pin]:
        return [p for p in self.pins.values() if p.direction == "input"]

    @property
    def outputs(self) -> list[Pin]:
        return [p for p in self.pins.values() if p.direction == "output"]


@dataclass
class Latch:
    name: str
    enable: str
    data: str
    output: str


class Library:
    def __init__(self, path: Path, voltage: Optional[float] = None):
        self.path = Path(path)
        try:
            text = self.path.read_text()
        except OSError as problem:
            raise Wrong(f"cannot read {path}: {problem.strerror}") from None
        self.digest = hashlib.sha256(text.encode()).hexdigest()
        top = parse(text)
        self.name = top.name
        templates = {g.name: [g.values[k] for k in ("variable_1", "variable_2") if k in g.values]
                     for g in top.groups if g.kind in ("lu_table_template", "power_lut_template")}
        conditions = {g.name: g for g in top.of("operating_conditions")}
        self.corner = top.values.get("default_operating_conditions", next(iter(conditions), "nominal"))
        at = conditions.get(self.corner, top)
        self.voltage = voltage or at.number("voltage", top.number("nom_voltage"))
        self.temperature = at.number("temperature", top.number("nom_temperature"))
        self._scale = Units(top)
        areas = lef_areas(self.path.with_suffix(".lef"))
        self.cells = {g.name: self._cell(g, templates, areas) for g in top.of("cell")}
        if not self.cells:
            raise Wrong(f"{path} has no cells")

    def _cell(self, g: Group, templates: dict, areas: dict[str, float]) -> Cell:
        state = next((self._state(s) for s in g.groups if s.kind in ("ff", "latch")), None)
        pins = {p.name: self._pin(p, templates) for p in g.of("pin")}
        return Cell(g.name, g.number("area") or areas.get(g.name, 0.0), g.number("cell_leakage_power") * self._scale.leakage,
                    pins, state)

    @staticmethod
    def _state(s: Group) -> State:
        is_latch = s.kind == "latch"
        names = (s.lists[""] + ["", ""])[:2]
        return State(is_latch, tuple(names), s.values.get("data_in" if is_latch else "next_state", ""),
                     s.values.get("enable" if is_latch else "clocked_on", ""), s.values.get("clear", ""),
                     s.values.get("preset", ""))

    def _pin(self, p: Group, templates: dict) -> Pin:
        def tables(g: Group) -> dict[str, Table]:
            return {t.kind: Table(t, templates) for t in g.groups if "values" in t.lists}

        arcs = [Arc(t.values.get("related_pin", ""), t.values.get("timing_sense", "non_unate"),
                    t.values.get("timing_type", "combinational"), tables(t)) for t in p.of("timing")]
        powers = [(w.values.get("related_pin", ""), tables(w)) for w in p.of("internal_power")]
        return Pin(p.name, p.values.get("direction", "input"), p.number("capacitance") * self._scale.capacitance,
                   p.values.get("function"), p.values.get("clock") == "true", arcs, powers)

    @cached_property
    def functions(self) -> dict[tuple[str, str], Function]:
        """Of the outputs of cells without a state."""
        return {(c.name, p.name): Function(p.function) for c in self.cells.values() if not c.state
                for p in c.outputs if p.function and "three_state" not in p.function}

    def driver(self) -> str:
        """What drives the pins of a router: the buffer of the second size."""
        buffers = sorted((c.area, c.name) for c in self.cells.values() if len(c.inputs) == 1 and len(c.outputs) == 1
                         and not c.state and c.outputs[0].function == c.inputs[0].name and "CLK" not in c.name)
        if not buffers:
            raise Wrong(f"{self.path} has no buffer")
        return buffers[min(1, len(buffers) - 1)][1]

    def latch(self) -> Optional[Latch]:
        for c in self.cells.values():
            if c.state and c.state.is_latch and c.state.clock in c.pins and c.state.data in c.pins:
                return Latch(c.name, c.state.clock, c.state.data, c.outputs[0].name)
        return None


class Units:
    """Factors to pF and nW. An energy is a capacitance times a voltage squared."""

    def __init__(self, top: Group):
        load = top.lists.get("capacitive_load_unit", ["1", "pf"])
        self.capacitance = float(load[0]) * {"pf": 1.0, "ff": 1e-3}[load[1].lower()]
        number, unit = re.fullmatch(r"([\d.]+)\s*(\w+)", top.values.get("leakage_power_unit", "1nW")).groups()
        self.leakage = float(number) * {"pW": 1e-3, "nW": 1.0, "uW": 1e3, "mW": 1e6, "W": 1e9}[unit]
        time = top.values.get("time_unit", "1ns").lower()
        if time != "1ns" or self.capacitance != 1.0:
            raise Wrong(f"times must be in 1ns and loads in 1pf; this library has {time} and {load[0]}{load[1]}")


def lef_areas(path: Path) -> dict[str, float]:
    """By the layout: some libraries leave out the area of a cell."""
    if not path.exists():
        return {}
    sizes = re.findall(r"^MACRO (\w+)\n.*?SIZE ([\d.]+) BY ([\d.]+)", path.read_text(), re.S | re.M)
    return {name: float(w) * float(h) for name, w, h in sizes}
