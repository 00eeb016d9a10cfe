// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/sorted_by.h"

#include "tlm/base/rng.h"

#include <gtest/gtest.h>

namespace sare::test::sorted_by_test {
namespace {

struct numbered {
    std::uint32_t key, number;
};

/// Runs that end where the records do, before and after: sorted, and equal keys as they came.
TEST(SortedBy, MergesItsRuns) {
    rng random(1, stream::test, 5);
    for (const std::size_t size : {0U, 1U, 6U, 7U, 8U, 500U}) {
        record_file<numbered> file;
        std::vector<numbered> expected;
        for (std::uint32_t n = 0; n < size; ++n) {
            expected.push_back({random.below(20), n});
            file.append(expected.back());
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const numbered& a, const numbered& b) { return a.key < b.key; });
        for (const std::size_t run_length : {1U, 7U, 1000U}) {
            std::vector<numbered> seen;
            sorted_by(
                file, [](const numbered& r) { return r.key; }, [&](const numbered& r) { seen.push_back(r); },
                run_length);
            ASSERT_EQ(seen.size(), expected.size());
            for (std::size_t n = 0; n < size; ++n) EXPECT_EQ(seen[n].number, expected[n].number) << n;
        }
    }
}

}  // namespace
}  // namespace sare::test::sorted_by_test
