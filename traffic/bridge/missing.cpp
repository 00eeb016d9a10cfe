// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"

/// The name of the workload in a program without the part `bridge`, to be known all the same.
namespace sare::traffic {
namespace {

const bool known = [] {
    workload_registry::instance().add_missing(
        "bridge", "Whole simulated computers at the nodes: not in this program (SARE_PARTS).", "bridge");
    return true;
}();

}  // namespace
}  // namespace sare::traffic
