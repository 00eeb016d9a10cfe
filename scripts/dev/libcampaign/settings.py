# SPDX-License-Identifier: Apache-2.0
"""Experiments drawn from the schema: kinds that can go together, small networks, short runs.

What is drawn need not be right: a setting that the program refuses is drawn again. The tables only make that rare.
"""

from checkout import ROOT
from libcampaign import schema

GRIDS = ["dor", "duato", "valiant", "romm", "o1turn"]
FLAT = ["west_first", "north_last", "negative_first", "odd_even"]
ANY = ["up_down", "up_down_escape", "shortest_path", "table"]
TREES = ["tree_static", "tree_adaptive"]
STAGES = ["destination_tag"]
ROUTES = {
    "mesh": [*GRIDS, *FLAT, "hamiltonian", "productive"], "torus": [*GRIDS, "smart_dor"], "ring": ["dor", "duato"], "hypercube": [*GRIDS, "negative_first"],
    "twisted_torus": ["twisted_minimal"], "circulant": ["circulant_minimal"], "midimew": ["circulant_minimal"],
    "triangular_torus": ["triangular_minimal"], "butterfly": STAGES, "omega": STAGES, "clos": STAGES,
    "dragonfly": ["dragonfly_minimal", "dragonfly_valiant", "ugal_l", "ugal_g", "par"],
    "dragonfly_plus": ["dragonfly_plus_minimal", "dragonfly_plus_valiant"], "express_mesh": ["express_dor"], "ruche": ["express_dor"],
    "fully_connected": ["hyperx_minimal"], "clique": ["hyperx_minimal"], "pt2pt": ["hyperx_minimal"],
    "hyperx": ["hyperx_minimal", "min_adaptive", "hyperx_valiant", "dal"], "slim_fly": ["slim_fly_minimal", "slim_fly_valiant"],
    "kary_ntree": TREES, "thin_tree": TREES, "xgft": TREES, "tree": [],
}
# Kinds of routers that are for some networks only, and what else they want.
ROUTERS = {
    "bubble": (["torus", "mesh", "ring"], None), "dally": (["torus", "mesh", "ring"], None),
    "multistage": (["kary_ntree", "thin_tree", "xgft"], None), "deflection": (["mesh", "torus", "hypercube"], None),
    "spinet": (["omega", "butterfly"], STAGES), "spinnaker": (["triangular_torus"], ["multicast"]),
}
GLOBALLY_LIMITED = ["bubble", "dally"]
FOR_ROUTER = {"multicast": "spinnaker"}  # workloads that want one
FORKING = 0.08  # how many of the experiments have routers of kind vc that send packets by several outputs
OFTEN_IN_ONE_PROCESS = ["bernoulli", "constant_rate", "on_off", "poisson", "request_reply", "burst"]

# How many of the experiments have the 512 routers from which on two threads pay, and the sizes of networks that have them.
LARGE = 0.05
LARGE_SIZES = {
    "mesh": {"dims": [[24, 23], [32, 17], [17, 16, 2]]}, "torus": {"dims": [[24, 23], [32, 17], [17, 16, 2]]},
    "kary_ntree": {"k": [2], "n": [8]}, "butterfly": {"k": [2], "n": [8]}, "omega": {"k": [2], "n": [8]},
}



def files(source, folder):
    """What settings name, beside them."""
    routers = source.draw.randint(2, 9)
    lines = ["sare-graph 1"]
    for r in range(1, routers):
        lines.append(f"link {r} {source.draw.randrange(r)} {source.pick([1, 1, 4])} {source.pick([1, 1, 3])}")
    lines += [f"node {r} {r}" for r in range(routers)]
    (folder / "net.graph").write_text("\n".join(lines) + "\n")
    (folder / "lengths.txt").write_text("1 0.6\n5 0.4\n")
    (folder / "distances.txt").write_text("1 8\n2 4\n")
    (folder / "pairs.txt").write_text("0 1 2\n1 0 1\n1 2 1\n")
    (folder / "costs.yaml").write_text(COSTS)
    (folder / "tasks.trace").write_text(trace(source))


COSTS = """format: sare-power
version: 1
made: {voltage: 1}
router:
  energy:
    - {component: buffers, event: buffer_write, per: bit, terms: {"1": 0.7}}
    - {component: sa, event: sa_request, terms: {"ports*vcs": 0.3}}
    - {component: registers, event: burst, terms: {"log2(vcs)": 1.3, "1": 2}}
    - {component: clock, event: clock, when: {wraps: true}, terms: {"depth": 0.9}}
  leakage: [{terms: {"ports*depth": 0.01}}]
  period: [{terms: {"1": 0.9}}]
link: {energy_bit_mm: 0.3, leakage_bit_mm: 0.01, repeater_mm: 0.5, repeater_energy: 0.1}
nic: {energy: [{event: inject, per: bit, terms: {"1": 0.4}}, {event: eject_head, terms: {"1": 3}}]}
bridge: {energy: [{event: clock, terms: {"1": 0.2}}]}
"""


def trace(source):
    """A few tasks that compute, send to their neighbours and meet."""
    tasks = source.draw.randint(2, 4)
    lines = ["sare-trace 1", f"tasks {tasks}"]
    for _ in range(source.draw.randint(1, 4)):
        size, step = source.pick([0, 64, 3000]), source.draw.randrange(1, tasks)
        meet = source.pick(["barrier", "allreduce 800", "alltoall 100", ""])
        for task in range(tasks):
            lines.append(f"{task} compute {source.pick(['1e-7', '3e-7'])}")
            lines.append(f"{task} isend {(task + step) % tasks} {size} 7 1")
            lines.append(f"{task} recv {(task - step) % tasks} {size} 7")
            lines.append(f"{task} wait 1")
            if meet:
                lines.append(f"{task} {meet}")
    return "\n".join(lines) + "\n"


class Settings:
    def __init__(self, structure, draw):
        self.source = schema.Source(structure, draw)
        self.draw, self.pick, self.chance = draw, self.source.pick, self.source.chance
        self.parts = structure["properties"]

    def next(self):
        """An experiment. One kind of it is chosen first, each as often as others, and the rest so that it can be."""
        if self.chance(FORKING):
            return self._forking()
        large = self.chance(LARGE)
        workload = self.pick(self.source.names("workload")) if self.chance(0.6) and not large else self.pick(OFTEN_IN_ONE_PROCESS)
        kind = FOR_ROUTER.get(workload) or (self.pick(self.source.names("router_kind")) if self.chance(0.5) else "vc")
        if kind in FOR_ROUTER.values() and self.chance(0.9):
            workload = next(w for w, k in FOR_ROUTER.items() if k == kind)
        if workload == "data_moves":
            return self._data_moves()
        topologies, routing = ROUTERS.get(kind, (None, []))
        if kind in ROUTERS and self.chance(0.05):
            topologies = None
        topologies = topologies or self.source.names("topology")
        if large:
            topologies = [name for name in topologies if name in LARGE_SIZES] or list(LARGE_SIZES)
        network, route = self._network(self.pick(topologies), large)
        setting = {"seed": self.draw.randrange(1000), "network": network}
        if routing:
            route = self.source.variant("routing_function", self.pick(routing))
        if route is not None and (kind not in ROUTERS or routing or self.chance(0.05)):
            setting["routing"] = route
        setting["router"] = self.source.variant("router_kind", kind)
        setting["traffic"] = self._traffic(workload)
        if kind == "vc" and ("vcs" not in setting["router"] or "classes" in setting["traffic"]):
            setting["router"]["vcs"] = self.pick([2, 4, 8])
        self._rest(setting, kind)
        if large:
            setting["measurement"].update(warmup=self.pick([0, 50]), convergence_count=0, batch=50, batches=self.pick([1, 2]))
        return setting

    def _forking(self):
        """Buffers for whole packets, without which most are refused."""
        network, _ = self._network(self.pick(["mesh", "mesh", "torus", "ring", "hypercube", "star", "graph"]))
        packet = self.pick([1, 2, 4])
        routing = self.source.variant("routing_function", "multicast_tree", set=self.pick(["random", "row", "all"]), file="", along=None)
        router = self.source.variant("router_kind", "vc", vcs=self.pick([2, 4]), depth=self.pick([4, 8]),
                                     forking=self.pick(["asynchronous", "synchronous"]), switching=self.pick(["cut_through", "wormhole"]))
        setting = {"seed": self.draw.randrange(1000), "network": network, "routing": {k: v for k, v in routing.items() if v not in ("", None)},
                   "router": router, "traffic": {**self._traffic("multicast"), "length": packet}}
        self._rest(setting, "vc")
        setting["nic"]["max_packet_flits"] = 8
        return setting

    def _domains(self):
        """Of the first routers, and of a node."""
        clocks = ["1", "2", "3/2", "5/3", "4"]
        slow = {"routers": self.pick([0, "0-1", "0-2"]), "clock": self.pick(clocks), "synchroniser": self.pick([1, 2, 3]), "voltage": self.pick([0, 0.9])}
        if self.chance(0.5):
            slow["switching"] = self.pick([0, 7])
            changes = [{"clock": self.pick(clocks)}, {"clock": self.pick(clocks), "voltage": self.pick([0, 0.8])}]
            slow.update(self.pick([{"schedule": [{"at": 150, **changes[0]}, {"at": 500, **changes[1]}]},
                                   {"levels": changes, "governor": "threshold", "interval": 1000}]))
        return {"slow": slow, **({"odd": {"nodes": [2], "clock": self.pick(clocks)}} if self.chance(0.5) else {})}

    def _network(self, name, large=False):
        """And its routing function; None: left out."""
        if name in ("hierarchical", "planes"):
            return self._composed(name)
        network = self.source.variant("topology", name, keys=0 if name == "twisted_torus" else 0.2, **self._sizes(name, large))
        return network, self._routing(name)

    def _sizes(self, name, large=False):
        """Always, as defaults are of useful networks."""
        if large:
            return {key: self.pick(values) for key, values in LARGE_SIZES[name].items()}
        if name == "twisted_torus":
            return {"dims": [4, 4], **self.pick([{"twist": [[0, 1], [0, 0]]}, {"twist": [[0, 0], [2, 0]]}, {"degree": 1, "jump": [2, 0]}])}
        keys = self.source.variants["topology"][name]["properties"]
        sizes = ("dims", "n", "k", "m", "r", "p", "a", "l", "s", "h", "g", "w", "q", "k_up", "degree", "depth", "concentration")
        drawn = {key: self.source.value(keys[key], key, 0, name) for key in sizes if key in keys}
        if {"h", "g"} <= drawn.keys():
            drawn["g"] = min(drawn["g"], drawn.get("a", drawn.get("s")) * drawn["h"] + 1)
        if "express" in keys:
            drawn["express"] = self.pick([[0], [2], [3]])
        return drawn

    def _routing(self, name):
        if "dor" in ROUTES.get(name, ()) and self.chance(0.15):
            return None
        if self.chance(0.05):
            return self.source.variant("routing_function")
        return self.source.variant("routing_function", self.pick(ROUTES.get(name, []) + ANY if self.chance(0.3) else ROUTES.get(name) or ANY))

    def _composed(self, name):
        of = [n for n in self.source.names("topology") if n not in ("hierarchical", "planes", "graph")]
        of = [self.pick(["mesh", "torus", "ring", "hypercube", "star"]) if self.chance(0.7) else self.pick(of) for _ in range(2)]
        networks = [self.source.variant("topology", n, keys=0.1, **self._sizes(n)) for n in of]
        if name == "planes":
            of[1], networks[1] = of[0], dict(networks[0])
        else:
            for level in networks:
                if self.chance(0.3):
                    level["clock"] = self.pick([1, 2, 4])
        key = "levels" if name == "hierarchical" else "planes"
        routes = [self.source.variant("routing_function", self.pick(ROUTES.get(n) or ANY)) for n in of]
        return {"topology": name, key: networks}, {"function": name, key: routes} if self.chance(0.8) else None

    def _traffic(self, workload):
        traffic = self.source.variant("workload", workload)
        for key, node in self.source.variants["workload"][workload]["properties"].items():
            # Defaults are of useful runs.
            if key in ("bytes", "columns", "neurons", "steps", "step", "rate", "data", "cells", "jobs", "tree", "t_i", "t_a", "beta", "total", "limit",
                       "result_bytes", "sizes", "s_s", "s_r", "messages", "requests") and key not in traffic:
                traffic[key] = self.source.value(node, key, 0.3, workload)
        if "classes" in traffic:
            traffic.pop("class", None)
        if workload == "applications":
            traffic["applications"] = {name: self._application() for name in ("one", "other")[:self.pick([1, 2])]}
            traffic.pop("only", None)
        if workload == "training":
            traffic["layers"] = [self.source.section(self.source.variants["workload"][workload]["properties"]["layers"]["items"], 0.8)
                                 for _ in range(self.pick([1, 2]))]
        return traffic

    def _application(self):
        node = self.source.variants["workload"]["applications"]["properties"]["applications"]["additionalProperties"]
        inner = self.pick([w for w in self.source.names("workload") if w not in ("applications", "data_moves", "multicast", "task_model")])
        return {**self.source.section(node, 0.2), "tasks": self.pick([2, 4]), "traffic": self._traffic(inner)}

    def _data_moves(self):
        """The recording of the repository, on a chip as large as it asks for."""
        traffic = self.source.variant("workload", "data_moves", keys=0)
        for key in ("issue", "read_latency", "write_latency", "barrier", "wake", "hop"):
            traffic[key] = self.draw.randrange(50)
        traffic.update(file=str(ROOT / "tb/experiments/wormhole-sample.json"), places=[10, 12],
                       planes=[{"name": "NOC_0", "order": ["x", "y"]}, {"name": "NOC_1", "order": ["-y", "-x"]}])
        sides = [{"topology": "torus", "dims": dims, "unidirectional": True} for dims in ([10, 12], [12, 10])]
        setting = {"seed": self.draw.randrange(1000), "network": {"topology": "planes", "planes": sides},
                   "routing": {"function": "planes", "planes": [{"function": "dor"}] * 2},
                   "router": self.source.variant("router_kind", "vc", vcs=4), "traffic": traffic}
        self._rest(setting, "vc")
        return setting

    def _rest(self, setting, kind):
        setting["measurement"] = self.source.section(self.parts["measurement"], 1)
        if asked := setting["measurement"].get("statistics"):  # power is the section's, which has the table
            setting["measurement"]["statistics"] = [s for s in asked if (s["name"] if isinstance(s, dict) else s) != "power"]
        setting["nic"] = self.source.section(self.parts["nic"], 0.25, "nic")
        if "rate" not in setting["nic"]:
            setting["nic"].pop("burst", None)
        packet = setting["router"].get("packet")
        if packet and kind in ROUTERS and self.chance(0.95):
            setting["nic"]["max_packet_flits"] = packet
        if self.chance(0.3):
            setting["observe"] = self.source.section(self.parts["observe"], self.pick([0.3, 0.7]))
        if "power" in self.parts and self.chance(0.1):
            setting["power"] = {"table": ["costs.yaml"], **self.source.section(self.parts["power"], 0.3, "power")}
        if self.chance(0.15) and setting["network"]["topology"] not in ("hierarchical", "planes"):
            setting["network"]["link_bit_error_rate"] = self.pick([1e-6, 1e-5, 1e-4])
            if self.chance(0.5):
                setting["nic"].update(retransmission="go_back_n", attempts=self.pick([0, 0, 3]), time_out=self.pick([100, 500]))
        if kind in GLOBALLY_LIMITED and self.chance(0.5):
            setting["router"].update(global_limit=self.pick([0.1, 0.3, 0.6]), global_interval=self.pick([1, 7, 50]))
        if self.chance(0.1):
            setting["failures"] = {"reroute": self.pick([0, 50, 200]), "events": [self._failure() for _ in range(self.pick([1, 1, 2, 3]))]}
        if self.chance(0.07):
            setting["routers"] = [{"at": self.pick(["0-1", 1]), **self.source.variant("router_kind", kind, keys=0.15)}]
        if self.chance(0.07):
            setting["links"] = [{"between": [0, 1], **self.source.section(self.parts["links"]["items"], 0.3)}]
            setting["links"][0].pop("node", None)
        if self.chance(0.1):
            setting["domains"] = self._domains()
        if self.chance(0.05):
            setting["fidelity"] = self.pick(["analytic", "crossbar"])


    def _failure(self):
        what = self.pick([{"links": 0.1, "seed": self.draw.randrange(9)}, {"between": [0, 1]}, {"router": 1}])
        return {**what, "at": self.pick([0, 1, 100, 103, 300])}


def kinds(setting):
    """What of each definition of the schema is in a setting: pairs of definition and name."""
    tags = {"topology": "topology", "function": "routing_function", "workload": "workload", "kind": "router_kind"}
    found = set()

    def look(node):
        if isinstance(node, dict):
            found.update((tags[k], v) for k, v in node.items() if k in tags and isinstance(v, str))
            if isinstance(node.get("pattern"), dict):
                found.add(("pattern", node["pattern"]["name"]))
        for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            look(inner)

    look(setting)
    if ("router_kind", "deflection") in found:
        found.add(("routing_function", "productive"))  # which it brings, and no experiment may name
    return found


def is_padded(setting):
    """By its NICs, or by routers whose packets all have one length."""
    return setting["nic"].get("pad") or any(("router_kind", k) in kinds(setting) for k in ROUTERS if k != "deflection")


def takes_cycles(setting):
    """Each flit takes a cycle of a link or more: not light, whose packets take one time whatever their flits."""
    return ("router_kind", "spinet") not in kinds(setting)
