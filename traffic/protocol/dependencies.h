// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/protocol/declaration.h"

namespace sare::traffic {

/// Returns, on one line, a cycle of message classes each of which may wait for the next at the nodes; "" if
/// there is none. A message that does not go to its requester, which has a place for it, is handled when all
/// messages that it triggers have room to leave: so its class depends on theirs (Dally and Towles, section
/// 14.1.4). `apart`: no class waits in the network behind another; if false, all classes are taken for one.
std::string cycle_of_classes(const protocol_machine& p, bool apart);

}  // namespace sare::traffic
