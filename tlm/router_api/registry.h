// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/registry.h"
#include "tlm/router_api/bank.h"

namespace sare {

/// The kinds of routers by name (key 'kind'; 'vc' where it is left out): one folder each, which registers it.
using router_registry = config::registry<router_model>;

}  // namespace sare
