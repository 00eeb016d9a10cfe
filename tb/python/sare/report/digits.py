# SPDX-License-Identifier: Apache-2.0
"""Numbers as people read them, in as many digits as are known."""
import math

import numpy as np


def number(value, digits=4):
    """For people: 4 significant digits, thousands apart, a dash for what is not known."""
    if value is None or isinstance(value, float) and not np.isfinite(value):
        return "–"
    if isinstance(value, str):
        return value
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value):,}".replace(",", "\u202f")
    if abs(value) < 1e-4 or abs(value) >= 1e15:
        return f"{value:.{digits - 1}e}"
    if abs(value) >= 1e3:
        return f"{math.floor(value + 0.5):,}".replace(",", "\u202f")
    return f"{value:.{digits}g}"


def rounded_up(half_width, digits):
    """To so many digits: what it covers, it covers as shown."""
    if not np.isfinite(half_width) or half_width <= 0:
        return half_width
    unit = 10.0 ** (np.floor(np.log10(half_width)) + 1 - digits)
    return float(np.ceil(half_width / unit * (1 - 1e-12)) * unit)


def with_error(value, half_width):
    """"25.11 ± 0.26"; the value alone where the width is 0 or not known."""
    if not 1e-12 * abs(value) < half_width < np.inf:  # not known, or the last bit of what is exact
        return number(float(value))
    decimals = 1 - int(np.floor(np.log10(half_width)))
    if 0 <= decimals < 10:
        whole = lambda x: f"{x:,.{decimals}f}".replace(",", "\u202f")
        return f"{whole(value)} ± {whole(rounded_up(half_width, 2))}"
    return f"{number(float(value))} ± {number(rounded_up(half_width, 2))}"


def without_error(value, half_width):
    """"25.1" for 25.11 ± 0.26: the last digit is the first of the half width, where its interval stands beside it."""
    if not 1e-12 * abs(value) < half_width < abs(value):
        return number(float(value))
    return number(float(value), int(min(4, np.floor(np.log10(abs(value))) - np.floor(np.log10(half_width)) + 1)))
