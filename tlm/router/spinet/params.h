// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of the elements of a bufferless optical network (A. Shacham, B. Lee, K. Bergman, "A scalable,
/// self-routed, terabit-capacity photonic interconnection network", HOTI 2005; A. Shacham, K. Bergman,
/// "Building ultralow-latency interconnection networks using photonic integration", IEEE Micro 27, 2007);
/// docs/bufferless.md says what happens in which cycle.
namespace sare {

/// Rule by which one of the packets that ask for an output in the same cycle gets it. random: any packet,
/// with equal chances; round_robin: inputs in turn; fixed: the packet of the lowest input port.
enum class element_arbitration : std::uint8_t { random, round_robin, fixed };

/// Parameters of kind `spinet`; fields() has their names, units and ranges.
struct spinet_params {
    std::uint32_t vcs = 1;  ///< number of message classes that are told apart; all take the same paths
    /// Cycles of a slot; 0: the larger of `duration` and the longest round trip over the stages.
    std::uint32_t slot = 0;
    std::uint32_t duration = 16;  ///< cycles that a packet takes, whatever its length in flits
    /// Choice among packets that ask for one output in the same cycle.
    element_arbitration arbitration = element_arbitration::random;
    /// True: a packet that loses an output takes another free one, in stages all of whose outputs lead to the
    /// destination.
    bool sidestep = false;
    std::uint32_t attempts = 0;  ///< most times that a packet is sent; 0: until it arrives
    /// Slots from which the wait after the first failure is drawn: 0 to window - 1, with equal chances.
    std::uint32_t window = 2;
    std::uint32_t doublings = 6;  ///< most times that the window doubles, once with each further failure

    static config::schema<spinet_params> fields();
    bool operator==(const spinet_params& o) const;
};

}  // namespace sare
