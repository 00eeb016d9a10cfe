// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sare::traffic {

/// A flow: messages from one node to another at a rate of their own, and answers to them.
struct flow {
    /// Number of the node that sends; number of the node that receives.
    std::uint32_t source = 0, destination = 0;
    /// Mean rate of its messages in flits per cycle, over all cycles; answers are not counted.
    double rate = 0;
    /// Message class of its messages.
    std::uint32_t message_class = 0;
    std::uint32_t length = 1;  ///< flits of each message
    /// Flits of the answer that the destination sends to each message; 0: no answers.
    std::uint32_t reply = 0;
    std::uint32_t reply_class = 0;  ///< message class of the answer
    /// @name Bursts: the flow is in turn on and off, for random times (a Markov chain of two states)
    double burst = 0;  ///< mean flits of a burst; 0: no bursts, messages are sent by a Bernoulli process
    double peak = 1;   ///< flits per cycle within a burst
    /// @name Part of each period in which the flow sends: cycles `begin` to `end` - 1 of the period
    std::uint64_t begin = 0, end = 0;
    std::uint64_t period = 0;  ///< length of a period in cycles; 0: the flow sends all the time
    /// @}
    /// Flits per cycle that must arrive; 0: as many as `rate` times the workload's load.
    double required_rate = 0;
    double required_latency = 0;  ///< cycles within which 99% of its messages must arrive; 0: no limit
    /// @name Units in which the user gave rates and latencies, and in which they are reported
    std::string rate_unit = "flits/cycle", latency_unit = "cycles";
    /// Flits per cycle of one rate_unit; cycles of one latency_unit.
    double flits_per_cycle_of_unit = 1, cycles_of_unit = 1;
    /// @}
    config::location at;  ///< place where the flow was written, for errors
};

using flow_list = std::vector<flow>;

}  // namespace sare::traffic
