// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <algorithm>

/// Nodes of APEnet: latency, link efficiency and what credits that are told now and then cost, in closed form
/// (docs/apenet.md).
namespace sare::test::router_apenet_test {
namespace {

constexpr const char* modes[] = {"cut_through", "store_and_forward", "wormhole"};

/// A node of APEnet, and a line of them.
struct line_of_nodes {
    std::string switching = "cut_through";
    std::uint32_t routers = 2, flight = 1, node_latency = 1, cycles_per_flit = 1;
    std::uint32_t vcs = 1, depth = 512, output_depth = 64, delay = 1, frame = 2, sync = 0, interval = 1;
    nic_params nic;

    fabric_setting setting() const {
        const auto number = [](const char* name, std::uint32_t n) {
            return std::string(" ") + name + "=" + std::to_string(n);
        };
        fabric_setting s;
        s.network = "mesh dims=" + std::to_string(routers) + ",1" + number("link_latency", flight) +
                    number("node_link_latency", node_latency) +
                    number("link_cycles_per_flit", cycles_per_flit);
        s.kind = "apenet switching=" + switching + number("vcs", vcs) + number("depth", depth) +
                 number("output_depth", output_depth) + number("delay", delay) + number("frame", frame) +
                 number("sync", sync) + number("credit_interval", interval);
        s.nic = nic;
        return s;
    }
    /// Cycles of a word from the start of a link into the FIFO beyond, and of an update of credits back.
    std::uint64_t across() const { return flight + cycles_per_flit - 1 + 2 * sync + delay; }
    std::uint64_t back() const { return flight + 2 * sync; }
};

std::uint32_t one_of(rng& random, std::initializer_list<std::uint32_t> all) {
    return all.begin()[random.below(static_cast<std::uint32_t>(all.size()))];
}

/// When the tail of each packet was consumed.
struct arrivals final : observer {
    std::vector<cycle_t> tails;
    std::uint32_t hops = 0;
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t, const packet& p, cycle_t now) override {
        tails.push_back(now);
        hops = p.hops;
    }
    void message_consumed(const message_record&, cycle_t) override {}
};

sare::message one_message(std::uint32_t from, std::uint32_t to, std::uint32_t flits, cycle_t at = 0) {
    sare::message m;
    m.source = from;
    m.destination = to;
    m.flits = flits;
    m.generated = at;
    return m;
}

// ---- latency

/// Cycles from generation to consumption of a packet of F words that is alone.
std::uint64_t zero_load(const line_of_nodes& n, std::uint64_t flits) {
    const std::uint64_t links = n.routers - 1, c = n.cycles_per_flit, behind = flits - 1;
    const std::uint64_t header =
        n.nic.delay + n.node_latency + n.delay + links * (n.frame * c + n.across()) + n.node_latency;
    if (n.switching != "store_and_forward") return header + behind * (links == 0 ? 1 : c);
    return header + behind + links * behind * c + behind;  // at every router it waits for the tail
}

TEST(ApenetLatency, IsTheClosedFormWithoutLoad) {
    rng random(11, stream::test, 1);
    for (int k = 0; k < 600; ++k) {
        line_of_nodes n;
        n.switching = modes[k % 3];
        n.routers = 1 + random.below(5);
        n.flight = one_of(random, {1, 2, 5, 35});
        n.sync = one_of(random, {0, 1, 20});
        n.node_latency = one_of(random, {1, 2, 9});
        n.cycles_per_flit = one_of(random, {1, 1, 1, 2, 3});
        n.vcs = one_of(random, {1, 2, 4});
        n.delay = one_of(random, {0, 1, 3});
        n.frame = one_of(random, {0, 1, 2, 7});
        n.interval = one_of(random, {1, 2, 35, 100});
        n.output_depth = one_of(random, {1, 2, 64});
        n.nic.delay = one_of(random, {0, 1, 5});
        n.nic.max_packet_flits = n.depth = 258;
        const std::uint32_t flits = one_of(random, {1, 2, 3, 4, 18, 258});
        test_fabric f(n.setting());
        arrivals seen;
        f.net.stepper().set_observer(&seen);
        const cycle_t start = random.below(40);
        scripted_traffic traffic({one_message(0, n.routers - 1, flits, start)});
        f.net.stepper().set_workload(&traffic);
        f.run(0, workload::never);
        ASSERT_EQ(seen.tails.size(), 1U);
        ASSERT_EQ(seen.tails[0] - start, zero_load(n, flits))
            << n.setting().kind << " | " << n.setting().network << " | " << flits << " flits";
        ASSERT_EQ(seen.hops, n.routers);
        ASSERT_EQ(f.net.view().leftovers(), "");
    }
}

// ---- link efficiency

/// Packets of F words, back to back, from one node to the next: words on the link in a cycle, from cycle
/// `from` on.
double words_a_cycle(const line_of_nodes& n, std::uint32_t flits, cycle_t from, cycle_t cycles) {
    fabric_setting s = n.setting();
    s.nic.max_packet_flits = flits;
    test_fabric f(s);
    scripted_traffic traffic({one_message(
        0, 1, static_cast<std::uint32_t>((from + cycles) / flits + 20) * flits)});  // cut into packets
    f.net.stepper().set_workload(&traffic);
    cycle_t t = f.run(0, from);
    const std::uint32_t before = f.net.view().flits_sent(0);
    f.run(t, from + cycles);
    return static_cast<double>(f.net.view().flits_sent(0) - before) / static_cast<double>(cycles);
}

/// Header, P words and footer, with magic and start: P of P + 4 cycles.
TEST(ApenetLink, CarriesAsMuchPayloadAsItsFrameLeaves) {
    for (const char* mode : modes)
        for (const std::uint32_t p : {1U, 2U, 3U, 8U, 16U, 31U, 64U, 100U, 128U, 255U, 256U}) {
            line_of_nodes n;
            n.switching = mode;
            n.flight = 35;
            n.sync = 20;
            n.interval = 35;
            n.depth = 4096;
            const cycle_t cycles = 60 * (p + 4);
            const double payload = words_a_cycle(n, p + 2, 3000, cycles) * p / (p + 2), most = p / (p + 4.0);
            EXPECT_LE(payload, most * 1.000001) << mode << ", " << p;
            EXPECT_GE(payload, 0.98 * most) << mode << ", " << p;
            EXPECT_NEAR(payload, most, 1e-9) << mode << ", " << p;
        }
}

/// Nor does a narrow link carry more.
TEST(ApenetLink, SendsTheFrameAtItsOwnPace) {
    line_of_nodes n;
    n.depth = 4096;
    for (const std::uint32_t c : {2U, 3U, 7U}) {
        n.cycles_per_flit = c;
        EXPECT_NEAR(words_a_cycle(n, 18, 5000, 100 * 20 * c), 18 / (20.0 * c), 1e-9);
    }
}

// ---- what credits cost

/// One VC, wormhole, no frame: words of D credits, each told again T cycles after it went (RTT), and in the
/// next update after that. With D <= T / C there is an update for each word, and none waits: D words in T
/// cycles. Else, with T = q C + r, 1 <= r <= C: of the words that an update lets go, the first C - r + 1 are
/// told of q + 1 updates later, and the others in the one after. So n words an update need
/// D = (q + 1) n + max(0, n - (C - r + 1)) places.
double words_by_credits(std::uint32_t d, std::uint32_t c, std::uint64_t round_trip) {
    if (std::uint64_t{d} * c <= round_trip) return d / static_cast<double>(round_trip);
    const std::uint64_t q = (round_trip - 1) / c, r = (round_trip - 1) % c + 1;
    return std::min({1.0, d / static_cast<double>((q + 1) * c),
                     static_cast<double>(d + c - r + 1) / static_cast<double>((q + 2) * c)});
}

TEST(ApenetCredits, CostWhatTheClosedFormSaysWordByWord) {
    rng random(12, stream::test, 2);
    std::uint32_t held_up = 0, in_between = 0;
    for (int k = 0; k < 150; ++k) {
        line_of_nodes n;
        n.switching = "wormhole";
        n.frame = 0;
        n.interval = one_of(random, {1, 2, 3, 5, 10, 20, 35, 60});
        n.flight = one_of(random, {1, 2, 3, 7, 35});
        n.sync = one_of(random, {0, 0, 1, 4, 20});
        n.delay = one_of(random, {0, 1, 2});
        const std::uint64_t round_trip = n.across() + n.back();
        n.depth = 8 + random.below(static_cast<std::uint32_t>(round_trip) + n.interval + 4);
        const std::uint64_t updates = (round_trip - 1) / n.interval + 1;
        const bool alone = std::uint64_t{n.depth} * n.interval <= round_trip;
        const cycle_t period = alone ? round_trip : updates * (updates + 1) * n.interval;
        const cycle_t window = period * (1 + 20000 / period);
        const double expected = words_by_credits(n.depth, n.interval, round_trip);
        EXPECT_NEAR(words_a_cycle(n, 258, 40000 / period * period + 20000, window), expected,
                    0.5 / static_cast<double>(window))
            << n.setting().kind << " flight " << n.flight << ", round trip " << round_trip;
        held_up += expected < 1;
        in_between += expected < 1 && expected * static_cast<double>(updates * n.interval) < n.depth;
    }
    EXPECT_GT(held_up, 60U);
    EXPECT_GT(in_between, 10U);
}

/// Cut-through, room for one packet of F words: the next one goes when the last place is told to be free.
std::uint64_t cycles_a_packet(const line_of_nodes& n, std::uint64_t flits) {
    const std::uint64_t c = n.interval, first = n.frame + n.across();  // place free, counted from the grant
    const std::uint64_t told = std::max(first, c > n.back() ? c - n.back() : 0);
    const std::uint64_t last = first + flits - 1;
    return told + (last > told ? (last - told + c - 1) / c * c : 0) + n.back();
}

TEST(ApenetCredits, CostWhatTheClosedFormSaysPacketByPacket) {
    rng random(13, stream::test, 3);
    for (int k = 0; k < 150; ++k) {
        line_of_nodes n;
        n.interval = one_of(random, {1, 2, 5, 20, 35, 80, 200});
        n.flight = one_of(random, {3, 5, 9, 35});
        n.sync = one_of(random, {0, 1, 20});
        n.output_depth = 512;
        const std::uint32_t flits = 3 + random.below(256);
        n.depth = flits;
        const std::uint64_t period = cycles_a_packet(n, flits);
        EXPECT_NEAR(words_a_cycle(n, flits, 20 * period, 20 * period),
                    static_cast<double>(flits) / static_cast<double>(period), 1e-9)
            << n.setting().kind << " flight " << n.flight << ", " << flits << " flits";
    }
}

/// The same for any depth, as a recurrence over packets: when the tail of each comes to its node.
std::vector<cycle_t> tails_by_recurrence(const line_of_nodes& n, std::uint64_t flits, std::uint64_t packets) {
    std::vector<cycle_t> freed, told, tails;  // told: by word, when the sender knows
    cycle_t sent = 0, entered = 0, next_update = 0;
    for (std::uint64_t k = 0; k < packets; ++k) {
        cycle_t granted = k == 0 ? 0 : entered + 1;
        if ((k + 1) * flits > n.depth) {
            const std::uint64_t needed = (k + 1) * flits - n.depth;  // words that must be known to be gone
            while (told.size() < needed) {                           // updates up to then
                const cycle_t update = std::max(next_update, freed[told.size()]);
                while (told.size() < freed.size() && freed[told.size()] <= update)
                    told.push_back(update + n.back());
                next_update = update + n.interval;
            }
            granted = std::max(granted, told[needed - 1]);
        }
        entered = granted + flits - 1;
        cycle_t word = k == 0 ? granted : std::max(granted, sent + 1);
        word += n.frame;
        for (std::uint64_t f = 0; f < flits; ++f) freed.push_back(word + f + n.across());
        sent = word + flits - 1;
        tails.push_back(freed.back() + n.node_latency);
    }
    return tails;
}

TEST(ApenetCredits, CostWhatARecurrenceSaysAtAnyDepth) {
    rng random(14, stream::test, 4);
    for (int k = 0; k < 150; ++k) {
        line_of_nodes n;
        n.interval = one_of(random, {1, 3, 10, 35, 90});
        n.flight = one_of(random, {4, 7, 35});
        n.sync = one_of(random, {0, 1, 20});
        n.frame = one_of(random, {0, 2, 3});
        n.output_depth = 4096;
        const std::uint32_t flits = 3 + random.below(60), packets = 60;
        n.depth = flits * (2 + random.below(6)) + random.below(flits);
        fabric_setting s = n.setting();
        s.nic.max_packet_flits = flits;
        test_fabric f(s);
        arrivals seen;
        f.net.stepper().set_observer(&seen);
        scripted_traffic traffic({one_message(0, 1, flits * packets)});
        f.net.stepper().set_workload(&traffic);
        f.run(0, workload::never);
        const auto expected = tails_by_recurrence(n, flits, packets);
        ASSERT_EQ(seen.tails.size(), packets);
        const cycle_t begin = seen.tails[0] - expected[0];
        for (std::uint32_t p = 0; p < packets; ++p)
            ASSERT_EQ(seen.tails[p] - begin, expected[p])
                << s.kind << " flight " << n.flight << ", " << flits << " flits, packet " << p;
    }
}

}  // namespace
}  // namespace sare::test::router_apenet_test
