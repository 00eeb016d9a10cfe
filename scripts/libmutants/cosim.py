# SPDX-License-Identifier: Apache-2.0
"""Mutants of the RTL and of the model's general router, judged by the random routers, bridges and NICs of `sare cosim`: the
mutant against the other one, which stays as it is."""
import json
import os
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import librtl
from librtl import ROOT, RTL, run

from .mutant import Verdict
from .sources import TREE, Copy

SARE = Path(os.environ.get("SARE", ROOT / "build/sare"))
CYCLES, MOST_VCS = 20000, 16
BLOCKS = 20  # seeds of bridges, and of NICs


def parameters(case):
    """Numbers of a case's parameters by name; 0 for those of the router that it has not."""
    words = re.findall(r"(\w+)=(?:\d+'([bdh]))?(\w+)", case["parameters"])
    given = {name: int(value, 16 if base == "h" else 10) for name, base, value in words}
    return {**dict.fromkeys(librtl.parameters("sare_router"), 0), **given}


def command(program, seed, of, out, shrink=0):
    """Of one random router, or of what `of` says."""
    drawn = ["--most-vcs", MOST_VCS] if of == "routers" else ["--of", of]
    words = [program, "cosim", "--random", 1, "--seed", seed, *drawn, "--speed", "quick", "--cycles", CYCLES, "--no-waves", "--shrink", shrink,
             "--quiet", "--out", out]
    return list(map(str, words))


def cosim(program, seed, of, rtl, cache, out):
    """Its case."""
    shutil.rmtree(out, ignore_errors=True)
    _, log = run(command(program, seed, of, out), env={**os.environ, "SARE_RTL": str(rtl), "SARE_RTL_CACHE": str(cache)})
    return read_cases(out, log)[0]


def read_cases(out, log):
    """Of a result; `log`: what was printed, a text or a file."""
    result = out / "cosim.json"
    if not result.exists():
        text = log.read_text() if isinstance(log, Path) else log
        raise SystemExit(f"mutants: sare cosim failed:\n{text[-2000:]}")
    return json.loads(result.read_text())["cases"]


def control(program, args, of="routers"):
    """The untouched pair: has to agree. {seed: parameters}, the smallest routers first, for they compile soonest."""
    cases = []
    for seed in range(1, (args.configurations if of == "routers" else BLOCKS) + 1):
        # A seed that agreed is not run again, so that a run that was stopped goes on.
        done = args.out / f"control/{of}/{seed}/cosim.json"
        before = json.loads(done.read_text())["cases"] if done.exists() else []
        agreed = any(case["status"] == "agrees" for case in before)
        cases += before if agreed else [cosim(program, seed, of, RTL, args.out / "rtl", done.parent)]
    wrong = [case["message"] or f"{case['name']}: {case['status'] or 'stopped'}" for case in cases if case["status"] != "agrees"]
    if wrong:
        raise SystemExit(f"mutants: model and RTL differ as they are: {wrong[0]}")
    drawn = {int(case["name"].split()[1]): parameters(case) for case in cases}
    if of != "routers":
        return drawn
    return dict(sorted(drawn.items(), key=lambda item: item[1]["Ports"] * item[1]["Vcs"]))


def how(case):
    """The pin, or what else told, in a case that does not agree."""
    message = case["message"]
    if pin := re.search(r": (\w+) is 0x", message):
        return pin[1]
    if assertion := re.search(r"Assertion failed in [\w.\[\]]+\.(\w+)", message):
        return f"assertion {assertion[1]}"
    if case["status"] == "error":
        return f"its end: {message}"
    return re.sub(r"^cycle \d+, |\d+", lambda m: "" if m[0].startswith("cycle") else "N", message)


def hunt(mutant, program, rtl, cache, drawn, args):
    """Random routers until one differs."""
    fit = [seed for seed, values in drawn.items() if eval(mutant.needs, {}, values)]
    if not fit:
        raise SystemExit(f"mutants: {mutant.number}: no random router with {mutant.needs}")
    tried = fit[:5 if mutant.equivalent else args.most]
    for seed in tried:
        case = cosim(program, seed, mutant.of, rtl, cache, args.out / f"run/{mutant.number}")
        if case["status"] == "agrees":
            continue
        if "failed with status" in case["message"]:
            return Verdict(mutant, problem=case["message"])
        return Verdict(mutant, str(seed), str(case['router_cycles']), how(case))
    return Verdict(mutant, f"{len(tried)} tried")


def hunt_rtl(mutant, drawn, args):
    """With a copy of the RTL; libraries in the cache go by the text of their sources."""
    folder = args.out / f"rtl-{mutant.number}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RTL, folder / "rtl", ignore=shutil.ignore_patterns("formal"))
    source = folder / "rtl" / Path(mutant.path).name
    source.write_text(mutant.edited(source.read_text()))
    verdict = hunt(mutant, SARE, folder / "rtl", args.out / "rtl", drawn, args)
    shutil.rmtree(folder)
    return verdict


def hunt_model(mutant, copy, drawn, args):
    copy.refresh(mutant)
    status, log = copy.build("sare")
    if status != 0:
        return Verdict(mutant, problem=log[-3000:])
    return hunt(mutant, copy.folder / "build/sare", RTL, args.out / "rtl", drawn, args)


def verdicts(mutants, args):
    """One by one, as they come."""
    if not mutants:
        return
    if not SARE.exists():
        raise SystemExit(f"mutants: {SARE} is missing: build it, or set SARE")
    drawn = {of: control(SARE, args, of) for of in sorted({m.of for m in mutants})}
    with ThreadPoolExecutor(args.jobs) as pool:
        yield from pool.map(lambda m: hunt_rtl(m, drawn[m.of], args), [m for m in mutants if m.side == "rtl"])
    # Not optimized: a run takes a second anyway.
    copy = Copy(args.out / "model", TREE, ["-DCMAKE_CXX_FLAGS=-O0 -w -Wno-error", "-DSARE_TESTS=OFF"], args.jobs)
    for mutant in mutants:
        if mutant.side == "model":
            yield hunt_model(mutant, copy, drawn["routers"], args)
