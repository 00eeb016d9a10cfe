#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The formulas of docs/router.md for the latency of a packet in an empty network, read from the page and held against runs.

    tests/docs/check_latency.py SARE
"""
import itertools
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/router.md"
MODES = {"wormhole": "wormhole", "cut_through": "virtual cut-through", "store_and_forward": "store-and-forward"}


def formula(words):
    """Of the line that ends with (..., words, ...), as an expression of Python: what stands side by side is multiplied."""
    line, = (line for line in PAGE.read_text().splitlines() if line.startswith("    T = ") and words in line)
    text = re.sub(r"\([^()]*[a-z]{3}[^()]*\)$", "", line.split("=")[1]).replace("nic.delay", "nic")
    return re.sub(r"(?<=[\w)]) (?=[\w(])", " * ", text.strip())


def measured(program, folder, mode, hops, flits, sa):
    setting = {"network": {"topology": "mesh", "dims": [hops], "link_latency": 2}, "routing": "dor",
               "router": {"vcs": 2, "depth": 32, "switching": mode, "sa_delay": sa},
               "nic": {"max_packet_flits": 8}, "traffic": {"workload": "ping", "pairs": [[0, hops - 1]], "length": flits}}
    (folder / "one.yaml").write_text(json.dumps(setting))
    subprocess.run([program, "run", folder / "one.yaml", "--out", folder / "out", "--overwrite", "--no-report"], check=True, capture_output=True)
    return json.loads((folder / "out/summary.json").read_text())["latency"]["packet"]["from_generation"]["max"]


def main(program):
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="sare-latency-") as name:
        for (mode, words), hops, flits, sa in itertools.product(MODES.items(), (2, 5), (1, 6), (1, 3)):
            known = {"nic": 1, "Lin": 1, "Lout": 1, "L": 2, "H": hops, "F": flits, "t": 3 + sa, "s": max(1, sa)}
            said = eval(formula(words), {}, known)  # noqa: S307: of our own page
            if said != (found := measured(program, Path(name), mode, hops, flits, sa)):
                print(f"{PAGE.name}: {mode}, {hops} routers, {flits} flits, sa_delay {sa}: the formula says {said}, the run {found}")
                wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
