# SPDX-License-Identifier: Apache-2.0
"""The files of a fit: parameters, residuals, the settings that were tried, the fitted experiment, pictures and the page."""
from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any, Dict, List, Mapping, Sequence

from .. import command
from ..errors import Error, need
from ..experiment import Experiment
from ..results import Fit
from ..search import cell
from . import further, verdicts
from .search import HOPE, Search
from .settings import Setting

PICTURES = ("svg", "png")  # of the residuals


def same_as_before(folder: Path, told: Mapping[str, Any]) -> None:
    """A fit goes on as it began."""
    file = folder / "fit.json"
    if file.exists():
        before = json.loads(file.read_text())["asked"]
        changed = [key for key in told if before.get(key) != told[key]]
        if changed:
            what = {"points": "measurement", "items": "measurement"}.get(changed[0], changed[0])
            raise Error(f"{folder} holds another fit, whose {what} differs; give another directory")
    else:
        file.write_text(json.dumps({"program": "sare", "asked": told}) + "\n")


def write(search: Search, experiment: Experiment, told: Mapping[str, Any], report: bool) -> None:
    """All files, of a search that has ended."""
    region, path = search.region(), search.path
    best = region[0]
    fitness = verdicts.goodness(search.objective, best, search.data)
    rows = verdicts.parameters(search, region, fitness["verdict"] != "bad")
    fitness["bound"] = search.objective.bound(fitness["chi2"])
    traffic = experiment.to_dict().get("traffic") or {}
    told_apart = further.measurements(search, region, traffic if isinstance(traffic, Mapping) else {})
    _table(path / "parameters.csv", rows)
    _table(path / "further.csv", told_apart)
    _table(path / "residuals.csv", residuals(search, best))
    _table(path / "settings.csv", [_setting(search, one, region) for one in _ordered(search)])
    (path / "fitted.yaml").write_text(_fitted(search, best, experiment, rows, fitness, path))
    found = {"program": "sare", "asked": told, "goodness": fitness, "best": best.design, "parameters": rows, "further": told_apart,
             "relations": verdicts.relations(search, region), "notes": search.data.notes, "region": len(region), "is_whole": search.is_whole,
             "settings": len(search.settings), "size": search.lattice.size if search.lattice.size < 1e15 else None,
             "confidence": search.objective.confidence, "failed": sum(1 for one in search.settings.values() if one.failed)}
    (path / "fit.json").write_text(json.dumps(found, indent=2) + "\n")
    if report:
        need("matplotlib")
        from ..report import output, page, read
        for form in PICTURES:
            output.replace(path / f"residuals.{form}", page.picture(read.result(path), form))
        command.call(["report", str(path.absolute())])


def residuals(search: Search, best: Setting) -> List[Dict[str, Any]]:
    """A row for each measured figure: both sides, their standard deviations, and the difference in units of both together."""
    data, rows = search.data, []
    for number, residual, deviation in search.objective.residuals(best):
        item = data.items[number]
        simulated, variance = best.simulated(item.point, data.at(item.point).index(number), item.figure.is_latency)
        rows.append({"from": item.where, **{path: cell(data.points[item.point].get(path, "")) for path in data.axes}, "figure": item.figure.name,
                     "unit": item.figure.unit, "measured": item.value, "error": search.objective.error(item), "simulated": simulated,
                     "simulated_error": variance ** 0.5, "residual": residual, "sigmas": residual / deviation,
                     "status": best.runs[item.point][0].status, "run": best.folders[item.point]})
    return rows


def _ordered(search: Search) -> List[Setting]:
    return sorted(search.settings.values(), key=lambda one: (not one.is_complete, search.objective.chi2(one), one.index))


def _setting(search: Search, one: Setting, region: Sequence[Setting]) -> Dict[str, Any]:
    chi2 = search.objective.chi2(one)
    verdict = "failed" if one.failed else "fits" if one in region else "does not fit" if one.is_complete else "given up"
    return {**{path: cell(value) for path, value in one.design.items()}, "verdict": verdict, "chi2": "" if one.failed else chi2,
            "runs": sum(map(len, one.runs)), "reason": one.failed or (f"more than {HOPE:g} bounds above the best before its end" if verdict == "given up" else "")}


def _fitted(search: Search, best: Setting, experiment: Experiment, rows: Sequence[Mapping[str, Any]], fitness: Mapping[str, Any], path: Path) -> str:
    """The experiment with the best setting. Names of files in it lead from its directory to them."""
    tree = _relocated(experiment.set(best.design)._tree(), experiment._folder or ".", path)
    files = dict.fromkeys(item.where.rpartition(":")[0] for item in search.data.items)
    head = [f"Fitted by 'sare fit' to {', '.join(files)}: {fitness['verdict']} ({fitness['reason']})."]
    head += [f"{row['parameter']} = {cell(row['best'])}: {row['verdict']}, {row['why']}" for row in rows]
    return "".join(f"# {line}\n" for line in head) + command.text_of(tree)


def _relocated(tree: Any, home: str, path: Path) -> Any:
    if isinstance(tree, Mapping):
        return {key: _relocated(value, home, path) for key, value in tree.items()}
    if isinstance(tree, (list, tuple)):
        return [_relocated(value, home, path) for value in tree]
    if isinstance(tree, str) and tree and (Path(home) / tree).is_file():
        return os.path.relpath(Path(home) / tree, path)
    return tree


def text(found: Fit) -> str:
    """What the command prints."""
    all_of_it = found.summary
    wide = max(len(row["parameter"]) for row in all_of_it["parameters"])
    best = max(len(str(cell(row["best"]))) for row in all_of_it["parameters"])
    lines = [f"{row['parameter']:{wide}}  {cell(row['best']):>{best}}  {row['verdict']}: {row['why']}" for row in all_of_it["parameters"]]
    lines += all_of_it["relations"]
    for row in all_of_it["further"]:
        lines.append(f"to tell {row['parameter']}: " + (f"measure {row['measure']} ({row['told_apart']} of {row['of']} pairs of values; {row['expected']})" if row["measure"]
                                                      else "no figure tried at other loads and axes would"))
    fitness = all_of_it["goodness"]
    judged = f"the fit is {fitness['verdict']}" if fitness["verdict"] != "cannot tell" else "whether the fit is good cannot be told"
    verdict = [f"{judged}: {fitness['reason']}"] + [fitness["where"]] * bool(fitness["where"])
    lines = verdict + lines if fitness["verdict"] == "bad" else lines + verdict
    lines += all_of_it["notes"]
    lines += [str(found.path / "fitted.yaml")] + [str(found.path / "report.html")] * (found.path / "report.html").exists()
    return "\n".join(lines)


def _table(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row)) or ["parameter"]
    with open(file, "w", newline="") as to:
        writer = csv.DictWriter(to, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows([{name: cell(value) for name, value in row.items()} for row in rows])
