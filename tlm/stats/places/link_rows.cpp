// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/places/link_rows.h"

#include <algorithm>
#include <numeric>

namespace sare {

void link_rows::add_output(std::uint32_t router, std::uint32_t port, const port_peer& to) {
    m_ends.push_back({router, port, to.id, to.port, to.what == port_peer::kind::node});
}

void link_rows::add_injection(std::uint32_t node, std::uint32_t router, std::uint32_t port,
                              std::uint64_t flits) {
    m_ends.push_back({node, 0, router, port, false});
    m_injected.push_back(flits);
}

void link_rows::count_outputs(std::vector<std::uint32_t> flits_by_vc, std::uint32_t vcs) {
    m_vc_flits = std::move(flits_by_vc);
    m_vcs = vcs;
}

link_result link_rows::operator[](std::size_t row) const {
    const ends& at = m_ends[row];
    link_result link{at.from, at.from_port, at.to, at.to_port, "router", 0, {}};
    if (row >= outputs()) {
        link.kind = "injection";
        link.flits = m_injected[row - outputs()];
        return link;
    }
    if (at.to_node) link.kind = "ejection";
    if (m_vcs == 0) return link;
    link.vc_flits = {&m_vc_flits[row * m_vcs], m_vcs};
    link.flits = std::accumulate(link.vc_flits.begin(), link.vc_flits.end(), std::uint64_t{0});
    return link;
}

std::pair<std::size_t, std::size_t> link_rows::outputs_of(std::uint32_t router) const {
    const auto begin = m_ends.begin(), end = begin + static_cast<std::ptrdiff_t>(outputs());
    const auto first = std::partition_point(begin, end, [router](const ends& l) { return l.from < router; });
    const auto last = std::find_if(first, end, [router](const ends& l) { return l.from != router; });
    return {static_cast<std::size_t>(first - begin), static_cast<std::size_t>(last - begin)};
}

}  // namespace sare
