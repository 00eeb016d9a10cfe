// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare::traffic {

/// Messages from one node to another at their own rate.
struct flow {
    std::uint32_t source = 0, destination = 0;  ///< numbers of nodes
    double rate = 0;  ///< mean flits a cycle of its messages, without replies, over on and off times
    std::uint32_t message_class = 0;
    std::uint32_t length = 1;       ///< flits of a message
    std::uint32_t reply = 0;        ///< flits of the answer to each message; 0: none
    std::uint32_t reply_class = 0;  ///< message class of the answer
    /// @name Bursts: a Markov chain of two states, on and off
    /// @{
    double burst = 0;  ///< mean flits of a burst; 0: no bursts, messages come by a Bernoulli process
    double peak = 1;   ///< flits a cycle within a burst
    /// @}
    /// @name Cycles of each period, [begin, end), in which it sends; outside of them it does not
    /// @{
    std::uint64_t begin = 0, end = 0;
    std::uint64_t period = 0;  ///< cycles; 0: it always sends
    /// @}
    double required_rate = 0;     ///< flits a cycle that must arrive; 0: `rate`
    double required_latency = 0;  ///< cycles within which 99% of its messages must arrive; 0: no limit
    /// @name Units in which rates and latencies were given, and are reported
    /// @{
    std::string rate_unit = "flits/cycle", latency_unit = "cycles";
    double flits_per_cycle_of_unit = 1, cycles_of_unit = 1;  ///< flits a cycle, and cycles, of one unit
    /// @}
    config::location at;  ///< place where it was written
};

using flow_list = std::vector<flow>;

}  // namespace sare::traffic
