// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/params.h"
#include "tlm/router_api/router_context.h"

#include <memory>
#include <vector>

namespace sare {

/// Another implementation of these routers, for some settings; it registers itself. The model asks all that
/// there are, of one network each, and what none takes the readable routers do.
class vc_implementation {
  public:
    virtual ~vc_implementation() = default;
    /// As far as a router by itself is concerned, it can be one of these.
    virtual bool can_take(const router_params& params, std::uint32_t router, std::uint32_t ports) = 0;
    /// There are routers with these parameters that can; false: not in this network.
    virtual bool add(const router_params& params, std::uint32_t ports) = 0;
    /// All have been added.
    virtual void decide() = 0;
    /// After that: whether such routers are of these.
    virtual bool takes(const router_params& params) const = 0;
    virtual std::unique_ptr<router_bank> make(const router_terms& terms, const router_params& params,
                                              std::uint32_t ports,
                                              const std::vector<std::uint32_t>& routers) const = 0;
};

class vc_implementation_registration {
  public:
    using maker = std::unique_ptr<vc_implementation> (*)(router_context& net);
    explicit vc_implementation_registration(maker make) { all().push_back(make); }
    /// Filled before main(), constant after.
    static std::vector<maker>& all();
};

/// Some link of it takes more than one cycle a flit, or sleeps.
bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports);

}  // namespace sare
