// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/protocol/declaration.h"

namespace sare::traffic {

/// Numbers that bound the messages that nodes have to hold.
struct endpoint_room {
    std::uint64_t buffer = 0;  ///< largest number of messages of a class that a node holds, at least 1
    /// Largest number of transactions at a time that have a place at their requesters.
    std::uint64_t transactions = 0;
    std::uint64_t sharers = 0;  ///< largest number of sharers of a transaction
};

/// Returns a line of text on a cycle of message classes each of which may wait for the next at the nodes; ""
/// if there is none. A message that does not go to its requester, which has a place for it, is handled when
/// all messages that it triggers have room to leave. So its class depends on their classes (Dally and Towles,
/// section 14.1.4), unless nodes hold more messages of the class than can ever come to a node at a time.
/// `apart`: true: no class waits in the network behind another; false: all classes count as one.
std::string cycle_of_classes(const protocol_machine& p, const endpoint_room& room, bool apart);

}  // namespace sare::traffic
