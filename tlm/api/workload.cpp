// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"
#include "tlm/api/network_engine.h"
#include "tlm/state/archive.h"

#include <stdexcept>

/// What interfaces do by default: they cannot be written into checkpoints, nor refuse what arrives.
namespace sare {

template class config::registry<workload, const workload_context&>;

void traffic_port::set_accepting(std::uint32_t, std::uint32_t, bool) {
    throw std::logic_error("this network delivers everything at once: no node can refuse what arrives");
}

void workload::serialize(archive&) {
    throw unwritable("the workload");
}

void network_engine::serialize(archive&) {
    throw unwritable("a network without routers (fidelity analytic, crossbar or node_links)");
}

}  // namespace sare
