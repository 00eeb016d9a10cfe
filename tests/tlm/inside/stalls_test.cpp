// SPDX-License-Identifier: Apache-2.0
#include "tests/support/local_world.h"
#include "tests/support/told_fabric.h"
#include "tlm/inside/packet_trace.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <thread>

/// The statistic `stalls`: in situations whose answer is a formula, and beside the trace of all packets.
namespace sare::test {
namespace {

struct counted_stalls {
    std::uint64_t vc = 0, credit = 0, of_switch = 0, link = 0;
    bool operator==(const counted_stalls& o) const {
        return vc == o.vc && credit == o.credit && of_switch == o.of_switch && link == o.link;
    }
};
std::ostream& operator<<(std::ostream& out, const counted_stalls& s) {
    return out << "vc " << s.vc << ", credit " << s.credit << ", switch " << s.of_switch << ", link "
               << s.link;
}

/// A network, with the statistic from its first cycle on.
struct watched_network {
    explicit watched_network(const fabric_setting& s, const std::string& how = "stalls")
        : f(s), set(config::value::list({section(how, "name")}), {f.net.view(), &f.net}) {
        set.start(0);
    }
    void run(workload& w, cycle_t end) {
        f.net.stepper().set_workload(&w);
        f.run(0, end);
    }
    /// Up to the last cycle that was run, or to `end`.
    run_result stop(cycle_t end = 0) {
        const cycle_t window = end == 0 ? f.net.view().now() + 1 : end;
        set.stop(window);
        run_result out;
        set.read({out, f.map(), &f.net.view(), static_cast<double>(window)}, out);
        return out;
    }

    test_fabric f;
    statistic_set set;
};

counted_stalls of_run(const run_result& r) {
    const auto figure = [&r](const char* name) { return static_cast<std::uint64_t>(r.figure_of(name)); };
    return {figure("stalls.vc"), figure("stalls.credit"), figure("stalls.switch"), figure("stalls.link")};
}

std::vector<counted_stalls> by_port(const run_result& r) {
    std::vector<counted_stalls> all;
    const auto figure = [&r](const char* name, std::size_t row) {
        return static_cast<std::uint64_t>(r.column_of(scope::port, name)->number(row));
    };
    for (std::size_t row = 0; row < r.port_places.size(); ++row)
        all.push_back({figure("stalls_vc", row), figure("stalls_credit", row), figure("stalls_switch", row),
                       figure("stalls_link", row)});
    return all;
}

sare::message message_of(std::uint32_t source, std::uint32_t destination, std::uint32_t flits) {
    sare::message m;
    m.source = source;
    m.destination = destination;
    m.flits = flits;
    m.generated = 10;
    return m;
}

counted_stalls stalls_after(const fabric_setting& s, const std::vector<sare::message>& script) {
    watched_network n(s);
    scripted_traffic traffic(script);
    n.run(traffic, 1'000'000);
    EXPECT_EQ(n.f.net.view().leftovers(), "");
    return of_run(n.stop());
}

fabric_setting crossbar_setting(bool fast) {
    fabric_setting s;
    s.network = "crossbar n=4";
    s.routing = "table";
    s.router.depth = 16;
    s.router.vcs = 1;
    s.fast_allowed = fast;
    return s;
}

/// Two packets of F flits for one output. With one VC the second waits for the first to lose VA, and for its
/// tail: va + F cycles. With two they share the link, and all of 2 F flits but two wait for a cycle.
TEST(Stalls, TwoSourcesFightForOneOutput) {
    for (const bool fast : {false, true})
        for (const std::uint32_t flits : {1U, 2U, 7U}) {
            fabric_setting s = crossbar_setting(fast);
            const std::vector<sare::message> both{message_of(0, 2, flits), message_of(1, 2, flits)};
            EXPECT_EQ(stalls_after(s, both), (counted_stalls{s.router.va_delay + flits, 0, 0, 0}));
            s.router.vcs = 2;
            EXPECT_EQ(stalls_after(s, both), (counted_stalls{1, 0, 2 * flits - 2, 0}));
        }
}

/// One place beyond: of every credit loop of R cycles R - 1 have no credit.
TEST(Stalls, ALinkWithFewCredits) {
    for (const bool fast : {false, true})
        for (const std::uint32_t latency : {1U, 4U}) {
            fabric_setting s = crossbar_setting(fast);
            s.network += " node_link_latency=" + std::to_string(latency);
            s.nic.ejection_depth = 1;
            const std::uint32_t loop =
                s.router.sa_delay + s.router.st_delay + 2 * latency + s.router.credit_delay;
            EXPECT_EQ(stalls_after(s, {message_of(0, 2, 5)}), (counted_stalls{0, 4 * (loop - 1), 0, 0}))
                << latency;
        }
}

/// A node from which no credit comes in the window: three flits leave for its buffer of three places, and the
/// fourth waits to the end of the window, though nothing is run any more.
TEST(Stalls, ABlockedSink) {
    fabric_setting s = crossbar_setting(false);
    s.network += " node_link_latency=500";
    s.nic.ejection_depth = 3;
    watched_network n(s);
    scripted_traffic traffic({message_of(0, 2, 9)});
    n.run(traffic, 1000);
    const counted_stalls seen = of_run(n.stop(1000));
    EXPECT_EQ(seen.vc + seen.of_switch + seen.link, 0U);
    // The head is in the router 500 cycles after it was sent in cycle 10, and takes its pipeline.
    const cycle_t left = 10 + 500 + s.nic.delay + s.router.rc_delay + s.router.va_delay;
    EXPECT_NEAR(static_cast<double>(seen.credit), static_cast<double>(1000 - (left + 3)), 2);
    watched_network later(s);
    scripted_traffic again({message_of(0, 2, 9)});
    later.run(again, 1000);
    EXPECT_EQ(of_run(later.stop(1300)).credit, seen.credit + 300);
}

/// A link that takes C cycles a flit: of F flits all but the first wait for C - 1.
TEST(Stalls, ANarrowLink) {
    for (const bool fast : {false, true}) {
        fabric_setting s = crossbar_setting(fast);
        s.network = "mesh dims=2,1 link_cycles_per_flit=4";
        s.routing = "dor";
        const counted_stalls seen = stalls_after(s, {message_of(0, 1, 6)});
        EXPECT_EQ(seen, (counted_stalls{0, 0, 0, 5 * 3}));
    }
}

/// The flits of the trace's stalls, by router and input port.
struct summed_stalls final : packet_event_sink {
    std::map<std::pair<std::uint32_t, std::uint32_t>, counted_stalls> all;
    void take(const packet_event& e) override {
        if (e.is != packet_event::what::stall || e.reason == stall_reason::behind) return;
        counted_stalls& at = all[{e.place, e.in_port}];
        (e.reason == stall_reason::no_credit ? at.credit
         : e.reason == stall_reason::lost_sa ? at.of_switch
                                             : at.vc) += e.cycles;
    }
};

/// Every kind that processes can run, and others.
std::vector<fabric_setting> settings_of_more_kinds() {
    std::vector<fabric_setting> all = settings_of_all_kinds();
    fabric_setting phits = told_setting("kary_ntree k=2 n=3", "", "multistage vcs=2 packet=4");
    all.push_back(phits);
    fabric_setting slow = told_setting("mesh dims=4,4 link_cycles_per_flit=2", "dor");
    slow.router.rc_delay = 2;
    slow.router.va_delay = 2;
    all.push_back(slow);
    fabric_setting stored = told_setting("mesh dims=4,4", "dor");
    stored.router.switching = switching_mode::store_and_forward;
    stored.router.depth = 9;
    stored.nic.max_packet_flits = 9;
    all.push_back(stored);
    return all;
}

TEST(Stalls, AreThoseOfTheTraceOfAllPackets) {
    for (const fabric_setting& s : settings_of_more_kinds()) {
        watched_network n(s);
        const auto traffic = traffic_of(s.traffic, n.f.net.view().nodes(), s.length);
        summed_stalls expected;
        packet_trace trace(n.f.net);
        trace.add(expected);
        trace.start();
        n.run(*traffic, 400);
        trace.stop();
        const run_result r = n.stop();
        const std::vector<counted_stalls> seen = by_port(r);
        std::uint64_t sum = 0;
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const auto [router, port] = r.port_places[k];
            const port_peer from = n.f.map().source(router_id(router), port_id(port));
            const bool owned = n.f.model().terms().owns_nodes && from.what != port_peer::kind::router;
            if (owned) continue;  // injection queues, of which the trace knows nothing
            const counted_stalls& e = expected.all[{router, port}];
            const counted_stalls joined{seen[k].vc, seen[k].credit, seen[k].of_switch + seen[k].link, 0};
            EXPECT_EQ(joined, e) << text_of(s) << " router " << router << " port " << port;
            sum += e.vc + e.credit + e.of_switch;
        }
        EXPECT_GT(sum, 100U) << text_of(s);
    }
}

/// Each sample counts for all cycles of its interval.
TEST(Stalls, SamplesAreNearTheTruth) {
    fabric_setting s = told_setting("mesh dims=5,4", "odd_even");
    std::vector<double> all;
    for (const char* how : {"stalls", "stalls interval=7", "stalls interval=50"}) {
        watched_network n(s, how);
        const auto traffic = traffic_of(s.traffic, n.f.net.view().nodes(), s.length);
        n.run(*traffic, 6000);
        const counted_stalls seen = of_run(n.stop());
        all.push_back(static_cast<double>(seen.vc + seen.credit + seen.of_switch));
    }
    EXPECT_GT(all[0], 10000);
    EXPECT_NEAR(all[1], all[0], 0.1 * all[0]);
    EXPECT_NEAR(all[2], all[0], 0.2 * all[0]);
}

std::vector<counted_stalls> stalls_of(fabric_setting s, const std::string& how, std::uint32_t ranks) {
    const auto run = [how](const fabric_setting& own) {
        watched_network n(own, how);
        const auto traffic = traffic_of(own.traffic, n.f.net.view().nodes(), own.length);
        n.run(*traffic, 300);
        n.set.stop(300);
        if (own.processes != nullptr) n.set.add_up(*own.processes);
        return by_port(n.stop(300));
    };
    if (ranks == 0) return run(s);
    meeting_place place(ranks);
    std::vector<std::vector<counted_stalls>> each(ranks);
    std::vector<std::thread> threads;
    for (std::uint32_t r = 0; r < ranks; ++r)
        threads.emplace_back([&, r, s]() mutable {
            try {
                local_world here(place, r);
                s.processes = &here;
                each[r] = run(s);
            } catch (...) {
                place.fail(std::current_exception());
            }
        });
    for (std::thread& t : threads) t.join();
    if (place.failure()) std::rethrow_exception(place.failure());
    return each[0];
}

TEST(Stalls, AreTheSameByThreadsAndProcesses) {
    for (fabric_setting s : settings_of_all_kinds())
        for (const std::string how : {"stalls", "stalls interval=9"}) {
            const auto expected = stalls_of(s, how, 0);
            EXPECT_EQ(stalls_of(s, how, 3), expected) << text_of(s);
            s.threads.threads = 3;
            EXPECT_EQ(stalls_of(s, how, 0), expected) << text_of(s);
        }
}

}  // namespace
}  // namespace sare::test
