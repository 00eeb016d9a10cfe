// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/protocol/declaration.h"

namespace sare::traffic {

/// Numbers that bound what nodes have to hold.
struct endpoint_room {
    std::uint64_t buffer = 0;        ///< messages of a class that a node holds, at least 1
    std::uint64_t transactions = 0;  ///< most transactions at a time that have a place at their requesters
    std::uint64_t sharers = 0;       ///< most sharers of a transaction
};

/// Returns, on one line, a cycle of message classes each of which may wait for the next at the nodes; "" if
/// there is none. A message that does not go to its requester, which has a place for it, is handled when all
/// messages that it triggers have room to leave: so its class depends on theirs (Dally and Towles, section
/// 14.1.4), unless nodes hold more messages of the class than can ever come to one of them at a time.
/// `apart`: no class waits in the network behind another; if false, all classes are taken for one.
std::string cycle_of_classes(const protocol_machine& p, const endpoint_room& room, bool apart);

}  // namespace sare::traffic
