# SPDX-License-Identifier: Apache-2.0
"""BookSim2: its settings in Sare's terms, by its own option names."""
from libvalidate.rows import deviation, fail, known, read_rows, run, run_all

# Bounds of the deviation: mean packet latency below 80% of saturation, accepted load below saturation and past it.
LATENCY_BOUND, ACCEPTED_BOUND, SATURATED_BOUND = 0.03, 0.03, 0.06
LATENCY_LOADS = 0.8

TRAFFIC = {
    "uniform": {"name": "uniform", "self": True},
    "transpose": "transpose",
    "bitcomp": "complement",
    "bitrev": "reversal",
    "shuffle": "shuffle",
    "tornado": "tornado",
    "neighbor": "neighbour",
}
ROUTING = {
    "dor": {"function": "dor"},
    "dim_order": {"function": "dor", "dateline": "basic", "ties": "random"},
    "xy_yx": {"function": "o1turn"},
    "valiant": {"function": "valiant"},
    "min_adapt": {"function": "duato"},
}


def experiment(row):
    """The same setting in Sare's terms; docs/validation/simulators.md says why each number is what it is."""
    torus = row["topology"] == "torus"
    network = {"topology": row["topology"], "dims": [int(row["k"])] * int(row["n"]), "link_latency": 2 if torus else 1}
    if row["topology"] not in ("mesh", "torus"):
        fail(f"topology '{row['topology']}' is not known here; known: mesh, torus")
    routing = dict(known(ROUTING, row, "routing_function"))
    if not torus:
        routing.pop("dateline", None)
    return {
        "seed": 1,
        "network": network,
        "routing": routing,
        "router": {
            "vcs": int(row["num_vcs"]),
            "depth": int(row["vc_buf_size"]),
            "rc_delay": int(row["routing_delay"]),
            "va_delay": int(row["vc_alloc_delay"]),
            "sa_delay": int(row["sw_alloc_delay"]),
            "st_delay": int(row["st_final_delay"]),
            "pipelined": False,
            "speculative": row["speculative"] == "1",
            "va_allocator": "output_first",
            "sa_allocator": "output_first",
            "credit_delay": int(row["credit_delay"]) + int(row["sw_alloc_delay"]),
        },
        "nic": {"max_packet_flits": max(64, int(row["packet_size"]))},
        "traffic": {
            "workload": "bernoulli",
            "load": float(row["injection_rate"]),
            "length": int(row["packet_size"]),
            "pattern": known(TRAFFIC, row, "traffic"),
        },
        "measurement": {"warmup": 3000, "batch": 3000, "batches": 10, "convergence_limit": 10},
        "checks": {"deadlock": False},
    }


def saturation(row):
    """Accepted load when every node offers all that its link can carry."""
    setting = experiment(row)
    setting["traffic"]["load"] = 1.0
    setting["measurement"]["convergence_limit"] = 5
    return run(setting)["load"]["accepted"]


def compare(row):
    ours, theirs = run(experiment(row)), row
    offered, most = float(row["injection_rate"]), saturation(row)
    result = {
        "name": " ".join(row[c] for c in ("topology", "k", "n", "num_vcs", "vc_buf_size", "packet_size", "traffic",
                                          "injection_rate", "routing_delay", "vc_alloc_delay", "sw_alloc_delay",
                                          "credit_delay", "speculative")),
        "saturation": most,
        "latency": (ours["latency"]["packet"]["from_generation"]["mean"], float(theirs["packet_latency"])),
        "accepted": (ours["load"]["accepted"], float(theirs["accepted_flit_rate"])),
    }
    result["latency_counts"] = offered < LATENCY_LOADS * most
    bound = ACCEPTED_BOUND if offered < most else SATURATED_BOUND
    result["good"] = (abs(deviation(result["accepted"])) <= bound
                      and (not result["latency_counts"] or abs(deviation(result["latency"])) <= LATENCY_BOUND))
    return result


def show(r):
    latency = f"{deviation(r['latency']):+8.2%}" if r["latency_counts"] else "   (sat)"
    print(f"{r['name']:52s} {r['saturation']:6.3f} {r['latency'][0]:9.2f} {r['latency'][1]:9.2f} {latency} "
          f"{r['accepted'][0]:8.4f} {r['accepted'][1]:8.4f} {deviation(r['accepted']):+8.2%}"
          f"{'' if r['good'] else '  BEYOND'}", flush=True)


def validate(file):
    print(f"{'topology k n vcs buf len traffic load rc va sa cd spec':52s} {'satur.':>6s} {'latency':>9s} {'BookSim2':>9s} "
          f"{'off':>8s} {'accepted':>8s} {'BookSim2':>8s} {'off':>8s}")
    return run_all(read_rows(file), compare, show)
