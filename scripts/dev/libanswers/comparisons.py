# SPDX-License-Identifier: Apache-2.0
"""Does B differ from A? Pairs of runs whose difference is known: none (another seed), a longer link, another load, longer packets."""
import json
import random
import re
import subprocess
from dataclasses import dataclass

from libanswers.answer import Answer

KIND = "comparisons"
SHARE = 0.1  # of the questions of all kinds
SLACK = 0.05  # of a difference: what contention, which a closed form leaves out, may add or take away at these loads
LINE = re.compile(r"^(?P<figure>.+?)  .*(?P<verdict>differs by|within noise:) (?P<by>[+-][\d.,e-]+)(?: ± (?P<width>[\d.,e-]+))?", re.M)


def questions(seed, count):
    makers = [_same, _same, _link, _load, _length]
    return [makers[number % len(makers)](random.Random(f"{seed} {number}"), number) for number in range(count)]


@dataclass
class Question:
    name: str
    a: dict              # experiments
    b: dict
    seeds: int           # of each; 1: noise is over the batches
    figure: str = ""     # that differs; "": none does
    by: float = 0.0

    def ask(self, program, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, experiment in (("a", self.a), ("b", self.b)):
            (folder / f"{name}.yaml").write_text(json.dumps(experiment))
            words = ["--seeds", str(self.seeds)] if self.seeds > 1 else []
            _call(program, "run", folder / f"{name}.yaml", "--out", folder / name, "--quiet", "--no-report", *words)
        said = _call(program, "compare", folder / "a", folder / "b")
        found = {m["figure"].strip(): (m["verdict"], _number(m["by"]), _number(m["width"] or "0")) for m in LINE.finditer(said)}
        return self._judged(found)

    def _judged(self, found):
        if not self.figure:
            alarms = [f"{figure} {verdict} {by:+g}" for figure, (verdict, by, _) in found.items() if verdict == "differs by"]
            return Answer("wrong" if alarms else "right", "no figure differs", "; ".join(alarms) or "nothing differs")
        verdict, by, width = found[self.figure]
        text = f"{self.figure} {verdict} {by:+g} ± {width:g}"
        near = abs(by - self.by) <= width + SLACK * abs(self.by)
        outcome = "wrong" if not near else "right" if verdict == "differs by" else "cannot tell"
        return Answer(outcome, f"{self.figure} differs by {self.by:+g}", text)


def _number(text):
    return float(text.replace(",", "").rstrip(".e-"))


def _call(program, *words):
    done = subprocess.run([program, *map(str, words)], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1) or words[0] != "compare" and done.returncode:
        raise RuntimeError(f"sare {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def _experiment(draw, side, load, length, link=1):
    return {"seed": draw.randrange(10**6), "network": {"topology": "mesh", "dims": [side, side], "link_latency": link}, "routing": "dor",
            "router": {"vcs": draw.choice([2, 4]), "depth": 8 + 4 * link},
            "traffic": {"workload": "bernoulli", "pattern": "uniform", "load": load, "length": length},
            "measurement": {"warmup": 1000, "batch": 500, "batches": 10}}


def _pair(draw, number, what, a, b, figure="", by=0.0):
    b["router"]["vcs"] = a["router"]["vcs"]
    return Question(f"{KIND} {number} {what}", a, b, draw.choice([1, 3]), figure, by)


def _same(draw, number):
    side, load, length = draw.choice([4, 6]), draw.choice([0.05, 0.1, 0.2, 0.3]), draw.choice([1, 4])
    return _pair(draw, number, "same", _experiment(draw, side, load, length), _experiment(draw, side, load, length))


def _link(draw, number):
    """Each link between routers costs its further cycles: the mean distance of two different nodes of a mesh, times those."""
    side, more = draw.choice([4, 6]), draw.choice([1, 2])
    distance = 2 * (side - 1 / side) / 3 * side ** 2 / (side ** 2 - 1)
    return _pair(draw, number, "link", _experiment(draw, side, 0.03, 1), _experiment(draw, side, 0.03, 1, 1 + more), "latency, mean", more * distance)


def _load(draw, number):
    """Below saturation the accepted load is the offered one."""
    side, low, more = draw.choice([4, 6]), draw.choice([0.05, 0.1]), draw.choice([0.01, 0.02, 0.05])
    return _pair(draw, number, "load", _experiment(draw, side, low, 1), _experiment(draw, side, low + more, 1), "accepted load", more)


def _length(draw, number):
    """A flit more comes a cycle later."""
    side, length, more = draw.choice([4, 6]), draw.choice([1, 2, 4]), draw.choice([2, 4])
    return _pair(draw, number, "length", _experiment(draw, side, 0.01, length), _experiment(draw, side, 0.01, length + more), "latency, mean", more)
