// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/routing/deadlock/deadlock_classes.h"

#include <string>

namespace sare {

struct equal_parts;

/// Returns the report text for a routing function that does not deliver a packet; `how`: place of the packet
/// and what is wrong.
std::string broken(const deadlock_question& q, const std::string& how);

/// Checks for deadlock by following all packets between nodes of the same party. `scope`: text, behind the
/// number of dependencies, that says for whom `parties` stand; "": they are all nodes. `parts`: parts of the
/// network if `parties` stand for all parts, else null. With parts, the verdict is `skipped` if a cycle
/// exists only when all parts are seen as one.
deadlock_report check_among(const deadlock_question& question, node_parties parties, const char* scope,
                            const equal_parts* parts = nullptr);

}  // namespace sare
