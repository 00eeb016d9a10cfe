# SPDX-License-Identifier: Apache-2.0
"""Costs of input buffers that are memories, from the Liberty files of memories: one for each input port, with a word for each place of its
VCs. The files of bsg_fakeram have the figures of CACTI for memories of one port (its energy of a write for every access)."""
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterator, Optional

import numpy as np

from .liberty import Group, Source, Units, Wrong, leakage_of, numbers, sources
from .table import rounded

WHEN = {"memory_buffers": True}
LEAST = 4  # memories that a fit needs


@dataclass
class Memory:
    """A macro: words of `bits` each; pJ of an access, uW, um^2, ns of a cycle; one port for reads and writes, or one of each."""
    name: str
    words: int
    bits: int
    energy: float
    leakage: float
    area: float
    period: float
    one_port: bool


def _of_cells(m: Memory) -> list[float]:
    return [1, m.bits, m.words * m.bits]


# By kind of cost, a figure of Memory: the terms of a memory, and what they are in an entry of a router.
FORMS: dict[str, tuple[Callable[[Memory], list[float]], list[str]]] = {
    "energy": (_of_cells, ["1", "word_bits", "words*word_bits"]),
    "leakage": (_of_cells, ["ports", "ports*word_bits", "ports*words*word_bits"]),
    "area": (_of_cells, ["ports", "ports*word_bits", "ports*words*word_bits"]),
    "period": (lambda m: [1, np.log2(m.words)], ["1", "log2(words)"]),
}


def read(files: list[Source]) -> list[Memory]:
    """All memories of these files, enough of them for a fit."""
    found = [memory for source in files for memory in _of_file(source)]
    if len(found) < LEAST:
        raise Wrong(f"{len(found)} memories (cells with a group `memory ()`) are too few for a fit; give {LEAST} or more, of several sizes")
    for what in ("energy", "leakage"):
        if len({getattr(m, what) for m in found}) == 1:
            raise Wrong(f"all {len(found)} memories have the same {what}, {getattr(found[0], what):.4g} {'pJ' if what == 'energy' else 'uW'}: "
                        "such figures are placeholders")
    if np.linalg.matrix_rank(np.array([_of_cells(m) for m in found])) < 3 or len({m.words for m in found}) < 2:
        raise Wrong("the memories have too few sizes to tell what a word costs from what its bits do; give some with other words and other bits")
    return found


def _of_file(source: Source) -> list[Memory]:
    try:
        units = Units(source.top)
        sizes = [(cell, cell.of("memory")[0]) for cell in source.top.of("cell") if cell.of("memory")]
        return [_memory(cell, size, units) for cell, size in sizes if size.values.get("type", "ram") == "ram"]
    except (Wrong, IndexError, KeyError, ValueError) as problem:
        raise Wrong(f"{source.path}: {problem}") from None


def _memory(cell: Group, size: Group, units: Units) -> Memory:
    clocks = [pin for pin in _within(cell, "pin") if pin.values.get("clock") == "true"]
    if not any(clock.of("internal_power") for clock in clocks):
        raise Wrong(f"memory {cell.name} has no pin with `clock : true` and its internal_power")
    energy = max(_access(power) for clock in clocks for power in clock.of("internal_power"))
    ports = [{g.values.get("address") for g in _within(cell, f"memory_{what}")} for what in ("read", "write")]
    return Memory(cell.name, 1 << int(_figure(cell, size, "address_width")), int(_figure(cell, size, "word_width")),
                  _positive(cell, "internal_power of the clock", energy * units.energy),
                  _positive(cell, "leakage", leakage_of(cell) * units.leakage * 1e-3), _figure(cell, cell, "area"),
                  max(_figure(cell, clocks[0], "min_period"), _delay(cell)) * units.time, bool(ports[0]) and ports[0] == ports[1])


def _within(group: Group, kind: str) -> Iterator[Group]:
    """Groups of a kind, at any depth."""
    for inner in group.groups:
        if inner.kind == kind:
            yield inner
        yield from _within(inner, kind)


def _mean(table: Group) -> float:
    if "values" not in table.lists:
        raise Wrong(f"a table `{table.kind}` has no `values`")
    return float(numbers(table.lists["values"]).mean())


def _access(power: Group) -> float:
    """Energy of a cycle of the clock under one condition: of both edges, where generators write that of a cycle to each, of one."""
    edges = [_mean(table) for table in power.groups if table.kind in ("power", "rise_power", "fall_power")]
    return edges[0] if len(set(edges)) == 1 else sum(edges)


def _delay(cell: Group) -> float:
    """From the clock to the word that is read; 0 where the file does not say."""
    tables = [t for timing in _within(cell, "timing") for t in timing.groups if t.kind in ("cell_rise", "cell_fall")]
    return max(map(_mean, tables), default=0.0)


def _figure(cell: Group, of: Group, key: str) -> float:
    if key not in of.values:
        raise Wrong(f"memory {cell.name} has no `{key}`")
    return _positive(cell, key, of.number(key))


def _positive(cell: Group, what: str, value: float) -> float:
    if not value > 0:
        raise Wrong(f"memory {cell.name}: {what} is {value:g}; it must be above 0")
    return value


def fit(memories: list[Memory], kind: str) -> tuple[dict[str, float], list[float]]:
    """Coefficients by product of a router's parameters, none below 0, and the relative errors: the mean and the worst."""
    from scipy.optimize import nnls
    terms, products = FORMS[kind]
    rows = np.array([[x / getattr(m, kind) for x in terms(m)] for m in memories])  # relative errors
    found, _ = nnls(rows, np.ones(len(memories)))
    errors = np.abs(rows @ found - 1)
    return {p: rounded(c) for p, c in zip(products, found) if c > 0}, [float(f"{x:.2g}") for x in (errors.mean(), errors.max())]


def without(table: dict) -> dict:
    """The table without memories: without the entries that ask for their words, and the ranges of these."""
    router = {kind: [e for e in entries if not any("word" in product for product in e["terms"])] if isinstance(entries, list) else entries
              for kind, entries in table["router"].items()}
    ranges = {key: ends for key, ends in table["applies"]["ranges"].items() if key not in ("words", "word_bits")}
    return {**table, "made": {k: v for k, v in table["made"].items() if k != "memories"},
            "applies": {**table["applies"], "ranges": ranges}, "router": router}


def added(table: dict, paths: list[Path], by: Optional[str], corner: Optional[str] = None) -> dict:
    """The table with entries for these memories in place of those that it had; what the other entries say of such buffers, pointers and
    all, stays."""
    table = without(table)
    files = sources(sorted(paths), corner)
    _, volts, _ = files[0].at(corner or files[0].corner)
    if volts != (ours := table["made"].get("voltage", volts)):
        raise Wrong(f"{files[0].path} is of {volts:g} V, and the table {table['name']} of {ours:g} V; give memories of the same voltage")
    memories = read(files)
    fits = {kind: fit(memories, kind) for kind in FORMS}
    terms = {kind: coefficients for kind, (coefficients, _) in fits.items()}
    router = table["router"]  # a copy: without() made it
    router["energy"] += [{"component": "buffers", "event": event, "when": WHEN, "terms": terms["energy"]} for event in ("buffer_write", "buffer_read")]
    for kind in ("leakage", "area"):
        router[kind].append({"component": "buffers", "when": WHEN, "terms": terms[kind]})
    router["period"].append({"when": WHEN, "terms": terms["period"]})
    ranges = {"words": _span([m.words for m in memories]), "word_bits": _span([m.bits for m in memories])}  # beyond them results are extrapolated
    said = {"by": by, "cells": [m.name for m in memories], "sha256": hashlib.sha256("".join(s.digest for s in files).encode()).hexdigest(),
            "ports": 1 if any(m.one_port for m in memories) else 2, "errors": {kind: errors for kind, (_, errors) in fits.items()}}
    return {**table, "made": {**table["made"], "memories": {k: v for k, v in said.items() if v}},
            "applies": {**table["applies"], "ranges": {**table["applies"]["ranges"], **ranges}}, "router": router}


def _span(values: list[int]) -> list[int]:
    return [min(values), max(values)]
