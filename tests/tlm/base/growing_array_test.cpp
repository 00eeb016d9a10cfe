// SPDX-License-Identifier: Apache-2.0
#include "tlm/base/growing_array.h"
#include "tlm/base/pool.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sare::growing_array_test {
namespace {

struct alignas(64) record {
    std::uint64_t value = 7;
    std::uint32_t other = 1;
};

TEST(growing_array, KeepsEverythingFromTheHeapToPagesAndBeyond) {
    growing_array<record> array;
    for (std::uint64_t k = 0; k < 100'000; ++k) {  // 6 MB: twice from pages to pages
        record& r = array.emplace_back();
        EXPECT_EQ(r.value, 7U);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&r) % alignof(record), 0U);
        r.value = k;
    }
    ASSERT_EQ(array.size(), 100'000U);
    for (std::uint64_t k = 0; k < array.size(); ++k) ASSERT_EQ(array[k].value, k);
    growing_array<record> other(std::move(array));
    EXPECT_EQ(array.size(), 0U);
    EXPECT_EQ(other[99'999].value, 99'999U);
}

/// Of plain structures and of others, against a plain account of what is taken.
template <class T>
void take_and_give_back(T value_of(std::uint32_t)) {
    pool<T> all;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;  // slot, what it holds
    rng random(31, stream::test, 0);
    for (std::uint32_t k = 0; k < 60'000; ++k) {
        if (taken.empty() || random.below(100) < 60) {
            const std::uint32_t slot = all.take();
            all[slot] = value_of(k);
            taken.emplace_back(slot, k);
        } else {
            const std::uint32_t which = random.below(static_cast<std::uint32_t>(taken.size()));
            ASSERT_EQ(all[taken[which].first], value_of(taken[which].second));
            all.give_back(taken[which].first);
            taken[which] = taken.back();
            taken.pop_back();
        }
        ASSERT_EQ(all.in_use(), taken.size());
    }
    std::uint32_t seen = 0;
    all.for_each([&](std::uint32_t) { ++seen; });
    EXPECT_EQ(seen, taken.size());
}

TEST(pool, GivesWhatWasPutIn) {
    take_and_give_back<std::uint64_t>([](std::uint32_t k) { return std::uint64_t{k} * k; });
    take_and_give_back<std::string>(
        [](std::uint32_t k) { return std::string(k % 50, 'x') + std::to_string(k); });
}

}  // namespace
}  // namespace sare::growing_array_test
