# SPDX-License-Identifier: Apache-2.0
"""Searches for the best designs with few runs, by Optuna: ``sare.explore()``, and the command ``sare explore``."""
from __future__ import annotations

import csv
import fcntl
import itertools
import json
import logging
import math
import random
import warnings
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from . import command, native
from .asked import asked
from .base import AnyExperiment, given
from .errors import Error, Interrupted, need
from .experiment import Experiment
from .figures import front_text
from .options import arguments, common, run
from .progress import Bar
from .results import Exploration, Place, Target
from .search_runs import Cluster, Here, Task, costs, problem_of
from .search_space import COSTS, T_95, Declared, Design, Missing, Space, half_width
from .study import ClusterOptions, Store, cluster_words, store_words

most_misses = 5  # proposals in a row that are tried or forbidden; then an untried design of a small space is taken
most_refused = 1000  # likewise, of a large space; then the search ends
most_counted = 100_000  # designs of a small space
Objectives = Mapping[str, Union[str, Mapping[str, str]]]
tries_of_a_value = 12  # with values of the other parameters; the last is alone, so that its reason is its own
tries_of_a_design = 5
hopeless = 5  # failures of the first designs, without one that runs
drifting = {"saturated": "saturated: its latency grows with the length of the run",  # by status: no latency can be told
            "unsettled": "unsettled: its latency may depend on the length of the run; measure longer"}


@asked
def explore(e: AnyExperiment, parameters: Optional[Mapping[str, Any]] = None, objectives: Optional[Objectives] = None, *,
            constraints: Union[None, str, Sequence[str]] = None, runs: Optional[int] = None, jobs: int = 1, out: Optional[Place] = None,
            seed: Optional[int] = None, sampler: Optional[str] = None, short: Optional[Mapping[str, Any]] = None,
            margin: Optional[float] = None, store: Store = None, again: bool = False, on: Optional[str] = None,
            cluster: Optional[ClusterOptions] = None, settings: Sequence[str] = (), plugins: Sequence[str] = (), progress: bool = True,
            progress_fd: Optional[int] = None, report: bool = True) -> Exploration:
    """Searches for the designs that no other beats in every objective.

    e : an Experiment, a dict, or the name of a file; its section ``explore`` may say the rest
    parameters : by path a list of values, or a range ``{"from": 2, "to": 16, "step": 2}``, ``{"from": 0.1, "to": 0.9, "log": True}``
    objectives : one to three, "min" or "max" by figure: a column of sweep.csv, a path in summary.json, ``saturation``,
        or arithmetic over them, such as ``{"latency_ns": "min", "area_mm2": "min"}``; or by a name of yours,
        ``{"cost": {"min": "latency_ns * area_mm2"}}``
    constraints : such as ``"router.vcs * router.depth <= 64"``; over figures, too
    runs : designs to try in all (60)
    jobs : processes at work, or jobs of a cluster; with one, the same seed makes the same search
    out : the directory of the results; a search begun there goes on
    sampler : tpe, nsga2 or random
    short : parameters of a short run that each design has first; one that is worse there by ``margin`` (0.1) in every
        objective than a design already tried is given up
    store, again : as of ``sare.run``: runs that the store has are not made again
    settings : such as ``"traffic.load=0.2"``: parameters of every design, as ``--set`` of the command has them
    plugins : libraries and files in Python with variants of yours, beside those that the experiment names
    progress_fd : an open file descriptor that gets lines of JSON, ``{"done": 0.5, "text": ...}``
    on, cluster : as of ``sare.sweep``: with "slurm", so many designs as ``jobs`` says are proposed and run at a time
    Ctrl-C raises Interrupted, whose ``result`` is what was tried until then.
    """
    changes = {"parameters": parameters, "objectives": objectives, "constraints": constraints, "runs": runs, "seed": seed,
               "sampler": sampler, "short": short, "margin": margin}
    declared: Optional[Declared] = None
    if isinstance(e, (str, Path)) and parameters is None:
        declared = read(Path(e), "explore")
        space, text, home = declared.space(changes), declared.text, str(Path(e).absolute().parent)
    else:
        experiment = given(e)
        space = Space({**experiment.to_dict().get("explore", {}), **{k: v for k, v in changes.items() if v is not None}})
        text, home = experiment._for_program(), experiment._folder
    base = Base(text, home, list(settings), [str(Path(file).absolute()) for file in plugins])
    try:
        base.check(space)
    except Error as problem:
        raise declared.at(problem) if declared else problem from None
    target = Target(out)
    with alone(target.path, "explore"):
        search = Search(space, base, target.path, jobs, place_of(base, space, target.path, store_words(store, again), on, cluster),
                        Bar(progress, progress_fd))
        try:
            search.run()
        except KeyboardInterrupt:
            search.write(report)
            raise Interrupted(Exploration(target.path, target.keeper)) from None
        search.write(report)
    return Exploration(target.path, target.keeper)


def place_of(base: Base, space: Space, path: Path, options: Sequence[str], on: Optional[str],
             cluster: Optional[ClusterOptions]) -> Union[Here, Cluster]:
    """Where designs are run."""
    words, options = cluster_words(None, cluster), [*options, *base.words]
    if on not in (None, "local"):
        return Cluster(base.text, base.home, space, [*options, *cluster_words(on, None), *words], path / "batches", base.experiment)
    if words:
        raise Error(f"{words[0].split('=')[0]} is of jobs on a cluster; add --on slurm")
    return Here(base.text, base.home, space, options)


def read(file: Path, section: str) -> Declared:
    """The file of an experiment, with this section taken out."""
    try:
        text = file.read_text()
    except (OSError, UnicodeDecodeError) as problem:
        raise Error(f"{file}: {getattr(problem, 'strerror', None) or problem}") from None
    return Declared(file, native.parse(text, str(file)), text, section)


@contextmanager
def alone(path: Path, section: str) -> Iterator[None]:
    """Holds the directory: two searches there would try the same."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()) and not (path / f"{section}.json").exists() and not (path / ".lock").exists():
            raise Error(f"{path} holds something else than a search; give another directory")
        with open(path / ".lock", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise Error(f"{path}: another search is at work there") from None
            yield
    except OSError as problem:
        raise Error(f"{problem.filename or path}: {problem.strerror}") from None
    except Exception as problem:
        if type(problem).__module__.partition(".")[0] not in ("optuna", "sqlalchemy"):
            raise
        first: BaseException = problem
        while first.__cause__ is not None:
            first = first.__cause__
        raise Error(f"{path / 'explore.db'}: {first}") from None  # a full disk, a damaged file


class Base:
    """The experiment that all designs are made of, with settings for all of them."""

    def __init__(self, text: str, home: str, settings: List[str], plugins: List[str]) -> None:
        self.text, self.home, self.settings = text, home, settings + [f"--plugin {file}" for file in plugins]
        self.words = [word for setting in settings for word in ("--set", setting)] + [f"--plugin={file}" for file in plugins]
        pairs = [setting.partition("=") for setting in settings]
        for path, equals, _ in pairs:
            if not path or not equals:
                raise Error(f"--set {path}: write PATH=VALUE, such as router.vcs=4")
        values = {path: native.parse(f"value: {value}", f"--set {path}")["value"] for path, _, value in pairs}
        self.experiment = Experiment.from_yaml(text, folder=home).set(values)
        if plugins:
            self.experiment = self.experiment.set({"plugins": [*self.experiment._plugins(), *plugins]})
        self.paths = set(values)
        self._builds = False  # a design of it, for all that is known

    def check(self, space: Space) -> None:
        """Refuses, before any run, a parameter that no design can have."""
        draw = random.Random(space.seed)
        for p in space.parameters:
            if p.path in self.paths:
                raise Error(f"--set {p.path}: the search tries values of its own for it; take it out of the parameters")
            refused = [self._refused_value(space, p.path, value, draw) for value in p.ends()]
            if all(refused) and len(set(refused)) == 1 and p.path.split(".")[-1] not in refused[0]:
                raise Error(f"no design can be built: {refused[0]}")  # whatever its value: the fault is elsewhere
            for value, reason in zip(p.ends(), refused):
                if reason:
                    raise Error(f"{p.path}: no design can have {command.flow(value)}: {reason}")
        reasons = {self._refused({p.path: draw.choice(p.ends()) for p in space.parameters}) for _ in range(tries_of_a_design)}
        if len(reasons) == 1 and (reason := reasons.pop()):
            raise Error(f"no design can be built: {reason}")

    def _refused(self, design: Design) -> str:
        """Why the program builds no such network; "" if it does. One that was built shows that all paths are right."""
        if self._builds:
            return ""
        reason = problem_of(self.text, self.home, self.words, design)
        self._builds = not reason
        return reason

    def _refused_value(self, space: Space, path: str, value: Any, draw: random.Random) -> str:
        """Why no design can have a value, tried with others at random, since a value may want them to fit; "" if one can."""
        reason = ""
        for last in range(tries_of_a_value):
            others = {p.path: draw.choice(p.ends()) for p in space.parameters if last < tries_of_a_value - 1 or p.path == path}
            try:
                self.experiment.set({**others, path: value}).check_values()
                return ""
            except Error as problem:
                reason = str(problem)
        return reason


class Search:
    """The loop: a sampler proposes, processes run, and what they found is told to the sampler."""

    def __init__(self, space: Space, base: Base, path: Path, jobs: int, place: Any, bar: Bar) -> None:
        self.space, self.base, self.path, self.jobs = space, base, path, jobs
        self.place = place  # runs tasks: start(task), wait(), stop(), as of Here
        self.tried: Dict[str, Dict[str, Any]] = {}  # by design
        self._costs: Dict[str, Dict[str, Any]] = {}  # by design, what it costs, where an expression asks for it
        need("numpy")
        from .report.sweeps import front  # as pages have it
        self._verdicts = front
        self.active: List[Task] = []
        self._bar = bar
        self._same_as_before()
        with warnings.catch_warnings():  # of widgets that are not there
            warnings.simplefilter("ignore")
            self._optuna = need("optuna")
        self._optuna.logging.set_verbosity(self._optuna.logging.ERROR)
        logging.getLogger("alembic").setLevel(logging.ERROR)
        warnings.filterwarnings("ignore", category=self._optuna.exceptions.ExperimentalWarning)
        self._study = self._opened()

    def _same_as_before(self) -> None:
        """A search goes on as it began."""
        kept = {k: v for k, v in self.space.given.items() if k not in ("runs", "sampler", "seed")}
        file = self.path / "explore.json"
        if file.exists():
            before = json.loads(file.read_text())
            changed = [k for k in {**kept, **before["asked"]} if kept.get(k) != before["asked"].get(k)]
            changed = ["settings"] * (before.get("settings", []) != self.base.settings) + changed
            differs = "experiment" if before["experiment"] != self.base.text else changed[0] if changed else ""
            if differs:
                raise Error(f"{self.path} holds another search, whose {differs} differs; give another directory")
        self._told = {"program": "sare", "experiment": self.base.text, "settings": self.base.settings, "asked": kept,
                      "directions": self.space.directions, "runs": self.space.runs, "sampler": self.space.sampler, "seed": self.space.seed,
                      "size": self.space.size()}
        file.write_text(json.dumps(self._told, indent=2) + "\n")

    def _opened(self) -> Any:
        optuna = self._optuna
        storage = f"sqlite:///{(self.path / 'explore.db').absolute()}"
        study = optuna.create_study(storage=storage, study_name="sare", load_if_exists=True, directions=[_direction(d) for d in self.space.directions])
        trials = study.get_trials(deepcopy=False)
        for trial in trials:
            if trial.state == optuna.trial.TrialState.RUNNING:  # of a search that was killed: once more
                study.tell(trial.number, state=optuna.trial.TrialState.FAIL)
                study.enqueue_trial(trial.params)
            elif trial.user_attrs.get("record"):
                record = trial.user_attrs["record"]
                self.tried[_key(record["design"])] = record
        seed = self.space.seed + len(trials)
        samplers: Dict[str, Any] = {"random": lambda: optuna.samplers.RandomSampler(seed=seed),
                    "tpe": lambda: optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=self.jobs > 1, constraints_func=_violated),
                    "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed, population_size=max(8, min(50, self.space.runs // 5)),
                                                                   constraints_func=_violated)}
        study.sampler = samplers[self.space.sampler]()
        return study

    def run(self) -> None:
        try:
            while True:
                while len(self.active) < self.jobs and len(self.tried) + len(self.active) < self.space.runs:
                    task = self._next()
                    if task is None:
                        break
                    self.active.append(task)
                    self.place.start(task)
                if not self.active:
                    break
                for ended in self.place.wait():
                    self._ended(ended)
        finally:
            self._bar.close()
            self.place.stop()
            for task in self.active:
                task.clean()
                self._study.tell(task.trial, state=self._optuna.trial.TrialState.FAIL)
                self._study.enqueue_trial(task.trial.params)
            self.active = []

    def _next(self) -> Optional[Task]:
        """A design that was not tried yet; None where there is none, or only when those at work have ended."""
        for misses in range(most_refused):
            if misses == most_misses and self._is_small() and not self._enqueue_untried():
                return None
            trial = self._study.ask()
            design = {p.path: p.suggest(trial) for p in self.space.parameters}
            if not self._allows(design):
                self._tell_again(trial, None)
            elif _key(design) in self.tried or any(task.design == design for task in self.active):
                self._tell_again(trial, self.tried.get(_key(design)))
            else:
                return Task(trial, self._free_number(), design, self.space, self.path / "runs")
        if self.tried:
            return None
        raise Error(f"{most_refused} designs in a row are forbidden by the constraints; is there one that is not?")

    def _free_number(self) -> int:
        """The first without a run: a search that was killed leaves gaps."""
        taken = {record["run"] for record in self.tried.values()} | {task.number for task in self.active}
        return next(number for number in itertools.count() if number not in taken)

    def _allows(self, design: Design) -> bool:
        """Whether it may be run, by what is known without a run."""
        if not self.space.allows(design):
            return False
        return not self.space.costs or _key(design) in self.tried or self.space.affords(self._known(design))

    def _known(self, design: Design) -> Dict[str, Any]:
        """What is known of a design without a run: its parameters, and what it costs where an expression asks for that."""
        if not self.space.wants_costs:
            return design
        key = _key(design)
        if key not in self._costs:
            self._costs[key] = costs(self.base.text, self.base.home, self.base.words, design)
        return {**{name: self._costs[key][of] for name, of in COSTS.items() if of in self._costs[key]}, **design}

    def _is_small(self) -> bool:
        size = self.space.size()
        return size is not None and size <= most_counted

    def _enqueue_untried(self) -> bool:
        at_work = {_key(task.design) for task in self.active}
        left = [design for design in self.space.designs() if _key(design) not in self.tried and _key(design) not in at_work]
        random.Random(self.space.seed + len(self.tried)).shuffle(left)
        found = next(filter(self._allows, left), None)
        if found is not None:
            self._study.enqueue_trial({p.path: p.encoded(found[p.path]) for p in self.space.parameters})
        elif not self.tried and not self.active:
            raise Error("the constraints forbid every design")
        return found is not None

    def _tell_again(self, trial: Any, record: Optional[Dict[str, Any]]) -> None:
        if record is None or record["values"] is None:
            self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
        else:
            trial.set_user_attr("violations", record["violations"])
            self._study.tell(trial, record["values"])

    def _ended(self, task: Task) -> None:
        """Begins the design's next step, or takes down what came of it."""
        reason = task.problem()
        values: Optional[List[float]] = None
        if not reason and task.step == "short":
            task.short_values = self._values(task)
            if task.short_values is not None and self._is_beaten(task.short_values):
                return self._take_down(task, "given up", task.short_values, "in a short run, worse than another in every objective")
        if not reason and task.steps:
            self.place.start(task)
            return
        if not reason:
            values = self._values(task)
            if values is None:
                reason = "an objective has no value: " + ", ".join(self.space.objectives)
        if reason:
            self._take_down(task, "failed", None, reason)
            if len(self.tried) >= min(hopeless, self.space.runs) and all(record["state"] == "failed" for record in self.tried.values()):
                reasons = Counter(str(record["reason"]) for record in self.tried.values()).most_common()
                raise Error("every design has failed: " + "; ".join(f"{why} ({n} of {len(self.tried)})" if len(reasons) > 1 else why for why, n in reasons))
        else:
            self._take_down(task, str(task.summary.get("status", "completed")), values, "")

    def _values(self, task: Task) -> Optional[List[float]]:
        expressions = list(self.space.objectives.values())
        try:
            if task.step == "short":  # what the search for saturation finds is not known yet
                expressions = [x for x in expressions if "saturation" not in x.names]
            found = self.space.values(expressions, self._known(task.design), task.summary)
        except Missing as problem:
            raise Error(f"objective: {problem}") from None
        return None if any(not isinstance(x, (int, float)) for x in found) else [float(x) for x in found]

    def _is_beaten(self, values: Sequence[float]) -> bool:
        """Whether another was better by the margin in every objective, in its own short run."""
        signs = [1 if d == "min" else -1 for (text, x), d in zip(self.space.objectives.items(), self.space.directions) if "saturation" not in x.names]
        others = [record["short"] for record in self.tried.values() if record["short"] and record["state"] not in ("failed", "given up")]
        return bool(signs) and len(signs) == len(self.space.directions) and any(
            all(sign * (mine - other) > self.space.margin * abs(other) for sign, mine, other in zip(signs, values, theirs)) for theirs in others)

    def _take_down(self, task: Task, state: str, values: Optional[Sequence[float]], reason: str) -> None:
        self.active.remove(task)
        violations = self._violations(task, state) if values is not None else []
        if not reason and any(v > 0 for v in violations):
            reason = drifting[state] if violations[0] > 0 else "outside " + next(x.text for x, v in zip(self.space.after, violations[1:]) if v > 0)
        record = {"run": task.number, "design": task.design, "state": state, "reason": reason, "values": values, "short": task.short_values,
                  "violations": violations, "widths": self._widths(task, values)}
        self.tried[_key(task.design)] = record
        task.trial.set_user_attr("record", record)
        if values is None:
            self._study.tell(task.trial, state=self._optuna.trial.TrialState.FAIL)
        else:
            task.trial.set_user_attr("violations", violations)
            self._study.tell(task.trial, list(values))
        done = len(self.tried)
        failed = sum(r["state"] == "failed" for r in self.tried.values())
        self._bar.show({"done": done / self.space.runs, "text": f"{done} of {self.space.runs} designs, {sum(v == self._verdicts.FRONT for v in self.front().values())} on the front"
                        + (f", {failed} failed" if failed else "")})

    def _violations(self, task: Task, state: str) -> List[float]:
        """Above 0 where a design is not allowed: its latency grows with the length of the run, or a constraint over figures is broken."""
        lost = state in drifting and self.space.speaks_of_latency
        if state == "given up":
            return [0.0] * (1 + len(self.space.after))
        try:
            return [1.0 if lost else 0.0, *(0.0 if kept else 1.0 for kept in self.space.values(self.space.after, self._known(task.design), task.summary))]
        except Missing as problem:
            raise Error(f"constraint: {problem}") from None

    def _widths(self, task: Task, values: Optional[Sequence[float]]) -> Optional[List[Optional[float]]]:
        """Half widths of the 95 % intervals of the objectives; None where the noise of one is not known."""
        return None if values is None else [half_width(x, self._known(task.design), task.summary) for x in self.space.objectives.values()]

    def front(self) -> Dict[int, str]:
        """By run a verdict, of the designs that may be chosen: whether another beats it in every objective, as far as noise lets it be told."""
        signs = [1 if d == "min" else -1 for d in self.space.directions]
        able = [r for r in self.tried.values() if r["values"] is not None and r["state"] != "given up" and not any(v > 0 for v in r["violations"])]
        if not able:
            return {}
        variances = [[math.nan if w is None else (w / T_95) ** 2 for w in r.get("widths") or [None] * len(signs)] for r in able]
        verdicts, _ = self._verdicts.verdicts([[s * v for s, v in zip(signs, r["values"])] for r in able], variances, [[9] * len(signs)] * len(able))
        return {int(r["run"]): verdict for r, verdict in zip(able, verdicts)}

    def write(self, report: bool) -> None:
        """designs.csv, importance.csv, and the page."""
        verdicts = self.front()
        paths, names = [p.path for p in self.space.parameters], list(self.space.objectives)
        records = sorted(self.tried.values(), key=lambda r: int(r["run"]))
        rows = [[r["run"], *(cell(r["design"][p]) for p in paths), r["state"], int(verdicts.get(r["run"]) == self._verdicts.FRONT), verdicts.get(r["run"], ""),
                 *(r["values"] or [""] * len(names)), *("" if w is None else w for w in r.get("widths") or [None] * len(names)), r["reason"]]
                for r in records]
        _write_csv(self.path / "designs.csv", ["run", *paths, "status", "front", "verdict", *names, *(f"{name}_ci95" for name in names), "reason"], rows)
        measured = [r for r in records if r["values"] is not None and r["state"] != "given up"]
        _write_csv(self.path / "importance.csv", ["parameter", *names],
                   [[p, *(_share([r["design"][p] for r in measured], [r["values"][k] for r in measured]) for k in range(len(names)))] for p in paths])
        self._told["excluded"] = sum(not self.space.affords(self._known(json.loads(key))) for key in self._costs if key not in self.tried)
        (self.path / "explore.json").write_text(json.dumps(self._told, indent=2) + "\n")
        if report and records:
            command.call(["report", str(self.path.absolute())])


def _violated(trial: Any) -> List[float]:
    return trial.user_attrs.get("violations") or [0.0]


def _direction(wanted: str) -> str:
    return {"min": "minimize", "max": "maximize"}[wanted]


def _key(design: Design) -> str:
    return json.dumps(design, sort_keys=True)


def _share(settings: Sequence[Any], values: Sequence[float]) -> float:
    """Of the variance of the values, what the settings explain by themselves: between groups of the same setting, over all.

    Numbers of more than six values are taken in four groups of as many designs.
    """
    if len(values) < 2:
        return 0.0
    labels: List[Any] = [_key({"": s}) for s in settings]
    if len(set(labels)) > 6 and all(isinstance(s, (int, float)) for s in settings):
        order = sorted(settings)
        labels = [sum(s >= order[len(order) * k // 4] for k in (1, 2, 3)) for s in settings]
    mean = sum(values) / len(values)
    groups: Dict[Any, List[float]] = {}
    for label, value in zip(labels, values):
        groups.setdefault(label, []).append(value)
    total = sum((v - mean) ** 2 for v in values)
    between = sum(len(g) * (sum(g) / len(g) - mean) ** 2 for g in groups.values())
    return round(between / total, 4) if total > 0 else 0.0


def cell(value: Any) -> Any:
    """A value as a cell of a table: words and numbers as they are, others as JSON."""
    return value if isinstance(value, (str, int, float)) and not isinstance(value, bool) else json.dumps(value)


def _write_csv(file: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    with open(file, "w", newline="") as to:
        csv.writer(to, lineterminator="\n").writerows([header, *rows])


def _text(found: Exploration) -> str:
    """What the command prints."""
    return f"{front_text(found)}\n{found.path / 'report.html'}"


def main(words: Sequence[str]) -> int:
    """The command ``sare explore``."""
    parser = arguments("explore")
    parser.add_argument("--sampler")
    options = parser.parse_args(words)
    return run(options, lambda: explore(options.file, sampler=options.sampler, **common(options)), _text)
