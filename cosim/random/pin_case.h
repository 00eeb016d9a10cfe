// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pair_run.h"
#include "cosim/random/place.h"
#include "cosim/random/random_run.h"

namespace sare::cosim {

/// Traffic at the pins of one router, event by event: packets with the cycles of their flits, and credits.
struct pin_events {
    /// A packet that comes into the router.
    struct packet {
        std::uint32_t port = 0, vc = 0;  ///< input port and VC of the packet
        std::uint32_t destination = 0;   ///< destination node
        std::uint32_t ways = 0;  ///< value of route_header::state: for each dimension, which way round a ring
                                 ///< the packet takes
        /// Earliest cycle, from 1, in which each of its flits may come in, in ascending order; one element
        /// for each flit.
        std::vector<std::uint32_t> at;
    };
    /// A credit for output port `port` and VC `vc`: given in cycle `at`, from 1. If all flits that have left
    /// there have their credits by then, it is given once another one has left.
    struct credit {
        std::uint32_t port = 0, vc = 0, at = 0;
    };

    std::vector<packet> packets;  ///< packets, in any order
    std::vector<credit> credits;  ///< credits, in any order

    std::uint32_t flits() const;  ///< number of flits of all packets
    cycle_t end() const;          ///< returns the cycle of the last flit or credit; 0: there is none

    /// Moves every event earlier by `earlier` cycles; packets whose head and credits that would come before
    /// cycle 1 are removed.
    void move(std::uint32_t earlier);
    /// Removes the packets that begin, and the credits that come, after cycle `last`.
    void cut(std::uint32_t last);
    /// Returns the events with the numbers `numbers`, which must be ascending: packet k has number k, credit
    /// k the number of packets + k.
    pin_events part(const std::vector<std::size_t>& numbers) const;
};

/// Returns the events as lines of YAML, the keys `packets:` and `credits:`, indented by 2 spaces; a key
/// without events is left out.
std::string text(const pin_events& events);
/// Returns the events in rows, as text() writes them. A row of `packets`: port, VC, destination, ways, cycle
/// of each flit; of `credits`: port, VC, cycles. `ports`, `vcs`: numbers of the router; `section`: name for
/// messages. Throws config::error, placed at `at`, for a malformed row.
pin_events read_events(const std::vector<std::vector<std::uint32_t>>& packets,
                       const std::vector<std::vector<std::uint32_t>>& credits, std::uint32_t ports,
                       std::uint32_t vcs, const std::string& section, const config::location& at);

/// One router under traffic that is written down event by event: a failing random router is shrunk to it. It
/// is stored as YAML, which `sare cosim` runs.
struct pin_case : pin_events {
    router_setting setting;  ///< the router
    router_place place;      ///< its place in a network
};

/// Returns a case as YAML, a document with the section `pin_case`. Parameters of the router that have their
/// default value are left out.
std::string text(const pin_case& c);
/// Returns the case in the section `pin_case` of a document, which must have the section, and in it `here`
/// for routing by table (neither is checked). Throws config::error if the section is wrong, or describes a
/// router that the RTL cannot be.
pin_case read_pin_case(const config::value& document);
/// Returns the C++ text of a GoogleTest with the name `name` and the comment `why` that fails as long as
/// model and RTL differ in the case.
std::string test_text(const pin_case& c, const std::string& name, const std::string& why);
/// Returns the C++ text of a GoogleTest for a case in YAML: it expects that `function`, declared in the file
/// `header`, returns "" for `yaml`. `name`, `why`: name and comment of the test.
std::string test_text(const std::string& yaml, const std::string& name, const std::string& why,
                      const std::string& header, const std::string& function);

/// Traffic that plays the events of a case at a router. `events` and `around`, the place of the router, must
/// outlive it. A flit that has no place in the input buffer in its cycle comes later.
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
        /// Number of flits sent of the packet that has begun; number of this packet in m_packets.
        std::uint32_t sent = 0, number = 0;
        std::vector<std::uint32_t> back;  ///< cycles before which the credits must not be given, in order
        std::size_t given = 0;            ///< number of credits given
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

/// Observer that stores the packets that come into a router, and the credits that it gets, as events of a
/// case.
class case_recorder final : public pin_observer {
  public:
    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;
    /// Completes packets whose tail has not come: gives their missing flits the cycles t + 1, t + 2 and so
    /// on.
    void complete(cycle_t t);

    std::vector<pin_case::packet> packets;  ///< packets so far, in the order of their heads
    std::vector<pin_case::credit> credits;  ///< credits so far, in the order of their cycles

  private:
    std::vector<std::size_t> m_open;       ///< index in `packets`, by the number of the packet at the pins
    std::vector<std::uint32_t> m_lengths;  ///< flits of the whole packet, by index in `packets`
};

/// Runs case `c` in lock step; seed, `cycles` and `most_vcs` of `how` are not used. The case fails if
/// `problem` of the outcome is not empty or `first` has a value.
random_outcome run(const pin_case& c, const random_run& how);
/// Runs a case given as YAML, for the tests that test_text() makes. Returns the first difference or problem,
/// as a line; empty if there is none.
std::string difference(const std::string& yaml);

}  // namespace sare::cosim
