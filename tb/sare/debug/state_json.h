// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/live/live_log.h"
#include "tlm/systemc/foreign_block.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

/// The state of a network between two cycles as JSON, for the debugger. Each function returns an object; a
/// list of objects in it has the same keys in each, so that it can be shown as a table.
namespace sare::cli {

using state_json = nlohmann::ordered_json;

/// Requests of all input VCs of a network before a cycle, and the owner of each output VC then.
class cycle_requests {
  public:
    /// A request of an input VC for an output VC, or for the switch.
    struct request {
        std::uint32_t router, port, vc;  ///< input VC
        /// Output VC that it asks for, or if `for_switch`, the one that it holds.
        std::uint32_t out_port, out_vc;
        bool for_switch;  ///< true: it asks for the switch (SA); false: for an output VC (VA)
        flit front;       ///< flit at the front of the input VC
    };

    /// Stores the requests in the present state of `net`, before the next cycle is run.
    explicit cycle_requests(const network_view& net);
    /// Returns a list of the requests of router `router`, each with whether it was granted in the one cycle
    /// that has been run since the constructor.
    state_json of(const network_view& net, const live_log& log, std::uint32_t router) const;
    const std::vector<request>& all() const { return m_requests; }  ///< requests of all routers
    /// Returns true if request `r` was granted in the one cycle that has been run since the constructor.
    bool was_granted(const network_view& net, const request& r) const;

  private:
    std::vector<request> m_requests;      ///< requests, in order of routers
    std::vector<std::uint16_t> m_owners;  ///< owner of each output VC before the cycle
    std::vector<std::uint32_t> m_sent;    ///< number of flits sent by each output VC before the cycle
    std::vector<std::size_t> m_first;     ///< index of each router's first output VC in m_sent and m_owners
};

/// Reader of the state of a network, which returns parts of it as JSON. `net` and `log` must outlive it.
class state_reader {
  public:
    state_reader(const network_view& net, const live_log& log) : m_net(net), m_log(log) {}

    /// Returns the state of router number `r`: each VC of each port, its requests in the last cycle if `last`
    /// has a value, and its arbiters. `foreign`: block in its place, of which only the pins are shown; null:
    /// none.
    state_json router(std::uint32_t r, const foreign_block* foreign,
                      const std::optional<cycle_requests>& last) const;
    /// Returns the state of a packet by its number, in order of injection from 0: places of its flits, and
    /// packets for which they wait. Throws config::error for a number that the log does not have.
    state_json packet(std::uint64_t number) const;
    /// Returns the state of the link that leaves port number `port` of router number `router`.
    state_json link(std::uint32_t router, std::uint32_t port) const;
    /// Returns the state of node number `n`: its counts, and its source queues and credits.
    state_json node(std::uint32_t n) const;
    /// Returns all waits between input VCs, with the number of circles and whether there is a deadlock.
    state_json waits() const;
    /// Returns the numbers of packets and flits in the network, and the flits in each router that is not
    /// empty.
    state_json network() const;

    /// Returns the state of the network for the page that draws it (class LiveSource of
    /// tb/python/sare/report/player/tour.js), after the last cycle. An input VC that bids for output VCs has
    /// the list of these instead of a number. Packets are those from number `from` on, and those that have
    /// ended in cycle `since` or later or have not ended.
    state_json frame(const std::optional<cycle_requests>& last, std::uint64_t from, cycle_t since) const;

    /// Returns the name of a VC of a port, such as "+x vc 0".
    std::string in_name(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    std::string router_name(std::uint32_t r) const {
        return m_net.map()->names().text(place_kind::router, r);
    }
    std::string node_name(std::uint32_t n) const { return m_net.map()->names().text(place_kind::node, n); }

  private:
    void add_name(state_json& to, place_kind what, std::uint32_t number) const;
    state_json flit_of(const flit& f) const;
    state_json frame_inputs(const std::optional<cycle_requests>& last) const;
    state_json frame_links(const std::optional<cycle_requests>& last) const;
    state_json number_of(std::uint32_t slot) const;
    state_json arbiters(std::uint32_t r) const;
    state_json pins(std::uint32_t r, const foreign_block& block) const;
    std::string requester(std::uint32_t r, const router_arbiter& a, std::uint32_t n) const;
    std::string beyond(std::uint32_t router, std::uint32_t port) const;
    /// Returns the output VCs, as port * VCs + VC, for which the packet at the front of an input VC bids.
    std::vector<std::uint32_t> asked_for(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    std::string wanted(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;

    const network_view& m_net;
    const live_log& m_log;
};

}  // namespace sare::cli
