#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The messages inside MPICH's collectives beside those of Sare's named algorithms: what docs/capture.md says.

SARE: the command (build/sare); SARE_BUILD: where the libraries are (build)."""
import argparse
import json
import os
import tempfile
from pathlib import Path

import bench

ROOTED = ("bcast", "reduce", "gather", "scatter")


def record(folder, tasks):
    """[(collective, its bytes, {(from, to): [messages, bytes]})] of MPICH."""
    flags = bench.run(bench.TRACE_MPI, "--link").stdout.split()
    program = bench.compiled(folder, ["inside"], *flags, compiler=("gcc",))
    out = folder / f"inside-{tasks}"
    done = bench.run(bench.TRACE_MPI, "--inside", "--out", out, *bench.LAUNCH["mpich"], tasks, program)
    assert done.returncode == 0, done.stderr
    trace = bench.Trace(out)
    good = bench.run(bench.SARE, "trace", "check", trace.file)
    assert good.returncode == 0, good.stderr
    calls = [line[2:] for line in trace.notes[0] if not line.startswith("# task") and line != "# end"]
    flows = [{} for _ in calls]
    for task, events in trace.events.items():
        phase = -1
        for words in events:
            if words[0] == "mark":
                phase = int(words[1]) - 1
            elif words[0] in bench.SENDS:
                flow = flows[phase].setdefault((task, int(words[1])), [0, 0])
                flow[0] += 1
                flow[1] += int(words[2])
    return list(zip(calls, flows))


def algorithms():
    """{collective: names}, as the command has them, of those that tasks do by messages."""
    schema = json.loads(bench.run(bench.SARE, "schema").stdout)
    for workload in schema["$defs"]["workload"]["oneOf"]:
        if "collectives" in workload.get("properties", {}):
            return {key: [name for name in what["enum"] if name not in ("in_network", "multicast")]
                    for key, what in workload["properties"]["collectives"]["properties"].items() if "enum" in what}
    raise AssertionError("no workload has collectives")


def named(folder, call, algorithm, tasks):
    """The same collective by an algorithm of Sare's."""
    lines = "".join(f"{task} {call}\n" for task in range(tasks))
    (folder / "one.trace").write_text(f"sare-trace 2\ntasks {tasks}\n{lines}")
    family = call.split()[0]
    (folder / "one.yaml").write_text("fidelity: analytic\nnetwork: {topology: mesh, dims: [4, 4]}\n"
                                     f"traffic: {{workload: trace, file: one.trace, collectives: {{{family}: {algorithm}}}}}\n"
                                     "observe: {matrix: true}\n")
    done = bench.run(bench.SARE, "run", folder / "one.yaml", "--quiet", "--no-report", "--overwrite", "--out", folder / "one")
    assert done.returncode == 0, done.stderr
    return bench.matrix(folder / "one")


def total(flows):
    messages, size = (sum(flow[i] for flow in flows.values()) for i in (0, 1))
    return f"{messages} / {size}"


def rows(folder, tasks):
    """For each call: itself, MPICH's messages and bytes, the algorithms that are the same for every pair, those that are
    the same only in all, and the others, with theirs."""
    known = algorithms()
    for call, flows in record(folder, tasks):
        # What a task sends to itself enters no network: alltoall copies it so.
        between = {pair: flow for pair, flow in flows.items() if pair[0] != pair[1]}
        kinds = {"same": [], "in all": [], "others": []}
        for algorithm in known[call.split()[0]]:
            ours = named(folder, call, algorithm, tasks)
            if ours == between:
                kinds["same"].append(algorithm)
            elif total(ours) == total(between):
                kinds["in all"].append(algorithm)
            else:
                kinds["others"].append(f"{algorithm} {total(ours)}")
        yield call, total(between), kinds


def verdict(found, kinds):
    """In words; figures only where no algorithm is alike."""
    if kinds["same"]:
        return "as " + ", ".join(kinds["same"])
    if kinds["in all"]:
        return "between other pairs, in all as " + ", ".join(kinds["in all"])
    return f"{found}; {', '.join(kinds['others'])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", default="4,16", help="(%(default)s)")
    args = parser.parse_args()
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for tasks in map(int, args.tasks.split(",")):
            for call, sent, kinds in rows(Path(scratch), tasks):
                words = call.split()
                size = words[2 if words[0] in ROOTED else 1] if len(words) > 1 else "-"
                # Where figures are told, they are those of the shortest call.
                what = verdict(sent, kinds)
                key = (words[0], tasks, what if what[0].isalpha() else "other")
                found.setdefault(key, (what, []))[1].append(size)
    print("| collective | tasks | bytes | MPICH sends |\n|---|---|---|---|")
    for (family, tasks, _), (what, sizes) in found.items():
        print(f"| {family} | {tasks} | {', '.join(sizes)} | {what} |")


if __name__ == "__main__":
    os.environ.setdefault("SARE_TEST_MPI", "mpich")
    main()
