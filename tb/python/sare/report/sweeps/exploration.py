# SPDX-License-Identifier: Apache-2.0
"""The page of a search over designs: the front, which parameters matter, and what was tried."""
import sys

import numpy as np
from markupsafe import Markup

from ..contents import drawn
from ..digits import number, with_error
from ..marks import Marks
from ..palette import SERIES
from ..plot import Plot, axes, bars, legend
from ..read import lookup
from . import noise, pareto
from .chance import standard_error
from .columns import PLAIN_NAMES, UNITS
from .curves import short_name

GIVEN_UP = "given up"


def content(result):
    asked, table = result.exploration, result.tables["designs"]
    front, failed, given_up = (int(np.sum(table["front"] == 1)), int(np.sum(table["status"] == "failed")), int(np.sum(table["status"] == GIVEN_UP)))
    complete = table.rows >= min(asked.get("runs") or 0, asked.get("size") or np.inf)
    constraints = lookup(asked, "asked.constraints", [])
    return {
        "title": "Search for " + ", ".join(f"{'high' if best == 'max' else 'low'} {PLAIN_NAMES.get(name, name)}" for name, best in objectives(result).items()),
        "status": f"{table.rows} of {asked.get('runs')} designs", "tone": "good" if complete else "warn",
        "reason": ", ".join([f"{front} on the front"] + [f"{failed} failed"] * bool(failed) + [f"{given_up} given up after a short run"] * bool(given_up)
                            + [f"{asked.get('excluded')} that the constraints exclude without a run"] * bool(asked.get("excluded"))),
        "caution": "", "facts": [f"{name}: {_values(given)}" for name, given in lookup(asked, "asked.parameters").items()]
        + ([constraints] if isinstance(constraints, str) else list(constraints))
        + ([f"{number(asked['size'])} designs in all"] if asked.get("size") else []) + [f"sampler {asked.get('sampler')}, seed {asked.get('seed')}"],
        "figures": _figures(result), "timelines": [], "plots": drawn(sys.modules[__name__], result), "tables": _tables(result), "config": [],
        "kind": "Search", "program": "sare",
    }


def objectives(result):
    """By name min or max: of `latency_ns: min`, or `cost: {min: area_mm2 * 3}`."""
    return {name: next(iter(given), "") if isinstance(given, dict) else given for name, given in lookup(result.exploration, "asked.objectives").items()}


def _values(given):
    if isinstance(given, list):
        return ", ".join(map(str, given)) if len(given) <= 8 else f"{len(given)} values"
    step = f" by {given['step']}" if given.get("step") else ", on a scale of logarithms" if given.get("log") else ""
    return f"{given['from']} to {given['to']}{step}"


def _name(result, row):
    table = result.tables["designs"]
    return ", ".join(f"{short_name(p)} {number(v) if isinstance(v, float) else v}" for p in lookup(result.exploration, "asked.parameters")
                     for v in [table[p][row]])


def _page(result, row):
    number = f"runs/{int(result.tables['designs']['run'][row]):04d}"
    return next((folder for folder in (f"{number}/", f"{number}-saturation/") if (result.directory / folder).is_dir()), "")


def _measured(result):
    """Rows of designs that were run to the end and may be chosen."""
    table = result.tables["designs"]
    known = np.all([np.isfinite(table[name]) for name in objectives(result)], axis=0)
    return [int(row) for row in np.flatnonzero(known & (table["status"] != GIVEN_UP) & (table["reason"] == ""))]


def candidates(result):
    """What was measured, judged anew: of older searches the noise is not known."""
    table, wanted = result.tables["designs"], objectives(result)
    columns = [(name, max if best == "max" else min, ", ".join(filter(None, (PLAIN_NAMES.get(name, name), UNITS.get(name))))) for name, best in wanted.items()]
    rows = _measured(result)
    made = [pareto.Candidate(_name(result, row), [float(table[name][row]) for name in wanted], _page(result, row)) for row in rows]
    df = (lookup(result.exploration, "batches") or noise.USUAL_BATCHES) - 1
    width = lambda name, row: float(table[f"{name}_ci95"][row]) if f"{name}_ci95" in table else np.nan
    if made:
        pareto.judge(columns, made, [[standard_error(width(name, row), df) ** 2 for name in wanted] for row in rows], [[df] * len(wanted)] * len(rows))
    return pareto.Choice(columns, made)


def _figures(result):
    choice = candidates(result)
    columns, made = choice.columns, choice.made
    best = [(k, wanted, min(made, key=lambda c: c.values[k] * (-1 if wanted is max else 1)), name) for k, (_, wanted, name) in enumerate(columns)] if made else []
    return [(f"{'Highest' if wanted is max else 'Lowest'} {name.split(',')[0]}", with_error(c.values[k], (c.widths or [np.nan] * len(c.values))[k]), name.partition(", ")[2], c.name) for k, wanted, c, name in best]


def plots(result, colours):
    choice = candidates(result)
    front = [pareto.plot_of(choice, "designs.csv", colours)] if len(choice.columns) > 1 and len(choice.made) > 1 else []
    return [*front, _importance(result, colours), *[_course(result, colours)] * (len(choice.made) > 1)]


def main_picture(result, colours):
    return plots(result, colours)[0]


def _importance(result, colours):
    table, wanted = result.tables["importance"], list(objectives(result))
    figure, ax = axes(2.2 + 0.1 * table.rows)
    plot = Plot("Importance of parameters", figure, "The share of an objective's variance, among the designs tried, that a parameter explains by itself.",
                "importance.csv", axes=ax, colours=colours, header=("parameter", *wanted),
                rows=[[table["parameter"][row], *(float(table[name][row]) for name in wanted)] for row in range(table.rows)])
    wide = 0.8 / len(wanted)
    for k, name in enumerate(wanted):
        x = np.arange(table.rows) + (k - (len(wanted) - 1) / 2) * wide
        bars(ax, x - wide / 2, wide * 0.94, table[name], color=colours[SERIES[k]], label=name)
        plot.marks.append(Marks(ax, x, np.array(table[name]), {name: table[name]}, list(table["parameter"]), bar=wide))
    names = [short_name(p) for p in table["parameter"]]
    slanted = {"rotation": 20, "ha": "right"} if sum(map(len, names)) > 40 else {}
    ax.set_xticks(range(table.rows), names, **slanted)
    ax.set_ylim(0, 1)
    ax.set_ylabel("share of the variance")
    legend(ax)
    return plot


def _course(result, colours):
    """How the best value of the first objective has come down, or gone up, run by run."""
    table, (name, best) = result.tables["designs"], next(iter(objectives(result).items()))
    rows = _measured(result)
    x, y = table["run"][rows], table[name][rows]
    figure, ax = axes(2.4)
    ax.plot(x, y, "o", color=colours["muted"], markersize=4, alpha=0.6, linestyle="none")
    ax.step(x, (np.maximum if best == "max" else np.minimum).accumulate(y), where="post", color=colours["c0"])
    ax.set_xlabel("run")
    ax.set_ylabel(name)
    plot = Plot("Course of the search", figure, f"Each design tried, and the {'highest' if best == 'max' else 'lowest'} {name} until then.", "designs.csv",
                axes=ax, colours=colours)
    plot.marks.append(Marks(ax, np.array(x), np.array(y), {name: y}, [_name(result, row) for row in rows], pages=[_page(result, row) for row in rows]))
    return plot


def _link(result, row):
    """The number of a design's run, which leads to its page."""
    number, place = int(result.tables["designs"]["run"][row]), _page(result, row)
    return Markup('<a href="{}">{}</a>').format(place, number) if place else number


def _tables(result):
    choice, table = candidates(result), result.tables["designs"]
    names = [name for name in table.columns if name not in ("run", "front") and not name.endswith("_ci95")]
    rows = [[_link(result, row), *(noise.known(table, name, row) for name in names)] for row in range(table.rows)]
    header = ["run", *(name.replace("_", " ") for name in names)]
    return [*[pareto.table(choice)] * bool(choice.made), ("Designs tried", header, rows, "± half of the 95 % confidence interval. All in designs.csv; their runs are in runs/.")]
