// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router_api/base/router_arbiter.h"
#include "tlm/router_api/view.h"

#include <vector>

namespace sare {

/// Timing of a router's work on a packet, in cycles of its clock: observers tell work from waiting by it.
struct router_pace {
    std::uint32_t rc = 0;    ///< from a head's arrival at the front until it bids for an output VC
    std::uint32_t va = 0;    ///< from the grant of an output VC until the packet bids for the switch
    std::uint32_t flit = 1;  ///< from one flit of an input VC to its next
    bool whole = false;      ///< true: a head comes to the front only with its tail
};

/// The routers of a bank as observers see them, after the current cycle. Numbers k are within the bank.
class router_view {
  public:
    router_view() = default;
    virtual ~router_view() = default;
    router_view(const router_view&) = delete;
    router_view& operator=(const router_view&) = delete;

    /// Returns the state of an input VC, and out() that of an output VC, of router k.
    virtual in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    virtual out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Number of flits sent, modulo 2^32: by router k, and by one of its output VCs.
    virtual std::uint32_t flits_sent(std::uint32_t k) const = 0;
    virtual std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Adds to `bins[n]` the number of input VCs of router k that hold n flits; lengthens `bins` as needed.
    virtual void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const = 0;
    /// Returns the flit at place n, from the front, of an input VC.
    virtual flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const = 0;
    /// Appends the arbiters of router k to `all`; a kind that shows none appends nothing.
    virtual void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
        (void)k, (void)all;
    }
    /// True if the head at the front of an input VC still bids for an output VC.
    virtual bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    virtual router_pace pace() const = 0;
    /// True if the head that bids at the front of an input VC may be given this output VC at all.
    virtual bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                          std::uint32_t out_vc) const = 0;
    /// True if `credits` credits of an output VC are enough for the head at the front of an input VC, which
    /// asks_for() that output VC, to get it.
    virtual bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                             std::uint32_t out_vc, std::uint32_t credits) const = 0;
    /// Number of credits that an output VC has been given, that are not back yet and that no wire carries.
    virtual std::uint32_t credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Number of flits in input buffers whose first packet leaves by an output port or asks for it, for
    /// routing that looks at congestion. Without the packet whose route is being computed.
    virtual std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const = 0;
    virtual std::uint64_t bytes() const = 0;  ///< memory of the bank
};

}  // namespace sare
