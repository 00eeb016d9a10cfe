// SPDX-License-Identifier: Apache-2.0
#include "tlm/nic/params.h"

#include <gtest/gtest.h>

#include <utility>

/// What follows from the parameters of a network interface.
namespace sare::test::nic_params_test {
namespace {

/// A header in each packet; of none that would be empty.
TEST(NicParams, CountFlitsOfBytes) {
    nic_params p;
    p.flit_bytes = 16;
    p.max_packet_flits = 4;
    for (const auto& [bytes, flits] : std::initializer_list<std::pair<std::uint64_t, std::uint32_t>>{
             {0, 1}, {1, 1}, {16, 1}, {17, 2}, {64, 4}, {65, 5}, {128, 8}})
        EXPECT_EQ(flits_for(p, bytes), flits) << bytes;
    p.header_bytes = 10;  // 54 bytes of data in a packet
    for (const auto& [bytes, flits] : std::initializer_list<std::pair<std::uint64_t, std::uint32_t>>{
             {0, 1}, {6, 1}, {7, 2}, {54, 4}, {55, 5}, {60, 5}, {61, 6}, {108, 8}})
        EXPECT_EQ(flits_for(p, bytes), flits) << bytes;
    p.header_bytes = 100;  // as if for one byte there were room
    EXPECT_EQ(flits_for(p, 3), 12U);
}

TEST(NicParams, RefuseMoreFlitsThanCanBeCounted) {
    nic_params p;
    p.flit_bytes = 16;
    p.max_packet_flits = 64;
    EXPECT_EQ(flits_for(p, 16 * 0xffffffffULL), 0xffffffffU);
    for (const std::uint64_t bytes : {16 * 0xffffffffULL + 1, 0xffffffffffffffffULL})
        EXPECT_THROW(flits_for(p, bytes), config::error) << bytes;
}

TEST(NicParams, GiveEjectionPlaces) {
    nic_params p;
    EXPECT_EQ(ejection_places(8, false, p, 20), 8U);
    EXPECT_EQ(ejection_places(8, true, p, 20), 20U);
    EXPECT_EQ(ejection_places(30, true, p, 20), 30U);
    p.ejection_depth = 3;
    EXPECT_EQ(ejection_places(8, false, p, 20), 3U);
    EXPECT_EQ(ejection_places(8, true, p, 20), 20U);
}

TEST(NicParams, HaveTheirDefaults) {
    const nic_params p;
    EXPECT_EQ(p.delay, 1U);
    EXPECT_EQ(p.credit_delay, 1U);
    EXPECT_EQ(p.ejection_depth, 0U);
    EXPECT_EQ(p.max_packet_flits, 64U);
    EXPECT_EQ(p.flit_bytes, 16U);
    EXPECT_EQ(p.header_bytes, 0U);
}

}  // namespace
}  // namespace sare::test::nic_params_test
