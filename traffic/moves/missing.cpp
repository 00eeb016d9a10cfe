// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"

/// The name of the workload in a program without the part `formats`, to be known all the same.
namespace sare::traffic {
namespace {

const bool known = [] {
    workload_registry::instance().add_missing(
        "data_moves", "Recordings of a chip's data moves: not in this program (SARE_PARTS).", "formats");
    return true;
}();

}  // namespace
}  // namespace sare::traffic
