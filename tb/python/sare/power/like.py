# SPDX-License-Identifier: Apache-2.0
"""A table for a library from that of another: what routers do is the same, so each component has a factor for what it spends
an event and one for bits, of a few routers in gates."""
import copy

import numpy as np

from .fit import nonnegative
from .points import Router, both
from .rows import Built, Row, dynamic
from .table import costs, energy, per, rounded

POINTS = [Router("mesh", 2, 4, 32), Router("line", 4, 2, 16), Router("line", 1, 8, 32), Router("line", 4, 4, 16, clock_gating=True),
          Router("mesh", 1, 4, 32), Router("line", 2, 4, 16, switching="cut_through"), Router("line", 2, 2, 16, **both("output_first")),
          Router("line", 1, 4, 64), Router("line", 1, 7, 24, clock_gating=True), Router("line", 2, 6, 24), Router("line", 4, 2, 64)]
KINDS = ("event", "bit")


def part_of(base: dict, kind: str) -> dict:
    """The table with the energies of that kind only."""
    return {"router": {"energy": [e for e in base["router"]["energy"] if per(e) == kind]}}


def energy_factors(base: dict, rows: list[Row]) -> dict[tuple[str, str], float]:
    """By component and kind; both of a component alike where the rows do not tell them apart."""
    parts = {kind: [energy(part_of(base, kind), r.setting, r.events, r.activity) for r in rows] for kind in KINDS}
    found = {}
    for component in {e["component"] for e in base["router"]["energy"]}:
        weight = np.array([1 / (r.energy["clock"] if component == "clock" else dynamic(r.energy)) for r in rows])
        a = np.array([[parts[kind][i].get(component, 0.0) for kind in KINDS] for i in range(len(rows))]) * weight[:, None]
        b = np.array([r.energy.get(component, 0.0) for r in rows]) * weight
        x = nonnegative(a, b, np.zeros(2, bool))
        whole = float(a.sum(axis=1) @ b / max(a.sum(axis=1) @ a.sum(axis=1), 1e-30))
        for kind, factor in zip(KINDS, x):
            found[component, kind] = float(factor) if factor > 0 else whole
    return found


def built_factors(base: dict, built: list[Built], what: str) -> dict[str, float]:
    found = {}
    for component in {e["component"] for e in base["router"][what]}:
        a = np.array([costs(base, what, b.setting, lambda e: 1.0).get(component, 0.0) for b in built])
        b = np.array([getattr(b, what).get(component, 0.0) for b in built])
        found[component] = float(a @ b / (a @ a)) if a @ a > 0 else 1.0
    ratios = [v for v in found.values() if v != 1.0]
    return {c: v if v != 1.0 else float(np.mean(ratios)) for c, v in found.items()}


def scaled(base: dict, built: list[Built], rows: list[Row]) -> dict:
    """The section `router`, without periods."""
    router = copy.deepcopy(base["router"])
    by_energy = energy_factors(base, rows)
    for e in router["energy"]:
        scale(e, by_energy[e["component"], per(e)])
    for what in ("area", "leakage"):
        factors = built_factors(base, built, what)
        for e in router[what]:
            scale(e, factors[e["component"]])
    for e in router["energy"]:
        if "error" in e:
            e["error"] = rounded(error_of(router, rows, e["component"]))
    return router


def scale(entry: dict, factor: float) -> None:
    entry["terms"] = {p: rounded(c * factor) for p, c in entry["terms"].items()}


def error_of(router: dict, rows: list[Row], component: str) -> float:
    pairs = [(energy({"router": router}, r.setting, r.events, r.activity).get(component, 0.0), r.energy.get(component, 0.0)) for r in rows]
    return float(np.sqrt(np.mean([(p / m - 1) ** 2 for p, m in pairs if m > 0] or [0.0])))
