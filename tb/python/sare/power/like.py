# SPDX-License-Identifier: Apache-2.0
"""A table for a library from that of another: what routers do is the same, so a few routers in gates tell the factor of each component,
and where they tell more, that of a term."""
import copy

import numpy as np

from .fit import Fitted, fit_built, fit_energy
from .form import Term
from .points import Router, both
from .rows import Built, Row
from .table import entries, per

POINTS = [Router("mesh", 2, 4, 32), Router("line", 4, 2, 16), Router("line", 1, 8, 32), Router("line", 4, 4, 16, clock_gating=True),
          Router("mesh", 1, 4, 32), Router("line", 2, 4, 16, switching="cut_through"), Router("line", 2, 2, 16, **both("output_first")),
          Router("line", 1, 4, 64), Router("line", 1, 7, 24, clock_gating=True), Router("line", 2, 6, 24), Router("line", 4, 2, 64),
          # Clock gates and multiplexers of other depths, and a wavefront, spend otherwise in each library.
          Router("line", 1, 8, 32, clock_gating=True), Router("line", 3, 5, 16, clock_gating=True), Router("line", 1, 4, 32, sa_allocator="wavefront")]


def fitted(base: dict, what: str) -> Fitted:
    """The terms of a list of the table. Those below 0 may stay so."""
    found = [(Term(e["component"], e.get("event", ""), per(e), product, tuple(e.get("when", {}).items()), c < 0), c)
             for e in base["router"][what] for product, c in e["terms"].items()]
    return Fitted([t for t, _ in found], np.array([c for _, c in found]), {})


def scaled(base: dict, built: list[Built], rows: list[Row]) -> dict:
    """The section `router`, without periods."""
    router = copy.deepcopy(base["router"])
    router["energy"] = entries(fit_energy(rows, fitted(base, "energy")), "energy")
    for what in ("area", "leakage"):
        router[what] = entries(fit_built(built, what, fitted(base, what)), what)
    return router
