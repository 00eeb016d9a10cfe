# SPDX-License-Identifier: Apache-2.0
"""Which designs are on the front of latency and buffers? Meshes at a load so low that latency depends on the links alone: designs with
longer links are slower, those of equal links are equal, and buffers are known exactly."""
import json
import random
import subprocess
from dataclasses import dataclass

from libanswers.answer import Answer
from sare.report import read
from sare.report.sweeps import front, pareto
from sare.report.sweeps.curves import Sweep

KIND = "fronts"
SHARE = 0.1  # of the questions of all kinds
EQUAL = "beaten, or equal in latency"  # its buffers are larger; a latency that contention makes longer or shorter may not be told


def questions(seed, count):
    return [_question(random.Random(f"{seed} {number}"), number) for number in range(count)]


@dataclass
class Question:
    name: str
    designs: list  # (link latency, depth, seed)
    side: int

    def ask(self, program, folder):
        folder.mkdir(parents=True, exist_ok=True)
        cases = {f"d{k}": {"seed": seed, "network": {"topology": "mesh", "dims": [self.side, self.side], "link_latency": link}, "router": {"vcs": 2, "depth": depth}}
                 for k, (link, depth, seed) in enumerate(self.designs)}
        experiment = {"routing": "dor", "traffic": {"workload": "bernoulli", "pattern": "uniform", "load": 0.02, "length": 1},
                      "measurement": {"warmup": 500, "batch": 1000, "batches": 10}, "cases": cases}
        (folder / "designs.yaml").write_text(json.dumps(experiment))
        done = subprocess.run([program, "sweep", folder / "designs.yaml", "--axis", f"case={','.join(cases)}", "--out", folder / "out", "--quiet", "--no-report"],
                              capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise RuntimeError(done.stderr.strip())
        choice = pareto.candidates(Sweep(read.result(folder / "out")))
        said = {c.name.removeprefix("case "): c.verdict for c in choice.made}
        return self._judged([said[name] for name in cases])

    def truth(self, k):
        """What is true of design k."""
        link, depth, _ = self.designs[k]
        others = [design for j, design in enumerate(self.designs) if j != k]
        if any(l <= link and d <= depth and l < link for l, d, _ in others):
            return front.BEATEN
        return EQUAL if any(l == link and d < depth for l, d, _ in others) else front.FRONT

    def _judged(self, said):
        truths = [self.truth(k) for k in range(len(said))]
        text = lambda verdicts: "; ".join(f"link {l}, depth {d}: {v}" for (l, d, _), v in zip(self.designs, verdicts))
        wrong = any(v == front.FRONT and t != front.FRONT or v == front.BEATEN and t == front.FRONT for v, t in zip(said, truths))
        return Answer("wrong" if wrong else "cannot tell" if front.OPEN in said else "right", text(truths), text(said))


def _question(draw, number):
    """Trade-offs, a design that another beats in both, and in every third question two that are equal but for their seed,
    or but for larger buffers."""
    links, depths = sorted(draw.sample([1, 2, 3, 4], 3)), sorted(draw.sample([8, 12, 16, 24, 32], 3), reverse=True)
    designs = list(zip(links, depths))
    if draw.random() < 0.7:
        designs.append((links[1] + 1, depths[1] + draw.choice([0, 4])))
    if number % 3 == 0:
        link, depth = draw.choice(designs[:3])
        designs.append((link, depth + draw.choice([0, 0, 8])))
    draw.shuffle(designs)
    return Question(f"{KIND} {number}", [(link, depth, draw.randrange(10**6)) for link, depth in designs], draw.choice([3, 4]))
