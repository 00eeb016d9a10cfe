// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/several_processes.h"

#include "tlm/api/awaits_losses.h"
#include "tlm/api/workload.h"
#include "tlm/fabric/hazards/failures.h"
#include "tlm/network/experiment.h"
#include "tlm/network/routes/rerouting.h"
#include "tlm/topology/link_parameters.h"
#include "tlm/topology/surviving_network.h"

#include <string>

namespace sare {
namespace {

[[noreturn]] void fail(const experiment& e, const std::string& why) {
    throw config::error(e.at,
                        "several processes cannot run this: " + why + "; run it in one, with 'threads'");
}

/// True if some nodes cannot reach each other after all failures.
bool cuts_off_nodes(const failure_schedule& failures, const topology& map) {
    surviving_network left(map);
    for (const failure& f : failures.events) {
        for (const auto& [r, p] : f.ports) left.fail(r, p);
        for (const std::uint32_t r : f.routers) left.fail_router(r);
    }
    left.find_parts();
    for (std::uint32_t n = 0; n < map.nodes(); ++n)
        if (!left.reaches(0, n) || !left.reaches(n, 0)) return true;
    return false;
}

/// Throws for losses that the process of the other end would have to know.
void check_losses(const experiment& e, const topology& map, const workload& traffic,
                  const failure_schedule& failures) {
    const bool fails = !failures.empty();
    if (e.nic.retransmission == retransmission::none) {
        if (awaits_losses(traffic) && (fails || has_bit_errors(map)))
            fail(e, std::string(fails ? "links or routers fail" : "links have bit errors") +
                        ", and a node that waits for a reply is not told of losses elsewhere");
        return;
    }
    if (e.nic.attempts != 0)
        fail(
            e,
            "both ends of a flow know at once that its NIC gives it up; without an end, 'nic.attempts' is 0");
    if (e.nic.acknowledge == acknowledgement::ideal)
        fail(e, "'nic.acknowledge' is ideal, outside of the network");
    if (fails && cuts_off_nodes(failures, map))
        fail(e, "both ends of a flow know at once that failures cut one of them off, as these do");
}

}  // namespace

void check_processes(const experiment& e, const topology& map, const workload& traffic,
                     const failure_schedule& failures) {
    if (e.fidelity != fidelity::flit) fail(e, "the contention-free model is one");
    if (!traffic.runs_by_nodes()) fail(e, "its workload is not one of nodes that know nothing of each other");
    check_losses(e, map, traffic, failures);
    for (const section_parts::part& p : e.sections.all())
        if (const std::string why = p.values->needs_one_process(); !why.empty()) fail(e, why);
}

}  // namespace sare
