// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/router_api/bank.h"

namespace sare {

/// Router kinds by name, for the key 'kind' of the section 'router' (default 'vc'). Each kind has a folder of
/// its own, and registers itself.
using router_registry = config::registry<router_model>;

}  // namespace sare
