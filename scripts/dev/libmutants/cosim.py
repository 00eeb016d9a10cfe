# SPDX-License-Identifier: Apache-2.0
"""Mutants of the RTL and of the model's router, judged by the random routers, bridges and NICs of `sare cosim`: the
mutant against the other one, which stays as it is."""
import csv
import json
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

from checkout import ROOT
from sare.rtl import RTL, run
from sare.rtl import parameters as declared

from .mutant import Verdict
from .page import FOLDER
from .sources import TREE, Copy

SARE = Path(os.environ.get("SARE", ROOT / "build/sare"))
CYCLES, MOST_VCS = 20000, 16
BLOCKS = 20  # seeds of bridges, and of NICs


def parameters(case):
    """Numbers of a case's parameters by name; 0 for those of the router that it has not."""
    words = re.findall(r"(\w+)=(?:\d+'([bdh]))?(\w+)", case["parameters"])
    given = {name: int(value, 16 if base == "h" else 10) for name, base, value in words}
    return {**dict.fromkeys(declared("sare_router"), 0), **given}


def command(program, seed, of, out, shrink=0):
    """Of one random router, or of what `of` says."""
    drawn = ["--most-vcs", MOST_VCS] if of == "routers" else ["--of", of]
    words = [program, "cosim", "--random", 1, "--seed", seed, *drawn, "--speed", "quick", "--cycles", CYCLES, "--no-waves", "--shrink", shrink,
             "--quiet", "--out", out]
    return list(map(str, words))


def cosim(program, seed, of, rtl, out, cache=None):
    """Its case. Without `cache` its libraries are kept where sare keeps them, for others too."""
    shutil.rmtree(out, ignore_errors=True)
    kept = {} if cache is None else {"SARE_RTL_CACHE": str(cache)}
    _, log = run(command(program, seed, of, out), env={**os.environ, "SARE_RTL": str(rtl), **kept})
    return read_cases(out, log)[0]


def read_cases(out, log):
    """Of a result; `log`: what was printed, a text or a file."""
    result = out / "cosim.json"
    if not result.exists():
        text = log.read_text() if isinstance(log, Path) else log
        raise SystemExit(f"mutants: sare cosim failed:\n{text[-2000:]}")
    return json.loads(result.read_text())["cases"]


class Control:
    """The untouched pair under the seeds that are tried: has to agree."""

    def __init__(self, program, args):
        self.program, self.args, self.lock, self.drawn = program, args, Lock(), {}

    def parameters(self, of, seed):
        # A seed that agreed is not run again, so that a run that was stopped goes on.
        done = self.args.out / f"control/{of}/{seed}/cosim.json"
        before = json.loads(done.read_text())["cases"] if done.exists() else []
        case = before[0] if before and before[0]["status"] == "agrees" else cosim(self.program, seed, of, RTL, done.parent)
        if case["status"] != "agrees":
            wrong = case["message"] or f"{case['name']}: {case['status'] or 'stopped'}"
            raise SystemExit(f"mutants: model and RTL differ as they are: {wrong}")
        return parameters(case) if of == "routers" else {}  # what is drawn of others fits every mutant

    def check(self, of, seed):
        """This seed alone."""
        with self.lock:
            self.parameters(of, seed)

    def all(self, of):
        """{seed: parameters}, the smallest routers first, for they compile soonest."""
        with self.lock:
            if of not in self.drawn:
                seeds = range(1, (self.args.configurations if of == "routers" else BLOCKS) + 1)
                drawn = {seed: self.parameters(of, seed) for seed in seeds}
                smallest = sorted(drawn.items(), key=lambda item: item[1]["Ports"] * item[1]["Vcs"]) if of == "routers" else drawn
                self.drawn[of] = dict(smallest)
            return self.drawn[of]


def known_seeds():
    """Of mutants that have been found, the random router that did: {number: seed}."""
    with open(FOLDER / "mutants.csv", newline="") as text:
        return {int(row[0]): int(row[3]) for row in list(csv.reader(text))[1:] if row[5]}


def how(case):
    """The pin, or what else told, in a case that does not agree."""
    message = case["message"]
    if pin := re.search(r": (\w+)(?: of \w+)?(?:, [^:]*)? is 0x", message):
        return pin[1]
    if assertion := re.search(r"Assertion failed in [\w.\[\]]+\.(\w+)", message):
        return f"assertion {assertion[1]}"
    if case["status"] == "error":
        return f"its end: {message}"
    return re.sub(r"^cycle \d+, |\d+", lambda m: "" if m[0].startswith("cycle") else "N", message)


def tried_on(mutant, seed, program, rtl, cache, args):
    """What one random router comes to; None if it agrees."""
    case = cosim(program, seed, mutant.of, rtl, args.out / f"run/{mutant.number}", cache)
    if case["status"] == "agrees":
        return None
    if "failed with status" in case["message"]:
        return Verdict(mutant, problem=case["message"])
    return Verdict(mutant, str(seed), str(case['router_cycles']), how(case))


def hunt(mutant, program, rtl, cache, control, args):
    """Random routers until one differs. Where a few mutants are asked for, the one that has found it before comes
    first: it may be the only one that has to be compiled."""
    known = known_seeds().get(mutant.number)
    if args.only and known is not None:
        control.check(mutant.of, known)
        if found := tried_on(mutant, known, program, rtl, cache, args):
            return found
    fit = [seed for seed, values in control.all(mutant.of).items() if eval(mutant.needs, {}, values)]
    if not fit and known is not None:  # of parameters that are drawn rarely
        control.check(mutant.of, known)
        fit = [known]
    if not fit:
        raise SystemExit(f"mutants: {mutant.number}: no random router with {mutant.needs}")
    tried = fit[:5 if mutant.equivalent else args.most]
    for seed in tried:
        if found := tried_on(mutant, seed, program, rtl, cache, args):
            return found
    return Verdict(mutant, f"{len(tried)} tried")


def hunt_rtl(mutant, control, args):
    """With a copy of the RTL; libraries in the cache go by the text of their sources."""
    folder = args.out / f"rtl-{mutant.number}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RTL, folder / "rtl", ignore=shutil.ignore_patterns("formal"))
    source = folder / mutant.path
    source.write_text(mutant.edited(source.read_text()))
    verdict = hunt(mutant, SARE, folder / "rtl", args.out / "rtl", control, args)
    shutil.rmtree(folder)
    return verdict


def hunt_model(mutant, copy, control, args):
    copy.refresh(mutant)
    status, log = copy.build("sare")
    if status != 0:
        return Verdict(mutant, problem=log[-3000:])
    return hunt(mutant, copy.folder / "build/sare", RTL, None, control, args)


def verdicts(mutants, args):
    """One by one, as they come."""
    if not mutants:
        return
    if not SARE.exists():
        raise SystemExit(f"mutants: {SARE} is missing: build it, or set SARE")
    control = Control(SARE, args)
    with ThreadPoolExecutor(args.jobs) as pool:
        yield from pool.map(lambda m: hunt_rtl(m, control, args), [m for m in mutants if m.side == "rtl"])
    # Not optimized: a run takes a second anyway.
    copy = Copy(args.out / "model", TREE, ["-DCMAKE_CXX_FLAGS=-O0 -w -Wno-error", "-DSARE_TESTS=OFF"], args.jobs)
    for mutant in mutants:
        if mutant.side == "model":
            yield hunt_model(mutant, copy, control, args)
