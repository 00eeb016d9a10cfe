# SPDX-License-Identifier: Apache-2.0
"""Energy and power of a run, where the section 'power' asked for them."""
import numpy as np
from matplotlib.ticker import FuncFormatter, MaxNLocator

from . import places
from .digits import number
from .marks import Marks
from .palette import SERIES
from .plot import Plot, axes, heat, heat_scale, legend, scale_top, thinned

SQUARES = 96        # a side, where a square stands for several routers
LINES_UP_TO = 1024  # routers; beyond, links are too thin to see
CAUSES = ("data", "events", "clock", "leakage")


def plots(result, colours):
    return [plot for plot in (power_map(result, colours), over_time(result, colours), by_domain(result, colours)) if plot]


def power_map(result, colours):
    """Each router in the colour of its dynamic power: clocks, which may be most of it, are alike."""
    table, links = result.tables.get("routers"), result.tables.get("links")
    if not table or not links or "power" not in table or not np.isfinite(table["power"]).any():
        return None
    routers = int(result.get("topology.routers", 0))
    found = places.links(links, routers)
    if found is None or table.rows != routers:
        return None
    channels = found[1]
    place = places.of(result, routers, channels)
    by_router = np.argsort(table["router"])
    whole = table["power"][by_router]
    power = whole * (table["energy_dynamic"] / table["energy"])[by_router]
    rest = whole - power
    corner, step, cell = places.cells(place, SQUARES)
    figure, ax = places.frame(place, margin=step)
    if routers <= LINES_UP_TO:
        for parts in places.lines(place, channels):
            for line in parts:
                ax.plot(*line.T, color=colours["line"], linewidth=0.8, zorder=1)
    most = np.full(len(corner), np.nan)
    np.fmax.at(most, cell, power)
    boxes = [places.box(xy + step / 2 - place.unit / 2, 0.36 * step) for xy in corner]
    top = scale_top(power)
    order = heat(ax, boxes, most, top, colours, gid="mark-squares")
    places.name_groups(ax, place, 0.5 * step, colours)
    heat_scale(figure, ax, top, "dynamic power of the router, mW", colours)
    names = places.names(result, "router", routers)
    worst = int(np.nanargmax(power))
    by_cell = np.split(np.argsort(cell, kind="stable"), np.cumsum(np.bincount(cell))[:-1])
    said = [f"Router {names[own[0]]}" if len(own) == 1 else f"{len(own)} routers, {own[0]} to {own[-1]}" for own in by_cell]
    marks = [Marks(ax, *np.array(boxes).mean(1).T, {"dynamic power (mW)": most}, said, reach=0.4 * step * places.points_per_unit(ax),
                   shapes=order, gid="squares")]
    hottest = np.argsort(-np.nan_to_num(whole), kind="stable")[:20]
    columns = [name for name in ("power", "peak_power", "energy_dynamic", "energy_clock", "energy_leakage") if name in table]
    return Plot("Power of routers", figure, f"Each square is a router in the colour of its dynamic power: mean {number(float(np.nanmean(power)))} mW, "
                f"highest {number(float(power[worst]))} mW, router {names[worst]}. Clock and leakage are {number(float(np.nanmean(rest)))} mW more, "
                "in the mean.", table.file, ("router", *(c.replace("_", " ") for c in columns)),
                [(names[r], *(table[c][by_router[r]] for c in columns)) for r in hottest], marks)


def over_time(result, colours):
    table = result.tables.get("power_over_time")
    if not table or table.rows < 2:
        return None
    figure, ax = axes(2.3)
    edges = np.append(table["begin"], table["end"][-1])
    ax.stairs(table["power"], edges, color=colours["c0"], linewidth=1.3)
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(0, 1.05 * scale_top(table["power"]))
    ax.set_xlabel("cycle")
    ax.set_ylabel("power, mW")
    ax.xaxis.set_major_locator(MaxNLocator(5))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    caption = (f"Power of the network in the measured window. Mean {number(result.get('power.mean'))} mW, highest "
               f"{number(result.get('power.peak'))} mW, in the interval from cycle {number(result.get('power.peak_at'))}.")
    middle = (edges[:-1] + edges[1:]) / 2
    return Plot("Power over time", figure, caption, table.file, ("from cycle", "to before", "energy (pJ)", "power (mW)"),
                thinned(zip(*(table[name] for name in ("begin", "end", "energy", "power")))),
                [Marks(ax, middle, table["power"], {"from cycle": edges[:-1], "power (mW)": table["power"]}, "")])


def by_domain(result, colours):
    """Power of each domain over time, and the frequency of those whose clock changes."""
    table = result.tables.get("domain_power_over_time")
    if not table:
        return None
    names = list(dict.fromkeys(table["domain"]))
    rows = {name: np.flatnonzero(table["domain"] == name) for name in names}
    if len(rows[names[0]]) < 2:
        return None
    changing = [name for name in names if np.ptp(table["frequency"][rows[name]]) > 0]
    figure, all_axes = axes(2.3 + 1.3 * bool(changing), 1 + bool(changing), sharex=True, squeeze=False)
    upper, lower = all_axes[0, 0], all_axes[-1, 0]
    marks = []
    for k, name in enumerate(names):
        own, colour = rows[name], colours[SERIES[k % len(SERIES)]]
        edges = np.append(table["begin"][own], table["end"][own][-1])
        upper.stairs(table["power"][own], edges, color=colour, linewidth=1.3, label=name)
        if name in changing:
            lower.stairs(table["frequency"][own], edges, color=colour, linewidth=1.3)
        marks.append(Marks(upper, (edges[:-1] + edges[1:]) / 2, table["power"][own],
                           {"from cycle": edges[:-1], "power (mW)": table["power"][own], "frequency (MHz)": table["frequency"][own],
                            "voltage (V)": table["voltage"][own]}, name))
    lower.set_xlim(edges[0], edges[-1])
    upper.set_ylim(0, 1.05 * scale_top(table["power"]))
    upper.set_ylabel("power, mW")
    if changing:
        lower.set_ylim(0, 1.05 * scale_top(table["frequency"]))
        lower.set_ylabel("clock, MHz")
    lower.set_xlabel("cycle")
    lower.xaxis.set_major_locator(MaxNLocator(5))
    for axis in (lower.xaxis, upper.yaxis, lower.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    legend(upper)
    caption = "Power of each domain: its routers, its NICs and the links that they write" + ("; below, mean frequencies of clocks that change." if changing else ".")
    columns = ("domain", "begin", "end", "frequency", "voltage", "energy", "power")
    return Plot("Power of domains", figure, caption, table.file, columns, thinned(zip(*(table[name] for name in columns))), marks)


def figures(result):
    """(name, value, unit, remark) of the strip under the headline."""
    get = result.get
    if get("power.mean") is None:
        return []
    return [("Power", get("power.mean"), "mW", f"at most {number(get('power.peak'))} in an interval"),
            ("Energy", get("power.energy.per_bit"), "pJ a bit delivered", f"{number(get('power.energy.per_packet'))} pJ a packet")]


def tables(result):
    """(title, header, rows, note)."""
    table, get = result.tables.get("power"), result.get
    if not table:
        return []
    rows = [(name.replace("_", " "), *values) for name, *values in zip(*(table[c] for c in ("component", "energy", *CAUSES, "power"))) if values[0]]
    rows.append(("all", *(float(np.sum(table[c])) for c in ("energy", *CAUSES, "power"))))
    note = f"Energy in pJ, in the measured window; power in mW, at {number(get('power.frequency'))} MHz. Costs: {get('power.tables')}."
    for key, said in (("not_characterised", "Not characterised: "), ("extrapolated", "Extrapolated: ")):
        if get(f"power.{key}"):
            note += f" {said}{get(f'power.{key}')}."
    period = get("power.clock_period")
    if period and get("power.frequency") and period * get("power.frequency") > 1001:
        note += f" The slowest block needs {number(period)} ns: it cannot run at this clock."
    made = [("Energy", ("", "energy", *CAUSES, "power"), rows, note), ("Energy and power", ("figure", "value", "unit"), _summary(get), "")]
    domains, columns = result.tables.get("domain_power"), ("domain", "energy", "dynamic", "clock", "leakage", "power", "energy_delay")
    if domains:
        made.insert(1, ("Energy of domains", tuple(c.replace("_", "-") for c in columns), list(zip(*(domains[c] for c in columns))),
                        "Energy in pJ, in the measured window; power in mW; energy times the length of the window in J s."))
    return made


def _summary(get):
    said = (("energy a packet", "energy.per_packet", "pJ"), ("energy a bit delivered", "energy.per_bit", "pJ"), ("latency", "latency", "ns"),
            ("throughput", "throughput", "Gbit/s"), ("energy-delay product, of a packet", "energy_delay", "pJ ns"),
            ("energy-delay product, of the window", "energy_delay_of_run", "J s"), ("saved by routers that were off", "gating.saved", "pJ"),
            ("cost of waking them", "gating.cost", "pJ"), ("area", "area", "mm²"),
            ("clock period, least", "clock_period", "ns"), ("voltage", "voltage", "V"))
    return [(name, get(f"power.{key}"), unit) for name, key, unit in said if get(f"power.{key}")]
