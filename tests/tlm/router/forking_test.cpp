// SPDX-License-Identifier: Apache-2.0
#include "tests/support/closed_form.h"
#include "tests/support/parameter_text.h"
#include "tests/support/random_script.h"
#include "tests/support/seed.h"
#include "tests/tlm/router/spinnaker_support.h"

#include <gtest/gtest.h>

/// VC routers in which packets fork.
namespace sare::test::forking_test {
namespace {

constexpr forking_rule both[] = {forking_rule::asynchronous, forking_rule::synchronous};

template <class T>
T one_of(rng& random, std::initializer_list<T> all) {
    return all.begin()[random.below(static_cast<std::uint32_t>(all.size()))];
}

void draw_router(rng& random, router_params& p) {
    p.vcs = one_of(random, {1, 2, 3, 4});
    p.depth = one_of(random, {2, 4, 8});
    p.rc_delay = random.below(3);
    p.va_delay = random.below(3);
    p.sa_delay = random.below(3);
    p.st_delay = random.below(3);
    p.lookahead = random.bernoulli(0.3);
    p.input_register = random.bernoulli(0.3);
    p.credit_delay = random.below(3);
    p.credit_batch = random.bernoulli(0.2) ? 3 : 1;
    p.switching = one_of(random, {switching_mode::wormhole, switching_mode::wormhole,
                                  switching_mode::cut_through, switching_mode::store_and_forward});
    p.reallocation = random.bernoulli(0.2) ? reallocation_rule::atomic : reallocation_rule::tail;
    p.selection = random.bernoulli(0.2) ? selection_policy::same_vc : selection_policy::most_credit;
}

std::string text_of(const fabric_setting& s) {
    return s.network + " | " + s.routing + " | " + parameter_text(s.router) + " | packets of " +
           std::to_string(s.nic.max_packet_flits);
}

/// When packets arrive, by node.
struct arrivals final : observer {
    std::map<std::uint32_t, std::vector<cycle_t>> at;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t now) override {
        at[node].push_back(now - p.generated);
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

/// Without other traffic a packet comes to each node as soon as if it went to that node alone.
TEST(Forking, BroadcastsOnAnIdleMeshInTheClosedForm) {
    rng random(test_seed(1601), stream::test, 1);
    for (int n = 0; n < 60; ++n) {
        const std::uint32_t k = 2 + random.below(5), source = random.below(k * k);
        packet_path path;
        path.flits = one_of(random, {1, 2, 5});
        path.link_latency = one_of(random, {1, 2, 7});
        // Where branches are not equally fast, they compete for the flits in the buffer.
        path.cycles_per_flit = path.flits == 1 ? one_of(random, {1, 3}) : 1;
        fabric_setting s;
        s.network = "mesh dims=" + std::to_string(k) + "," + std::to_string(k) +
                    " link_latency=" + std::to_string(path.link_latency) +
                    " link_cycles_per_flit=" + std::to_string(path.cycles_per_flit);
        const bool dual = random.bernoulli(0.5);
        s.routing = std::string("multicast_tree set=all") + (dual ? " trees=dual_path" : "");
        draw_router(random, s.router);
        s.router.depth = s.nic.max_packet_flits = 16;
        s.router.forking = both[n % 2];
        s.router.credit_batch = 1;
        test_fabric f(s);
        arrivals seen;
        f.net.stepper().set_observer(&seen);
        sare::message m = firing(source, 5);
        m.flits = path.flits;
        scripted_traffic traffic({m});
        f.net.stepper().set_workload(&traffic);
        f.run(0, workload::never);
        ASSERT_EQ(seen.at.size(), k * k - 1) << text_of(s);
        for (const auto& [node, cycles] : seen.at) {
            const auto apart = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
            // The path goes to and fro along the rows.
            const auto place = [k](std::uint32_t r) {
                return r / k * k + (r / k % 2 == 0 ? r % k : k - 1 - r % k);
            };
            path.routers = 1 + (dual ? apart(place(node), place(source))
                                     : apart(node % k, source % k) + apart(node / k, source / k));
            ASSERT_EQ(cycles, std::vector<cycle_t>{zero_load_latency(s.router, s.nic, path)})
                << text_of(s) << ", node " << node << " from " << source;
        }
        EXPECT_EQ(f.net.view().changes().copied.packets, k * k - 2);
        EXPECT_EQ(f.net.view().leftovers(), "");
    }
}

std::vector<std::uint64_t> log_of(const fabric_setting& s, const std::vector<sare::message>& script) {
    test_fabric f(s);
    packet_log log;
    f.net.stepper().set_observer(&log);
    scripted_traffic traffic(script);
    f.net.stepper().set_workload(&traffic);
    f.run(0, 20'000);
    EXPECT_EQ(f.net.view().flits_injected(), f.net.view().flits_consumed()) << text_of(s);
    EXPECT_EQ(f.net.view().leftovers(), "") << text_of(s);
    return log.lines;
}

/// Packets to one node go as in routers that do not fork any, cycle for cycle.
TEST(Forking, ChangesNothingForPacketsToOneNode) {
    rng random(test_seed(1602), stream::test, 2);
    for (int n = 0; n < 40 && !testing::Test::HasFailure(); ++n) {
        fabric_setting s;
        s.network = one_of(random, {"mesh dims=4,3", "mesh dims=3,3 link_latency=2 link_cycles_per_flit=2",
                                    "torus dims=4,3 concentration=2"});
        draw_router(random, s.router);
        s.router.vcs += 1;
        s.nic.max_packet_flits = std::min(s.router.depth, 1 + random.below(8));
        const bool at_once = n % 2 != 0;
        // There VA looks for room for the whole packet.
        if (at_once) s.router.switching = switching_mode::wormhole;
        test_fabric probe(s);
        auto script = random_script(random, probe.map().nodes(), 6, 200, 0.15);
        for (sare::message& m : script)
            if (m.source == m.destination) m.destination = m.source == 0 ? 1 : 0;  // no multicasts
        const auto plain = log_of(s, script);
        s.router.forking = both[at_once];
        s.routing = "multicast_tree set=row sources=0";
        EXPECT_EQ(log_of(s, script), plain) << text_of(s);
    }
}

struct drawn {
    fabric_setting setting;
    std::string graph;  ///< random graph, where it is not a grid
    std::uint64_t seed = 0;
    double rate = 0, unicast = 0;
};

fabric_setting draw_setting(rng& random, bool graph) {
    fabric_setting s;
    s.network = one_of(random, {"mesh dims=3,3", "mesh dims=4,2", "torus dims=4,3", "torus dims=3,3",
                                "mesh dims=2,2,2 link_latency=2", "mesh dims=3,2 concentration=2"});
    const std::string set =
        graph ? one_of(random, {"random fan_out=1", "all", "all sources=1"})
              : one_of(random, {"random fan_out=3", "random fan_out=5", "row", "all", "rectangle",
                                "rectangle width=1", "all sources=2", "random fan_out=3 sources=3"});
    s.routing = "multicast_tree set=" + set + " seed=" + std::to_string(random.below(100));
    if (!graph && s.network.rfind("mesh", 0) == 0 && random.bernoulli(0.3)) s.routing += " trees=dual_path";
    draw_router(random, s.router);
    s.router.vcs = one_of(random, {2, 2, 3, 4});
    s.router.forking = both[random.below(2)];
    s.nic.max_packet_flits = one_of(random, {1, 2, 4, 8});
    if (s.router.switching != switching_mode::wormhole)
        s.router.depth = std::max(s.router.depth, s.nic.max_packet_flits);
    return s;
}

/// The verdict of the check for deadlock, as a network of these routers gets it.
deadlock_report verdict_of(const fabric_setting& s, const test_fabric& f) {
    deadlock_question q;
    q.network = &f.map();
    q.routing = &f.way();
    q.vcs = s.router.vcs;
    const bool waits = s.router.forking == forking_rule::synchronous
                           ? s.router.switching == switching_mode::wormhole
                           : s.nic.max_packet_flits > s.router.depth;
    q.branches_wait = waits ? "it is so" : "";
    return check_deadlock(q);
}

/// Books of a network after the run: each packet has come to each target once, and nothing is left.
void check_books(const test_fabric& f, const told_firing& traffic, const std::string& what) {
    const packet_changes& c = f.net.view().changes();
    EXPECT_EQ(traffic.unaccounted(), "") << what;
    EXPECT_TRUE(f.net.view().empty()) << what;
    EXPECT_EQ(f.net.view().leftovers(), "") << what;
    EXPECT_EQ(f.net.view().packets_injected() + c.copied.packets, f.net.view().packets_consumed()) << what;
    EXPECT_EQ(f.net.view().flits_injected() + c.copied.flits, f.net.view().flits_consumed()) << what;
    EXPECT_EQ(f.net.view().packets().in_use(), 0U) << what;
}

/// What of a source comes to a node comes in the order in which it was sent, where there is one VC.
bool is_in_order(const told_firing& traffic) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> last;
    for (const auto& [cycle, node, tag] : traffic.told) {
        std::uint64_t& before = last[{node, traffic.fates[tag].what.source}];
        if (tag < before) return false;
        before = tag;
    }
    return true;
}

class forking_networks : public testing::TestWithParam<std::uint32_t> {};
INSTANTIATE_TEST_SUITE_P(, forking_networks, testing::Range(0U, 4U));

/// What the check takes for free of deadlock never stops; of what it refuses, some does.
TEST_P(forking_networks, DeliverToEachTargetOnceUnlessTheCheckRefusesThem) {
    rng random(test_seed(1610 + GetParam()), stream::test, 3);
    std::uint32_t safe = 0, refused = 0, stuck = 0;
    for (int n = 0; n < 120 && !HasFailure(); ++n) {
        const bool graph = random.bernoulli(0.25);
        fabric_setting s = draw_setting(random, graph);
        auto map = graph ? random_graph(random) : nullptr;
        if (map != nullptr && map->nodes() < 2) continue;
        test_fabric f(s, std::move(map));
        const bool ok = verdict_of(s, f).ok();
        told_firing traffic(random.next(), 150, ok ? 0.05 : 0.3, random.bernoulli(0.5) ? 0.5 : 0);
        traffic.longest = s.nic.max_packet_flits;
        if (n % 4 == 1) f.net.stepper().shuffle_evaluation(random.next());
        f.net.stepper().set_workload(&traffic);
        const cycle_t end = f.run(0, 100'000);
        if (!ok) {
            ++refused;
            stuck += f.net.view().empty() ? 0 : 1;
            continue;
        }
        ++safe;
        ASSERT_GE(end, 100'000U) << text_of(s);
        check_books(f, traffic, text_of(s));
    }
    EXPECT_GT(safe, 40U);
    EXPECT_GT(refused, 10U);
    EXPECT_GT(stuck, 0U);
}

TEST(Forking, KeepsTheOrderOfASource) {
    rng random(test_seed(1603), stream::test, 4);
    for (int n = 0; n < 20; ++n) {
        fabric_setting s = draw_setting(random, false);
        s.network = "mesh dims=4,3";
        s.router.vcs = 1;
        s.router.depth = 8;
        if (s.router.forking == forking_rule::synchronous) s.router.switching = switching_mode::cut_through;
        test_fabric f(s);
        told_firing traffic(random.next(), 200, 0.05, 0);
        traffic.longest = s.nic.max_packet_flits;
        f.net.stepper().set_workload(&traffic);
        f.run(0, 100'000);
        check_books(f, traffic, text_of(s));
        EXPECT_TRUE(is_in_order(traffic)) << text_of(s);
    }
}

/// Flits in buffers are always those of packets in the network, though the packet that they came with may
/// have gone on by a faster branch and have been consumed.
TEST(Forking, ShowsPacketsThatAreInTheNetwork) {
    fabric_setting s;
    s.network = "mesh dims=3,3";
    s.routing = "multicast_tree fan_out=5";
    s.router.vcs = 2;
    s.router.forking = forking_rule::asynchronous;
    s.nic.max_packet_flits = 8;
    test_fabric f(s);
    told_firing traffic(1, 300, 0.05, 0.3);
    traffic.longest = 8;
    f.net.stepper().set_workload(&traffic);
    std::uint32_t gone = 0;
    for (cycle_t t = 0; t < 400; t = f.run(t, t + 1)) {
        std::set<std::uint32_t> inside;
        f.net.view().packets().for_each([&](std::uint32_t slot) { inside.insert(slot); });
        for (std::uint32_t r = 0; r < f.map().routers(); ++r)
            for (std::uint32_t p = 0; p < f.map().ports(router_id(r)); ++p)
                for (std::uint32_t v = 0; v < s.router.vcs; ++v)
                    for (std::uint32_t n = 0; n < f.net.view().in(r, p, v).count; ++n)
                        gone += inside.count(f.net.view().buffered(r, p, v, n).packet) == 0 ? 1 : 0;
    }
    EXPECT_EQ(gone, 0U);
}

/// A packet that does not fit into a buffer holds one output while it waits for another.
TEST(Forking, RefusesBranchesThatWaitForEachOther) {
    fabric_setting s;
    s.network = "mesh dims=2,2";
    s.routing = "multicast_tree set=all";
    s.router.vcs = 1;
    s.router.depth = 2;
    s.router.forking = forking_rule::asynchronous;
    s.nic.max_packet_flits = 8;
    const test_fabric f(s);
    const deadlock_report report = verdict_of(s, f);
    EXPECT_EQ(report.result, deadlock_report::verdict::cycle);
    EXPECT_NE(report.text.find(", held -> "), std::string::npos) << report.text;
    // One source alone has nobody to wait for: on one VC its packets go one after the other.
    s.routing = "multicast_tree set=all sources=0";
    const test_fabric alone(s);
    EXPECT_TRUE(verdict_of(s, alone).ok()) << verdict_of(s, alone).text;
}

/// Flits that have crossed links between routers.
std::uint64_t flits_on_links(const test_fabric& f, const fabric_setting& s) {
    std::uint64_t sum = 0;
    for (std::uint32_t r = 0; r < f.map().routers(); ++r)
        for (std::uint32_t p = 0; p < f.map().ports(router_id(r)); ++p)
            if (f.map().peer(router_id(r), port_id(p)).what == port_peer::kind::router)
                for (std::uint32_t v = 0; v < s.router.vcs; ++v) sum += f.net.view().out(r, p, v).flits;
    return sum;
}

/// The workload tells how many links packets cross, and they do: copied by routers, and by their source.
TEST(Forking, SavesTheLinksThatTheWorkloadTells) {
    fabric_setting s;
    s.network = "mesh dims=5,4";
    s.router.forking = forking_rule::asynchronous;
    for (const char* set : {"random fan_out=6", "rectangle width=3 height=2", "row", "all"}) {
        s.routing = std::string("multicast_tree seed=7 set=") + set;
        std::map<std::string, double> told;
        for (const char* copies : {"network", "source"}) {
            test_fabric f(s);
            const auto traffic =
                traffic_of(std::string("multicast stop_cycle=300 rate=0.01 header=1 copies=") + copies, 20,
                           "fixed flits=2");
            f.net.stepper().set_workload(traffic.get());
            EXPECT_EQ(f.run(0, 1'000'000), workload::never);
            const config::value r = traffic->results(), links = *r.find("links");
            const double packets = std::stod(r.find("packets")->text());
            EXPECT_EQ(r.find("packets_that_came_to_all")->text(), r.find("packets")->text());
            told[copies] = std::stod(links.find("of_a_packet")->text());
            EXPECT_NEAR(3 * packets * told[copies], static_cast<double>(flits_on_links(f, s)), 0.01) << set;
            EXPECT_EQ(traffic->generated(300).flits, f.net.view().flits_injected());
        }
        EXPECT_LT(told["network"], told["source"]) << set;
    }
}

std::string error_of(const std::string& line, const std::string& network) {
    const auto net = test::network(network);
    try {
        routing(line, *net, 2);
    } catch (const config::error& e) {
        return e.what();
    }
    return "";
}

TEST(Forking, RefusesWhatHasNoTrees) {
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_TRUE(has(error_of("multicast_tree along=west_first", "mesh dims=3,3"), "with one route"));
    EXPECT_TRUE(has(error_of("multicast_tree trees=dual_path along=dor", "mesh dims=3,3"),
                    "'trees: dual_path' goes along 'hamiltonian' only"));
    EXPECT_TRUE(has(error_of("multicast_tree trees=dual_path", "torus dims=3,3"), "needs a mesh"));
    EXPECT_TRUE(has(error_of("multicast_tree fan_out=9", "mesh dims=3,3"), "a node has 8 others"));
    EXPECT_TRUE(has(error_of("multicast_tree set=rectangle width=4", "mesh dims=3,3"), "does not fit"));
    EXPECT_TRUE(has(error_of("multicast_tree set=rectangle", "mesh dims=3"), "along 2 dimensions"));
    EXPECT_TRUE(has(error_of("multicast_tree sources=9", "mesh dims=3,3"), "which has 9"));
    router_params p;
    p.forking = forking_rule::asynchronous;
    p.speculative = true;
    EXPECT_THROW(make_router_model(p), config::error);
}

}  // namespace
}  // namespace sare::test::forking_test
