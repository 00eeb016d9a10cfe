// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"
#include "tlm/api/network_engine.h"
#include "tlm/state/archive.h"

/// Default serialize() of classes that cannot be written into checkpoints.
namespace sare {

template class config::registry<workload, const workload_context&>;

void workload::serialize(archive&) {
    throw unwritable("the workload");
}

void network_engine::serialize(archive&) {
    throw unwritable("a network without routers (fidelity analytic, crossbar or node_links)");
}

}  // namespace sare
