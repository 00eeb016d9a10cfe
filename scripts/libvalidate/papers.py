# SPDX-License-Identifier: Apache-2.0
"""What papers say, beside what Sare measures: the table of docs/studies/papers.md, from results that are kept.

`quick` (nothing said): the rows that cost little run again, and must give what is kept, which the page must show.
`all`: all rows run, the results are kept, the page gets the table. NAME: one row, with its commands. `page`: the table alone.
"""
import csv
import json
import os
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libvalidate.papers_rows import PAPERS
from libvalidate.rows import ROOT, SARE, fail

RESULTS, PAGE = ROOT / "tests/data/papers.csv", ROOT / "docs/studies/papers.md"
BEGIN, END = "<!-- the table: scripts/validate papers page -->\n", "<!-- end of the table -->\n"
ROWS = {row.name: row for _, rows in PAPERS for row in rows}


def run(command):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run([SARE, "run", *shlex.split(command), "--out", out, "--quiet", "--no-report"], cwd=ROOT,
                              capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"sare run {command}\nended with status {done.returncode}: {done.stderr.strip()}")
        return json.loads((out / "summary.json").read_text())


def measure(row):
    """(ours, verdict)"""
    if row.recorded:
        ours, agrees, page = row.recorded
        return f"{ours} ([study]({page}))", "agrees" if agrees else "differs"
    if not row.runs:
        return "", "not measured"
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        ours, agrees = row.figure(dict(zip(row.runs, workers.map(run, row.runs.values()))))
    return ours, "agrees" if agrees else "differs"


def kept():
    with open(RESULTS, newline="") as text:
        return {r["row"]: (r["ours"], r["verdict"]) for r in csv.DictReader(text)}


def keep(results):
    with open(RESULTS, "w", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerows([("row", "ours", "verdict"), *((name, *results[name]) for name in ROWS if name in results)])


def table(results):
    lines = []
    for paper, rows in PAPERS:
        lines += [f"## {paper}", "", "| what | theirs | ours | row | |", "|---|---|---|---|---|"]
        for row in rows:
            ours, verdict = results[row.name]
            lines.append(f"| {row.says} | {row.theirs} | {ours} | `{row.name}` | {verdict}{': ' + row.why if verdict != 'agrees' and row.why else ''} |")
        lines.append("")
    return "\n".join(lines)


def page_text(results):
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + table(results) + END + rest.split(END)[1]


def check_quick():
    before, bad = kept(), 0
    for row in (r for r in ROWS.values() if r.quick):
        now = measure(row)
        good = now == before.get(row.name)
        bad += not good
        print(f"{row.name:24s} {now[1]:8s} {now[0]}{'' if good else f'  BUT KEPT IS {before.get(row.name)}'}", flush=True)
    if PAGE.read_text() != page_text(before):
        print(f"{PAGE.relative_to(ROOT)} is not made from {RESULTS.relative_to(ROOT)}: scripts/validate papers page")
        bad += 1
    return 1 if bad else 0


def validate(which):
    if which in (None, "quick"):
        return check_quick()
    if which not in ("all", "page") and which not in ROWS:
        fail(f"no row '{which}'; there are: quick, all, page, {', '.join(ROWS)}")
    results = kept() if RESULTS.exists() else {}
    for row in [] if which == "page" else [r for r in ROWS.values() if which in ("all", r.name)]:
        if which != "all":
            for command in row.runs.values():
                print(f"sare run {command}")
        results[row.name] = measure(row)
        print(f"{row.name:24s} {' | '.join(results[row.name])}", flush=True)
    if which in ("all", "page"):
        keep(results)
        PAGE.write_text(page_text(results))
    return 0
