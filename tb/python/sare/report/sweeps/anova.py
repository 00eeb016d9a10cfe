# SPDX-License-Identifier: Apache-2.0
"""Analysis of variance of a factorial design whose cells need not be equally noisy: the ANOVA-type statistic of Brunner, Dette
and Munk (1997), which is Fisher's F where they are. Intervals of effects by Satterthwaite."""
import itertools
from dataclasses import dataclass

import numpy as np

from .chance import f_tail, holm, t_quantile


@dataclass
class Term:
    factors: tuple
    effect: np.ndarray     # by level of each of its factors
    half_width: np.ndarray  # of the 95 % interval of each; NaN where no noise is known
    share: float           # of the variation among the cells
    chance: float = np.nan  # of so large an effect where there is none, among all terms (Holm); NaN: not tested

    @property
    def is_real(self):
        return self.chance < 0.05


@dataclass
class Analysis:
    mean: float
    terms: dict       # by factors: main effects, and what two do only together
    rest: float       # share of interactions of three and more
    noise: float      # share that is expected of chance alone; NaN: not known

    def main(self, factor):
        return self.terms[factor,]


def analyse(cells, variances, dfs, conditions=()):
    """`cells`: means by level of each factor; `variances` of these means, with their degrees of freedom. What `conditions`,
    factors that are no part of a design, do by themselves is left out of the variation."""
    many = range(cells.ndim)
    over = lambda keep: np.mean(cells, axis=tuple(k for k in many if k not in keep), keepdims=True)
    weight = lambda effect: float((effect ** 2).sum() * cells.size / effect.size)
    total = weight(cells - over(())) - weight(over(conditions) - over(()))
    known = np.isfinite(variances).all()
    wanted = [t for n in (1, 2) for t in itertools.combinations(many, n)]
    terms = {}
    for t in wanted:
        full = _applied(cells, t, lambda m: m)
        terms[t] = Term(t, _flat(full, t), np.full([cells.shape[k] for k in t], np.nan), weight(full) / total if total > 0 else 0.0)
        if known:
            terms[t].half_width = _flat(_half_width(variances, dfs, t), t)
            terms[t].chance = _chance(float((full ** 2).sum()), variances, dfs, t, float(np.abs(cells).max()))
    for t, raised in zip(wanted, holm([terms[t].chance for t in wanted]) if known else ()):
        terms[t].chance = raised
    apart = [t for t in wanted if not set(t) <= set(conditions)]
    noise = variances.sum() * (cells.size - 1) / cells.size / total if known and total > 0 else np.nan
    return Analysis(float(cells.mean()), terms, max(0.0, 1 - sum(terms[t].share for t in apart)), float(noise))


def _applied(array, term, change):
    """The array with the projection onto the term applied along each axis, each of its matrices changed."""
    for k, size in enumerate(array.shape):
        mean = np.full((size, size), 1 / size)
        matrix = change(np.eye(size) - mean if k in term else mean)
        array = np.moveaxis(np.tensordot(matrix, array, (1, k)), 0, k)
    return array


def _flat(full, term):
    """The axes of the term alone: along the others it is the same."""
    return full[tuple(slice(None) if k in term else 0 for k in range(full.ndim))]


def _half_width(variances, dfs, term):
    variance = _applied(variances, term, lambda m: m ** 2)
    spread = _applied(variances ** 2 / dfs, term, lambda m: m ** 4)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(spread > 0, variance ** 2 / spread, np.inf)
    return np.vectorize(lambda v, d: float(np.sqrt(v)) * t_quantile(0.05, round(float(d), 3)) if v > 0 else 0.0)(variance, df)


def _chance(squares, variances, dfs, term, scale):
    onto = float(np.prod([1 - 1 / size if k in term else 1 / size for k, size in enumerate(variances.shape)]))
    trace = onto * variances.sum()
    if trace <= 0:  # nothing is random
        return 0.0 if squares > (1e-12 * scale) ** 2 else 1.0
    both = float((variances * _applied(variances, term, lambda m: m ** 2)).sum())
    rest = float(((onto * variances) ** 2 / dfs).sum())
    return f_tail(squares / trace, trace ** 2 / both, trace ** 2 / rest if rest > 0 else 1e6)
