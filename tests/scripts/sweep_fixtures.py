# SPDX-License-Identifier: Apache-2.0
"""Results of sweeps and of searches for saturation with made-up figures, for the tests of their pages."""
import itertools
import json

from make_fixtures import write_csv, write_json


def write_sweep(folder, axes, figures, seeds=None, zipped=None):
    """A sweep of these axes; figures(**values by last part of the path) gives (status, offered, accepted, latency) and more columns."""
    folder.mkdir(parents=True, exist_ok=True)
    names, rows, more = list(axes), [], []
    for point, values in enumerate(itertools.product(*axes.values())):
        found = figures(**{name.split(".")[-1]: v for name, v in zip(names, values)})
        if found is None:
            continue
        status, offered, accepted, latency, *others = found
        more = others[0] if others else {}
        rows.append([point, *values, status, offered, accepted, latency, *more.values()])
        (folder / f"points/{point:03d}").mkdir(parents=True)
        write_json(folder / f"points/{point:03d}/summary.json", {"program": "sare", "status": status})
    write_csv(folder / "sweep.csv", ["point", *names, "status", "offered", "accepted", "latency_mean", *more], rows)
    write_json(folder / "sweep.json", {"axes": axes} | ({"zipped": zipped} if zipped else {}))
    if seeds:
        write_csv(folder / "seeds.csv", *seeds)


def factorial(folder):
    """Two factors and seeds, with a combination that is saturated."""
    write_sweep(folder, {"router.vcs": [1, 2, 4], "routing": ["dimension order", "a way through a random node"], "seed": [1, 2]},
                lambda vcs, routing, seed: ("saturated" if (vcs, routing[0]) == (1, "a") else "completed", 0.3, 0.3 - 0.02 / vcs,
                                            30 + 40 / vcs + 9 * (routing[0] == "a") / vcs + seed / 4, {"buffer_bits": 512 * vcs}),
                (["router.vcs", "routing", "seeds", "status", "latency_mean", "latency_mean_ci95"],
                 [[v, r, 2, "saturated" if (v, r[0]) == (1, "a") else "completed", 30 + 40 / v, 1.251]
                  for v in (1, 2, 4) for r in ("dimension order", "a way through a random node")]))


def curves(folder):
    """As many as are drawn, and one of them failed."""
    write_sweep(folder, {"router.vcs": [1, 2, 4, 8], "router.depth": [2, 4, 8, 16], "routing": ["dor", "o1turn"], "traffic.load": [0.1, 0.3, 0.5]},
                lambda vcs, depth, routing, load: None if (vcs, routing) == (1, "o1turn") and depth == 2 else
                ("saturated" if load > 0.2 + vcs * depth / 64 else "completed", load, min(load, 0.2 + vcs * depth / 64),
                 20 + 30 * load / vcs + 900 * max(0, load - 0.2 - vcs * depth / 64), {"latency_ci95": 0.4}))
    (folder / "failed.csv").write_text("points,reason\n\"003-005\",\"--axis routing: 'vcs' gives 1 to each port and message class; "
                                       "'o1turn' needs at least 2: one for each of the orders XY and YX\"\n")


def compared(folder):
    """Named cases side by side."""
    write_sweep(folder, {"case": ["torus with dimension order", "mesh with adaptive routing", "fat tree"], "traffic.pattern": ["uniform", "tornado"]},
                lambda case, pattern: ("completed", 0.3, 0.3, len(case) + len(pattern), {"latency_ci95": 0.7}))


def run_of_search(**changes):
    return {"run": "00", "load": 0.1, "seed": 1, "length": 1, "status": "completed", "offered": 0.1, "accepted": 0.1, "latency_mean": 20.0, **changes}


def combination(pattern, **changes):
    return {"point": 0, "axes": {"traffic.pattern": pattern}, "status": "found", "of_bound": 0.8, "zero_load_latency": 20.0,
            "saturation": {"load": 0.402, "sustained": 0.4, "saturated": 0.404, "confidence": "2 seeds below, 2 above"},
            "slow": {"load": 0.38, "from": 0.37, "to": 0.39},
            "bound": {"load": 0.5, "link": "router 3 to router 4 (port 0)", "busiest": 8, "exact": True, "attained": 0.5},
            "runs": [run_of_search(), run_of_search(load=0.4, latency_mean=70.0), run_of_search(load=0.404, status="saturated"),
                     run_of_search(load=0.402, status="unsettled", latency_mean=None)], **changes}


def write_search(folder, *combinations):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "saturate.json").write_text(json.dumps({"file": "a.yaml", "axes": {"traffic.pattern": ["uniform", "tornado"]},
                                                      "config": {"network": {"topology": "mesh", "dims": [4, 4]}}}))
    (folder / "summary.json").write_text(json.dumps({"program": "sare", "version": "1", "tolerance": 0.01, "latency_factor": 3,
                                                     "combinations": combinations}))


def saturation(folder):
    write_search(folder, combination("uniform"), combination("tornado", bound={"load": None, "why": "too many nodes"}, slow=None, of_bound=None,
                                                             axes={"traffic.pattern": "tornado", "router.arbiter": "matrix, by weight of classes"}))
