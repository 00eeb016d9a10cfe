// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards/hazards.h"

#include <algorithm>

/// Failures and bit errors: what the fabric does where there may be some.
namespace sare {

fabric::hazards& fabric::hazardous() {
    if (m_hazards == nullptr) m_hazards = std::make_unique<hazards>();
    return *m_hazards;
}

void fabric::set_failures(failure_schedule all) {
    if (all.empty()) return;
    hazardous().failures = std::make_unique<failure_state>(*this, std::move(all));
    forbid_fast_routers();
}

void fabric::set_bit_errors(std::uint32_t flit_bits) {
    hazardous().errors = std::make_unique<bit_errors>(*this, flit_bits);
    m_nics.drop_bad_packets([this](std::uint32_t node, std::uint32_t packet) { drop_bad(node, packet); });
}

void fabric::hazards::check(const fabric& net) const {
    const char* const what = failures ? "'failures' says that links fail" : "links have bit errors";
    if (net.m_has_slow)
        throw config::error(std::string(what) + ", and routers have several clocks; all must have one");
    if (!failures) return;
    if (!net.m_foreign.empty())
        throw config::error(std::string(what) +
                            ", and there are blocks in the network that are not Sare's (RTL), which do not "
                            "know that; leave one of them out");
    for (const router_bank* bank : net.m_banks)
        if (!bank->survives_failures())
            throw config::error(std::string(what) + ", and router " + std::to_string(bank->router(0)) + " (" +
                                bank->variant() +
                                ") is of a kind that cannot go on then; kinds vc and spinnaker can");
}

std::uint32_t fabric::most_ways() const {
    if (m_routing == nullptr) return 1;
    return m_hazards != nullptr && m_hazards->failures ? route_set::capacity : m_routing->max_candidates();
}

/// The function of what is left may need it.
bool fabric::needs_escape() const {
    return m_routing != nullptr && m_routing->needs_escape();
}

void fabric::find_candidates_seeing(std::uint32_t r, std::uint32_t in, std::uint32_t in_vc,
                                    route_header& header, route_set& out) const {
    if (m_shows_congestion)
        m_routing->route_seeing(r, in, in_vc, header, router_congestion(*this, r), out);
    else
        m_routing->route(r, in, in_vc, header, out);
    if (m_hazards != nullptr && m_hazards->failures) m_hazards->failures->leave_out_dead(r, in, in_vc, out);
}

/// Not the usual way. What cannot arrive is lost where it is made; the workload is told in the next cycle.
void fabric::send_with_hazards(const message& m) {
    if (m_live_nodes == 0) refuse("node", m.source, m_live_nodes);
    if (!wrong_with(m).empty()) refuse(m);
    if (m_hazards == nullptr || !m_hazards->failures || m_hazards->failures->reaches(m.source, m.destination))
        return put_in_queue(m);
    lose(m_nics.at(m.source).its.refuse(m), m.flits, loss::unreachable);
}

/// All flits of it have come to its NIC, which does not take it.
void fabric::drop_bad(std::uint32_t node, std::uint32_t packet) {
    drop(m_map->ejection_of(node_id(node)).router.value, packet, loss::bit_error);
}

void fabric::route_by(const routing_function& routing) {
    m_routing = &routing;
    m_shows_congestion = false;
    m_board.reset();
    m_nics.for_each([&](nics& its) { its.prepare_by(&routing); });
}

}  // namespace sare
