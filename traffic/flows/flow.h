// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare::traffic {

/// Messages from one node to another at a rate of their own.
struct flow {
    std::uint32_t source = 0, destination = 0;  ///< nodes
    double rate = 0;  ///< flits a cycle, over all of its time; of its messages, not replies
    std::uint32_t message_class = 0;
    std::uint32_t length = 1;       ///< flits of a message
    std::uint32_t reply = 0;        ///< flits of the answer to each message; 0: none
    std::uint32_t reply_class = 0;  ///< of the answer
    /// @name Bursts: a Markov chain of two states, on and off
    /// @{
    double burst = 0;  ///< mean flits of a burst; 0: none, messages come as by bernoulli
    double peak = 1;   ///< flits a cycle within one
    /// @}
    /// @name Sent only in cycles [begin, end) of each period
    /// @{
    std::uint64_t begin = 0, end = 0;
    std::uint64_t period = 0;  ///< 0: always
    /// @}
    double required_rate = 0;     ///< flits a cycle that must arrive; 0: its rate
    double required_latency = 0;  ///< cycles within which 99% of its messages must come; 0: none
    /// @name Units in which it was given, to speak of it in
    /// @{
    std::string rate_unit = "flits/cycle", latency_unit = "cycles";
    double flits_per_cycle_of_unit = 1, cycles_of_unit = 1;
    /// @}
    config::location at;  ///< where it was written
};

using flow_list = std::vector<flow>;

}  // namespace sare::traffic
