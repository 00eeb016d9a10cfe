// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/network_state.h"

#include <cstdint>

/// Checks of numbers that callers give. Each throws std::out_of_range, with a text of one line, for a number
/// that names nothing in the network.
namespace sare {

/// Throws std::out_of_range with a text such as "there is no node 9; there are 4, 0 and up": `what` is
/// "node", `number` is 9, `all` is 4.
[[noreturn]] void refuse_number(const char* what, std::uint64_t number, std::uint64_t all);

/// Returns `number` if it is below `all`; else throws std::out_of_range by refuse_number().
inline std::uint32_t checked_number(const char* what, std::uint32_t number, std::size_t all) {
    if (__builtin_expect(number >= all, 0)) refuse_number(what, number, all);
    return number;
}

/// Returns `node` if it is a node of the network; else, and for every number before the network is finished,
/// throws std::out_of_range.
inline std::uint32_t checked_node(const network_state& net, std::uint32_t node) {
    return checked_number("node", node, net.live_nodes);
}

/// Returns `node` if it is a node of the finished network and `message_class` is one of its message classes;
/// else throws std::out_of_range.
inline std::uint32_t checked_queue(const network_state& net, std::uint32_t node,
                                   std::uint32_t message_class) {
    checked_number("message class", message_class, net.classes());
    return checked_node(net, node);
}

/// Throws std::out_of_range unless `router` has a port `port`, `vc` is below the number of VCs, and the
/// network is finished.
inline void check_vc(const network_state& net, std::uint32_t router, std::uint32_t port, std::uint32_t vc) {
    checked_number("router", router, net.table.bank_of.size());
    checked_number("port", port, net.table.ports[router]);
    checked_number("VC", vc, net.vcs());
}

}  // namespace sare
