// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_parts.h"
#include "tests/cosim/odd_graph.h"
#include "tests/support/in_child.h"
#include "tests/support/modules_speak.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"
#include "tlm/systemc/reports.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

/// Whole networks with routers in RTL beside the model's own: every packet in the same cycle.
namespace sare::cosim::network_test {
namespace {

using test::fabric_setting;

struct rtl_network {
    fabric_setting setting;
    std::string replace, shadow;  ///< routers
    std::string nics = {};        ///< nodes
    bool memory_buffers = false, clock_gating = false;
    config::value routers = {};  ///< those that differ
    bool period_changes = false;
    bool exhausts_pools = false;  ///< all VCs of some output must have been without a place at once
};

experiment as_experiment(const rtl_network& n) {
    const config::location at{"test.yaml", 1, 1};
    config::value all = config::value::map({}, at), cosim = config::value::map({}, at);
    config::value traffic = test::section(n.setting.traffic, "workload");
    if (!n.setting.length.empty()) traffic.set("length", test::section(n.setting.length, "name"));
    all.set("network", test::section(n.setting.network, "topology"));
    all.set("routing", test::section(n.setting.routing, "function"));
    all.set("traffic", traffic);
    if (!n.replace.empty()) cosim.set("replace", config::value::scalar(n.replace, at));
    if (!n.shadow.empty()) cosim.set("shadow", config::value::scalar(n.shadow, at));
    if (!n.nics.empty()) cosim.set("nics", config::value::scalar(n.nics, at));
    all.set("cosim", cosim);
    experiment e = experiment::read(all, "");
    e.router = router_params::fields().write(n.setting.router);
    e.routers = n.routers;
    e.nic = n.setting.nic;
    auto& rtl = e.sections.of<cosim::cosim_params>();
    rtl.memory_buffers = n.memory_buffers;
    rtl.clock_gating = n.clock_gating;
    return e;
}

using log_entry = std::array<std::uint64_t, 8>;

/// Within a cycle the order is that of the blocks, which differs.
std::vector<log_entry> sorted(const test::packet_log& log) {
    std::vector<log_entry> all(log.lines.size() / 8);
    for (std::size_t k = 0; k < log.lines.size(); ++k) all[k / 8][k % 8] = log.lines[k];
    std::sort(all.begin(), all.end());
    return all;
}

std::uint32_t sent_by(sare::network& net, std::uint32_t router, std::uint32_t port) {
    std::uint32_t all = 0;
    for (std::uint32_t v = 0; v < net.engine().net().view().vcs(); ++v)
        all += net.engine().flits_sent(router, port, v);
    return all;
}

/// True if some output of a router has no place left for any VC.
bool has_full_output(sare::network& net) {
    const network_view& view = net.engine().net().view();
    for (std::uint32_t r = 0; r < view.routers(); ++r)
        for (std::uint32_t p = 0; p < 4; ++p) {
            std::uint32_t places = 0;
            for (std::uint32_t v = 0; v < view.vcs(); ++v) places += view.out(r, p, v).credits;
            if (places == 0 && net.map().peer(router_id(r), port_id(p)).what == port_peer::kind::router)
                return true;
        }
    return false;
}

/// Both networks in one simulation; "" if their packet logs are equal and no pin differed.
std::string compare(const rtl_network& n, cycle_t cycles) {
    const experiment e = as_experiment(n);
    rtl_parts::options how;
    how.speed = rtl_speed::quick;
    rtl_parts parts(e, how);
    const std::uint32_t classes = n.setting.classes;
    sare::network model("model", e, classes),
        mixed("mixed", e, classes, sare::network::most_bound, parts.maker());
    sare::network* const both[] = {&model, &mixed};
    test::packet_log logs[2];
    std::unique_ptr<workload> traffic[2];
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (int k = 0; k < 2; ++k) {
        traffic[k] = test::traffic_of(n.setting.traffic, model.map().nodes(), n.setting.length);
        both[k]->engine().net().stepper().set_observer(&logs[k]);
        both[k]->engine().set_workload(*traffic[k]);
    }
    if (n.period_changes)
        for (const std::uint32_t end : {500, 501, 800, 1900}) {
            mixed.engine().run_until(end);
            for (sare::network* const one : both)
                one->engine().set_period(sc_core::sc_time::from_value(end % 7 * 400 + 2));
        }
    bool exhausted = !n.exhausts_pools;
    for (cycle_t t = 100; !exhausted && t < cycles; t += 100) {
        for (sare::network* const one : both) one->engine().run_until(t);
        exhausted = has_full_output(model);
    }
    for (int k = 0; k < 2; ++k) both[k]->engine().run_until(cycles);
    if (!exhausted) return "no pool was exhausted";
    if (const auto d = parts.first_divergence()) return d->text();
    if (logs[0].lines.size() < 8000) return "too little traffic: " + std::to_string(logs[0].lines.size());
    if (parts.router_cycles() < cycles - 1) return "the RTL was not clocked";
    // The model counts a flit when SA grants it, a link when it is there.
    const std::uint32_t on_the_way = n.setting.router.sa_delay + n.setting.router.st_delay;
    std::uint64_t flits = 0;
    for (std::uint32_t r = 0; r < model.map().routers(); ++r)
        for (std::uint32_t p = 0; p < model.map().ports(router_id(r)); ++p) {
            const std::uint32_t ours = sent_by(model, r, p), theirs = sent_by(mixed, r, p);
            flits += theirs;
            if (theirs <= ours && ours <= theirs + on_the_way) continue;
            return "port " + std::to_string(p) + " of router " + std::to_string(r) + " sent " +
                   std::to_string(theirs) + " flits, not " + std::to_string(ours);
        }
    if (flits < 8000) return "only " + std::to_string(flits) + " flits were counted";
    const auto ours = sorted(logs[0]), theirs = sorted(logs[1]);
    for (std::size_t k = 0; k < std::min(ours.size(), theirs.size()); ++k)
        if (ours[k] != theirs[k])
            return "entry " + std::to_string(k) + " of the packet logs differs: cycle " +
                   std::to_string(ours[k][0] / 2);
    return ours.size() == theirs.size() ? "" : "packet logs of different length";
}

rtl_network mesh() {
    rtl_network n;
    n.setting.network = "mesh dims=4,4";
    n.setting.traffic = "bernoulli load=0.35";
    n.setting.length = "bimodal first=1 second=5";
    n.replace = "all";
    return n;
}

rtl_network torus() {
    rtl_network n = mesh();
    n.setting.network = "torus dims=4,4 link_latency=2";
    n.setting.router.lookahead = true;
    n.setting.router.speculative = true;
    n.setting.router.credit_delay = 2;
    return n;
}

std::string in_own_process(const rtl_network& n, cycle_t cycles = 3000) {
    return test::in_child([&] { return with_config_errors([&] { return compare(n, cycles); }); });
}

TEST(RtlNetwork, MatchesTheModelOnAMesh) {
    EXPECT_EQ(in_own_process(mesh()), "");
}

/// RTL goes with its network's clock.
TEST(RtlNetwork, FollowsAChangeOfTheClock) {
    rtl_network n = mesh();
    n.replace = "5-6";
    n.nics = "5";
    n.period_changes = true;
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, GivesEachModuleAKindAndADump) {
    rtl_network n = mesh();
    n.replace = n.nics = "5";
    const experiment e = as_experiment(n);
    rtl_parts::options how;
    how.speed = rtl_speed::quick;
    rtl_parts parts(e, how);
    sare::network mixed("mixed", e, 1, sare::network::most_bound, parts.maker());
    mixed.engine().run_until(3);
    const std::set<std::string> kinds = test::expect_modules_speak();
    EXPECT_EQ(kinds.count("sare::cosim::router_module"), 1U);
    EXPECT_EQ(kinds.count("sare::cosim::nic_module"), 1U);
}

config::value router_at(const char* number, const config::value& changes) {
    config::value all = changes;
    all.set("at", config::value::scalar(number));
    return all;
}

/// Each has RTL of its own parameters, and counts the credits of its own neighbours' buffers.
TEST(RtlNetwork, GivesEachRouterItsOwnParameters) {
    const auto text = [](const char* t) { return config::value::scalar(t); };
    rtl_network n = mesh();
    n.replace = "5";
    n.shadow = "6";
    n.routers = config::value::list(
        {router_at("5", config::value::map({{"depth", text("3")}, {"va_allocator", text("wavefront")}})),
         router_at("6", config::value::map({{"depth", text("12")}, {"st_delay", text("0")}})),
         router_at("9", config::value::map({{"depth", text("2")}, {"sa_arbiter", text("age")}}))});
    EXPECT_EQ(in_own_process(n), "");
    n.routers = config::value::list({router_at("7", config::value::map({{"credit_batch", text("2")}}))});
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: router 7, beside a router in RTL, must have credit_batch 1");
    n.routers = config::value::list({router_at("6", config::value::map({{"iterations", text("2")}}))});
    EXPECT_EQ(in_own_process(n), "error: test.yaml:1:1: router.iterations must be 1 for a router in RTL");
}

TEST(RtlNetwork, MatchesTheModelOnATorus) {
    EXPECT_EQ(in_own_process(torus()), "");
}

TEST(RtlNetwork, MatchesTheModelOnAMeshWithRtlNics) {
    rtl_network n = mesh();
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, MatchesTheModelOnATorusWithRtlNics) {
    rtl_network n = torus();
    n.nics = "all";
    n.setting.nic.delay = 2;
    n.setting.nic.credit_delay = 0;
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, SendsRepliesWithoutWaitingForTheClock) {
    rtl_network n = torus();
    n.setting.routing = "dor ties=positive";  // random ones are drawn in the order in which classes send
    n.setting.traffic = "request_reply outstanding=4 service_cycles=0";
    n.setting.length = "";
    n.setting.classes = 2;
    n.replace = "all";
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, MatchesTheModelWithOnlyNicsInRtl) {
    rtl_network n = mesh();
    n.replace = "";
    n.nics = "1-12";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, MatchesTheModelWithSomeRoutersShadowed) {
    rtl_network n = torus();
    n.replace = "0-5";
    n.shadow = "6-9";
    EXPECT_EQ(in_own_process(n), "");
}

/// Links that lead one way; nodes of a butterfly send to its first stage and are served by its last.
TEST(RtlNetwork, MatchesTheModelOnUnidirectionalLinks) {
    rtl_network n = mesh();
    n.setting.network = "torus dims=3,4 unidirectional=true";
    EXPECT_EQ(in_own_process(n), "");
    n.setting.network = "butterfly k=2 n=3";
    n.setting.routing = "destination_tag";
    EXPECT_EQ(in_own_process(n), "");
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, MatchesTheModelWithCutThroughAndTables) {
    rtl_network n = mesh();
    n.setting.network = "star n=5 concentration=2";
    n.setting.routing = "table";
    n.setting.router.switching = switching_mode::cut_through;
    n.setting.router.reallocation = reallocation_rule::atomic;
    n.setting.nic.max_packet_flits = 8;
    EXPECT_EQ(in_own_process(n), "");
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, TakesUpDownWhereOneTableSuffices) {
    rtl_network n = mesh();
    n.setting.network = "graph file=" + odd_graph(testing::TempDir() + "odd_graph.txt");
    n.setting.routing = "up_down";
    n.setting.traffic = "bernoulli load=0.25";
    EXPECT_EQ(
        in_own_process(n),
        "error: test.yaml:1:1: router 4 sends packets to node 8 on by port 2 or 1, as they come in by port 0 "
        "or 3; sare_router has one table for all inputs: take routing.function dor or table, or a router of "
        "your own with a table an input");
    n.replace = "1-3";
    n.shadow = "8";
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

/// The wavefront's first diagonal depends on the cycle: tables are written in reset.
TEST(RtlNetwork, MatchesTheModelWithWavefrontAndTables) {
    rtl_network n = mesh();
    n.setting.network = "star n=5 concentration=2";
    n.setting.routing = "table";
    n.setting.router.va_allocator = n.setting.router.sa_allocator = config::value::scalar("wavefront");
    n.nics = "all";
    EXPECT_EQ(in_own_process(n), "");
}

TEST(RtlNetwork, MatchesTheModelWithLongStagesAndGatedClocks) {
    rtl_network n = torus();
    n.setting.network = "ring n=6";
    n.setting.router.lookahead = false;
    n.setting.router.rc_delay = 2;
    n.setting.router.va_delay = 3;
    n.setting.router.sa_delay = 2;
    n.setting.router.st_delay = 4;
    n.setting.router.sa_allocator = config::value::scalar("wavefront");
    n.memory_buffers = n.clock_gating = true;
    EXPECT_EQ(in_own_process(n), "");
}

/// A small mesh under more load than it takes, whose VCs share the buffers of a port.
rtl_network shared(std::uint32_t vcs, std::uint32_t depth) {
    rtl_network n = mesh();
    n.setting.network = "mesh dims=3,3";
    n.setting.traffic = "bernoulli load=0.95";
    n.setting.router.vcs = vcs;
    n.setting.router.depth = depth;
    n.setting.router.buffers = buffer_policy::shared;
    n.exhausts_pools = true;
    return n;
}

TEST(RtlNetwork, MatchesTheModelWithSharedBuffers) {
    EXPECT_EQ(in_own_process(shared(2, 4)), "");
    rtl_network n = shared(4, 5);
    n.nics = "all";
    n.setting.router.reserved = 2;
    n.setting.router.lookahead = n.setting.router.speculative = true;
    n.setting.router.credit_delay = 3;
    EXPECT_EQ(in_own_process(n), "");
}

/// Routers of the model count the places of RTL, and the other way round; some have buffers of their own.
TEST(RtlNetwork, MatchesTheModelWithSharedBuffersBesidePrivateOnes) {
    rtl_network n = shared(3, 8);
    n.replace = "4-5";
    n.nics = "4-5";
    n.memory_buffers = n.clock_gating = true;
    n.routers = config::value::list(
        {router_at("5", config::value::map({{"buffers", config::value::scalar("private")}})),
         router_at("1", config::value::map({{"reserved", config::value::scalar("4")}}))});
    EXPECT_EQ(in_own_process(n), "");
    n.routers = config::value::list(
        {router_at("5", config::value::map({{"buffers", config::value::scalar("private")},
                                            {"reallocation", config::value::scalar("atomic")}}))});
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: with shared buffers, here or behind a link, router.switching must be "
              "wormhole and router.reallocation tail for a router in RTL");
}

rtl_network forking(forking_rule rule) {
    rtl_network n = mesh();
    n.setting.network = "mesh dims=3,3";
    n.setting.routing = "multicast_tree set=random fan_out=4";
    n.setting.traffic = "multicast rate=0.03";
    n.setting.length = "fixed flits=4";
    n.setting.router.vcs = 2;
    n.setting.router.depth = n.setting.nic.max_packet_flits = 4;
    n.setting.router.forking = rule;
    return n;
}

/// A branch is a copy of the network's packet, whichever router makes it.
TEST(RtlNetwork, MatchesTheModelWherePacketsFork) {
    rtl_network n = forking(forking_rule::asynchronous);
    n.replace = "";
    n.shadow = "4";
    EXPECT_EQ(in_own_process(n), "");
    n = forking(forking_rule::synchronous);
    n.setting.router.switching = switching_mode::cut_through;
    n.replace = "4";
    EXPECT_EQ(in_own_process(n), "");
    n.setting.router.lookahead = true;
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: router.forking must be none, or go without lookahead, speculation and "
              "shared buffers, with allocators input_first and arbiters round_robin, for a router in RTL");
    n.setting.router.lookahead = false;
    n.setting.network = "torus dims=3,3";
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: this routing function is not in RTL; dor is, and what a "
              "table of one port a destination can hold");
}

TEST(RtlNetwork, RefusesWhatHardwareCannotDo) {
    rtl_network n = mesh();
    n.replace = "3-40";
    EXPECT_EQ(in_own_process(n), "error: test.yaml:1:1: there is no router 40; the network has 16, 0 and up");
    n.replace = "0";
    n.setting.router.iterations = 2;
    EXPECT_EQ(in_own_process(n), "error: test.yaml:1:1: router.iterations must be 1 for a router in RTL");
    n.setting.router = {};
    n.setting.router.selection = selection_policy::same_vc;
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: router.selection must not be same_vc for a router in RTL");
    n.setting.router = {};
    n.setting.router.sa_delay = 0;
    n.memory_buffers = true;
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: with cosim.memory_buffers router.sa_delay must be at least 1 for a "
              "router in RTL");
    n.setting.router = {};
    n.shadow = "0-3";
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: router 0 is in 'replace' and in 'shadow'; it can be in one");
    n.shadow = "";
    n.setting.routing = "west_first";
    EXPECT_EQ(in_own_process(n),
              "error: test.yaml:1:1: routers in RTL need deterministic routing: dor, or a table");
}

TEST(CosimSection, IsRefusedWhereThereAreNoRouters) {
    const char* text =
        "network: {topology: mesh, dims: [2, 2]}\nfidelity: analytic\n"
        "cosim: {replace: 3}\n";
    try {
        experiment::read(config::parse_document(text, "x.yaml"), "");
        ADD_FAILURE() << "not refused";
    } catch (const config::error& problem) {
        EXPECT_STREQ(problem.what(),
                     "x.yaml:3:8: 'cosim' names blocks in RTL and 'fidelity' is analytic, which has no "
                     "routers; leave one of them out");
    }
}

}  // namespace
}  // namespace sare::cosim::network_test
