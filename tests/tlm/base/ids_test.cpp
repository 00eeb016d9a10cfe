// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/context/packet_service.h"

#include <gtest/gtest.h>

#include <tuple>
#include <type_traits>

/// Numbers of routers, ports, VCs, nodes and packets.
namespace sare::ids_test {
namespace {

using kinds = std::tuple<node_id, router_id, port_id, vc_id, packet_id>;

template <class To, class... From>
constexpr int made_from(const std::tuple<From...>*) {
    return (int{std::is_convertible_v<From, To> || std::is_constructible_v<To, From>} + ...);
}
template <class... To>
constexpr bool only_of_their_own(const std::tuple<To...>* all) {
    return ((made_from<To>(all) == 1) && ...) && !(std::is_convertible_v<std::uint32_t, To> || ...) &&
           !(std::is_convertible_v<To, std::uint32_t> || ...);
}

template <class A, class B, class C>
constexpr bool copies =
    std::is_invocable_v<decltype(&packet_service::copy), packet_service&, A, B, C, const route_header&>;

TEST(Ids, OfOneKindAreNotTakenForAnother) {
    EXPECT_TRUE(only_of_their_own(static_cast<const kinds*>(nullptr)));
    EXPECT_TRUE((copies<router_id, port_id, packet_id>));
    EXPECT_FALSE((copies<port_id, router_id, packet_id>));
    EXPECT_FALSE((copies<router_id, port_id, std::uint32_t>));
}

}  // namespace
}  // namespace sare::ids_test
