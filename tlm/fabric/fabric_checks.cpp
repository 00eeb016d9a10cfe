// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/watch.h"
#include "tlm/topology/link_parameters.h"

#include <algorithm>
#include <stdexcept>

/// What callers give, which is checked before it is taken.
namespace sare {

fabric::fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed)
    : m_vcs(vcs), m_classes(classes), m_seed(seed) {
    constexpr std::uint32_t most_vcs = 16;  // that a kind of routers has
    if (classes == 0 || classes > most_vcs)
        throw config::error("a network has 1 to " + std::to_string(most_vcs) + " message classes, not " +
                            std::to_string(classes));
    if (vcs == 0 || vcs > most_vcs)
        throw config::error("router.vcs is " + std::to_string(vcs) + "; it must be from 1 to " +
                            std::to_string(most_vcs));
    if (vcs % classes != 0)
        throw config::error("router.vcs is " + std::to_string(vcs) + "; it must be a multiple of the " +
                            std::to_string(classes) + " message classes of the workload");
}

void fabric::refuse(const char* what, std::uint64_t number, std::uint64_t all) {
    const std::string asked = std::string("there is no ") + what + " " + std::to_string(number);
    if (all == 0) throw std::out_of_range(asked + "; the network has none, or is not elaborated yet");
    throw std::out_of_range(asked + "; there " + (all == 1 ? "is " : "are ") + std::to_string(all) +
                            ", 0 and up");
}

void fabric::refuse(const message& m) const {
    throw std::out_of_range("a message " + wrong_with(m));
}

std::string fabric::wrong_with(const message& m) const {
    const auto none = [](const char* what, std::uint32_t number, std::uint32_t all) {
        return std::string(what) + " " + std::to_string(number) + ", and there " +
               (all == 1 ? "is " : "are ") + std::to_string(all);
    };
    if (m.source >= nodes()) return none("from node", m.source, nodes());
    if (m.destination >= nodes()) return none("to node", m.destination, nodes());
    if (m.message_class >= m_classes) return none("of message class", m.message_class, m_classes);
    if (m.flits == 0) return "of no flits; it has one at least";
    if (!is_here(m.source)) return "from node " + std::to_string(m.source) + ", which another process has";
    return "";
}

std::uint32_t fabric::add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                                 std::uint32_t clock) {
    if (finished_building()) throw config::error("a router cannot be added: the network is elaborated");
    if (model == nullptr) throw config::error("a router needs a model, which says what it does");
    if (model->terms().vcs != m_vcs)
        throw config::error("all routers of a network must have the same number of vcs");
    if (ports == 0 || ports > 64)
        throw config::error("a router has " + std::to_string(ports) + " ports; it must be from 1 to 64");
    if (clock == 0 || clock > most_clock)
        throw config::error("a router's clock is " + std::to_string(clock) + "; it must be from 1 to " +
                            std::to_string(most_clock));
    m_models.push_back(std::move(model));
    m_ports.push_back(ports);
    if (clock != 1) m_clocks.resize(routers() - 1, 1);
    if (clock != 1 || !m_clocks.empty()) m_clocks.push_back(clock);
    return routers() - 1;
}

std::uint32_t fabric::add_foreign(foreign_endpoint& block) {
    m_foreign.push_back({&block, 0, {}, {}});
    return static_cast<std::uint32_t>(m_foreign.size() - 1);
}

void fabric::connect(const end& from, const end& to, const link_attributes& link,
                     const std::optional<end>& in_place_of) {
    link_attributes checked = link;
    // The pins of a router are read in the cycle in which they are set: a block that is not ours may say so.
    if (from.what == end::kind::foreign || to.what == end::kind::foreign)
        checked.latency = std::max<decltype(checked.latency)>(checked.latency, 1);
    if (const std::string wrong = sare::wrong_with(checked); !wrong.empty())
        throw config::error("the link from " + text(from) + " to " + text(to) + ": " + wrong);
    if (is_beyond(from) && is_beyond(to)) return;
    m_connections.push_back({from, to, link, in_place_of});
}

std::uint32_t fabric::add_nic(const nic_params& params) {
    if (finished_building()) throw config::error("a NIC cannot be added: the network is elaborated");
    return m_nics.add(params);
}

}  // namespace sare
