# SPDX-License-Identifier: Apache-2.0
"""What the pages of a sweep and of a search for saturation say."""
from pathlib import Path

import numpy as np
from markupsafe import Markup

from ..contents import caution, config_rows, drawn, network_name, workload_name
from ..digits import number
from ..read import lookup
from . import noise, plots as sweep_plots, saturation as saturation_plots
from .curves import UNSTEADY, own_clocks, point_place


# ---- a sweep

def sweep(result, plots):
    table = result.tables["sweep"]
    states = {state: int((table["status"] == state).sum()) for state in dict.fromkeys(table["status"])}
    failed = failed_points(result)
    worst = "deadlock" in states or failed
    summary = _any_summary(result)
    config = result.sweep.get("config", {})
    axes = result.sweep.get("axes") or {}
    asked = result.sweep.get("points") or (int(np.prod([len(values) for values in axes.values()])) if axes else table.rows)
    beyond = beyond_the_end(result)
    missing = table.rows + beyond < asked
    name = "" if network_varies(axes) else network_name(summary.get("topology", {}) if summary else lookup(config, "network", {}))
    return {
        "title": ", ".join(part for part in (config.get("name"), name, workload_name(config)) if part)
        or Path(result.sweep.get("file", "Sweep")).stem,
        "status": f"{table.rows} of {asked - beyond} points" if missing else f"{table.rows} points",
        "tone": "bad" if worst else "warn" if missing else "good",
        "reason": ", ".join([f"{count} {state}" for state, count in states.items()] + [f"{failed} failed"] * bool(failed)
                            + [f"{beyond} beyond the ends of load curves, which need no run"] * bool(beyond)),
        "caution": caution(summary.get("deadlock_check")) if summary else "",
        "facts": [f"{name}: {len(values)} values" for name, values in axes.items()]
        + ([f"from {result.sweep['file']}"] if result.sweep.get("file") else []),
        "figures": _sweep_figures(table), "timelines": [], "plots": drawn(plots, result),
        "tables": [t for t in (_failed_table(result), *sweep_plots.tables(result), _seeds_table(result), _points_table(result)) if t],
        "config": config_rows(config), "kind": "Sweep",
        "program": f"{summary.get('program', 'sare')} {summary.get('version', '')}".strip() if summary else "sare",
    }


def network_varies(axes):
    """Whether no one is the network of all points."""
    return any(axis == "case" or axis.split(".")[0] == "network" for axis in axes)


def beyond_the_end(result):
    """Number of points that were not run because their load curve had ended: with its second saturated point."""
    table, axes = result.tables["sweep"], result.sweep.get("axes") or {}
    load = next((name for name in axes if name.split(".")[-1] == "load" and name in table and table[name].dtype == float), None)
    if load is None or any(load in names for names in result.sweep.get("zipped") or []):
        return 0
    others = [name for name in axes if name != load and name in table]
    curves = {}
    for row in range(table.rows):
        curves.setdefault(tuple(table[name][row] for name in others), []).append(row)
    loads = np.array([value for value in axes[load] if isinstance(value, (int, float))], float)
    ended = [rows for rows in curves.values() if np.sum(table["status"][rows] == "saturated") >= 2]
    return int(sum(np.sum(loads > table[load][rows].max()) for rows in ended))


# ---- a search for saturation

def saturation(result):
    asked = result.saturation
    config, all_of_them = asked.get("config", {}), asked["combinations"]
    found = sum(one.get("status") == "found" for one in all_of_them)
    wanted = int(np.prod([len(values) for values in asked.get("axes", {}).values()])) if asked.get("axes") else 1
    return {
        "title": ", ".join(part for part in (_asked_network(asked), _asked_workload(config, asked.get("axes", {}))) if part) or "Saturation",
        "status": f"{found} of {wanted} found", "tone": "good" if found == wanted else "warn",
        "reason": "The highest load that every source sustains, where it is known to 5 %, and the bound by channel loads.",
        "caution": "", "facts": [f"{name}: {len(values)} values" for name, values in asked.get("axes", {}).items()]
        + ([f"from {asked['file']}"] if asked.get("file") else []) + [f"{sum(len(one.get('runs', [])) for one in all_of_them)} runs"],
        "figures": _saturation_figures(all_of_them[0], asked) if len(all_of_them) == 1 else [], "timelines": [],
        "plots": drawn(saturation_plots, result), "tables": [_saturation_table(result)] if all_of_them else [], "config": config_rows(config),
        "kind": "Saturation", "program": f"{asked.get('program', 'sare')} {asked.get('version', '')}".strip(),
    }


def _asked_network(asked):
    """The file's name where the network is an axis."""
    config = asked.get("config", {})
    if network_varies(asked.get("axes", {})):
        return config.get("name") or Path(asked.get("file", "")).stem.capitalize()
    network = lookup(config, "network", {})
    return network_name({"name": network.get("topology", "network"), "dims": network.get("dims")})


def _asked_workload(config, axes):
    """But for a pattern that is an axis."""
    pattern = lookup(config, "traffic.pattern") if not any(axis.startswith("traffic.pattern") for axis in axes) else None
    pattern = pattern.get("name") if isinstance(pattern, dict) else pattern
    return " ".join(str(part) for part in (lookup(config, "traffic.workload"), pattern) if part)


def _saturation_figures(one, asked):
    slow, bound, unit = saturation_plots.slow(one), lookup(one, "bound.load"), saturation_plots.unit(asked)
    return [
        ("Saturation", saturation_plots.headline(one), unit if lookup(one, "saturation.load") else "",
         saturation_plots.between(one) + ", " + lookup(one, "saturation.confidence", "")),
        ("Set by", lookup(one, "limiter.why"), "", lookup(one, "limiter.link", "")),
        ("Bound by channel loads", bound, unit, lookup(one, "bound.link") or lookup(one, "bound.why", "")),
        ("Of the bound", f"{100 * one['of_bound']:.0f}" if one.get("of_bound") else None, "%", ""),
        ("Latency without load", saturation_plots.without_load(one), "cycles", "mean, from generation"),
        (f"{number(asked.get('latency_factor', 2))} times that", slow, unit, "" if slow else saturation_plots.not_slow(one)),
    ]


def _saturation_table(result):
    axes = list(result.saturation.get("axes", {}))
    header = ["point", *axes, "saturation", "from", "to", "confidence", "latency without load", "slow at", "bound", "of bound", "set by",
              "bound set by", "more alike"]
    rows = [[one.get("point"), *(one.get("axes", {}).get(axis) for axis in axes), saturation_plots.headline(one),
             lookup(one, "saturation.sustained"), lookup(one, "saturation.saturated"), lookup(one, "saturation.confidence"), saturation_plots.without_load(one),
             saturation_plots.slow(one), lookup(one, "bound.load"), f"{100 * one['of_bound']:.0f} %" if one.get("of_bound") else None,
             ": ".join(filter(None, (lookup(one, "limiter.link"), lookup(one, "limiter.why")))) or None,
             lookup(one, "bound.link") or lookup(one, "bound.why"), max((lookup(one, "bound.busiest") or 1) - 1, 0)]
            for one in result.saturation["combinations"]]
    return ("Combinations", header, rows, f"Loads in {saturation_plots.unit(result.saturation)}, latencies in cycles. All in saturation.csv; the runs in points/.")


def _any_summary(result):
    from ..read import point_summary
    return next(filter(None, (point_summary(result, p) for p in result.tables["sweep"]["point"])), None)


def _sweep_figures(table):
    if not table.rows:
        return []
    in_ns = own_clocks(table)
    accepted, latency = table["accepted"], table["latency_ns" if in_ns else "latency_mean"]
    figures = []
    if np.isfinite(accepted).any():
        best = int(np.nanargmax(accepted))
        figures.append(("Highest accepted load", noise.known(table, "accepted", best), "flits/node/cycle", f"at point {int(table['point'][best])}"))
    if np.isfinite(latency).any():
        settled = np.where(np.isin(table["status"], UNSTEADY), np.nan, latency)
        least = int(np.nanargmin(settled if np.isfinite(settled).any() else latency))
        figures.append(("Lowest latency", noise.known(table, "latency_ns" if in_ns else "latency_mean", least), "ns" if in_ns else "cycles", f"at point {int(table['point'][least])}" + (
            "" if np.isfinite(settled[least]) else "; depends on the length of the run")))
    steady = table["status"] == "completed"
    if steady.any() and np.isfinite(table["offered"][steady]).any():
        figures.append(("Highest steady load", float(np.nanmax(table["offered"][steady])), "flits/node/cycle",
                        "offered, not saturated"))
    return figures


def failed_points(result):
    """How many; failed.csv has ranges such as "002-004, 007"."""
    table = result.tables.get("failed")
    parts = [part.split("-") for text in (table["points"] if table else ()) for part in text.split(", ")]
    return sum(int(part[-1]) - int(part[0]) + 1 for part in parts)


def _failed_table(result):
    table = result.tables.get("failed")
    return ("Failed points", ("reason", "points"), list(zip(table["reason"], table["points"])), "") if table else None


def _seeds_table(result):
    """A row for points that differ in nothing but the seed, with means; None of one seed."""
    table = result.tables.get("seeds")
    if table is None or not table.rows:
        return None
    left_out = ("injected", "latency_p50", "latency_p95", "latency_max", "network_latency_mean", "hops_mean", "cycles")
    names = [name for name in table.columns if not name.endswith("_ci95") and name not in left_out]
    rows = [[_starred(table, name, row) for name in names] for row in range(table.rows)]
    return "Means over seeds", [name.replace("_", " ") for name in names], rows, "± half of the 95 % confidence interval. All in seeds.csv." + _stars(table)


def _starred(table, name, row):
    """The same, with a star where it is not steady."""
    value = noise.known(table, name, row)
    unsteady = "latency" in name and np.isfinite(table[name][row]) and any(state in table["status"][row] for state in UNSTEADY)
    return f"{number(value)}*" if unsteady else value


def _link(result, point):
    """The number of a point, which leads to its run."""
    place = point_place(result, point)
    return Markup('<a href="{}">{}</a>').format(place, int(point)) if place else int(point)


def _points_table(result):
    table = result.tables["sweep"]
    names = [name for name in table.columns if not name.endswith("_ci95")]
    rows = [[_link(result, table[name][row]) if name == "point" else _starred(table, name, row) for name in names] for row in range(table.rows)]
    note = "Latencies in cycles, loads in flits/node/cycle; ± half of the 95 % confidence interval, over the batches of a run. All in sweep.csv."
    return "Points", [name.replace("_", " ") for name in names], rows, note + _stars(table)


def _stars(table):
    starred = any(state in status for status in table["status"] for state in UNSTEADY)
    return " * Saturated or unsettled: it depends on the length of the run." if starred else ""
