# SPDX-License-Identifier: Apache-2.0
"""What a fit is worth: which parameters the data tell, which they do not, whether the model explains them, and where it does not."""
from __future__ import annotations

import itertools
import math
from typing import Any, Callable, Dict, List, Sequence, Set, Tuple

from ..errors import need
from .data import Data
from .search import Search
from .settings import Axis, Objective, Setting

IDENTIFIED, INTERVAL, UNKNOWN, UNDECIDED = "identified", "within an interval", "not identifiable", "undecided"
BAD = 0.001  # chance of a fit as bad, below which it is called bad
POOR = 0.05  # error taken from residuals, as a part of the figures, above which the model is called poor
MOST_RELATED = 4  # parameters whose sum is looked at
MOST_TOLD = 4  # pairs of values that do not fit together, of two parameters
Pair = Tuple[int, int]  # of parameters, or of their values


def parameters(search: Search, region: Sequence[Setting], fits: bool = True) -> List[Dict[str, Any]]:
    """A row for each parameter. ``fits``: the best setting explains the data; else values are only as bad as it, or worse."""
    joint = {n for pair, none in _excluded(search, region).items() if none for n in pair}
    return [_parameter(search, n, axis, region, n in joint, fits) for n, axis in enumerate(search.lattice.axes)]


def _parameter(search: Search, n: int, axis: Axis, region: Sequence[Setting], is_joint: bool, fits: bool) -> Dict[str, Any]:
    one_fits, some_fit, no_other = ("fits", "fit", "no other value fits") if fits else ("is as bad", "are as bad", "every other value is worse")
    at = sorted({one.index[n] for one in region})
    best, last = region[0].index[n], len(axis.values) - 1
    low, high = at[0], at[-1]
    if axis.is_real:  # what is beside the region is outside of it
        low, high = max(0, low - axis.stride), min(last, high + axis.stride)
    values = [axis.values[k] for k in at]
    if not search.is_whole:
        verdict, sentence = UNDECIDED, f"{_span(axis, values)} {some_fit}, and the search ended before all beside them was tried; give more --runs"
    elif axis.is_real:
        wide = high - low > last / 2 or low == 0 and high == last
        verdict = UNKNOWN if wide else INTERVAL
        sentence = f"{axis.values[low]:g} to {axis.values[high]:g}"
    elif len(at) == 1:
        verdict, sentence = IDENTIFIED, no_other
    else:
        verdict, sentence = UNKNOWN, f"any value {one_fits}" if len(at) == last + 1 else f"{_span(axis, values)} {some_fit}"
        sentence += ", but not with every value of the others" if is_joint else ""
    if axis.is_ordered and last > 0 and (best in (0, last) or axis.is_real and (low == 0 or high == last)):
        sentence += "; it is at the end of its range, and a wider one may fit better"
    return {"parameter": axis.path, "best": axis.values[best], "low": axis.values[low] if axis.is_ordered else "",
            "high": axis.values[high] if axis.is_ordered else "", "verdict": verdict, "why": sentence}


def _span(axis: Axis, values: Sequence[Any]) -> str:
    """Such as "2 to 5", or "2, 4 and 8"."""
    first = axis.values.index(values[0])
    if len(values) > 2 and axis.is_ordered and axis.values[first:first + len(values)] == list(values):
        return f"{values[0]} to {values[-1]}"
    return " and ".join(filter(None, (", ".join(map(str, values[:-1])), str(values[-1]))))


def relations(search: Search, region: Sequence[Setting]) -> List[str]:
    """What is known of several parameters together that is not known of each."""
    axes = search.lattice.axes
    told: Set[int] = set()
    found = []
    open_ = [n for n, axis in enumerate(axes) if len({one.index[n] for one in region}) > 1 and axis.is_ordered and not axis.is_real]
    forms: List[Tuple[str, int, Callable[..., float]]] = [(" + ", MOST_RELATED, lambda *v: float(sum(v))), (" - ", 2, lambda a, b: float(a - b)), (" * ", 2, lambda a, b: float(a * b))]
    for size in range(2, MOST_RELATED + 1):
        for some in itertools.combinations(open_, size):
            for sign, _, form in (one for one in forms if size <= one[1]):
                values = {form(*(axes[n].values[one.index[n]] for n in some)) for one in region}
                if len(values) == 1 and not told & set(some):
                    told |= set(some)
                    found.append(f"of {' and '.join(axes[n].path for n in some)} only {sign.join(axes[n].path for n in some)} = {values.pop():g} is known")
    return found + _exclusions(search, region, told)


def _excluded(search: Search, region: Sequence[Setting]) -> Dict[Pair, Set[Pair]]:
    """By two parameters that are not identified: values of them that fit, each with some other, and with which no setting that was tried fits."""
    axes = search.lattice.axes
    open_ = [n for n, axis in enumerate(axes) if not axis.is_real and len({one.index[n] for one in region}) > 1] if search.is_whole else []
    found = {}
    for m, n in itertools.combinations(open_, 2):
        tried, fit = ({(index[m], index[n]) for index in some} for some in (search.settings, [one.index for one in region]))
        found[m, n] = {(a, b) for a, b in tried - fit if a in {one for one, _ in fit} and b in {one for _, one in fit}}
    return found


def _exclusions(search: Search, region: Sequence[Setting], told: Set[int]) -> List[str]:
    """What does not fit together, though each value by itself does; of parameters of which that is not `told`."""
    axes, excluded, found = search.lattice.axes, _excluded(search, region), []
    some = "" if search.lattice.size <= search.space.runs else " tried"
    for (m, n), pairs in excluded.items():
        if not pairs or {m, n} <= told:
            continue
        rows: Dict[Tuple[int, ...], List[int]] = {}  # values of m by the values of n that do not fit with them
        for a in sorted({a for a, _ in pairs}):
            rows.setdefault(tuple(sorted(b for one, b in pairs if one == a)), []).append(a)
        texts = [f"{axes[m].path} {_span(axes[m], [axes[m].values[a] for a in left])} with {axes[n].path} {_span(axes[n], [axes[n].values[b] for b in right])}"
                 for right, left in rows.items()]
        more = f"; and {len(texts) - MOST_TOLD} more in settings.csv" if len(texts) > MOST_TOLD else ""
        found.append(f"no setting{some} fits that has {', or '.join(texts[:MOST_TOLD])}{more}")
    inside = {one.index for one in region}
    fitting = [{index[n] for index in inside} for n in range(len(axes))]
    others = [index for index in search.settings if index not in inside and all(k in fit for k, fit in zip(index, fitting))
              and not any((index[m], index[n]) in pairs for (m, n), pairs in excluded.items())]
    if others and search.is_whole and not any(axis.is_real for axis in axes):
        found.append(f"{len(others)} more setting{'s do' if len(others) > 1 else ' does'} not fit, of values every two of which do: see settings.csv")
    return found


def goodness(objective: Objective, best: Setting, data: Data) -> Dict[str, Any]:
    """Whether the errors explain the residuals of the best fit."""
    chi2, freedom = objective.chi2(best), objective.freedom
    found: Dict[str, Any] = {"chi2": chi2, "figures": len(data.items), "freedom": freedom, "estimated_error": objective.share if objective.is_estimated else None}
    if objective.is_estimated:
        patterned = _pattern(objective, best, data)
        found["verdict"] = "bad" if objective.share > POOR or patterned else "cannot tell"
        reason = f"errors are not stated; the residuals, {objective.share:.2%} of the figures, are taken for them"
        if patterned:
            reason += ", but they are no noise: neighbours along an axis have alike residuals"
        found["reason"] = reason + ("" if found["verdict"] == "bad" else ", so that they cannot tell whether the model is right; --error states them")
    elif freedom < 1:
        found.update(verdict="cannot tell", reason=f"{len(data.items)} figures for {objective.parameters} parameters leave nothing to judge the fit by")
    else:
        chance = objective.chance(chi2)
        found.update(reduced=chi2 / freedom, chance=chance, verdict="bad" if chance < BAD else "good")
        found["reason"] = f"chi-squared {chi2:.3g} for {freedom} degree{'s' * (freedom > 1)} of freedom, {chi2 / freedom:.2g} each"
        if found["verdict"] == "bad":
            found["reason"] += "; no setting explains the data within their errors, and intervals are widened as if errors were larger"
        elif 1 - chance < BAD:
            found["reason"] += "; errors are stated larger than they are"
    found["where"] = _where(objective, best, data) if found["verdict"] == "bad" else ""
    return found


def _pattern(objective: Objective, best: Setting, data: Data) -> bool:
    """Whether residuals along the axes are more alike from one to the next than a random order of them would be."""
    numpy = need("numpy")
    order = sorted(objective.residuals(best), key=lambda one: (data.items[one[0]].figure.name, *(_sortable(v) for v in data.points[data.items[one[0]].point].values())))
    z = numpy.array([r / s for _, r, s in order])
    if len(z) < 8:
        return False
    shuffled = numpy.random.default_rng(1).permuted(numpy.tile(z, (5001, 1)), axis=1)
    shuffled[0] = z
    steps = numpy.square(numpy.diff(shuffled)).sum(axis=1)
    return bool((steps[1:] <= steps[0]).mean() < BAD)


def _sortable(value: Any) -> Tuple[int, Any]:
    return (0, value) if isinstance(value, (int, float)) else (1, str(value))


def _where(objective: Objective, best: Setting, data: Data) -> str:
    """The fewest figures that most of a bad fit is from: those of a name, of a value of an axis, above or below one."""
    rows = objective.residuals(best)
    whole = sum((r / s) ** 2 for _, r, s in rows)
    some: List[Tuple[str, List[int]]] = [(one.name, [k for k, row in enumerate(rows) if data.items[row[0]].figure == one]) for one in data.figures]
    for path in data.axes:
        at = [data.points[data.items[number].point].get(path) for number, _, _ in rows]
        name = path.rsplit(".", 1)[-1]
        for value in {str(v): v for v in at}.values():
            some.append((f"{name} {value}", [k for k, v in enumerate(at) if v == value]))
            if isinstance(value, (int, float)):
                some.append((f"{name} {value} and above", [k for k, v in enumerate(at) if isinstance(v, (int, float)) and v >= value]))
                some.append((f"{name} {value} and below", [k for k, v in enumerate(at) if isinstance(v, (int, float)) and v <= value]))
    chosen = [(len(part), -_sum(rows, part), text, part) for text, part in some if _sum(rows, part) >= 0.7 * whole and len(part) <= 0.6 * len(rows)]
    if not chosen:
        return "the deviation is spread over all figures"
    _, _, text, part = min(chosen)
    off = [-rows[k][1] / abs(data.items[rows[k][0]].value) for k in part if data.items[rows[k][0]].value]
    mean = sum(off) / len(off) if off else 0.0
    items = [data.items[rows[k][0]] for k in part]
    lost = all(item.figure.is_latency and best.is_saturated(item.point) for item in items)
    how = "saturated, so that its latency depends on the length of the run" if lost else f"{abs(mean):.1%} too {'high' if mean > 0 else 'low'}"
    return f"{_sum(rows, part) / whole:.0%} of it is from {text} ({len(part)} of {len(rows)} figures), where the simulation is {how}"


def _sum(rows: Sequence[Tuple[int, float, float]], part: Sequence[int]) -> float:
    return math.fsum((rows[k][1] / rows[k][2]) ** 2 for k in part)


def representatives(search: Search, region: Sequence[Setting], most: int = 6) -> Dict[str, List[Setting]]:
    """By parameter that is not identified, of each of its values the setting that fits best; of many values some, evenly."""
    found: Dict[str, List[Setting]] = {}
    for n, axis in enumerate(search.lattice.axes):
        best: Dict[int, Setting] = {}
        for one in region:  # the best first
            best.setdefault(one.index[n], one)
        at = sorted(best)
        if len(at) > 1 and not axis.is_real:
            step = max(1, -(-(len(at) - 1) // (most - 1)))
            found[axis.path] = [best[k] for k in dict.fromkeys([*at[::step], at[-1]])]
    return found

