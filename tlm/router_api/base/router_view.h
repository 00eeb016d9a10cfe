// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/base/ids.h"
#include "tlm/router_api/base/router_arbiter.h"
#include "tlm/router_api/view.h"

#include <vector>

namespace sare {

/// Timing of a router's work on a packet, in cycles of its clock, by which observers tell work from waiting.
struct router_pace {
    /// Cycles from a head's arrival at the front of its buffer until it bids for an output VC.
    std::uint32_t rc = 0;
    std::uint32_t va = 0;    ///< cycles from the grant of an output VC until the packet bids for the switch
    std::uint32_t flit = 1;  ///< least cycles from one flit that leaves an input VC to the next
    std::uint32_t matching = 1;  ///< least cycles from one matching of the switch to the next
    bool whole = false;          ///< true: a head counts as at the front only when its tail has come, too
};

/// The routers of a bank as observers see them, after the current cycle. A router is given by its number k
/// within the bank; numbers are not checked.
class router_view {
  public:
    router_view() = default;
    virtual ~router_view() = default;
    router_view(const router_view&) = delete;
    router_view& operator=(const router_view&) = delete;

    /// Returns the state of input VC `vc` of a port of router k.
    virtual in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the state of output VC `vc` of a port of router k.
    virtual out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the number of flits that router k has sent since the start, modulo 2^32.
    virtual std::uint32_t flits_sent(std::uint32_t k) const = 0;
    /// Returns the number of flits sent by output VC `vc` of a port of router k since the start, modulo 2^32.
    virtual std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Adds to `bins[n]` the number of input VCs of router k that hold n flits; lengthens `bins` as needed.
    virtual void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const = 0;
    /// Returns flit n of an input VC, counted from 0 at the front; n must be less than in_vc::count.
    virtual flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const = 0;
    /// Appends the arbiters of router k to `all`; a kind that shows none appends nothing.
    virtual void list_arbiters(std::uint32_t k, std::vector<router_arbiter>& all) const {
        (void)k, (void)all;
    }
    /// True if a head is at the front of an input VC and still has no output VC.
    virtual bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Timing of all routers of the bank.
    virtual router_pace pace() const = 0;
    /// True if the routes of the head that bids at the front of an input VC allow output VC `out_vc` of
    /// `out_port`, whoever owns it now.
    virtual bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                          std::uint32_t out_vc) const = 0;
    /// True if the head at the front of an input VC could be granted output VC `out_vc` of `out_port`, if
    /// that had `credits` credits. Call only if asks_for() is true for them.
    virtual bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                             std::uint32_t out_vc, std::uint32_t credits) const = 0;
    /// Returns the number of credits of an output VC that are due, for flits that have left the next buffer,
    /// but that the router does not have yet and no wire carries.
    virtual std::uint32_t credits_coming(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const = 0;
    /// Returns the number of flits in the input buffers of router k whose packet at the front has or asks for
    /// output `port`, for routing that looks at congestion. The packet whose route is being computed does not
    /// count.
    virtual std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const = 0;
    /// Number of cycles before cycle `t` of the router's clock in which some VC of an output port was paused
    /// (pause_rule); 0 for kinds that cannot pause, the default.
    virtual cycle_t paused_before(std::uint32_t k, std::uint32_t port, cycle_t t) const {
        (void)k, (void)port, (void)t;
        return 0;
    }
    virtual std::uint64_t bytes() const = 0;  ///< memory of the bank in bytes
};

}  // namespace sare
