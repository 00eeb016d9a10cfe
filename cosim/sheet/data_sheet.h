// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"

#include <optional>
#include <set>
#include <tuple>

namespace sare::cosim {

/// Range from the least to the most of measured numbers; empty until the first take().
struct measured {
    double least = 0, most = -1;
    bool known() const { return least <= most; }  ///< true: a number was taken
    void take(double value);                      ///< widens the range to `value`, which is at least 0
};

/// Order in which an output serves input ports of which each has a flit for it, as far as the pins tell.
enum class order : std::uint8_t {
    unknown,       ///< not known: no two input ports asked at once, or the tests do not tell
    other,         ///< none of the orders below
    fixed,         ///< one order of priority at all times
    in_turn,       ///< round_robin or least_recent: no test told one from the other
    round_robin,   ///< in order of port numbers, from the port behind the one served last
    other_ring,    ///< round robin in another order of the ports than that of their numbers
    least_recent,  ///< the input that was served longest ago is served first
    oldest,        ///< the head that came first is served first
    from_rest,     ///< fixed at an output that was idle; equal shares at an output that is never idle
};

/// Time at which an output VC is given to the next packet. atomic: when all credits are back; between:
/// earlier than that, but after the tail; tail: when the tail has left; unknown: not measured.
enum class vc_reuse : std::uint8_t { unknown, atomic, between, tail };

/// Turns: pairs of input and output port that packets take through a router.
struct turn_list {
    /// Turns (input, output) that a packet has taken, ascending.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
    /// Turns that routing demands and no packet has taken, as text: " 1->2 3->3"; "": none.
    std::string missing;
    /// True: there are missing turns, and all of them lead back to their input port.
    bool never_back = false;
};

/// Effects that input VCs which wait have on other input VCs.
struct waiting_vcs {
    /// Input VCs of which no flit left while all input VCs wanted one output: input port, VC and output port.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> starved;
    /// True: while an input VC waits for an output, flits of another VC of its input port cannot leave by
    /// another output (holds_input), or flits of another input port by that output (holds_output).
    bool holds_input = false, holds_output = false;
};

/// Properties of a router, measured at its pins by characterise(). Times are in cycles, from input pins to
/// output pins. A range that is not known() was not measured.
struct data_sheet {
    /// Latency of a head in the idle router; latency of a later flit that comes when its head has left.
    measured head, body;
    measured pace;           ///< time between flits of a packet alone in the router, from its second flit on
    measured behind_head;    ///< time from a head to the next flit of a packet alone in the router
    measured vc_allocation;  ///< cycles that VC allocation takes for a head that has waited for its output VC
    /// Number of flits that an input VC takes while nothing leaves and all other input VCs are full.
    measured places;
    /// Number of flits that an input VC takes while the other VCs of its port are empty.
    measured places_alone;
    /// Number of flits that leave on an output VC while none of its credits comes back.
    measured credits;
    /// Time from the arrival of a flit behind its head, which leaves at once, to the credit for its place.
    measured credit_back;
    /// Time from the arrival of a credit to the leaving of the flit that waited for it.
    measured credit_used;
    /// Time from the last credit of an output VC to the leaving of a head that waited for all its credits.
    measured head_used;
    measured rate_alone;  ///< flits per cycle of one input VC whose credits come at once
    measured rate_full;   ///< flits per cycle of an output that all inputs want
    /// Longest time in which no flit leaves of an input that always has flits for an output.
    measured worst_wait;
    /// Share of the flits of an output that an input gets while all want it, times the number of inputs; 1: a
    /// fair share.
    measured least_share;
    /// Credits of an output VC for which a head waits before it gets the VC; nothing: not known.
    std::optional<pins::head_credits> room;
    /// True: a head waits in the router for its tail (store and forward).
    bool stores = false;
    vc_reuse reuse = vc_reuse::unknown;  ///< time at which an output VC gets the next packet
    /// Order in which heads, and flits of packets that have their output VCs, get an output.
    order packets = order::unknown, flits = order::unknown;
    turn_list turns;
    waiting_vcs waiting;

    /// First error that probes and random traffic found before the measurements, as a line; "": none.
    std::string clean;
    /// Probes of measurements in which the router failed, with the error, a line each.
    std::vector<std::string> void_runs;
};

/// Measures the router of case `c` (experiment, router, seed) at its pins in the place `at`, which must be
/// make_place(c). Tests it first by probes and by random traffic of `cycles` cycles; 0: does not test. Limits
/// that facts() declares are checked in the tests, not in the measurements. Throws config::error if the
/// router does not fit its place.
data_sheet characterise(const plugin_place& at, const plugin_case& c, cycle_t cycles);

/// Returns lines of C++ for the adapter's facts(), such as "f.max_latency = 3;": measured figures of `sheet`,
/// and facts of `declared` that cannot be measured.
std::string facts_text(const data_sheet& sheet, const pins::router_facts& declared);

/// Returns a map with the section `router`, and where needed keys of `nic`, of a model that behaves as the
/// router at `at`. Appends to `why_not` a sentence for each property that the model does not have.
config::value fitted_model(const data_sheet& sheet, const plugin_place& at,
                           std::vector<std::string>& why_not);

}  // namespace sare::cosim
