// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/pin_traffic.h"

#include <map>

namespace sare::cosim {

/// Flits and credits at the pins of a router in a run, for measurements.
class pin_record final : public pin_observer {
  public:
    /// A flit at input or output pins.
    struct moved {
        cycle_t at;  ///< cycle in which it is there
        std::uint32_t port, vc;
        std::uint64_t packet;    ///< number of its packet, from 1
        std::uint32_t sequence;  ///< place in its packet, from 0
        input_channel from;      ///< input at which it came in
        cycle_t came;            ///< cycle in which it came in
    };
    /// A credit at the pins of an input.
    struct returned {
        cycle_t at;
        std::uint32_t port, vc;
    };

    void note(cycle_t t, const std::vector<port_in>& in, const std::vector<port_out>& out,
              const packet_table& packets) override;

    /// Returns the flits that have left by an output from cycle `from` to before `to`.
    std::vector<moved> left_by(std::uint32_t port, cycle_t from, cycle_t to) const;
    /// Returns the cycles from each flit that came in at an input VC to the credit for its place; exact while
    /// places are given back in the order of flits.
    std::vector<cycle_t> credit_times(const input_channel& of) const;

    std::vector<moved> in, out;  ///< flits, in the order of their cycles
    std::vector<returned> back;  ///< credits for the places of inputs, in the order of their cycles
    std::string problem;         ///< error of the run, as a line; "": none

  private:
    struct known {
        std::uint64_t uid;
        input_channel from;
        std::vector<cycle_t> came;  ///< cycles, by flit
    };
    std::map<std::uint32_t, known> m_packets;  ///< packets by the numbers that flits have
};

}  // namespace sare::cosim
