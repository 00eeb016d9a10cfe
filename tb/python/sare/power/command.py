# SPDX-License-Identifier: Apache-2.0
"""What scripts/rtl-power does."""
import dataclasses
import time
from concurrent.futures import ThreadPoolExecutor

from ..rtl import ROOT
from . import cache, like, memories, period, table, wires
from .bridges import form as bridge_form
from .bridges import measure
from .bridges import points as bridge_points
from .fit import fit_built, fit_energy
from .glitch import factor
from .liberty import Around, Library, Wrong
from .model import fitting
from .nics import measure as nic
from .points import POINTS, Router, Run, joined
from .rows import RUNS, Bench, Built, Row, dynamic, measured

TABLES = ROOT / "tlm" / "power" / "tables"


def router_from(keys: list[str]) -> Router:
    """Such as `vcs=2 speculative=true`."""
    known = {f.name: f.type for f in dataclasses.fields(Router)}
    values: dict = {}
    for text in keys:
        name, _, value = text.partition("=")
        if name not in known:
            raise Wrong(f"a router has no '{name}'; it has {', '.join(known)}")
        values[name] = value == "true" if known[name] in (bool, "bool") else int(value) if known[name] in (int, "int") else value
    return Router(**values)


def seconds(router: Router) -> float:
    """Of a core for one point, roughly: synthesis grows with the bits of the buffers and the requests of VA."""
    requests = (router.ports * router.vcs) ** 2 * router.vcs
    return 6 + router.bits / 300 + requests / 250


def in_all_runs(routers: list[Router]) -> list[tuple[Router, list[Run]]]:
    return [(r, fitting(r, RUNS)) for r in routers]


def characterise(library: Library, points: list[tuple[Router, list[Run]]], jobs: int) -> tuple[list[Built], list[Row]]:
    """All points, with progress."""
    left = sum(seconds(r) for r, _ in points)
    print(f"{len(points)} routers, {left / 60:.0f} minutes of a core at most; what is there already, in {cache.folder()}, is taken", flush=True)
    began, done = time.time(), 0
    built, rows = [], []

    def one(point: tuple[Router, list[Run]]) -> tuple[Built, list[Row]]:
        nonlocal done, left
        start, router = time.time(), point[0]
        found = measured(router, library, point[1])
        done, left = done + 1, left - seconds(router)
        print(f"{done}/{len(points)} {router}: {time.time() - start:.0f} s, {time.time() - began:.0f} s in all, "
              f"{left / 60:.0f} minutes of a core left", flush=True)
        return found

    with ThreadPoolExecutor(jobs) as pool:
        for b, r in pool.map(one, points):
            built.append(b)
            rows += r
    return built, rows


def library_of(arguments) -> Library:
    return Library(arguments.library, arguments.voltage, arguments.corner, arguments.dont_use,
                   Around(arguments.slew, arguments.load))


def name_of(arguments) -> str:
    return arguments.name or arguments.library[0].name.removesuffix(".gz").removesuffix(".lib")


def make_table(arguments) -> int:
    library, name = library_of(arguments), name_of(arguments)
    if arguments.like:
        return make_like(arguments, library, name)
    built, rows = characterise(library, in_all_runs(POINTS) + joined(), arguments.jobs)
    kept = table.Measured(fit_energy(rows), fit_built(built, "area"), fit_built(built, "leakage"),
                          period.fit(library, [r for r, _ in joined()] + period.MORE), built, glitch=glitch_of(Router(), library))
    out = arguments.out or TABLES / f"{name}.yaml"
    table.write(out, table.document(name, table.made_of(library, len(built), arguments.licence), kept,
                                    {**nics_of(library, joined()), **bridges_of(library), "link": wires.costs(library, arguments.wire)}))
    print(f"{out}: errors of the fit: " + ", ".join(f"{c} {e:.1%}" for c, e in kept.energy.errors.items()))
    return 0


def make_like(arguments, library: Library, name: str) -> int:
    base = memories.without(table.read(TABLES / f"{arguments.like}.yaml"))
    built, rows = characterise(library, in_all_runs(like.POINTS), arguments.jobs)
    router = {**like.scaled(base, built, rows), "period": period.scaled(base["router"]["period"], library)}
    out = arguments.out or TABLES / f"{name}.yaml"
    table.write(out, {**base, "name": name, "made": table.made_of(library, len(built), arguments.licence, arguments.like), "router": router,
                      **nics_of(library, []), **bridges_of(library), "link": wires.costs(library, arguments.wire)})
    errors = {e["component"]: e["error"] for e in router["energy"] if "error" in e}
    print(f"{out}: errors of the fit: " + ", ".join(f"{c} {e:.1%}" for c, e in errors.items()))
    return 0


def glitch_of(router: Router, library: Library) -> float:
    found = factor(Bench(router, library))
    return found.delayed / found.plain


def nics_of(library: Library, more: list[tuple[Router, list[Run]]]) -> dict:
    """A quarter of a minute each; `more` have joined."""
    points = in_all_runs(nic.POINTS) + more
    print(f"{len(points)} NICs", flush=True)
    found = [nic.measured(router, library, runs) for router, runs in points]
    return {"nic": table.nic_section([built for built, _ in found], [row for _, rows in found for row in rows])}


def bridges_of(library: Library) -> dict:
    """Ten seconds of a core each."""
    points = bridge_points.characterised()
    print(f"{len(points)} bridges", flush=True)
    found = [measure.measured(b, library, runs) for b, runs in points]
    return {"bridge": bridge_form.section([built for built, _ in found], [row for _, rows in found for row in rows])}


def make_bridges(arguments) -> int:
    """Of a table that is there."""
    out = arguments.out or TABLES / f"{name_of(arguments)}.yaml"
    table.write(out, {**table.read(out), **bridges_of(library_of(arguments))})
    return 0


def add_memories(arguments) -> int:
    """To a table that is there: that of --out, or one that comes with Sare."""
    base = arguments.out if arguments.out and arguments.out.exists() else TABLES / f"{arguments.name}.yaml"
    if not base.exists():
        raise Wrong("name the table that gets the memories: a file that is there by --out, or --name and one of "
                    + ", ".join(sorted(p.stem for p in TABLES.glob("*.yaml"))))
    out = arguments.out or base
    with_them = memories.added(table.read(base), arguments.library, arguments.source, arguments.corner)
    table.write(out, {**with_them, "name": arguments.name or with_them["name"]})
    made, ranges = with_them["made"]["memories"], with_them["applies"]["ranges"]
    print(f"{out}: {len(made['cells'])} memories of {ranges['words'][0]} to {ranges['words'][1]} words; errors of the fit: "
          + ", ".join(f"{kind} {mean:.0%} (at worst {worst:.0%})" for kind, (mean, worst) in made["errors"].items()))
    if made["ports"] == 1:
        print("They have one port, and routers write and read in the same cycle: their costs are a lower bound, which results say.")
    return 0


def show(arguments) -> int:
    bench = Bench(router_from(arguments.keys), library_of(arguments))
    built = bench.built()
    print(f"{bench.router}: {sum(built.area.values()) / 1e6:.3g} mm^2, {sum(built.leakage.values()):.3g} uW leak")
    for run in fitting(bench.router, RUNS):
        for row in bench.rows(run):
            flits = row.events["buffer_write"] / row.cycles
            parts = ", ".join(f"{c} {e / row.cycles:.3g}" for c, e in row.energy.items())
            print(f"load {run.load}, {run.length} flits, {run.data}: router {row.place}, {flits:.2f} flits a cycle: "
                  f"{dynamic(row.energy) / row.cycles:.3g} pJ a cycle dynamic; {parts}", flush=True)
    return 0


def glitches(arguments) -> int:
    bench = Bench(router_from(arguments.keys), library_of(arguments))
    found = factor(bench)
    print(f"{bench.router}: {found.plain:.3g} pJ a cycle without pulses, {found.delayed:.3g} with; factor {found.delayed / found.plain:.3f}")
    return 0


COMMANDS = {"table": make_table, "bridges": make_bridges, "memories": add_memories, "show": show, "glitches": glitches}
