# SPDX-License-Identifier: Apache-2.0
"""The page of a fit: which parameters the data tell, both curves, the residuals, and which settings fit."""
import sys

import numpy as np
from markupsafe import Markup
from matplotlib.ticker import MaxNLocator

from ..contents import drawn
from ..digits import number, with_error
from ..marks import Marks
from ..palette import SERIES
from ..plot import Plot, axes, categories, legend
from .columns import PLAIN_NAMES, UNITS
from .curves import short_name

TONES = {"good": "good", "bad": "bad", "identified": "good"}
PANELS = 4  # figures, or parameters, that are drawn
OF_A_ROW = ("from", "figure", "unit", "measured", "error", "simulated", "simulated_error", "residual", "sigmas", "status", "run")  # no axes


def content(result):
    found, table = result.fit, result.tables["settings"]
    fitness = found["goodness"]
    known = sum(row["verdict"] == "identified" for row in found["parameters"])
    return {
        "title": "Fit of " + ", ".join(short_name(row["parameter"]) for row in found["parameters"]),
        "status": {"cannot tell": "fit not judged"}.get(fitness["verdict"], f"{fitness['verdict']} fit"), "tone": TONES.get(fitness["verdict"], "warn"),
        "reason": fitness["reason"] + ("; " + fitness["where"] if fitness["where"] else "") + ".",
        "caution": "" if known == len(found["parameters"]) else f"The data tell {known} of {len(found['parameters'])} parameters.",
        "facts": [f"{fitness['figures']} measured figures", f"{number(found['settings'])} settings tried" + (f" of {number(found['size'])}" if found["size"] else ""),
                  f"{found['region']} of them fit, at a confidence of {found['confidence']:.1%}", *found["notes"]],
        "figures": [(short_name(row["parameter"]), row["best"] if isinstance(row["best"], (int, float)) else str(row["best"]), "", f"{row['verdict']}: {row['why']}")
                    for row in found["parameters"]],
        "timelines": [], "plots": drawn(sys.modules[__name__], result), "tables": _tables(result, table), "config": [], "kind": "Fit", "program": "sare",
    }


def plots(result, colours):
    return [*_curves(result, colours), _residuals(result, colours), _profiles(result, colours)]


def main_picture(result, colours):
    return _residuals(result, colours)


def _axes_of(table):
    return [name for name in table.columns if name not in OF_A_ROW]


def _along(table):
    """The axis that goes along x, its values, and what each row is called beside it."""
    numbers = [name for name in _axes_of(table) if table[name].dtype == float and len(set(table[name])) > 1]
    along = next((name for name in numbers if name.endswith("load")), numbers[0] if numbers else None)
    others = [name for name in _axes_of(table) if name != along and len(set(table[name])) > 1]
    names = [", ".join(f"{short_name(name)} {number(table[name][row])}" for name in others) for row in range(table.rows)]
    return along, table[along] if along else np.arange(table.rows, dtype=float), names


def _label(name):
    return ", ".join(filter(None, (PLAIN_NAMES.get(name, short_name(name)), UNITS.get(name))))


def _curves(result, colours):
    """A panel for each figure: what was measured, with its errors, and the simulation of the best setting."""
    table = result.tables["residuals"]
    along, x, names = _along(table)
    kinds = list(dict.fromkeys(zip(table["figure"], table["unit"])))[:PANELS]
    figure, panes = axes(0.8 + 1.7 * len(kinds), rows=len(kinds), sharex=True, squeeze=False)
    plot = Plot("Measured and fitted", figure, "Points are measured, with two standard deviations of their error; lines are the best setting.", "residuals.csv",
                axes=panes[0, 0], colours=colours)
    for (kind, unit), ax in zip(kinds, panes[:, 0]):
        rows = np.array([k == kind and u == unit for k, u in zip(table["figure"], table["unit"])])
        for n, name in enumerate(dict.fromkeys(np.array(names, dtype=object)[rows])):
            some = np.flatnonzero(rows & np.array([one == name for one in names]))
            some = some[np.argsort(x[some], kind="stable")]
            colour = colours[SERIES[n % len(SERIES)]]
            ax.errorbar(x[some], table["measured"][some], 2 * table["error"][some], fmt="o", color=colour, linestyle="none", capsize=2, label=name or None)
            ax.plot(x[some], table["simulated"][some], color=colour)
            plot.marks.append(Marks(ax, x[some], table["measured"][some], {"measured": table["measured"][some], "simulated": table["simulated"][some]}, name))
        ax.set_ylabel(", ".join(filter(None, (kind, unit))))
        ax.set_ylim(bottom=0)
    if any(names):
        legend(panes[0, 0], 3)
    panes[-1, 0].set_xlabel(_label(along) if along else "row")
    figure.align_ylabels()
    return [plot]


def _residuals(result, colours):
    table = result.tables["residuals"]
    along, x, names = _along(table)
    figure, ax = axes(2.6)
    plot = Plot("Residuals", figure, "Measured less simulated, in standard deviations of both sides together: of a good fit one in twenty is beyond 2.", "residuals.csv",
                header=("from", "figure", "measured", "simulated", "standard deviations"), axes=ax, colours=colours,
                rows=[[table[name][row] for name in ("from", "figure", "measured", "simulated", "sigmas")] for row in range(table.rows)])
    ax.axhspan(-2, 2, color=colours["shade"], linewidth=0, zorder=0)
    ax.axhline(0, color=colours["muted"], linewidth=1)
    for n, kind in enumerate(dict.fromkeys(table["figure"])):
        some = np.flatnonzero(table["figure"] == kind)
        ax.plot(x[some], table["sigmas"][some], "osD^v"[n % 5], color=colours[SERIES[n % len(SERIES)]], linestyle="none", label=kind)
        plot.marks.append(Marks(ax, x[some], table["sigmas"][some], {"measured": table["measured"][some], "simulated": table["simulated"][some],
                                                                     "standard deviations": table["sigmas"][some]}, [names[k] or kind for k in some]))
    high = max(3.0, 1.1 * float(np.max(np.abs(table["sigmas"]))))
    ax.set_ylim(-high, high)
    ax.set_xlabel(_label(along) if along else "row")
    ax.set_ylabel("standard deviations")
    legend(ax)
    return plot


def _profiles(result, colours):
    """For each value of a parameter the least chi-squared that any other parameters reach with it."""
    table, found = result.tables["settings"], result.fit
    shown = found["parameters"][:PANELS]
    figure, _ = axes(2.6)
    figure.clear()
    panes = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    least, bound = found["goodness"]["chi2"], found["goodness"]["bound"]
    top = least + 3 * bound
    plot = Plot("Which values fit", figure, "The least chi-squared of each value, whatever the other parameters are; hollow: at least that. Values below the line fit"
                + (f" ({len(found['parameters']) - PANELS} more parameters are in settings.csv)." if len(found["parameters"]) > PANELS else "."), "settings.csv",
                axes=panes[0], colours=colours)
    usable = np.isfinite(table["chi2"])
    for row, ax in zip(shown, panes):
        column = table[row["parameter"]]
        values = sorted(set(column[usable])) if column.dtype == float else list(dict.fromkeys(column[usable]))
        at = np.arange(len(values), dtype=float) if column.dtype != float else np.array(values)
        best = [min(np.flatnonzero(usable & (column == value)), key=lambda k: table["chi2"][k]) for value in values]
        y = np.minimum(table["chi2"][best], top)
        whole = table["verdict"][best] != "given up"
        ax.axhline(least + bound, color=colours["muted"], linewidth=1, linestyle="--")
        ax.plot(at[whole], y[whole], "o", color=colours["c0"], linestyle="none")
        ax.plot(at[~whole], y[~whole], "o", color=colours["c0"], markerfacecolor="none", linestyle="none")
        plot.marks.append(Marks(ax, at, y, {"chi-squared": table["chi2"][best]}, [f"{short_name(row['parameter'])} {number(v)}" for v in values]))
        if set(column % 1 if column.dtype == float else ()) == {0.0}:
            ax.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        if column.dtype != float:
            categories(ax, [str(v) for v in values], 1 / len(shown))
        ax.set_xlabel(short_name(row["parameter"]))
    panes[0].set_ylabel("chi-squared")
    panes[0].set_ylim(-0.03 * top, top * 1.05)
    return plot


def _link(result, row):
    table = result.tables["residuals"]
    place = f"runs/{int(table['run'][row]):04d}/"
    return Markup('<a href="{}">{}</a>').format(place, table["from"][row]) if (result.directory / place).is_dir() else table["from"][row]


def _tables(result, settings):
    found, table = result.fit, result.tables["residuals"]
    parameters = ("Parameters", ("parameter", "best", "verdict", "why"), [[row["parameter"], row["best"], row["verdict"], row["why"]] for row in found["parameters"]],
                  " ".join(one[:1].upper() + one[1:] + "." for one in found["relations"]))
    more = [("Further measurements", ("to tell", "measure", "pairs of values told apart", "expected"),
             [[row["parameter"], row["measure"] or "nothing that was tried", f"{row['told_apart']} of {row['of']}", row.get("expected", "")] for row in found["further"]],
             "Settings that fit alike were run where nothing was measured; each pair differs by more than the bound of confidence, with errors as large as those of the data.")]
    residuals = ("Residuals", ("from", *map(short_name, _axes_of(table)), "figure", "measured", "simulated", "standard deviations"),
                 [[_link(result, row), *(table[name][row] for name in _axes_of(table)), " ".join(filter(None, (table["figure"][row], table["unit"][row]))),
                   with_error(float(table["measured"][row]), float(table["error"][row])), with_error(float(table["simulated"][row]), float(table["simulated_error"][row])),
                   round(float(table["sigmas"][row]), 2)] for row in range(table.rows)], "± one standard deviation. All in residuals.csv.")
    names = [row["parameter"] for row in found["parameters"]]
    rows = [[*(settings[name][row] for name in names), settings["verdict"][row], settings["chi2"][row]] for row in range(min(settings.rows, 40))]
    tried = ("Settings, the best first", (*map(short_name, names), "verdict", "chi-squared"), rows, "All, with the reasons of those that failed, in settings.csv.")
    return [parameters, *more * bool(found["further"]), residuals, tried]

