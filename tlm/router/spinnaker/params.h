// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>

/// Parameters of SpiNNaker's router (L. Plana et al., "A GALS infrastructure for a massively parallel
/// multiprocessor", IEEE Design & Test 24, 2007; J. Navaridas et al., "Understanding the interconnection
/// network of SpiNNaker", ICS 2009); docs/spinnaker.md says what happens in which cycle.
namespace sare {

/// Parameters of kind `spinnaker`; fields() gives their ranges.
struct spinnaker_params {
    /// Flits that every packet has: shorter packets are padded, longer messages cut.
    std::uint32_t packet = 1;
    std::uint32_t buffer = 4;  ///< packets that the buffer of an input port can hold
    /// Cycles from when the router's engine takes a packet until its copies may leave.
    std::uint32_t engine = 1;
    /// Cycles, after that, until a copy whose link is blocked tries an emergency route.
    std::uint32_t emergency_wait = 16;
    std::uint32_t drop_wait = 16;  ///< cycles, after these, until the copy is dropped
    bool emergency = true;         ///< true: copies may take emergency routes

    static config::schema<spinnaker_params> fields();
    bool operator==(const spinnaker_params& o) const { return config::same_parameters(*this, o); }
};

}  // namespace sare
