# SPDX-License-Identifier: Apache-2.0
"""The physical form of the costs of a bridge to AXI, and their fit: each end has coefficients of its own."""
import dataclasses
from dataclasses import dataclass, replace

import numpy as np

from .. import table
from ..energy import CLOCK
from ..fit import LITTLE, Fitted, count, product, solve_component, value_of
from ..form import Term
from ..rows import Built, Row
from .points import ENDS

BRIDGES = "bridges"
RANGES = ("width", "data_width", "id_width", "transactions", "beats")


@dataclass(frozen=True)
class Way:
    """What goes out of an end, or comes in: flits of a header, then flits of beats, of which a share is data."""
    event: str
    header: str
    share: str
    queued: bool  # in a queue of beats: each write reaches all places, and a tree of multiplexers reads them


WAYS = {"manager": (Way("inject", "request_flits", "write_fill", True), Way("eject", "response_flits", "read_fill", True)),
        "subordinate": (Way("inject", "response_flits", "read_fill", True), Way("eject", "request_flits", "write_fill", False))}
CLOCKED = ("1 id_width data_width data_width*beats beats transactions id_width*transactions clog2(transactions)", "id_width*beats width*{flits} width")
PERIOD = "1 log2(transactions) id_width log2(beats)"
# A manager's longest path is the search for an ID among those in use, which abc builds anew for each number of them: each has a
# constant of its own. Numbers that no row has go by PERIOD.
NUMBERS = range(1, 65)


def way_terms(end: str, way: Way) -> list[Term]:
    share = f"width*{way.share}"
    parts = way.share.replace("fill", "flits")
    found = [(way.event, "event", f"1 width width*{way.header}"), (f"{way.event}_beat", "event", f"1 {parts} {share}{f' {share}*beats' if way.queued else ''}"),
             (f"{way.event}_beat", "bit", f"{way.share}{f' {way.share}*beats' if way.queued else ''} {way.share}*{parts}"),
             (f"{way.event}_head", "event", f"1 {way.header} width*{way.header} id_width log2(transactions) id_width*log2(transactions) "
                                            f"{way.header}*log2(transactions)")]
    if way.event == "eject":  # what comes is put together in a register of a beat
        found += [(way.event, "event", "data_width"), (way.event, "bit", "1")]
    return [Term(BRIDGES, event, per, p, of_end(end)) for event, per, products in found for p in products.split()]


def with_beats(row: Row) -> Row:
    """With events of flits behind headers, as a model's run counts them."""
    events = dict(row.events)
    for way in WAYS[row.setting["end"]]:
        events[f"{way.event}_beat"] = max(0.0, events[way.event] - row.setting[way.header] * events[f"{way.event}_head"])
    return dataclasses.replace(row, events=events)


def of_end(end: str) -> tuple:
    return (("end", end),)


def energy_terms(end: str) -> list[Term]:
    found = [t for way in WAYS[end] for t in way_terms(end, way)]
    return found + [Term(BRIDGES, "inject_burst", "event", p, of_end(end)) for p in ("1", "width")]


def clocked_terms(end: str) -> list[Term]:
    """Registers: addresses, queues, IDs in use, and parts of a beat that comes in several flits."""
    flits = "read_flits" if end == "manager" else "write_flits"
    sure, signed = (products.format(flits=flits).split() for products in CLOCKED)
    return [Term(CLOCK, "clock", "event", p, of_end(end)) for p in sure] + [Term(CLOCK, "clock", "event", p, of_end(end), True) for p in signed]


def fit_energy(rows: list[Row]) -> Fitted:
    """Of a bridge, and of its clock, each by its own relative errors."""
    all_terms, coefficients, errors = [], [], {}
    for end in ENDS:
        for component, terms in ((BRIDGES, energy_terms(end)), (CLOCK, clocked_terms(end))):
            seen = [with_beats(r) for r in rows if r.energy[component] > 0 and r.setting["end"] == end]
            b = np.array([r.energy[component] for r in seen])
            a = np.array([[value_of(t, r.setting) * count(t, r) for t in terms] for r in seen])
            x, errors[f"{end}, {component}"] = solve_component(terms, a, b, 1 / b, LITTLE)
            all_terms += terms
            coefficients += list(x)
    return Fitted(all_terms, np.array(coefficients), errors)


def fit_built(built: list[Built], what: str) -> Fitted:
    """Of `area` or `leakage`."""
    terms, coefficients, errors = [], [], {}
    for end in ENDS:
        of = [replace(t, component=BRIDGES, event="", per="") for t in clocked_terms(end)]
        seen = [x for x in built if x.setting["end"] == end]
        b = np.array([getattr(x, what)[BRIDGES] for x in seen])
        a = np.array([[value_of(t, x.setting) for t in of] for x in seen])
        x, errors[end] = solve_component(of, a, b, 1 / b, LITTLE)
        terms += of
        coefficients += list(x)
    return Fitted(terms, np.array(coefficients), errors)


def period(built: list[Built]) -> list[dict]:
    """Entries of ns, of which one holds for each bridge."""
    entries = []
    for end in ENDS:
        seen = [x for x in built if x.setting["end"] == end]
        b = np.array([x.period for x in seen])
        terms = [Term(BRIDGES, "", "", p) for p in PERIOD.split()]
        a = np.array([[product(t.product, x.setting) for t in terms] for x in seen])
        found, _ = solve_component(terms, a, b, 1 / b, LITTLE)
        of_number = {n: np.mean([x.period for x in seen if x.setting["transactions"] == n])
                     for n in sorted({x.setting["transactions"] for x in seen})} if end == "manager" else {}
        others = {"transactions": [n for n in NUMBERS if n not in of_number]} if of_number else {}
        entries.append({"when": {"end": end, **others}, "terms": {t.product: table.rounded(c) for t, c in zip(terms, found) if c}})
        entries += [{"when": {"end": end, "transactions": n}, "terms": {"1": table.rounded(ns)}} for n, ns in of_number.items()]
    return entries


def section(built: list[Built], rows: list[Row]) -> dict:
    """Of a table. All of it is the bridge's, its clock, too."""
    fitted = fit_energy(rows)
    lists = {"energy": table.entries(fitted, "energy"),
             **{what: table.entries(fit_built(built, what), what) for what in ("leakage", "area")}}
    for each in lists.values():
        for e in each:
            e.pop("component")
            e.pop("error", None)
    ranges = {name: [min(x.setting[name] for x in built), max(x.setting[name] for x in built)] for name in RANGES}
    return {"ranges": ranges, **lists, "period": period(built)}
