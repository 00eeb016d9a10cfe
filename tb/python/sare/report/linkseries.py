# SPDX-License-Identifier: Apache-2.0
"""Links over time: how much of what each could carry it carried, interval by interval (links_over_time.csv)."""
import base64
import re

import numpy as np

from .digits import number
from .read import Problem

STEPS = 200    # of the values in the page, from 0 to the top of the scale
UNKNOWN = 255


class LinkSeries:
    """By interval and link, in the order of links.csv: how much of what it could carry it carried, in percent, and how
    many flits waited at its end (None where that was not counted)."""

    def __init__(self, ends, use, waiting):
        self.ends, self.use, self.waiting = ends, use, waiting

    def begins(self):
        return np.concatenate([[0], self.ends[:-1]])

    def for_page(self, values, measure):
        """`values`: by interval and mark; intervals before counting began are left out."""
        seen = np.logical_or.accumulate(np.isfinite(values).any(1))
        values = values[seen]
        steps = np.clip(np.nan_to_num(values) / measure.top, 0, 1) * STEPS
        steps = np.where(np.isfinite(values), np.round(steps), UNKNOWN)
        return {"begins": self.begins()[seen].tolist(), "ends": self.ends[seen].tolist(), "steps": STEPS, "unknown": UNKNOWN,
                "top": measure.top, "unit": measure.unit, "name": measure.name,
                "values": base64.b64encode(steps.astype(np.uint8).tobytes()).decode()}


def of(result):
    """None where nobody asked for it."""
    table, links = result.tables.get("links_over_time"), result.tables.get("links")
    if not table or not links:
        return None
    ends = [re.fullmatch(r"flits_to_(\d+)", name) for name in table.columns]
    ends = np.array([int(end[1]) for end in ends if end])
    if not len(ends):
        return None
    places = ("from", "from_port", "to", "to_port", "kind")
    if table.rows != links.rows or any((table[name] != links[name]).any() for name in places):
        raise Problem(f"{result.directory / table.file}: its links are not those of links.csv")
    length = np.diff(ends, prepend=0)
    if (length <= 0).any():
        raise Problem(f"{result.directory / table.file}:1: the intervals are not in order of time")
    flits = np.array([table[f"flits_to_{end}"] for end in ends])
    use = np.minimum(100 * flits / length[:, None] / table["capacity"][None, :], 100)
    counted = f"waits_to_{ends[0]}" in table
    return LinkSeries(ends, use, _waiting(result, table, ends) if counted else None)


def _waiting(result, table, ends):
    """In intervals before the measured window nothing was counted, in one that it begins in as of there."""
    begin = np.maximum(np.concatenate([[0], ends[:-1]]), result.get("measured.from", 0))
    cycles = np.array([table[f"waits_to_{end}"] for end in ends])
    return cycles / np.maximum(ends - begin, 1)[:, None]


def onset(result, series):
    """Where congestion began: a sentence, and the interval; the latter None where it did not."""
    at, link = result.get("congestion_onset.cycle"), result.get("congestion_onset.link")
    limit = number(100 * _limit(result))
    if at is None or not link:
        return f"No link carried {limit} % of what it can in two intervals in a row.", None
    k = int(np.searchsorted(series.begins(), at))
    return (f"Congestion began in cycles {number(int(at))} to {number(int(series.ends[k]))}, at the link from {link}: "
            f"the first to carry {limit} % of what it can, in two intervals in a row."), k


def _limit(result):
    asked = result.get("config.measurement.statistics", [])
    one = next((s for s in asked if isinstance(s, dict) and s.get("name") == "link_series"), {})
    return one.get("congested", 0.95)
