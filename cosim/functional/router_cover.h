// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/traits.h"
#include "cosim/pins/routing_context.h"
#include "cosim/random/pin_traffic.h"

namespace sare::cosim {

/// The cover points of sare_router: pairs of parameters, and events at its pins crossed with parameters.
class router_points {
  public:
    router_points();

    cover_table table;
    /// Number of holes that a router surely hits (pairs of its parameters), and of holes that it could hit by
    /// events at its pins.
    struct reach {
        std::uint32_t certain = 0, possible = 0;
    };
    reach holes_of(const router_setting& s) const;

    /// Numbers of the points of events in `table`.
    std::uint32_t buffer, credits, pool, turn, winner, at_once, length, together;
    /// Number in `table` of the point of each pair of traits, in order of the first trait, then the second.
    std::vector<std::uint32_t> pairs;

  private:
    /// True if a router can reach a place, apart from what its traits say.
    using reaches = bool (*)(const router_setting&, const cover_table::place&);
    std::uint32_t add(const char* name, std::vector<cover_table::axis> free, std::vector<trait> fixed,
                      const std::function<bool(const cover_table::place&)>& possible = {},
                      reaches comes_to = nullptr);
    struct fixed_axes {
        std::uint32_t point;
        std::size_t free;  ///< number of axes before the traits
        std::vector<trait> which;
        reaches comes_to;
    };
    std::vector<fixed_axes> m_crosses;
};

/// Counts the events at a router's pins in the table of `points`; on construction, its pairs of parameters.
class router_cover final : public pin_observer {
  public:
    /// `around` and `points` must outlive it.
    router_cover(const router_setting& s, const routing_context& around, router_points& points);
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;

  private:
    /// One VC number of a port, as input VC and as output VC.
    struct channel {
        bool was_full = false;  ///< input VC: had no free place, and has not given all credits back since
        bool was_out = false;   ///< output VC: had no credit left, and has not got all credits back since
    };
    /// Buffers of the input VCs of a port, or those beyond its output VCs.
    struct side {
        buffer_places places;  ///< a flit that has come (or left) takes one until its credit is seen
        bool ran_out = false;  ///< the places that VCs share were all taken, and are not all free again
    };
    void hit(std::uint32_t point, std::initializer_list<std::uint32_t> free,
             std::initializer_list<trait> fixed);
    void note_input(std::uint32_t q, const port_in& in, const port_out& out, const packet_table& packets);
    void note_output(std::uint32_t q, const port_in& in, const port_out& out, const packet_table& packets);
    void note_pool(side& at, std::uint32_t beyond);
    void note_head(std::uint32_t q, const flit& f, const carried_packet& p);
    std::uint32_t turn_of(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t vc_class(std::uint32_t vc) const;

    router_setting m_s;
    const routing_context& m_around;
    router_points& m_points;
    cover_table::place m_traits;
    std::vector<channel> m_channels;           ///< by port * vcs + vc
    std::vector<side> m_here, m_beyond;        ///< by port: of its inputs, of its outputs
    std::vector<std::uint32_t> m_waiting;      ///< packets inside, by output * ports + input
    std::vector<std::uint32_t> m_last_winner;  ///< input port of the last packet to leave, by output port
};

}  // namespace sare::cosim
