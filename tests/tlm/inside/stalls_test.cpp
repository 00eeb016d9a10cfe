// SPDX-License-Identifier: Apache-2.0
#include "tests/support/local_world.h"
#include "tests/support/told_fabric.h"
#include "tlm/stats/results.h"
#include "tlm/stats/statistic.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

/// The statistic `stalls` in situations whose answer is a formula; stall_sums_test.cpp has sums over
/// networks.
namespace sare::test {
namespace {

/// Cycles by reason, those that are not zero.
using counted_stalls = std::map<std::string, std::uint64_t>;

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

constexpr const char* names[] = {"behind", "vc", "credit", "consumer", "va", "switch", "link", "clock"};

counted_stalls of_run(const run_result& r) {
    counted_stalls all;
    for (const char* name : names)
        if (const double cycles = r.figure_of(std::string("stalls.") + name); cycles != 0)
            all[name] = static_cast<std::uint64_t>(cycles);
    return all;
}

counted_stalls of_row(const run_result& r, scope of, std::size_t row) {
    counted_stalls all;
    for (const char* name : names)
        if (const double cycles = r.column_of(of, std::string("stalls_") + name).number(row); cycles != 0)
            all[name] = static_cast<std::uint64_t>(cycles);
    return all;
}

std::vector<counted_stalls> by_port(const run_result& r) {
    std::vector<counted_stalls> all;
    for (std::size_t row = 0; row < r.port_places.size(); ++row) all.push_back(of_row(r, scope::port, row));
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
    s.compact_allowed = fast;
    return s;
}

/// Two packets of F flits for one output. With one VC the second loses VA once, and waits for the first one's
/// tail: va + F - 1 cycles. With two they share the link, and all of 2 F flits but two wait for a cycle.
TEST(Stalls, CountTwoSourcesAtOneOutput) {
    for (const bool fast : {false, true})
        for (const std::uint32_t flits : {1U, 2U, 7U}) {
            fabric_setting s = crossbar_setting(fast);
            const std::vector<sare::message> both{message_of(0, 2, flits), message_of(1, 2, flits)};
            EXPECT_EQ(stalls_after(s, both),
                      (counted_stalls{{"vc", s.router.va_delay + flits - 1}, {"va", 1}}));
            s.router.vcs = 2;
            counted_stalls shared{{"va", 1}};
            if (flits > 1) shared["switch"] = 2 * flits - 2;
            EXPECT_EQ(stalls_after(s, both), shared);
        }
}

/// One place beyond: of every credit loop of R cycles R - 1 have no credit.
TEST(Stalls, CountWaitsForCredits) {
    for (const bool fast : {false, true})
        for (const std::uint32_t latency : {1U, 4U}) {
            fabric_setting s = crossbar_setting(fast);
            s.network += " node_link_latency=" + std::to_string(latency);
            s.nic.ejection_depth = 1;
            const std::uint32_t loop =
                s.router.sa_delay + s.router.st_delay + 2 * latency + s.router.credit_delay;
            EXPECT_EQ(stalls_after(s, {message_of(0, 2, 5)}), (counted_stalls{{"consumer", 4 * (loop - 1)}}))
                << latency;
        }
}

/// Two packets in one FIFO: the second one comes a packet's flits later and leaves so much later, but for
/// what the first one's head takes.
TEST(Stalls, CountWaitsBehindAnotherPacket) {
    for (const std::uint32_t flits : {1U, 4U}) {
        fabric_setting s = crossbar_setting(true);
        const std::uint64_t waits = s.router.rc_delay + s.router.va_delay;
        EXPECT_EQ(stalls_after(s, {message_of(0, 2, flits), message_of(0, 3, flits)}),
                  (counted_stalls{{"behind", waits}}));
    }
}

/// A node from which no credit comes in the window: three flits leave for its buffer of three places, and the
/// fourth waits to the end of the window, though nothing is run any more.
TEST(Stalls, CountWaitsForABlockedSink) {
    fabric_setting s = crossbar_setting(false);
    s.network += " node_link_latency=500";
    s.nic.ejection_depth = 3;
    watched_network n(s);
    scripted_traffic traffic({message_of(0, 2, 9)});
    n.run(traffic, 1000);
    const counted_stalls seen = of_run(n.stop(1000));
    ASSERT_EQ(seen.size(), 1U);
    const std::uint64_t waited = seen.at("consumer");
    // The head is in the router 500 cycles after it was sent in cycle 10, and takes its pipeline.
    const cycle_t left = 10 + 500 + s.nic.delay + s.router.rc_delay + s.router.va_delay;
    EXPECT_NEAR(static_cast<double>(waited), static_cast<double>(1000 - (left + 3)), 2);
    watched_network later(s);
    scripted_traffic again({message_of(0, 2, 9)});
    later.run(again, 1000);
    EXPECT_EQ(of_run(later.stop(1300)).at("consumer"), waited + 300);
}

/// A link that takes C cycles a flit: of F flits all but the first wait for C - 1.
TEST(Stalls, CountWaitsForANarrowLink) {
    for (const bool fast : {false, true}) {
        fabric_setting s = crossbar_setting(fast);
        s.network = "mesh dims=2,1 link_cycles_per_flit=4";
        s.routing = "dor";
        const counted_stalls seen = stalls_after(s, {message_of(0, 1, 6)});
        EXPECT_EQ(seen, (counted_stalls{{"link", 5 * 3}}));
    }
}

/// Each sample counts for all cycles of its interval.
TEST(Stalls, AreEstimatedWellBySamples) {
    fabric_setting s = told_setting("mesh dims=5,4", "odd_even");
    std::vector<double> all;
    for (const char* how : {"stalls", "stalls interval=7", "stalls interval=50"}) {
        watched_network n(s, how);
        const auto traffic = traffic_of(s.traffic, n.f.net.view().nodes(), s.length);
        n.run(*traffic, 6000);
        const counted_stalls seen = of_run(n.stop());
        double sum = 0;
        for (const auto& [why, cycles] : seen) sum += static_cast<double>(cycles);
        all.push_back(sum);
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
