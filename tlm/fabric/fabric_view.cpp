// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/bits.h"
#include "tlm/fabric/fabric.h"

/// Looking at what is on the links: in the planes, where it can be read in a cycle, before it is.
namespace sare {

std::vector<std::string> fabric::observe_flits(flit_observer& o) {
    m_flit_observer = &o;
    std::vector<std::string> names;
    const auto look_at = [&](const end& reader, const std::string& name) {
        m_views.push_back({&domain_of(reader), flits_to(reader).first});
        names.push_back(name);
    };
    const auto owns_nodes = [&](std::uint32_t r) { return bank_of(r).terms().owns_nodes; };
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        const std::uint32_t r = m_map->router_of(node_id(n)).value;
        if (owns_nodes(r) || is_taken_over(n)) continue;
        look_at({end::kind::router, r, m_map->port_of(node_id(n)).value},
                "node " + std::to_string(n) + " to router " + std::to_string(r));
    }
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t p = 0; p < ports(r); ++p) {
            const port_peer peer = m_map->peer(router_id(r), port_id(p));
            const std::string from = "router " + std::to_string(r) + " port " + std::to_string(p) + " to ";
            if (peer.what == port_peer::kind::router)
                look_at({end::kind::router, peer.id, peer.port}, from + "router " + std::to_string(peer.id));
            if (peer.what == port_peer::kind::node && !owns_nodes(r) && !is_taken_over(peer.id))
                look_at({end::kind::nic, peer.id, 0}, from + "node " + std::to_string(peer.id));
        }
    return names;
}

void fabric::show_flits(cycle_t t) {
    const std::uint64_t vcs = m_vcs == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << m_vcs) - 1;
    for (std::uint32_t k = 0; k < m_views.size(); ++k) {
        const auto& [where, at] = m_views[k];
        if (t % where->period() != 0) continue;
        const std::uint64_t* const plane = where->ring().at(t / where->period());
        const std::uint64_t here = plane[at.inbox] & (at.place == 0 ? at.port_bit : at.port_bit * vcs);
        if (here == 0) continue;
        flit f = flit::from_word(plane[at.flit_at]);
        // Where there is a bit a VC, that says which, and not the flit.
        if (at.place != 0) f.vc = static_cast<std::uint8_t>(lowest(here) - lowest(at.port_bit));
        m_flit_observer->flit_arrives(k, f, m_packets[f.packet], t);
    }
}

}  // namespace sare
