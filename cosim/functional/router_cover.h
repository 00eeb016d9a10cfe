// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/functional/traits.h"
#include "cosim/pins/routing_context.h"
#include "cosim/random/pin_traffic.h"

namespace sare::cosim {

/// The coverage points (cover_table) of rtl/sare_router.sv: pairs of its parameters (traits.h), and events at
/// its pins crossed with parameters.
class router_points {
  public:
    /// Makes the points, without hits.
    router_points();

    /// Table of all points, with their hits.
    cover_table table;
    /// Numbers of holes that a router with given parameters would hit: `certain`, just by having these
    /// parameters; `possible`, by events that can happen at its pins.
    struct reach {
        std::uint32_t certain = 0, possible = 0;
    };
    /// Returns the numbers of holes of `table` that tests of a router with setting `s` would hit.
    reach holes_of(const router_setting& s) const;

    /// Numbers, in `table`, of the points of events. buffer: an input VC's buffer is full, or empty again.
    /// credits: an output VC has no credit left, or all credits back. pool: the places that VCs share are all
    /// taken, or all free again. turn: kinds of the input and of the output port of a packet. branches:
    /// number of branches of a packet, and number of its heads that leave at once. winner: input that gets an
    /// output port. at_once: events of a VC in the same cycle. length: flits of packets. together: ports with
    /// flits in the same cycle.
    std::uint32_t buffer, credits, pool, turn, branches, winner, at_once, length, together;
    /// Number in `table` of the point of each pair of traits (a, b) with a < b, in the order of a, then b.
    std::vector<std::uint32_t> pairs;

  private:
    /// Function that returns true if events at a router can hit a bin, whose traits are those of the router.
    using reaches = bool (*)(const router_setting&, const cover_table::place&);
    std::uint32_t add(const char* name, std::vector<cover_table::axis> free, std::vector<trait> fixed,
                      const std::function<bool(const cover_table::place&)>& possible = {},
                      reaches comes_to = nullptr);
    /// A point whose last axes are traits, which have fixed values for one router.
    struct fixed_axes {
        std::uint32_t point;       ///< number of the point in `table`
        std::size_t free;          ///< number of axes in front of those of the traits
        std::vector<trait> which;  ///< traits of the axes behind
        reaches comes_to;          ///< null: events at every router with these traits can hit all bins
    };
    std::vector<fixed_axes> m_crosses;
};

/// Observer that counts the events at the pins of a router in a router_points; note() must get the inputs and
/// outputs of the same cycle. The constructor counts the pairs of the router's parameters.
class router_cover final : public pin_observer {
  public:
    /// `around`, the place of the router, and `points` must outlive the object.
    router_cover(const router_setting& s, const routing_context& around, router_points& points);
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;

  private:
    /// State of a VC of a port, as input VC and as output VC.
    struct channel {
        bool was_full = false;  ///< input VC: its buffer had no free place, and not all places have become
                                ///< free since
        bool was_out = false;   ///< output VC: it had no credit left, and has not got all credits back since
    };
    /// The buffers of all VCs at an input port, or beyond an output port.
    struct side {
        buffer_places places;  ///< a flit that has come (or left) takes a place until its credit is seen
        bool ran_out = false;  ///< true: the places that VCs share were all taken, and have not all become
                               ///< free since
    };
    void hit(std::uint32_t point, std::initializer_list<std::uint32_t> free,
             std::initializer_list<trait> fixed);
    void note_input(std::uint32_t q, const port_in& in, const port_out& out, const packet_table& packets);
    void note_output(std::uint32_t q, const port_in& in, const port_out& out, const packet_table& packets);
    void note_pool(side& at, std::uint32_t beyond);
    void note_head(std::uint32_t q, const flit& f, const carried_packet& p);
    void note_branches(const std::vector<port_out>& out, const packet_table& packets);
    std::uint32_t turn_of(std::uint32_t from, std::uint32_t to) const;
    std::uint32_t vc_class(std::uint32_t vc) const;

    router_setting m_s;
    const routing_context& m_around;
    router_points& m_points;
    cover_table::place m_traits;           ///< traits_of() the router
    std::vector<channel> m_channels;       ///< state of each VC, [port * vcs + vc]
    std::vector<side> m_here, m_beyond;    ///< buffers at each input port; buffers beyond each output port
    std::vector<std::uint32_t> m_waiting;  ///< number of packets inside, by [output port * ports + input
                                           ///< port]
    std::vector<std::uint32_t> m_last_winner;  ///< input port of the last packet that left by each output
                                               ///< port
};

}  // namespace sare::cosim
