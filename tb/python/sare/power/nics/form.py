# SPDX-License-Identifier: Apache-2.0
"""The physical form of the costs of a NIC, as form.py has it of a router, and their fit."""
import numpy as np

from ..energy import CLOCK
from ..fit import LITTLE, RIDGE, Fitted, count, product, solve_component, value_of
from ..form import AHEAD, CUT, ONE_VC, WRAPS, Term
from ..rows import Built, Row

NICS = "nics"
ENERGY = {
    ("inject", "event"): "1 vcs width dims bits(depth) log2(vcs)", ("inject", "bit"): "1",
    ("inject_head", "event"): "1 vcs dims log2(vcs) bits(depth)", ("inject_burst", "event"): "1 width vcs dims",
    ("inject_burst", "bit"): "1", ("eject", "event"): "1 vcs log2(vcs) width", ("eject", "bit"): "1", ("eject_head", "event"): "1 vcs",
}
# Rings: ways of each dimension, and VCs that are allowed. Look-ahead: a route over the dimensions, with the VCs of rings, and registers
# for it. Cut-through: registers for the length, and its comparison with the credits of each VC.
ENERGY_OF_OPTIONS = {ONE_VC: {e: "1" for e in ("inject", "inject_head", "inject_burst")}, WRAPS: {"inject": "dims"},
                     AHEAD: {"inject": "1", "inject_head": "1"}, CUT: {"inject": "1 vcs"}}
BUILT_OF_OPTIONS = {WRAPS: "dims vcs", AHEAD: "dims ports", AHEAD + WRAPS: "vcs", CUT: "1 vcs*bits(depth)"}
CLOCK_OF_OPTIONS = {WRAPS: "dims", AHEAD: "1", AHEAD + WRAPS: "vcs", CUT: "1"}
PERIOD_OF_OPTIONS = {AHEAD: "dims", CUT: "1"}
CLOCKED = "1 width vcs dims vcs*bits(depth) clog2(vcs)"
BUILT = "1 width vcs dims vcs*bits(depth) clog2(vcs)"


def energy_terms() -> list[Term]:
    found = [Term(NICS, e, per, p) for (e, per), products in ENERGY.items() for p in products.split()]
    found += [Term(NICS, e, "event", p, when, True) for when, events in ENERGY_OF_OPTIONS.items() for e, products in events.items()
              for p in products.split()]
    found += [Term(CLOCK, "clock", "event", p) for p in CLOCKED.split()]
    return found + [Term(CLOCK, "clock", "event", p, when, True) for when, products in CLOCK_OF_OPTIONS.items() for p in products.split()]


def fit_energy(rows: list[Row]) -> Fitted:
    """Of a NIC, and of its clock, each by its own relative errors."""
    terms, coefficients, errors = energy_terms(), [], {}
    for component, ridge in ((NICS, RIDGE), (CLOCK, LITTLE)):
        of = [t for t in terms if t.component == component]
        seen = [r for r in rows if r.energy[component] > 0]
        b = np.array([r.energy[component] for r in seen])
        a = np.array([[value_of(t, r.setting) * count(t, r) for t in of] for r in seen])
        x, errors[component] = solve_component(of, a, b, 1 / b, ridge)
        coefficients += list(x)
    return Fitted(terms, np.array(coefficients), errors)


def fit_built(built: list[Built], what: str) -> Fitted:
    """Of `area` or `leakage`."""
    terms = [Term(NICS, "", "", p) for p in BUILT.split()]
    terms += [Term(NICS, "", "", p, when, True) for when, products in BUILT_OF_OPTIONS.items() for p in products.split()]
    b = np.array([getattr(x, what)[NICS] for x in built])
    a = np.array([[value_of(t, x.setting) for t in terms] for x in built])
    x, error = solve_component(terms, a, b, 1 / b, LITTLE)
    return Fitted(terms, x, {NICS: error})


def period(built: list[Built]) -> list[dict]:
    """Entries of ns: the next VC is the one that has credits, by a tree; then its credits are counted. Options come on top."""
    products = ("1", "log2(vcs)", "log2(depth)")
    a = np.array([[product(p, x.setting) for p in products] +
                  [product(p, x.setting) * all(x.setting[k] == v for k, v in o) for o, p in PERIOD_OF_OPTIONS.items()] for x in built])
    b = np.array([x.period for x in built])
    found = np.linalg.lstsq(a / b[:, None], np.ones(len(b)), rcond=None)[0]
    base, entries = dict(zip(products, map(float, found))), []
    for (option, p), longer in zip(PERIOD_OF_OPTIONS.items(), found[len(products):]):
        entries.append({"when": dict(option), "terms": {**base, p: base.get(p, 0.0) + float(longer)}})
    return [{"terms": base}] + entries
