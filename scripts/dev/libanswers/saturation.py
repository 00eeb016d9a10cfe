# SPDX-License-Identifier: Apache-2.0
"""Where does it saturate? Small networks whose saturation is bisected by long runs, beside what `sare saturate` says.

The truth does not rest on verdicts: a source keeps up if its backlog, in the second half of a window ten times as long,
grows by less than 1% of what it is offered. Of several seeds most decide.
"""
import csv
import json
import math
import random
import subprocess
from dataclasses import dataclass

from libanswers.answer import Answer

KIND = "saturation"
SHARE = 0.15  # of the questions of all kinds
WARM_UP, BATCH, BATCHES = 1000, 500, 10  # of what is asked
TIMES = 10       # as long are the runs of the truth
SEEDS = 3
GROWS, ERRORS = 0.01, 2  # a backlog that grows: beyond this share of what is offered, and so many standard errors
FINE = 0.01      # the truth is known to that
RIGHT = 0.02     # as far off an answer may be
CLEAR = 0.03     # seeds that disagree so far apart have no one truth

NETWORKS = [  # and routing functions
    ({"topology": "mesh", "dims": [4, 4]}, ["dor", "west_first", "odd_even", "duato", "o1turn", "valiant"]),
    ({"topology": "mesh", "dims": [6, 5]}, ["dor", "negative_first"]),
    ({"topology": "mesh", "dims": [8, 8]}, ["dor", "odd_even"]),
    ({"topology": "torus", "dims": [4, 4]}, ["dor", "duato"]),
    ({"topology": "torus", "dims": [8, 8]}, ["dor"]),
    ({"topology": "ring", "n": 16}, ["dor"]),
    ({"topology": "hypercube", "n": 4}, ["dor"]),
    ({"topology": "kary_ntree", "k": 4, "n": 2}, ["tree_adaptive", "tree_static"]),
    ({"topology": "mesh", "dims": [4, 4], "concentration": 2}, ["dor"]),
]
PATTERNS = ["uniform", "uniform", "transpose", "tornado", "neighbour", "shuffle", "bit_reversal", {"name": "hotspot", "nodes": [3], "fraction": 0.1}]


def questions(seed, count):
    return [Question(random.Random(f"{seed} {number}"), f"saturation-{seed}-{number}") for number in range(count)]


@dataclass
class Question:
    draw: random.Random
    name: str

    def ask(self, program, folder):
        """The answer, and the truth around it. What the program refuses is drawn again."""
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            setting = self._setting()
            (folder / "setting.yaml").write_text(json.dumps(setting))
            done = _call(program, "saturate", folder / "setting.yaml", "--out", folder / "said", "--overwrite")
            if done.returncode == 0:
                break
        one = json.loads((folder / "said/summary.json").read_text())["combinations"][0]
        said, truth = one["saturation"], Truth(program, folder, setting)
        text = f"{said['load']}, {said['sustained']} to {said['saturated']} ({said['confidence']})"
        if one["status"] != "found":
            return Answer("cannot tell", "", text)
        low, high = truth.around(said["load"])
        if low is None:
            return Answer("cannot tell", f"seeds disagree: {high}", text)
        off = max(low - said["load"], said["load"] - high, 0) / low
        return Answer("right" if off <= RIGHT else "wrong", f"{low:.5g} to {high:.5g}, {100 * off:.1f}% off", text)

    def _setting(self):
        network, routes = self.draw.choice(NETWORKS)
        return {"seed": self.draw.randrange(10**6), "network": network, "routing": self.draw.choice(routes),
                "router": {"vcs": self.draw.choice([2, 4, 8]), "depth": self.draw.choice([2, 4, 8, 16])},
                "traffic": {"workload": "bernoulli", "length": self.draw.choice([1, 2, 4, 8]), "pattern": self.draw.choice(PATTERNS)},
                "measurement": {"warmup": WARM_UP, "batch": BATCH, "batches": BATCHES}}


class Truth:
    """By runs of its own, and by what nodes.csv says of them alone."""

    def __init__(self, program, folder, setting):
        self.program, self.folder, self.setting = program, folder, setting
        self.known = {}

    def around(self, guess):
        """The last load that is sustained and the first that is not, FINE apart; (None, why) where seeds are at odds."""
        low = self._step(guess, 1 / 1.02, lambda load: self.sustained(load))
        high = self._step(low, 1.02, lambda load: not self.sustained(load))
        if high is None or low is None:
            return None, f"no end near {guess}"
        while high / low > 1 + FINE:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self.sustained(middle) else (low, middle)
        odd = [load for load, votes in self.known.items() if 0 < sum(votes) < SEEDS]
        if odd and max(odd) / min(odd) > 1 + CLEAR:
            return None, f"from {min(odd):.4g} to {max(odd):.4g}"
        return low, high

    def _step(self, load, factor, fits, steps=40):
        for _ in range(steps):
            if fits(load):
                return load
            load *= factor
        return None

    def sustained(self, load):
        """By most seeds; the last is left out where two agree."""
        load = float(f"{load:.5g}")
        votes = self.known.setdefault(load, [])
        while len(votes) < SEEDS and max(votes.count(True), votes.count(False)) <= SEEDS // 2:
            votes.append(self._keeps_up(load, len(votes)))
        return votes.count(True) > votes.count(False)

    def _keeps_up(self, load, seed):
        setting = {**self.setting, "seed": self.setting["seed"] + 1000 + seed, "traffic": {**self.setting["traffic"], "load": load},
                   "measurement": {"warmup": TIMES * (WARM_UP + BATCH * BATCHES // 2), "convergence_count": 0, "batch": TIMES * BATCH,
                                   "batches": BATCHES}}
        (self.folder / "long.yaml").write_text(json.dumps(setting))
        done = _call(self.program, "run", self.folder / "long.yaml", "--out", self.folder / "long", "--overwrite")
        if not (self.folder / "long/nodes.csv").exists():
            raise RuntimeError(done.stderr)
        with (self.folder / "long/nodes.csv").open() as file:
            rows = [(float(row["generated"]), float(row["injected"])) for row in csv.DictReader(file)]
        grown, all_of_it = sum(g - i for g, i in rows), sum(g for g, _ in rows)
        alone = any(g - i > max(GROWS * g, ERRORS * math.sqrt(g), 4) for g, i in rows)
        return not alone and grown <= max(GROWS * all_of_it, 0) + ERRORS * math.sqrt(all_of_it)


def _call(program, *words):
    return subprocess.run([program, *words, "--quiet", "--no-report", "--no-store"], capture_output=True, text=True)
