// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/router_api/bank.h"

namespace sare {

/// Router kinds by name (key 'kind'; default 'vc'): one folder each, which registers it.
using router_registry = config::registry<router_model>;

}  // namespace sare
