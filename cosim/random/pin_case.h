// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pair_run.h"
#include "cosim/random/place.h"
#include "cosim/random/random_run.h"

namespace sare::cosim {

/// Traffic at the pins of one router, event by event.
struct pin_events {
    struct packet {
        std::uint32_t port = 0, vc = 0;  ///< port and VC by which it comes in
        std::uint32_t destination = 0;   ///< destination node
        std::uint32_t ways = 0;          ///< route_header::state: the ways that the packet takes round rings
        /// First cycle, from 1, in which each of its flits may come, in ascending order.
        std::vector<std::uint32_t> at;
    };
    /// A credit for a flit that has left by a port and VC, given in cycle `at`, or as soon as a flit has left
    /// for which it can be.
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

/// Returns a case as YAML with the one section `pin_case`. Parameters of the router that have their default
/// are left out.
std::string text(const pin_case& c);
/// Reads the section `pin_case`, which must be there. Throws config::error for a case that no router in RTL
/// can have.
pin_case read_pin_case(const config::value& document);
/// Returns C++: the GoogleTest `name`, with the comment `why`, which fails while model and RTL differ.
std::string test_text(const pin_case& c, const std::string& name, const std::string& why);
/// Returns the same for a case in YAML: the test is that `function` of `header` returns "" for it.
std::string test_text(const std::string& yaml, const std::string& name, const std::string& why,
                      const std::string& header, const std::string& function);

/// Traffic that plays events, which must outlive it, at a router.
class case_traffic final : public pin_traffic {
  public:
    case_traffic(const router_setting& setting, const pin_events& events);
    packet_table& packets() override { return m_packets; }
    const std::vector<port_in>& inputs(bool closing) override;
    void outputs(const std::vector<port_out>& out) override;
    bool empty() const override { return m_packets.in_use() == 0 && m_flits_left == 0; }

  private:
    struct lane {                                  // input and output VC of a port
        std::vector<const pin_case::packet*> due;  // in the order of their heads
        std::size_t next = 0;
        std::uint32_t sent = 0, number = 0;  ///< flits sent and number of the packet that has begun
        std::vector<std::uint32_t> back;     ///< cycles in which credits are to be given, at the earliest
        std::size_t given = 0;               ///< number of credits given
        std::uint32_t owed = 0;              ///< number of flits taken whose credits are not given
    };
    lane& at(std::uint32_t port, std::uint32_t vc) { return m_lanes[port * m_vcs + vc]; }
    void give_credits(std::uint32_t port, bool closing);
    void send_flit(std::uint32_t port);

    router_setting m_setting;
    std::uint32_t m_vcs;
    std::vector<lane> m_lanes;
    std::vector<buffer_places> m_places;  ///< places of the router, by port
    packet_table m_packets;
    std::vector<port_in> m_in;
    std::uint64_t m_flits_left;  ///< number of flits that have not been sent
    std::uint64_t m_uids = 0;    ///< number of packets that have begun
    std::uint32_t m_now = 0;     ///< present cycle
};

/// Records packets and credits at the pins as events of a case.
class case_recorder final : public pin_observer {
  public:
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;
    /// Makes all packets complete: adds the flits that have not come yet, in cycles after `t`.
    void complete(cycle_t t);

    std::vector<pin_case::packet> packets;  ///< packets in the order of their heads
    std::vector<pin_case::credit> credits;  ///< credits in the order of their cycles

  private:
    std::vector<std::size_t> m_open;       ///< place in `packets`, by packet number
    std::vector<std::uint32_t> m_lengths;  ///< flits of the complete packet, by place in `packets`
};

/// Runs a case. It fails if `problem` of the outcome is not "", or `first` has a value. The seed, cycles and
/// most_vcs of `how` are not used.
random_outcome run(const pin_case& c, const random_run& how);
/// Runs a case in YAML, for the tests of test_text(). Returns what is wrong; "" if nothing is.
std::string difference(const std::string& yaml);

}  // namespace sare::cosim
