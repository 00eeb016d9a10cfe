// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sare {

/// Ways to treat packets that do not arrive: docs/links.md.
enum class retransmission {
    none,      ///< lost packets stay lost
    go_back_n  ///< a packet not acknowledged in time is sent again, with all packets of its flow behind it
};
/// Ways by which a sender learns that packets have arrived.
enum class acknowledgement {
    packets,  ///< packets of one flit that go through the network
    ideal     ///< acknowledgements outside of the network: never lost, after acknowledge_delay cycles
};

/// Parameters of a network interface; fields() gives their ranges.
struct nic_params {
    std::uint32_t delay = 1;              ///< cycles from the injection of a flit to its entering the link
    std::uint32_t credit_delay = 1;       ///< cycles until a credit can be used, beside the link's latency
    std::uint32_t ejection_depth = 0;     ///< flits of the ejection buffer of one VC; 0: as the router's
    std::uint32_t max_packet_flits = 64;  ///< flits of a packet at most
    bool pad = false;                     ///< packets are padded to max_packet_flits
    std::uint32_t flit_bytes = 16;        ///< bytes that one flit carries
    std::uint32_t header_bytes = 0;       ///< bytes of header in each packet of a message given in bytes
    sare::retransmission retransmission = sare::retransmission::none;
    std::uint32_t window = 16;      ///< packets that a flow may have sent without acknowledgement
    std::uint64_t time_out = 1000;  ///< cycles without acknowledgement until a packet is sent again
    std::uint32_t attempts = 16;    ///< times that one packet is sent at most; 0: no limit
    acknowledgement acknowledge = acknowledgement::packets;
    std::uint64_t acknowledge_delay = 1;  ///< cycles that ideal acknowledgements take
    config::value arbiter;                ///< arbiter among message classes: see arbiter_registry
    config::value rates;   ///< flits a cycle, by class or for all: see rate_of(); null: no limit
    config::value bursts;  ///< flits, by class or for all: see burst_of(); null: one packet

    /// True if rates are given.
    bool is_limited() const { return rates.type() != config::value::kind::null; }
    /// Flits a cycle that a class may inject in the mean, 0 to 1; 0: no limit. Throws config::error for a
    /// value out of range.
    double rate_of(std::uint32_t message_class) const;
    /// Flits that a class may inject at once when it has been silent, 1 to 2^24. Throws config::error for a
    /// value out of range.
    std::uint32_t burst_of(std::uint32_t message_class) const;
    /// Throws config::error for rates and bursts out of range, bursts below max_packet_flits, or bursts
    /// without rates. `at`: place in the configuration for the error.
    void check_rates(const config::location& at) const;

    bool operator==(const nic_params& o) const;
    static config::schema<nic_params> fields();  ///< names, units, ranges and sentences of all parameters
};

/// Parameters of many NICs, by number from 0. Equal neighbours share one copy.
class nic_params_list {
  public:
    void add(const nic_params& p) {
        if (m_all.empty() || !(p == m_all.back())) m_all.push_back(p);
        m_which.push_back(static_cast<std::uint32_t>(m_all.size() - 1));
    }
    const nic_params& operator[](std::uint32_t n) const { return m_all[m_which[n]]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_which.size()); }
    bool empty() const { return m_which.empty(); }
    const nic_params& front() const { return m_all.front(); }
    const nic_params& back() const { return m_all.back(); }

  private:
    std::deque<nic_params> m_all;        ///< different parameters
    std::vector<std::uint32_t> m_which;  ///< place in m_all, by number of the NIC
};

/// Returns the flits of a message of `bytes`, with the headers of the packets that it is cut into. Throws
/// config::error for 2^32 flits or more.
std::uint32_t flits_for(const nic_params& nic, std::uint64_t bytes);

/// Returns how many flits the ejection buffer of one VC at a NIC holds: ejection_depth, or `depth` of the
/// router if that is 0; with `whole_packets` (the router sends only packets that fit) at least `max_packet`
/// flits.
std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet);

}  // namespace sare
