// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"
#include "tlm/inside/live/live_log.h"
#include "tlm/systemc/foreign_block.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

/// The state of a network between two cycles, for the debugger: each function returns an object whose lists
/// of objects read as tables.
namespace sare::cli {

using state_json = nlohmann::ordered_json;

/// What all input VCs of a network asked for before a cycle, and what each output VC was.
class cycle_requests {
  public:
    struct request {
        std::uint32_t router, port, vc;  ///< input VC
        std::uint32_t out_port, out_vc;  ///< output VC that it asks for, or by which it asks for the switch
        bool for_switch;
        flit front;  ///< flit at its front
    };

    /// Notes the requests before the next cycle.
    explicit cycle_requests(const network_view& net);
    /// Returns the requests of a router in the cycle that has been run since, with those that were granted.
    state_json of(const network_view& net, const live_log& log, std::uint32_t router) const;
    const std::vector<request>& all() const { return m_requests; }
    bool was_granted(const network_view& net, const request& r) const;

  private:
    std::vector<request> m_requests;      ///< in order of routers
    std::vector<std::uint16_t> m_owners;  ///< owner of each output VC before the cycle
    std::vector<std::uint32_t> m_sent;    ///< flits sent by each output VC before the cycle
    std::vector<std::size_t> m_first;     ///< place of a router's first output VC in m_sent
};

class state_reader {
  public:
    state_reader(const network_view& net, const live_log& log) : m_net(net), m_log(log) {}

    /// Each VC of each port of a router, its requests in the last cycle if they were noted, and its arbiters.
    /// `foreign`: block in its place, of which only the pins are shown; or null.
    state_json router(std::uint32_t r, const foreign_block* foreign,
                      const std::optional<cycle_requests>& last) const;
    /// A packet: where its flits are, and what the first of them wait for. Throws config::error for an
    /// unknown number.
    state_json packet(std::uint64_t number) const;
    /// The link that leaves a port of a router.
    state_json link(std::uint32_t router, std::uint32_t port) const;
    state_json node(std::uint32_t n) const;
    /// All waits between input VCs, with circles and deadlocks.
    state_json waits() const;
    /// What is in the network in all, and how full each router is.
    state_json network() const;

    /// The network for the page that draws it (class LiveSource of tb/python/sare/report/player/tour.js),
    /// after the last cycle; an input VC that bids has the list of output VCs in the place of its number.
    /// Packets are those from number `from` on, and those that have ended in cycle `since` or later or have
    /// not ended.
    state_json frame(const std::optional<cycle_requests>& last, std::uint64_t from, cycle_t since) const;

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
    /// Output VCs (port * VCs + VC) that the packet at the front bids for.
    std::vector<std::uint32_t> asked_for(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;
    std::string wanted(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const;

    const network_view& m_net;
    const live_log& m_log;
};

}  // namespace sare::cli
