# SPDX-License-Identifier: Apache-2.0
"""Costs of input buffers that are memories, from the Liberty files of memories: one for each input port, a word for each place of its
VCs. The files of bsg_fakeram and FakeRAM2.0 have the figures of CACTI; those of a memory compiler do as well."""
import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

import numpy as np

from .liberty import Group, Source, Units, Wrong, leakage_of, numbers

WHEN = {"memory_buffers": True}
LEAST = 4  # memories that a fit needs


@dataclass
class Memory:
    """A macro: words of `bits` each; pJ of an access, uW, um^2, ns of a cycle."""
    name: str
    words: int
    bits: int
    energy: float
    leakage: float
    area: float
    period: float


# By kind of cost: what it is of, the terms of a memory of `words` words of `bits`, and what they are in an entry of a router.
FORMS: dict[str, tuple[Callable[[Memory], float], Callable[[Memory], list[float]], list[str]]] = {
    "energy": (lambda m: m.energy, lambda m: [1, m.bits, m.words * m.bits], ["1", "width", "vcs*depth*width"]),
    "leakage": (lambda m: m.leakage, lambda m: [1, m.bits, m.words * m.bits], ["ports", "ports*width", "ports*vcs*depth*width"]),
    "area": (lambda m: m.area, lambda m: [1, m.bits, m.words * m.bits], ["ports", "ports*width", "ports*vcs*depth*width"]),
    "period": (lambda m: m.period, lambda m: [1, np.log2(m.words)], ["1", "log2(words)"]),
}


def read(paths: list[Path]) -> list[Memory]:
    """All memories of these files; of any corner, so that the caller names files of one."""
    found = [memory for path in paths for memory in _of_file(Source(path))]
    if len(found) < LEAST:
        raise Wrong(f"{len(found)} memories (cells with a group `memory ()`) are too few for a fit; give {LEAST} or more, of several sizes")
    return found


def _of_file(source: Source) -> list[Memory]:
    units = Units(source.top)
    return [_memory(cell, cell.of("memory")[0], units, source.path) for cell in source.top.of("cell") if cell.of("memory")]


def _memory(cell: Group, size: Group, units: Units, path: Path) -> Memory:
    clock: Optional[Group] = next((pin for pin in cell.of("pin") if pin.values.get("clock") == "true"), None)
    if clock is None or not clock.of("internal_power"):
        raise Wrong(f"{path}: memory {cell.name} has no pin with `clock : true` and its internal_power")
    # What an access takes is at an edge of the clock; generators write it to both.
    energy = max(float(numbers(table.lists["values"]).mean()) for power in clock.of("internal_power") for table in power.groups)
    return Memory(cell.name, 1 << int(size.number("address_width")), int(size.number("word_width")), energy * units.energy,
                  leakage_of(cell) * units.leakage * 1e-3, cell.number("area"), clock.number("min_period") * units.time)


def fit(memories: list[Memory], kind: str) -> tuple[dict[str, float], float]:
    """Coefficients by product of a router's parameters, none below 0, and the mean relative error."""
    from scipy.optimize import nnls
    of, terms, products = FORMS[kind]
    known = [m for m in memories if of(m) > 0]
    if not known:
        return {}, 0.0
    rows = np.array([[x / of(m) for x in terms(m)] for m in known])  # relative errors
    found, _ = nnls(rows, np.ones(len(known)))
    rounded = {p: float(f"{c:.4g}") for p, c in zip(products, found) if c > 0}
    if (of_words := rounded.pop("log2(words)", 0.0)) > 0:
        rounded |= {"log2(vcs)": of_words, "log2(depth)": of_words}
    return rounded, float(np.abs(rows @ found - 1).mean())


def added(table: dict, paths: list[Path], by: Optional[str]) -> dict:
    """The table with entries for memories; what the other entries say of such buffers, pointers and all, stays."""
    if "memories" in table["made"]:
        raise Wrong(f"the table {table['name']} has memories; begin with one that has none")
    memories = read(paths)
    terms, errors = {}, {}
    for kind in FORMS:
        terms[kind], errors[kind] = fit(memories, kind)
    router = {key: list(value) if isinstance(value, list) else value for key, value in table["router"].items()}
    entry = {"component": "buffers", "when": WHEN}
    router["energy"] += [{"component": "buffers", "event": event, "when": WHEN, "terms": terms["energy"]} for event in ("buffer_write", "buffer_read")]
    for kind in ("leakage", "area"):
        router[kind] += [{**entry, "terms": terms[kind]}] if terms[kind] else []
    router["period"] += [{"when": WHEN, "terms": terms["period"]}] if terms["period"] else []
    digest = hashlib.sha256("".join(Source(path).digest for path in paths).encode()).hexdigest()
    said = {"by": by, "files": len(paths), "sha256": digest, "words": _span([m.words for m in memories]), "bits": _span([m.bits for m in memories]),
            "errors": {kind: float(f"{error:.2g}") for kind, error in errors.items()}}
    ranges = {**table["applies"]["ranges"], "words": list(said["words"])}  # beyond them results are extrapolated
    return {**table, "made": {**table["made"], "memories": {k: v for k, v in said.items() if v}},
            "applies": {**table["applies"], "ranges": ranges}, "router": router}


def _span(values: list[int]) -> list[int]:
    return [min(values), max(values)]
