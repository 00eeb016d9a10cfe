# SPDX-License-Identifier: Apache-2.0
"""Parameters of an experiment from measured figures: ``sare.fit()``, and the command ``sare fit``."""
from __future__ import annotations

import difflib
import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from .. import native
from ..asked import asked
from ..base import AnyExperiment, given
from ..errors import Error, Interrupted
from ..options import arguments, common, run
from ..progress import Bar
from ..results import Fit, Place, Target
from ..search import Base, alone, place_of, read
from ..search_space import Space
from ..study import ClusterOptions, Store, store_words
from . import answer
from .data import Data, NAMES, SECONDS
from .data import number as number_of
from .data import read as read_data
from .search import Search
from .settings import Objective

KEYS = ("parameters", "constraints", "to", "error", "confidence", "runs", "seed", "seeds")  # of the section
USUAL = {"confidence": 0.999, "runs": 600, "seed": 1, "seeds": 4}


@asked
def fit(e: AnyExperiment, to: Union[None, Place, Sequence[Place]] = None, parameters: Optional[Mapping[str, Any]] = None, *,
        error: Union[None, str, float] = None, confidence: Optional[float] = None, constraints: Union[None, str, Sequence[str]] = None,
        runs: Optional[int] = None, seeds: Optional[int] = None, jobs: int = 1, out: Optional[Place] = None, seed: Optional[int] = None,
        store: Store = None, again: bool = False, on: Optional[str] = None, cluster: Optional[ClusterOptions] = None,
        settings: Sequence[str] = (), plugins: Sequence[str] = (), progress: bool = True, progress_fd: Optional[int] = None,
        report: bool = True) -> Fit:
    """Finds the settings of parameters that explain measured figures, and says which of them the figures tell.

    e : an Experiment, a dict, or the name of a file; its section ``fit`` may say the rest
    to : a table (CSV) of figures at values of axes, or what BookSim2 or Noxim print; several files are taken together.
        ``"run.txt@load=0.1"`` says what all of a file was measured at
    parameters : by path a list of values, or a range, as of ``explore``
    error : of figures without an error of their own, one standard deviation: a number, or a part of them, "2%". Without it the
        residuals of the best fit are taken for errors
    confidence : of the region of settings that fit (0.999)
    runs : settings to try at most (600); a space that is not larger is tried as a whole
    seeds : runs of a setting at a point at most (4), where one is too noisy beside the measurement
    seed : of the search; that of the runs is the experiment's, and its successors
    jobs, out, store, again, on, cluster, settings, plugins, progress_fd : as of ``explore``
    Ctrl-C raises Interrupted; the same call goes on.
    """
    changes = {"parameters": parameters, "constraints": constraints, "to": to, "error": error, "confidence": confidence, "runs": runs,
               "seed": seed, "seeds": seeds}
    is_file = isinstance(e, (str, Path))
    declared = read(Path(str(e)), "fit") if is_file else None
    experiment = None if declared else given(e)
    section = declared.section if declared else experiment.to_dict().get("fit", {}) if experiment else {}
    text, home = (declared.text, str(Path(str(e)).absolute().parent)) if declared else (experiment._for_program(), experiment._folder) if experiment else ("", "")
    try:
        asked_for = _asked_for(section, changes)
        base = Base(text, home, list(settings), [str(Path(file).absolute()) for file in plugins])
        space = Space({"parameters": asked_for["parameters"], "constraints": asked_for.get("constraints"), "objectives": {"accepted": "min"},
                       "runs": asked_for["runs"], "seed": asked_for["seed"]})
        stated = _error(asked_for.get("error"))
        base.check(space)
    except Error as problem:
        key = str(problem).split(":")[0].split(" ")[0]
        is_option = changes.get(key) is not None or key in (parameters or {})
        raise declared.at(problem) if declared and declared.section and not is_option else problem from None
    data = _data(asked_for, Path(home if to is None else "."), base, space)
    objective = Objective(data, stated, asked_for["confidence"], len(space.parameters))
    target = Target(out)
    with alone(target.path, "fit"):
        told = {"experiment": text, "settings": base.settings, "parameters": asked_for["parameters"], "constraints": asked_for.get("constraints"),
                "error": asked_for.get("error"), "points": data.points,
                "items": [[item.where, item.figure.name, item.figure.unit, item.value, item.error, item.point] for item in data.items]}
        answer.same_as_before(target.path, json.loads(json.dumps(told)))
        first_seed = base.experiment.to_dict().get("seed", 1)
        search = Search(space, data, objective, target.path, jobs, place_of(base, space, target.path, store_words(store, again), on, cluster),
                        asked_for["seeds"], first_seed, Bar(progress, progress_fd))
        try:
            search.run()
            answer.write(search, base.experiment, told, report)
        except KeyboardInterrupt:
            raise Interrupted() from None
    return Fit(target.path, target.keeper)


def _asked_for(section: Mapping[str, Any], changes: Mapping[str, Any]) -> Dict[str, Any]:
    """The section, what was given over it, and what is usual; in order."""
    wrong = [str(key) for key in section if key not in KEYS]
    if wrong:
        raise Error(f"unknown key '{wrong[0]}' of fit, which has {', '.join(KEYS)}")
    found = {**USUAL, **section, **{key: value for key, value in changes.items() if value is not None}}
    if not isinstance(found.get("parameters"), Mapping) or not found["parameters"]:
        raise Error("fit needs parameters with ranges: --parameter router.depth=2:16, or a section 'fit' with parameters")
    if not found.get("to"):
        raise Error("fit needs what was measured: --to measured.csv, or 'to' in the section 'fit'")
    if not isinstance(found["confidence"], float) or not 0.5 <= found["confidence"] < 1:
        raise Error(f"confidence is a number from 0.5 to below 1, not {found['confidence']}")
    if not isinstance(found["seeds"], int) or not 1 <= found["seeds"] <= 1000:
        raise Error(f"seeds is a whole number from 1 to 1000, not {found['seeds']}")
    return found


def _error(stated: Any) -> Optional[float]:
    """One standard deviation; below 0 as a part of the value."""
    if stated is None:
        return None
    text = str(stated).strip()
    try:
        value = number_of(text.rstrip("% "), "error")
    except Error:
        value = -1.0
    if value <= 0:
        raise Error(f"error: write a standard deviation above 0, such as 2% or 1.5, not '{text}'")
    return -value / 100 if text.endswith("%") else value


def _data(asked_for: Mapping[str, Any], folder: Path, base: Base, space: Space) -> Data:
    files = asked_for["to"] if isinstance(asked_for["to"], (list, tuple)) else [asked_for["to"]]
    tree = base.experiment.to_dict()
    traffic = tree.get("traffic") or {}
    data = read_data([str(file) for file in files], folder, traffic.get("length", 1) if isinstance(traffic, Mapping) else 1)
    paths = {p.path for p in space.parameters}
    for item in data.items:
        if item.figure.unit in SECONDS and "clock_period" not in tree and "power" not in tree:
            raise Error(f"{item.where}: {item.figure.name} is in {item.figure.unit}, and the experiment has no clock; set clock_period, such as 1ns")
    for number, point in enumerate(data.points):
        where = next((item.where for item in data.items if item.point == number), "")
        for path in point:
            if path in paths or path in base.paths:
                raise Error(f"{where}: '{path}' is an axis there, and cannot be {'a parameter to fit' if path in paths else 'set, too'}")
        try:
            base.experiment.set(point).check_values()
        except Error as problem:
            near = [name for path in point for name in difflib.get_close_matches(path, NAMES, 1, 0.8)]
            raise Error(f"{where}: {problem}" + (f"; did you mean the figure '{near[0]}'?" if near else "")) from None
    return data


def parameter_of(word: str) -> Any:
    """A path and its values: ``router.depth=2:16``, ``a=0.1:10:log``, ``a=0:1:0.05``, ``routing=dor|o1turn``."""
    path, equals, text = word.partition("=")
    if not path or not equals or not text:
        raise Error(f"--parameter {word}: write a path and a range, router.depth=2:16, or choices, routing=dor|o1turn")
    parts = text.split(":")

    def value(part: str) -> Any:
        return native.parse(f"value: {part}", f"--parameter {path}")["value"]

    if "|" in text or len(parts) not in (2, 3) or "{" in text or "[" in text:
        return path, [value(part) for part in text.split("|")]
    found = {"from": value(parts[0]), "to": value(parts[1])}
    if len(parts) == 3:
        found.update({"log": True} if parts[2] == "log" else {"step": value(parts[2])})
    return path, found


def _if_number(word: Any) -> Any:
    """A word as a number; what is none as it is, for _asked_for() to name."""
    try:
        return float(word)
    except (TypeError, ValueError):
        return word


def main(words: Sequence[str]) -> int:
    """The command ``sare fit``, which declares and describes these options."""
    parser = arguments("fit")
    for name in ("--to", "--parameter"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--error", "--confidence", "--seeds"):
        parser.add_argument(name)
    options = parser.parse_args(words)

    def search() -> Fit:
        parameters = dict(parameter_of(word) for word in options.parameter)
        return fit(options.file, options.to or None, parameters or None, error=options.error,
                   confidence=_if_number(options.confidence),
                   seeds=int(options.seeds) if options.seeds else None, **common(options))

    return run(options, search, answer.text)


__all__: List[str] = ["fit", "main"]
