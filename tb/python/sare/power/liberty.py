# SPDX-License-Identifier: Apache-2.0
"""A reader of Liberty (.lib, .lib.gz): what power and timing need of a cell library, of one file or several. Energies are pJ,
capacitances pF, times ns, leakage nW, areas um^2, whatever the units of the files are."""
import gzip
import hashlib
import re
import zlib
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Callable, Iterator, Optional, Sequence

import numpy as np

from . import cache
from .function import Function

VARIABLES, INDICES = ("variable_1", "variable_2", "variable_3"), ("index_1", "index_2", "index_3")
TABLES = ("power", "rise", "fall", "transition", "constraint")  # ends of the names of those that are read
# Cells of several bits, which no mapper takes: their pins are buses or bundles.
SEVERAL_BITS = ("ff_bank", "latch_bank", "bus", "bundle")
MOST_INPUTS = 6  # of a cell that is replayed: its function has 64 bits
GROUP = re.compile(r'\b(cell|\w+_template)\s*\(\s*"?([^()"\s]*)"?\s*\)\s*\{')
BRACE = re.compile(r'"(?:[^"\\]|\\.)*"|[{}]', re.S)
FLIP_FLOP_OF_INVERSE = re.compile(r"""\bff\s*\(\s*"?(?P<state>\w+)"?\s*,\s*"?(?P<inverse>\w+)"?\s*\)\s*"""
                                  r"""\{(?P<rest>[^{}]*next_state\s*:\s*"?\s*!\w+\s*"?\s*;[^{}]*)\}""")
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
    text = re.sub(r"^(\s*\w+\s*:[^;{}\n]*)$", r"\1;", text, flags=re.M)  # a line ends an attribute, too
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
    goes on as at them. Axes that a table leaves out are those of its template."""

    def __init__(self, group: Group, templates: dict[str, Group], units: "Units"):
        template = templates.get(group.name, Group("", ""))
        names = [template.values[k] for k in VARIABLES if k in template.values]
        texts = [t for t in (group.lists.get(k) or template.lists.get(k) for k in INDICES[:len(names) or 3]) if t]
        if len(texts) > 2 or len(names) < len(texts):
            raise Wrong(f"the table {group.kind} ({group.name}) is over {len(texts)} variables"
                        + (", and one or two can be used" if len(texts) > 2 else f", and there is no template '{group.name}' that names them"))
        is_load = ["capacitance" in n for n in names[:len(texts)]]
        axes = [numbers(t) * (units.capacitance if load else units.time) for t, load in zip(texts, is_load)]
        values = numbers(group.lists["values"]).reshape([len(a) for a in axes] or [1]) * units.of_values(group.kind)
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
    powers: list[tuple[str, dict[str, Table], str]]  # related pin ("": of the pin's own transitions), tables by edge, pin of the supply


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


def text_of(path: Path) -> str:
    try:
        content = path.read_bytes()
        return (gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content).decode(errors="replace")
    except (OSError, EOFError, zlib.error) as problem:
        raise Wrong(f"cannot read {path}: {getattr(problem, 'strerror', None) or problem}") from None


class Source:
    """One file."""

    def __init__(self, path: Path):
        written = text_of(path)
        self.path, self.text, self.digest = path, upright(written), hashlib.sha256(written.encode()).hexdigest()
        self.is_as_written = self.text == written
        try:
            self.top = parse(self.text)
        except Wrong as problem:
            raise Wrong(f"{path}: {problem}") from None
        if self.top.kind != "library":
            raise Wrong(f"{path}: this is no Liberty file: it begins with `{self.top.kind}`, and not with `library (name) {{`")
        conditions = {g.name: g for g in self.top.of("operating_conditions")}
        self.corner = self.top.values.get("default_operating_conditions", next(iter(conditions), "nominal"))
        self.corners = conditions or {self.corner: self.top}

    def at(self, corner: str) -> tuple[str, float, float]:
        """Name, voltage and temperature of a corner."""
        of = self.corners.get(corner, self.top)
        return corner, of.number("voltage", self.top.number("nom_voltage")), of.number("temperature", self.top.number("nom_temperature"))


def sources(paths: list[Path], corner: Optional[str]) -> list[Source]:
    """The files that have the corner; all must have one, as their cells are mapped together."""
    found = [Source(Path(p)) for p in paths]
    if corner:
        known = sorted({c for s in found for c in s.corners})
        found = [s for s in found if corner in s.corners]
        if not found:
            raise Wrong(f"no file has the corner {corner}; there is {', '.join(known)}")
    first = found[0]
    for s in found:
        ours, its = (x.at(corner or x.corner) for x in (first, s))
        if ours[1:] != its[1:]:
            raise Wrong(f"{first.path} is of the corner {ours[0]} ({ours[1]} V, {ours[2]} degrees), and {s.path} of {its[0]} ({its[1]} V, "
                        f"{its[2]} degrees); give files of one corner, or --corner")
        if Units(s.top) != Units(first.top):
            raise Wrong(f"{first.path} and {s.path} have other units; give files that have the same")
    return found


def without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


def groups_of(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields the cells of a library and the templates of their tables: name (of a template ""), begin and end of each."""
    at = 0
    while found := GROUP.search(text, at):
        at, depth = found.end(), 1
        for token in BRACE.finditer(text, at):
            depth += {"{": 1, "}": -1}.get(token[0], 0)
            if depth == 0:
                at = token.end()
                break
        yield found[2] if found[1] == "cell" else "", found.start(), at


def without_cells(text: str, unwanted: Callable[[str], object]) -> str:
    """Returns the text of a library without its comments and the cells of unwanted names."""
    text = without_comments(text)
    kept, at = [], 0
    for name, begin, end in groups_of(text):
        if name and unwanted(name):
            kept.append(text[at:begin])
            at = end
    return "".join(kept) + text[at:]


def upright(text: str) -> str:
    """Returns the text of a library where flip-flops that keep the inverse of their data keep the data, and have an inverted output instead:
    Yosys (0.23) resets the former to the wrong value, and a replay, whose flip-flops begin at 0, would begin with ones in buffers."""
    def turned(found: re.Match) -> str:
        swapped = re.sub(r"\b(clear|preset)(?=\s*:)", lambda m: "preset" if m[1] == "clear" else "clear", found["rest"])
        return f"ff ({found['inverse']}, {found['state']}) {{" + re.sub(r"""(next_state\s*:\s*"?)\s*!""", r"\1", swapped) + "}"

    return FLIP_FLOP_OF_INVERSE.sub(turned, text)


def joined(all: list[Source], key: str, left_out: set[str]) -> Path:
    """Returns a plain file of all but the cells left out, for tools that take one: the first file with the groups of the others."""
    if len(all) == 1 and all[0].path.suffix != ".gz" and not left_out and all[0].is_as_written:
        return all[0].path
    file = cache.folder() / f"{cache.key_of(key, *sorted(left_out))}.lib"
    if not file.exists():
        first, *others = (without_cells(s.text, left_out.__contains__) for s in all)
        groups = (text[begin:end] + "\n" for text in others for _, begin, end in groups_of(text))
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".partial")
        partial.write_text(first[:first.rindex("}")] + "".join(groups) + "}\n")
        partial.rename(file)
    return file


@dataclass(frozen=True)
class Around:
    """What stands around a router. The defaults are of 0.18 um."""
    slew: float = 0.1  # ns at every clock pin, which a tree of buffers is built for, and at the router's own pins
    load: float = 0.02  # pF at each output pin: a buffer at the beginning of the link


AROUND = Around()


class Library:
    """`path`: the file, or several; `corner`: of its operating conditions, left out: the default one; `dont_use`: patterns of names of
    cells that no router is made of, such as `*xp5_*`; `around`: what stands around a router."""

    def __init__(self, path: Path | list[Path], voltage: Optional[float] = None, corner: Optional[str] = None, dont_use: Sequence[str] = (),
                 around: Around = AROUND):
        all = sources(path if isinstance(path, list) else [path], corner)
        top = all[0].top
        self.name, self.files = top.name, ", ".join(s.path.name for s in all)
        self.digest = all[0].digest if len(all) == 1 else hashlib.sha256("".join(s.digest for s in all).encode()).hexdigest()
        self.dont_use, self.around = list(dont_use), around
        self.key = f"{self.digest} {dont_use} {around}"  # of what is made by this library
        self.corner, own, self.temperature = all[0].at(corner or all[0].corner)
        self.voltage = voltage or own
        self.units = Units(top)
        self.cells: dict[str, Cell] = {}
        self.unusable: dict[str, str] = {}  # cells that no mapper takes, with what they have
        for s in all:
            self._take(s.top, lef_areas(s.path.with_suffix(".lef")))
        if not self.cells:
            raise Wrong(f"{self.files} has no cells" + (" of one bit that may be used" if self.unusable else ""))
        self.path = joined(all, self.key, {name for name, why in self.unusable.items() if why not in SEVERAL_BITS})

    def _take(self, top: Group, areas: dict[str, float]) -> None:
        templates = {g.name: g for g in top.groups if g.kind in ("lu_table_template", "power_lut_template")}
        for g in top.of("cell"):
            why = unusable(g, self.dont_use)
            if why:
                self.unusable[g.name] = why
                continue
            try:
                self.cells[g.name] = self._cell(g, templates, areas)
            except Wrong as problem:
                raise Wrong(f"cell {g.name}: {problem}") from None

    def _cell(self, g: Group, templates: dict, areas: dict[str, float]) -> Cell:
        state = next((self._state(s) for s in g.groups if s.kind in ("ff", "latch")), None)
        pins = {p.name: self._pin(p, templates) for p in g.of("pin")}
        return Cell(g.name, g.number("area") or areas.get(g.name, 0.0), leakage_of(g) * self.units.leakage, pins, state)

    @staticmethod
    def _state(s: Group) -> State:
        is_latch = s.kind == "latch"
        names = (s.lists[""] + ["", ""])[:2]
        return State(is_latch, tuple(names), s.values.get("data_in" if is_latch else "next_state", ""),
                     s.values.get("enable" if is_latch else "clocked_on", ""), s.values.get("clear", ""),
                     s.values.get("preset", ""))

    def _pin(self, p: Group, templates: dict) -> Pin:
        def tables(g: Group) -> dict[str, Table]:
            return {t.kind: Table(t, templates, self.units) for t in g.groups if t.kind.endswith(TABLES) and "values" in t.lists}

        arcs = [Arc(t.values.get("related_pin", ""), t.values.get("timing_sense", "non_unate"),
                    t.values.get("timing_type", "combinational"), tables(t)) for t in p.of("timing")]
        powers = [(w.values.get("related_pin", ""), tables(w), w.values.get("related_pg_pin", "")) for w in p.of("internal_power")]
        return Pin(p.name, p.values.get("direction", "input"), p.number("capacitance") * self.units.capacitance,
                   p.values.get("function"), p.values.get("clock") == "true", arcs, powers)

    @cached_property
    def functions(self) -> dict[tuple[str, str], Function]:
        """Of the outputs of cells without a state."""
        return {(c.name, p.name): Function(p.function) for c in self.cells.values() if not c.state
                for p in c.outputs if p.function and "three_state" not in p.function}

    def driver(self) -> str:
        """What drives the pins of a router: the buffer of the second size."""
        buffers = self.buffers()
        return buffers[min(1, len(buffers) - 1)].name

    def buffers(self) -> list[Cell]:
        """The smallest first, without those of clock trees."""
        found = [c for c in self.cells.values() if len(c.inputs) == 1 and len(c.outputs) == 1
                 and not c.state and is_plain(c.outputs[0].function) and "CLK" not in c.name.upper()]
        if not found:
            raise Wrong(f"{self.files} has no buffer, a cell with the function of its only input")
        return sorted(found, key=lambda c: (c.area, c.name))

    def latch(self) -> Optional[Latch]:
        """The smallest that is open while its enable is high, without clear and preset, which would stay unconnected."""
        found = [c for c in self.cells.values() if c.state and c.state.is_latch and c.state.clock in c.pins and c.state.data in c.pins
                 and not c.state.clear and not c.state.preset]
        c = min(found, key=lambda c: c.area, default=None)
        return Latch(c.name, c.state.clock, c.state.data, c.outputs[0].name) if c and c.state else None


def unusable(cell: Group, dont_use: Sequence[str]) -> str:
    """Returns what the cell has for which no router is made of it, or ""."""
    several = next((inner.kind for inner in cell.groups if inner.kind in SEVERAL_BITS), "")
    inputs = sum(p.values.get("direction", "input") == "input" for p in cell.of("pin"))
    return several or (f"name among {', '.join(dont_use)}" if any(fnmatch(cell.name, p) for p in dont_use) else
                       f"function of {inputs} inputs, more than {MOST_INPUTS}" if inputs > MOST_INPUTS else "")


def is_plain(function: Optional[str]) -> bool:
    """It is that of a buffer."""
    return bool(function) and Function(function).table == 0b10 and len(Function(function).names) == 1


def leakage_of(cell: Group) -> float:
    """As the cell says; else the mean over the states that it lists, of each supply pin, all pins together."""
    if "cell_leakage_power" in cell.values:
        return cell.number("cell_leakage_power")
    by_pin: dict[str, list[float]] = {}
    for g in cell.of("leakage_power"):
        by_pin.setdefault(g.values.get("related_pg_pin", ""), []).append(g.number("value"))
    return sum(sum(values) / len(values) for values in by_pin.values())


@dataclass(init=False)
class Units:
    """Factors to pF, ns, pJ and nW. An energy is a capacitance times a voltage squared."""
    capacitance: float
    time: float
    leakage: float
    energy: float

    def __init__(self, top: Group):
        def factor(key: str, text: str, unit: str) -> float:
            found = re.fullmatch(r"([\d.eE+-]+)\s*([fpnumkM]?)" + unit, text.strip(), re.I)
            if not found:
                raise Wrong(f"'{key}' is '{text}', and no number of {unit} such as 1p{unit}")
            return float(found[1]) * {"f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3, "k": 1e3}.get(found[2].lower(), 1.0)

        def scale(key: str, other: str, unit: str) -> float:
            return factor(key, top.values.get(key, other), unit)

        load = top.lists.get("capacitive_load_unit", ["1", "pf"])
        self.capacitance = factor("capacitive_load_unit", "".join(load), "f") * 1e12
        self.time = scale("time_unit", "1ns", "s") * 1e9
        self.leakage = scale("leakage_power_unit", "1nW", "W") * 1e9
        self.energy = self.capacitance * scale("voltage_unit", "1V", "V") ** 2

    def of_values(self, table: str) -> float:
        return self.energy if table.endswith("power") else self.time


def lef_areas(path: Path) -> dict[str, float]:
    """By the layout: some libraries leave out the area of a cell."""
    if not path.exists():
        return {}
    sizes = re.findall(r"^MACRO (\w+)\n.*?SIZE ([\d.]+) BY ([\d.]+)", path.read_text(), re.S | re.M)
    return {name: float(w) * float(h) for name, w, h in sizes}
