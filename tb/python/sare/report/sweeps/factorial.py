# SPDX-License-Identifier: Apache-2.0
"""Factorial designs: what each axis of a sweep does to the figures (main effects), and what it does only together with
another (interactions), each with its interval, and with the chance that it is noise."""
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from ..digits import number, with_error
from ..marks import Marks, with_unit
from ..palette import SERIES
from ..plot import WIDTH, Plot, axes, categories, label_lines
from . import noise
from .anova import Analysis, analyse
from .curves import is_seed, short_name, values_of
from .key import Entry, curve_id

MOST_LEVELS = 12    # an axis of more is a curve
SHOWN = 0.01        # share of the variation from which an interaction is drawn


@dataclass
class Factor:
    name: str
    columns: list   # axes that go together
    levels: list    # tuples of their values
    labels: list
    is_workload: bool = False  # a condition that designs are tried under


@dataclass
class Effects:
    """What the factors do to one figure."""
    column: str
    response: str    # its name and unit
    found: Analysis


def factors(sweep):
    """Axes with two levels and more, but the seed and, along a load, that; those that go together are one. Conditions come last."""
    found, taken = [], set()
    for name in sweep.axes:
        if is_seed(name) or name == sweep.load_axis or name in taken:
            continue
        columns = next((names for names in sweep.zipped if name in names), [name])
        taken.update(columns)
        levels = list(dict.fromkeys(zip(*(sweep.table[c] for c in columns))))
        if sweep.load_axis not in columns and 2 <= len(levels) <= MOST_LEVELS:
            texts = [values_of(dict.fromkeys(values)) for values in zip(*levels)]
            found.append(Factor(" & ".join(map(short_name, columns)), columns, levels,
                                [", ".join(str(text[v]) for text, v in zip(texts, level)) for level in levels],
                                all(map(noise.is_workload, columns))))
    return sorted(found, key=lambda f: f.is_workload)


def effects(sweep):
    """Of each figure that varies and is known at every combination; [] where that is no design of two factors and more."""
    return _effects(sweep)[0]


def _effects(sweep):
    """The effects, and the figures that have none because a combination lacks them."""
    design = factors(sweep)
    if len(design) < 2 or all(f.is_workload for f in design):
        return [], []
    shape, groups = [len(f.levels) for f in design], {}
    for row in range(sweep.table.rows):
        key = tuple(f.levels.index(tuple(sweep.table[c][row] for c in f.columns)) for f in design)
        groups.setdefault(key, []).append(row)
    found, missing = [], []
    for column in noise.columns(sweep):
        estimates = {key: noise.estimate(sweep, column, rows) for key, rows in groups.items()}
        if len(groups) < np.prod(shape) or None in estimates.values():
            missing += [column] * any(estimates.values())
        elif len({e.mean for e in estimates.values()}) > 1:
            found.append(Effects(column, noise.label(column, sweep), _analysed(estimates, shape, design)))
    return found, missing if len(groups) == np.prod(shape) else []


def _analysed(estimates, shape, design):
    cells, variances, dfs = (np.empty(shape) for _ in range(3))
    for key, e in estimates.items():
        cells[key], variances[key], dfs[key] = e.mean, e.variance, e.df
    return analyse(cells, variances, dfs, tuple(k for k, f in enumerate(design) if f.is_workload))


def tables(sweep):
    (found, missing), design = _effects(sweep), factors(sweep)
    if not found:
        return []
    header = ["factor", "level"] + [part for e in found for part in (e.response, "effect")]
    levels = [[f.name, label] + [v for e in found for v in (e.found.mean + e.found.main(i).effect[k], _effect(e.found.main(i), k))]
              for i, f in enumerate(design) for k, label in enumerate(f.labels)]
    conditions = {k for k, f in enumerate(design) if f.is_workload}
    terms = sorted((t for t in found[0].found.terms if not set(t) <= conditions), key=lambda t: -found[0].found.terms[t].share)
    rows = [[" × ".join(design[i].name for i in t)] + [_verdict(e.found.terms[t]) for e in found] for t in terms]
    rows.append(["three and more together"] + [f"{100 * e.found.rest:.1f} %" for e in found])
    rows.append(["of all this, expected by chance"] + [f"{100 * e.found.noise:.1f} %" if np.isfinite(e.found.noise) else "not known" for e in found])
    return [("Main effects", header, levels, "Means over all levels of the other factors; effect: from the mean of all, ± half of its 95 % "
             "confidence interval." + _left_out(sweep, missing)),
            ("Shares of the variation", ["term", *(e.response for e in found)], rows,
             "Of the sum of squares of the designs' means" + (", each workload by itself" if conditions else "") + ". p: the chance of so large an "
             "effect where there is none (analysis of variance, by Holm over all terms)." + _untested(found))]


def _effect(term, level):
    value = float(term.effect[level])
    value = value if abs(value) > 1e-12 * np.abs(term.effect).max() else 0.0
    return with_error(value, float(term.half_width[level]))


def _verdict(term):
    share = f"{100 * term.share:.1f} %"
    if np.isnan(term.chance):
        return share
    return f"{share}, {_chance(term)}" if term.is_real else f"noise ({_chance(term)})"


def _chance(term):
    return "p < 0.001" if term.chance < 0.001 else f"p = {term.chance:.2g}"


def _untested(found):
    unknown = [e.response.split(",")[0] for e in found if np.isnan(e.found.noise)]
    return f" The noise of {', '.join(unknown)} is not known from one seed, so nothing of it is tested; --seeds tells." if unknown else ""


def _left_out(sweep, missing):
    names = ", ".join(noise.label(column, sweep).split(",")[0] for column in missing)
    return f" Not known of every design, and left out: {names}; a saturated or unsettled latency has no mean." if names else ""


def plots(sweep, colours):
    found, design = effects(sweep), factors(sweep)
    if not found:
        return []
    made = [_main(found[0], design, colours, sweep)]
    pairs = [(e, t) for e in found for t in e.found.terms.values() if len(t.factors) == 2 and not all(design[i].is_workload for i in t.factors)]
    real = [(e, t) for e, t in pairs if t.is_real and t.share > SHOWN]
    if real:
        made.append(_interaction(*max(real, key=lambda each: (each[0] is found[0], each[1].share)), design, colours, sweep))
    return made


def _main(e, design, colours, sweep):
    """A part for each factor of the design: the mean at each of its levels; muted where it is noise."""
    shown = [(i, f) for i, f in enumerate(design) if not f.is_workload]
    figure = Figure(figsize=(WIDTH, 2.9))
    parts = figure.subplots(1, len(shown), sharey=True, squeeze=False)[0]
    marks = []
    for ax, (i, factor) in zip(parts, shown):
        term = e.found.main(i)
        y, colour = e.found.mean + term.effect, colours["muted" if term.chance >= 0.05 else SERIES[0]]
        ax.axhline(e.found.mean, color=colours["muted"], linewidth=1, dashes=(2, 2))
        ax.errorbar(range(len(y)), y, np.nan_to_num(term.half_width), fmt="o-", color=colour, elinewidth=1, capsize=2)
        _levels(ax, factor, 1 / len(shown))
        marks.append(Marks(ax, np.arange(len(y)), y, {with_unit(f"mean {e.response}"): y, "effect": [_effect(term, k) for k in range(len(y))]},
                           [f"{factor.name} {label}" for label in factor.labels]))
    parts[0].set_ylabel(label_lines(f"mean {e.response}"))
    said = "; ".join(f"{f.name} {_verdict(e.found.main(i))}" for i, f in shown)
    over = ", ".join(f.name for f in design if f.is_workload)
    return Plot(f"Main effects on {e.response.split(',')[0]}", figure, f"Mean at each level, over all levels of the others{f' and over {over}' if over else ''}, "
                f"with 95 % intervals. Of the variation they explain: {said}." + _untested([e]), sweep.table.file, marks=marks)


def _interaction(e, term, design, colours, sweep):
    """Lines that are not parallel: the effect of one depends on the other."""
    along, across = sorted(term.factors, key=lambda i: -len(design[i].levels))
    turned = (along, across) != term.factors
    effect, width = (np.transpose(v) if turned else v for v in (term.effect, term.half_width))
    figure, ax = axes(2.9)
    plot = Plot(f"Interaction of {design[along].name} and {design[across].name}", figure,
                f"On {e.response.split(',')[0]}; parallel lines would be none. It explains {number(100 * term.share, 3)} % of the variation "
                f"({_chance(term)}). Bars: 95 % intervals of the interaction.", sweep.table.file, axes=ax, colours=colours)
    for k, label in enumerate(design[across].labels):
        y = e.found.mean + e.found.main(along).effect + e.found.main(across).effect[k] + effect[:, k]
        colour = colours[SERIES[k % len(SERIES)]]
        ax.errorbar(range(len(y)), y, width[:, k], fmt="none", ecolor=colour, elinewidth=1, capsize=2)
        ax.plot(range(len(y)), y, "o-", color=colour, gid=curve_id(k))
        plot.key.append(Entry(f"{design[across].name} {label}", k, SERIES[k % len(SERIES)], "-", "o"))
        plot.marks.append(Marks(ax, np.arange(len(y)), y, {with_unit(f"mean {e.response}"): y},
                                [f"{design[along].name} {one}, {design[across].name} {label}" for one in design[along].labels], curve=k))
    _levels(ax, design[along])
    ax.set_ylabel(label_lines(f"mean {e.response}"))
    return plot


def _levels(ax, factor, share=1.0):
    categories(ax, factor.labels, share)
    ax.margins(x=0.15)
    ax.set_xlabel(factor.name)
