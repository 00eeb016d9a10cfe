// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

#include <cstdint>

/// Numbers that callers give: std::out_of_range, in one line, where there is no such thing.
namespace sare {

/// `what`: "node"; `all`: how many there are.
[[noreturn]] void refuse_number(const char* what, std::uint64_t number, std::uint64_t all);

inline std::uint32_t checked_number(const char* what, std::uint32_t number, std::size_t all) {
    if (__builtin_expect(number >= all, 0)) refuse_number(what, number, all);
    return number;
}

/// A node that has a NIC: none has before the network is finished.
inline std::uint32_t checked_node(const network_state& net, std::uint32_t node) {
    return checked_number("node", node, net.live_nodes);
}

/// A source queue of a node.
inline std::uint32_t checked_queue(const network_state& net, std::uint32_t node,
                                   std::uint32_t message_class) {
    checked_number("message class", message_class, net.classes());
    return checked_node(net, node);
}

/// A VC of a router's port, in a finished network.
inline void check_vc(const network_state& net, std::uint32_t router, std::uint32_t port, std::uint32_t vc) {
    checked_number("router", router, net.table.bank_of.size());
    checked_number("port", port, net.table.ports[router]);
    checked_number("VC", vc, net.vcs());
}

}  // namespace sare
