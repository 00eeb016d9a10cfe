# SPDX-License-Identifier: Apache-2.0
"""What the papers behind Sare report, a row each: theirs, and how to measure ours (libvalidate/papers.py)."""
from statistics import mean

from libvalidate.papers_guests import COMPUTERS, IPR, LBR
from libvalidate.papers_pauses import DCQCN_ROWS, HPCC_ROWS
from libvalidate.papers_row import Row, accepted, at, list_of, makespan, near, rising, task

# ---- INSEE
BURST = "tb/experiments/congestion-control.yaml --set 'network={{topology: {net}}}' --set traffic.messages={m} --set " \
        "'router={{kind: bubble, request: smart, vcs: 3, injection: dor, injection_length: 4, {how}}}'"
RING, TORUS = "ring, n: 64", "torus, dims: [64, 64]"
GCC = "global_limit: 0.6"


def bursts(net, sizes, hows, seeds=("",)):
    return {(m, how, seed): BURST.format(net=net, m=m, how=how) + seed
            for m in sizes for how in ["local_bubble: 0", *hows] for seed in seeds}


def gains(s, sizes, how):
    """By the mean times of all seeds."""
    def time(m, h):
        return mean(at(one, "workload.mean_burst_cycles") for key, one in s.items() if key[:2] == (m, h))
    return [time(m, "local_bubble: 0") / time(m, how) - 1 for m in sizes]


ADAPT = "tb/experiments/adaptivity.yaml --set traffic.load=1 --set measurement.batches=4 --set router.request={} --set network.topology={}"
CG = "tb/experiments/nas-torus.yaml --set traffic.file=nas/cg.W.64.xz --set traffic.cpu_factor=0 --set " \
     "'router={{kind: bubble, request: {}, vcs: {}}}'"
TRACE = "tb/experiments/nas-torus.yaml --set 'network={{topology: ring, n: 64}}' --set traffic.file=nas/{}.xz --set " \
        "traffic.cpu_factor=0 --set 'router={{kind: bubble, request: smart, vcs: 3, injection: dor, {}}}'"
TRACES = {"CG": "cg.W.64", "IS": "is.A.64", "LU": "lu.W.64"}


def cg(s):
    t = [makespan(s[k]) for k in ("1 VC", "3 VCs", "adaptive")]
    vcs, adaptive = t[0] / t[1] - 1, t[1] / t[2] - 1
    return f"VCs {vcs:+.1%}, adaptivity {adaptive:+.1%}", 0 < vcs < adaptive


CH11 = "tb/experiments/thin-trees.yaml --set 'network={{{}}}' --set 'router={{{}}}' --set 'traffic={{workload: {}, bytes: 3200}}'"
ON = {"torus": ("topology: torus, dims: [8, 8]", "kind: bubble, request: smart, vcs: 3"),
      "tree": ("topology: kary_ntree, k: 4, n: 3", "kind: multistage, routing: static, vcs: 3"),
      "adaptive": ("topology: kary_ntree, k: 4, n: 3", "kind: multistage, routing: adaptive, vcs: 3")}


def beside(kernel):
    """Both, and the crossbar whose nodes' links carry one message at a time."""
    return {**{n: CH11.format(*how, kernel) for n, how in ON.items()},
            "crossbar": CH11.format("topology: crossbar, n: 64", "kind: vc", kernel) + " --set fidelity=node_links"}


def beside_crossbar(torus, tree):
    def figure(s):
        ours = [makespan(s[n]) / makespan(s["crossbar"]) for n in ON]
        return f"torus {ours[0]:.2f}, tree {ours[1]:.2f} (adaptive {ours[2]:.2f})", all(abs(o / t - 1) < 0.1 for o, t in zip(ours, (torus, tree)))
    return figure


def on_ring(s):
    gain = {n: [makespan(s[n, ""]) / makespan(s[n, h]) - 1 for h in (LBR, IPR)] for n in TRACES}
    text = "; ".join(f"{n} {list_of(v, '{:+.1%}')}" for n, v in gain.items())
    return text, min(gain["CG"]) > -0.03 and max(gain["LU"]) > max(gain["IS"]) > 0


def burst_growth(s):
    g = gains(s, (10, 100, 1000), LBR)
    return list_of(g, '{:+.1%}'), rising(g)


def two_dimensions(s):
    one, two = (gains({k[1:]: v for k, v in s.items() if k[0] == net}, (100,), LBR)[0] for net in (RING, TORUS))
    return f"ring {one:+.1%}, torus {two:+.1%}", two > one


INSEE = [
    Row("insee-torus", "8x8, bubble router: torus accepts more than mesh", "torus above mesh",
        {t: ADAPT.format("smart", t) for t in ("torus", "mesh")},
        lambda s: (f"{accepted(s['torus']):.3f} and {accepted(s['mesh']):.3f}", accepted(s["torus"]) > accepted(s["mesh"])), quick=True),
    Row("insee-adaptive", "8x8 torus: adaptive accepts more than oblivious", "adaptive above oblivious",
        {r: ADAPT.format(r, "torus") for r in ("smart", "oblivious")},
        lambda s: (f"{accepted(s['smart']):.3f} and {accepted(s['oblivious']):.3f}",
                   accepted(s["smart"]) > accepted(s["oblivious"])), quick=True),
    Row("insee-cg", "NAS CG, class W, 64 tasks", "gains from VCs, more from adaptivity",
        {"1 VC": CG.format("oblivious", 1), "3 VCs": CG.format("oblivious", 3), "adaptive": CG.format("smart", 3)}, cg),
    Row("insee-butterfly", "64 tasks, 3,200 B beside a perfect crossbar: butterfly; the tree is 4-ary, static", "torus about 2, tree about 1",
        beside("butterfly"), beside_crossbar(2, 1), quick=True),
    Row("insee-exchange", "the same: exchange on a 2-D mesh", "torus about 1, tree 1.25",
        beside("mesh_exchange"), beside_crossbar(1, 1.25), quick=True),
    Row("insee-burst", "ring of 64, pre-routed queues, LBR 3: gain in the time of a burst of 10, 100, 1,000", "grows with the burst",
        bursts(RING, (10, 100, 1000), [LBR], seeds=[f" --seed {n}" for n in (1, 2, 3, 4)]), burst_growth),
    Row("insee-burst-2d", "the same, burst of 100, ring of 64 and 64x64 torus", "more in two dimensions of similar radix",
        {(net, *k): v for net in (RING, TORUS) for k, v in bursts(net, (100,), [LBR]).items()}, two_dimensions),
    Row("insee-others", "ring of 64, burst of 100: IPR 1, GCC", "both help", bursts(RING, (100,), [IPR, GCC]),
        lambda s: (list_of([gains(s, (100,), h)[0] for h in (IPR, GCC)], "{:+.1%}"),
                   min(gains(s, (100,), h)[0] for h in (IPR, GCC)) > 0)),
    Row("insee-traces", "traces on a ring of 64: LBR 3, IPR 1", "cost CG at most 3%, gain IS up to 15%, LU most",
        {(n, h): TRACE.format(f, h or "local_bubble: 0") for n, f in TRACES.items() for h in ("", LBR, IPR)}, on_ring,
        why="their traces are not known; with a tenth of the computation CG -2.8%, -4.3%, IS +8.0%, +8.4%, "
            "LU -0.1%, +1.6%"),
    *COMPUTERS,
]

# ---- xSim
XSIM = "tb/experiments/mesh-64.yaml --set clock_period=1ps --set 'network={{{}, latency: 7e-6, bandwidth: {}}}' --set 'traffic={{{}}}'"
NETS = {"star": "topology: star, n: 4096", "tree": "topology: tree, degree: 4, depth: 6", "mesh": "topology: mesh, dims: [64, 64]",
        "torus": "topology: torus, dims: [64, 64]", "ring": "topology: ring, n: 4096"}
RANDOM, ROUND = "workload: random, messages: 4000", "workload: ring"
LARGE = {"star": "topology: star, n: 65536", "tree": "topology: tree, degree: 4, depth: 8",
         "mesh": "topology: mesh, dims: [256, 256]"}


def micro(nets, work):
    return {n: XSIM.format(t, "8.8e9", work) for n, t in nets.items()}


def times(s, labels):
    return [at(s[n], "workload.mean_message_seconds") * 1e6 for n in labels]


def ordered(labels):
    return lambda s: (", ".join(f"{n} {t:.4g}" for n, t in zip(labels, times(s, labels))) + " us", rising(times(s, labels)))


BANDWIDTHS = ("1e9", "1e3", "1", "0.1")


def bandwidths(s):
    t = times(s, BANDWIDTHS)
    return f"{list_of(t)} us at {', '.join(BANDWIDTHS)} bit/s", rising(t) and abs(t[-1] / 320e6 - 1) < 0.01


XSIM_ROWS = [
    Row("xsim-random", "*random*, 4,096 nodes: mean time of a message", "star < tree << mesh", micro({n: NETS[n] for n in ("star", "tree", "mesh")}, RANDOM),
        ordered(("star", "tree", "mesh")), quick=True),
    Row("xsim-torus", "the same: torus beside mesh", "hardly better", micro({n: NETS[n] for n in ("torus", "mesh")}, RANDOM),
        lambda s: (f"{times(s, ['torus'])[0] / times(s, ['mesh'])[0]:.2f} of the mesh's time",
                   times(s, ["torus"])[0] > 0.9 * times(s, ["mesh"])[0]),
        why="their ways are not the shortest", quick=True),
    Row("xsim-ring", "*ring*, 4,096 nodes: mean time of a message", "tree worst, mesh next, torus near the ring",
        micro({n: NETS[n] for n in ("ring", "torus", "mesh", "tree")}, ROUND), ordered(("ring", "torus", "mesh", "tree")), quick=True),
    Row("xsim-65536", "*random*, 65,536 nodes", "star < tree << mesh", micro(LARGE, RANDOM), ordered(("star", "tree", "mesh"))),
    Row("xsim-bandwidth", "time as bandwidth falls", "grows without bound", {b: XSIM.format(NETS["star"], b, RANDOM) for b in BANDWIDTHS},
        bandwidths, quick=True),
    Row("xsim-cores", "*ring*, 2, 4, 16, 32 cores a node of a 4x4x2 torus: mean time of a message", "falls towards the network on chip's",
        {c: f"tb/experiments/dual-core-torus.yaml --set clock_period=1ps --set 'network.levels=[{{topology: torus, dims: [4, 4, 2], "
            f"latency: 7e-6, bandwidth: 8.8e9}}, {{topology: star, n: {c}, gateway: 0, latency: 0.32e-6, bandwidth: 9.6e9}}]'"
         for c in (2, 4, 16, 32)},
        lambda s: (f"{list_of(times(s, (2, 4, 16, 32)))} us; there 0.643", rising(times(s, (32, 16, 4, 2)))
                   and times(s, (32,))[0] < 1.5 * 0.643), quick=True),
]

# ---- task model
TASK = "tb/experiments/task-model.yaml --set network.n={} --set traffic.jobs={} --set traffic.beta={} --set network.bandwidth={} " \
       "--set traffic.bandwidth={}"
STOCHASTIC = " --set 'traffic.tree={name: stochastic, n: 100, s: 1}' --set traffic.t_i=51e-6 --set traffic.t_a=51e-6 " \
             "--set traffic.s_s=43333 --set traffic.s_r=86667"
SWITCH = "tb/experiments/task-model-switch.yaml --set traffic.jobs=300 --set "
SPINET = SWITCH + "'network={{topology: omega, k: 2, n: 6, extra: {}}}' --set 'routing={{function: destination_tag, middle: random}}' --set " \
         "'router={{kind: spinet, duration: 16}}' --set 'nic={{flit_bytes: 80, max_packet_flits: 16}}' --set measurement.watchdog=1000000"
ONE_AT_A_TIME = " --set fidelity=node_links"  # on the links of nodes: sources and sinks of a perfect switch


def jobs(halves, count=200, beta=100, bandwidth="40e9", more=""):
    return {n: TASK.format(n, count, beta, bandwidth, bandwidth) + more for n in halves}


def footprint(s):
    s = s[5]
    ours = [task(s, "F_x_s") * 1e6, task(s, "F_c_bits") / 8e3, task(s, "F_bits_per_s") / 1e9, task(s, "speedup_bound")]
    return near([340, 660.92, 15.55, 17 / 3], 0.001)(ours)


def rates(s):
    """Node utilisation follows rho_x; where it saturates, so does the network's."""
    rho, use, net = ([task(one, k) for one in s.values()] for k in ("rho_x", "node_utilisation", "network_utilisation"))
    return f"rho {list_of(rho)}: nodes {list_of(use)}, network {list_of(net)}", rising(use) and use[-1] <= 1


def idle_share(s):
    """Of the time in which a job has a node, what it does not compute."""
    lost, use = task(s, "lost")["share"], task(s, "node_utilisation")
    return lost / (lost + use)


def idle(s):
    """There is a load at which both are theirs."""
    net, idle_part = ([f(one) for one in s.values()] for f in (lambda one: task(one, "network_utilisation"), idle_share))
    text = ", ".join(f"{n:.0%} and {i:.0%}" for n, i in zip(net, idle_part))
    return f"{text} at {list_of(s, '{:g}')} jobs/s", any(abs(n / 0.23 - 1) < 0.1 and abs(i - 0.7) < 0.1 for n, i in zip(net, idle_part))


def beside_a_switch(s):
    late = [at(one, "latency.message.from_generation.mean") * 4 for one in s.values()]
    ups = [task(one, "speedup") for one in s.values()]
    text = f"latency {list_of(late, '{:.0f}')} ns, speed-up {list_of(ups)} (switch, SPINet, 1 and 2 extra stages)"
    return text, late[0] > 2 * late[1] and ups[1] / ups[0] < 0.6 * late[0] / late[1] and late[3] < late[1]


def speedups(good):
    def figure(s):
        values = [task(one, "speedup") for one in s.values()]
        return f"{list_of(values)} at N = {', '.join(str(2 * n) for n in s)}", good(values)
    return figure


TASKS = [
    Row("task-footprint", "z = [4, 3]: F_x (us), F_c (kB), F (Gb/s), bound", "340, 660.92, 15.55, 17/3", jobs([5], 20), footprint, quick=True),
    Row("task-beta", "N = 100: rho_x at beta = 29,117", "0.1", jobs([50], 20, 29117),
        lambda s: near([0.1], 0.001)([task(s[50], "rho_x")]), quick=True),
    Row("task-low", "z = [4, 3] at 1 Gb/s: speed-up by N", "counter-productive from N = 4 on",
        jobs([1, 2, 5, 10], 50, 100, "1e9", ONE_AT_A_TIME), speedups(lambda v: v[-1] < v[0])),
    Row("task-bound", "z = [4, 3]: speed-up by N", "near its bound for N >> 12 alone", jobs([6, 10, 50], 200, 5000), speedups(rising)),
    Row("task-utilisation", "N = 100: utilisation as beta grows", "nodes follow rho_x to 1 and saturate",
        {b: TASK.format(50, 2000, b, "40e9", "40e9") for b in (29117, 150000, 280000)}, rates),
    Row("task-trees", "stochastic, n = 100, s = 1, s_s + s_r = 130 kB: F_c (MB)", "9.07",
        jobs([50], 200, 100, "40e9", STOCHASTIC), lambda s: near([9.07], 0.02)([task(s[50], "F_c_bits") / 8e6]),
        why="9.07 are 71 leaves; trees grown by degree have 66, in at most five levels 71, by twice the children and one 74"),
    Row("task-trees-slow", "the same at 1 Gb/s: speed-up by N", "below 1 and falling",
        jobs([5, 20, 100], 100, 10, "1e9", STOCHASTIC + ONE_AT_A_TIME), speedups(lambda v: max(v) < 1 and rising(v[::-1]))),
    Row("task-trees-fast", "the same at 10 Gb/s: speed-up by N", "rises to a limit",
        jobs([5, 20, 100], 100, 10, "1e10", STOCHASTIC + ONE_AT_A_TIME), speedups(rising)),
    Row("task-trees-faster", "the same at 100 Gb/s: speed-up by N", "rises to a limit",
        jobs([5, 20, 100], 100, 10, "1e11", STOCHASTIC + ONE_AT_A_TIME), speedups(rising)),
    Row("task-trees-idle", "the same at 1 Gb/s, N = 200: network utilisation; idle time of nodes that jobs have", "at most 23%; some 70%",
        {b: TASK.format(100, 300, b, "1e9", "1e9") + STOCHASTIC + ONE_AT_A_TIME for b in (2000, 5000, 10000)}, idle, study="task-model.md"),
    Row("task-spinet", "64 nodes: a switch at 40 Gb/s, SPINet at 160 Gb/s", "latency far lower, speed-up not in proportion; extra stages lower latency a little",
        {"switch": SWITCH + "network.n=64", **{extra: SPINET.format(extra) for extra in (0, 1, 2)}},
        beside_a_switch, why="few messages collide; at 1,000,000 jobs/s one extra stage gains 6%", study="task-model.md"),
]

# ---- thin trees: J. Navaridas et al., Parallel Computing 36 (2010), tables 4 and 5
KERNELS = ("workload: binary_tree", "workload: wavefront, return: true", "workload: wavefront, dimensions: 3, return: true",
           "workload: mesh_exchange", "workload: mesh_exchange, dimensions: 3", "workload: butterfly, spare: idle", "workload: waterfall")
TREE = "tb/experiments/thin-trees.yaml --set 'network={{topology: thin_tree, k: {}, k_up: {}, n: {}}}' --set 'traffic={{{}, bytes: 40960, " \
       "send_queue: 1{}}}'"
SAME_SIZE = {1: 0.4419, 2: 0.6970, 3: 0.8354, 4: 0.9094, 5: 0.9539, 6: 0.9791, 7: 0.9900}
SAME_SIZE_512 = {1: 0.1410, 2: 0.4272, 3: 0.6746, 4: 0.8273, 6: 0.9523}
SAME_SIZE_4096 = {1: 0.0628, 2: 0.3157, 3: 0.5164, 4: 0.7243, 6: 0.9276}
SAME_RADIX = {(11, 1, 2): 0.3491, (10, 2, 2): 0.6277, (9, 3, 2): 0.7341, (8, 4, 2): 0.9969, (7, 5, 3): 0.8644}


def trees(shapes, more=""):
    return {(*shape, k): TREE.format(*shape, k, more) for shape in shapes for k in KERNELS}


def slow_downs(s, shape, full):
    return [makespan(s[(*shape, k)]) / makespan(s[(*full, k)]) for k in KERNELS]


def performance(s, shape, full):
    return len(KERNELS) / sum(slow_downs(s, shape, full))


def same_size(theirs, n, bound):
    """Rows of table 4: the trees of 8^n nodes, and how they compare with 8:8,n."""
    return {"runs": trees([(8, u, n) for u in (*theirs, 8)]),
            "figure": lambda s: near(theirs.values(), bound)([performance(s, (8, u, n), (8, 8, n)) for u in theirs])}


def most_for_its_cost(s):
    """By constant, linear and quadratic cost of a switch, 8:8,2 having 1."""
    best = []
    for exponent in (0, 1, 2):
        worth = {u: performance(s, (8, u, 2), (8, 8, 2)) * 16 * 16 ** exponent / ((8 + u) * (8 + u) ** exponent) for u in SAME_SIZE}
        best.append(sorted(worth.items(), key=lambda w: -w[1])[:2])
    text = ", ".join(f"8:{a},2 ({x:.3f}; 8:{b},2 {y:.3f})" for (a, x), (b, y) in best)
    return text, [b[0][0] for b in best] == [3, 2, 2]


def heaviest(s):
    worst = makespan(s[1]) / makespan(s[8])
    return f"{worst:.1f}", abs(worst / 41 - 1) < 0.1


def butterfly_alone(s):
    ratio = makespan(s[8, 4, 2]) / makespan(s[6, 6, 3])
    return f"{ratio:.2f} of its time", ratio < 1


TREES = [
    Row("trees-4a", "table 4, 64 nodes: performance of 8:1 to 8:7", list_of(SAME_SIZE.values(), "{}"),
        trees([(8, u, 2) for u in range(1, 9)]),
        lambda s: near(SAME_SIZE.values(), 0.07)([performance(s, (8, u, 2), (8, 8, 2)) for u in SAME_SIZE])),
    Row("trees-4b", "table 4, 512 nodes: 8:1, 8:2, 8:3, 8:4, 8:6", "0.1410, 0.4272, 0.6746, 0.8273, 0.9523",
        **same_size(SAME_SIZE_512, 3, 0.07), study="thin-trees.md"),
    Row("trees-4c", "table 4, 4,096 nodes: 8:1, 8:2, 8:3, 8:4, 8:6", "0.0628, 0.3157, 0.5164, 0.7243, 0.9276",
        **same_size(SAME_SIZE_4096, 4, 0.07), study="thin-trees.md",
        why="8:1 and 8:2 alike, as if their full tree were a sixth slower in what is heavy"),
    Row("trees-5a", "table 5a, the same 64 tasks: 11:1,2, 10:2,2, 9:3,2, 8:4,2, 7:5,3 beside 6:6,3", list_of(SAME_RADIX.values(), "{}"),
        trees([*SAME_RADIX, (6, 6, 3)], ", tasks: 64"),
        lambda s: near(SAME_RADIX.values(), 0.07)([performance(s, t, (6, 6, 3)) for t in SAME_RADIX])),
    Row("trees-6", "table 6, 64 nodes: most for its cost (constant, linear, quadratic)", "8:3,2, 8:2,2, 8:2,2",
        trees([(8, u, 2) for u in range(1, 9)]), most_for_its_cost, study="thin-trees.md",
        why="8:3,2 and its neighbour are within 1% of each other in both"),
    Row("trees-heaviest", "4,096 nodes: slow-down of the heaviest kernel, BU, on 8:1", "41", {u: TREE.format(8, u, 4, KERNELS[5], "") for u in (1, 8)},
        heaviest, why="4.75 by 0.0958 Mcycles; by 41 their full tree takes 0.116"),
    Row("trees-faster", "butterfly of 64 tasks: 8:4,2 beside 6:6,3", "faster",
        {t: TREE.format(*t, KERNELS[5], ", tasks: 64") for t in ((8, 4, 2), (6, 6, 3))}, butterfly_alone),
]

# ---- APEnet
SPIKES = "the same"
NO_GAIN = "theirs come from a file of spike counts that is not at hand; ours are Poisson's"
SHEETS = ("[16, 18]", "[32, 18]", "[16, 36]")
GRID = "network={{topology: torus, dims: [8, 9], link_latency: 35}}' --set 'routing={}"
ROUTES = {"e-cube": GRID.format("{function: dor, dateline: basic}"), "star": GRID.format("duato"),
          "smart": GRID.format("{function: smart_dor, dateline: basic}"),
          "dragonfly": "network={topology: dragonfly, p: 2, a: 4, h: 2, g: 9, link_latency: 35, global_link_latency: 35}' --set 'routing=dragonfly_minimal"}


def dpsnn(route):
    return {(r, sheet): f"tb/experiments/dpsnn-torus-12x12.yaml --set '{ROUTES[r]}' --set 'router={{kind: apenet, vcs: 3}}' --set "
                        "'nic={max_packet_flits: 258, flit_bytes: 16, header_bytes: 32}' --set checks.deadlock=false "
                        f"--set 'traffic.dims=[8, 9]' --set 'traffic.columns={sheet}'"
            for r in ("e-cube", route) for sheet in SHEETS}


def dpsnn_144():
    return {r: "tb/experiments/dpsnn-torus-12x12.yaml --set 'network={topology: torus, dims: [12, 12], link_latency: 35}' --set "
               f"'routing={how}' --set 'router={{kind: apenet, vcs: 3}}' --set 'nic={{max_packet_flits: 258, flit_bytes: 16, "
               "header_bytes: 32}' --set checks.deadlock=false"
            for r, how in (("e-cube", "{function: dor, dateline: basic}"), ("star", "duato"))}


def spike_time(s):
    change = at(s["star"], DPSNN_SPIKES) / at(s["e-cube"], DPSNN_SPIKES) - 1
    return f"{change:+.1%}", change < 0


def spike_gains(s, route, good):
    gains = [at(s["e-cube", n], DPSNN_SPIKES) / at(s[route, n], DPSNN_SPIKES) - 1 for n in SHEETS]
    return list_of(gains, "{:+.1%}"), good(gains)


DPSNN_SPIKES = "workload.dpsnn.states.spikes.mean_s"
NODE = "tb/experiments/torus-dragonfly.yaml --set 'network.dims={}' --set 'routing={}' --set traffic.load={} --set checks.deadlock=false{}"
FLY = "tb/experiments/dragonfly-apenet.yaml --set 'network={{topology: dragonfly, p: {}, a: {}, h: {}, g: {}, link_latency: 35, " \
      "global_link_latency: 35}}' --set traffic.load={} --set checks.deadlock=false"
BY = {"e-cube": "{function: dor, dateline: basic}", "star": "duato", "smart": "{function: smart_dor, dateline: basic}"}
# Their sizes are drawn at random.
AT_RANDOM = " --set 'traffic.length={name: range, min: 3, max: 258}' --set measurement.warmup=30000 --set measurement.batch=4000"
HIGH = (0.4, 0.6, 0.7, 0.8)


def tori(dims, routes, loads, more=AT_RANDOM):
    return {(r, load): NODE.format(dims, BY[r], load, more) for r in routes for load in loads}


def flies(shape, *loads):
    return {("dragonfly", load): FLY.format(*shape, load) + AT_RANDOM for load in loads}


def highest(s, route):
    return max(accepted(one) for (r, _), one in s.items() if r == route)


def latency(s, route):
    return at(s[route, 0.4], "latency.packet.from_generation.mean")


def overloaded(s):
    """By any routing: of all that nodes could send, and of a little less."""
    parts = {load: [accepted(one) / at(one, "load.offered") for (_, at_load), one in s.items() if at_load == load] for load in (1, 0.95)}
    text = ", ".join(f"{min(p):.0%} to {max(p):.0%} of {load}" for load, p in parts.items())
    return text, min(parts[1]) >= 0.4 and max(parts[1]) <= 0.5


def falls(s):
    """Accepted by both at the loads, the highest of each, and how far it falls."""
    text, good = [], True
    for route in ("e-cube", "star"):
        curve = [accepted(one) for (r, _), one in s.items() if r == route]
        text.append(f"{route} {list_of(curve)}")
        good = good and 0.15 <= max(curve) < 0.205 and curve[-1] < 0.65 * max(curve)
    return f"{'; '.join(text)} at {', '.join(str(load) for load in FALLING)}", good


def cube(s):
    one, two = (accepted(s[dims]) for dims in ("10x10x10", "10x10"))
    return f"{one:.3f} beside {two:.3f}", abs(one / two - 1) < 0.1


def star_above(s):
    best, late = ([f(s, r) for r in ("star", "e-cube")] for f in (highest, latency))
    return f"{best[0]:.3f} and {best[1]:.3f}; {late[0]:.0f} and {late[1]:.0f} cycles", best[0] > best[1] and late[0] < late[1]


def smart_below(s):
    best = [highest(s, r) for r in ("smart", "e-cube")]
    return f"{best[0]:.3f} and {best[1]:.3f}", best[0] <= best[1]


def above_star(s):
    fly, star = highest(s, "dragonfly"), highest(s, "star")
    return f"{fly:.3f} and {star:.3f}", fly > star


def between(s):
    fly, star, ecube = (highest(s, r) for r in ("dragonfly", "star", "e-cube"))
    told = {r: list_of(accepted(one) for (route, _), one in s.items() if route == r) for r in ("dragonfly", "star", "e-cube")}
    return f"{told['dragonfly']} (star-channel {told['star']}, e-cube {told['e-cube']}) at {list_of(LARGE_LOADS)}", ecube < fly < star


PAGE = "torus-dragonfly.md"
FALLING = (0.16, 0.2, 0.3, 0.95)
LARGE_LOADS = (0.6, 0.7, 0.8)  # accepted falls beyond
APENET = [
    Row("apenet-10x10", "10x10 torus, overloaded", "takes 40 to 50% of the load",
        tori("[10, 10]", BY, (1, 0.95)), overloaded, study=PAGE),
    Row("apenet-32x32", "32x32 torus: accepted by load", "15 to 20%; falls by nearly two beyond saturation",
        tori("[32, 32]", ("e-cube", "star"), FALLING), falls, study=PAGE),
    Row("apenet-cube", "10x10x10 torus, overloaded, packets of 66", "as 10x10",
        {name: NODE.format(dims, BY["e-cube"], 0.95, " --set measurement.warmup=30000")
         for name, dims in (("10x10", "[10, 10]"), ("10x10x10", "[10, 10, 10]"))}, cube, study=PAGE),
    Row("apenet-star", "star-channel beside e-cube, 10x10", "sustains more, lower latency",
        tori("[10, 10]", ("e-cube", "star"), HIGH), star_above, study=PAGE),
    Row("apenet-smart", "smart dimension order beside e-cube, 10x10", "no better, loses in places",
        tori("[10, 10]", ("e-cube", "smart"), HIGH), smart_below, study=PAGE),
    Row("apenet-dragonfly-72", "dragonfly of 72 nodes beside the 10x10 torus", "above the tori with star-channel",
        {**flies((2, 4, 2, 9), 0.8, 0.95), **tori("[10, 10]", ("star",), HIGH)}, above_star, study=PAGE),
    Row("apenet-dragonfly-1056", "dragonfly of 1,056 nodes beside the 10x10x10 torus", "between e-cube and star-channel",
        {**flies((4, 8, 4, 33), *LARGE_LOADS), **tori("[10, 10, 10]", ("e-cube", "star"), LARGE_LOADS)}, between,
        study=PAGE),
    Row("apenet-dpsnn-star", "DPSNN, 72 processes with 16x18, 32x18, 16x36 columns, time in the state of spikes: star-channel beside e-cube", "+12.4%, +19.7%, +24.1%", dpsnn("star"),
        lambda s: spike_gains(s, "star", lambda gains: min(gains) > 0), why=NO_GAIN),
    Row("apenet-dpsnn-smart", f"{SPIKES}: smart dimension order", "-4.6%, +0.7%, +3.6%", dpsnn("smart"),
        lambda s: spike_gains(s, "smart", lambda gains: max(map(abs, gains)) < 0.1)),
    Row("apenet-dpsnn-dragonfly", f"{SPIKES}: dragonfly of 72 nodes", "-30.3%, -10.0%, -67.1%", dpsnn("dragonfly"),
        lambda s: spike_gains(s, "dragonfly", lambda gains: max(gains) < 0), why=NO_GAIN),
    Row("apenet-dpsnn-144", "the same, 144 processes on a 12x12 torus: star-channel", "-9.5%",
        dpsnn_144(), spike_time, why=NO_GAIN),
]

PAPERS = [
    ("INSEE (F. J. Ridruejo, UPV/EHU 2013)", INSEE),
    ("Thin trees (J. Navaridas et al., Parallel Computing 36, 2010)", TREES),
    ("xSim's network model (I. S. Jones and C. Engelmann, 2011)", XSIM_ROWS),
    ("Task model (S. Rumley et al., IA3 2013)", TASKS),
    ("APEnet simulator (F. Pisani, Sapienza 2016), packets of 3 to 258 words", APENET),
    ("DCQCN (Y. Zhu et al., SIGCOMM 2015)", DCQCN_ROWS),
    ("HPCC (Y. Li et al., SIGCOMM 2019)", HPCC_ROWS),
]
