// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

/// Numbers from 0 with a C++ type for each kind of thing (node, router, port, VC, packet), so that a port
/// never silently becomes a virtual channel.
namespace sare {

/// A number of one kind of thing, which converts to no other kind; `value` is the plain number.
template <class Tag>
struct index {
    std::uint32_t value = 0;  ///< the plain number, from 0
    constexpr index() = default;
    constexpr explicit index(std::uint32_t v) : value(v) {}
    friend constexpr bool operator==(index a, index b) { return a.value == b.value; }
    friend constexpr bool operator!=(index a, index b) { return a.value != b.value; }
    friend constexpr bool operator<(index a, index b) { return a.value < b.value; }
};

using node_id = index<struct node_tag>;      ///< node of the network, a source and sink of traffic: one NIC
using router_id = index<struct router_tag>;  ///< router of the network
using port_id = index<struct port_tag>;      ///< port of one router
using vc_id = index<struct vc_tag>;          ///< virtual channel of one port
using packet_id = index<struct packet_tag>;  ///< packet in the network: slot in router_context::packets()

/// Most ports of a router; kinds of routers may allow fewer (router_terms::most_ports). The contention-free
/// model allows more: most_ideal_ports (tlm/topology/link_parameters.h).
constexpr std::uint32_t most_ports = 1024;
using port_number = std::uint16_t;              ///< number of a port, from 0, in 16 bits as tables hold it
constexpr port_number no_port_number = 0xffff;  ///< value of a port_number for no port

/// Set of VCs of a port, as bits: bit v stands for VC v. A port has at most 64 VCs.
using vc_mask = std::uint64_t;
/// Returns the set of VCs 0 to n - 1; all 64 if n is more than 64.
constexpr vc_mask first_vcs(std::uint32_t n) {
    return n >= 64 ? ~vc_mask{0} : (vc_mask{1} << n) - 1;
}

/// Number of a cycle of the network's clock, or a number of cycles. Cycle 0 is the first of the simulation.
using cycle_t = std::uint64_t;

}  // namespace sare

template <class Tag>
struct std::hash<sare::index<Tag>> {
    std::size_t operator()(sare::index<Tag> i) const noexcept { return std::hash<std::uint32_t>{}(i.value); }
};
