# SPDX-License-Identifier: Apache-2.0
"""NoC traces of Tenstorrent's Wormhole chip: what tb/experiments/wormhole.yaml predicts, and what the chip did."""
import csv
import json
import os
import statistics
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from libvalidate.rows import ROOT, SARE, deviation, fail

# Bounds of the absolute deviation of the duration, over all traces.
MEDIAN_BOUND, WORST_BOUND = 0.08, 0.20
EXPERIMENT = ROOT / "tb" / "experiments" / "wormhole.yaml"
CHIPS = ROOT / "tb" / "experiments" / "wormhole-chips" / "t3000.yaml"
# Flit by flit, and the same nodes on a network without contention.
FIDELITIES = ("flit", "analytic")


def run(trace, fidelity="flit", chips=None):
    """The durations, and predicted and recorded cycles of all barriers and kernels. chips: the topology file of a
    trace of several chips."""
    settings = [f"traffic.file={trace}", f"fidelity={fidelity}"] + ([f"traffic.chips={chips}"] if chips else [])
    settings = [text for each in settings for text in ("--set", each)]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        done = subprocess.run([SARE, "run", CHIPS if chips else EXPERIMENT, *settings, "--out", out, "--quiet",
                               "--no-report"], capture_output=True, text=True)
        if done.returncode != 0:
            fail(f"{trace.name}: sare ended with status {done.returncode}: {done.stderr.strip()}")
        result = json.loads((out / "summary.json").read_text())["workload"]

        def pairs(file, predicted, recorded):
            with open(out / file, newline="") as text:
                return [(int(row[predicted]), int(row[recorded])) for row in csv.DictReader(text) if int(row[recorded])]

        if int(result["barriers"]["count"]) == 0:
            fail(f"{trace.name}: no end of a barrier is recorded in it")
        end = "last_move_cycle" if chips else "duration_cycles"
        return {"duration": (int(result[end]), int(result[f"recorded_{end}"])),
                "forwarded": result.get("forwarded"),
                "barriers": pairs("barriers.csv", "predicted_end", "recorded_end"),
                "kernels": pairs("kernels.csv", "predicted_cycles", "recorded_cycles")}


def compare(trace):
    return trace.name.split(".")[0], {f: run(trace, f) for f in FIDELITIES}


def show(name, result):
    predicted, recorded = result["flit"]["duration"]
    barriers = [abs(deviation(p)) for p in result["flit"]["barriers"]]
    print(f"{name:26s} {recorded:8d} {predicted:9d} {deviation((predicted, recorded)):+8.1%} "
          f"{len(barriers):6d} {statistics.median(barriers):8.1%} "
          f"{result['analytic']['duration'][0]:10d} {deviation(result['analytic']['duration']):+8.1%}", flush=True)


def summary(what, results, pairs_of):
    """A line for each fidelity; median and worst of the first."""
    found = []
    for fidelity, label in zip(FIDELITIES, ("", ", contention-free")):
        deviations = [abs(deviation(p)) for r in results for p in pairs_of(r[fidelity])]
        found.append((statistics.median(deviations), max(deviations)))
        print(f"{what + label:34s} median {found[-1][0]:6.1%}  worst {found[-1][1]:6.1%}  of {len(deviations)}")
    return found[0]


def compare_chips(folders):
    """A line for each trace of several chips."""
    print(f"\n{'chips':26s} {'silicon':>8s} {'predicted':>9s} {'off':>8s} {'ends':>6s} {'median':>8s} "
          f"{'packets':>8s} {'cycles':>7s}")
    for folder in folders:
        traces = list(folder.glob("*combined*.json*"))
        if len(traces) != 1:
            fail(f"{folder}: beside topology.json there must be one trace of all chips (*combined*.json)")
        found = run(traces[0], chips=folder / "topology.json")
        predicted, recorded = found["duration"]
        barriers = [abs(deviation(p)) for p in found["barriers"]]
        print(f"{folder.name:26s} {recorded:8d} {predicted:9d} {deviation((predicted, recorded)):+8.1%} "
              f"{len(barriers):6d} {statistics.median(barriers):8.1%} {found['forwarded']['packets']:8d} "
              f"{found['forwarded']['mean_cycles']:7.0f}", flush=True)


def validate(folder):
    if folder is None:
        fail("silicon needs the folder of the traces, which are not part of Sare: scripts/dev/validate silicon FOLDER, or "
             "SARE_SILICON=FOLDER")
    traces = sorted(Path(folder).glob("*.json*"))
    chips = sorted(file.parent.resolve() for file in Path(folder).glob("*/topology.json"))
    if not traces and not chips:
        fail(f"{folder}: no trace there (*.json, *.json.gz; of several chips: */topology.json with a trace)")
    if chips:
        compare_chips(chips)
    if not traces:
        return 0
    print(f"{'trace':26s} {'silicon':>8s} {'predicted':>9s} {'off':>8s} {'ends':>6s} {'median':>8s} "
          f"{'no contention':>13s} {'off':>5s}")
    results = []
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for name, result in workers.map(compare, [t.resolve() for t in traces]):
            show(name, result)
            results.append(result)
    median, worst = summary("durations", results, lambda r: [r["duration"]])
    summary("ends of barriers", results, lambda r: r["barriers"])
    summary("kernels", results, lambda r: r["kernels"])
    return 0 if median <= MEDIAN_BOUND and worst <= WORST_BOUND else 1
