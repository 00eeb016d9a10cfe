// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/bank.h"
#include "tlm/state/archive.h"

namespace sare {

void router_bank::serialize(archive&) {
    throw unwritable("routers '" + variant() + "'");
}

}  // namespace sare
