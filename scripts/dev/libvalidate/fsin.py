# SPDX-License-Identifier: Apache-2.0
"""FSIN, the network simulator of INSEE's authors: its settings in Sare's terms, by its own option names."""
from libvalidate.rows import deviation, fail, known, read_rows, run, run_all

# Accepted load everywhere; mean latency from generation while the network takes what is offered.
ACCEPTED_BOUND, LATENCY_BOUND = 0.03, 0.06
BURSTS = 20
# FSIN begins to measure here where its samples do not settle: some networks in overload fall for 50,000 cycles.
WARMUP = 25000
# Below saturation: so much of the offered load is accepted.
TAKES = 0.95

PATTERN = {
    "uniform": "uniform",
    "transpose": "transpose",
    "butterfly": "butterfly",
    "shuffle": "shuffle",
    "tornado": "tornado",
    "bitreversal": "reversal",
    "complement": "complement",
    "local": "local",
    "hotregion": {"name": "hotregion", "fraction": 0.25, "region": 0.125},
    "distribute": {"name": "distribution", "start": "next"},
    "rsdist": {"name": "distribution", "start": "random"},
}
ARBITRATION = {"rr": "round_robin", "random": "random", "fifo": "fifo", "longest": "longest", "age": "age"}
INJECTION = {"shortest": "shortest", "dor": "dor", "dsh": "dor_shortest", "shp": "shortest_profitable",
             "lpath": "longest_path"}
NAMED = ("topo", "nways", "sk_yx", "load", "nchan", "vc", "rmode", "routing", "amode", "cmode", "imode", "ninj", "intransit_pr",
         "bub_to_adap", "global_cc", "tpattern", "shotsize")


def injection_places(row):
    """Packets: FSIN has a queue as long as a transit queue between an injection queue and the crossbar."""
    return int(row["iql"]) + int(row["tql"])


def network(row):
    kind, *numbers = row["topo"].split("_")
    sizes = [int(n) for n in numbers]
    one_way = {"unidirectional": True} if row["nways"] == "1" else {}
    if kind in ("torus", "mesh"):
        return {"topology": kind, "dims": sizes, **one_way}
    if kind == "ttorus":
        return {"topology": "twisted_torus", "dims": sizes, "twist": [[0, 0], [int(row["sk_yx"]), 0]]}
    if kind == "fattree":
        return {"topology": "kary_ntree", "k": sizes[0], "n": sizes[1]}
    if kind == "thintree":
        return {"topology": "thin_tree", "k": sizes[0], "k_up": sizes[1], "n": sizes[2]}
    fail(f"topo '{row['topo']}' is not known here; known: torus, mesh, ttorus, fattree, thintree")


def router(row):
    common = {"kind": row["vc"], "vcs": int(row["nchan"]), "queue": int(row["tql"]),
              "packet": int(row["plength"].split("_")[0]), "arbitration": known(ARBITRATION, row, "amode")}
    if row["vc"] == "tree":
        return {**common, "kind": "multistage", "routing": row["routing"]}
    direct = {"consumption": row["cmode"], "injection": known(INJECTION, row, "imode"),
              "injection_queues": int(row["ninj"]), "injection_length": injection_places(row),
              "transit_priority": float(row["intransit_pr"]), "local_bubble": int(row["bub_to_adap"]),
              "global_limit": float(row["global_cc"]) / 100}
    policy = {"dally": "policy", "bubble": "request"}.get(row["vc"])
    if policy is None:
        fail(f"vc '{row['vc']}' is not known here; known: bubble, dally, tree")
    return {**common, **direct, policy: row["rmode"]}


def traffic(row):
    pattern, length = known(PATTERN, row, "tpattern"), int(row["plength"].split("_")[0])
    if row["shotmode"] == "1":
        return {"workload": "burst", "messages": int(row["shotsize"]), "bursts": BURSTS,
                "load": float(row["load"]), "pattern": pattern, "length": length,
                "to_self": False}
    # A node draws no packet while one waits that its injection queue has no room for.
    waiting = 1 + (injection_places(row) if row["vc"] == "tree" else 0)
    return {"workload": "bernoulli", "load": float(row["load"]), "length": length, "source_queue": waiting,
            "pattern": pattern, "to_self": False}


def experiment(row):
    setting = {"seed": int(row["seed"]), "network": network(row), "router": router(row), "traffic": traffic(row)}
    if row["shotmode"] != "1":
        setting["measurement"] = {"warmup": WARMUP, "batch": 2000, "batches": 20}
    if row["vc"] == "tree":
        setting["nic"] = {"delay": 0}
    return setting


def compare(row):
    summary = run(experiment(row))
    result = {"name": " ".join(row[c] for c in NAMED)}
    if row["shotmode"] == "1":
        result["burst"] = (float(summary["workload"]["mean_burst_cycles"]), float(row["cycles_per_batch"]))
        result["accepted"] = tuple(1 / cycles for cycles in result["burst"])
        result["latency_counts"] = False
    else:
        result["accepted"] = (summary["load"]["accepted"], float(row["accepted_load"]))
        result["latency_counts"] = result["accepted"][1] >= TAKES * float(row["load"])
    result["latency"] = (summary["latency"]["packet"]["from_generation"]["mean"], float(row["latency_gen"]))
    result["good"] = abs(deviation(result["accepted"])) <= ACCEPTED_BOUND and (
        not result["latency_counts"] or abs(deviation(result["latency"])) <= LATENCY_BOUND)
    return result


def show(r):
    ours, theirs = r.get("burst", r["accepted"])
    digits = 1 if "burst" in r else 4
    latency = f"{deviation(r['latency']):+8.2%}" if r["latency_counts"] else "   (sat)"
    print(f"{r['name']:84s} {ours:9.{digits}f} {theirs:9.{digits}f} {deviation((ours, theirs)):+8.2%} "
          f"{r['latency'][0]:9.2f} {r['latency'][1]:9.2f} {latency}{'' if r['good'] else '  BEYOND'}", flush=True)


def validate(file):
    print(f"{' '.join(NAMED):84s} {'accepted':>9s} {'FSIN':>9s} {'off':>8s} {'latency':>9s} {'FSIN':>9s} {'off':>8s}")
    return run_all(read_rows(file), compare, show)
