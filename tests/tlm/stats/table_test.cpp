// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/table.h"

#include <gtest/gtest.h>

#include <stdexcept>

/// Columns by their text.
namespace sare::test::table_test {
namespace {

TEST(table, ReadsColumnsFromAText) {
    const std::vector<column> all = columns_of(R"(
    node: count. Its number: from 0.
    latency: number in cycles. From generation
        to consumption. Mean.
    kind: text. router, injection in a node or ejection.
)");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].name, "node");
    EXPECT_EQ(all[0].is, column::count);
    EXPECT_EQ(all[0].unit, "");
    EXPECT_EQ(all[0].sentence, "Its number: from 0.");
    EXPECT_EQ(all[1].is, column::number);
    EXPECT_EQ(all[1].unit, "cycles");
    EXPECT_EQ(all[1].sentence, "From generation to consumption. Mean.");
    EXPECT_EQ(all[2].is, column::text);
    EXPECT_EQ(all[2].sentence, "router, injection in a node or ejection.");
}

TEST(table, RefusesALineThatDeclaresNoColumn) {
    for (const char* line : {"node", "node: count", "node: counts. Its number.", "node count. Its number."})
        EXPECT_THROW(columns_of(line), std::logic_error) << line;
}

}  // namespace
}  // namespace sare::test::table_test
