// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sare {

/// Ways to treat packets that are lost: docs/links.md.
enum class retransmission {
    none,      ///< lost packets are not sent again
    go_back_n  ///< a packet not acknowledged in time is sent again, with all later packets of its flow
};
/// Ways by which a sender learns that packets have arrived.
enum class acknowledgement {
    packets,  ///< acknowledgements are packets of one flit that go through the network
    ideal     ///< acknowledgements go outside of the network: never lost, after acknowledge_delay cycles
};

/// Parameters of a network interface; fields() gives their ranges. A *flow* is the packets of one source,
/// destination and message class.
struct nic_params {
    std::uint32_t delay = 1;  ///< cycles from the injection of a flit until it enters the link
    /// Cycles from the end of the link until a credit of the router can be used.
    std::uint32_t credit_delay = 1;
    /// Flits that the ejection buffer of one VC holds; 0: as many as an input VC of the router.
    std::uint32_t ejection_depth = 0;
    std::uint32_t max_packet_flits = 64;  ///< most flits of a packet; longer messages are cut
    bool pad = false;                     ///< true: shorter packets are padded to max_packet_flits
    std::uint32_t flit_bytes = 16;        ///< bytes that one flit carries
    /// Bytes of header in each packet, for messages whose length is given in bytes.
    std::uint32_t header_bytes = 0;
    sare::retransmission retransmission = sare::retransmission::none;  ///< treatment of lost packets
    std::uint32_t window = 16;      ///< go_back_n: most packets of a flow that are sent and not acknowledged
    std::uint64_t time_out = 1000;  ///< go_back_n: cycles from the sending of a packet until it is sent again
    /// go_back_n: most times that a packet is sent, before its flow is given up; 0: no limit.
    std::uint32_t attempts = 16;
    acknowledgement acknowledge = acknowledgement::packets;  ///< go_back_n: way of acknowledgements
    std::uint64_t acknowledge_delay = 1;  ///< go_back_n: cycles that an ideal acknowledgement takes
    /// Rates of flows, with go_back_n: entry of congestion_control_registry; null: unlimited.
    config::value control;
    /// Arbiter among message classes: entry of arbiter_registry; null: classes take turns.
    config::value arbiter;
    /// Flits a cycle, a number for all classes or a list by class whose last entry holds for the rest: see
    /// rate_of(); null: no limit.
    config::value rates;
    config::value bursts;  ///< flits, in the form of `rates`: see burst_of(); null: max_packet_flits

    /// True if flows have a congestion control.
    bool controls_congestion() const;
    /// True if rates are given.
    bool is_limited() const { return rates.type() != config::value::kind::null; }
    /// Returns the flits a cycle that a class may inject in the mean, from 0 to 1; 0: no limit. Throws
    /// config::error for a value out of range.
    double rate_of(std::uint32_t message_class) const;
    /// Returns the flits that a class may inject at once after a pause, from 1 to 2^24; max_packet_flits if
    /// `bursts` is null. Throws config::error for a value out of range.
    std::uint32_t burst_of(std::uint32_t message_class) const;
    /// Throws config::error for rates and bursts out of range, bursts below max_packet_flits, and bursts
    /// without rates; `at`: place in the configuration for the last of these errors.
    void check_rates(const config::location& at) const;

    bool operator==(const nic_params& o) const;
    static config::schema<nic_params> fields();  ///< names, units, ranges and sentences of all parameters
};

/// Parameters of many NICs, by number from 0. Neighbours with equal parameters share one copy.
class nic_params_list {
  public:
    /// Adds the parameters of the next NIC.
    void add(const nic_params& p) {
        if (m_all.empty() || !(p == m_all.back())) m_all.push_back(p);
        m_which.push_back(static_cast<std::uint32_t>(m_all.size() - 1));
    }
    /// Returns the parameters of NIC n.
    const nic_params& operator[](std::uint32_t n) const { return m_all[m_which[n]]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_which.size()); }
    bool empty() const { return m_which.empty(); }
    const nic_params& front() const { return m_all.front(); }
    const nic_params& back() const { return m_all.back(); }

  private:
    std::deque<nic_params> m_all;        ///< parameters, without those that equal the ones of the NIC before
    std::vector<std::uint32_t> m_which;  ///< index in m_all, by number of the NIC
};

/// Returns the flits of a message with `bytes` bytes of data, with headers and padding of the packets that it
/// is cut into; at least 1. Throws config::error for 2^32 flits or more.
std::uint32_t flits_for(const nic_params& nic, std::uint64_t bytes);

/// Returns the flits that the NIC sends for a message of `flits` flits: a multiple of max_packet_flits if it
/// pads packets, else `flits`.
inline std::uint64_t padded(const nic_params& nic, std::uint64_t flits) {
    const std::uint64_t packet = nic.pad ? nic.max_packet_flits : 1;
    return (flits + packet - 1) / packet * packet;
}

/// Returns how many flits the ejection buffer of one VC at a NIC holds: ejection_depth or, if that is 0,
/// `depth`, that of the router's input VCs. `whole_packets` (the router sends a packet only where all of it
/// has room): at least `max_packet` flits.
std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet);

}  // namespace sare
