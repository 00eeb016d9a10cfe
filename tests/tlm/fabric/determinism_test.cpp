// SPDX-License-Identifier: Apache-2.0
#include "tests/support/in_child.h"
#include "tests/support/random_setting.h"
#include "tests/support/result_text.h"
#include "tlm/network/measurement.h"
#include "tlm/systemc/engine_wiring.h"

#include <gtest/gtest.h>

/// The same configuration and seed give the same results: again, with blocks evaluated in any order, with
/// modules bound by sockets or not, as SystemC modules or without.
namespace sare::test::determinism_test {
namespace {

/// Injections and consumptions, sorted: the order within a cycle does not count.
struct sorted_log final : observer {
    std::vector<std::array<std::uint64_t, 8>> lines;

    void add(std::uint32_t node, const packet& p, cycle_t now, bool in) {
        lines.push_back({now * 2 + in, node, p.route.source, p.route.destination, p.flits, p.hops,
                         p.generated, p.injected});
    }
    void packet_injected(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, true);
    }
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        add(node, p, now, false);
    }
    void message_consumed(const message_record&, cycle_t) override {}
    const auto& sorted() {
        std::sort(lines.begin(), lines.end());
        return lines;
    }
};

constexpr std::uint64_t in_order = 0;  ///< not a seed: blocks are evaluated as they lie

sorted_log run(const fabric_setting& s, std::uint64_t shuffle, cycle_t end = 600) {
    test_fabric f(s);
    if (shuffle != in_order) f.net.stepper().shuffle_evaluation(shuffle);
    sorted_log log;
    f.net.stepper().set_observer(&log);
    const auto traffic = traffic_of(s.traffic, f.net.view().nodes(), s.length);
    f.net.stepper().set_workload(traffic.get());
    f.run(0, end);
    log.sorted();
    return log;
}

/// Settings that choose at random on the way: ties, adaptive choices, valiant's routers.
fabric_setting busy(const std::string& network, const std::string& routing) {
    fabric_setting s;
    s.network = network;
    s.routing = routing;
    s.traffic = "bernoulli load=0.4";
    s.length = "range min=1 max=9";
    s.router.vcs = 4;
    s.router.reallocation = reallocation_rule::atomic;
    s.router.selection = selection_policy::random;
    return s;
}

fabric_setting apenet(const std::string& routing, const std::string& more = "") {
    fabric_setting s = busy("torus dims=4,4 link_latency=3", routing);
    s.kind = "apenet vcs=4 depth=32 sync=2 credit_interval=7" + more;
    s.nic.max_packet_flits = 9;
    return s;
}

const fabric_setting settings[] = {busy("mesh dims=4,4", "dor"),
                                   busy("torus dims=4,4", "dor ties=random"),
                                   busy("torus dims=4,4", "duato"),
                                   busy("mesh dims=5,3", "valiant"),
                                   busy("mesh dims=4,4", "odd_even"),
                                   apenet("duato"),
                                   apenet("smart_dor dateline=basic", " service=random")};

TEST(Determinism, RepeatsARunAndDiffersWithAnotherSeed) {
    for (fabric_setting s : settings) {
        s.seed = 7;
        const auto first = run(s, in_order).lines;
        EXPECT_GT(first.size(), 1000U);
        EXPECT_EQ(run(s, in_order).lines, first) << s.routing;
        s.seed = 8;
        EXPECT_NE(run(s, in_order).lines, first) << s.routing;
    }
}

TEST(Determinism, HoldsInAnyOrderOfEvaluation) {
    for (const fabric_setting& s : settings)
        for (const std::uint64_t shuffle : {1U, 2U, 3U, 4U})
            EXPECT_EQ(run(s, shuffle).lines, run(s, in_order).lines) << s.network << ", " << s.routing;
}

TEST(Determinism, HoldsInAnyOrderForRandomSettings) {
    setting_source source(77);
    std::uint32_t runs = 0;
    for (int n = 0; n < 150; ++n) {
        const setting_source::drawn d = source.next();
        if (!d.graph.empty()) continue;
        try {
            const auto expected = run(d.setting, in_order).lines;
            ASSERT_EQ(run(d.setting, n + 1).lines, expected)
                << d.setting.network << ", " << d.setting.routing;
            ++runs;
        } catch (const config::error&) {
        }
    }
    EXPECT_GT(runs, 75U);
}

/// Deliveries of a cycle reach in any order what reacts to them: schedulers, wildcards, closed loops.
TEST(Determinism, HoldsInAnyOrderForReactiveWorkloads) {
    for (const char* traffic :
         {"request_reply outstanding=4", "constant_population messages=3",
          "constant_population messages=3 next=consumer", "reactive initial=6 probability=0.9 limit=4000",
          "random outstanding=6 messages=400",
          "task_model jobs=40 beta=1e6 t_i=1e-8 t_a=1e-8 s_s=64 s_r=100 eps=8",
          "master_worker jobs=9 bytes=90 result_bytes=60 spread=0.5 compute=5e-8",
          "incast bytes=90 repetitions=9 eager_limit=40", "halo cells=5 diagonals=true repetitions=4",
          "random_exchange bytes=90 stages=30", "dpsnn columns=8,8 steps=2 spike_time=0",
          "collective operation=alltoall bytes=60 repetitions=3"}) {
        for (fabric_setting s : {settings[1], apenet("dor dateline=basic")}) {
            s.traffic = traffic;
            s.length = "";
            s.classes = std::string(traffic).rfind("request_reply", 0) == 0 ? 2 : 1;
            const auto expected = run(s, in_order, 4000).lines;
            EXPECT_GT(expected.size(), 200U) << traffic << ' ' << s.kind;
            for (const std::uint64_t shuffle : {1U, 2U, 3U})
                EXPECT_TRUE(run(s, shuffle, 4000).lines == expected) << traffic << ' ' << s.kind;
        }
    }
}

// ---- with SystemC ----------------------------------------------------------------------------------------

experiment as_experiment(const fabric_setting& s) {
    config::value all = config::value::map({});
    config::value traffic = section(s.traffic, "workload");
    traffic.set("length", section(s.length, "name"));
    all.set("network", section(s.network, "topology"));
    all.set("routing", section(s.routing, "function"));
    all.set("traffic", traffic);
    experiment e = experiment::read(all, "");
    e.router = s.kind.empty() ? router_params::fields().write(s.router) : section(s.kind, "kind");
    e.nic = s.nic;
    e.seed = s.seed;
    return e;
}

constexpr std::uint32_t all_bound = 1024, none_bound = 0;

/// Modules of a lean network are made when they are asked for; "" if they are as others.
std::string ask_for_modules(sare::network& lean) {
    if (sc_core::sc_find_object("lean.r1") != nullptr) return "a module that nobody has asked for";
    sare::router& r = lean.router_module(1);
    sare::nic& n = lean.nic_module(1);
    if (&r != &lean.router_module(1) || &n != &lean.nic_module(1)) return "another module the second time";
    if (sc_core::sc_find_object("lean.r1") != &r || sc_core::sc_find_object("lean.n1") != &n)
        return "no such name";
    const bool numbered = r.id() == 1 && n.node() == 1 && r.ports() == lean.map().ports(router_id(1));
    const engine_wiring& wired = lean.engine().wiring();
    return numbered && wired.has(r) && wired.has(n) ? "" : "it is not the engine's";
}

/// Two networks in one simulation, bound and lean; "" if both do what the fabric alone does.
std::string compare_modules(const fabric_setting& s) {
    const experiment e = as_experiment(s);
    sare::network bound("bound", e, 1, all_bound), lean("lean", e, 1, none_bound);
    if (!bound.bound() || lean.bound()) return "bound_limit does nothing";
    if (const std::string wrong = ask_for_modules(lean); !wrong.empty()) return wrong;
    sorted_log logs[2];
    std::unique_ptr<workload> traffic[2];
    sare::network* const both[] = {&bound, &lean};
    for (int k = 0; k < 2; ++k) {
        traffic[k] = traffic_of(s.traffic, bound.map().nodes(), s.length);
        both[k]->engine().net().stepper().set_observer(&logs[k]);
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (int k = 0; k < 2; ++k) both[k]->engine().set_workload(*traffic[k]);
    for (int k = 0; k < 2; ++k) both[k]->engine().run_until(600);
    const auto plain = run(s, in_order).lines;
    if (plain.size() < 1000) return "too little traffic";
    if (logs[0].sorted() != plain) return "bound modules differ";
    return logs[1].sorted() == plain ? "" : "lean modules differ";
}

TEST(Determinism, HoldsForBoundLeanAndNoModules) {
    for (const fabric_setting& s : settings)
        EXPECT_EQ(in_child([&s] { return compare_modules(s); }), "") << s.network << ", " << s.routing;
}

/// A measured run, in a process of its own.
std::string measured(const experiment& e, std::uint32_t bound_limit, std::uint64_t shuffle) {
    return in_child([&] {
        sare::network net("net", e, 1, bound_limit);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        net.engine().net().stepper().set_seed(e.seed);
        if (shuffle != in_order) net.engine().net().stepper().shuffle_evaluation(shuffle);
        const auto traffic =
            workload_registry::instance().make(e.traffic, workload_context{"", net.map().nodes()});
        const run_control control;
        measurement method(net.engine(), *traffic, e.measurement, control);
        net.engine().set_workload(*traffic, traffic->runs_to_completion());
        run_result out;
        method.run(out);
        return result_text::of(out);
    });
}

TEST(Determinism, HoldsForResultsToTheLastDigit) {
    for (const char* traffic : {"bernoulli load=0.3", "burst messages=20 bursts=2"}) {
        fabric_setting s = settings[2];
        s.traffic = traffic;
        experiment e = as_experiment(s);
        e.measurement.warmup = e.measurement.convergence_interval = 300;
        e.measurement.batch = 200;
        e.measurement.matrix = true;
        const std::string expected = measured(e, all_bound, in_order);
        ASSERT_GT(expected.size(), 5000U) << expected;
        EXPECT_EQ(measured(e, all_bound, in_order), expected);
        EXPECT_EQ(measured(e, all_bound, 1), expected);
        EXPECT_EQ(measured(e, all_bound, 2), expected);
        EXPECT_EQ(measured(e, none_bound, in_order), expected);
        EXPECT_EQ(measured(e, none_bound, 3), expected);
        e.seed = 2;
        EXPECT_NE(measured(e, all_bound, in_order), expected);
    }
}

}  // namespace
}  // namespace sare::test::determinism_test
