# SPDX-License-Identifier: Apache-2.0
"""Which parameters has the network that a curve was measured of? Hidden settings, curves of long runs with noise of 2%: each parameter is
to be found exactly or declared not identifiable, with the truth among the values that fit."""
import csv
import json
import random
import subprocess
from dataclasses import dataclass

from libanswers.answer import Answer

KIND = "fits"
SHARE = 0.125  # of the questions of all kinds
NOISE = 0.02
MOST_SETTINGS = 60
SHORT = {"warmup": 500, "batch": 400, "batches": 10}
LONG = {"warmup": 2000, "batch": 2000, "batches": 10}  # of what is measured

NETWORKS = [({"topology": "mesh", "dims": [4, 4]}, ["dor", "west_first", "o1turn", "valiant"]), ({"topology": "mesh", "dims": [3, 3]}, ["dor", "odd_even", "o1turn"]),
            ({"topology": "torus", "dims": [4, 4]}, ["dor", "duato"]), ({"topology": "ring", "n": 8}, ["dor"]), ({"topology": "hypercube", "n": 3}, ["dor"])]
VALUES = {"router.depth": [2, 3, 4, 5, 6, 8], "router.vcs": [2, 4], "router.rc_delay": [0, 1, 2], "router.va_delay": [0, 1, 2], "router.sa_delay": [0, 1, 2, 3],
          "network.link_latency": [1, 2, 3], "router.speculative": [False, True], "traffic.length": [2, 3, 4, 5, 6]}
FIGURES = {"latency.mean": lambda s: s["latency"]["packet"]["from_generation"]["mean"], "accepted": lambda s: s["load"]["accepted"],
           "network_latency.mean": lambda s: s["latency"]["packet"]["from_injection"]["mean"]}


def questions(seed, count):
    return [Question(random.Random(f"{seed} {number}"), f"{KIND}-{seed}-{number}") for number in range(count)]


@dataclass
class Question:
    draw: random.Random
    name: str

    def ask(self, program, folder):
        """The answer of a fit. What the program refuses, or is saturated nearly everywhere, is drawn again."""
        folder.mkdir(parents=True, exist_ok=True)
        rows = []
        while len(rows) < 3:
            setting, space = self._setting()
            truth = {path: self.draw.choice(values) for path, values in space.items()}
            rows = self._measured(program, folder, setting, truth)
        with open(folder / "curve.csv", "w", newline="") as to:
            csv.writer(to).writerows([["load", *(w for name in self._names for w in (name, f"{name}_error"))], *rows])
        (folder / "e.yaml").write_text(json.dumps({**setting, "measurement": SHORT}))
        words = [f"--parameter={path}={'|'.join(map(json.dumps, values))}" for path, values in space.items()]
        done = subprocess.run([program, "fit", folder / "e.yaml", "--to", folder / "curve.csv", *words, "--out", folder / "fit", "--quiet", "--no-store"],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        return judged(json.loads((folder / "fit/fit.json").read_text()), folder / "fit/settings.csv", truth)

    def _setting(self):
        network, routes = self.draw.choice(NETWORKS)
        space, size = {}, 1
        for path in self.draw.sample([*VALUES, "routing.function"], self.draw.choice([2, 3, 3])):
            values = routes if path == "routing.function" else VALUES[path]
            if 1 < len(values) and size * len(values) <= MOST_SETTINGS:
                space[path], size = values, size * len(values)
        self._names = self.draw.choice([["latency.mean"], ["latency.mean", "accepted"], ["latency.mean", "network_latency.mean"]])
        return {"seed": self.draw.randrange(10**6), "network": network, "routing": {"function": routes[0]},
                "router": {"vcs": self.draw.choice([2, 4]), "depth": self.draw.choice([2, 4, 8])},
                "traffic": {"workload": "bernoulli", "length": self.draw.choice([2, 4]), "load": 0.1}}, space

    def _measured(self, program, folder, setting, truth):
        """Along the load, up to its end in saturation; each figure with its noise, and with the error that it is given."""
        rows = []
        (folder / "long.yaml").write_text(json.dumps({**setting, "seed": setting["seed"] + 1000, "measurement": LONG}))
        for load in (0.05, 0.15, 0.25, 0.35, 0.45, 0.6):
            words = [f"--set={path}={json.dumps(value)}" for path, value in {**truth, "traffic.load": load}.items()]
            subprocess.run([program, "run", folder / "long.yaml", *words, "--out", folder / "long", "--overwrite", "--quiet", "--no-report", "--no-store"], capture_output=True)
            if not (folder / "long/summary.json").exists():
                return []
            summary = json.loads((folder / "long/summary.json").read_text())
            if summary["status"] != "completed":
                break
            rows.append([load, *(w for name in self._names for w in (FIGURES[name](summary) * self.draw.gauss(1, NOISE), f"{NOISE:%}"))])
        return rows


def judged(found, settings, truth):
    """Wrong is a parameter that is called identified and is not the truth, and a truth outside of what fits. A fit that is called bad claims nothing."""
    said = {row["parameter"]: (row["best"], row["verdict"]) for row in found["parameters"]}
    with open(settings, newline="") as file:
        fits = [row for row in csv.DictReader(file) if row["verdict"] == "fits"]
    text = lambda value: value if isinstance(value, str) else json.dumps(value)
    inside = any(all(row[path] == text(value) for path, value in truth.items()) for row in fits)
    known = [path for path, (_, verdict) in said.items() if verdict == "identified"]
    wrong = not inside or any(said[path][0] != truth[path] for path in known)
    return Answer("wrong" if wrong else "right" if len(known) == len(truth) and found["goodness"]["verdict"] != "bad" else "cannot tell", json.dumps(truth), json.dumps(said) + " " + found["goodness"]["reason"])
