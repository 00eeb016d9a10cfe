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
    double rate = 0;  ///< flits a cycle of its messages without replies, over all of its time
    std::uint32_t message_class = 0;
    std::uint32_t length = 1;       ///< flits of a message
    std::uint32_t reply = 0;        ///< flits of the answer to each message; 0: none
    std::uint32_t reply_class = 0;  ///< message class of the answer
    /// @name Bursts: a Markov chain of two states, on and off
    /// @{
    double burst = 0;  ///< mean flits of a burst; 0: no bursts, messages come as by bernoulli
    double peak = 1;   ///< flits a cycle within a burst
    /// @}
    /// @name Cycles [begin, end) of each period in which alone it sends
    /// @{
    std::uint64_t begin = 0, end = 0;
    std::uint64_t period = 0;  ///< cycles; 0: it always sends
    /// @}
    double required_rate = 0;     ///< flits a cycle that must arrive; 0: its rate
    double required_latency = 0;  ///< cycles in which 99% of its messages must come; 0: no limit
    /// @name Units in which it was given, and is reported
    /// @{
    std::string rate_unit = "flits/cycle", latency_unit = "cycles";
    double flits_per_cycle_of_unit = 1, cycles_of_unit = 1;
    /// @}
    config::location at;  ///< place where it was written
};

using flow_list = std::vector<flow>;

}  // namespace sare::traffic
