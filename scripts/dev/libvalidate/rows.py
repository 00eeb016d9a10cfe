# SPDX-License-Identifier: Apache-2.0
"""What comparisons with other simulators share: rows of a table, each a setting that Sare runs."""
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checkout import ROOT

SARE = Path(os.environ.get("SARE", ROOT / "build" / "sare"))


def fail(message):
    sys.exit(f"validate: {message}")


def known(table, row, column):
    if row[column] not in table:
        fail(f"{column} '{row[column]}' is not known here; known: {', '.join(table)}")
    return table[row[column]]


def read_rows(file):
    try:
        with open(file, newline="") as text:
            return list(csv.DictReader(text))
    except OSError as problem:
        fail(f"cannot read {file}: {problem.strerror}")


def run(setting):
    """The summary of a run."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "setting.yaml"
        file.write_text(json.dumps(setting))  # JSON is YAML
        done = subprocess.run([SARE, "run", file, "--out", Path(folder) / "out", "--quiet", "--no-report"],
                              capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"sare ended with status {done.returncode}: {done.stderr.strip()}")
        return json.loads((Path(folder) / "out" / "summary.json").read_text())


def deviation(pair):
    """Of our value from theirs."""
    return pair[0] / pair[1] - 1


def run_all(rows, compare, show):
    """Compares and shows every row, then the worst of each; the status: 1 if a row is beyond its bounds. A result has
    name, latency and accepted (ours, theirs), latency_counts, good."""
    results = []
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for result in workers.map(compare, rows):
            show(result)
            results.append(result)
    for what, counted in (("latency", [r for r in results if r["latency_counts"]]), ("accepted", results)):
        worst = max(counted, key=lambda r: abs(deviation(r[what])), default=None)
        if worst:
            print(f"worst {what + ':':9s} {deviation(worst[what]):+.2%}  {worst['name']}")
    bad = sum(not r["good"] for r in results)
    print(f"{len(results)} rows, {bad} beyond the bounds")
    return 1 if bad else 0
