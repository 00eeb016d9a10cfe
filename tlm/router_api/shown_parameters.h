// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

namespace sare {

/// Parameters of a router kind, for tables of costs: a router_model that shows them derives from this.
class shown_parameters {
  public:
    virtual ~shown_parameters() = default;
    /// Returns the keys of the section 'router' with their values.
    virtual config::value parameters() const = 0;
};

}  // namespace sare
