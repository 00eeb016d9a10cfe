# SPDX-License-Identifier: Apache-2.0
"""Factorial designs: what each axis of a sweep does to the figures (main effects), and what it does only together with
another (interactions), with the share of all variation that each explains."""
import itertools
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from ..key import Entry, curve_id
from ..marks import Marks, with_unit
from ..palette import SERIES
from ..plot import WIDTH, Plot, axes, categories
from .curves import UNSTEADY, is_seed, short_name, values_of

# Column, what it is called, and of a load curve which of its values stands for the curve.
RESPONSES = [("makespan_cycles", "makespan, cycles", np.nanmin), ("latency_mean", "latency, cycles", np.nanmin),
             ("accepted", "accepted load", np.nanmax)]
NAMES_OF_CURVES = {"latency_mean": "lowest latency, cycles", "accepted": "highest accepted load"}
MOST_LEVELS = 12  # an axis of more is a curve


@dataclass
class Factor:
    name: str
    columns: list   # axes that go together
    levels: list    # tuples of their values
    labels: list


@dataclass
class Effects:
    """Of one response: the array of its values by level of each factor and by seed, taken apart."""
    response: str
    mean: float
    main: list       # of each factor, by level
    pairs: dict      # (i, j): by the levels of both
    shares: dict     # term -> share of the variation; () is what is left: seeds, and interactions of more than two

    def effect(self, factor, level):
        """Main effect, 0 for what is left of rounding."""
        value = float(self.main[factor][level])
        return value if abs(value) > 1e-12 * abs(self.mean) else 0.0


def factors(sweep):
    """Axes with two levels and more, but the seed and, along a load, that; those that go together are one."""
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
                                [", ".join(str(text[v]) for text, v in zip(texts, level)) for level in levels]))
    return found


def responses(sweep):
    """(column, name, values) of the figures that vary; values: combination of levels -> one for each seed."""
    table, design = sweep.table, factors(sweep)
    seeds = next((table[name] for name in sweep.axes if is_seed(name)), np.zeros(table.rows))
    for column, name, of_curve in RESPONSES:
        if column not in table:
            continue
        groups = {}
        for row in range(table.rows):
            if np.isfinite(table[column][row]):
                key = tuple(f.levels.index(tuple(table[c][row] for c in f.columns)) for f in design)
                groups.setdefault(key, {}).setdefault(seeds[row], []).append(table[column][row])
        values = {key: [float(of_curve(v)) for v in by_seed.values()] for key, by_seed in groups.items()}
        if values and len({v for each in values.values() for v in each}) > 1:
            yield column, (NAMES_OF_CURVES if sweep.load_axis else {}).get(column, name), values


def effects(sweep):
    """Of each response that is known at every combination; [] where that is no design of two factors and more."""
    design = factors(sweep)
    if len(design) < 2:
        return []
    shape = [len(f.levels) for f in design]
    found = []
    for _, name, values in responses(sweep):
        if len(values) == np.prod(shape):
            found.append(_effects(name, values, shape))
    return found


def _effects(name, values, shape):
    cells = np.empty(shape)
    for key, samples in values.items():
        cells[key] = np.mean(samples)
    mean, total = cells.mean(), sum((x - cells.mean()) ** 2 / len(s) for s in values.values() for x in s)
    over = lambda keep: cells.mean(axis=tuple(k for k in range(len(shape)) if k not in keep))
    main = [over((i,)) - mean for i in range(len(shape))]
    pairs = {(i, j): over((i, j)) - mean - main[i][:, None] - main[j][None, :]
             for i, j in itertools.combinations(range(len(shape)), 2)}
    weight = lambda effect: float((effect ** 2).sum() * cells.size / effect.size)
    shares = {(i,): weight(e) for i, e in enumerate(main)} | {k: weight(e) for k, e in pairs.items()}
    shares = {term: part / total if total > 0 else 0.0 for term, part in shares.items()}
    shares[()] = max(0.0, 1 - sum(shares.values()))
    return Effects(name, mean, main, pairs, shares)


def tables(sweep):
    found, design = effects(sweep), factors(sweep)
    if not found:
        return []
    header = ["factor", "level"] + [part for e in found for part in (e.response, "effect")]
    levels = [[f.name, label] + [v for e in found for v in (e.mean + e.main[i][k], e.effect(i, k))]
              for i, f in enumerate(design) for k, label in enumerate(f.labels)]
    terms = [[_term(design, term)] + [f"{100 * e.shares[term]:.1f} %" for e in found]
             for term in sorted(found[0].shares, key=lambda t: (len(t) == 0, -found[0].shares[t]))]
    return [("Main effects", header, levels, "Means over all levels of the other factors; effect: from the mean of all." + not_steady(sweep)),
            ("Shares of the variation", ["term", *(e.response for e in found)], terms,
             "Of the sum of squares. The rest is of seeds, and of three factors and more together.")]


def not_steady(sweep):
    """A sentence on points whose latencies are no steady means; "" where all are."""
    points = int(np.isin(sweep.table["status"], UNSTEADY).sum())
    return (f" Latencies of {points} point{'s are' if points > 1 else ' is'} among them that did not settle: they depend on the length of "
            "the run.") if points and not sweep.load_axis else ""


def _term(design, term):
    return " × ".join(design[i].name for i in term) or "rest"


def plots(sweep, colours):
    found, design = effects(sweep), factors(sweep)
    if not found:
        return []
    made = [_main(found[0], design, colours, sweep)]
    of, strongest = max(((e, pair) for e in found for pair in e.pairs), key=lambda each: each[0].shares[each[1]])
    if of.shares[strongest] > 0.001:
        made.append(_interaction(of, design, strongest, colours, sweep))
    return made


def _main(e, design, colours, sweep):
    """A part for each factor: the mean at each of its levels."""
    figure = Figure(figsize=(WIDTH, 2.9))
    parts = figure.subplots(1, len(design), sharey=True, squeeze=False)[0]
    marks = []
    for ax, factor, main in zip(parts, design, e.main):
        ax.axhline(e.mean, color=colours["muted"], linewidth=1, dashes=(2, 2))
        ax.plot(range(len(main)), e.mean + main, "o-", color=colours[SERIES[0]])
        _levels(ax, factor, 1 / len(design))
        marks.append(Marks(ax, np.arange(len(main)), e.mean + main, {with_unit(f"mean {e.response}"): e.mean + main, "effect": main},
                           [f"{factor.name} {label}" for label in factor.labels]))
    parts[0].set_ylabel(f"mean {e.response}")
    shares = ", ".join(f"{f.name} {100 * e.shares[(i,)]:.0f} %" for i, f in enumerate(design))
    return Plot("Main effects", figure, f"Mean at each level, over all levels of the others. Of the variation they explain: {shares}." + not_steady(sweep),
                sweep.table.file, marks=marks)


def _interaction(e, design, pair, colours, sweep):
    """Lines that are not parallel: the effect of one depends on the other."""
    along, across = sorted(pair, key=lambda i: -len(design[i].levels))
    effect = e.pairs[pair] if (along, across) == pair else e.pairs[pair].T
    figure, ax = axes(2.9)
    plot = Plot(f"Interaction of {design[along].name} and {design[across].name}", figure,
                f"Parallel lines would be none. It explains {100 * e.shares[pair]:.1f} % of the variation, the most of all pairs." + not_steady(sweep),
                sweep.table.file, axes=ax, colours=colours)
    for k, label in enumerate(design[across].labels):
        y = e.mean + e.main[along] + e.main[across][k] + effect[:, k]
        ax.plot(range(len(y)), y, "o-", color=colours[SERIES[k % len(SERIES)]], gid=curve_id(k))
        plot.key.append(Entry(f"{design[across].name} {label}", k, SERIES[k % len(SERIES)], "-", "o"))
        plot.marks.append(Marks(ax, np.arange(len(y)), y, {with_unit(f"mean {e.response}"): y},
                                [f"{design[along].name} {one}, {design[across].name} {label}" for one in design[along].labels], curve=k))
    _levels(ax, design[along])
    ax.set_ylabel(f"mean {e.response}")
    return plot


def _levels(ax, factor, share=1.0):
    categories(ax, factor.labels, share)
    ax.margins(x=0.15)
    ax.set_xlabel(factor.name)
