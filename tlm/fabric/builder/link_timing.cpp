// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/builder/link_timing.h"

#include "tlm/fabric/network_state.h"
#include "tlm/topology/serialisation.h"

namespace sare {

/// Splits a delay by clocks. `own`: cycles of the writer before the link; `on_link`: cycles of the link, in
/// its own clock, which must be that of one end, or the writer's before a synchroniser; `at_reader`: cycles
/// of the reader behind the link; `synchroniser`: flip-flops in a row at the reader, if clocks differ.
link_timing::direction link_timing::direction_of(const link_end& writer, const link_end& reader,
                                                 const link_attributes& link, std::uint32_t synchroniser,
                                                 std::uint32_t own, std::uint32_t on_link,
                                                 std::uint32_t at_reader) const {
    clock_domain *const from = &m_net.domain_of(writer), *const to = &m_net.domain_of(reader);
    direction d{from, to, &from->clock(), &to->clock(), own + on_link + at_reader, 0, 0};
    if (!m_net.modes.has_slow) return d;
    d.writer = &m_net.clock_of(writer);
    d.reader = &m_net.clock_of(reader);
    if (!d.crosses()) return d;
    const bool alike = d.writer == d.reader, synchronised = !alike && synchroniser != 0;
    if (alike || synchronised || link.clock == d.writer->first_ratio()) {
        // The last cycle of the link leads to the next edge of the reader, as edges see what was written
        // before them.
        d.lead = own + on_link;
        d.after = at_reader + (synchronised ? synchroniser - 1 : 0);
    } else if (link.clock == d.reader->first_ratio()) {
        d.lead = own;
        d.after = on_link + at_reader;
    } else {
        throw config::error("a link between routers of clocks " + d.writer->text() + " and " +
                            d.reader->text() + " has clock " + link.clock.text() +
                            "; it must have that of one end");
    }
    // Where the writer's domain has its clock, all cycles but one pass before the crossing.
    d.before = &d.from->clock() == d.writer && d.lead != 0 ? d.lead - 1 : 0;
    d.lead -= d.before;
    return d;
}

link_timing::direction link_timing::flits_of(const connection& c) const {
    std::uint32_t own = 0, at_reader = 0;
    if (c.from.what == link_end::kind::router) own = m_net.table.terms(c.from.id).flit_delay;
    if (c.from.what == link_end::kind::nic) own = m_net.nics.params(c.from.id).delay;
    if (c.to.what == link_end::kind::router) at_reader = m_net.table.terms(c.to.id).input_delay;
    return direction_of(c.from, c.to, c.link, c.link.synchroniser, own,
                        c.link.latency + c.link.cycles_per_flit - 1, at_reader);
}

link_timing::direction link_timing::credits_of(const connection& c) const {
    std::uint32_t at_reader = 0;
    if (c.from.what == link_end::kind::router) at_reader = m_net.table.terms(c.from.id).credit_delay;
    if (c.from.what == link_end::kind::nic) at_reader = m_net.nics.params(c.from.id).credit_delay;
    return direction_of(c.to, c.from, c.link, c.link.credit_synchroniser, 0, c.link.latency, at_reader);
}

router_context::wire_delays link_timing::delays_of(const connection& c) const {
    return {flits_of(c).before, credits_of(c).before};
}

std::uint32_t link_timing::cycles_per_flit(const connection& c) const {
    return serialisation(c.link, m_net.clock_of(c.from).first_ratio().period(),
                         m_net.clock_of(c.to).first_ratio().period());
}

std::uint32_t link_timing::depth_at(const connection& c) const {
    const link_end to = c.receiver();
    if (to.what == link_end::kind::router) return m_net.table.terms(to.id).depth;
    if (c.from.what != link_end::kind::router) return 1;
    const router_terms& sender = m_net.table.terms(c.from.id);
    if (to.what != link_end::kind::nic) return sender.mean_depth();
    return ejection_places(sender.mean_depth(), sender.whole_packets, m_net.nics.params(to.id),
                           static_cast<std::uint32_t>(m_net.max_packet()));
}

}  // namespace sare
