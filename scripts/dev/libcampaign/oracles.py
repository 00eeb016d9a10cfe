# SPDX-License-Identifier: Apache-2.0
"""What every result must keep, whatever was simulated: conservation, order, and tables that add up.

Flits are not held against those generated where packets are padded; what NICs send again is generated once.
"""
import csv
import json
import math

CLOSE = 1e-9


def table(folder, name):
    with open(folder / name, newline="") as file:
        return list(csv.DictReader(file))


def table_if_any(folder, name):
    return table(folder, name) if (folder / name).exists() else []


def differ(found, said, share):
    """Whether some value of `found` is not that of the same key in `said`, but for a share of it."""
    return any(abs(value - said[key]) > 1e-6 + share * abs(value) for key, value in found.items() if said.get(key) is not None)


def number(text):
    """NaN: none."""
    return float(text) if text else math.nan


def faults(folder, of_cycles=True, padded=False):
    """What a result breaks, a line each. `of_cycles`: a flit takes a link a cycle at least; `padded`: NICs make packets longer."""
    summary = json.loads((folder / "summary.json").read_text())
    found = [*counts(summary, padded), *latencies(summary)]
    if of_cycles:
        found += loads(table(folder, "links.csv"))
    found += sums(summary, folder)
    found += shares_of_nodes(summary, folder, padded)
    found += [*distances(summary, folder), *losses(summary, folder), *stalls(folder), *energies(summary, folder)]
    return found


def counts(summary, padded):
    """Of packets and flits: what is consumed or lost was injected or copied, and what is injected was generated."""
    for of in ("packets", "flits", "messages"):
        c = {key: summary[of].get(key) or 0 for key in ("generated", "injected", "consumed", "dropped", "copied", "lost")}
        text = f"{of}: {c}"
        if any(value < 0 or value != int(value) for value in c.values()):
            yield f"{text}: a count is negative, or no integer"
        if of == "messages":
            continue
        if c["generated"] < c["injected"] and "retransmission" not in summary and not (padded and of == "flits"):
            yield f"{text}: more injected than generated"
        if c["generated"] < c["consumed"] and "retransmission" in summary and not padded:
            yield f"{text}: what is sent again is consumed twice"
        if c["injected"] + c["copied"] < c["consumed"] + c["dropped"]:
            yield f"{text}: more consumed and dropped than injected and copied"


def latencies(summary):
    for of in ("packet", "message"):
        for since, of_it in summary["latency"].get(of, {}).items():
            ladder = [of_it[key] for key in ("min", "p50", "p95", "p99", "max") if of_it.get(key) is not None]
            if any(low > high for low, high in zip(ladder, ladder[1:])):
                yield f"{of}.{since}: not min <= p50 <= p95 <= p99 <= max: {ladder}"
            mean = of_it.get("mean")
            if mean is not None and ladder and not ladder[0] - CLOSE <= mean <= ladder[-1] + CLOSE:
                yield f"{of}.{since}: the mean {mean} is not between {ladder[0]} and {ladder[-1]}"


def loads(links):
    """A flit a cycle at most between routers; INSEE's nodes reach their router by several queues at once."""
    for link in links:
        if number(link["load"]) > 1 + CLOSE and link["kind"] == "router":
            yield f"link {link['from']}.{link['from_port']} ({link['kind']}) carries {link['load']} flits a cycle"
        vcs = [number(v) for key, v in link.items() if key.startswith("vc") and v]
        if vcs and abs(sum(vcs) - number(link["load"])) > 1e-6:
            yield f"link {link['from']}.{link['from_port']}: its VCs' loads add up to {sum(vcs)}, not {link['load']}"


def sums(summary, folder):
    """Tables against each other, and against the summary."""
    nodes, histogram = table(folder, "nodes.csv"), table(folder, "latency_histogram.csv")
    if len(nodes) != summary["topology"]["nodes"]:
        yield f"nodes.csv has {len(nodes)} rows, and the network {summary['topology']['nodes']} nodes"
    for key in ("generated", "injected", "consumed"):
        if (rows := sum(int(n[key]) for n in nodes)) > summary["packets"][key]:
            yield f"nodes.csv: {rows} packets {key}, and {summary['packets'][key]} in all"
    samples = [int(b["from_generation"]) for b in histogram]
    others = [int(b["from_injection"]) for b in histogram]
    if sum(samples) != sum(others):
        yield f"latency_histogram.csv: {sum(samples)} packets from generation, {sum(others)} from injection"
    consumed = sum(int(d["consumed"]) for d in table(folder, "distances.csv"))
    if consumed != sum(samples):
        yield f"distances.csv has {consumed} consumed packets, latency_histogram.csv {sum(samples)}"
    if (folder / "matrix.csv").exists() and not summary["packets"].get("copied"):
        matrix = table(folder, "matrix.csv")
        injected = sum(int(n["injected"]) for n in nodes)
        if matrix and (rows := sum(int(p["packets"]) for p in matrix)) != injected:
            yield f"matrix.csv has {rows} packets, nodes.csv {injected} injected"
    cycles = [int(p["cycle"]) for p in table(folder, "series.csv")]
    if cycles != sorted(set(cycles)) or (cycles and cycles[-1] > summary["cycles"]):
        yield f"series.csv: its cycles do not ascend to {summary['cycles']}: {cycles[-3:]}"


def shares_of_nodes(summary, folder, padded):
    """What nodes offer and accept on the average is the load, and what message classes make is what nodes make."""
    nodes = table(folder, "nodes.csv")
    for key in ("accepted",) if padded else ("offered", "accepted"):
        load = summary["load"].get(key)
        mean = sum(number(n[key]) for n in nodes) / len(nodes)
        if load is not None and abs(mean - load) > 1e-6 + 1e-4 * load:
            yield f"nodes.csv: {mean} flits a cycle {key} on the average, and {load} in the summary"
    accepted = [number(n["accepted"]) for n in nodes]
    fairness = summary["fairness"].get("accepted") or {}
    if fairness.get("jain") is not None and any(accepted):
        jain = sum(accepted) ** 2 / len(accepted) / sum(a * a for a in accepted)
        if differ({"jain": jain, "min": min(accepted), "max": max(accepted)}, fairness, 1e-4):
            yield f"nodes.csv: Jain's index {jain}, {min(accepted)} to {max(accepted)} accepted, and {fairness} in the summary"
    classes = table_if_any(folder, "classes.csv")
    if not classes or "packets_generated" not in classes[0]:
        return
    made, of_nodes = (sum(int(row[key]) for row in rows) for rows, key in ((classes, "packets_generated"), (nodes, "generated")))
    if made != of_nodes:
        yield f"classes.csv has {made} packets generated, nodes.csv {of_nodes}"


def distances(summary, folder):
    rows = [(int(row["hops"]), int(row["consumed"])) for row in table(folder, "distances.csv") if int(row["consumed"])]
    if rows:
        mean = sum(hops * consumed for hops, consumed in rows) / sum(consumed for _, consumed in rows)
        if differ({"mean": mean, "max": max(rows)[0]}, summary["hops"], 1e-6):
            yield f"distances.csv: {mean} hops on the average, {max(rows)[0]} at most, and {summary['hops']} in the summary"


def losses(summary, folder):
    """What was dropped, by cause and place, by cause, and in all."""
    placed = {}
    for row in table_if_any(folder, "losses.csv"):
        placed[row["cause"]] = placed.get(row["cause"], 0) + int(row["packets"])
    said = {cause: its["packets"] for cause, its in (summary.get("drops") or {}).items() if its["packets"]}
    if (placed and placed != said) or sum(said.values()) != summary["packets"].get("dropped", 0):
        yield f"dropped packets: {placed} in losses.csv, {said} by cause, {summary['packets'].get('dropped', 0)} in all"


def stalls(folder):
    """Of routers, of their ports and of message classes: the same cycles."""
    routers, others = table(folder, "routers.csv"), [(name, table_if_any(folder, name)) for name in ("ports.csv", "classes.csv")]
    for key in (key for key in routers[0] if key.startswith("stalls_")):
        total = sum(number(row[key]) for row in routers)
        for name, rows in others:
            if rows and key in rows[0] and abs((its := sum(number(row[key]) for row in rows)) - total) > 1e-6 * (1 + total):
                yield f"{key}: {total} in routers.csv, {its} in {name}"


def energies(summary, folder):
    """Of routers, links and nodes: together the total."""
    if "power" not in summary:
        return
    places = [table(folder, name) for name in ("routers.csv", "links.csv", "nodes.csv")]
    parts = sum(number(row["energy"]) for rows in places for row in rows if "energy" in row)
    if differ({"total": parts}, summary["power"]["energy"], 1e-9):
        yield f"energy: {parts} pJ of routers, links and nodes, {summary['power']['energy']['total']} in all"
