# SPDX-License-Identifier: Apache-2.0
"""Asks the questions of all kinds, counts what came of them, and holds the counts against the rates that are promised."""
import argparse
import importlib
import os
import pkgutil
import random
import re
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import libanswers
from checkout import ROOT

PAGE = ROOT / "docs/validation.md"
RIGHT = 0.95  # least share of right answers among those that were given
HEADER = "| question | asked | right | cannot tell | wrong |\n|---|--:|--:|--:|--:|"


def kinds():
    """The modules of this package that have questions, by name of the kind."""
    modules = [importlib.import_module(f"libanswers.{m.name}") for m in pkgutil.iter_modules(libanswers.__path__)]
    return {m.KIND: m for m in modules if hasattr(m, "KIND")}


def ask(question, program):
    """The answer to one question, asked in a folder of its own. A question that fails is a wrong answer."""
    with tempfile.TemporaryDirectory(prefix="sare-answers-") as folder:
        try:
            answer = question.ask(program, Path(folder))
            return answer.outcome, f"the truth is {answer.truth}, said was {answer.said}"
        except Exception as problem:  # pylint: disable=broad-except
            return "wrong", f"{type(problem).__name__}: {problem}"


def arguments_of(words, known):
    parser = argparse.ArgumentParser(prog="campaign answers", description="Questions whose answer is known: generated, asked, counted.")
    parser.add_argument("--count", type=int, default=400, help="questions in all (400); each kind has its share of them")
    parser.add_argument("--kind", nargs="*", choices=sorted(known), default=sorted(known), help="ask these kinds alone, their shares (all)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the drawing (random)")
    parser.add_argument("--jobs", "-j", type=int, default=1, help="questions at once (1)")
    parser.add_argument("--program", type=Path, default=Path(os.environ.get("SARE", ROOT / "build/sare")), help="(build/sare)")
    parser.add_argument("--write", action="store_true", help="put the counts into the table of docs/validation.md")
    return parser.parse_args(words)


def main(words):
    known = kinds()
    options = arguments_of(words, known)
    options.program = options.program.resolve()
    print(f"seed {options.seed}", flush=True)
    lines, good = [], True
    with ThreadPoolExecutor(options.jobs) as pool:
        for kind in options.kind:
            counts = Counter()
            questions = known[kind].questions(options.seed, max(1, round(known[kind].SHARE * options.count)))
            for question, (outcome, what) in zip(questions, pool.map(lambda q: ask(q, options.program), questions)):
                counts[outcome] += 1
                print(f"{question.name}: {outcome}{'' if outcome == 'right' else ': ' + what}", flush=True)
            lines.append(f"| {kind} | {len(questions)} | {counts['right']} | {counts['cannot tell']} | {counts['wrong']} |")
            good = good and counts["right"] >= RIGHT * (counts["right"] + counts["wrong"]) > 0
    print("\n".join([HEADER, *lines]))
    if options.write:
        write(lines)
    return 0 if good else 1


def write(lines):
    """Puts the lines into the table of the page, in the place of those of the same kinds."""
    whole = PAGE.read_text()
    found = re.search(r"(?<=<!-- answers -->\n).*?(?=<!-- /answers -->)", whole, flags=re.S)
    if not found:
        sys.exit(f"campaign: {PAGE} has no markers <!-- answers --> and <!-- /answers -->")
    kept = {line.split("|")[1]: line for line in [*found[0].splitlines()[2:], *lines]}
    PAGE.write_text(whole[:found.start()] + "\n".join([HEADER, *sorted(kept.values())]) + "\n" + whole[found.end():])
