// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/tlm/amba/axi_support.h"
#include "tests/tlm/amba/chi_support.h"
#include "tlm/axi/axi_bridge.h"
#include "tlm/config/yaml.h"
#include "tlm/network/network.h"

#include <iostream>
#include <memory>
#include <optional>
#include <set>

/// Random platforms: initiators of every kind, ranges dealt to memories that are slow and fail, initiators
/// with addresses of their own; in mid-run the network is reset, its period changes and links sleep. All is
/// as in a reference memory, and the parts of every access's time add up. The target `platforms` draws 200.
namespace sare::test::platform_random_test {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint64_t base = 0x10000, range_bytes = 0x3000;
constexpr unsigned slice = 512;  // bytes of a lane
constexpr unsigned accesses = 1500;

/// A byte that was written when the access failed has one of two values.
struct known_byte {
    unsigned char one = 0, other = 0;
    bool any = false;
};

/// Of a few atomic operations, on numbers; compare swaps what is below what is expected into the other value.
std::uint64_t after_atomic(const atomic_access& a, std::uint64_t value, std::uint64_t operand,
                           std::uint64_t other) {
    switch (a.operation) {
        case atomic_operation::add:
            return value + operand;
        case atomic_operation::exclusive_or:
            return value ^ operand;
        case atomic_operation::unsigned_max:
            return std::max(value, operand);
        case atomic_operation::compare:
            return value == operand ? other : value;
        default:
            return operand;
    }
}

/// One after another, each lane in bytes of its own; all lanes add to a counter behind these.
struct reference_memory {
    static constexpr std::uint64_t counter = range_bytes - 8;
    std::vector<known_byte> bytes = std::vector<known_byte>(range_bytes);
    unsigned judged = 0, wrong = 0, failed = 0, added = 0, perhaps_added = 0, atomics = 0;
    std::set<std::uint64_t> counts;  ///< that were seen

    static std::uint64_t number(const unsigned char* from, unsigned length) {
        std::uint64_t x = 0;
        std::memcpy(&x, from, length);
        return x;
    }
    void judge_counter(const transaction& t) {
        perhaps_added += 1;
        if (!t.is_response_ok()) return;
        const std::uint64_t before = number(atomic_of(t)->before.data(), 8);
        wrong += !counts.insert(before).second;
        ++added;
    }
    void judge_atomic(const transaction& t, std::uint64_t at) {
        const atomic_access& a = *atomic_of(t);
        const unsigned length = value_bytes(a, t);
        std::array<unsigned char, 8> before{}, now{};
        bool any = false;
        for (unsigned k = 0; k < length; ++k) {
            const known_byte& b = bytes[at + k];
            before[k] = t.is_response_ok() ? a.before[k] : b.one;
            wrong += !b.any && before[k] != b.one && before[k] != b.other;
            any = any || b.any || b.one != b.other;
        }
        const std::uint64_t x = after_atomic(a, number(before.data(), 8), number(t.data.data(), length),
                                             number(&t.data[t.data.size() - length], length));
        std::memcpy(now.data(), &x, 8);
        for (unsigned k = 0; k < length; ++k) {
            known_byte& b = bytes[at + k];
            if (t.is_response_ok()) {
                b = {now[k], now[k], false};
            } else {
                b.any = any;
                b.other = now[k];
            }
        }
    }

    void judge(const transaction& t, std::uint64_t at) {
        ++judged;
        const bool ok = t.is_response_ok();
        failed += !ok;
        wrong += !times_fit(t, t.made, t.answered);
        atomics += atomic_of(t) != nullptr;
        if (atomic_of(t) != nullptr) return at == counter ? judge_counter(t) : judge_atomic(t, at);
        for (unsigned k = 0; k < t.data.size(); ++k) {
            if (t.get_byte_enable_ptr() != nullptr && t.enables[k] != TLM_BYTE_ENABLED) continue;
            known_byte& b = bytes[at + k];
            const unsigned char now = t.data[k];
            if (t.is_read() && !ok) continue;
            if (ok) {
                wrong += t.is_read() && !b.any && now != b.one && now != b.other;
                b = {now, now, false};
            } else {
                b.any = b.any || b.one != b.other;
                b.other = now;
            }
        }
    }
};

/// Takes its time, and fails now and then, without doing anything.
struct failing_memory : public sc_core::sc_module {
    tlm_utils::simple_target_socket<failing_memory> socket;
    std::vector<unsigned char> bytes = std::vector<unsigned char>(2 * range_bytes);

    failing_memory(const sc_core::sc_module_name& name, rng& random, unsigned slowest)
        : sc_core::sc_module(name), socket("socket"), m_random(random), m_slowest(slowest) {
        socket.register_b_transport(this, &failing_memory::b_transport);
    }

  private:
    void b_transport(tlm::tlm_generic_payload& p, sc_time& delay) {
        const sc_time takes(m_random.below(m_slowest), SC_NS);
        if (m_random.bernoulli(0.5))
            sc_core::wait(takes);
        else
            delay += takes;
        p.set_response_status(m_random.below(50) == 0  ? tlm::TLM_GENERIC_ERROR_RESPONSE
                              : access_bytes(p, bytes) ? tlm::TLM_OK_RESPONSE
                                                       : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    rng& m_random;
    unsigned m_slowest;
};

struct random_platform {
    explicit random_platform(std::uint64_t s)
        : seed(s),
          random(s, stream::test, 77),
          resets(random.bernoulli(0.4)),
          e(experiment::read(config::parse_yaml(text(), "the platform"), ".")),
          net("net", e, 6) {
        for (const std::uint32_t node : {8U, 6U, 2U, 5U}) places.push_back({node, 0x40 * random.below(4)});
        places.resize(1 + random.below(4));
        map.emplace(net.engine(), interleaved(base, range_bytes, places, granule(), hash()));
        for (const memory_place& at : places) add_memory(at.node);
    }
    std::string text() {
        const char* const topologies[] = {"mesh", "torus"};
        return "{network: {topology: " + std::string(topologies[random.below(2)]) +
               ", dims: [3, 3], link_wake: 4, link_idle: " + std::to_string(random.below(3) * 20) +
               "}, router: {vcs: 12, depth: " + std::to_string(2 + random.below(4)) +
               "}, nic: {max_packet_flits: " + std::to_string(4 << random.below(4)) + "}}";
    }
    std::uint64_t granule() {
        if (places.size() == 3) return 256;
        return 16U << random.below(6);
    }
    std::vector<std::uint64_t> hash() {
        if (places.size() == 2 && random.bernoulli(0.5)) return {0x5000};
        if (places.size() == 4 && random.bernoulli(0.5)) return {0x1000, 0x6000};
        return {};
    }
    template <class T, class... Args>
    T& keep(Args&&... args) {
        auto made = std::make_shared<T>(std::forward<Args>(args)...);
        kept.push_back(made);
        return *made;
    }
    std::string name(const char* what) { return what + std::to_string(kept.size()); }

    void add_memory(std::uint32_t node) {
        memory_bridge_params p;
        p.window = 1 + random.below(6);
        p.at_once = 1 + random.below(3);
        auto& bridge = keep<memory_bridge>(name("memory_bridge").c_str(), net.nic_module(node), *map, p);
        auto& memory = keep<failing_memory>(name("memory").c_str(), random, 1 + random.below(150));
        bridge.memory.bind(memory.socket);
    }
    memory_bridge& add_bridge(std::uint32_t node) {
        memory_bridge_params p;
        p.order = random.bernoulli(0.5) ? access_order::reorder : access_order::wait;
        p.outstanding = 1 + random.below(8);
        auto& bridge = keep<memory_bridge>(name("bridge").c_str(), net.nic_module(node), *map, p);
        bridges.push_back(&bridge);
        return bridge;
    }
    /// Where its addresses begin for the initiator; a window shows all of the range there.
    std::uint64_t view_of(std::uint64_t lane) {
        return random.bernoulli(0.5) ? base : 0x7000'0000 + 0x10'0000 * lane;
    }

    /// An atomic access in the bytes of a lane, or to the counter of all.
    transaction& draw_atomic(transaction_pool& pool, unsigned lane, std::uint64_t first, std::uint64_t& at) {
        constexpr atomic_operation operations[] = {atomic_operation::add, atomic_operation::exclusive_or,
                                                   atomic_operation::unsigned_max, atomic_operation::swap,
                                                   atomic_operation::compare};
        auto* what = new atomic_access;
        what->operation = operations[random.below(5)];
        unsigned length = 1U << random.below(4);
        at = lane * slice + length * random.below(slice / length);
        if (random.bernoulli(0.3)) {
            what->operation = atomic_operation::add;
            length = 8;
            at = reference_memory::counter;
        }
        const unsigned operands = what->operation == atomic_operation::compare ? 2 : 1;
        transaction& t = pool.take(true, first + at, operands * length);
        for (auto& byte : t.data) byte = static_cast<unsigned char>(random.below(2));
        if (at == reference_memory::counter) t.data = {1, 0, 0, 0, 0, 0, 0, 0};
        t.set_data_ptr(t.data.data());
        t.set_auto_extension(what);
        return t;
    }
    /// An access in the bytes of a lane, with byte enables now and then.
    transaction& draw(transaction_pool& pool, unsigned lane, std::uint64_t first, std::uint64_t& at) {
        transaction& t =
            random.bernoulli(0.1) ? draw_atomic(pool, lane, first, at) : draw_plain(pool, lane, first, at);
        t.set_auto_extension(new access_timing);
        t.set_auto_extension(new access_id(lane));
        return t;
    }
    transaction& draw_plain(transaction_pool& pool, unsigned lane, std::uint64_t first, std::uint64_t& at) {
        const unsigned length = 1 + random.below(random.bernoulli(0.3) ? slice : 40);
        at = lane * slice + random.below(slice - length + 1);
        transaction& t = pool.take(random.bernoulli(0.5), first + at, length);
        for (auto& byte : t.data) byte = static_cast<unsigned char>(random.next());
        if (random.bernoulli(0.3)) {
            t.enables.resize(length);
            for (auto& on : t.enables) on = random.bernoulli(0.7) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
            t.set_byte_enable_ptr(t.enables.data());
            t.set_byte_enable_length(length);
        }
        return t;
    }
    sc_time pause() { return {static_cast<double>(random.below(40)), SC_NS}; }

    /// Loosely timed: threads, each with a lane.
    template <class Initiator, class Socket, class Shape>
    void add_threads(Initiator& cpu, Socket& to, unsigned threads, std::uint64_t first, Shape shape) {
        cpu.socket.bind(to);
        for (unsigned k = 0; k < threads; ++k) {
            const unsigned lane = lanes++;
            ++running;
            sc_core::sc_spawn([this, &cpu, lane, first, shape] {
                while (issued++ < accesses) {
                    std::uint64_t at = 0;
                    transaction& t = draw(cpu.pool, lane, first, at);
                    shape(t, at, lane, first);
                    sc_time delay = pause();
                    t.made = sc_core::sc_time_stamp() + delay;
                    cpu.socket->b_transport(t, delay);
                    t.answered = sc_core::sc_time_stamp() + delay;
                    reference.judge(t, at);
                    t.release();
                    sc_core::wait(delay + pause());
                }
                --running;
            });
        }
    }
    /// Approximately timed: an access a lane at a time, several lanes at once.
    void add_phases(memory_bridge& bridge, unsigned count, std::uint64_t first) {
        auto& cpu = keep<phase_initiator<>>(name("cpu").c_str());
        auto& open = keep<std::map<const transaction*, std::pair<unsigned, std::uint64_t>>>();
        auto& free = keep<std::deque<unsigned>>();
        for (unsigned k = 0; k < count; ++k) free.push_back(lanes++);
        ++running;
        cpu.response_time = sc_time(random.below(3), SC_NS);
        cpu.on_response = [this, &open, &free](transaction& t) {
            reference.judge(t, open.at(&t).second);
            free.push_back(open.at(&t).first);
            open.erase(&t);
        };
        cpu.body = [this, &open, &free, first](phase_initiator<>& self) {
            while (issued++ < accesses) {
                while (free.empty()) sc_core::wait(sc_time(3, SC_NS));
                const unsigned lane = free.front();
                free.pop_front();
                std::uint64_t at = 0;
                transaction& t = draw(self.pool, lane, first, at);
                open[&t] = {lane, at};
                const sc_time ahead = pause();
                t.made = sc_core::sc_time_stamp() + ahead;
                self.begin(t, ahead);
                sc_core::wait(pause());
            }
            self.finish();
            --running;
        };
        cpu.socket.bind(bridge.initiators);
    }
    void add_axi(std::uint32_t node);
    void add_chi();
    void disturb();
    void run();

    std::uint64_t seed;
    rng random;
    const bool resets;
    std::vector<std::shared_ptr<void>> kept;  ///< ends after the network
    experiment e;
    network net;
    std::vector<memory_place> places;
    std::optional<memory_map> map;
    std::vector<memory_bridge*> bridges;
    std::vector<std::pair<memory_bridge*, std::uint64_t>> views;  ///< of initiators with windows: where
    reference_memory reference;
    std::vector<std::function<void()>> at_end;
    unsigned lanes = 0, issued = 0, running = 0, reset_count = 0;
};

struct plain_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<plain_initiator> socket;
    transaction_pool pool;
    explicit plain_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {}
};
struct axi_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<axi_initiator, 64, axi::protocol> socket;
    transaction_pool pool;
    explicit axi_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {}
};

/// INCR bursts of beats of 8 bytes.
void random_platform::add_axi(std::uint32_t node) {
    auto& bridge = keep<axi::bridge<64>>(name("axi").c_str(), net.nic_module(node), *map);
    auto& cpu = keep<axi_initiator>(name("manager").c_str());
    add_threads(cpu, bridge.managers, 2, base,
                [this](transaction& t, std::uint64_t& at, unsigned lane, std::uint64_t first) {
                    if (atomic_of(t) != nullptr) return;
                    const unsigned beats = 1 + random.below(24);
                    at = lane * slice + 8 * random.below(slice / 8 - beats + 1);
                    t.set_address(first + at);
                    make_burst(t, axi::burst::incr, 3, beats, lane);
                    if (t.get_byte_enable_ptr() == nullptr) return;
                    t.enables.resize(t.data.size(), TLM_BYTE_ENABLED);
                    t.set_byte_enable_ptr(t.enables.data());
                    t.set_byte_enable_length(static_cast<unsigned>(t.enables.size()));
                });
}

/// Two caches, their home and memory, beside the others: coherent by its checker.
void random_platform::add_chi() {
    chi::transport_params p;
    p.classes = {1, 2, 3, 4};
    auto& transport = keep<chi::transport>(*map, p);
    const chi::system_map where{{3}, {7}};
    auto& coherence = keep<chi::coherence_checker>();
    const auto attach = [&](chi::agent& a, std::uint32_t node) {
        auto& i = keep<chi::interface>(name("interface").c_str(), net.nic_module(node), transport);
        auto& c = keep<chi::checker>(name("checker").c_str(), node, p.bus_bytes);
        a.socket.bind(c.node);
        c.network.bind(i.node);
        at_end.push_back([&c] {
            EXPECT_EQ(c.rules.violations, std::vector<std::string>()) << c.name();
            EXPECT_EQ(c.rules.open(), 0U) << c.name();
        });
    };
    for (const std::uint32_t node : {0U, 4U}) {
        auto& cache = keep<chi::cache>(name("cache").c_str(), p.bus_bytes, where);
        cache.observe(node, coherence);
        auto& cpu = keep<chi_cpu>(name("chi_cpu").c_str());
        cpu.socket.bind(cache.cpu);
        attach(cache, node);
        ++running;
        sc_core::sc_spawn([this, &cpu] {
            std::array<unsigned char, 64> bytes{};
            for (int k = 0; k < 100; ++k) {
                if (random.bernoulli(0.1)) {
                    atomic_access add;
                    bytes = {1};
                    EXPECT_EQ(cpu.access(true, 0x808 + 8 * random.below(3), bytes.data(), 8, &add),
                              tlm::TLM_OK_RESPONSE);
                }
                const unsigned length = 1U << random.below(5);
                for (auto& b : bytes) b = static_cast<unsigned char>(random.next());
                EXPECT_EQ(cpu.access(random.bernoulli(0.5), 32 * random.below(64), bytes.data(), length),
                          tlm::TLM_OK_RESPONSE);
                sc_core::wait(pause());
            }
            --running;
        });
    }
    auto& home = keep<chi::home>("home", p.bus_bytes, where);
    home.observe(coherence);
    attach(home, 3);
    auto& memory = keep<chi::memory_node>("chi_memory", p.bus_bytes);
    attach(memory, 7);
    auto& ram = keep<blocking_memory_model<512>>("chi_ram", 0x1000, [this] { return pause(); });
    memory.memory.bind(ram.socket);
    at_end.push_back([&coherence] { EXPECT_EQ(coherence.violations, std::vector<std::string>()); });
}

/// Until all are through.
void random_platform::disturb() {
    sc_core::sc_spawn([this] {
        while (running != 0) {
            sc_core::wait(sc_time(100 + random.below(900), SC_NS));
            switch (random.below(resets ? 4 : 3)) {
                case 0:
                    net.engine().set_period(sc_time(0.5 * (1 + random.below(6)), SC_NS));
                    break;
                case 1:
                    for (std::uint32_t id = 0; id < net.engine().net().view().sleepers(); ++id)
                        if (random.bernoulli(0.3)) net.engine().set_power(id, false);
                    break;
                case 2:
                    for (memory_bridge* bridge : bridges)
                        if (random.bernoulli(0.3))
                            bridge->set_mode(static_cast<access_mode>(random.below(3)));
                    break;
                default:
                    ++reset_count;
                    net.engine().reset();
            }
        }
    });
}

void random_platform::run() {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    constexpr std::uint64_t half = range_bytes / 2;
    for (const auto& [bridge, first] : views)
        bridge->set_view(0, {{first + half, half, base + half}, {first, half, base}});
    const auto traffic = make_workload("bernoulli", 9,
                                       {{"load", std::vector<std::string>{"0.01", "0.1", "0.4"}[seed % 3]},
                                        {"length", "5"},
                                        {"stop_cycle", "4000"}});
    net.engine().set_workload(*traffic);
    disturb();
    sc_core::sc_start();
    std::cout << reference.judged << " accesses of " << lanes << " lanes to " << places.size()
              << " memories, " << reference.failed << " failed, " << reference.atomics << " atomic, "
              << reset_count << " resets" << std::endl;
    EXPECT_EQ(running, 0U);
    EXPECT_GE(reference.judged, accesses);
    EXPECT_EQ(reference.wrong, 0U);
    EXPECT_GT(reference.added, 10U);
    EXPECT_LT(*reference.counts.rbegin(), reference.perhaps_added);
    EXPECT_LT(reference.failed, reference.judged / 2);
    for (const auto& check : at_end) check();
    EXPECT_EQ(net.engine().net().view().leftovers(), "");
    for (const access_summary& s : map->accesses().results()) {
        if (s.memory || s.accesses == 0) continue;
        EXPECT_NEAR(s.queueing_ns + s.request_ns + s.memory_ns + s.response_ns, s.mean_ns, 1e-6 * s.mean_ns);
    }
}

class platform_random : public testing::TestWithParam<int> {};

TEST_P(platform_random, DataAsInAReferenceMemory) {
    random_platform p(test_seed(static_cast<std::uint64_t>(GetParam())));
    for (const std::uint32_t node : {0U, 1U, 3U}) {
        if (p.random.bernoulli(0.3)) continue;
        memory_bridge& bridge = p.add_bridge(node);
        const std::uint64_t first = p.view_of(p.lanes);
        if (first != base) p.views.push_back({&bridge, first});
        if (p.random.bernoulli(0.5))
            p.add_threads(p.keep<plain_initiator>(p.name("cpu").c_str()), bridge.initiators,
                          1 + p.random.below(3), first, [](auto&...) {});
        else
            p.add_phases(bridge, 1 + p.random.below(4), first);
    }
    if (p.random.bernoulli(0.6)) p.add_axi(4);
    if (!p.resets && p.random.bernoulli(0.6)) p.add_chi();
    if (p.lanes == 0) p.add_axi(7);
    ASSERT_LE(p.lanes * slice, range_bytes - slice);
    p.run();
}

INSTANTIATE_TEST_SUITE_P(seeds, platform_random, testing::Range(1, 5));

}  // namespace
}  // namespace sare::test::platform_random_test
