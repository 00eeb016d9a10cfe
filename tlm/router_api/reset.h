// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/packet.h"
#include "tlm/base/function.h"

#include <cstdint>

namespace sare {

/// Reset of the routers of a bank, between two cycles, and removal of packets. A router is given by its
/// number k within the bank. By default the functions do nothing.
class router_reset {
  public:
    /// Functions below that a bank implements. none: none of them; of_network: clear() only, for resets of
    /// the whole network; of_blocks: all of them, for resets of single routers and NICs, too.
    enum class resets : std::uint8_t { none, of_network, of_blocks };

    virtual ~router_reset() = default;
    /// Returns the functions that the bank implements.
    virtual resets can_reset() const { return resets::none; }
    /// Restores router k to its state after construction, but for its counts of flits sent. `t`: next cycle,
    /// of the routers' clock.
    virtual void clear(std::uint32_t /*k*/, cycle_t /*t*/) {}
    /// Calls `found` with the slot of each packet that has a flit in router k or owns an output VC of router
    /// k; a packet may be named more than once.
    virtual void list_packets(std::uint32_t /*k*/,
                              const function<void(std::uint32_t packet)>& /*found*/) const {}
    /// Takes all flits of packets for which `which` is true out of router k, and frees the output VCs of
    /// these packets. `t`: next cycle. Calls `freed` with the input port and VC of each flit that was taken
    /// out, whose place is then free.
    virtual void take_out(std::uint32_t /*k*/, const function<bool(std::uint32_t packet)>& /*which*/,
                          cycle_t /*t*/,
                          const function<void(std::uint32_t port, std::uint32_t vc)>& /*freed*/) {}
    /// Adds `credits` credits to output VC `vc` of port `port` of router k; a negative number takes credits
    /// away. `t`: next cycle.
    virtual void give_credits(std::uint32_t /*k*/, std::uint32_t /*port*/, std::uint32_t /*vc*/,
                              std::int32_t /*credits*/, cycle_t /*t*/) {}
};

}  // namespace sare
