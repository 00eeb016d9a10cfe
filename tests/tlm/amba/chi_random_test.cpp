// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/amba/chi_support.h"

#include <set>

/// Random loads and stores of many caches on shared lines, end to end: coherent, by CHI's rules, within the
/// bounds, and nothing is left.
namespace sare::test::chi_random_test {
namespace {

constexpr unsigned accesses = 20000;  // of a seed

/// Counters that all add to, which nobody else writes.
constexpr std::uint64_t counters = 28 * 64;

void count(chi_system& s, std::uint32_t k, std::set<std::pair<unsigned, std::uint64_t>>& counted) {
    const unsigned which = s.random.below(3);
    atomic_access add;
    std::uint64_t one = 1, before = 0;
    const auto status =
        s.cpus[k].access(true, counters + 40 * which, reinterpret_cast<unsigned char*>(&one), 8, &add);
    std::memcpy(&before, add.before.data(), 8);
    EXPECT_EQ(status, tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(counted.emplace(which, before).second);  // no two see the same
}

/// Loads and stores by DMI, where there is any; the checker of coherence is told.
void by_pointer(chi_system& s, std::uint32_t k, bool write, std::uint64_t address) {
    unsigned char* here = s.cpus[k].pointer(write, address);
    if (here == nullptr) return;
    if (!write) return s.coherence.loaded(k, address, here, 8);
    for (unsigned n = 0; n < 8; ++n) here[n] = static_cast<unsigned char>(s.random.next());
    s.coherence.stored(k, address, here, 8);
}

class chi_random : public testing::TestWithParam<int> {};

TEST_P(chi_random, LoadsWhatWasStoredLast) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const std::uint32_t bus = 16U << seed % 3;
    chi::cache_params of_caches;
    of_caches.lines = seed % 2 == 0 ? 4 : 12;
    of_caches.outstanding = 4;
    chi::home_params of_homes;
    of_homes.trackers = seed % 2 == 0 ? 2 : 6;  // fewer than may come: many are refused
    chi_system s(8, 2, 2, bus, of_caches, of_homes, seed, 0, seed % 3 == 0 ? 2 : 16);

    unsigned issued = 0, failed = 0;
    std::set<std::pair<unsigned, std::uint64_t>> counted;
    for (std::uint32_t k = 0; k < s.cpus.size(); ++k)
        for (unsigned thread = 0; thread < 3; ++thread)
            sc_core::sc_spawn([&, k] {
                std::array<unsigned char, 96> bytes{};
                while (issued < accesses) {
                    ++issued;
                    // 24 lines for all; some accesses cross from one into the next, some write whole lines.
                    const unsigned kind = s.random.below(10);
                    std::uint64_t address = 8 * s.random.below(24 * 8);
                    unsigned length = 1U << s.random.below(4);
                    if (kind == 0) length = 64, address = address / 64 * 64;
                    if (kind == 1) length = 1 + s.random.below(96);
                    const bool write = s.random.bernoulli(0.5);
                    if (kind == 2 || kind == 3) {
                        kind == 2 ? count(s, k, counted) : by_pointer(s, k, write, address);
                        continue;
                    }
                    for (auto& b : bytes) b = static_cast<unsigned char>(s.random.next());
                    failed += s.cpus[k].access(write, address, bytes.data(), length) != tlm::TLM_OK_RESPONSE;
                    if (s.random.bernoulli(0.2))
                        sc_core::wait(sc_core::sc_time(s.random.below(100), sc_core::SC_NS));
                }
            });
    const auto traffic = make_workload("bernoulli", 16,
                                       {{"load", std::vector<std::string>{"0.05", "0.3", "0.9"}[seed % 3]},
                                        {"length", "5"},
                                        {"stop_cycle", "50000"}});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    s.net.engine.set_workload(*traffic);
    sc_core::sc_start();

    s.look();
    EXPECT_EQ(failed, 0U);
    EXPECT_GE(issued, accesses);
    EXPECT_GE(s.coherence.loads + s.coherence.stores, issued / 5 * 4);
    for (const auto& [which, before] : counted)  // from 0 on without a gap
        EXPECT_TRUE(before == 0 || counted.count({which, before - 1}) != 0);
    EXPECT_GT(counted.size(), issued / 20);
    EXPECT_GT(s.coherence.atomics, 0U);
    for (const chi_cpu& cpu : s.cpus) EXPECT_GT(cpu.withdrawn, 3U);
    std::uint64_t retries = 0, snoops = 0, write_backs = 0;
    for (const auto& c : s.caches) {
        retries += c.count().retries;
        snoops += c.count().snoops;
        write_backs += c.count().write_backs;
    }
    EXPECT_GT(retries, 0U);
    EXPECT_GT(snoops, accesses / 20);
    EXPECT_GT(write_backs, 0U);
    // A node's queues: what it has asked for itself, and what it answers.
    const std::uint32_t packets = 64 / bus, all_trackers = of_homes.trackers * 2,
                        all_asked = 8 * of_caches.outstanding;
    for (const auto& c : s.caches)
        EXPECT_LE(c.most_waiting(), (of_caches.outstanding + all_trackers) * packets);
    for (const auto& h : s.homes) {
        EXPECT_LE(h.count().most_trackers, of_homes.trackers);
        EXPECT_LE(h.most_waiting(), of_homes.trackers * std::max(packets, 8U) + all_asked);
    }
    for (const auto& m : s.memories) EXPECT_LE(m.most_waiting(), all_trackers * packets);
    for (const auto& i : s.interfaces)
        for (std::uint32_t k = 0; k < chi::channels; ++k)
            EXPECT_LE(i.most_waiting(static_cast<chi::channel>(k)), 16 * s.transport.params().credits);
    for (const auto& m : s.memories) EXPECT_LE(m.most_held(), of_homes.trackers * s.homes.size());
    EXPECT_GT(s.memories[0].reads(), 0U);
    EXPECT_GT(s.memories[0].writes(), 0U);
}

INSTANTIATE_TEST_SUITE_P(seeds, chi_random, testing::Range(1, 7));

}  // namespace
}  // namespace sare::test::chi_random_test
