// SPDX-License-Identifier: Apache-2.0
#include "tlm/api/workload.h"
#include "tlm/api/message_check.h"
#include "tlm/api/network_engine.h"
#include "tlm/state/archive.h"

#include <fmt/format.h>

#include <stdexcept>

/// What interfaces do by default: they cannot be written into checkpoints, nor refuse what arrives.
namespace sare {

template class config::registry<workload, const workload_context&>;

void traffic_port::set_accepting(std::uint32_t, std::uint32_t, bool) {
    throw std::logic_error("this network delivers everything at once: no node can refuse what arrives");
}

std::string wrong_with(const message& m, std::uint32_t nodes, std::uint32_t classes) {
    const auto none = [](const char* what, std::uint32_t number, std::uint32_t all) {
        return fmt::format("{} {}, and there {}{}", what, number, all == 1 ? "is " : "are ", all);
    };
    if (m.source >= nodes) return none("from node", m.source, nodes);
    if (m.destination >= nodes) return none("to node", m.destination, nodes);
    if (m.message_class >= classes) return none("of message class", m.message_class, classes);
    return m.flits == 0 ? "of no flits; it has one at least" : "";
}

void check_message(const message& m, std::uint32_t nodes, std::uint32_t classes) {
    if (const std::string wrong = wrong_with(m, nodes, classes); !wrong.empty())
        throw std::out_of_range("a message " + wrong);
}

void workload::serialize(archive&) {
    throw unwritable("the workload");
}

void network_engine::serialize(archive&) {
    throw unwritable("a network without routers (fidelity analytic, crossbar or node_links)");
}

}  // namespace sare
