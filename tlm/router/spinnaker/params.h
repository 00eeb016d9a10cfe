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
    std::uint32_t packet = 1;  ///< flits of every packet: shorter ones are padded, longer messages cut
    std::uint32_t buffer = 4;  ///< packets that the buffer of an input port holds
    std::uint32_t engine = 1;  ///< cycles from when the engine takes a packet until its copies may leave
    /// Cycles from then on until a copy whose link is blocked tries an emergency route.
    std::uint32_t emergency_wait = 16;
    std::uint32_t drop_wait = 16;  ///< cycles from then on until the copy is dropped
    bool emergency = true;         ///< false: no copy takes an emergency route

    static config::schema<spinnaker_params> fields();
    bool operator==(const spinnaker_params& o) const { return config::same_parameters(*this, o); }
};

}  // namespace sare
