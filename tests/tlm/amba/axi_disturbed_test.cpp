// SPDX-License-Identifier: Apache-2.0
#include "tests/support/leaky_switch.h"
#include "tests/tlm/amba/axi_support.h"

#include <sstream>

/// AXI4 across a network that is reset, loses packets or changes its clock meanwhile.
namespace sare::test::axi_disturbed_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint64_t range_bytes = 0x4000;

/// What stands at an address from the beginning, and is all that is written there: so a read is right or
/// wrong whichever accesses were lost.
unsigned char value_at(std::uint64_t address) {
    return static_cast<unsigned char>(address % range_bytes * 0x9e3779b97f4a7c15ULL >> 56);
}

/// Managers at three corners of a mesh, by phases and loosely timed; two subordinates, by phases and by
/// b_transport. A checker on every socket.
struct disturbed_system {
    explicit disturbed_system(std::uint64_t seed, const std::shared_ptr<const router_model>& kind = nullptr)
        : random(seed, stream::test, 96),
          net(
              "net", 3, 3, two_vcs(), 2, 1, seed, [](std::uint32_t) { return true; }, kind),
          map(net.engine, {{0x10000, range_bytes, 4}, {0x20000, range_bytes, 8}}),
          far_phases("far_phases", net.nics[4], map, axi_pair<>::by_phases()),
          far_blocking("far_blocking", net.nics[8], map),
          by_phases("by_phases", range_bytes, [this] { return some_ns(30); }),
          by_calls("by_calls", range_bytes, [this] { return some_ns(30); }) {
        checkers.between<64>(far_phases.subordinates, by_phases.socket);
        checkers.between<64>(far_blocking.subordinates, by_calls.socket);
        for (auto* bytes : {&by_phases.bytes, &by_calls.bytes})
            for (std::uint64_t k = 0; k < range_bytes; ++k) (*bytes)[k] = value_at(k);
        axi::bridge_params near;
        near.order = random.bernoulli(0.5) ? access_order::reorder : access_order::wait;
        for (const std::uint32_t node : {0U, 2U, 6U}) {
            const std::string number = std::to_string(node);
            auto& bridge = bridges.emplace_back(("near" + number).c_str(), net.nics[node], map, near);
            auto& cpu = cpus.emplace_back(("cpu" + number).c_str());
            cpu.response_time = some_ns(3);
            cpu.on_response = [this](transaction& t) { judge(t); };
            const bool loosely = node == 6;
            cpu.body = [this, loosely](phase_manager<64>& self, bool writes) {
                loosely ? call(self, writes) : send(self, writes);
            };
            checkers.between<64>(cpu.socket, bridge.managers);
        }
    }
    static router_params two_vcs() {
        router_params p;
        p.vcs = 2;
        return p;
    }
    sc_time some_ns(std::uint32_t most) { return {static_cast<double>(random.below(most)), SC_NS}; }

    transaction& draw(transaction_pool& pool, bool write) {
        const unsigned size = random.below(4), beat = 1U << size;
        const auto type = static_cast<axi::burst>(random.below(3));
        const unsigned beats = type == axi::burst::wrap ? 2U << random.below(4) : 1 + random.below(16);
        const std::uint64_t page = (1 + random.below(2)) * 0x10000ULL + random.below(4) * axi::page_bytes;
        std::uint64_t at = random.below(4096 - 16 * 8);
        if (type == axi::burst::wrap) at -= at % beat;
        transaction& t = pool.take(write, page + at, 1);
        make_burst(t, type, size, beats, random.below(4));
        const auto addresses = axi_addresses(t);
        for (std::size_t k = 0; write && k < addresses.size(); ++k) t.data[k] = value_at(addresses[k]);
        return t;
    }
    static std::vector<std::uint64_t> axi_addresses(const transaction& t) {
        return addresses_of(*t.get_extension<axi::extension>(), t.get_address());
    }
    void send(phase_manager<64>& self, bool writes) {
        for (unsigned k = 0; k < 150; ++k) {
            ++sent;
            self.begin(draw(self.pool, writes));
            if (random.bernoulli(0.3)) sc_core::wait(some_ns(100));
        }
        self.finish();
    }
    void call(phase_manager<64>& self, bool writes) {
        for (unsigned k = 0; k < 50; ++k) {
            ++sent;
            transaction& t = draw(self.pool, writes);
            sc_time delay = sc_core::SC_ZERO_TIME;
            self.socket->b_transport(t, delay);
            sc_core::wait(delay);
            judge(t);
            t.release();
        }
    }
    /// A lost burst is an error, and says so in both ways.
    void judge(const transaction& t) {
        ++answered;
        if (t.is_response_error()) {
            ++lost;
            EXPECT_EQ(t.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
            EXPECT_EQ(resp_of(t), axi::response::slverr);
            return;
        }
        EXPECT_EQ(t.get_response_status(), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(resp_of(t), axi::response::okay);
        const auto addresses = axi_addresses(t);
        ASSERT_EQ(addresses.size(), t.data.size());
        for (std::size_t k = 0; k < addresses.size(); ++k) wrong += t.data[k] != value_at(addresses[k]);
    }
    /// To the end, with `disturb` so many times meanwhile. Every burst has one response; nothing is left.
    void run(unsigned times, const std::function<void()>& disturb) {
        sc_core::sc_spawn([this, times, disturb] {
            for (unsigned k = 0; k < times; ++k) {
                sc_core::wait(sc_time(100, SC_NS) + some_ns(400));
                disturb();
            }
        });
        sc_core::sc_start();
        checkers.look();
        EXPECT_EQ(sent, 700U);
        EXPECT_EQ(answered, sent);
        EXPECT_EQ(wrong, 0U);
        for (const auto& cpu : cpus) {
            EXPECT_EQ(cpu.outstanding, 0U) << cpu.name();
            EXPECT_EQ(cpu.pool.in_use(), 0U) << cpu.name();
        }
        EXPECT_EQ(net.engine.net().view().leftovers(), "");
    }

    rng random;
    hand_mesh net;
    memory_map map;
    axi::bridge<64> far_phases, far_blocking;
    std::deque<axi::bridge<64>> bridges;
    phase_subordinate<64> by_phases;
    blocking_words<64> by_calls;
    std::deque<phase_manager<64>> cpus;
    axi_checkers checkers;
    std::uint64_t sent = 0, answered = 0, lost = 0, wrong = 0;
};

class axi_disturbed : public testing::TestWithParam<std::uint64_t> {};
INSTANTIATE_TEST_SUITE_P(, axi_disturbed, testing::Values(1, 2, 3, 4));

TEST_P(axi_disturbed, SurvivesResetsOfTheNetwork) {
    disturbed_system s(GetParam());
    s.run(10, [&] { s.net.engine.reset(); });
    EXPECT_GT(s.lost, 5U);
    EXPECT_LT(s.lost, s.sent / 2);
}

TEST_P(axi_disturbed, SurvivesResetsOfBlocks) {
    disturbed_system s(GetParam());
    s.net.engine.wiring().allow_block_resets();
    s.run(20, [&] {
        const std::uint32_t n = s.random.below(9);
        s.random.bernoulli(0.5) ? s.net.routers[n]->reset() : s.net.nics[n].reset();
    });
    EXPECT_GT(s.lost, 0U);
    EXPECT_LT(s.lost, s.sent / 2);
}

TEST_P(axi_disturbed, SurvivesRoutersThatDropPackets) {
    leaky_parameters drops;
    drops.depth = 64;
    drops.drop_every = 37;
    disturbed_system s(GetParam(), std::make_shared<leaky_model>(drops));
    s.run(0, [] {});
    EXPECT_GT(s.lost, 20U);
    EXPECT_LT(s.lost, s.sent / 2);
}

TEST_P(axi_disturbed, SurvivesClocksThatChange) {
    disturbed_system s(GetParam());
    s.run(20, [&] { s.net.engine.set_period(sc_time(50 + s.random.below(4000), sc_core::SC_PS)); });
    EXPECT_EQ(s.lost, 0U);
}

/// Beats and messages take as many cycles, whatever these take.
TEST(AxiPeriod, DoesNotChangeTheCyclesOfABurst) {
    axi_pair<64, blocking_words<64>> s(0, {});
    std::vector<sc_time> took;
    const auto wait_cycles = [&](cycle_t cycles) {
        const cycle_engine& engine = s.net.engine;
        sc_core::wait(engine.clock().begin_of(engine.cycle() + cycles) - sc_core::sc_time_stamp());
    };
    s.run([&](phase_manager<64>&) {
        for (const double period : {1.0, 3.0, 0.5}) {
            s.net.engine.set_period({period, SC_NS});
            for (const bool write : {true, false}) {
                wait_cycles(500);
                transaction& t = s.make(write, 0x10000, axi::burst::incr, 3, 8);
                const sc_time before = sc_core::sc_time_stamp();
                sc_time delay = sc_core::SC_ZERO_TIME;
                s.cpu.socket->b_transport(t, delay);
                sc_core::wait(delay);
                took.push_back(sc_core::sc_time_stamp() - before);
                EXPECT_EQ(resp_of(t), axi::response::okay);
                t.release();
            }
        }
    });
    ASSERT_EQ(took.size(), 6U);
    EXPECT_GT(took[0], sc_time(20, SC_NS));
    for (const std::size_t k : {0, 1}) {
        EXPECT_EQ(took[2 + k], took[k] * 3) << k;
        EXPECT_EQ(took[4 + k], took[k] * 0.5) << k;
    }
}

/// A reservation is state of the network's: it is in a checkpoint.
TEST(AxiCheckpoint, RestoresReservations) {
    axi_pair<64, blocking_words<64>> a(10, {}, {}, "a"), b(10, {}, {}, "b"), fresh(10, {}, {}, "c");
    const auto access = [](auto& s, bool write) {
        transaction& t = s.make(write, 0x10040, axi::burst::incr, 3, 1, 1);
        t.template get_extension<axi::extension>()->exclusive = true;
        s.access(t);
        const axi::response resp = resp_of(t);
        t.release();
        return resp;
    };
    axi::response first{}, restored{}, without{};
    a.cpu.body = [&](phase_manager<64>&, bool writes) {
        if (!writes) first = access(a, false);
    };
    sc_core::sc_start(sc_time(500, SC_NS));
    EXPECT_EQ(first, axi::response::exokay);
    std::stringstream file;
    a.net.engine.save(file);
    b.net.engine.restore(file);
    sc_core::sc_spawn([&] {
        restored = access(b, true);
        without = access(fresh, true);
    });
    sc_core::sc_start(sc_time(500, SC_NS));
    EXPECT_EQ(restored, axi::response::exokay);
    EXPECT_EQ(without, axi::response::okay);
    EXPECT_EQ(b.memory.bytes[0x40], 1);
    EXPECT_EQ(fresh.memory.bytes[0x40], 0);
}

}  // namespace
}  // namespace sare::test::axi_disturbed_test
