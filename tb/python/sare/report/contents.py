# SPDX-License-Identifier: Apache-2.0
"""What pages of runs and of sweeps have in common."""
import matplotlib
import numpy as np
from markupsafe import Markup, escape

from . import marks, palette
from .digits import number


def drawn(plots, result):
    """The plots with their SVG and, as JSON, what can be pointed at in it."""
    drawn = []
    with matplotlib.rc_context(palette.style(palette.STAND_IN)), np.errstate(all="ignore"):
        for plot in plots.plots(result, palette.STAND_IN):
            svg = palette.svg(plot.figure, escape(plot.title), escape(plot.caption))
            said = marks.data(plot)  # of the figure as it has been laid out
            drawn.append((plot, Markup(svg), Markup(marks.as_json(said)) if said else ""))
    return drawn


def cell(value):
    """A number, or whatever else a table holds."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return " × ".join(cell(v) for v in value) if value else "–"
    if value is None or isinstance(value, (str, int, float, np.number)):
        return number(value.item() if isinstance(value, np.number) else value)
    return str(value)


def flat(tree, prefix=""):
    """(dotted name, value) of every leaf."""
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        elif isinstance(value, list) and any(isinstance(v, dict) for v in value):
            for i, v in enumerate(value):
                yield from flat(v, f"{prefix}{key}[{i}].") if isinstance(v, dict) else [(f"{prefix}{key}[{i}]", v)]
        else:
            yield prefix + key, value


def config_rows(config):
    """[(section, [(name, value)])]; what is in no section comes first."""
    sections = [(name, list(flat(value))) for name, value in config.items() if isinstance(value, dict)]
    loose = [(name, value) for name, value in config.items() if not isinstance(value, dict)]
    return ([("", loose)] if loose else []) + [section for section in sections if section[1]]


def network_name(topology):
    dims = topology.get("dims") or []
    return " ".join([str(topology.get("name", "network")), " × ".join(str(d) for d in dims)]).strip()


def workload_name(config):
    traffic = config.get("traffic")
    traffic = traffic if isinstance(traffic, dict) else {}
    return " ".join(str(traffic[key]) for key in ("kind", "pattern") if isinstance(traffic.get(key), str))


LONG = 150  # letters of a finding


def first_clause(text):
    """The finding, and what else there is to say: the text up to its first semicolon outside parentheses, where it is long."""
    depth = 0
    for at, letter in enumerate(text if len(text) > LONG else ""):
        depth += (letter == "(") - (letter == ")")
        if letter == ";" and depth <= 0:
            return text[:at] + ".", text[at + 1:].strip()
    return text, ""


def not_steady(status):
    """What a latency does that is no steady mean; "" where it is one."""
    return {"saturated": "grows with the length of the run", "unsettled": "may depend on the length of the run"}.get(status, "")


def caution(check):
    """What the static check leaves open; "" where it has proved that there can be no deadlock, or is not needed."""
    if not check or check.startswith(("free of deadlock", "not needed: ")):
        return ""
    return f"Not proved free of deadlock. The static check: {check}."
