# SPDX-License-Identifier: Apache-2.0
"""The clock period. abc sees the whole router at once there (scripts/rtl-cost; its table for osu018 is docs/validation/rtl-cost.csv), not
part by part: paths cross parts."""
import csv
import json
import math
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import numpy as np

from . import cache, synthesis
from .liberty import Library
from .points import Router

TABLE = Path(__file__).resolve().parents[2] / "docs/validation/rtl-cost.csv"
PUBLISHED = "osu018_stdcells"
# Rows for the factor between libraries: small ones, for they are synthesized.
SCALED_BY = ("1 VC", "2 VCs", "3 ports: of a ring, dateline")
# What lengthens the path, by the row that has it; and for which settings. Of these a router has the longest.
PATHS = [
    (dict(speculative=True), "speculative SA"), (dict(lookahead=True), "look-ahead"), (dict(switching="cut_through"), "cut-through"),
    (dict(sa_allocator="output_first"), "output-first allocators"), (dict(sa_allocator="wavefront"), "wavefront allocator in SA"),
    (dict(va_allocator="wavefront"), "wavefront allocators in VA and SA"),
    (dict(va_arbiter="matrix", sa_arbiter="matrix"), "matrix arbiters in VA and SA"),
]
OTHERS = ("RcDelay", "VaDelay", "SaDelay", "InputRegister", "Reallocation", "VaAllocator", "SaAllocator", "SaArbiter", "VaArbiter",
          "Speculative", "Lookahead", "Switching")
NOT_MATRIX = ["age", "fifo", "fixed", "longest", "priority", "random", "round_robin", "weighted"]


def rtl_cost() -> ModuleType:
    loader = SourceFileLoader("rtl_cost", str(Path(__file__).resolve().parents[1] / "rtl-cost"))
    module = module_from_spec(spec_from_loader("rtl_cost", loader))
    loader.exec_module(module)
    return module


def published() -> dict[str, float]:
    """ns by row of the table."""
    with open(TABLE, encoding="utf-8") as file:
        return {row["router"]: float(row["longest_path_ns"]) for row in csv.DictReader(file)}


@dataclass
class Periods:
    """Entries of a table."""
    entries: list[dict]
    error: float


def form_of(parameters: dict) -> list[float]:
    """Trees over the requests of all input VCs, and what has the VCs in a row. Apart, ports and VCs are overfitted: a row that
    is left out is 11.8% off at worst, and not 6.1%."""
    return [1.0, math.log2(parameters["Ports"] * parameters["Vcs"]), float(parameters["Vcs"])]


def of_router(router: Router, library: Library) -> float:
    """ns, of one router by the same synthesis; half a minute of a core, unless it is kept."""
    cost = rtl_cost()
    cost.LIBRARY = library.path
    kept = cache.folder() / f"{cache.key_of(router.key(), library.digest, cost.script('', ''), synthesis.rtl_text())}.period.json"
    if not kept.exists():
        kept.write_text(json.dumps(float(cost.cost((str(router), router.parameters()))[0][-1])))
    return json.loads(kept.read_text())


def scale_of(library: Library, cost: ModuleType) -> float:
    """Of this library's periods to the published ones."""
    if library.name == PUBLISHED:
        return 1.0
    known, cost.LIBRARY = published(), library.path
    kept = cache.folder() / f"{cache.key_of(library.digest, cost.__doc__, *SCALED_BY)}.periods.json"
    if not kept.exists():
        kept.write_text(json.dumps({row[0]: float(cost.cost(row)[0][-1]) for row in cost.ROWS if row[0] in SCALED_BY}))
    ratios = [period / known[row] for row, period in json.loads(kept.read_text()).items()]
    return float(np.exp(np.mean(np.log(ratios))))


def plain_rows(cost: ModuleType) -> list[str]:
    """Those without an option that lengthens the path."""
    return [name for name, parameters in cost.ROWS if not any(o in parameters for o in OTHERS)]


def deviations(rows: dict[str, dict], known: dict[str, float], by: list[str], of: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients of the least relative errors of the rows `by`, and what they predict `of` rows, relative."""
    a, b = np.array([form_of(rows[n]) for n in by]), np.array([known[n] for n in by])
    x = np.linalg.lstsq(a / b[:, None], np.ones(len(b)), rcond=None)[0]
    return x, np.array([np.dot(form_of(rows[n]), x) / known[n] - 1 for n in of])


def left_out() -> dict[str, float]:
    """Of each plain row in turn, by the others: how far the prediction is off."""
    cost, known = rtl_cost(), published()
    rows, plain = {name: {**cost.BASE, **parameters} for name, parameters in cost.ROWS}, plain_rows(cost)
    return {n: float(deviations(rows, known, [m for m in plain if m != n], [n])[1][0]) for n in plain}


def fit(library: Library) -> Periods:
    cost, known = rtl_cost(), published()
    rows, plain = {name: {**cost.BASE, **parameters} for name, parameters in cost.ROWS}, plain_rows(cost)
    x, off = deviations(rows, known, plain, plain)
    error = float(np.sqrt(np.mean(off ** 2)))
    scale = scale_of(library, cost)
    base = {"1": x[0], "log2(ports)": x[1], "log2(vcs)": x[1], "vcs": x[2]}

    def entry(when: dict, longer: float) -> dict:
        terms = {p: float(f"{c * scale:.4g}") for p, c in {**base, "1": base["1"] + longer}.items()}
        return {**({"when": when} if when else {}), "terms": terms, "error": round(error, 3)}

    found = [entry(dict(va_arbiter=NOT_MATRIX), 0.0), entry(dict(va_arbiter="matrix", sa_arbiter=NOT_MATRIX), 0.0)]
    for when, name in PATHS:
        found.append(entry(when, known[name] - float(np.dot(form_of(rows[name]), x))))
    return Periods(found, error)
