# SPDX-License-Identifier: Apache-2.0
"""Coefficients of terms from what was measured: least squares of relative errors, no cost below 0."""
import math
import re
from dataclasses import dataclass
from typing import Optional

import numpy as np

from .form import Term, area_terms, energy_terms
from .rows import Built, Row, dynamic

# Of the scaled columns: what the data do not tell apart is shared out. With each router left out in turn, energies are predicted
# as well by three times as much; clock and area are counts of flip-flops, nearly.
RIDGE, LITTLE = 0.003, 1e-4
# Ridge of terms that are drawn to another table's: with each router left out in turn, a third and three times as much predict as well.
DRAWN = 0.3


def steps(places: int) -> list[tuple[int, int]]:
    """Of the counter that goes round so many places: from and to."""
    return [(k, (k + 1) % places) for k in range(places)]


def levels(places: int) -> list[int]:
    """Multiplexers of a tree of so many places by level, from the leaves; what has no neighbour needs none."""
    found = []
    while places > 1:
        found.append(places // 2)
        places -= places // 2
    return found


def mux_selects(places: float) -> float:
    """Multiplexers whose select changes in a step."""
    n = int(places)
    return sum(m for a, b in steps(n) for k, m in enumerate(levels(n)) if (a ^ b) >> k & 1) / n


def mux_outputs(places: float) -> float:
    """Multiplexers whose output is another place's after a step: those of a level from which on a select changes."""
    n = int(places)
    return sum(m for a, b in steps(n) for k, m in enumerate(levels(n)) if (a ^ b) & (2 << k) - 1) / n


def bits(most: float) -> int:
    """Of a counter that goes up to that."""
    return int(most).bit_length()


def clog2(count: float) -> int:
    """Bits of a number that tells so many things apart."""
    return bits(count - 1)


def flips(most: float) -> int:
    """Bits of a counter that change from there to one less: of a full buffer's credits, when one is spent."""
    return bits(int(most) ^ (int(most) - 1))


FUNCTIONS = {None: float, "log2": math.log2, "bits": bits, "clog2": clog2, "flips": flips,
             "mux_selects": mux_selects, "mux_outputs": mux_outputs}


def product(text: str, setting: dict) -> float:
    """Such as `ports^2*vcs` or `width*log2(depth)`."""
    value = 1.0
    for factor in text.split("*"):
        function, name, power = re.fullmatch(r"(?:(\w+)\()?(\w+)\)?(?:\^(\d))?", factor).groups()
        value *= FUNCTIONS[function](float(setting[name]) if not name.isdigit() else float(name)) ** int(power or 1)
    return value


def holds(term: Term, setting: dict) -> bool:
    return all(setting[key] == value for key, value in term.when)


def count(term: Term, row: Row) -> float:
    """Events, or bits that toggle in them."""
    events = row.events[term.event]
    return events * row.setting["width"] * row.activity if term.per == "bit" else events


def value_of(term: Term, setting: dict) -> float:
    return product(term.product, setting) if holds(term, setting) else 0.0


def nonnegative(a: np.ndarray, b: np.ndarray, signed: np.ndarray, ridge: float = LITTLE, toward: Optional[np.ndarray] = None) -> np.ndarray:
    """x of the least |ax - b|, of which only `signed` ones may be below 0 (Lawson and Hanson's active sets). What the rows do not
    tell is 0, or as in `toward`."""
    scale = np.linalg.norm(a, axis=0)
    used = np.flatnonzero(scale > 0)
    x = np.zeros(a.shape[1]) if toward is None else toward.copy()
    if not len(used):
        return x
    m = np.vstack([a[:, used] / scale[used], math.sqrt(ridge) * np.eye(len(used))])
    y, free = np.concatenate([b, math.sqrt(ridge) * scale[used] * x[used]]), signed[used].copy()
    gram, right = m.T @ m, m.T @ y
    part = np.zeros(len(used))

    def solve(on: np.ndarray) -> np.ndarray:
        s = np.zeros(len(used))
        k = np.flatnonzero(on)
        s[k] = np.linalg.solve(gram[np.ix_(k, k)], right[k])
        return s

    on = free.copy()
    if on.any():
        part = solve(on)
    for _ in range(10 * len(used)):
        gain = np.where(on, -np.inf, right - gram @ part)
        k = int(np.argmax(gain))
        if not gain[k] > 1e-9:
            break
        on[k] = True
        while True:
            s = solve(on)
            bad = on & ~free & (s <= 0)
            if not bad.any():
                part = s
                break
            step = min(part[i] / (part[i] - s[i]) for i in np.flatnonzero(bad) if part[i] != s[i]) if (part != s)[bad].any() else 0.0
            part = part + step * (s - part)
            on &= ~(bad & (part <= 1e-12))
            part[~on] = 0.0
    x[used] = part / scale[used]
    return x


@dataclass
class Fitted:
    """Terms with their coefficients, and the relative error of each component, root mean square."""
    terms: list[Term]
    coefficients: np.ndarray
    errors: dict[str, float]

    def of(self, component: str) -> list[tuple[Term, float]]:
        return [(t, c) for t, c in zip(self.terms, self.coefficients) if t.component == component and c != 0]


def solve_component(terms: list[Term], a: np.ndarray, b: np.ndarray, weight: np.ndarray, ridge: float,
                    toward: Optional[np.ndarray] = None) -> tuple[np.ndarray, float]:
    signed = np.array([t.signed for t in terms])
    x = nonnegative(a * weight[:, None], b * weight, signed, ridge, toward)
    seen = b > 0
    return x, float(np.sqrt(np.mean((a @ x / np.where(seen, b, 1) - 1)[seen] ** 2))) if seen.any() else 0.0


def _fit(terms: list[Term], matrix, target, weight, built: bool, base: Optional[Fitted]) -> Fitted:
    """`matrix(term)` is its column, `target(component)` and `weight(component)` are of the rows. With `base` its terms are taken, each
    drawn to its coefficient times the factor that fits its component best."""
    terms = base.terms if base else terms
    coefficients, errors = np.zeros(len(terms)), {}
    for component in dict.fromkeys(t.component for t in terms):
        at = [k for k, t in enumerate(terms) if t.component == component]
        a, b, by = np.array([matrix(terms[k]) for k in at]).T, target(component), weight(component)
        toward = base.coefficients[at] * scale_of(a @ base.coefficients[at] * by, b * by) if base else None
        ridge = DRAWN if base else LITTLE if built or component == "clock" else RIDGE
        coefficients[at], errors[component] = solve_component([terms[k] for k in at], a, b, by, ridge, toward)
    return Fitted(terms, coefficients, errors)


def scale_of(a: np.ndarray, b: np.ndarray) -> float:
    """x of the least |ax - b|; 1 where a is 0."""
    return float(a @ b / (a @ a)) if a @ a > 0 else 1.0


def column(term: Term, rows: list[Row]) -> np.ndarray:
    return np.array([value_of(term, r.setting) * count(term, r) if holds(term, r.setting) else 0.0 for r in rows])


def fit_energy(rows: list[Row], base: Optional[Fitted] = None) -> Fitted:
    """Errors count by their part of the dynamic energy of the router, those of the clock by themselves."""
    whole = np.array([1 / max(dynamic(r.energy), 1e-9) for r in rows])

    def weight(component: str) -> np.ndarray:
        if component != "clock":
            return whole
        return np.array([1 / max(r.energy["clock"], 1e-9) for r in rows])

    return _fit(energy_terms(), lambda t: column(t, rows), lambda c: np.array([r.energy.get(c, 0.0) for r in rows]), weight, False, base)


def left_out(routers: list[list[Row]], groups: list) -> np.ndarray:
    """How far the dynamic energy of each row is off, by the fit to the routers of all groups but its own."""
    rows, of = [r for one in routers for r in one], np.repeat(groups, [len(one) for one in routers])
    whole, off = 1 / np.array([dynamic(r.energy) for r in rows]), np.zeros(len(rows))
    terms = [t for t in energy_terms() if t.component != "clock"]
    for component in dict.fromkeys(t.component for t in terms):
        some = [t for t in terms if t.component == component]
        signed = np.array([t.signed for t in some])
        a = np.array([column(t, rows) for t in some]).T * whole[:, None]
        b = np.array([r.energy.get(component, 0.0) for r in rows]) * whole
        for group in dict.fromkeys(groups):
            own = of == group
            off[own] += a[own] @ nonnegative(a[~own], b[~own], signed, RIDGE) - b[own]
    return off


def fit_built(built: list[Built], what: str, base: Optional[Fitted] = None) -> Fitted:
    """Of `area` or `leakage`."""
    whole = np.array([1 / sum(getattr(b, what).values()) for b in built])
    return _fit(area_terms(), lambda t: np.array([value_of(t, b.setting) for b in built]),
                lambda c: np.array([getattr(b, what).get(c, 0.0) for b in built]), lambda c: whole, True, base)


def predicted(f: Fitted, setting: dict, events: dict[str, float], activity: float) -> dict[str, float]:
    """pJ by component."""
    found: dict[str, float] = {}
    for t, c in zip(f.terms, f.coefficients):
        if c != 0 and holds(t, setting):
            bits = setting["width"] * activity if t.per == "bit" else 1.0
            found[t.component] = found.get(t.component, 0.0) + c * product(t.product, setting) * events[t.event] * bits
    return found
