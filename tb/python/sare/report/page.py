# SPDX-License-Identifier: Apache-2.0
"""The page: what it says, in which order. How it looks is in web/page.html.j2."""
import json
import re
from pathlib import Path

import jinja2
import matplotlib
import numpy as np
from markupsafe import Markup

from . import bridge, failed, flowplot, netmap, palette, power, run_plots, timeline
from .contents import caution, cell, config_rows, drawn, first_clause, flat, network_name, not_steady, workload_name
from .digits import number, rounded_up, with_error
from .read import lookup
from .sweeps.key import LONG_KEY, add_key, swatch
from .sweeps import contents, exploration, fitted, plots as sweep_plots, saturation as saturation_plots
from .sweeps.chance import t_quantile

WEB = Path(__file__).parent / "web"
STATUS = {  # tone of the badge, and what a status means, said for the first time
    "completed": ("good", "The run ended as it should."),
    "saturated": ("warn", "The network took less than it was offered; latencies grow with the length of the run."),
    "unsettled": ("warn", "Too few packets, or too short to tell whether there is a steady mean."),
    "deadlock": ("bad", "Flits waited for each other in a circle; the figures end there."),
    "failed": ("bad", "What the run was of went wrong."),
    "interrupted": ("warn", "The run was stopped; the figures cover what was simulated until then."),
}


def picture(result, form):
    """The main plot as a file of that form, for light backgrounds."""
    plots = fitted if result.fit else exploration if result.exploration else saturation_plots if result.saturation else sweep_plots if result.is_sweep else run_plots
    with matplotlib.rc_context(palette.style(palette.LIGHT)):
        plot = plots.main_picture(result, palette.LIGHT)
        if plot is None:
            from .read import Problem
            raise Problem(f"{result.directory}: nothing in it to draw")
        return palette.picture_file(add_key(plot), form, palette.LIGHT)


def network(result, form):
    """The network as a file of that form, for light backgrounds."""
    with matplotlib.rc_context(palette.style(palette.LIGHT)):
        return palette.picture_file(netmap.draw(result, palette.LIGHT), form, palette.LIGHT)


def html(result, study=None):
    """The page; a study (table(result), plots(result, colours)) has its own plots, and its table first."""
    if result.fit:
        content = fitted.content(result)
    elif result.exploration:
        content = exploration.content(result)
    elif result.saturation:
        content = contents.saturation(result)
    else:
        content = contents.sweep(result, study or sweep_plots) if result.is_sweep else _run(result)
    if study:
        content["tables"].insert(0, ("Result", *study.table(result), "All in result.csv."))
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(WEB), autoescape=True,
                                     trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    environment.filters["number"] = cell
    environment.filters["swatch"] = swatch
    environment.filters["is_wide"] = is_wide
    environment.globals["long_key"] = LONG_KEY
    return environment.get_template("page.html.j2").render(
        tables_script=Markup((WEB / "tables.js").read_text()),
        light=Markup(palette.css(palette.LIGHT)), dark=Markup(palette.css(palette.DARK)),
        explore=Markup((WEB / "explore.js").read_text()), **content)


HALF_A_PAGE = 68  # letters


def is_wide(header, rows):
    """A table that wants the page's width."""
    longest = lambda k: max([min(len(cell(row[k])), 40) for row in rows] + [len(word) for word in str(header[k]).split()])
    return len(header) > 5 or bool(rows) and sum(3 + longest(k) for k in range(len(header))) > HALF_A_PAGE


def plot_files(plots, result):
    """(name, SVG for light backgrounds) of each of the plots."""
    with matplotlib.rc_context(palette.style(palette.LIGHT)):
        return [(re.sub(r"\W+", "-", plot.title.lower()).strip("-"), palette.svg_file(add_key(plot), palette.LIGHT))
                for plot in plots.plots(result, palette.LIGHT)]


# ---- a run

def _run(result):
    get = result.get
    config = get("config", {})
    tone, meaning = STATUS.get(get("status"), ("warn", ""))
    finding, more = first_clause(get("status_reason") or _with_failures(result, meaning))
    what = [get("name", ""), network_name(get("topology", {})), workload_name(config)]
    return {
        "title": ", ".join(part for part in what if part), "status": get("status"), "tone": tone,
        "reason": finding, "more": more, "caution": caution(get("deadlock_check")), "facts": _facts(result), "figures": _figures(result),
        "plots": drawn(run_plots, result), "timelines": _timelines(result),
        "timeline_script": Markup((WEB / "timeline.js").read_text()), "tables": _tables(result), "config": config_rows(config),
        "kind": "Run", "program": f"{get('program', 'sare')} {get('version', '')}".strip(),
    }


def _with_failures(result, meaning):
    """What failed on the way stands before how the run ended."""
    happened = failed.happened(result)
    if not happened:
        return meaning
    end = "the run went on to its end." if result.get("status") == "completed" else meaning[:1].lower() + meaning[1:]
    return f"{happened.what} failed, from cycle {number(happened.cycles[0])} on; {end}"


def _timelines(result):
    """Of the program, or of each application that has one."""
    drawn = [("", result, timeline.data(result))] + [(name, one, timeline.data(one)) for name, one in result.members.items()]
    return [{"of": name, "data": Markup(json.dumps(data).replace("<", "\\u003c")),
             "caption": timeline.caption(one, data["merged"]),
             "states": [(state, timeline.COLOURS[state]) for state in timeline.STATES],
             "path": "critical_path" in one.tables} for name, one, data in drawn if data is not None]


def _facts(result):
    get = result.get
    topology = get("topology", {})
    facts = [f"{number(topology[key])} {key if topology[key] != 1 else key[:-1]}" for key in ("nodes", "routers", "links")
             if topology.get(key) is not None]
    facts += [f"{number(get('cycles'))} cycles", f"seed {get('seed', '–')}"]
    if (get("deadlock_check") or "").startswith("free of deadlock"):
        facts.append("proved free of deadlock")
    if (get("deadlock_check") or "").startswith("not needed: "):
        facts.append("no deadlock: " + get("deadlock_check").partition(": ")[2])
    model = {"analytic": "contention-free model", "crossbar": "ideal crossbar", "node_links": "links of nodes alone"}.get(get("config.fidelity"))
    if model:
        facts.append(model)
    period = get("clock_period_s")
    return facts + ([f"clock {number(1e-9 / period)} GHz"] if period else [])


def _figures(result):
    """(name, value, unit, remark) of the strip under the headline."""
    get = result.get
    generation, injection = "latency.packet.from_generation.", "latency.packet.from_injection."
    ci, grows = get(generation + "ci95"), not_steady(get("status"))
    figures = [
        ("Accepted load", _load(result, "accepted"), "flits/node/cycle", f"of {number(_load(result, 'offered'))} offered"),
        ("Packet latency", get(generation + "mean"), "cycles",
         grows or (f"± {number(rounded_up(ci, 3))} at 95 %" if ci is not None else "mean, from generation")),
        ("99th percentile", get(generation + "p99"), "cycles", grows or f"at most {number(get(generation + 'max'))}"),
        ("Latency in the network", get(injection + "mean"), "cycles", "mean, from injection" + ("; may depend on the length of the run" if grows else "")),
        ("Hops", get("hops.mean"), "", f"at most {number(get('hops.max'))}"),
        ("Packets consumed", get("packets.consumed"), "", f"of {number(get('packets.generated'))} generated" +
         (f" and {number(get('packets.copied'))} copies" if get("packets.copied") else "")),
    ]
    if get("links.busiest"):
        figures.append(("Busiest link", 100 * get("links.busiest.utilisation", np.nan), "% of what it can carry", _busiest(get("links.busiest"))))
    elif get("links.max_load") is not None:  # not known in the contention-free model
        figures.append(("Busiest link", get("links.max_load"), "flits/cycle", f"mean {number(get('links.mean_load'))}"))
    figures += power.figures(result)
    makespan = get("workload.makespan_cycles")
    if makespan is not None:
        seconds = get("workload.makespan_seconds")
        figures.insert(0, ("Makespan", makespan, "cycles", f"{_seconds(seconds)}" if seconds else ""))
    return figures


def _load(result, name):
    """With its 95 % confidence interval over the batches; as it is where there are none."""
    load, batches = result.get(f"load.{name}"), [batch.get(name) for batch in result.get("batches", [])]
    if load is None or len(batches) < 2 or None in batches:
        return load
    return with_error(load, t_quantile(0.05, len(batches) - 1) * float(np.std(batches, ddof=1)) / len(batches) ** 0.5)


def _busiest(link):
    """Where it leads, and its load."""
    if link.get("name"):
        return f"{link['name']}, {number(link.get('load'))} flits/cycle"
    ends = {"injection": "node {} to router {}", "ejection": "router {} to node {}"}.get(link["kind"], "router {} to router {}")
    return f"{ends.format(number(link.get('from')), number(link.get('to')))}, {number(link.get('load'))} flits/cycle"


def _seconds(value):
    for unit, factor in (("s", 1), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{number(value * factor)} {unit}"
    return f"{number(value * 1e9)} ns"


def _tables(result):
    """(title, header, rows, note) of the tables after the plots."""
    get = result.get
    tables = [_latency_table(get("latency", {})), _counts_table(result)]
    tables += [_losses_table(result), _failures_table(get("failures", []))]
    if get("classes"):
        tables.insert(0, _classes_table(get("classes")))
    applications = _applications_table(get("workload", {}))
    if applications:
        tables.insert(0, applications)
    elsewhere = {"critical_path", "peers", "flows_listed"} | ({"applications", "baselines"} if applications else set())
    workload = list(flat({key: value for key, value in get("workload", {}).items() if key not in elsewhere}))
    path = get("workload.critical_path", {})
    bounds = list(flat(get("bounds", {})))
    batches = get("batches", [])
    tables = bridge.tables(result) + power.tables(result) + tables
    if "flows" in result.tables:
        tables.insert(0, _flows_table(result.tables["flows"]))
    if "losses" in result.tables:
        tables.append(_places_table(result.tables["losses"]))
    if workload:
        tables.append(("Workload", ("result", "value"), workload, ""))
    counted = [(name.replace("_", " "), count) for name, count in get("router_counts", {}).items()]
    tables.append(("Routers", ("of their own, since the start", "count"), counted, ""))
    if path:
        tables.append(_path_table(path))
    if "phases" in result.tables:
        tables.append(_phases_table(result.tables["phases"]))
    if bounds:
        tables.append(("Bounds", ("bound", "value"), bounds, "From the analytic model; no run can be better."))
    if batches:
        tables.append(("Batches", ("from cycle", "to cycle", "mean latency", "accepted load"),
                       [[b.get(k) for k in ("from", "to", "latency_mean", "accepted")] for b in batches], ""))
    tables.append(("Statistics", ("column", "unit", "mean", "least", "most"), _statistics(result),
                   "Of all links, routers, ports and nodes; columns.json says what each is."))
    tables.append(("Simulation", ("figure", "value"), _speed(get("run", {})), ""))
    grows = not_steady(get("status"))
    return [(name, header, rows, f"{note} Latency {grows}.".strip() if grows and any("latency" in str(text).lower() for text in (name, *header))
             else note) for name, header, rows, note in tables if rows]


MOST_FLOWS = 40  # rows


def _flows_table(table):
    """Flows that got less than they require first."""
    columns = {"met": table["met"], **flowplot.labelled(table, {
        "required": "required", "delivered": "delivered", "mean latency": "latency_mean", "p99": "latency_p99",
        "largest": "latency_max", "latency slack": "latency_slack"})}
    rows = list(zip(flowplot.names(table), *columns.values()))[:MOST_FLOWS]
    return ("Flows", ("", *columns), rows, f"{flowplot.counts(table)} They stand first. All in flows.csv.")


def _path_table(path):
    """What the critical path spends, in all and in each phase."""
    parts = [name for name in path if name.endswith("_cycles") and path[name]]
    phases = {"all": path, **path.get("phases", {})}
    return ("Critical path", ("cycles", *phases),
            [[part.removesuffix("_cycles").replace("_", " "), *(p.get(part) for p in phases.values())] for part in parts]
            + [["in all", *(p.get("cycles") for p in phases.values())]], "Span by span in critical_path.csv.")


def _phases_table(table):
    rows = [[f"{phase}: {state}" if phase else state, *values] for phase, state, *values in
            zip(*(table[name] for name in ("phase", "state", "tasks", "min_cycles", "mean_cycles", "max_cycles")))
            if values[-1]]
    return ("Time of the tasks", ("phase: state", "tasks", "least", "mean", "most"), rows,
            "Cycles of a task; those of each phase follow its mark. All in phases.csv.")


def _latency_table(latency):
    rows = [[f"{kind}, {start.replace('_', ' ')}"] + [figures.get(k) for k in LATENCY.values()]
            for kind, starts in latency.items() if isinstance(starts, dict)
            for start, figures in starts.items() if isinstance(figures, dict)]
    return "Latency", ("cycles", *LATENCY), rows, ""


def _applications_table(workload):
    """A row for each application that shared the network; None where there were none."""
    each = workload.get("applications")
    if not isinstance(each, list) or not all(isinstance(a, dict) and a.get("name") for a in each):
        return None
    baselines = workload.get("baselines")
    baselines = {k: v for k, v in baselines.items() if isinstance(v, dict)} if isinstance(baselines, dict) else {}
    rows = []
    for a in each:
        rows.append([a["name"] + (" (background)" if a.get("background") is True else "")]
                    + [lookup(a, path) for path in APPLICATION.values()]
                    + [lookup(kind.get(a["name"], {}), "slowdown") for kind in baselines.values()])
    header = ("", *APPLICATION, *(f"slow-down, {kind}" for kind in baselines))
    note = "Latencies of messages from their generation, and completion from the start of the application, in cycles; "
    note += "loads in flits a task and cycle. All in applications.csv"
    return "Applications", header, rows, note + (", baselines.csv." if baselines else ".")


CLASS = {"offered": "offered", "injected": "injected", "accepted": "accepted", "packets": "packets_consumed",
         "mean latency": "latency_mean", "p50": "latency_p50", "p99": "latency_p99", "most": "latency_max",
         "mean from injection": "network_latency_mean"}


def _classes_table(classes):
    rows = [[c.get("class")] + [c.get(name) for name in CLASS.values()] for c in classes if isinstance(c, dict)]
    note = "Loads in flits a node and cycle, latencies of packets from their generation in cycles. All in classes.csv."
    return "Classes of messages", ("class", *CLASS), rows, note


APPLICATION = {"tasks": "tasks", "nodes": "nodes", "completed after": "completion_cycles",
               "messages": "messages.consumed", "flits": "flits.consumed", "offered": "load.offered",
               "accepted": "load.accepted", "mean latency": "latency.from_generation.mean",
               "least": "latency.from_generation.min", "p50": "latency.from_generation.p50",
               "p99": "latency.from_generation.p99", "most": "latency.from_generation.max"}


LATENCY = {"mean": "mean", "± 95 %": "ci95", "std. dev.": "stddev", "p50": "p50", "p95": "p95", "p99": "p99",
           "p99.9": "p999", "max": "max"}


MOST_PLACES = 12  # rows


def _places_table(table):
    order = sorted(range(table.rows), key=lambda k: -table["packets"][k])[:MOST_PLACES]
    rows = [[table[name][k] for name in ("router", "port", "cause", "packets")] for k in order]
    return "Where packets were dropped", ("router", "port", "cause", "packets"), rows, "The places with most. All in losses.csv."


def _counts_table(result):
    names = ("generated", "injected", "consumed", "dropped")
    rows = [[kind] + [result.get(f"{kind}.{name}") for name in names] for kind in ("messages", "packets", "flits")
            if result.get(kind)]
    rows.append(["load (flits/node/cycle)"] + [_load(result, name) for name in ("offered", "injected", "accepted")] + [None])
    return "Traffic", ("", *names), rows, "The loads are those offered, injected and accepted; ± half of the 95 % confidence interval."


def _statistics(result):
    """Of every figure that is counted or measured at places, over all of them."""
    rows = []
    for name in ("links", "nodes", "routers", "ports", "classes"):
        table = result.tables.get(name)
        for column, about in (table.about if table else {}).items():
            values = table[column]
            if about.get("summing", "as it is") == "as it is" or not np.isfinite(values).any():
                continue
            rows.append((f"{name}: {column}", about.get("unit", ""), float(np.nanmean(values)), float(np.nanmin(values)),
                         float(np.nanmax(values))))
    return rows


def _losses_table(result):
    """What was lost, by cause, and what NICs sent again."""
    drops, messages = result.get("drops", {}), result.get("lost_messages", {})
    rows = [[cause, *(lookup(drops, f"{cause}.{of}", 0) for of in ("packets", "flits")), messages.get(cause, 0)]
            for cause in sorted({*drops, *messages})]
    again = result.get("retransmission", {})
    note = ", ".join(f"{key.replace('_', ' ')} {number(value)}" for key, value in again.items())
    return ("Losses", ("cause", "packets", "flits", "messages"), rows,
            "Packets by place are in losses.csv." + (f" Retransmission: {note}." if note else ""))


def _failures_table(failures):
    rows = [[f.get("at"), ", ".join(map(str, f.get("routers", []))) or "–", len(f.get("ports", []))] for f in failures]
    return "Failures", ("cycle", "routers", "links, each direction"), rows, ""


def _speed(run):
    rows = []
    if run.get("wall_s") is not None:
        rows.append(("wall time", f"{number(run['wall_s'])} s"))
    if run.get("cycles_per_s") is not None:
        rows.append(("speed", f"{number(run['cycles_per_s'])} cycles/s"))
    if run.get("flit_hops") is not None:
        rows.append(("flit hops", number(run["flit_hops"])))
        if run.get("wall_s"):
            rows.append(("flit hops a second", number(float(f"{run['flit_hops'] / run['wall_s']:.4g}"))))
    if run.get("peak_rss_bytes") is not None:
        rows.append(("peak memory", f"{number(run['peak_rss_bytes'] / 2**20)} MiB"))
    return rows
