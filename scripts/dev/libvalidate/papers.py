# SPDX-License-Identifier: Apache-2.0
"""What papers say, beside what Sare measures: the table of docs/studies/papers.md, from results that are kept.

`quick` (nothing said): the rows that cost little run again, and must give what is kept, which the page must show.
`all`: all rows run, what cost least first; the results are kept row by row, with the seconds of a processor that they took, and
the page gets the table. Ended early, it goes on where it was: each run is kept beside the program (build/papers), by its command,
its experiment and the program that ran it. NAME: one row, with its commands. `page`: the table alone.
"""
import csv
import functools
import hashlib
import json
import os
import resource
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libvalidate.papers_rows import PAPERS
from libvalidate.rows import ROOT, SARE, fail

RESULTS, PAGE = ROOT / "tests/data/papers.csv", ROOT / "docs/studies/papers.md"
BEGIN, END = "<!-- the table: scripts/dev/validate papers page -->\n", "<!-- end of the table -->\n"
VERDICTS = {True: "agrees", False: "differs", None: "measured"}
ROWS = {row.name: row for _, rows in PAPERS for row in rows}


def run(command):
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run([SARE, "run", *shlex.split(command), "--out", out, "--quiet", "--no-report"], cwd=ROOT,
                              capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"sare run {command}\nended with status {done.returncode}: {done.stderr.strip()}")
        guest = out / "guest-0.txt"
        return json.loads((out / "summary.json").read_text()) | ({"guest": guest.read_text()} if guest.exists() else {})


@functools.cache
def program():
    return SARE.read_bytes()


def run_once(command):
    """The summary that is kept of this run by this program, else that of a run now; and the seconds that it took."""
    digest = hashlib.sha256(program() + command.encode() + (ROOT / shlex.split(command)[0]).read_bytes()).hexdigest()[:24]
    kept_at = SARE.parent / "papers" / f"{digest}.json"
    if not kept_at.exists():
        before = processor_seconds()
        summary = run(command)
        kept_at.parent.mkdir(exist_ok=True)
        kept_at.with_suffix(".part").write_text(json.dumps({"seconds": processor_seconds() - before, "summary": summary}))
        kept_at.with_suffix(".part").rename(kept_at)
    return json.loads(kept_at.read_text())


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def judged(row, summaries):
    """(ours, verdict)"""
    ours, agrees = row.figure(dict(zip(row.runs, summaries)))
    return f"{ours} ([study]({row.study}))" if row.study else ours, VERDICTS[agrees]


def measure(row):
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        return judged(row, workers.map(run, row.runs.values()))


def measure_once(row):
    """One run after the other, so that each is known to have taken what it took: (ours, verdict, seconds)."""
    runs = [run_once(command) for command in row.runs.values()]
    return *judged(row, [r["summary"] | {"processor_seconds": r["seconds"]} for r in runs]), f"{sum(r['seconds'] for r in runs):.3g}"


def kept():
    with open(RESULTS, newline="") as text:
        return {r["row"]: (r["ours"], r["verdict"], r["seconds"]) for r in csv.DictReader(text)}


def keep(results):
    with open(RESULTS, "w", newline="") as text:
        out = csv.writer(text, lineterminator="\n")
        out.writerows([("row", "ours", "verdict", "seconds"), *((name, *results[name]) for name in ROWS if name in results)])


def table(results):
    lines = []
    for paper, rows in PAPERS:
        lines += [f"## {paper}", "", "|what|theirs|ours|row||", "|---|---|---|---|---|"]
        for row in rows:
            ours, verdict, _ = results.get(row.name, ("", "not measured", ""))
            why = f": {row.why}" if verdict != "agrees" and row.why else ""
            lines.append(f"|{row.says}|{row.theirs}|{ours}|`{row.name}`|{verdict}{why}|")
        lines.append("")
    return "\n".join(lines)


def page_text(results):
    before, rest = PAGE.read_text().split(BEGIN)
    return before + BEGIN + table(results) + END + rest.split(END)[1]


def check_quick():
    before, bad = kept(), 0
    for row in (r for r in ROWS.values() if r.quick):
        now = measure(row)
        good = now == before.get(row.name, ())[:2]
        bad += not good
        print(f"{row.name:24s} {now[1]:8s} {now[0]}{'' if good else f'  BUT KEPT IS {before.get(row.name)}'}", flush=True)
    if PAGE.read_text() != page_text(before):
        print(f"{PAGE.relative_to(ROOT)} is not made from {RESULTS.relative_to(ROOT)}: scripts/dev/validate papers page")
        bad += 1
    return 1 if bad else 0


def run_all(results):
    cheap_first = sorted((r for r in ROWS.values() if r.runs), key=lambda r: float(results.get(r.name, ("", "", "inf"))[2] or "inf"))
    for number, row in enumerate(cheap_first, 1):
        results[row.name] = measure_once(row)
        print(f"{number:2d}/{len(cheap_first)} {row.name:24s} {' | '.join(results[row.name])} s", flush=True)
        keep(results)
    print(f"all rows: {sum(float(results[r.name][2]) for r in cheap_first):.0f} s of a processor")


def validate(which):
    if which in (None, "quick"):
        return check_quick()
    if which not in ("all", "page") and which not in ROWS:
        fail(f"no row '{which}'; there are: quick, all, page, {', '.join(ROWS)}")
    results = kept() if RESULTS.exists() else {}
    if which == "all":
        run_all(results)
    elif which != "page":
        for command in ROWS[which].runs.values():
            print(f"sare run {command}", flush=True)
        print(f"{which:24s} {' | '.join(measure_once(ROWS[which]))} s")
        return 0
    PAGE.write_text(page_text(results))
    return 0
