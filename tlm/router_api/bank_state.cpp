// SPDX-License-Identifier: Apache-2.0
#include "tlm/router_api/bank.h"
#include "tlm/state/archive.h"

namespace sare {

void router_bank::serialize(archive&) {
    throw unwritable("routers '" + variant() + "'");
}

}  // namespace sare
