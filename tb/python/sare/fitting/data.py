# SPDX-License-Identifier: Apache-2.0
"""Measured figures, which an experiment is fitted to: the table of a user, or the output of another simulator."""
from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from .. import native
from ..errors import Error
from ..search_space import NAMES as SHORT, figure
from ..section import plain

AXES = {name: f"traffic.{name}" for name in ("load", "pattern", "length")}  # short names
GENERATION, INJECTION = "latency.packet.from_generation", "latency.packet.from_injection"
# What figures are called in a table, beside columns of sweep.csv and paths in summary.json.
NAMES = {**SHORT, "latency": SHORT["latency.mean"], "network_latency": SHORT["network_latency.mean"], "load.accepted": "load.accepted",
         "throughput": "load.accepted", "hops": "hops.mean", "makespan": SHORT["makespan_cycles"]}
PATHS = ("latency.", "load.", "hops.", "links.", "power.", "workload.", "fairness.", "classes.", "packets.", "flits.", "messages.")
OF_A_SWEEP = ("point", "seeds", "offered", "cycles", "buffer_bits")  # columns of sweep.csv that nobody fits to
SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9, "ps": 1e-12}
UNITS = ("cycles", "cycle", "flits/node/cycle", "packets/node/cycle", *SECONDS)


class Figure(NamedTuple):
    """A column of measured figures."""

    name: str  #: as the table calls it
    path: str  #: in summary.json
    unit: str = ""  #: "": that of summary.json

    @property
    def is_latency(self) -> bool:
        return self.path.startswith("latency.")

    def factor(self, summary: Mapping[str, Any]) -> float:
        """What a value of summary.json is multiplied by to be in this unit."""
        if self.unit in SECONDS:
            period = summary.get("clock_period_s")
            if not period:
                raise Error(f"{self.name} is in {self.unit}, and the experiment has no clock: set clock_period, such as 1ns")
            return float(period) / SECONDS[self.unit]
        if self.unit == "packets/node/cycle":
            return 1 / length_of(figure("traffic.length", {}, summary), self.name)
        return 1.0

    def of(self, summary: Mapping[str, Any]) -> Optional[float]:
        """Its value in a run; None where nothing came."""
        value = figure(self.path, {}, summary)
        return None if value is None else float(value) * self.factor(summary)


@dataclass
class Item:
    """One measured value."""

    figure: Figure
    value: float
    error: Optional[float]  #: one standard deviation; None: not said
    point: int
    where: str  #: file and line


@dataclass
class Data:
    """Points, which a run is made for, and what was measured there."""

    points: List[Dict[str, Any]] = field(default_factory=list)  #: by path the values of axes
    items: List[Item] = field(default_factory=list)
    notes: List[str] = field(default_factory=list)  #: what was left out, and why

    @property
    def axes(self) -> List[str]:
        return list(dict.fromkeys(path for point in self.points for path in point))

    @property
    def figures(self) -> List[Figure]:
        return list(dict.fromkeys(item.figure for item in self.items))

    def at(self, point: int) -> List[int]:
        """Numbers of the items of a point."""
        return [k for k, item in enumerate(self.items) if item.point == point]

    def add(self, axes: Mapping[str, Any], found: Sequence[Tuple[Figure, float, Optional[float]]], where: str) -> None:
        point = dict(axes)
        if point not in self.points:
            self.points.append(point)
        self.items += [Item(one, value, error, self.points.index(point), where) for one, value, error in found]

    def drop_saturated(self) -> None:
        """Leaves out latencies at loads that were not accepted: they depend on how long one measures."""
        for number, point in enumerate(self.points):
            load = point.get("traffic.load")
            accepted = [self.items[k] for k in self.at(number) if self.items[k].figure.path == "load.accepted" and not self.items[k].figure.unit]
            if not isinstance(load, (int, float)) or not accepted or not accepted[0].value < 0.95 * load - 3 * (accepted[0].error or 0):
                continue
            lost = [item for item in self.items if item.point == number and item.figure.is_latency]
            self.items = [item for item in self.items if item not in lost]
            if lost:
                self.notes.append(f"{lost[0].where}: latencies at load {load:g} are left out: {accepted[0].value:g} was accepted there, so "
                                  "that they grow with the time of measurement")


def length_of(given: Any, name: str) -> float:
    length = given.get("flits") if isinstance(given, Mapping) else given
    if not isinstance(length, (int, float)):
        raise Error(f"{name} is in packets, and traffic.length is no number of flits; write flits/node/cycle")
    return float(length)


def resolved(name: str) -> Optional[str]:
    """The path in summary.json of a figure; None: it is none."""
    return NAMES.get(name) or (name if name.startswith(PATHS) else None)


class Column(NamedTuple):
    kind: str  #: "figure", "axis", "error", "ci95", "status" or "" (nothing)
    name: str
    unit: str


def _column(text: str) -> Column:
    """What a column is, by its head: ``latency.mean [ns]``, ``accepted_error``, ``traffic.load``."""
    named = re.fullmatch(r"\s*(.*?)\s*(?:[\[(](.*)[\])])?\s*", text)
    name, unit = (named[1], (named[2] or "").strip()) if named else (text, "")
    if unit not in ("", "%", *UNITS):
        raise Error(f"column '{name}': unknown unit '{unit}'; there are {', '.join(UNITS)}")
    of_error = re.fullmatch(r"(.+?)[._ ](error|ci95)", name)
    if of_error and resolved(of_error[1]):
        return Column(of_error[2], of_error[1], unit)
    if resolved(name) and name not in OF_A_SWEEP:
        return Column("figure", name, unit)
    if name == "status" or name in OF_A_SWEEP:
        return Column("status" if name == "status" else "", name, unit)
    return Column("axis", AXES.get(name, name), unit)


def table(text: str, file: str, length: Any) -> Data:
    """Reads a table with commas, whose first line names the columns. ``length``: flits of a packet, where the table does not say."""
    rows = [(number, row) for number, row in _rows(text, file) if row and not row[0].lstrip().startswith("#")]
    if len(rows) < 2:
        raise Error(f"{file}:1: no rows; the first line names the columns (load,latency.mean), others have values")
    (first, head), data = rows[0], Data()
    try:
        columns = [_column(name) for name in head]
    except Error as problem:
        raise Error(f"{file}:{first}: {problem}") from None
    if not any(c.kind == "figure" for c in columns):
        raise Error(f"{file}:{first}: no column is a figure; name one as results have it, such as latency.mean or accepted")
    for number, row in rows[1:]:
        if len(row) != len(columns):
            raise Error(f"{file}:{number}: {len(row)} fields, and the first line has {len(columns)}")
        try:
            axes, found = _row(columns, [cell.strip() for cell in row], length)
        except Error as problem:
            raise Error(f"{file}:{number}: {problem}") from None
        data.add(axes, found, f"{file}:{number}")
    return data


def _rows(text: str, file: str) -> List[Tuple[int, List[str]]]:
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        return [(reader.line_num, row) for row in reader]
    except csv.Error as problem:
        raise Error(f"{file}:{reader.line_num}: {problem}") from None


def _row(columns: Sequence[Column], cells: Sequence[str], length: Any) -> Tuple[Dict[str, Any], List[Tuple[Figure, float, Optional[float]]]]:
    axes = {c.name: native.parse(f"value: {cell}", c.name)["value"] for c, cell in zip(columns, cells) if c.kind == "axis"}
    for c in columns:
        if c.kind == "axis" and axes[c.name] in (None, ""):
            raise Error(f"column '{c.name}' is empty")
        if c.kind == "axis" and c.unit == "packets/node/cycle":
            axes[c.name] = float(axes[c.name]) * length_of(axes.get("traffic.length", length), c.name)
    saturated = any(c.kind == "status" and cell == "saturated" for c, cell in zip(columns, cells))
    errors = {resolved(c.name): _error(c, cell) for c, cell in zip(columns, cells) if c.kind in ("error", "ci95") and cell}
    found = []
    for c, cell in zip(columns, cells):
        one = Figure(c.name, str(resolved(c.name)), "" if c.unit in ("%", "cycles", "cycle", "flits/node/cycle") else c.unit)
        if c.kind != "figure" or not cell or saturated and one.is_latency:
            continue
        value, error = number(cell, c.name), errors.get(one.path)
        found.append((one, value, abs(value) * -error if error is not None and error < 0 else error))
    return axes, found


def _error(column: Column, cell: str) -> float:
    """One standard deviation; below 0 where it is a part of the value, as ``2%`` is."""
    part = cell.endswith("%") or column.unit == "%"
    value = number(cell.rstrip("% "), f"{column.name} {column.kind}") / (1.959964 if column.kind == "ci95" else 1.0)
    if value < 0:
        raise Error(f"column '{column.name} {column.kind}': an error is not below 0")
    return -value / 100 if part else value


def number(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise Error(f"'{text}' in column '{name}' is not a number") from None
    if not math.isfinite(value):
        raise Error(f"'{text}' in column '{name}' is not finite; leave the field empty where nothing was measured")
    return value


def read(files: Sequence[str], folder: Path, length: Any) -> Data:
    """All of these files: ``FILE``, or ``FILE@load=0.1,length=4`` for what a file does not say itself."""
    from . import simulators  # only where there is such a file
    whole = Data()
    for given in files:
        name, at, words = given.partition("@")
        extra = _conditions(words, given) if at else {}
        try:
            text = (folder / name).read_text()
        except (OSError, UnicodeDecodeError) as problem:
            raise Error(f"{name}: {getattr(problem, 'strerror', None) or 'is no text'}") from None
        reader = simulators.reader_of(text)
        one = reader(text, name, {**extra, **({"traffic.length": length} if "traffic.length" not in extra else {})}) if reader else \
            table(text, name, extra.get("traffic.length", length))
        whole.notes += one.notes
        for number_of, point in enumerate(one.points):
            for k in one.at(number_of):
                item = one.items[k]
                whole.add({**point, **extra}, [(item.figure, item.value, item.error)], item.where)
    whole.drop_saturated()
    if not whole.items:
        raise Error(f"{files[0].partition('@')[0]}:1: nothing was measured" + "".join(f"; {note}" for note in whole.notes[:1]))
    return whole


def _conditions(words: str, given: str) -> Dict[str, Any]:
    found = {}
    for word in words.split(","):
        path, equals, value = word.partition("=")
        if not path or not equals:
            raise Error(f"--to {given}: after @ write what all of the file was measured at, such as @load=0.1")
        found[AXES.get(path, path)] = plain(native.parse(f"value: {value}", f"--to {given}")["value"])
    return found


def name_of(point: Mapping[str, Any]) -> str:
    """Such as "load 0.1, pattern transpose"."""
    return ", ".join(f"{path.rsplit('.', 1)[-1]} {_short(value)}" for path, value in point.items()) or "the experiment as it is"


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(value.get("name") or json.dumps(value))
    return f"{value:.6g}" if isinstance(value, float) else str(value)
