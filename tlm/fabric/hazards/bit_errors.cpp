// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/bit_errors.h"

#include "tlm/state/archive.h"

#include <cmath>

namespace sare {

/// Numbers links in the whole network, and keeps those that this process reads. Links of nodes that are
/// inside their router have no errors.
void bit_errors::find_links() {
    std::uint32_t number = 0;
    for_each_link(*m_net.map(), [&](const link_end& from, const link_end& to) {
        const bool of_node = from.what == link_end::kind::nic || to.what == link_end::kind::nic;
        const std::uint32_t node = from.what == link_end::kind::nic ? from.id : to.id;
        const link_attributes a = from.what == link_end::kind::nic
                                      ? m_net.map()->injection_link(node_id(from.id))
                                      : m_net.map()->link(router_id(from.id), port_id(from.port));
        if (a.bit_error_rate <= 0 || (of_node && m_net.is_inside_router(node))) return;
        const std::uint32_t own = number++;
        if (m_net.is_remote(to)) return;
        const wire w = m_net.flits_to(to).first;
        std::uint64_t any = w.port_bit;
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v) any |= w.port_bit << (v & w.first_bit);
        m_links.push_back({own,
                           &m_net.domain_of(to).ring(),
                           w.inbox,
                           w.flit_at,
                           any,
                           -std::expm1(m_flit_bits * std::log1p(-a.bit_error_rate)),
                           0,
                           {}});
    });
    set_seed(m_net.seed());
}

void bit_errors::set_seed(std::uint64_t seed) {
    for (link& l : m_links) {
        l.random = rng(seed, stream::error, l.number);
        l.until_hit = draw(l);
    }
}

/// Draws the number of good flits before the next hit: k with probability (1 - hit)^k hit (geometric).
std::uint64_t bit_errors::draw(link& l) {
    if (l.hit >= 1) return 0;
    const double bits = static_cast<double>(std::uint64_t{l.random.next()} << 21 | l.random.next() >> 11);
    const double u = (bits + 1) * 0x1p-53;  // in (0, 1]
    const double flits = std::floor(std::log(u) / std::log1p(-l.hit));
    return flits < 1e18 ? static_cast<std::uint64_t>(flits) : ~std::uint64_t{0};
}

void bit_errors::run(cycle_t t) {
    for (link& l : m_links) {
        const std::uint64_t* const plane = l.ring->at(t);
        if ((plane[l.inbox] & l.any) == 0) continue;
        if (l.until_hit-- != 0) continue;
        m_net.packets()[flit::from_word(plane[l.flit_at]).packet].bad = true;
        l.until_hit = draw(l);
    }
}

void bit_errors::refuse(std::uint32_t node, std::uint32_t packet) {
    const std::uint32_t router = m_net.map()->ejection_of(node_id(node)).router.value;
    const drop_location at{router, drop_location::no_port, m_net.packets()[packet].route.phase, false};
    drop_packet(m_net, packet, loss::bit_error, at, packet_drop::by_nics + node,
                m_net.modes.one_part ? 0 : m_net.map_of_parts.of_node[node]);
}

void bit_errors::serialize(archive& a) {
    for (link& l : m_links) a(l.until_hit, l.random);
}

}  // namespace sare
