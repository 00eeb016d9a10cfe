// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/clock_domain.h"
#include "tlm/router_api/link_sleep.h"

#include <cstdint>

namespace sare {

class router_bank;

/// Access to other parts of the network by their numbers, which are not checked.
class router_lookup {
  public:
    /// Returns the clock domain of a router, which holds the links that the router writes and reads, in
    /// cycles of its clock.
    virtual clock_domain& domain_of(std::uint32_t router) = 0;
    const clock_domain& domain_of(std::uint32_t router) const {
        return const_cast<router_lookup*>(this)->domain_of(router);
    }
    /// True if this process runs the router. Call this function, bank_of() and in_bank() only when all banks
    /// are made.
    virtual bool has_router(std::uint32_t router) const = 0;
    /// Returns the bank of a router, which this process must run.
    virtual router_bank& bank_of(std::uint32_t router) const = 0;
    virtual std::uint32_t in_bank(std::uint32_t router) const = 0;  ///< number k of a router in its bank
    /// Returns the link with number `number`, from 0, among the links that can sleep: wire_extras::sleeps -
    /// 1.
    virtual link_sleep& sleeper(std::uint32_t number) = 0;

  protected:
    ~router_lookup() = default;
};

}  // namespace sare
