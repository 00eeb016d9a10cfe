// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pair_run.h"
#include "cosim/random/place.h"
#include "cosim/random/random_run.h"

namespace sare::cosim {

/// Traffic at the pins of one router, event by event.
struct pin_events {
    struct packet {
        std::uint32_t port = 0, vc = 0;  ///< input port and VC of the packet
        std::uint32_t destination = 0;   ///< destination node
        std::uint32_t ways = 0;  ///< value of route_header::state: for each dimension, which way round a ring
                                 ///< the packet takes
        /// Cycle, from 1, before which each of its flits must not come in, in ascending order; one for each
        /// flit.
        std::vector<std::uint32_t> at;
    };
    /// A credit for a flit that has left by an output port and VC, given in cycle `at`, or later as soon as a
    /// flit has left for which no credit was given.
    struct credit {
        std::uint32_t port = 0, vc = 0, at = 0;
    };

    std::vector<packet> packets;
    std::vector<credit> credits;

    std::uint32_t flits() const;  ///< number of flits of all packets
    cycle_t end() const;          ///< cycle of the last event; 0: there is none

    /// Moves every event earlier by `earlier` cycles; events that would come before cycle 1 are removed.
    void move(std::uint32_t earlier);
    /// Removes the packets that begin, and the credits that come, after cycle `last`.
    void cut(std::uint32_t last);
    /// Returns the events with these numbers, in ascending order: packets first, then credits.
    pin_events part(const std::vector<std::size_t>& numbers) const;
};

/// Returns the lines of YAML `packets:` and `credits:`, indented by 2.
std::string text(const pin_events& events);
/// Returns the events in rows, as text() writes them, for a router with `ports` and `vcs`. Throws
/// config::error, placed at `at`, for a row that is malformed. `section`: name for messages.
pin_events read_events(const std::vector<std::vector<std::uint32_t>>& packets,
                       const std::vector<std::vector<std::uint32_t>>& credits, std::uint32_t ports,
                       std::uint32_t vcs, const std::string& section, const config::location& at);

/// One router under traffic that is written down event by event: a failing random router is shrunk to it. It
/// is stored as YAML, which `sare cosim` runs.
struct pin_case : pin_events {
    router_setting setting;
    router_place place;
};

/// Returns a case as YAML, a document with the section `pin_case`. Parameters of the router that have their
/// default are left out.
std::string text(const pin_case& c);
/// Reads the section `pin_case` of a document. Throws config::error if it is missing or wrong, or describes a
/// router that the RTL cannot be.
pin_case read_pin_case(const config::value& document);
/// Returns the C++ text of a GoogleTest with the name `name` and the comment `why` that fails as long as
/// model and RTL differ in the case.
std::string test_text(const pin_case& c, const std::string& name, const std::string& why);
/// Returns the same for a case in YAML: the test is that `function` of `header` returns "" for it.
std::string test_text(const std::string& yaml, const std::string& name, const std::string& why,
                      const std::string& header, const std::string& function);

/// Traffic that plays events at a router. They and `around`, its place, must outlive it.
class case_traffic final : public pin_traffic {
  public:
    case_traffic(const router_setting& setting, const routing_context& around, const pin_events& events);
    packet_table& packets() override { return m_packets; }
    const std::vector<port_in>& inputs(bool closing) override;
    void outputs(const std::vector<port_out>& out) override;
    bool empty() const override { return m_packets.in_use() == 0 && m_flits_left == 0; }

  private:
    struct lane {                                  // input and output VC of a port
        std::vector<const pin_case::packet*> due;  // in the order of their heads
        std::size_t next = 0;
        std::uint32_t sent = 0, number = 0;  ///< number of flits sent of the packet that has begun; number of
                                             ///< this packet
        std::vector<std::uint32_t> back;     ///< cycles before which the credits must not be given, in order
        std::size_t given = 0;               ///< number of credits given
        std::uint32_t owed = 0;  ///< number of flits that have come out and whose credits are not given
    };
    lane& at(std::uint32_t port, std::uint32_t vc) { return m_lanes[port * m_vcs + vc]; }
    void give_credits(std::uint32_t port, bool closing);
    void send_flit(std::uint32_t port);

    router_setting m_setting;
    const routing_context& m_around;
    std::uint32_t m_vcs;
    std::vector<lane> m_lanes;
    std::vector<buffer_places> m_places;  ///< free places of the buffers at each input port
    packet_table m_packets;
    std::vector<port_in> m_in;
    std::uint64_t m_flits_left;  ///< number of flits that have not been sent yet
    std::uint64_t m_uids = 0;    ///< number of packets that have begun
    std::uint32_t m_now = 0;     ///< present cycle
};

/// Makes a case of what happens at the pins of a router: stores packets and credits as events.
class case_recorder final : public pin_observer {
  public:
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;
    /// Adds to each packet that is not complete the flits that have not come yet, one in each cycle after
    /// `t`.
    void complete(cycle_t t);

    std::vector<pin_case::packet> packets;  ///< packets so far, in the order of their heads
    std::vector<pin_case::credit> credits;  ///< credits so far, in the order of their cycles

  private:
    std::vector<std::size_t> m_open;       ///< index in `packets`, by the number of the packet at the pins
    std::vector<std::uint32_t> m_lengths;  ///< flits of the whole packet, by index in `packets`
};

/// Runs a case in lock step; of `how`, the seed, `cycles` and `most_vcs` are not used. The case fails if
/// `problem` of the outcome is not empty or `first` has a value.
random_outcome run(const pin_case& c, const random_run& how);
/// Runs a case given as YAML, for the tests that test_text() makes. Returns what is wrong, as a line; empty
/// if nothing is.
std::string difference(const std::string& yaml);

}  // namespace sare::cosim
