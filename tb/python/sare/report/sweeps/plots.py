# SPDX-License-Identifier: Apache-2.0
"""The plots of a sweep: its curves or, where no axis is a number, bars."""
import numpy as np
from matplotlib.ticker import FuncFormatter

from ..digits import number, with_error
from ..marks import Marks, with_unit
from ..palette import SERIES
from ..plot import Plot, axes, categories
from . import factorial, pareto
from .curves import DASHES, Sweep, place_of, short_name
from .key import LONG_KEY, Entry, curve_id

MARKS = "osD^vPX*"
CURVES_UP_TO = 32  # more cannot be told apart
WIDE = 8.4         # inches, of a plot with a long key, which is as high as its key
DECADES = 100      # a scale whose ends differ by more than that is logarithmic


def plots(result, colours):
    if not result.tables["sweep"].rows:
        return []
    sweep = Sweep(result)
    if not sweep.curves:
        return []
    made = [makespan(sweep, colours)] if any(np.isfinite(curve.makespan_cycles).any() for curve in sweep.curves) else []
    if sweep.is_categorical:
        made += [bars(sweep, colours, "Latency", "latency_mean", "Mean packet latency from generation; hollow bars did not complete: they depend on the length of the run."),
                 bars(sweep, colours, "Accepted load", "accepted", _most_accepted(sweep))]
    else:
        made += [latency(sweep, colours), accepted(sweep, colours)]
        made += [burton_normal_form(sweep, colours)] if sweep.load_axis else []
    return made + factorial.plots(sweep, colours) + pareto.plots(sweep, colours)


def tables(result):
    """What there is beside the table of points: (title, header, rows, note) of each."""
    if not result.tables["sweep"].rows:
        return []
    sweep = Sweep(result)
    return [*pareto.tables(sweep), *factorial.tables(sweep)] if sweep.curves else []


def main_picture(result, colours):
    return next(iter(plots(result, colours)), None)


def makespan(sweep, colours):
    caption = "From the first cycle to the last event of the programs."
    if sweep.is_categorical:
        return bars(sweep, colours, "Makespan", "makespan_cycles", caption)
    figure, ax = axes()
    plot = Plot("Makespan", figure, caption)
    _draw(plot, ax, sweep, colours, lambda curve: curve.x, "makespan_cycles")
    if _spans_decades(np.concatenate([curve.makespan_cycles for curve in sweep.curves])):
        ax.set_yscale("log")
    else:
        ax.set_ylim(bottom=0)
    ax.set_xlabel(sweep.x_label)
    return _finished(sweep, plot)


def latency(sweep, colours):
    figure, ax = axes()
    plot = Plot("Latency" + (" against offered load" if sweep.load_axis else ""), figure,
                "Mean packet latency from generation; hollow points did not complete: they depend on the length of the run.")
    _draw(plot, ax, sweep, colours, lambda curve: curve.x, "latency_mean")
    plot.caption += _limit_latency(ax, sweep)
    _mark_bound(ax, sweep, colours)
    ax.set_xlabel(sweep.x_label)
    return _finished(sweep, plot)


def accepted(sweep, colours):
    figure, ax = axes()
    plot = Plot("Accepted" + (" against offered load" if sweep.load_axis else " load"), figure, _most_accepted(sweep))
    _draw(plot, ax, sweep, colours, lambda curve: curve.x, "accepted")
    ax.set_ylim(0, max(ax.get_ylim()[1], 1.06 * max(np.nanmax(curve.accepted, initial=0) for curve in sweep.curves)))
    if sweep.load_axis:
        end = max(curve.x.max() for curve in sweep.curves)
        ax.plot([0, end], [0, end], color=colours["line"], linewidth=1, zorder=0)
    if sweep.bound and sweep.bound < 1.6 * ax.get_ylim()[1]:
        ax.set_ylim(top=max(ax.get_ylim()[1], 1.05 * sweep.bound))
        ax.axhline(sweep.bound, color=colours["muted"], linewidth=1, dashes=(2, 2))
        plot.caption += " Dotted: the bound."
    ax.set_xlabel(sweep.x_label)
    return _finished(sweep, plot)


def _most_accepted(sweep):
    most = max(sweep.curves, key=lambda curve: np.nanmax(curve.accepted, initial=0))
    return (f"Highest accepted load {number(float(np.nanmax(most.accepted, initial=0)))} flits/node/cycle"
            + (f" ({most.name})." if most.name else "."))


def burton_normal_form(sweep, colours):
    figure, ax = axes()
    plot = Plot("Latency against accepted load", figure, "Where a curve turns up, more offered load brings no more throughput.")
    _draw(plot, ax, sweep, colours, lambda curve: curve.accepted, "latency_mean")
    plot.caption += _limit_latency(ax, sweep)
    _mark_bound(ax, sweep, colours)
    ax.set_xlabel("accepted load, flits/node/cycle")
    return _finished(sweep, plot)


def _draw(plot, ax, sweep, colours, along, column):
    """The curves of a column over what `along` says of each, with error bars, marks and their key, in the order of the axes'
    values: one for all plots of a page."""
    plot.axes, plot.colours = ax, colours
    if len(sweep.curves) > LONG_KEY:
        plot.figure.set_size_inches(WIDE, max(3.6, 0.16 * min(len(sweep.curves), CURVES_UP_TO)))
    drawn = list(enumerate(sweep.curves[:CURVES_UP_TO]))
    for i, curve in drawn:
        x, y, error = along(curve), curve.figures[column], curve.errors[column]
        colour, mark, gid = colours[SERIES[curve.colour]], MARKS[i % len(MARKS)], curve_id(i)
        ax.plot(x, y, DASHES[curve.dashes], color=colour, gid=gid)
        _error_bars(ax, x, y, error, colour, gid)
        for hollow in (False, True):
            at = curve.saturated == hollow
            ax.plot(x[at], y[at], mark, color=colour, linestyle="none", gid=gid,
                    markerfacecolor=colours["surface"] if hollow else colour, markeredgewidth=1.2)
        plot.marks.append(_marks(ax, sweep, i, curve, x, y, error, column))
    if any(curve.saturated.any() for _, curve in drawn):
        plot.hollow = "did not complete"
    if len(sweep.curves) > 1:
        plot.key = [Entry(curve.name, i, SERIES[curve.colour], DASHES[curve.dashes], MARKS[i % len(MARKS)])
                    for i, curve in drawn]
    if any(np.isfinite(curve.errors[column]).any() for _, curve in drawn):
        plot.caption += f" Error bars: 95 % confidence, over {'seeds' if sweep.seeds is not None else 'the batches of a run'}."
    ax.set_ylabel(sweep.label(column))
    if sweep.load_axis:
        ax.set_xlim(left=0)
    elif _spans_decades(np.concatenate([curve.x for curve in sweep.curves])):
        ax.set_xscale("log")
    elif len(x := np.unique(np.concatenate([curve.x for curve in sweep.curves]))) <= 10 and (x % 1 == 0).all():
        ax.set_xticks(x)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))


def _error_bars(ax, x, y, error, colour, gid):
    known = np.isfinite(error) & np.isfinite(y) & (error > 0)
    if not known.any():
        return
    _, caps, stems = ax.errorbar(x[known], y[known], error[known], fmt="none", ecolor=colour, elinewidth=1, capsize=2.5)
    for part in (*caps, *stems):
        part.set_gid(gid)


def _marks(ax, sweep, i, curve, x, y, error, column):
    """What is said of the points of a curve, each of which leads to its run."""
    what = {} if sweep.is_categorical else {with_unit(sweep.x_label): curve.x}
    what[with_unit(sweep.label(column))] = [with_error(value, width) if np.isfinite(value) else None for value, width in zip(y, error)]
    what["ended"] = [", ".join(dict.fromkeys(sweep.table["status"][row] for row in rows)) for rows in curve.rows]
    what[""] = [sweep.point_text(rows) for rows in curve.rows]
    return Marks(ax, x, y, what, curve.name, pages=[place_of(sweep, rows) for rows in curve.rows], curve=i)


def bars(sweep, colours, title, column, caption):
    """Of categories: groups of bars by the axis with most values, in each a bar for every combination of the others."""
    figure, ax = axes()
    plot = Plot(title, figure, caption, axes=ax, colours=colours)
    names = sweep.others
    along = max(range(len(names)), key=lambda k: len(sweep.values[names[k]]))
    groups = list(dict.fromkeys(curve.key[along] for curve in sweep.curves))
    rest = list(dict.fromkeys(_without(curve.key, along) for curve in sweep.curves))
    width = 0.8 / len(rest)
    for curve in sweep.curves:
        value, error = float(curve.figures[column][0]), curve.errors[column]
        if not np.isfinite(value):
            continue
        i = rest.index(_without(curve.key, along))
        left, colour = groups.index(curve.key[along]) - 0.4 + i * width, colours[SERIES[i % len(SERIES)]]
        ax.bar(left + 0.46 * width, value, 0.92 * width, color="none" if curve.saturated[0] else colour, edgecolor=colour,
               linewidth=1.2, gid=curve_id(i))
        _error_bars(ax, np.array([left + 0.46 * width]), np.array([value]), error, colours["ink"], curve_id(i))
        plot.marks.append(_marks(ax, sweep, i, curve, np.array([left + 0.46 * width]), np.array([value]), error, column))
        plot.marks[-1].bar = 0.92 * width
    if len(rest) > 1:
        others = [name for k, name in enumerate(names) if k != along]
        plot.key = [Entry(", ".join(f"{short_name(name)} {sweep.values[name][value]}" for name, value in zip(others, key)),
                                i, SERIES[i % len(SERIES)], "") for i, key in enumerate(rest)]
    labels = [str(sweep.values[names[along]][value]) for value in groups]
    categories(ax, labels)
    ax.grid(visible=False, axis="x")
    ax.set_xlabel(names[along])
    ax.set_ylabel(sweep.label(column))
    ax.set_ylim(bottom=0)
    if column == "latency_mean":
        plot.caption += _limit_latency(ax, sweep)
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 9))))
    if any(np.isfinite(curve.errors[column]).any() for curve in sweep.curves):
        plot.caption += f" Error bars: 95 % confidence, over {'seeds' if sweep.seeds is not None else 'the batches of a run'}."
    plot.source = sweep.table.file
    return plot


def _without(key, place):
    return key[:place] + key[place + 1:]


def _spans_decades(values):
    values = values[np.isfinite(values)]
    return len(values) > 0 and values.min() > 0 and values.max() >= DECADES * values.min()


def _limit_latency(ax, sweep):
    """Keeps saturated points, whose latency grows with the length of the run, from flattening the rest."""
    everything = np.concatenate([curve.latency_mean for curve in sweep.curves])
    if ax.get_xscale() == "log" and _spans_decades(everything):
        ax.set_yscale("log")
        return ""
    steady = np.concatenate([curve.latency_mean[~curve.saturated] for curve in sweep.curves])
    steady = steady[np.isfinite(steady)]
    top = max(1.6 * steady.max(), 4 * steady.min()) if len(steady) else np.inf
    cut = np.nanmax(everything, initial=0) > top
    ax.set_ylim(0, top if cut else max(1.08 * np.nanmax(everything, initial=0), 1))
    return f" Latencies beyond {number(round(top))} {'ns' if sweep.latency_in_ns else 'cycles'} are in the table only." if cut else ""


def _mark_bound(ax, sweep, colours):
    if sweep.load_axis and sweep.bound and sweep.bound < 1.6 * ax.get_xlim()[1]:
        ax.set_xlim(right=max(ax.get_xlim()[1], 1.03 * sweep.bound))
        ax.axvline(sweep.bound, color=colours["muted"], linewidth=1, dashes=(2, 2))


def _finished(sweep, plot):
    if len(sweep.curves) > CURVES_UP_TO:
        plot.caption += f" Only {CURVES_UP_TO} of {len(sweep.curves)} curves are drawn."
    plot.source = sweep.table.file
    return plot
