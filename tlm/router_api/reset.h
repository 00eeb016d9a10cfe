// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/function.h"

#include <cstdint>

namespace sare {

/// How routers of a bank are reset, between two cycles.
class router_reset {
  public:
    enum class resets : std::uint8_t { none, of_network, of_blocks };

    virtual ~router_reset() = default;
    /// What it implements: nothing; clear(); or all.
    virtual resets can_reset() const { return resets::none; }
    /// Router k is as after construction, but for the flits that it counts; cycle `t` is the next one.
    virtual void clear(std::uint32_t /*k*/, cycle_t /*t*/) {}
    /// Calls `found` with each packet that has a flit in router k, or has an output VC of it.
    virtual void list_packets(std::uint32_t /*k*/,
                              const function<void(std::uint32_t packet)>& /*found*/) const {}
    /// Takes all flits of some packets out of router k, and what VCs they have; cycle `t` is the next one.
    /// `freed`: called with the input port and VC of each flit that was there.
    virtual void take_out(std::uint32_t /*k*/, const function<bool(std::uint32_t packet)>& /*which*/,
                          cycle_t /*t*/,
                          const function<void(std::uint32_t port, std::uint32_t vc)>& /*freed*/) {}
    /// Adds credits for an output VC of router k; a negative number takes them away.
    virtual void give_credits(std::uint32_t /*k*/, std::uint32_t /*port*/, std::uint32_t /*vc*/,
                              std::int32_t /*credits*/, cycle_t /*t*/) {}
};

}  // namespace sare
