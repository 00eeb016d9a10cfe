// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/waves/router_waves.h"

/// Waves in a build for which there was no fstapi.
namespace sare {

struct router_waves::parts {};

bool router_waves::available() {
    return false;
}
router_waves::router_waves(fabric&, packet_trace&, const setting&) {
    throw config::error("this build writes no FST: Verilator, with whose files FST comes, was not there");
}
router_waves::~router_waves() = default;
void router_waves::cycle_over(cycle_t) {}
void router_waves::stop() {}
void router_waves::write(std::ostream&) const {}

}  // namespace sare
