// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/merged_records.h"
#include "tests/support/seed.h"
#include "tlm/base/rng.h"

#include <gtest/gtest.h>

/// merge_records() against a stable sort of all that it is given.
namespace sare::test::merged_records_test {
namespace {

struct record {
    std::uint64_t time;
    std::uint32_t rank, number;
    bool operator==(const record& o) const { return time == o.time && rank == o.rank && number == o.number; }
};

/// More than a reader takes at a time of some ranks, nothing of others; many at the same time.
std::vector<std::uint32_t> sizes(rng& random) {
    std::vector<std::uint32_t> of_ranks(1 + random.below(6));
    for (std::uint32_t& n : of_ranks) n = random.below(3) == 0 ? 0 : random.below(700);
    return of_ranks;
}

TEST(MergedRecords, FollowAStableSortByRanks) {
    rng random(test_seed(41), stream::test, 0);
    for (int n = 0; n < 50; ++n) {
        const std::vector<std::uint32_t> lengths = sizes(random);
        std::vector<record_file<record>> files(lengths.size());
        std::vector<record> expected;
        for (std::uint32_t rank = 0; rank < lengths.size(); ++rank) {
            std::uint64_t time = 0;
            for (std::uint32_t k = 0; k < lengths[rank]; ++k) {
                const record r{time += random.below(3), rank, k};
                files[rank].append(r);
                expected.push_back(r);
            }
        }
        std::stable_sort(expected.begin(), expected.end(),
                         [](const record& a, const record& b) { return a.time < b.time; });
        std::vector<record> found;
        merge_records(
            files, [](std::uint32_t, const record& r) { return r.time; },
            [&found](std::uint32_t rank, const record& r) {
                EXPECT_EQ(rank, r.rank);
                found.push_back(r);
            });
        EXPECT_TRUE(found == expected) << found.size() << " of " << expected.size();
    }
}

/// What an earlier record has changed counts for the place of a later one of its rank.
TEST(MergedRecords, AskForAPlaceAfterEarlierRecords) {
    std::vector<record_file<record>> files(2);
    for (std::uint32_t k = 0; k < 3; ++k) {
        files[0].append({k, 0, k});
        files[1].append({k, 1, k});
    }
    std::uint64_t through[2] = {0, 0};
    std::string order;
    merge_records(
        files,
        [&](std::uint32_t rank, const record& r) {
            EXPECT_EQ(through[rank], r.number);
            return 10 * through[rank] + (1 - rank);
        },
        [&](std::uint32_t rank, const record&) {
            ++through[rank];
            order += std::to_string(rank);
        });
    EXPECT_EQ(order, "101010");
}

}  // namespace
}  // namespace sare::test::merged_records_test
