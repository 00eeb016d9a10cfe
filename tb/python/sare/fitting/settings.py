# SPDX-License-Identifier: Apache-2.0
"""Settings of the parameters that are fitted: a lattice of values, and what the runs of a setting say of the measured figures."""
from __future__ import annotations

import itertools
import math
import statistics
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

from ..errors import Error, need
from ..search_space import Design, Parameter, Space
from .data import Data, Figure, Item

REAL_STEPS = 256  # of the range of a real number
STEADY = 0.02  # standard deviation of the latency of a run, as a part of it, up to which it is far from saturation
UNSETTLED = 0.25  # standard deviation of a latency that may depend on the length of the run, as a part of it
MOST_SEEDS_UNKNOWN = 3  # runs that tell the noise of a figure which one run does not
Index = Tuple[int, ...]
Move = Tuple[int, int]  # parameter, index


class Axis:
    """The values of one parameter, in order."""

    def __init__(self, parameter: Parameter) -> None:
        p = self.parameter = parameter
        self.path = p.path
        self.is_real = p.choices is None and not p.is_whole and p.step is None
        self.is_ordered = p.choices is None or p.is_ordered
        whole: Any = p.all()
        if whole is None:
            count = REAL_STEPS if self.is_real else int(math.floor((p.high - p.low) / p.step + 1e-9))
            at = [p.low * (p.high / p.low) ** (k / count) if p.is_log else p.low + k * (p.step if p.step else (p.high - p.low) / count)
                  for k in range(count + 1)]
            whole = [float(f"{x:.6g}") for x in at]
        self.values: List[Any] = whole
        self.stride = 1 << max(0, (len(whole) // 8).bit_length() - 1) if self.is_ordered else 1

    def moves(self, k: int) -> List[int]:
        """Indices next to one; of values without an order all others."""
        others = [k - self.stride, k + self.stride] if self.is_ordered else range(len(self.values))
        return [i for i in others if 0 <= i < len(self.values) and i != k]


class Lattice:
    """All settings, which a constraint may forbid."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.axes = [Axis(p) for p in space.parameters]

    @property
    def size(self) -> float:
        return math.inf if any(a.is_real for a in self.axes) else math.prod(len(a.values) for a in self.axes)

    def design(self, index: Index) -> Design:
        return {a.path: a.values[k] for a, k in zip(self.axes, index)}

    def allows(self, index: Index) -> bool:
        return self.space.allows(self.design(index))

    def all(self) -> Iterator[Index]:
        return filter(self.allows, itertools.product(*(range(len(a.values)) for a in self.axes)))

    def neighbours(self, index: Index) -> List[Index]:
        """Settings one step away in one parameter, or in two."""
        moves: List[Move] = [(n, k) for n, a in enumerate(self.axes) for k in a.moves(index[n])]
        pairs = [(one, two) for one, two in itertools.combinations(moves, 2) if one[0] != two[0]]
        made = [_moved(index, some) for some in [*((one,) for one in moves), *pairs]]
        return [one for one in made if self.allows(one)]


def _moved(index: Index, moves: Sequence[Move]) -> Index:
    changed = list(index)
    for n, k in moves:
        changed[n] = k
    return tuple(changed)


class Outcome:
    """One run: of each item of its point the value, and the variance of that value; None: a single run does not tell it."""

    def __init__(self, values: Sequence[float], variances: Sequence[Optional[float]], status: str) -> None:
        self.values, self.variances, self.status = list(values), list(variances), status


class Setting:
    """A setting, and the runs made with it: by point one for each seed."""

    def __init__(self, index: Index, design: Design, points: int) -> None:
        self.index, self.design = index, design
        self.runs: List[List[Outcome]] = [[] for _ in range(points)]
        self.folders: Dict[int, int] = {}  # by point the number of its first run
        self.failed = ""
        self.sum: Tuple[float, int, float] = (0.0, -1, 0.0)  # chi-squared as it was last computed: for which error, from how many runs

    @property
    def is_complete(self) -> bool:
        return not self.failed and all(self.runs)

    def is_saturated(self, point: int) -> bool:
        return any(run.status == "saturated" for run in self.runs[point])

    def simulated(self, point: int, k: int, is_latency: bool) -> Tuple[float, float]:
        """Of the k-th item of a point the mean over its runs, and the variance of that mean. Near saturation runs of one length are
        short in the same way, so that the mean of many is no surer than one."""
        runs = self.runs[point]
        values = [run.values[k] for run in runs]
        if len(runs) == 1:
            return values[0], runs[0].variances[k] or 0.0
        known = [run.variances[k] or 0.0 for run in runs]
        of_one = max(statistics.fmean(known), 0.0 if self.is_saturated(point) else statistics.variance(values))
        mean = statistics.fmean(values)
        drifts = is_latency and (of_one > (STEADY * mean) ** 2 or any(run.status == "unsettled" for run in runs))
        return mean, of_one / (1 if drifts else len(runs))


def outcome(figures: Sequence[Figure], summary: Mapping[str, Any]) -> Outcome:
    """What a run says of figures; an Error where one has no value."""
    values, variances = [], []
    for one in figures:
        value = one.of(summary)
        if value is None or not math.isfinite(value):
            raise Error(f"the run has no {one.name}")
        values.append(value)
        variance = _variance(one, summary)
        if one.is_latency and summary["status"] == "unsettled":
            variance = max(variance or 0.0, (UNSETTLED * value / one.factor(summary)) ** 2)
        variances.append(None if variance is None else variance * one.factor(summary) ** 2)
    return Outcome(values, variances, str(summary["status"]))


def _variance(one: Figure, summary: Mapping[str, Any]) -> Optional[float]:
    """Of the value of one run, over its batches. A latency that grows with the run is taken as it is: no setting that saturates
    explains a steady latency."""
    from ..report.sweeps.chance import standard_error  # NumPy
    batches = summary.get("batches") or []
    if one.is_latency and summary["status"] == "saturated":
        return 0.0
    if one.path == "load.accepted" and len(batches) > 2:
        return float(statistics.variance(batch["accepted"] for batch in batches)) / len(batches)
    if one.is_latency and one.path.endswith(".mean") and len(batches) > 2:  # from injection as from generation
        width = summary["latency"]["packet"]["from_generation"].get("ci95")
        if width is not None:
            return float(standard_error(width, len(batches) - 1)) ** 2
        means = [batch["latency_mean"] for batch in batches if batch.get("latency_mean") is not None]
        return float(statistics.variance(means)) if len(means) > 2 else None
    return None


class Objective:
    """The sum of squared residuals, each in units of the noise of both sides."""

    def __init__(self, data: Data, error: Optional[float], confidence: float, parameters: int) -> None:
        self.data, self.confidence, self.parameters = data, confidence, parameters
        self._stated = error  # below 0: a part of the value
        self._items = [data.at(point) for point in range(len(data.points))]
        self.is_estimated = error is None and any(item.error is None for item in data.items)
        self.share = 0.02  # the error of items without one, as a part of their value
        self.freedom = len(data.items) - parameters
        if self.is_estimated and self.freedom < 1:
            raise Error(f"{len(data.items)} figures cannot tell {parameters} parameters and their own error: write a column of errors, or --error 2%")
        self._chances = need("scipy.stats")

    def error(self, item: Item) -> float:
        """One standard deviation of a measured value."""
        if item.error is not None:
            return item.error
        stated = -self.share if self._stated is None else self._stated
        return stated if stated >= 0 else -stated * abs(item.value)

    def residuals(self, setting: Setting) -> List[Tuple[int, float, float]]:
        """By item that has been simulated: its number, measured less simulated, and the standard deviation of that."""
        found = []
        for point, runs in enumerate(setting.runs):
            for k, number in enumerate(self._items[point] if runs else ()):
                item = self.data.items[number]
                value, variance = setting.simulated(point, k, item.figure.is_latency)
                least = 1e-6 * max(abs(item.value), abs(value), 1e-9)  # of figures without any noise
                found.append((number, item.value - value, math.sqrt(self.error(item) ** 2 + variance + least ** 2)))
        return found

    def chi2(self, setting: Setting) -> float:
        """What is known of it; it grows with every point."""
        if setting.failed:
            return math.inf
        of = (self.share, sum(map(len, setting.runs)))
        if setting.sum[:2] != of:
            setting.sum = (*of, math.fsum((r / s) ** 2 for _, r, s in self.residuals(setting)))
        return setting.sum[2]

    def wants_seed(self, setting: Setting, point: int) -> bool:
        """Whether the noise of the simulation is not small beside that of the measurement."""
        for k, number in enumerate(self._items[point]):
            item = self.data.items[number]
            if setting.simulated(point, k, item.figure.is_latency)[1] > 0.1 * self.error(item) ** 2 > 0:
                return True
        return False

    def scale(self, least: float) -> float:
        """What errors are raised by where the best fit is worse than they allow, or where they are taken from its residuals."""
        return max(1.0, least / self.freedom) if self.freedom > 0 and math.isfinite(least) else 1.0

    def bound(self, least: float) -> float:
        """How far chi-squared may be above the least within the region of confidence."""
        p = self.parameters
        if self.is_estimated:
            return float(p * self._chances.f.ppf(self.confidence, p, self.freedom)) * self.scale(least)
        return self.stated_bound * self.scale(least)

    @property
    def stated_bound(self) -> float:
        """The same where errors are known."""
        return float(self._chances.chi2.ppf(self.confidence, self.parameters))

    def chance(self, least: float) -> float:
        """That errors alone make a fit as bad."""
        return float(self._chances.chi2.sf(least, self.freedom)) if self.freedom > 0 else 1.0

    def estimate(self, best: Setting) -> float:
        """Takes the unstated error from the residuals of the best fit, such that they are as large as errors are. Returns the change."""
        before, low, high = self.share, 1e-6, 10.0
        for _ in range(60):
            self.share = math.sqrt(low * high)
            low, high = (self.share, high) if self.chi2(best) > self.freedom else (low, self.share)
        return self.share / before - 1
