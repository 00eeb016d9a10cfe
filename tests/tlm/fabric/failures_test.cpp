// SPDX-License-Identifier: Apache-2.0
#include "tests/support/noted_traffic.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"
#include "tlm/retransmission/go_back_n.h"
#include "tlm/state/checkpoint.h"
#include "tlm/topology/surviving_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

/// Links and routers that fail in mid-run.
namespace sare::test::failures_test {
namespace {

config::value events(const std::string& flow) {
    return *config::parse_document("events: " + flow, "test").find("events");
}

constexpr cycle_t sending = 600, latest = 400;

/// A network that can go round, with failures at random.
fabric_setting random_setting(rng& random, std::string& said) {
    struct kind {
        const char *network, *routing;
        std::uint32_t vcs;
        bool atomic;
    };
    static const kind kinds[] = {
        {"mesh dims=4,4", "up_down", 2, false},  {"mesh dims=4,4", "up_down adaptive=true", 2, false},
        {"torus dims=4,4", "table", 2, false},  // the shortest paths of a torus: cyclic, but see below
        {"mesh dims=4,4", "duato", 2, true},     {"torus dims=4,3", "duato", 4, true},
        {"mesh dims=5,3", "odd_even", 1, false}, {"mesh dims=4,4", "west_first", 2, false},
        {"ring n=7", "up_down_escape", 2, true}, {"hyperx dims=3,3", "min_adaptive", 2, false},
        {"hyperx dims=3,4", "dal", 3, true},     {"dragonfly p=1 a=3 h=1 g=4", "ugal_l", 4, false},
    };
    fabric_setting s;
    const std::uint32_t n = random.below(static_cast<std::uint32_t>(std::size(kinds)));
    const kind& k = kinds[n == 2 ? 0 : n];  // a table of shortest paths can deadlock on a torus
    s.network = std::string(k.network) + " link_latency=" + std::to_string(1 + random.below(4));
    s.routing = n == 2 ? "table" : k.routing;
    s.router.vcs = k.vcs * (s.classes = 1 + random.below(2));
    if (k.atomic) {
        if (random.below(2) == 0)
            s.router.reallocation = reallocation_rule::atomic;
        else
            s.router.switching = switching_mode::cut_through;
    }
    s.router.depth = 8;
    s.router.speculative = false;
    s.router.rc_delay = 1 + random.below(2);
    s.router.va_delay = 1 + random.below(2);
    s.nic.max_packet_flits = 8;
    if (random.below(3) == 0) s.network += " flit_phits=5 link_width=" + std::to_string(2 + random.below(3));
    s.reroute = random.below(3) == 0 ? 0 : random.below(200);
    s.seed = random.next();
    std::string list;
    for (std::uint32_t e = 0; e < 1 + random.below(4); ++e) {
        const std::uint32_t some[] = {0, 150, random.below(latest), random.below(latest)};
        const std::string at = std::to_string(some[random.below(4)]);
        list += list.empty() ? "[" : ", ";
        if (random.below(2) == 0)
            list += "{router: " + std::to_string(random.below(6)) + ", at: " + at + "}";
        else
            list += "{links: 0." + std::to_string(1 + random.below(3)) + ", at: " + at +
                    ", seed: " + std::to_string(random.below(1000)) + "}";
    }
    s.failures = events(list + "]");
    said = s.network + ", " + s.routing + ", vcs " + std::to_string(s.router.vcs) + ", reroute " +
           std::to_string(s.reroute) + ", " + list + "]";
    return s;
}

/// What is left when all has failed.
std::unique_ptr<surviving_network> what_is_left(const fabric_setting& s, const topology& map, cycle_t& last) {
    experiment e;
    e.failures.events = s.failures;
    auto left = std::make_unique<surviving_network>(map);
    for (const failure& f : plan_failures(e.failures, map)) {
        for (const auto& [r, p] : f.ports) left->fail(r, p);
        for (const std::uint32_t r : f.routers) left->fail_router(r);
        last = std::max(last, f.at);
    }
    left->find_parts();
    return left;
}

/// A network that fails, with bit errors on its links and go-back-N in some, and what its traffic is told.
struct written_network {
    written_network(const fabric_setting& s, std::uint64_t seed)
        : f(s), traffic(seed, sending, 1), reliable(traffic, s.nic, class_vcs(s.router.vcs, s.classes)) {
        const bool again = s.nic.retransmission == retransmission::go_back_n;
        reliable.tell(log);
        f.net.stepper().set_observer(again ? static_cast<observer*>(&reliable) : &log);
        f.net.stepper().set_workload(again ? static_cast<workload*>(&reliable) : &traffic);
        top = again ? static_cast<workload*>(&reliable) : &traffic;
    }
    void run(cycle_t end) { next = f.run(next, end); }
    std::string written() {
        std::ostringstream to;
        write_checkpoint(to, {"", "", next}, [this](archive& a) { a(f.net, *top, next); });
        return to.str();
    }
    void read(const std::string& text) {
        std::istringstream from(text);
        checkpoint(from).restore([this](archive& a) { a(f.net, *top, next); });
    }

    test_fabric f;
    noted_traffic traffic;
    go_back_n reliable;
    packet_log log;
    workload* top = nullptr;
    cycle_t next = 0;
};

/// Written and read twice on the way: before failures, after them, while the network is emptied, when routing
/// knows.
TEST(Failures, GoOnFromCheckpoints) {
    rng random(test_seed(20263), stream::test, 2);
    std::uint64_t caught = 0, again = 0, read_after = 0;
    for (int run = 0; run < 80; ++run) {
        std::string said;
        fabric_setting s = random_setting(random, said);
        s.reroute = random.below(100);
        if (random.below(2) == 0) s.network += " link_bit_error_rate=2e-5";
        if (random.below(3) == 0) {
            s.nic.retransmission = retransmission::go_back_n;
            s.nic.window = 1 + random.below(8);
            s.nic.time_out = 100 + random.below(200);
            s.nic.attempts = 4;
            if (random.below(2) == 0) s.nic.acknowledge = acknowledgement::ideal;
        }
        SCOPED_TRACE("run " + std::to_string(run) + ": " + said);
        const std::uint64_t seed = random.next();
        written_network whole(s, seed), first(s, seed), second(s, seed), third(s, seed);
        whole.run(200'000);
        const cycle_t one = 1 + random.below(600), two = one + random.below(300);
        first.run(one);
        second.read(first.written());
        ASSERT_EQ(second.written(), first.written());
        second.run(two);
        third.read(second.written());
        third.read(second.written());
        third.run(200'000);
        ASSERT_EQ(third.next, whole.next);
        ASSERT_EQ(third.traffic.told, whole.traffic.told);
        for (const std::uint64_t n : second.log.lines) first.log.lines.push_back(n);
        for (const std::uint64_t n : third.log.lines) first.log.lines.push_back(n);
        ASSERT_EQ(first.log.lines, whole.log.lines);
        ASSERT_EQ(third.f.net.view().changes().dropped_at.size(),
                  whole.f.net.view().changes().dropped_at.size());
        for (std::size_t n = 0; n < whole.traffic.notes.size(); ++n)
            ASSERT_EQ(third.traffic.notes[n].cause, whole.traffic.notes[n].cause);
        ASSERT_EQ(third.f.net.view().flits_consumed(), whole.f.net.view().flits_consumed());
        ASSERT_EQ(third.reliable.counted().sent_again, whole.reliable.counted().sent_again);
        caught += whole.f.net.view().changes().dropped.packets;
        again += whole.reliable.counted().sent_again;
        read_after += second.f.net.view().changes().dropped.packets != 0;
    }
    EXPECT_GT(caught, 1000U);
    EXPECT_GT(again, 100U);
    EXPECT_GT(read_after, 30U);
}

/// Every message arrives once or is told as dropped; of those that are sent when routing knows all, just
/// those arrive that can; and nothing is left of any.
TEST(Failures, ConserveMessagesAndSpareTheReachable) {
    rng random(test_seed(20261), stream::test, 0);
    std::uint64_t caught = 0, dead_ends = 0, unreachable = 0;
    for (int run = 0; run < 120; ++run) {
        std::string said;
        fabric_setting s = random_setting(random, said);
        if (run % 4 == 3) s.router.vcs *= 33 / s.router.vcs + 1;  // sets of arrivals in two words
        SCOPED_TRACE("run " + std::to_string(run) + ": " + said);
        test_fabric machine(s);
        fabric& net = machine.net;
        noted_traffic traffic(random.next(), sending, 1 + random.below(2));
        net.stepper().set_workload(&traffic);
        cycle_t end = 0;
        ASSERT_NO_THROW(end = machine.run(0, 200'000)) << "in cycle " << net.port().now();
        ASSERT_EQ(end, workload::never) << "it hangs";
        ASSERT_EQ(net.view().leftovers(), "");
        ASSERT_TRUE(net.view().empty());
        ASSERT_EQ(net.view().flits_inside(), 0U);
        ASSERT_EQ(net.view().packets_inside(), 0U);
        cycle_t last = 0;
        const auto left = what_is_left(s, machine.map(), last);
        std::map<std::string, std::uint64_t> lost;
        for (const auto& n : traffic.notes) {
            ASSERT_EQ(n.delivered + (n.dropped != 0), 1U) << "message " << n.what.tag;
            ASSERT_EQ(n.lost, n.dropped != 0 ? 1U : 0U) << "message " << n.what.tag;
            if (n.dropped != 0) ++lost[n.cause];
            if (n.what.generated < last + s.reroute) continue;
            ASSERT_EQ(n.delivered == 1, left->reaches(n.what.source, n.what.destination))
                << "from " << n.what.source << " to " << n.what.destination << " of cycle "
                << n.what.generated << ": " << n.cause;
            ASSERT_TRUE(n.delivered == 1 || n.cause == loss::unreachable);
        }
        ASSERT_EQ(net.view().changes().lost_by_cause, lost);
        caught += lost[loss::failure], dead_ends += lost[loss::dead_end],
            unreachable += lost[loss::unreachable];
    }
    EXPECT_GT(caught, 100U);
    EXPECT_GT(dead_ends, 100U);
    EXPECT_GT(unreachable, 100U);
}

TEST(Failures, DoNotDependOnTheOrderOfEvaluation) {
    rng random(test_seed(20262), stream::test, 0);
    for (int run = 0; run < 15; ++run) {
        std::string said;
        const fabric_setting s = random_setting(random, said);
        SCOPED_TRACE("run " + std::to_string(run) + ": " + said);
        const std::uint64_t seed = random.next();
        std::vector<std::pair<cycle_t, std::uint64_t>> first;
        std::vector<std::uint64_t> lines;
        for (const bool shuffled : {false, true}) {
            test_fabric machine(s);
            if (shuffled) machine.net.stepper().shuffle_evaluation(seed);
            noted_traffic traffic(seed, sending, 2);
            packet_log log;
            machine.net.stepper().set_observer(&log);
            machine.net.stepper().set_workload(&traffic);
            machine.run(0, 200'000);
            if (!shuffled) {
                first = traffic.told;
                lines = log.lines;
                continue;
            }
            // NICs of a cycle are run in any order.
            ASSERT_EQ(traffic.told, first);
            ASSERT_EQ(log.lines.size(), lines.size());
        }
    }
}

/// A packet that is half over a link is taken out with all of its flits, and the link's other end is as if it
/// had never come.
TEST(Failures, RemoveAPacketThatIsHalfOverALink) {
    fabric_setting s;
    s.network = "mesh dims=3 link_latency=3";
    s.routing = "up_down";
    s.router.vcs = 1;
    s.router.depth = 4;
    s.failures = events("[{between: [1, 2], at: 20}]");
    s.reroute = 30;
    test_fabric machine(s);
    std::vector<sare::message> script(3);
    script[0].source = 0, script[0].destination = 2, script[0].flits = 40, script[0].generated = 5;
    script[1].source = 0, script[1].destination = 1, script[1].flits = 8, script[1].generated = 6;
    script[2].source = 1, script[2].destination = 2, script[2].flits = 2, script[2].generated = 100;
    scripted_traffic traffic(script);
    machine.net.stepper().set_workload(&traffic);
    EXPECT_EQ(machine.run(0, 1000), workload::never);
    EXPECT_EQ(machine.net.view().leftovers(), "");
    const packet_changes& c = machine.net.view().changes();
    EXPECT_EQ(c.dropped_by_cause.at(loss::failure).packets, 1U);
    EXPECT_LT(c.dropped.flits, 40U);  // the rest never left the node
    EXPECT_EQ(c.lost_by_cause.at(loss::failure), 1U);
    EXPECT_EQ(c.lost_by_cause.at(loss::unreachable), 1U);
    EXPECT_EQ(machine.net.view().packets_consumed(), 1U);
    EXPECT_EQ(c.first_lost, "from node 0 to node 2, generated in cycle 5, lost in cycle 20 (failure)");
}

/// Before routing knows, what comes to the dead link is dropped there; then it goes the other way round.
TEST(Failures, AreAvoidedWhenRoutingKnows) {
    for (const char* way : {"up_down", "table"}) {
        SCOPED_TRACE(way);
        fabric_setting s;
        s.network = "ring n=6";
        s.routing = std::string(way) == "table" ? "table" : "up_down root=0";
        s.router.vcs = 1;
        s.failures = events("[{between: [0, 1], at: 10}]");
        s.reroute = 100;
        test_fabric machine(s);
        std::vector<sare::message> script(2);
        script[0].source = 0, script[0].destination = 1, script[0].generated = 50;
        script[1].source = 0, script[1].destination = 1, script[1].generated = 150;
        scripted_traffic traffic(script);
        struct hops_seen final : observer {
            std::vector<std::uint32_t> hops;
            void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
            void packet_consumed(std::uint32_t, const packet& p, cycle_t) override { hops.push_back(p.hops); }
            void message_consumed(const message_record&, cycle_t) override {}
        } seen;
        machine.net.stepper().set_observer(&seen);
        machine.net.stepper().set_workload(&traffic);
        EXPECT_EQ(machine.run(0, 1000), workload::never);
        EXPECT_EQ(seen.hops, std::vector<std::uint32_t>{6});
        EXPECT_EQ(machine.net.view().changes().dropped_by_cause.at(loss::dead_end).packets, 1U);
        const drop_spot at = machine.net.view().changes().dropped_at.begin()->first;
        EXPECT_EQ(at.cause, loss::dead_end);
        EXPECT_EQ(at.router, 0U);
    }
}

/// The share of links that is drawn, and that each has both directions.
TEST(Failures, TakeTheGivenShareOfLinks) {
    const auto map = test::network("torus dims=8,8");
    experiment e;
    e.failures.events = events("[{links: 0.25, at: 7, seed: 3}, {links: 0, at: 1}]");
    const std::vector<failure> all = plan_failures(e.failures, *map);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].at, 1U);
    EXPECT_TRUE(all[0].ports.empty());
    EXPECT_EQ(all[1].ports.size(), 2U * 32);
    for (const auto& [r, p] : all[1].ports) {
        const port_peer to = map->peer(router_id(r), port_id(p));
        EXPECT_NE(std::find(all[1].ports.begin(), all[1].ports.end(), std::make_pair(to.id, to.port)),
                  all[1].ports.end());
    }
}

}  // namespace
}  // namespace sare::test::failures_test
