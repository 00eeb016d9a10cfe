// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

namespace sare {

/// A kind of router that shows its parameters, for tables of costs: a router_model of such a kind is one of
/// these, too.
class shown_parameters {
  public:
    virtual ~shown_parameters() = default;
    /// The keys of the section 'router' with their values.
    virtual config::value parameters() const = 0;
};

}  // namespace sare
