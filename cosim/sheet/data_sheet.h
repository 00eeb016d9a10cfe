// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/bench/plugin_case.h"

#include <optional>
#include <set>
#include <tuple>

namespace sare::cosim {

/// A range of measured numbers; empty until the first one is taken.
struct measured {
    double least = 0, most = -1;
    bool known() const { return least <= most; }
    void take(double value);
};

/// Order in which an arbiter serves those that ask at once, as far as the pins tell.
enum class order : std::uint8_t {
    unknown,
    other,
    fixed,
    in_turn,  ///< round_robin or least_recent: two inputs do not tell
    round_robin,
    other_ring,  ///< round robin over ports that are numbered otherwise
    least_recent,
    oldest,
    from_rest,  ///< fixed at an output that was idle, by turns at one that was not
};

/// Time at which an output VC that a packet has left is given to another one: when all credits are back,
/// earlier, or with the tail.
enum class vc_reuse : std::uint8_t { unknown, atomic, between, tail };

/// Ways of packets through a router, by input and output port.
struct turn_list {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;  ///< ascending
    std::string missing;      ///< turns that routing brings and no packet has taken, " 1->2"
    bool never_back = false;  ///< true: those are all that lead back to their input port
};

/// Effects of input VCs that wait on others.
struct waiting_vcs {
    /// Input VCs that were never served while all wanted an output: input, VC and output.
    std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> starved;
    /// True: while a VC waits, none of its input goes on to another output, or none of its output does.
    bool holds_input = false, holds_output = false;
};

/// Properties of a router, measured at its pins. Times are in cycles, from pins to pins.
struct data_sheet {
    measured head, body;     ///< latencies in the idle router: of a head, and of a flit whose head has left
    measured pace;           ///< time from one flit of a packet that is alone to the next, behind its head
    measured behind_head;    ///< time from a head that is alone to the next flit
    measured vc_allocation;  ///< time of VC allocation, of a head that has waited for its output VC
    measured places;         ///< flits that an input VC takes while nothing leaves, all of them full
    measured places_alone;   ///< places of an input VC while the other VCs of its port are empty
    measured credits;        ///< flits that leave on an output VC without a credit
    measured credit_back;    ///< time from a body flit that comes in, and goes on at once, to its credit
    measured credit_used;    ///< time from a credit to the flit that waited for it
    measured head_used;   ///< time from the last credit of an output VC to a head that waited for all of them
    measured rate_alone;  ///< flits a cycle of one VC whose credits come at once
    measured rate_full;   ///< flits a cycle of an output that all inputs want
    measured worst_wait;  ///< longest time without a flit of an input that always has some for an output
    measured least_share;  ///< smallest part of an output that such an input gets, times the inputs
    std::optional<pins::head_credits> room;  ///< places beyond an output VC that a head waits for
    bool stores = false;                     ///< true: a head waits for its tail
    vc_reuse reuse = vc_reuse::unknown;
    order packets = order::unknown, flits = order::unknown;
    turn_list turns;
    waiting_vcs waiting;

    std::string clean;                   ///< error that probes and random traffic have found; "": none
    std::vector<std::string> void_runs;  ///< measurements in which the router failed
};

/// Measures the router of a case (experiment, router, seed) in its place at its pins, after probes and random
/// traffic of so many cycles (0: without). Limits that its facts() declare hold in these, not in the
/// measurements.
data_sheet characterise(const plugin_place& at, const plugin_case& c, cycle_t cycles);

/// Returns the lines of C++ for facts() that follow from a sheet, one for each fact that differs from its
/// default.
std::string facts_text(const data_sheet& sheet, const pins::router_facts& declared);

/// Returns the sections `router` and `nic` (what differs from the place's) of a model that behaves as the
/// router in its network, as a map. Appends to `why_not` what the model does not have.
config::value fitted_model(const data_sheet& sheet, const plugin_place& at,
                           std::vector<std::string>& why_not);

}  // namespace sare::cosim
