// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

/// Typed indices: a port never silently becomes a virtual channel.
namespace sare {

template <class Tag>
struct index {
    std::uint32_t value = 0;
    constexpr index() = default;
    constexpr explicit index(std::uint32_t v) : value(v) {}
    friend constexpr bool operator==(index a, index b) { return a.value == b.value; }
    friend constexpr bool operator!=(index a, index b) { return a.value != b.value; }
    friend constexpr bool operator<(index a, index b) { return a.value < b.value; }
};

using node_id = index<struct node_tag>;      ///< a traffic source and sink: one NIC
using router_id = index<struct router_tag>;  ///< a switch
using port_id = index<struct port_tag>;      ///< a port of one router
using vc_id = index<struct vc_tag>;          ///< a virtual channel of one port
using packet_id = index<struct packet_tag>;  ///< a packet in flight: a slot of the packet pool

/// A cycle of the network clock, counted from the start of the simulation.
using cycle_t = std::uint64_t;

}  // namespace sare

template <class Tag>
struct std::hash<sare::index<Tag>> {
    std::size_t operator()(sare::index<Tag> i) const noexcept { return std::hash<std::uint32_t>{}(i.value); }
};
