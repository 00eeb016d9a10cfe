// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

namespace sare {

/// Interface of router kinds whose parameters cost tables (tlm/power) may use: a router_model of such a kind
/// derives from this class.
class shown_parameters {
  public:
    virtual ~shown_parameters() = default;
    /// Returns the keys of the section 'router' with their values, as a map with all defaults.
    virtual config::value parameters() const = 0;
};

}  // namespace sare
