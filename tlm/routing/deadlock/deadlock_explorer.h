// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/deadlock/deadlock_classes.h"

#include <string>

namespace sare {

struct equal_parts;

/// Returns the text for a routing function that does not deliver a packet; `how` tells where.
std::string broken(const deadlock_question& q, const std::string& how);

/// Checks among `parties` for deadlock, by following all of their packets. `scope`: what they are, behind the
/// number of dependencies, "" if they are all nodes. `parts`: parts of the network, if the parties stand for
/// those of all parts; the verdict is `skipped` if there is no cycle, but one when all parts are seen as one.
deadlock_report check_among(const deadlock_question& question, node_parties parties, const char* scope,
                            const equal_parts* parts = nullptr);

}  // namespace sare
