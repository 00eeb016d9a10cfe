// SPDX-License-Identifier: Apache-2.0
#include "cosim/axi/random/block_case.h"
#include "tlm/config/yaml.h"

#include <gtest/gtest.h>

/// Random bridges and NICs that are written down. That they are shrunk: tests/tb/cosim_test.cpp.
namespace sare::axi::block_case_test {
namespace {

TEST(BlockCase, IsReadAsItIsWritten) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
        for (const block_kind of : {block_kind::bridges, block_kind::nic}) {
            const std::string yaml = text(draw_block(of, seed, 100 * seed));
            EXPECT_EQ(text(read_block_case(config::parse_document(yaml, "case"))), yaml);
        }
}

TEST(BlockCase, ReportsEachMistakeInOneLine) {
    const std::pair<const char*, const char*> cases[] = {
        {"{bridges: {data_width: 48}}", "case:1:13: block_case.bridges.data_width must be a power of two"},
        {"{bridges: {max_beats: 64}}", "case:1:13: block_case.bridges: there must be places for max_beats"},
        {"{bridges: {managers: 8, node_width: 3}}",
         "case:1:13: block_case.bridges.node_width must number all nodes"},
        {"{of: nic, nic: {vcs: 3, classes: 2}}",
         "case:1:13: block_case.nic.classes must be a divisor of vcs"},
        {"{of: nic, nic: {shared: true, depth: 4, reserved: 5}}",
         "case:1:13: block_case.nic.shared must be without cut_through and atomic, with reserved at most "
         "depth"},
        {"{of: nic, nic: {side: 1}}", "case:1:13: block_case.nic.side must be 0 or at least 2"},
        {"{of: nic, nic: {side: 2, router: 4}}",
         "case:1:13: block_case.nic.router must be in the grid of side x side"},
    };
    for (const auto& [text, message] : cases) try {
            read_block_case(config::parse_document(std::string("block_case: ") + text, "case"));
            ADD_FAILURE() << text;
        } catch (const config::error& wrong) {
            EXPECT_STREQ(wrong.what(), message);
        }
}

class random_nics : public testing::TestWithParam<std::uint64_t> {};

/// A second each, most of it for compiling.
TEST_P(random_nics, AgreeWithTheirRtl) {
    random_run how;
    how.speed = cosim::rtl_speed::quick;
    const random_outcome o = run(draw_block(block_kind::nic, GetParam(), 4000), how);
    EXPECT_EQ(o.difference, "") << o.parameters;
    EXPECT_GT(o.flits, 100u);
}

// The last one's router shares its buffers.
INSTANTIATE_TEST_SUITE_P(drawn, random_nics, testing::Values(1U, 2U, 3U, 4U, 19U));

}  // namespace
}  // namespace sare::axi::block_case_test
