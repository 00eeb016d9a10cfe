# SPDX-License-Identifier: Apache-2.0
"""Which measurement would tell apart what the data do not: the settings that fit alike are run where nothing was measured."""
from __future__ import annotations

import itertools
import math
import statistics
from typing import Any, Dict, List, Mapping, Sequence, Tuple

from .data import Data, Figure, name_of
from .search import Search
from .settings import Setting, outcome
from .simulators import ACCEPTED, LATENCY
from .verdicts import representatives

PATTERNS = ("uniform", "transpose", "tornado", "complement")
MOST_BETWEEN = 3  # values between those that were measured
Row = Dict[str, Any]


def measurements(search: Search, region: Sequence[Setting], traffic: Mapping[str, Any]) -> List[Row]:
    """By parameter that is not identified the measurement that would tell most of its values apart; none where none would."""
    alike = representatives(search, region)
    if not alike:
        return []
    points = candidates(search.data, traffic)
    settings = list({one.index: one for some in alike.values() for one in some}.values())
    seen = search.look(settings, points)
    figures = list(dict.fromkeys([*(one for one in search.data.figures if not one.unit), LATENCY, ACCEPTED]))
    rows = []
    for path, some in alike.items():
        pairs = [(a, b) for a, b in itertools.combinations(some, 2)]
        tried = [_told(search, seen, pairs, point, one) + (point, one) for point in range(len(points)) for one in figures]
        told, least, point, one = max(tried, key=lambda t: t[:2]) if tried else (0, 0.0, 0, LATENCY)
        row: Row = {"parameter": path, "measure": "", "told_apart": told, "of": len(pairs), "sigmas": least}
        if told:
            row["measure"] = f"{one.name} at {name_of(points[point])}"
            row["expected"] = "; ".join(f"{_value(seen, s, point, one):.4g} where {path} is {s.design[path]}" for s in some if (s.index, point) in seen)
        rows.append(row)
    return rows


def candidates(data: Data, traffic: Mapping[str, Any]) -> List[Dict[str, Any]]:
    """Points that were not measured: one axis is changed."""
    base = data.points[0]
    found: List[Dict[str, Any]] = []
    for path in dict.fromkeys([*data.axes, "traffic.load"]):
        given = [point[path] for point in data.points if path in point] or [traffic.get("load")]
        for value in _new(path, [v for v in given if v is not None]):
            if {**base, path: value} not in data.points + found:
                found.append({**base, path: value})
    return found


def _new(path: str, given: Sequence[Any]) -> List[Any]:
    if path == "traffic.pattern":
        return [name for name in PATTERNS if name not in (g.get("name") if isinstance(g, Mapping) else g for g in given)]
    if path == "seed" or not given or not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in given):
        return []
    values = sorted(set(given))
    low, high = values[0], values[-1]
    if path == "traffic.load":
        between = [(a + b) / 2 for a, b in zip(values, values[1:])]
        some = between[::max(1, -(-len(between) // MOST_BETWEEN))]
        return [float(f"{v:.3g}") for v in (low / 2, *some, 1.1 * high, 1.25 * high, 1.5 * high, 2 * high) if 0 < v <= 1]
    if all(isinstance(v, int) for v in values):
        return [v for v in (max(1, low // 2), (low + high) // 2, 2 * high) if v not in values]
    return [(a + b) / 2 for a, b in zip(values, values[1:])][:MOST_BETWEEN]


Seen = Mapping[Tuple[Tuple[int, ...], int], Mapping[str, Any]]


def _told(search: Search, seen: Seen, pairs: Sequence[Tuple[Setting, Setting]], point: int, one: Figure) -> Tuple[int, float]:
    """How many pairs a figure there would tell apart, and by how many standard deviations at least."""
    enough = math.sqrt(search.objective.stated_bound)
    sigmas = [_sigmas(search, seen.get((a.index, point)), seen.get((b.index, point)), one) for a, b in pairs]
    told = [s for s in sigmas if s > enough]
    return len(told), min(told, default=0.0)


def _sigmas(search: Search, a: Any, b: Any, one: Figure) -> float:
    if a is None or b is None or one.is_latency and "saturated" in (a["status"], b["status"]):
        return 0.0
    two = [outcome([one], summary) for summary in (a, b)]
    if any(o.variances[0] is None for o in two):
        return 0.0
    items = [item for item in search.data.items if item.figure == one] or search.data.items
    share = statistics.median(search.objective.error(item) / abs(item.value) if item.value else 0.0 for item in items)
    low, high = sorted(o.values[0] for o in two)
    noise = math.sqrt((share * high) ** 2 + sum(o.variances[0] or 0.0 for o in two))
    return (high - low) / noise if noise > 0 else 0.0


def _value(seen: Seen, setting: Setting, point: int, one: Figure) -> float:
    return outcome([one], seen[setting.index, point]).values[0]
