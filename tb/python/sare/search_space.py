# SPDX-License-Identifier: Apache-2.0
"""What a search over designs is about: parameters with ranges, constraints and objectives, as a user declares them."""
from __future__ import annotations

import ast
import difflib
import itertools
import json
import math
import operator
import statistics
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Set, Tuple

from .errors import Error
from .section import is_series, plain

Design = Dict[str, Any]  # values by path
LookUp = Callable[[str], Any]

# Columns of sweep.csv, which objectives may name, too.
COLUMNS = {"offered": "load.offered", "accepted": "load.accepted", "hops_mean": "hops.mean",
           **{f"latency_{k}": f"latency.packet.from_generation.{k}" for k in ("mean", "p50", "p95", "p99", "max")},
           "network_latency_mean": "latency.packet.from_injection.mean", "makespan_cycles": "workload.makespan_cycles",
           "latency_ns": "power.latency", "throughput_gbit_s": "power.throughput", "power_mw": "power.mean",
           "energy_per_bit_pj": "power.energy.per_bit", "area_mm2": "power.area", "clock_period_ns": "power.clock_period"}
# What figures are called, beside paths in summary.json: as in a store of runs and in the debugger, too.
NAMES = {**COLUMNS, **{f"latency.{k}": f"latency.packet.from_generation.{k}" for k in ("mean", "p50", "p95", "p99", "max")},
         "network_latency.mean": "latency.packet.from_injection.mean"}
# Figures that `sare cost --json` knows without a run, by the names that constraints have for them.
COSTS = {**{name: name for name in ("area_mm2", "buffer_bits", "clock_period_ns", "frequency_mhz", "leakage_mw", "head_latency_cycles",
                                    "head_latency_ns")}, "power.area": "area_mm2", "power.clock_period": "clock_period_ns"}
# Figures in proportion to the mean latency, and to the accepted load: their noise is that of a run's batches.
LATENCIES, LOADS = ("latency_mean", "latency.mean", "latency_ns", "power.latency", COLUMNS["latency_mean"]), ("accepted", "throughput_gbit_s", "load.accepted", "power.throughput")
T_95 = 2.262  # Student, of the usual ten batches
SATURATION = "saturation"  # of 'sare saturate': the highest load that every source sustains
KEYS = ("parameters", "objectives", "constraints", "runs", "seed", "sampler", "short", "margin")
SAMPLERS = ("tpe", "nsga2", "random")


class Missing(Error):
    """A figure that no summary has: the declaration is wrong, not the design."""


class Expression:
    """Arithmetic over parameters and figures, by their names: ``router.vcs * router.depth <= 64``."""

    _binary: Dict[Any, Callable[[Any, Any], Any]] = {
        ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow,
        ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
        ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne}
    _functions: Dict[str, Callable[..., Any]] = {"min": min, "max": max, "abs": abs, "log2": math.log2, "ceil": math.ceil}

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: Set[str] = set()
        try:
            tree = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            raise Error(f"'{text}' is no expression; write such as 'router.vcs * router.depth <= 64'") from None
        self._value = self._compiled(tree)

    def __call__(self, look_up: LookUp) -> Any:
        """Its value; None where a figure is not known, or cannot be computed."""
        try:
            return self._value(look_up)
        except (TypeError, ZeroDivisionError, ValueError, OverflowError):
            return None

    def _compiled(self, node: Any) -> Callable[[LookUp], Any]:
        kind = type(node)
        if kind is ast.Constant and isinstance(node.value, (int, float, str)):
            return lambda look_up: node.value
        if kind in (ast.Name, ast.Attribute):
            name = _dotted(node, self.text)
            self.names.add(name)
            return lambda look_up: look_up(name)
        if kind is ast.BinOp and type(node.op) in self._binary:
            left, right, does = self._compiled(node.left), self._compiled(node.right), self._binary[type(node.op)]
            return lambda look_up: does(left(look_up), right(look_up))
        if kind is ast.UnaryOp and type(node.op) in (ast.USub, ast.Not):
            inner, negates = self._compiled(node.operand), type(node.op) is ast.USub
            return lambda look_up: -inner(look_up) if negates else not inner(look_up)
        if kind is ast.Compare and all(type(op) in self._binary for op in node.ops):
            parts, ops = [self._compiled(part) for part in (node.left, *node.comparators)], [self._binary[type(op)] for op in node.ops]
            return lambda look_up: all(op(a(look_up), b(look_up)) for op, a, b in zip(ops, parts, parts[1:]))
        if kind is ast.BoolOp:
            parts, together = [self._compiled(part) for part in node.values], all if isinstance(node.op, ast.And) else any
            return lambda look_up: together(part(look_up) for part in parts)
        if kind is ast.Call and isinstance(node.func, ast.Name) and node.func.id in self._functions and not node.keywords:
            parts, function = [self._compiled(part) for part in node.args], self._functions[node.func.id]
            return lambda look_up: function(*(part(look_up) for part in parts))
        raise Error(f"'{self.text}' has what no expression may have; there are names, numbers, texts, + - * / ** // %, comparisons, "
                    f"and, or, not, {', '.join(self._functions)}")


def _dotted(node: Any, text: str) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value, text)}.{node.attr}"
    raise Error(f"'{text}': a name is words with dots between, such as router.vcs")


def _is_number(x: Any) -> bool:
    return isinstance(x, (int, float)) and not isinstance(x, bool)


def _objective(name: str, given: Any) -> Optional[Tuple[str, str]]:
    """Direction and expression: of ``latency_ns: min``, or ``cost: {min: area_mm2 * 3}``; None: it is neither."""
    direction, text = next(iter(given.items())) if isinstance(given, Mapping) and len(given) == 1 else (given, name)
    return (direction, str(text)) if direction in ("min", "max") else None


class Parameter:
    """Values that one key of the experiment may have."""

    def __init__(self, path: str, given: Any) -> None:
        self.path = path
        self.choices: Optional[List[Any]] = None
        self.low: Any = None
        self.high: Any = None
        self.step: Any = None
        self.is_log = False
        if isinstance(given, Mapping):
            self._range(dict(given))
        elif is_series(given):
            self.choices = plain(list(given))
            if not self.choices:
                raise Error(f"{path} has no values; write a list such as [2, 4, 8]")
        else:
            raise Error(f"{path}: write its values as a list, [2, 4, 8], or a range, {{from: 2, to: 16}}")

    def _range(self, given: Dict[str, Any]) -> None:
        wrong = [str(k) for k in given if k not in ("from", "to", "step", "log")]
        if wrong:
            raise Error(f"{self.path}: unknown key '{wrong[0]}' of a range, which has from, to, step and log")
        self.low, self.high, self.step = given.get("from"), given.get("to"), given.get("step")
        self.is_log = bool(given.get("log", False))
        low: Any = self.low
        high: Any = self.high
        step: Any = self.step
        if not all(map(_is_number, [low, high] + [step] * (step is not None))) or low >= high:
            raise Error(f"{self.path}: a range goes from a number to a larger one, such as {{from: 2, to: 16}}")
        if step is not None and (step <= 0 or self.is_log):
            raise Error(f"{self.path}: step is above 0, and not together with log")
        if self.is_log and low <= 0:
            raise Error(f"{self.path}: a range with log begins above 0")

    @property
    def is_whole(self) -> bool:
        return self.choices is None and all(isinstance(x, int) for x in (self.low, self.high, self.step or 1))

    @property
    def is_ordered(self) -> bool:
        """Numbers that grow: neighbours are alike, which samplers make use of."""
        c = self.choices or []
        return all(map(_is_number, c)) and c == sorted(set(c))

    def all(self) -> Optional[List[Any]]:
        """Every value; None where they cannot be counted."""
        if self.choices is not None:
            return self.choices
        return list(range(self.low, self.high + 1, self.step or 1)) if self.is_whole else None

    def ends(self) -> List[Any]:
        """All choices, or both ends of a range."""
        return self.choices if self.choices is not None else [self.low, self.high]

    def suggest(self, trial: Any) -> Any:
        if self.choices is not None:
            if self.is_ordered and len(self.choices) > 1:
                return self.choices[trial.suggest_int(self.path, 0, len(self.choices) - 1)]
            return json.loads(trial.suggest_categorical(self.path, [json.dumps(c) for c in self.choices]))
        if self.is_whole:
            return trial.suggest_int(self.path, self.low, self.high, step=self.step or 1, log=self.is_log)
        return trial.suggest_float(self.path, self.low, self.high, log=self.is_log, step=self.step)

    def encoded(self, value: Any) -> Any:
        """As the sampler has it."""
        if self.choices is None:
            return value
        return self.choices.index(value) if self.is_ordered and len(self.choices) > 1 else json.dumps(value)


class Space:
    """A declaration, which is in order."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        wrong = [str(k) for k in given if k not in KEYS]
        if wrong:
            raise Error(f"unknown key '{wrong[0]}' of explore, which has {', '.join(KEYS)}")
        self.given = {str(k): plain(v) for k, v in given.items() if v is not None}
        parameters, objectives = self.given.get("parameters"), self.given.get("objectives")
        if not isinstance(parameters, dict) or not parameters:
            raise Error("explore needs parameters: paths with their values, such as 'router.vcs: [1, 2, 4]'")
        named: Mapping[str, Any] = objectives if isinstance(objectives, dict) else {}
        wanted = [_objective(str(name), given) for name, given in named.items()]
        if not 1 <= len(wanted) <= 3 or None in wanted:
            raise Error("explore needs one to three objectives, each min or max, such as 'latency_ns: min' or 'cost: {min: area_mm2 * 3}'")
        self.parameters = [Parameter(path, values) for path, values in parameters.items()]
        self.objectives = {str(name): Expression(one[1]) for name, one in zip(named, wanted) if one}
        self.directions: List[str] = [one[0] for one in wanted if one]
        constraints = self.given.get("constraints", [])
        texts: List[str] = [constraints] if isinstance(constraints, str) else list(map(str, constraints))
        paths = {p.path for p in self.parameters}
        self.before = [x for x in map(Expression, texts) if x.names <= paths]
        self.after = [x for x in map(Expression, texts) if not x.names <= paths]
        self.costs = [x for x in self.after if x.names <= paths | set(COSTS)]  # looked at before a run, too
        self.runs = self._whole("runs", 60, 1)
        self.seed = self._whole("seed", 1, 0)
        self.sampler = str(self.given.get("sampler", "tpe"))
        if self.sampler not in SAMPLERS:
            raise Error(f"no sampler '{self.sampler}'; there are {', '.join(SAMPLERS)}")
        self.short: Dict[str, Any] = self.given.get("short", {})
        if not isinstance(self.short, dict):
            raise Error("short has the parameters of a short run, such as 'measurement.batches: 2'")
        self.margin = self.given.get("margin", 0.1)
        if not _is_number(self.margin) or self.margin < 0:
            raise Error("margin is a number from 0")

    def _whole(self, key: str, usual: int, least: int) -> int:
        value = self.given.get(key, usual)
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise Error(f"{key} is a whole number from {least}, not {value}")
        return value

    @property
    def wants_saturation(self) -> bool:
        return any(SATURATION in x.names for x in (*self.objectives.values(), *self.after))

    @property
    def wants_run(self) -> bool:
        return any(x.names - {SATURATION} - {p.path for p in self.parameters} for x in (*self.objectives.values(), *self.after))

    @property
    def speaks_of_latency(self) -> bool:
        return any("latency" in name for x in self.objectives.values() for name in x.names)

    def allows(self, design: Design) -> bool:
        return all(x(lambda name: design[name]) for x in self.before)

    @property
    def wants_costs(self) -> bool:
        return any(x.names & set(COSTS) for x in (*self.objectives.values(), *self.after))

    def affords(self, known: Mapping[str, Any]) -> bool:
        """Whether no constraint is broken by what is known of a design without a run."""
        return all(x(known.get) is not False for x in self.costs)

    def size(self) -> Optional[int]:
        """How many designs there are, with those that constraints forbid."""
        all_of_them = [p.all() for p in self.parameters]
        return None if None in all_of_them else math.prod(len(values or ()) for values in all_of_them)

    def designs(self) -> Iterator[Design]:
        """Every one that is allowed, of a space that can be counted."""
        for values in itertools.product(*(p.all() or () for p in self.parameters)):
            design = dict(zip((p.path for p in self.parameters), values))
            if self.allows(design):
                yield design

    def values(self, expressions: Sequence[Expression], design: Design, summary: Mapping[str, Any]) -> List[Any]:
        return [x(lambda name: figure(name, design, summary)) for x in expressions]


def figure(name: str, design: Mapping[str, Any], summary: Mapping[str, Any]) -> Any:
    """A parameter, a column of sweep.csv, or a path in summary.json or its configuration."""
    if name in design:
        return design[name]
    if name == "buffer_bits":  # the experiment has no table of costs
        return _buffer_bits(summary)
    for tree, path in ((summary, NAMES.get(name, name)), (summary.get("config", {}), name)):
        found: Any = tree
        for part in path.split("."):
            if not isinstance(found, Mapping) or part not in found:
                break
            found = found[part]
        else:
            return found
    paths = [path for path in _paths(summary, "") if not path.startswith(("run.", "config."))]
    near = difflib.get_close_matches(name, [*NAMES, *COSTS, SATURATION, *paths], 1, 0.6) or [path for path in paths if path.endswith(f".{name}")]
    raise Missing(f"summary.json has no '{name}'; " + (f"did you mean '{near[0]}'?" if near else
                  f"it has {', '.join(k for k in summary if k != 'run')}, and the columns of sweep.csv"))


def _buffer_bits(summary: Mapping[str, Any]) -> Optional[int]:
    """Bits of all input buffers if every router has VCs of the same depth, as the table of a sweep has them; else None."""
    config, topology = summary["config"], summary["topology"]
    router = config["router"]
    if not isinstance(router, Mapping) or router.get("kind") != "vc" or "routers" in config:
        return None
    return int((topology["channels"] + topology["nodes"]) * router["vcs"] * router["depth"] * config["nic"]["flit_bytes"] * 8)


def _paths(tree: Mapping[str, Any], before: str) -> Iterator[str]:
    """Paths of all figures of a summary."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _paths(value, f"{before}{key}.")
        else:
            yield f"{before}{key}"


def half_width(x: Expression, design: Mapping[str, Any], summary: Mapping[str, Any]) -> Optional[float]:
    """Of the 95 % interval of its value; None where a figure's noise is not known."""
    value, squares = x(lambda name: figure(name, design, summary)), 0.0
    for one in x.names:
        share = 0.0 if one in design or one in COSTS else _share_of_noise(one, summary)
        if share is None:
            return None
        moved = x(lambda name: figure(name, design, summary) * (1 + share * (name == one)) if share else figure(name, design, summary))
        if not _is_number(moved) or not _is_number(value):
            return None
        squares += (moved - value) ** 2
    return math.sqrt(squares)


def _share_of_noise(name: str, summary: Mapping[str, Any]) -> Optional[float]:
    """The half width of a figure's interval, over the figure."""
    if name in LATENCIES:
        latency = summary.get("latency", {}).get("packet", {}).get("from_generation", {})
        return float(latency["ci95"]) / float(latency["mean"]) if latency.get("ci95") is not None and latency.get("mean") else None
    batches = [batch["accepted"] for batch in summary.get("batches") or [] if _is_number(batch.get("accepted"))]
    if name not in LOADS or len(batches) < 3 or not sum(batches):
        return None
    return float(T_95 * statistics.stdev(batches) / math.sqrt(len(batches)) / statistics.mean(batches))


class Declared:
    """The section ``explore`` or ``fit`` of a file, and the experiment's text without it; options can say all that ``fit`` does."""

    def __init__(self, file: Path, tree: Mapping[str, Any], text: str, section: str) -> None:
        self.file = file
        self._lines = text.splitlines()
        begin = next((k for k, line in enumerate(self._lines) if line.split(":")[0].strip("'\" ") == section and line[:1] not in " #"), None)
        if begin is not None and not isinstance(tree.get(section), (Mapping, type(None))):
            raise Error(f"{file}:{begin + 1}: '{section}' must be a section of 'key: value' lines")
        if begin is None or not isinstance(tree.get(section), Mapping):
            if section == "explore":
                raise Error(f"{file}:1: no section 'explore'; it says which parameters vary, and what is wanted (docs/explore.md)")
            self.section: Dict[str, Any] = {}
            self._begin = self._end = 0
            self.text = text
            return
        end = next((k for k in range(begin + 1, len(self._lines)) if self._lines[k][:1] not in ("", " ", "#", "\t", "}", "]")), len(self._lines))
        self._begin, self._end = begin, end
        self.section = dict(tree[section])
        self.text = "\n".join(["" if begin <= k < end else line for k, line in enumerate(self._lines)]) + "\n"

    def line_of(self, sentence: str) -> int:
        """Of the key or the text that a sentence begins with, or has between quotes; else of the section."""
        words = [part for k, part in enumerate(sentence.split("'")) if k % 2] + [sentence.split(":")[0].split(" ")[0]]
        for word in words:
            for k in range(self._begin, self._end):
                if word and word in self._lines[k].split("#")[0]:
                    return k + 1
        return self._begin + 1

    def at(self, problem: Error) -> Error:
        """The same with file and line."""
        return Error(f"{self.file}:{self.line_of(str(problem))}: {problem}")

    def space(self, changes: Mapping[str, Any]) -> Space:
        try:
            return Space({**self.section, **{k: v for k, v in changes.items() if v is not None}})
        except Error as problem:
            raise self.at(problem) from None
