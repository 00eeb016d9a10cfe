// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/function.h"

#include <cstdint>

namespace sare {

/// Resets the routers of a bank, between two cycles.
class router_reset {
  public:
    enum class resets : std::uint8_t { none, of_network, of_blocks };

    virtual ~router_reset() = default;
    /// Returns what is implemented: nothing; clear(); or all functions.
    virtual resets can_reset() const { return resets::none; }
    /// Makes router k as after construction, except for its count of flits; cycle `t` is the next one.
    virtual void clear(std::uint32_t /*k*/, cycle_t /*t*/) {}
    /// Calls `found` with each packet that has a flit in router k or owns an output VC of it.
    virtual void list_packets(std::uint32_t /*k*/,
                              const function<void(std::uint32_t packet)>& /*found*/) const {}
    /// Takes all flits of packets for which `which` is true out of router k, and their VCs from them; cycle
    /// `t` is the next one. Calls `freed` with the input port and VC of each flit.
    virtual void take_out(std::uint32_t /*k*/, const function<bool(std::uint32_t packet)>& /*which*/,
                          cycle_t /*t*/,
                          const function<void(std::uint32_t port, std::uint32_t vc)>& /*freed*/) {}
    /// Adds credits for an output VC of router k; a negative number takes them away.
    virtual void give_credits(std::uint32_t /*k*/, std::uint32_t /*port*/, std::uint32_t /*vc*/,
                              std::int32_t /*credits*/, cycle_t /*t*/) {}
};

}  // namespace sare
