# SPDX-License-Identifier: Apache-2.0
"""The clock period. abc sees the whole router at once there (scripts/dev/rtl-cost; its table for osu018 is docs/validation/rtl-cost.csv), not
part by part: paths cross parts."""
import csv
import json
from dataclasses import dataclass

import numpy as np

from ..rtl import ROOT, RTL, cost
from . import cache, synthesis
from .fit import product
from .liberty import Library
from .points import Router, both

TABLE = ROOT / "docs/validation/rtl-cost.csv"
PUBLISHED = "osu018_stdcells"
# Rows for the factor between libraries: small ones, for they are synthesized.
SCALED_BY = ("1 VC", "2 VCs", "3 ports: of a ring, dateline")
# Of every router: requests of ports, a tree over VCs, what has the VCs in a row, and all input VCs.
BASE = ("1", "ports", "log2(vcs)", "vcs", "ports*vcs")
# What makes the path longer or shorter: the parameters of sare_router that say so, and by which products of parameters it grows.
OPTIONS = {
    "speculative": (dict(Speculative=1), "ports log2(vcs)"), "lookahead": (dict(Lookahead=1), "log2(vcs)"),
    "cut_through": (dict(Switching=1), "1"), "output_first": (dict(SaAllocator=1), "ports"),
    "wavefront": (dict(SaAllocator=2), "ports vcs"), "va_wavefront": (dict(VaAllocator=2), "1"),
    "sa_matrix": (dict(SaArbiter=1), "ports"), "matrix": (dict(VaArbiter=1, SaArbiter=1), "1"),
    "gated": (dict(ClockGating=1), "1"),  # no multiplexer before a flip-flop
    "gated_ring": (dict(ClockGating=1, Ring=True), "1"),
}
COLUMNS = [(option, product) for option, (_, products) in OPTIONS.items() for product in products.split()]
# Another path where clocks are gated: to the gate of a place of a buffer. Of one VC, whose allocators are short, it is the longest.
GATE = ("1", "ports")
# Entries: for which settings, with which of the options; each again for gated clocks. Of those that hold a router has the longest.
NOT_MATRIX = ["age", "fifo", "fixed", "longest", "priority", "random", "round_robin", "weighted"]
ENTRIES = [
    (dict(sa_arbiter=NOT_MATRIX), []), (dict(sa_arbiter="matrix", va_arbiter=NOT_MATRIX), ["sa_matrix"]),
    (dict(va_arbiter="matrix", sa_arbiter="matrix"), ["sa_matrix", "matrix"]), (dict(speculative=True), ["speculative"]),
    (dict(lookahead=True), ["lookahead"]), (dict(switching="cut_through"), ["cut_through"]), (dict(sa_allocator="output_first"), ["output_first"]),
    (dict(sa_allocator="wavefront"), ["wavefront"]), (dict(va_allocator="wavefront"), ["wavefront", "va_wavefront"]),
]
CLOCKS = [(dict(clock_gating=False), []), (dict(clock_gating=True, wraps=False), ["gated"]),
          (dict(clock_gating=True, wraps=True), ["gated", "gated_ring"])]
# Beside those that have validated an earlier table: what these lack.
MORE = [
    # Gated clocks.
    Router("mesh", 1, 4, 16, clock_gating=True), Router("line", 3, 2, 24, clock_gating=True), Router("line", 1, 7, 24, clock_gating=True),
    Router("line", 2, 3, 32, clock_gating=True),
    # One VC without gated clocks, four and six ports, each option at several ports and VCs.
    Router("line", 1, 4, 32), Router("ring2", 3, 3, 16), Router("mesh2", 1, 3, 24), Router("cube", 1, 3, 24),
    Router("line", 1, 4, 24, speculative=True), Router("line", 1, 5, 24, switching="cut_through"),
    Router("line", 1, 3, 32, lookahead=True), Router("line", 1, 4, 24, **both("output_first")),
    Router("line", 1, 6, 16, sa_allocator="wavefront"), Router("line", 1, 5, 32, sa_arbiter="matrix"), Router("mesh2", 2, 3, 24),
    Router("ring2", 3, 4, 16, lookahead=True), Router("ring2", 3, 3, 24, speculative=True), Router("mesh", 1, 4, 24, speculative=True),
    Router("cube", 1, 4, 16, switching="cut_through"), Router("ring2", 4, 3, 16, switching="cut_through"),
    Router("torus", 2, 3, 24, speculative=True), Router("cube", 1, 3, 16, sa_allocator="wavefront"),
    Router("mesh2", 2, 2, 16, **both("output_first")), Router("line", 5, 3, 24, sa_arbiter="matrix"),
    Router("mesh", 3, 3, 16, sa_arbiter="matrix"), Router("line", 3, 3, 16, clock_gating=True),
]
# Rows of rtl-cost that a table of costs does not cover.
OTHERS = ("RcDelay", "VaDelay", "SaDelay", "InputRegister", "Reallocation", "Routing", "MemoryBuffers")


def published() -> dict[str, float]:
    """ns by row of the table."""
    with open(TABLE, encoding="utf-8") as file:
        return {row["router"]: float(row["longest_path_ns"]) for row in csv.DictReader(file)}


@dataclass
class Periods:
    """Entries of a table."""
    entries: list[dict]
    error: float


def recipe() -> str:
    """The same in every checkout, for every library."""
    return cost.script("", "", "library").replace(str(RTL), "") + cost.TIMING


def synthesized(row: tuple[str, dict], library: Library) -> float:
    """Returns ns of a row of routers: its name and parameters."""
    return cost.period(row, library.path, library.driver(), synthesis.latch(library))


def of_router(router: Router, library: Library) -> float:
    """ns, of one router by the same synthesis; half a minute of a core, unless it is kept."""
    kept = cache.folder() / f"{cache.key_of(router.key(), library.key, recipe(), synthesis.rtl_text())}.period.json"
    if not kept.exists():
        kept.write_text(json.dumps(synthesized((str(router), router.parameters()), library)))
    return json.loads(kept.read_text())


def scale_of(library: Library) -> float:
    """Of this library's periods to the published ones."""
    if library.name == PUBLISHED:
        return 1.0
    known = published()
    kept = cache.folder() / f"{cache.key_of(library.key, recipe(), synthesis.rtl_text(), *SCALED_BY)}.periods.json"
    if not kept.exists():
        kept.write_text(json.dumps({row[0]: synthesized(row, library) for row in cost.ROWS if row[0] in SCALED_BY}))
    ratios = [period / known[row] for row, period in json.loads(kept.read_text()).items()]
    return float(np.exp(np.mean(np.log(ratios))))


def rows_of(library: Library, routers: list[Router]) -> tuple[list[dict], np.ndarray]:
    """Parameters and ns: of the published table, and of routers that are synthesized."""
    known, scale = published(), scale_of(library)
    rows = [(p, known[name] * scale) for name, p in cost.ROWS if not any(o in p for o in OTHERS)]
    rows += [(r.parameters(), of_router(r, library)) for r in routers]
    return [{**cost.BASE, **p} for p, _ in rows], np.array([ns for _, ns in rows])


def setting_of(row: dict) -> dict:
    return dict(ports=row["Ports"], vcs=row["Vcs"])


def columns(row: dict) -> list[float]:
    setting, row = setting_of(row), {**row, "Ring": bool(row.get("Wrap"))}
    return [product(p, setting) for p in BASE] + [
        product(p, setting) * all(row.get(k, 0) == v for k, v in OPTIONS[option][0].items()) for option, p in COLUMNS]


def gate_columns(row: dict) -> list[float]:
    return [product(p, setting_of(row)) for p in GATE]


def solved(rows: list[dict], ns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients of the least relative errors: of the path through the allocators, and of that to a gate."""
    def least(of, some: np.ndarray) -> np.ndarray:
        a = np.array([of(row) for row in rows], float)[some]
        return np.linalg.lstsq(a / ns[some, None], np.ones(len(a)), rcond=None)[0]

    to_gate = np.array([bool(row.get("ClockGating")) and row["Vcs"] == 1 for row in rows])
    return least(columns, ~to_gate), least(gate_columns, to_gate)


def predicted(row: dict, paths: tuple[np.ndarray, np.ndarray]) -> float:
    allocated = float(np.dot(columns(row), paths[0]))
    return max(allocated, float(np.dot(gate_columns(row), paths[1]))) if row.get("ClockGating") else allocated


def left_out(library: Library, routers: list[Router]) -> list[tuple[dict, float]]:
    """Of each row in turn that is not the only one with an option, by the others: how far the prediction is off."""
    rows, ns = rows_of(library, routers)
    having = np.count_nonzero([columns(p) for p in rows], axis=0)
    found = []
    for k, row in enumerate(rows):
        if not any(c and n == 1 for c, n in zip(columns(row), having)):
            paths = solved(rows[:k] + rows[k + 1:], np.delete(ns, k))
            found.append((row, float(predicted(row, paths) / ns[k] - 1)))
    return found


def rounded(terms: dict[str, float]) -> dict[str, float]:
    return {p: float(f"{c:.4g}") for p, c in terms.items()}


def fit(library: Library, routers: list[Router]) -> Periods:
    rows, ns = rows_of(library, routers)
    paths = solved(rows, ns)
    error = round(float(np.sqrt(np.mean([(predicted(p, paths) / n - 1) ** 2 for p, n in zip(rows, ns)]))), 3)
    base, longer = dict(zip(BASE, paths[0])), list(zip(COLUMNS, paths[0][len(BASE):]))
    found = []
    for clock, of_clock in CLOCKS:
        for when, options in ENTRIES:
            terms = dict(base)
            for (option, p), c in longer:
                terms[p] += c * (option in options + of_clock)
            found.append({"when": {**when, **clock}, "terms": rounded(terms), "error": error})
    found.append({"when": {"clock_gating": True}, "terms": rounded(dict(zip(GATE, paths[1]))), "error": error})
    return Periods(found, error)


def scaled(entries: list[dict], library: Library) -> list[dict]:
    """Of another library."""
    scale = scale_of(library)
    return [{**e, "terms": rounded({p: c * scale for p, c in e["terms"].items()})} for e in entries]
