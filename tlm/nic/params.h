// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sare {

/// What a NIC does about packets that do not come: docs/links.md.
enum class retransmission {
    none,      ///< they are lost
    go_back_n  ///< those that are not acknowledged in time are sent again, and all behind them
};
/// How a sender learns that packets have come.
enum class acknowledgement {
    packets,  ///< by packets of one flit, which go through the network
    ideal     ///< outside of the network: never lost, after a fixed time
};

/// Parameters of a network interface.
struct nic_params {
    std::uint32_t delay = 1;
    std::uint32_t credit_delay = 1;
    std::uint32_t ejection_depth = 0;
    std::uint32_t max_packet_flits = 64;
    bool pad = false;
    std::uint32_t flit_bytes = 16;
    std::uint32_t header_bytes = 0;
    sare::retransmission retransmission = sare::retransmission::none;
    std::uint32_t window = 16;      ///< packets that a sender may have sent to a node without acknowledgement
    std::uint64_t time_out = 1000;  ///< cycles
    std::uint32_t attempts = 16;    ///< of one packet; 0: no end
    acknowledgement acknowledge = acknowledgement::packets;
    std::uint64_t acknowledge_delay = 1;  ///< cycles, of ideal ones
    config::value arbiter;                ///< of the message classes: see arbiter_registry
    config::value rates;                  ///< by class, flits a cycle; see rate_of()
    config::value bursts;                 ///< by class, flits; see burst_of()

    /// Some class has a rate.
    bool is_limited() const { return rates.type() != config::value::kind::null; }
    /// Flits a cycle that a class may inject; 0: as many as it can. Throws config::error for what is no rate.
    double rate_of(std::uint32_t message_class) const;
    /// Flits that it may inject at once when it has been silent.
    std::uint32_t burst_of(std::uint32_t message_class) const;
    /// Throws config::error for rates and bursts that cannot be.
    void check_rates(const config::location& at) const;

    bool operator==(const nic_params& o) const;
    static config::schema<nic_params> fields();
};

/// Parameters by number, of which mostly all are alike.
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
    std::deque<nic_params> m_all;
    std::vector<std::uint32_t> m_which;  ///< by number
};

/// Flits of a message of so many bytes, with the headers of the packets that it is cut into.
/// Throws config::error where they are 2^32 or more.
std::uint32_t flits_for(const nic_params& nic, std::uint64_t bytes);

/// Places for flits of one VC at a NIC, as the router before it counts them: `depth` unless the NIC says
/// otherwise, and room for a whole packet of up to `max_packet` flits where the router sends only what fits.
std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet);

}  // namespace sare
