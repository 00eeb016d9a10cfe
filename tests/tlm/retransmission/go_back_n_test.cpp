// SPDX-License-Identifier: Apache-2.0
#include "tlm/retransmission/go_back_n.h"

#include "tests/support/noted_traffic.h"
#include "tests/support/seed.h"
#include "tests/support/test_fabric.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

/// NICs that send again what is not acknowledged in time.
namespace sare::test::go_back_n_test {
namespace {

/// Node 0 has always something to send to node 1: messages of one packet.
class endless final : public workload {
  public:
    explicit endless(std::uint32_t flits) : m_flits(flits) {}
    cycle_t first_latency = 0;  ///< of the first message, from its injection
    std::uint64_t came = 0, sent = 0;
    bool in_order = true;

    void start(traffic_port& port) override {
        m_port = &port;
        queue_space(0, 0);
    }
    cycle_t next_tick() const override { return never; }
    void tick(cycle_t) override {}
    void queue_space(std::uint32_t, std::uint32_t) override {
        while (m_port->queued(0) < 8) m_port->send({0, 1, m_flits, 0, m_port->now(), sent++});
        m_port->call_when_queued(0, 0, 4);
    }
    void delivered(const delivery& d) override {
        in_order = in_order && d.what.tag == came;
        if (came++ == 0) first_latency = d.consumed - d.injected;
    }
    generated_counts generated(cycle_t) override { return {sent, sent * m_flits}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    const std::uint32_t m_flits;
    traffic_port* m_port = nullptr;
};

struct nobody final : observer {
    std::uint64_t packets = 0, messages = 0;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet&, cycle_t) override { ++packets; }
    void message_consumed(const message_record&, cycle_t) override { ++messages; }
};

constexpr std::uint32_t flits = 8;

fabric_setting one_link(double rate) {
    fabric_setting s;
    s.network = "mesh dims=2 link_bit_error_rate=" + config::number_text(rate);
    s.router.vcs = 2;  // while a packet goes the next one asks for its way
    s.router.depth = 16;
    s.nic.max_packet_flits = flits;
    s.nic.flit_bytes = 8;
    s.nic.retransmission = retransmission::go_back_n;
    s.nic.acknowledge = acknowledgement::ideal;
    s.nic.attempts = 0;
    return s;
}

struct outcome {
    std::uint64_t came = 0;
    cycle_t round_trip = 0;
    go_back_n::counters counted;
};

outcome run(const fabric_setting& s, cycle_t cycles) {
    test_fabric machine(s);
    endless traffic(flits);
    nobody statistics;
    go_back_n reliable(traffic, s.nic, class_vcs(s.router.vcs, 1U));
    reliable.tell(statistics);
    machine.net.stepper().set_observer(&reliable);
    machine.net.stepper().set_workload(&reliable);
    machine.run(0, cycles);
    EXPECT_TRUE(traffic.in_order);
    EXPECT_EQ(statistics.packets, traffic.came);
    EXPECT_EQ(statistics.messages, traffic.came);
    return {traffic.came, traffic.first_latency + s.nic.acknowledge_delay, reliable.counted()};
}

/// A window that covers the round trip, and a time-out no shorter than the window: a packet that arrives
/// costs its F cycles, one that does not the time-out T, so goodput is F (1 - p) / (F (1 - p) + T p) of the
/// link's; with T = W F the (1 - p) / (1 + (W - 1) p) of the books.
TEST(GoBackN, HasTheGoodputOfTheClosedForm) {
    const std::uint64_t seed = test_seed(11);
    for (const std::uint32_t window : {6, 16, 64})
        for (const std::uint32_t more : {0, 100})
            for (const double rate : {0.0, 1e-6, 1e-5, 1e-4, 4e-4, 1e-3}) {
                fabric_setting s = one_link(rate);
                s.seed = seed;
                s.nic.window = window;
                s.nic.time_out = window * flits + more;
                constexpr cycle_t cycles = 200'000;
                const outcome o = run(s, cycles);
                ASSERT_LE(o.round_trip, window * flits);
                const double p = -std::expm1(64.0 * flits * std::log1p(-rate));
                const auto time_out = static_cast<double>(s.nic.time_out);
                const double expected = (1 - p) * cycles / ((1 - p) * flits + p * time_out);
                // Failures before the n-th success: their standard deviation costs that many time-outs.
                const double failures = std::sqrt(expected * p) / (1 - p);
                const double slack = 4 * failures * time_out / cycles * expected + 2 + window;
                EXPECT_NEAR(static_cast<double>(o.came), expected, slack)
                    << "rate " << rate << " window " << window << " time-out " << s.nic.time_out;
                if (more == 0 && p > 0) {
                    const double book = (1 - p) / (1 + (window - 1) * p);
                    EXPECT_NEAR(expected * flits / cycles, book, 1e-9);
                }
                EXPECT_EQ(o.counted.duplicates, 0U);
            }
}

/// A window that does not: W packets a round trip.
TEST(GoBackN, SendsOneWindowPerRoundTrip) {
    for (const std::uint32_t window : {1, 2, 3}) {
        fabric_setting s = one_link(0);
        s.nic.window = window;
        s.nic.acknowledge_delay = 100;
        const outcome o = run(s, 100'000);
        ASSERT_GT(o.round_trip, window * flits);
        EXPECT_NEAR(static_cast<double>(o.came), 100'000.0 * window / static_cast<double>(o.round_trip),
                    window + 1.0);
        EXPECT_EQ(o.counted.sent_again, 0U);
    }
}

/// Acknowledgements that are lost, time-outs that are too short: what comes twice is not delivered twice.
TEST(GoBackN, DeliversEachPacketOnce) {
    fabric_setting s = one_link(1e-4);
    s.nic.acknowledge = acknowledgement::packets;
    s.nic.time_out = 20;  // less than the round trip
    s.nic.window = 4;
    const outcome o = run(s, 100'000);
    EXPECT_GT(o.counted.duplicates, 100U);
    EXPECT_GT(o.came, 100U);
    EXPECT_EQ(o.counted.useful_flits, o.came * flits);
}

/// On any network, with bit errors and failures: each message is delivered once and in order, or told as
/// lost, and all comes to an end.
TEST(GoBackN, DeliversOrReportsEachMessage) {
    rng random(test_seed(12), stream::test, 0);
    std::uint64_t lost = 0, again = 0;
    for (int n = 0; n < 60; ++n) {
        fabric_setting s;
        const bool adaptive = random.below(2) == 0;
        s.network = "mesh dims=4,4 link_bit_error_rate=" + std::string(n % 3 == 0 ? "0" : "3e-5");
        s.routing = adaptive ? "duato" : "up_down";
        s.router.reallocation = adaptive ? reallocation_rule::atomic : s.router.reallocation;
        s.classes = 1 + random.below(2);
        s.router.vcs = 2 * s.classes;
        s.nic.max_packet_flits = 1 + random.below(8);
        s.nic.retransmission = retransmission::go_back_n;
        s.nic.window = 1 + random.below(20);
        s.nic.time_out = 200 + random.below(400);
        s.nic.attempts = 4 + random.below(10);
        s.nic.acknowledge = random.below(2) == 0 ? acknowledgement::packets : acknowledgement::ideal;
        if (n % 4 == 1) {
            s.nic.attempts = 0;  // all has to arrive
        } else {
            const std::string at = std::to_string(random.below(300));
            s.failures =
                *config::parse_document("events: [{links: 0.2, at: " + at + ", seed: " + std::to_string(n) +
                                            "}, {router: " + std::to_string(random.below(16)) + ", at: 200}]",
                                        "test")
                     .find("events");
            s.reroute = random.below(300);
        }
        SCOPED_TRACE("run " + std::to_string(n) + ": " + s.network + " " + s.routing + " window " +
                     std::to_string(s.nic.window) + " time-out " + std::to_string(s.nic.time_out));
        test_fabric machine(s);
        noted_traffic traffic(random.next(), 500, 1);
        nobody statistics;
        go_back_n reliable(traffic, s.nic, class_vcs(s.router.vcs, s.classes));
        reliable.tell(statistics);
        machine.net.stepper().set_observer(&reliable);
        machine.net.stepper().set_workload(&reliable);
        ASSERT_EQ(machine.run(0, 2'000'000), workload::never)
            << "it hangs: " << machine.net.view().leftovers();
        ASSERT_EQ(machine.net.view().leftovers(), "");
        EXPECT_TRUE(reliable.finished());
        std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint64_t> last;
        for (const auto& [cycle, tag] : traffic.told) {
            if (tag % 2 != 0) continue;
            const sare::message& m = traffic.notes[tag / 2].what;
            std::uint64_t& before = last[{m.source, m.destination, m.message_class}];
            EXPECT_LT(before, tag / 2 + 1);
            before = tag / 2 + 1;
        }
        std::uint64_t told = 0, useful = 0;
        std::vector<std::uint64_t> made(machine.map().nodes()), came(made);
        for (const auto& note : traffic.notes) {
            ASSERT_EQ(note.delivered + note.dropped, 1U) << "message " << note.what.tag;
            ASSERT_EQ(note.lost, note.dropped) << "message " << note.what.tag;
            told += note.dropped;
            made[note.what.source] += note.what.flits;
            came[note.what.destination] += note.delivered * note.what.flits;
        }
        for (std::uint32_t k = 0; k < made.size(); ++k) {
            EXPECT_EQ(reliable.made(k).flits, made[k]) << "node " << k;
            EXPECT_GE(reliable.useful(k).flits, came[k]) << "node " << k;
            useful += reliable.useful(k).flits;
        }
        EXPECT_EQ(useful, reliable.counted().useful_flits);
        EXPECT_EQ(told, reliable.counted().lost_messages);
        EXPECT_EQ(statistics.messages, traffic.notes.size() - told);
        if (n % 4 == 1) {
            EXPECT_EQ(told, 0U);
        }
        lost += told;
        again += reliable.counted().sent_again;
    }
    EXPECT_GT(lost, 100U);
    EXPECT_GT(again, 1000U);
}

}  // namespace
}  // namespace sare::test::go_back_n_test
