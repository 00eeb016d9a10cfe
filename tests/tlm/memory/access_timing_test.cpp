// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/memory/memory_support.h"

#include <gtest/gtest.h>

#include <sstream>

/// Where the time of accesses went.
namespace sare::test::access_timing_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(double x) {
    return {x, SC_NS};
}

/// A 3x3 mesh; the initiator is at node 0, its memory, which takes 50 ns, at node 8.
struct timed_system {
    timed_system()
        : net("net", 3, 3, router_params{}, 2),
          map(net.engine, {{0, 0x1000, 8}}),
          near("near", net.nics[0], map),
          far("far", net.nics[8], map),
          cpu("cpu"),
          ram("ram", 0x1000, always(50)) {
        cpu.socket.bind(near.initiators);
        far.memory.bind(ram.socket);
    }
    access_times read(unsigned bytes, std::uint64_t address = 0x100, const sc_time& ahead = {}) {
        transaction& t = cpu.pool.take(false, address, bytes);
        t.set_auto_extension(new access_timing);
        sc_time delay = ahead;
        const sc_time made = sc_core::sc_time_stamp() + delay;
        cpu.socket->b_transport(t, delay);
        EXPECT_TRUE(times_fit(t, made, sc_core::sc_time_stamp() + delay));
        const access_times told = *t.get_extension<access_timing>();
        t.release();
        return told;
    }
    void run(const std::function<void()>& body) {
        cpu.body = [&](phase_initiator<>&) { body(); };
        sc_core::sc_start();
    }

    hand_mesh net;
    memory_map map;
    memory_bridge near, far;
    phase_initiator<> cpu;
    blocking_memory_model<> ram;
};

/// 5 routers of 4 cycles and 6 links of one each way, and the cycle from the bridge to the NIC.
TEST(AccessTiming, SplitsAnAccessAsTheClosedFormDoes) {
    timed_system s;
    const auto flits = [&](std::uint64_t bytes) { return s.net.engine.net().port().flits_for(bytes); };
    s.run([&] {
        for (const sc_time& ahead : {ns(0), ns(7)}) {
            const access_times t = s.read(64, 0x100, ahead);
            EXPECT_EQ(t.request_hops, 5U);
            EXPECT_EQ(t.response_hops, 5U);
            EXPECT_EQ(t.request_stalls + t.response_stalls, 0U);
            EXPECT_EQ(t.memory(), ns(50));
            EXPECT_EQ(t.request(), ns(static_cast<double>(zero_load({}, 5, flits(8)))));
            EXPECT_EQ(t.response(), ns(static_cast<double>(zero_load({}, 5, flits(72)))));
            EXPECT_EQ(t.queueing(), ns(2));
        }
    });
    EXPECT_EQ(s.map.accesses().results().size(), 2U);
}

/// A message that was injected before the period changed was injected when it was.
TEST(AccessTiming, KeepsTimesAcrossChangesOfThePeriod) {
    timed_system s;
    s.run([&] {
        sc_core::sc_spawn([&] {
            for (const double period : {3.0, 0.5, 2.0}) {
                sc_core::wait(ns(9));
                s.net.engine.set_period(ns(period));
            }
        });
        const access_times t = s.read(512);
        EXPECT_EQ(t.request_injected, ns(1));
        EXPECT_EQ(t.memory(), ns(50));
    });
}

/// What other traffic takes is stalls, and what an access waits for the memory is queueing.
TEST(AccessTiming, ShowsStallsAndQueueing) {
    timed_system s;
    s.run([&] {
        for (int k = 0; k < 3; ++k) sc_core::sc_spawn([&s, k] { s.read(64, 64 * static_cast<unsigned>(k)); });
        for (std::uint32_t n = 1; n < 8; ++n) {
            message m;
            m.source = n;
            m.destination = 8;
            m.flits = 40;
            s.net.engine.send(m);
        }
        sc_core::wait(ns(1));
        const access_times t = s.read(64, 0x300);
        EXPECT_GT(t.request_stalls, 30U);
        EXPECT_EQ(t.response_stalls, 0U);
        EXPECT_GT(t.queueing(), ns(50));
        EXPECT_EQ(t.memory(), ns(50));
    });
}

TEST(AccessTiming, CoversModesWithoutMessages) {
    timed_system s;
    s.run([&] {
        s.map.accesses().count_all();
        s.near.set_mode(access_mode::estimate);
        const access_times t = s.read(64, 0x100, ns(5));
        EXPECT_EQ(t.memory(), ns(50));
        EXPECT_GT(t.request(), ns(20));
        EXPECT_GT(t.response(), t.request());
        EXPECT_EQ(t.queueing(), ns(0));
        s.near.set_mode(access_mode::functional);
        EXPECT_EQ(s.read(64).total(), ns(50));
        EXPECT_EQ(s.read(64, 0x9000).total(), ns(0));
    });
    EXPECT_EQ(s.map.accesses().results()[0].errors, 1U);
    EXPECT_EQ(s.map.accesses().results()[0].accesses, 3U);
    EXPECT_EQ(s.map.accesses().results()[1].accesses, 2U);
}

/// Of what has been counted: a table, the same for people, and the course of time.
TEST(AccessTiming, WritesResultsOfAPlatform) {
    std::ostringstream at_end;
    {
        timed_system s;
        s.map.accesses().print_at_end(at_end);
        s.map.accesses().keep_intervals(ns(100));
        sc_time time, longest;
        s.run([&] {
            for (int k = 0; k < 10; ++k) {
                const sc_time took = s.read(k == 9 ? 256 : 16).total();
                time += took;
                longest = std::max(longest, took);
            }
        });
        const auto all = s.map.accesses().results();
        std::ostringstream rows;
        s.map.accesses().write_csv(rows);
        ASSERT_EQ(all.size(), 2U) << rows.str();
        const access_summary &cpu = all[0], &ram = all[1];
        EXPECT_EQ(cpu.bridge, "near");
        EXPECT_EQ(cpu.node, 0U);
        EXPECT_TRUE(ram.memory && !cpu.memory);
        EXPECT_EQ(ram.node, 8U);
        EXPECT_EQ(cpu.accesses, 10U);
        EXPECT_EQ(ram.reads, 10U);
        EXPECT_EQ(cpu.bytes, 9 * 16 + 256U);
        const double seconds = sc_core::sc_time_stamp().to_seconds();
        EXPECT_NEAR(cpu.bandwidth, 400 / seconds, 1);
        EXPECT_NEAR(cpu.outstanding, time.to_seconds() / seconds, 1e-9);
        EXPECT_NEAR(cpu.mean_ns, time / ns(10), 1e-6);
        EXPECT_DOUBLE_EQ(cpu.max_ns, longest / ns(1));
        EXPECT_NEAR(cpu.p99_ns, longest / ns(1), 0.0005 * cpu.p99_ns);
        EXPECT_NEAR(cpu.queueing_ns + cpu.request_ns + cpu.memory_ns + cpu.response_ns, cpu.mean_ns, 1e-6);
        EXPECT_DOUBLE_EQ(cpu.memory_ns, 50);
        EXPECT_DOUBLE_EQ(ram.mean_ns, 50);

        std::ostringstream csv, timeline;
        s.map.accesses().write_csv(csv);
        EXPECT_EQ(csv.str().substr(0, 35), "bridge,side,number,node,accesses,re");
        EXPECT_NE(csv.str().find("\nfar,memory,0,8,10,10,0,0,400,"), std::string::npos) << csv.str();
        s.map.accesses().write_timeline(timeline);
        std::istringstream lines(timeline.str());
        std::string line;
        std::getline(lines, line);
        double accesses = 0, open = 0;
        while (std::getline(lines, line)) {
            if (line.find(",initiator,") == std::string::npos) continue;
            double from = 0, count = 0, bytes = 0, outstanding = 0;
            ASSERT_EQ(std::sscanf(line.c_str(), "%lf,near,initiator,0,%lf,%lf,%lf", &from, &count, &bytes,
                                  &outstanding),
                      4);
            accesses += count;
            open += outstanding * 100;
        }
        EXPECT_EQ(accesses, 10);
        EXPECT_NEAR(open, time / ns(1), 1e-6);
        EXPECT_EQ(at_end.str(), "");
    }
    EXPECT_NE(at_end.str().find("near    initiator 0         10"), std::string::npos) << at_end.str();
}

}  // namespace
}  // namespace sare::test::access_timing_test
