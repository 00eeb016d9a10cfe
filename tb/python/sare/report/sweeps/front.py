# SPDX-License-Identifier: Apache-2.0
"""The Pareto front of designs whose figures are noisy: of each design whether it is on the front, is beaten, or cannot be told.

One figure is better than another where a test says so; each verdict on a design is wrong with a chance of at most 5%, whatever the
number of designs that it is compared with (Bonferroni)."""
import math

import numpy as np

from .chance import t_quantile

FRONT, BEATEN, OPEN = "on the front", "beaten", "cannot tell"


def verdicts(costs, variances, dfs):
    """By design its verdict, and for one that cannot be told the design that may beat it (else None). All three arguments are
    arrays by design and objective; costs are wanted low; a variance of NaN is unknown, and taken as 0."""
    costs, variances = np.asarray(costs, float), np.nan_to_num(np.asarray(variances, float))
    variances, df = _steadied(costs, variances, np.asarray(dfs, float))
    count = len(costs)
    found, rivals = [], []
    for b in range(count):
        gain = costs[b] - costs  # of the others over b
        margin = np.array([t_quantile(0.05 / max(count - 1, 1), d) for d in df]) * np.sqrt(variances + variances[b])
        margin = np.where(variances + variances[b] > 0, margin, 0.0)
        better, worse = gain > margin, gain < -margin
        sure = (better.any(1) & ((gain >= margin) | (gain == 0)).all(1)).any()  # the same number comes of the same course of events
        may = np.flatnonzero(better.any(1) & ~worse.any(1))
        found.append(BEATEN if sure else OPEN if len(may) else FRONT)
        rivals.append(int(may[0]) if found[-1] == OPEN else None)
    return found, rivals


def _steadied(costs, variances, dfs):
    """Few seeds may agree by chance: a design's relative variance is at least the usual one of all of them."""
    df = np.full(costs.shape[1], math.inf)
    for k in range(costs.shape[1]):
        noisy = variances[:, k] > 0
        if noisy.any():
            each = float(np.median(dfs[noisy, k]))
            usual = np.median(variances[noisy, k] / np.maximum(costs[noisy, k] ** 2, 1e-300)) / (1 - 2 / (9 * each)) ** 3
            variances[noisy, k] = np.maximum(variances[noisy, k], usual * costs[noisy, k] ** 2)
            df[k] = dfs[noisy, k].sum()
    return variances, df


def half_width(variance, df):
    """Of the 95 % interval of one figure; NaN where its noise is not known."""
    return 0.0 if variance == 0 else t_quantile(0.05, df) * math.sqrt(variance) if variance > 0 else math.nan
