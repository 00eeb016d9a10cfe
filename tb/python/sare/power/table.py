# SPDX-License-Identifier: Apache-2.0
"""The table of a library as a file (docs/power-tables.md), written and read."""
import dataclasses
import datetime
import json
import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

import yaml

from .fit import Fitted, product
from .liberty import Library
from .nics import form as nic_form
from .period import Periods
from .rows import Built, Row

DIGITS = 4
BLOCKS = ("router", "nic", "bridge")  # of entries


def version_of(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip().split("\n")[0][:60]


def rounded(x: float) -> float:
    return float(f"{x:.{DIGITS}g}")


def entries(f: Fitted, kind: str) -> list[dict]:
    """Terms that differ in their product only are one entry."""
    found: dict[tuple, dict[str, float]] = {}
    for term, c in zip(f.terms, f.coefficients):
        if c != 0:
            found.setdefault((term.component, term.event, term.per, term.when), {})[term.product] = rounded(c)
    all_entries = [entry(key, products, kind) for key, products in found.items()]
    for e in {e["component"]: e for e in reversed(all_entries)}.values():
        e["error"] = rounded(f.errors.get(e["component"], 0.0))  # once a component
    return all_entries


def entry(key: tuple, products: dict[str, float], kind: str) -> dict:
    component, event, per, when = key
    written: dict = {"component": component}
    if kind == "energy":
        written["event"] = event
        if per != "event":
            written["per"] = per
    if when:
        written["when"] = dict(when)
    written["terms"] = products
    return written


def per(e: dict) -> str:
    return e.get("per", "event")


def ranges(built: list[Built]) -> dict[str, list[int]]:
    return {name: [min(b.setting[name] for b in built), max(b.setting[name] for b in built)] for name in ("ports", "vcs", "depth", "width")}


@dataclass
class Measured:
    """All that a table is made of."""
    energy: Fitted
    area: Fitted
    leakage: Fitted
    period: Periods
    built: list[Built]
    glitch: float


def made_of(library: Library, points: int, licence: Optional[str], like: Optional[str] = None) -> dict:
    """Returns the section `made`, without what there is none of."""
    made = dict(by="scripts/rtl-power", library=library.files, sha256=library.digest, licence=licence, voltage=library.voltage,
                corner=library.corner, temperature=library.temperature, around=dataclasses.asdict(library.around),
                dont_use=library.dont_use, tools=dict(yosys=version_of(["yosys", "-V"])), seed=1,
                date=datetime.date.today().isoformat(), points=points, like=like)
    return {key: value for key, value in made.items() if value}


def nic_section(built: list[Built], rows: list[Row]) -> dict:
    """All of it is the NIC's, its clock, too."""
    lists = dict(energy=entries(nic_form.fit_energy(rows), "energy"),
                 **{what: entries(nic_form.fit_built(built, what), what) for what in ("leakage", "area")})
    for each in lists.values():
        for e in each:
            del e["component"]
    return {**lists, "period": [{**e, "terms": {p: rounded(c) for p, c in e["terms"].items()}} for e in nic_form.period(built)]}


def document(name: str, made: dict, m: Measured, extra: dict) -> dict:
    router = dict(energy=entries(m.energy, "energy"), leakage=entries(m.leakage, "leakage"), area=entries(m.area, "area"),
                  period=m.period.entries)
    if m.glitch:
        router["glitch_factor"] = rounded(m.glitch)
    return {"format": "sare-power", "version": 1, "name": name, "made": made,
            "applies": {"kind": "vc", "ranges": ranges(m.built)}, "router": router, **extra}


def write(file: Path, content: dict) -> None:
    """Entries a line each, in quotes: the reader of YAML looks for the end of words without them letter by letter."""
    text = yaml.safe_dump({k: v for k, v in content.items() if k not in BLOCKS}, sort_keys=False, width=1000, default_flow_style=None)
    for block in (b for b in BLOCKS if b in content):
        text += f"{block}:\n"
        for key, value in content[block].items():
            text += f"  {key}:" + "".join(f"\n  - {json.dumps(e)}" for e in value) + "\n" if isinstance(value, list) else f"  {key}: {value}\n"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"# SPDX-License-Identifier: Apache-2.0\n# What routers of sare_router, their NICs and bridges cost in gates: docs/power-tables.md\n{text}")


def read(file: Path) -> dict:
    return yaml.safe_load(file.read_text())


def costs(table: dict, kind: str, setting: dict, per_event, block: str = "router") -> dict[str, float]:
    """By component: the sum of the entries that hold, times `per_event(entry)`."""
    found: dict[str, float] = {}
    for e in table[block].get(kind, []):
        if all(setting[k] in (v if isinstance(v, list) else [v]) for k, v in e.get("when", {}).items()):
            value = sum(c * product(p, setting) for p, c in e["terms"].items()) * per_event(e)
            found[e.get("component", "")] = found.get(e.get("component", ""), 0.0) + value
    return found


def energy(table: dict, setting: dict, events: dict[str, float], activity: float, block: str = "router") -> dict[str, float]:
    """pJ by component of so many events."""
    bits = setting["width"] * activity
    return costs(table, "energy", setting, lambda e: events[e["event"]] * (bits if per(e) == "bit" else 1.0), block)


def period(table: dict, setting: dict, block: str = "router") -> float:
    """The largest of the entries that hold."""
    def one(e):
        if all(setting[k] in (v if isinstance(v, list) else [v]) for k, v in e.get("when", {}).items()):
            return sum(c * product(p, setting) for p, c in e["terms"].items())
        return -math.inf

    return max(map(one, table[block]["period"]), default=0.0)
