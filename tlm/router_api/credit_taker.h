// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace sare {

/// The NICs of a network of one part, to which a router gives credits without planes while none has anything
/// to send: what router_context::injection() may be, too.
class credit_taker {
  public:
    /// One for NIC `nic`, for a virtual channel.
    virtual void take_credit(std::uint32_t nic, std::uint32_t vc) = 0;

  protected:
    ~credit_taker() = default;
};

}  // namespace sare
