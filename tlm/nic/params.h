// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace sare {

/// Treatment of packets that the network loses (docs/links.md).
enum class retransmission {
    none,      ///< lost packets are not sent again
    go_back_n  ///< a packet not acknowledged in time is sent again, with all later packets of its flow
};
/// Way in which a sender is told that packets have arrived.
enum class acknowledgement {
    packets,  ///< acknowledgements are packets of one flit that go through the network
    ideal  ///< acknowledgements go outside of the network: never lost, and acknowledge_delay cycles under way
};

/// Parameters of a network interface; fields() has their names, units and ranges. A *flow* is the packets of
/// one source, destination and message class.
struct nic_params {
    /// Cycles of the NIC's clock from the injection of a flit until it enters the link.
    std::uint32_t delay = 1;
    /// Cycles of the NIC's clock from the end of the link until a credit from the router can be used.
    std::uint32_t credit_delay = 1;
    /// Flits that the ejection buffer of one VC holds; 0: as many as an input VC of the router.
    std::uint32_t ejection_depth = 0;
    std::uint32_t max_packet_flits = 64;  ///< most flits of a packet; longer messages are cut
    bool pad = false;                     ///< true: shorter packets are padded to max_packet_flits
    std::uint32_t flit_bytes = 16;        ///< bytes that one flit carries
    /// Bytes of header in each packet, for messages whose length is given in bytes.
    std::uint32_t header_bytes = 0;
    sare::retransmission retransmission = sare::retransmission::none;  ///< treatment of lost packets
    std::uint32_t window = 16;  ///< go_back_n: most packets of a flow that are sent and not acknowledged
    /// go_back_n: cycles of the network from the sending of a packet until it is sent again.
    std::uint64_t time_out = 1000;
    /// go_back_n: most times that a packet is sent, before its flow is given up; 0: no limit.
    std::uint32_t attempts = 16;
    acknowledgement acknowledge = acknowledgement::packets;  ///< go_back_n: how acknowledgements are sent
    /// go_back_n: cycles of the network that an ideal acknowledgement takes.
    std::uint64_t acknowledge_delay = 1;
    /// go_back_n: control of the rates of flows, a name in congestion_control_registry or a section with name
    /// and parameters; null: unlimited.
    config::value control;
    /// Arbiter among message classes, a name in arbiter_registry or a section with name and parameters; null:
    /// classes take turns.
    config::value arbiter;
    /// Flits a cycle that a message class may inject: a number for all classes, or a list by class whose last
    /// entry holds for all further classes (rate_of()); null: no limit.
    config::value rates;
    config::value bursts;  ///< flits of a burst, in the form of `rates` (burst_of()); null: max_packet_flits

    /// True if `control` names a policy other than `unlimited`.
    bool controls_congestion() const;
    /// True if `rates` is given.
    bool is_limited() const { return rates.type() != config::value::kind::null; }
    /// Returns the flits a cycle, 0 to 1, that a message class may inject on average; 0: no limit. Throws
    /// config::error for a value in `rates` that is out of range.
    double rate_of(std::uint32_t message_class) const;
    /// Returns the number of flits, 1 to 2^24, that a message class may inject at once after a pause: the
    /// size of its token bucket. It is max_packet_flits if `bursts` is null. Throws config::error for a value
    /// in `bursts` that is out of range.
    std::uint32_t burst_of(std::uint32_t message_class) const;
    /// Checks `rates` and `bursts`. Throws config::error for a value out of range, for a burst below
    /// max_packet_flits, and for bursts without rates; `at`: place in the configuration that the last of
    /// these errors names.
    void check_rates(const config::location& at) const;

    bool operator==(const nic_params& o) const;
    static config::schema<nic_params> fields();  ///< names, units, ranges and sentences of all parameters
};

/// Parameters of many NICs, by number from 0. NICs with consecutive numbers and equal parameters share one
/// copy.
class nic_params_list {
  public:
    /// Adds the parameters of the next NIC.
    void add(const nic_params& p) {
        if (m_all.empty() || !(p == m_all.back())) m_all.push_back(p);
        m_which.push_back(static_cast<std::uint32_t>(m_all.size() - 1));
    }
    /// Returns the parameters of NIC n, which must have been added; front() and back() return those of the
    /// first and of the last NIC added.
    const nic_params& operator[](std::uint32_t n) const { return m_all[m_which[n]]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_which.size()); }  ///< number of NICs
    bool empty() const { return m_which.empty(); }
    const nic_params& front() const { return m_all.front(); }
    const nic_params& back() const { return m_all.back(); }

  private:
    std::deque<nic_params> m_all;  ///< parameters of NICs that differ from those of the NIC before, in order
    std::vector<std::uint32_t> m_which;  ///< index in m_all, by number of the NIC
};

/// Returns the number of flits, at least 1, of a message with `bytes` bytes of data: payload, headers
/// and padding of the packets that the message is cut into. Throws config::error for 2^32 flits or more.
std::uint32_t flits_for(const nic_params& nic, std::uint64_t bytes);

/// Returns the flits that the NIC sends for a message of `flits` flits: rounded up to a multiple of
/// max_packet_flits if it pads packets, else `flits`.
inline std::uint64_t padded(const nic_params& nic, std::uint64_t flits) {
    const std::uint64_t packet = nic.pad ? nic.max_packet_flits : 1;
    return (flits + packet - 1) / packet * packet;
}

/// Returns the number of flits that the ejection buffer of one VC at a NIC holds: nic.ejection_depth or, if
/// that is 0, `depth`, the flits of an input VC of the router. `whole_packets`: true if the router sends a
/// packet only where it has room as a whole; the buffer then holds at least `max_packet` flits.
std::uint32_t ejection_places(std::uint32_t depth, bool whole_packets, const nic_params& nic,
                              std::uint32_t max_packet);

}  // namespace sare
