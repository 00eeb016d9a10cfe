# SPDX-License-Identifier: Apache-2.0
"""Chances: the tails of the distributions of Fisher's F and Student's t, which NumPy does not have."""
from functools import lru_cache
from math import exp, inf, lgamma, log, log1p


def incomplete_beta(a, b, x):
    """The regularised incomplete beta function, by its continued fraction (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    tiny, c, total = 1e-300, 1.0, 1.0
    d = 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    total = d
    for m in range(1, 1000):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d, c = 1 + term * d, 1 + term / c
            d, c = 1 / (d if abs(d) > tiny else tiny), c if abs(c) > tiny else tiny
            total *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) * total / a


def f_tail(f, df1, df2):
    """The chance of an F of at least `f` where there is no effect."""
    return 1.0 if f <= 0 else incomplete_beta(df2 / 2, df1 / 2, df2 / (df2 + df1 * f)) if f < inf else 0.0


@lru_cache(maxsize=4096)
def t_quantile(chance, df):
    """What |t| exceeds with that chance: 2.26 for 0.05 and 9 degrees of freedom; infinite without a degree of freedom."""
    if not df > 0:
        return inf
    low, high = 0.0, 1.0
    df = min(df, 1e6)
    tail = lambda t: f_tail(t * t, 1, df)
    while tail(high) > chance and high < 1e12:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) > chance else (low, middle)
    return high


def holm(chances):
    """The chances of several tests, each raised so that a false alarm in any of them has the chance shown (Holm)."""
    raised, most = [0.0] * len(chances), 0.0
    for rank, k in enumerate(sorted(range(len(chances)), key=lambda k: chances[k])):
        most = max(most, min(1.0, (len(chances) - rank) * chances[k]))
        raised[k] = most
    return raised


def standard_error(half_width, df):
    """Of a mean whose 95 % interval is that wide on each side."""
    return half_width / t_quantile(0.05, df)


