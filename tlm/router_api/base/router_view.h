// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/view.h"

#include <vector>

namespace sare {

/// How a router works on a packet, in cycles of its clock: observers tell working from waiting by it.
struct router_pace {
    std::uint32_t rc = 0;    ///< from when a head is at the front until it bids for an output VC
    std::uint32_t va = 0;    ///< from when a packet has one until it bids for the switch
    std::uint32_t flit = 1;  ///< from one flit of an input VC to the next
    bool whole = false;      ///< a head is at the front only when its tail is here
};

/// The routers of a bank as one sees them, after the current cycle. Numbers k are within the bank.
class router_view {
  public:
    router_view() = default;
    virtual ~router_view() = default;
    router_view(const router_view&) = delete;
    router_view& operator=(const router_view&) = delete;

    virtual in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    virtual out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Flits sent, modulo 2^32.
    virtual std::uint32_t flits_sent(std::uint32_t k) const = 0;
    virtual std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Of all input VCs: adds one to the bin of how many flits each holds. Makes bins as needed.
    virtual void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const = 0;
    /// The flit at place n (from the front) of an input VC.
    virtual flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const = 0;
    /// Whether the head at the front of an input VC still bids for an output VC.
    virtual bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    virtual router_pace pace() const = 0;
    /// Whether the head that bids at the front of an input VC may be given that output VC at all.
    virtual bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                          std::uint32_t out_vc) const = 0;
    /// If so: whether it may be with so many credits there, where no packet has it.
    virtual bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                             std::uint32_t out_vc, std::uint32_t credits) const = 0;
    /// Credits that were given to an output VC, are not back yet, and that no wire carries.
    virtual std::uint32_t credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Flits in input buffers whose first packet leaves by an output port or asks for it: for routing that
    /// looks at congestion. Not those of the packet whose route is being computed.
    virtual std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const = 0;
    virtual std::uint64_t bytes() const = 0;
};

}  // namespace sare
