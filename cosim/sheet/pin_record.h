// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_traffic.h"

#include <map>

namespace sare::cosim {

/// Record of all flits and credits at the pins of a router in a run, for measurements. note() must get the
/// outputs of the cycle before cycle t, as it does as plugin_run::sees.
class pin_record final : public pin_observer {
  public:
    /// A flit at input or output pins.
    struct moved {
        cycle_t at;              ///< cycle in which the flit is at the pins
        std::uint32_t port, vc;  ///< port and VC of the pins
        std::uint64_t packet;    ///< carried_packet::uid of its packet
        std::uint32_t sequence;  ///< place in its packet, from 0
        input_channel from;      ///< input port and VC at which it came in
        cycle_t came;            ///< cycle in which it came in
    };
    /// A credit that the router gives back at input port `port` for VC `vc` in cycle `at`.
    struct returned {
        cycle_t at;
        std::uint32_t port, vc;
    };

    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;

    /// Returns the flits that have left by output `port` from cycle `from` to cycle `to` - 1.
    std::vector<moved> left_by(std::uint32_t port, cycle_t from, cycle_t to) const;
    /// Returns the number of cycles from each flit that came in at input VC `of` to its credit, in the order
    /// of flits. Flit k is taken to get credit k; flits without a credit are left out.
    std::vector<cycle_t> credit_times(const input_channel& of) const;

    std::vector<moved> in, out;  ///< flits at input pins, and at output pins, in the order of their cycles
    std::vector<returned> back;  ///< credits that inputs gave back, in the order of their cycles
    std::string problem;         ///< error of the run, as a line; "": none

  private:
    /// A packet that has come in.
    struct known {
        std::uint64_t uid;          ///< carried_packet::uid
        input_channel from;         ///< input port and VC
        std::vector<cycle_t> came;  ///< cycle of arrival, by flit
    };
    std::map<std::uint32_t, known> m_packets;  ///< packets by the numbers that flits have
};

}  // namespace sare::cosim
