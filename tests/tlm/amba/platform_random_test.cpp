// SPDX-License-Identifier: Apache-2.0
#include "tests/support/seed.h"
#include "tests/tlm/amba/chi_support.h"
#include "tests/tlm/amba/random_platform.h"

/// Random platforms: initiators of every kind, ranges up to the last address dealt to memories that are slow
/// and fail, of every kind and in two networks, initiators with addresses of their own; debug transport and
/// DMI beside them; in mid-run networks and blocks are reset, periods change and links sleep. All is as in a
/// reference memory, checkers see nothing, and the parts of every access's time add up. The target
/// `platforms` draws 200.
namespace sare::test::platform_random_test {
namespace {

struct axi_initiator : public sc_core::sc_module {
    tlm_utils::simple_initiator_socket<axi_initiator, 64, axi::protocol> socket;
    transaction_pool pool;
    explicit axi_initiator(const sc_core::sc_module_name& name)
        : sc_core::sc_module(name), socket("socket") {}
};

/// Loosely timed, or by phases.
void add_axi(random_platform& p, std::uint32_t node) {
    auto& bridge = p.keep<axi::bridge<64>>(p.name("axi").c_str(), p.net.nic_module(node), *p.map);
    if (p.random.bernoulli(0.5)) return p.add_axi_phases(bridge);
    auto& cpu = p.keep<axi_initiator>(p.name("manager").c_str());
    p.burst_checkers.between<64>(cpu.socket, bridge.managers);
    p.add_threads(cpu, 2, p.base, [&p](transaction_pool& pool, unsigned lane) -> transaction& {
        return p.lanes.draw_burst(pool, lane, p.base, p.random.bernoulli(0.5));
    });
}

void add_plain(random_platform& p, std::uint32_t node) {
    memory_bridge& bridge = p.add_bridge(node);
    const std::uint64_t first = p.view_of(p.lanes.size());
    if (first != p.base) p.views.push_back({&bridge, first});
    if (p.random.bernoulli(0.5)) return p.add_phases(bridge, 1 + p.random.below(4), first);
    auto& cpu = p.keep<plain_initiator>(p.name("cpu").c_str());
    p.plain_checkers.between<32>(cpu.socket, bridge.initiators);
    p.add_threads(cpu, 1 + p.random.below(3), first,
                  [&p, first](transaction_pool& pool, unsigned lane) -> transaction& {
                      return p.lanes.draw(pool, lane, first);
                  });
}

/// Two caches, their home and memory, beside the others: coherent by its checker.
void add_chi(random_platform& p) {
    chi::transport_params its;
    its.classes = {1, 2, 3, 4};
    auto& transport = p.keep<chi::transport>(*p.map, its);
    const chi::system_map where{{3}, {7}};
    auto& coherence = p.keep<chi::coherence_checker>();
    const auto attach = [&](chi::agent& a, std::uint32_t node) {
        auto& i = p.keep<chi::interface>(p.name("interface").c_str(), p.net.nic_module(node), transport);
        auto& c = p.keep<chi::checker>(p.name("chi_checker").c_str(), node, its.bus_bytes);
        a.socket.bind(c.node);
        c.network.bind(i.node);
        p.at_end.push_back([&c] {
            EXPECT_EQ(c.rules.violations, std::vector<std::string>()) << c.name();
            EXPECT_EQ(c.rules.open(), 0U) << c.name();
        });
    };
    for (const std::uint32_t node : {0U, 4U}) {
        auto& cache = p.keep<chi::cache>(p.name("cache").c_str(), its.bus_bytes, where);
        cache.observe(node, coherence);
        auto& cpu = p.keep<chi_cpu>(p.name("chi_cpu").c_str());
        cpu.socket.bind(cache.cpu);
        attach(cache, node);
        ++p.running;
        sc_core::sc_spawn([&p, &cpu] {
            std::array<unsigned char, 64> bytes{};
            for (int k = 0; k < 100; ++k) {
                if (p.random.bernoulli(0.1)) {
                    atomic_access add;
                    bytes = {1};
                    EXPECT_EQ(cpu.access(true, 0x808 + 8 * p.random.below(3), bytes.data(), 8, &add),
                              tlm::TLM_OK_RESPONSE);
                }
                const unsigned length = 1U << p.random.below(5);
                for (auto& b : bytes) b = static_cast<unsigned char>(p.random.next());
                EXPECT_EQ(cpu.access(p.random.bernoulli(0.5), 32 * p.random.below(64), bytes.data(), length),
                          tlm::TLM_OK_RESPONSE);
                sc_core::wait(p.pause());
            }
            --p.running;
        });
    }
    auto& home = p.keep<chi::home>("home", its.bus_bytes, where);
    home.observe(coherence);
    attach(home, 3);
    auto& memory = p.keep<chi::memory_node>("chi_memory", its.bus_bytes);
    attach(memory, 7);
    auto& ram = p.keep<blocking_memory_model<512>>("chi_ram", 0x1000, [&p] { return p.pause(); });
    memory.memory.bind(ram.socket);
    p.at_end.push_back([&coherence] { EXPECT_EQ(coherence.violations, std::vector<std::string>()); });
}

class platform_random : public testing::TestWithParam<int> {};

TEST_P(platform_random, ReadsDataAsInAReferenceMemory) {
    random_platform p(test_seed(static_cast<std::uint64_t>(GetParam())));
    for (const std::uint32_t node : {0U, 1U, 3U})
        if (p.random.bernoulli(0.7)) add_plain(p, node);
    if (p.random.bernoulli(0.6)) add_axi(p, 4);
    if (!p.resets && p.random.bernoulli(0.6)) add_chi(p);
    while (p.lanes.size() < 4) p.add_phases(p.add_bridge(7), 2, p.base);  // some for each memory
    ASSERT_LE((p.lanes.size() + 1) * random_lanes::slice, reference_memory::size);
    p.run();
}

INSTANTIATE_TEST_SUITE_P(seeds, platform_random, testing::Range(1, 5));

}  // namespace
}  // namespace sare::test::platform_random_test
