// SPDX-License-Identifier: Apache-2.0
#include "tests/support/leaky_switch.h"
#include "tests/support/test_fabric.h"

#include <gtest/gtest.h>

#include <set>

/// Packets that routers copy and drop.
namespace sare::test::copies_test {
namespace {

/// Random messages in the first cycles, and what the network tells of them.
class told_traffic final : public workload {
  public:
    static constexpr cycle_t cycles = 300;
    explicit told_traffic(std::uint64_t seed) : m_random(seed, stream::test, 1) {}

    std::uint64_t flits = 0, drops = 0;
    std::vector<std::uint32_t> delivered_times, dropped_times;  ///< by message: its tag
    std::vector<std::pair<cycle_t, std::uint64_t>> told;        ///< (cycle, tag) of drops

    void start(traffic_port& port) override { m_port = &port; }
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override {
        m_next = now + 1 < cycles ? now + 1 : never;
        for (int k = 0; k < 2; ++k) {
            sare::message m;
            m.source = m_random.below(m_port->nodes());
            m.destination = m_random.below(m_port->nodes());
            m.flits = 1 + m_random.below(20);
            m.message_class = m_random.below(m_port->classes());
            m.generated = now;
            m.tag = delivered_times.size();
            delivered_times.push_back(0);
            dropped_times.push_back(0);
            flits += m.flits;
            m_port->send(m);
        }
    }
    void delivered(const delivery& d) override { ++delivered_times[d.what.tag]; }
    void dropped(const sare::message& m, const std::string& cause) override {
        ++dropped_times[m.tag];
        drops += cause == "leaked";
        told.emplace_back(m_port->now(), m.tag);
    }
    bool finished() const override { return m_next == never; }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t) override { return {delivered_times.size(), flits}; }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }

  private:
    traffic_port* m_port = nullptr;
    rng m_random;
    cycle_t m_next = 0;
};

/// Counts what is consumed, and holds the routers that packets say they visited against the map.
struct visits final : observer {
    explicit visits(const topology& net) : map(net) {}
    std::uint32_t distance(std::uint32_t from, std::uint32_t to) const {  // of a mesh of 4 columns
        const std::uint32_t a = map.router_of(node_id(from)).value, b = map.router_of(node_id(to)).value;
        const auto apart = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
        return apart(a % 4, b % 4) + apart(a / 4, b / 4);
    }
    void packet_injected(std::uint32_t, const packet&, cycle_t) override {}
    void packet_consumed(std::uint32_t node, const packet& p, cycle_t) override {
        ++packets;
        elsewhere += p.route.destination != node;
        wrong += p.hops != distance(p.route.source, node) + 1;
    }
    void message_consumed(const message_record&, cycle_t) override { ++messages; }

    const topology& map;
    std::uint64_t packets = 0, messages = 0, elsewhere = 0, wrong = 0;
};

fabric_setting small_mesh() {
    fabric_setting s;
    s.network = "mesh dims=4,4 link_latency=2";
    s.router.vcs = 2;
    s.router.depth = 6;
    s.nic.max_packet_flits = 6;
    return s;
}

std::shared_ptr<const router_model> leaks(std::uint32_t drop_every, std::uint32_t copy_every) {
    leaky_parameters p;
    p.depth = 6;
    p.drop_every = drop_every;
    p.copy_every = copy_every;
    return std::make_shared<leaky_model>(p);
}

/// What must hold after every cycle of a network of leaky routers: injected + copied = consumed + dropped +
/// inside, and what is inside is found there.
std::string audit(const fabric& net) {
    std::uint64_t queued = 0, received = 0, sent = 0;
    std::set<const router_bank*> seen;
    for (std::uint32_t r = 0; r < net.view().routers(); ++r) {
        const auto& bank = dynamic_cast<const leaky_bank&>(net.view().bank_of(r));
        if (!seen.insert(&bank).second) continue;
        queued += bank.queued();
        received += bank.received;
        sent += bank.sent;
    }
    const packet_changes& c = net.view().changes();
    const std::uint64_t on_links =
        net.view().flits_injected() + sent - received - net.view().flits_consumed();
    if (on_links > 100'000) return "more flits came than were sent";
    if (net.view().flits_inside() != queued + on_links) return "flits are miscounted";
    if (received + c.copied.flits != sent + c.dropped.flits + queued) return "routers lost or made flits";
    if (net.view().packets_inside() != net.view().packets().in_use()) return "packets are miscounted";
    packet_count sum;
    for (const auto& [cause, count] : c.dropped_by_cause) {
        sum.packets += count.packets;
        sum.flits += count.flits;
    }
    if (sum.packets != c.dropped.packets || sum.flits != c.dropped.flits) return "causes do not add up";
    return "";
}

/// Runs it empty; what the workload was told must be what happened.
void run_to_the_end(test_fabric& f, told_traffic& traffic, bool audited) {
    f.net.stepper().set_workload(&traffic);
    for (cycle_t t = 0; t < 100'000; t = f.net.stepper().next_work(t)) {
        f.net.stepper().step(t);
        ASSERT_EQ(audited ? audit(f.net) : "", "") << "cycle " << t;
    }
    EXPECT_TRUE(f.net.view().empty());
    EXPECT_EQ(f.net.view().leftovers(), "");
    EXPECT_EQ(f.net.view().flits_inside(), 0u);
    EXPECT_EQ(f.net.view().packets_inside(), 0u);
    std::uint64_t lost = 0;
    for (std::size_t m = 0; m < traffic.delivered_times.size(); ++m) {
        lost += traffic.dropped_times[m] != 0;
        EXPECT_EQ(traffic.delivered_times[m], traffic.dropped_times[m] == 0 ? 1u : 0u) << "message " << m;
    }
    EXPECT_EQ(f.net.view().changes().lost_messages, lost);
    EXPECT_EQ(f.net.view().changes().dropped.packets, traffic.drops);
}

struct leak {
    std::uint32_t drop_every, copy_every;
};
void PrintTo(const leak& l, std::ostream* out) {
    *out << "drop every " << l.drop_every << ", copy every " << l.copy_every;
}
class leaky_network : public testing::TestWithParam<leak> {};
INSTANTIATE_TEST_SUITE_P(, leaky_network,
                         testing::Values(leak{0, 0}, leak{7, 0}, leak{1, 0}, leak{0, 1}, leak{0, 3},
                                         leak{5, 2}, leak{2, 1}));

TEST_P(leaky_network, AccountsForEveryPacket) {
    for (const std::uint32_t classes : {1u, 2u}) {
        fabric_setting s = small_mesh();
        s.classes = classes;
        test_fabric f(s, nullptr, leaks(GetParam().drop_every, GetParam().copy_every));
        told_traffic traffic(classes);
        visits seen(f.map());
        f.net.stepper().set_observer(&seen);
        run_to_the_end(f, traffic, true);
        const packet_changes& c = f.net.view().changes();
        EXPECT_EQ(c.dropped.packets != 0, GetParam().drop_every != 0);
        EXPECT_EQ(c.copied.packets != 0, GetParam().copy_every != 0 && GetParam().drop_every != 1);
        const std::uint64_t injected = f.net.view().flits_injected();
        EXPECT_EQ(c.copied.flits == injected, GetParam().copy_every == 1 && GetParam().drop_every == 0);
        EXPECT_EQ(c.dropped.flits == injected, GetParam().drop_every == 1);
        EXPECT_EQ(seen.packets, f.net.view().packets_consumed());
        EXPECT_EQ(seen.messages + c.lost_messages, traffic.delivered_times.size());
        EXPECT_EQ(seen.elsewhere, 0u);
        EXPECT_EQ(seen.wrong, 0u);
    }
}

/// Whatever the order in which routers are run.
TEST_P(leaky_network, ReportsDropsInTheSameOrder) {
    std::vector<std::pair<cycle_t, std::uint64_t>> told[2];
    for (const bool shuffled : {false, true}) {
        test_fabric f(small_mesh(), nullptr, leaks(GetParam().drop_every, GetParam().copy_every));
        if (shuffled) f.net.stepper().shuffle_evaluation(3);
        told_traffic traffic(5);
        run_to_the_end(f, traffic, false);
        told[shuffled] = traffic.told;
    }
    EXPECT_EQ(told[0], told[1]);
}

/// Beside routers that go by the keys that heads carry: copies have keys of their own, and their hops.
TEST(Copies, TakeTheirRouteThroughFastRouters) {
    fabric_setting s = small_mesh();
    const auto map = test::network(s.network);
    const auto way = test::routing(s.routing, *map, s.router.vcs);
    fabric net(s.router.vcs, 1, 1);
    net.builder().set_routing(*map, *way);
    const auto fast = std::make_shared<vc_model>(s.router);
    const auto leaky = leaks(0, 2);
    for (std::uint32_t r = 0; r < 16; ++r)
        r % 3 == 0 ? net.builder().add_router(leaky, map->ports(router_id(r)))
                   : net.builder().add_router(fast, map->ports(router_id(r)));
    for (std::uint32_t n = 0; n < 16; ++n) net.builder().add_nic(s.nic);
    connect(net, *map);
    net.builder().finish();
    ASSERT_TRUE(net.context().knows_hops());
    told_traffic traffic(9);
    visits seen(*map);
    net.stepper().set_observer(&seen);
    net.stepper().set_workload(&traffic);
    for (cycle_t t = 0; t < 100'000; t = net.stepper().next_work(t)) net.stepper().step(t);
    EXPECT_EQ(net.view().leftovers(), "");
    EXPECT_GT(net.view().changes().copied.packets, 100u);
    EXPECT_EQ(net.view().packets_inside(), 0u);
    EXPECT_EQ(seen.elsewhere, 0u);
    EXPECT_EQ(seen.wrong, 0u);
}

}  // namespace
}  // namespace sare::test::copies_test
