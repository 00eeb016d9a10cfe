// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/builder/wiring.h"

#include "tlm/fabric/builder/hop_count.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/router_api/check/bank_check.h"
#include "tlm/router_api/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare {
namespace {

/// Returns the most edges of clock `a` in `n` periods of clock `b`.
cycle_t most_edges(const running_clock& a, const running_clock& b, cycle_t n) {
    return &a == &b ? n : a.most_edges_in(b.most_cycles_of(n));
}

}  // namespace

/// Visits the flits of each link before its credits, everywhere, so that wires have the same numbers on both
/// sides of a remote link.
void wiring::run() {
    number_endpoints();
    settle_nodes();
    lay_out_planes();
    if (m_net.hazards == nullptr) make_checks();  // with failures, flits are lost on links
    build_wires();
    m_net.table.running.begin(m_net, look_ahead());
}

/// Checks the banks of kinds that plugins brought, or all whose links carry flits and credits.
void wiring::make_checks() {
    m_net.table.checks.resize(m_net.table.banks.size());
    for (std::size_t b = 0; b < m_net.table.banks.size(); ++b) {
        const router_bank& bank = *m_net.table.banks[b];
        const std::string kind = m_net.table.models[bank.router(0)]->kind();
        const auto* const variant = router_registry::instance().find(kind);
        if (!bank.terms().on_links.empty()) continue;
        if (m_net.modes.all_checked || (variant != nullptr && variant->of_plugin))
            m_net.table.checks[b] = &m_net.domain_of(bank.router(0)).check(bank, kind);
    }
}

/// Returns what checks a router; null if nothing does.
bank_check* wiring::check_of(std::uint32_t router) const {
    return m_net.table.checks.empty() ? nullptr : m_net.table.checks[m_net.table.bank_of[router]];
}

void wiring::number_endpoints() {
    std::map<const clock_domain*, std::uint32_t> crossings;
    std::map<const clock_domain*, std::vector<std::pair<clock_domain*, std::uint32_t>>> cuts;
    for (std::size_t k = 0; k < m_net.links.all.size() && has_crossings(); ++k)
        for (const direction& d :
             {m_timing.flits_of(m_net.links.all[k]), m_timing.credits_of(m_net.links.all[k])}) {
            if (d.crosses()) ++crossings[d.from];
            if (!d.is_cut()) continue;
            auto& all = cuts[d.from];
            auto to = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.first == d.to; });
            if (to == all.end()) to = all.insert(to, {d.to, 0});
            ++to->second;
        }
    for (partition& p : m_net.parts)
        for (clock_domain* const d : p.domains) {
            const std::uint32_t nics = d == &p.base ? p.its_nics->size() : 0;
            const std::size_t foreign = d == &m_net.parts[0].base ? m_net.foreign.size() : 0;
            d->number_endpoints(nics, static_cast<std::uint32_t>(foreign), crossings[d], cuts[d]);
        }
}

/// Lets routers take over the injection queues of their nodes, if their kind owns them. Throws config::error.
void wiring::settle_nodes() {
    for (partition& p : m_net.parts) {
        p.owner_of.assign(p.its_nics->size(), partition::no_owner);
        p.most_begun = p.its_nics->size();
    }
    for (const connection& c : m_net.links.all) {
        if (c.from.what != end::kind::nic || c.receiver().what != end::kind::router ||
            m_net.is_remote(c.from))
            continue;
        const std::uint32_t node = c.from.id, r = c.receiver().id;
        const router_terms& terms = m_net.table.terms(r);
        if (!terms.owns_nodes) continue;
        if (c.to.what != end::kind::router)
            throw config::error(
                fmt::format("router {} of kind {} has the injection queues of its nodes inside: no other "
                            "block can stand for it",
                            r, m_net.table.models[r]->kind()));
        if (c.link.latency != 1 || c.link.cycles_per_flit != 1 || c.link.wake != 0)
            throw config::error(
                fmt::format("the link of node {} is inside router {} of kind {}: it has no latency of its "
                            "own, and does not sleep; leave it at 1",
                            node, r, m_net.table.models[r]->kind()));
        const running_clock &its = m_net.clock_of(c.from), &own = m_net.domain_of(r).clock();
        const bool is_usual = &its == &running_clock::of_network();
        if (!is_usual || &own != &running_clock::of_network())
            throw config::error(
                fmt::format("router {} of kind {} has the injection queues of its nodes inside, whose clock "
                            "is {}; its own is {}{}",
                            r, m_net.table.models[r]->kind(), its.text(), own.text(),
                            is_usual ? "; it must be 1, too" : "; both must be 1"));
        partition& p = m_net.parts[m_net.map_of_parts.of_node[node]];
        p.owner_of[m_net.nics.at(node).n] = endpoint_of(r);
        p.most_begun += m_net.table.banks[m_net.table.bank_of[r]]->terms().injections_per_cycle - 1;
        m_net.modes.owners = true;
        m_net.nics.take_over(node);
    }
}

/// True if some links may lead to other clocks, other parts or other processes.
bool wiring::has_crossings() const {
    return m_net.modes.has_slow || m_net.domains.size() > 1 || m_net.remote != nullptr;
}

std::uint32_t wiring::endpoint_of(std::uint32_t r) const {
    const clock_domain& d = m_net.domain_of(r);
    std::uint32_t b = 0;
    while (d.banks()[b].get() != m_net.table.banks[m_net.table.bank_of[r]]) ++b;
    return d.first_of_bank(b) + m_net.table.in_bank[r];
}

/// Number of cycles ahead that planes of a domain must hold: its longest delay, and no more, to stay in the
/// caches.
std::uint32_t wiring::needed_reach(const clock_domain& here) const {
    std::uint32_t reach = m_net.foreign.empty() ? 2 : 17;  // foreign blocks may write some cycles ahead
    std::uint32_t write_ahead = 0;
    for (const auto& bank : here.banks()) {
        reach = std::max(reach, bank->reach());
        if (const router_acceleration* const faster = bank->acceleration())
            write_ahead = std::max(write_ahead, faster->write_ahead());
    }
    for (const connection& c : m_net.links.all) {
        const direction flits = m_timing.flits_of(c), credits = m_timing.credits_of(c);
        std::uint32_t written = 0;
        if (flits.from == &here) {
            written = flits.before;
            if (c.from.what == end::kind::router)
                written += m_net.bank_of(c.from.id).most_queueing(m_timing.depth_at(c),
                                                                  m_timing.cycles_per_flit(c)) +
                           c.wake;
        }
        if (credits.from == &here) {
            const bool batched = c.to.what == end::kind::router;
            written =
                std::max(written, credits.before + (batched ? m_net.table.terms(c.to.id).credit_batch : 0));
        }
        reach = std::max(reach, written + 1 + write_ahead);
        if (!m_net.modes.has_slow) continue;
        // The reader takes one a cycle, and every place of the buffer may have a credit under way; behind a
        // synchroniser, which does not hold back a fast writer, it may have a flit.
        const auto read = [&](const direction& d, std::uint32_t waiting) {
            const cycle_t edges = d.after + most_edges(*d.reader, *d.writer, d.lead) + 3 + waiting;
            return static_cast<std::uint32_t>(d.reader == &here.clock() ? edges
                                                                        : d.reader->most_cycles_of(edges));
        };
        const std::uint32_t depth = m_timing.depth_at(c);
        if (flits.crosses() && flits.to == &here)
            reach = std::max(reach, read(flits, c.link.synchroniser != 0 ? depth * m_net.vcs() : 0));
        if (credits.crosses() && credits.to == &here) reach = std::max(reach, read(credits, depth));
    }
    return reach;
}

/// Network cycles within which edges are used that are to come: those by which a writer and a NIC, which has
/// the planes of the network's clock, count what is on its way.
cycle_t wiring::look_ahead() const {
    cycle_t most = 1;
    for (const connection& c : m_net.links.all) {
        if (!m_net.modes.has_slow) break;
        for (const direction& d : {m_timing.flits_of(c), m_timing.credits_of(c)}) {
            if (!d.crosses() || !(d.writer->changes() || d.reader->changes())) continue;
            const bool is_nic = d.reader != &d.to->clock(), queues = d.reader != d.writer;
            const std::uint32_t waiting = queues ? m_timing.depth_at(c) * m_net.vcs() : 0;
            const std::uint32_t written = std::max(d.lead, m_timing.cycles_per_flit(c));
            most = std::max<cycle_t>(
                most, d.writer->bounds().slowest.cycles_of(written + 1) +
                          (is_nic ? d.reader->bounds().slowest.cycles_of(d.after + waiting + 1) : 0));
        }
    }
    return most + 1;
}

void wiring::lay_out_planes() {
    for (clock_domain* d : m_net.domains) d->lay_out();
    const std::uint32_t counts = inbox_counts();
    std::vector<std::vector<std::uint32_t>> inboxes, flits;
    for (partition& p : m_net.parts) {
        inboxes.emplace_back();
        flits.emplace_back();
        const std::uint32_t before = p.its_nics->has_small_sets() ? 0 : 1;
        for (std::uint32_t n = 0; n < p.its_nics->size(); ++n) {
            inboxes.back().push_back(p.base.in_table(p.base.first_nic() + n));
            flits.back().push_back(p.base.flits_in_table() ? inboxes.back().back() + 1
                                                           : p.base.place(before + 1 + counts) + before);
        }
    }
    for (foreign_block_state& f : m_net.foreign) f.inbox = m_net.parts[0].base.place(3 + counts);
    if (has_crossings()) place_crossings();
    const std::uint32_t window = m_net.remote ? m_net.remote->agree() : 0;
    std::uint32_t reach = window + 1;
    for (const clock_domain* d : m_net.domains) reach = std::max(reach, needed_reach(*d));
    // Processes take the same reach, as what they do together in idle cycles depends on it.
    if (m_net.remote) reach = static_cast<std::uint32_t>(m_net.remote->processes().most(reach));
    // If links may fail, everything under way between parts is handed over at once.
    const bool alike = m_net.remote || (m_net.hazards && m_net.hazards->failures);
    for (clock_domain* d : m_net.domains) d->allocate(alike ? reach : needed_reach(*d));
    if (m_net.remote) m_net.remote->open(m_net.modes.batched);
    for (std::size_t k = 0; k < m_net.parts.size(); ++k)
        m_net.parts[k].its_nics->construct(m_net.parts[k].base.first_nic(), inboxes[k], flits[k],
                                           m_net.modes.batched, m_net.seed());
}

/// Words of an inbox that count credits that come in batches; 0 in a network without them.
std::uint32_t wiring::inbox_counts() const {
    return m_net.modes.batched ? (m_net.vcs() + 3) / 4 : 0;
}

/// Reserves words of a plane for crossings and cuts, in the order in which build_wires() will make them.
void wiring::place_crossings() {
    const auto place = [this](const direction& d, const end& writer, const end& reader) {
        if (m_net.is_remote(writer) || m_net.is_remote(reader)) m_net.remote->note_delay(d.before);
        if ((d.crosses() || d.is_cut()) && !m_net.is_remote(writer))
            m_inboxes_of_crossings.push_back(d.from->place(2 + inbox_counts()));
    };
    for (const connection& c : m_net.links.all) {
        place(m_timing.flits_of(c), c.from, c.to);
        place(m_timing.credits_of(c), c.to, c.from);
    }
}

void wiring::wire_nic(const connection& c, const wire& w, const wire_extras& x) {
    std::uint16_t head_credits = 1;
    if (const end to = c.receiver(); to.what == end::kind::router) {
        const router_terms& terms = m_net.table.terms(to.id);
        head_credits = terms.requires_empty_buffer ? x.depth : terms.whole_packets ? 0 : 1;
    }
    const auto [its, n] = m_net.nics.at(c.from.id);
    its.wire_flits(n, w, x, head_credits);
    if (const pause_rule rule = pauses_at(c); rule.pauses()) its.pause_by(n, rule);
}

/// True for a connection between a node and the router that owns its queues, which needs no link.
bool wiring::is_inside(const connection& c) const {
    const end& node = c.from.what == end::kind::nic ? c.from : c.to;
    return node.what == end::kind::nic && !m_net.is_remote(node) && m_net.is_inside_router(node.id);
}

/// Tells the router that a node is behind a port; it sends nothing by that port.
void wiring::wire_inside(const connection& c) {
    if (c.from.what != end::kind::router) return;
    wire_extras x;
    x.depth = m_net.table.depth_beyond[m_net.port_index(c.from.id, c.from.port)] =
        static_cast<std::uint16_t>(m_timing.depth_at(c));
    m_net.bank_of(c.from.id).wire_output(m_net.in_bank(c.from.id), c.from.port, {}, x);
}

/// Returns the wire that the writer of a direction uses to reach `reader`.
std::pair<wire, wire_extras> wiring::begin_of(const direction& d, const end& reader, bool has_flits) {
    if (!m_net.is_remote(reader))
        return begin_of(d, has_flits ? m_net.flits_to(reader) : m_net.credits_to(reader), has_flits);
    m_net.remote->goes_out(reader, *d.from);
    return begin_of(d, std::pair<wire, wire_extras>(), has_flits);
}

std::pair<wire, wire_extras> wiring::begin_of(const direction& d, std::pair<wire, wire_extras> reader,
                                              bool has_flits) {
    if (m_net.modes.has_slow && d.crosses()) {
        clock_crossing c;
        c.to = d.to;
        c.onward = reader.first;
        c.extras = reader.second;
        c.writer = d.writer;
        c.reader = d.reader;
        c.writer_in_domain = d.writer == &d.from->clock();
        c.reader_in_domain = d.reader == &d.to->clock();
        c.lead = d.lead;
        c.after = d.after;
        c.inbox = m_inboxes_of_crossings[m_next_crossing++];
        c.has_flits = has_flits;
        reader = d.from->cross(std::move(c), m_net.vcs(), m_net.modes.batched);
    } else if (d.is_cut()) {
        cut_wire c{reader.first, reader.second, m_inboxes_of_crossings[m_next_crossing++], has_flits};
        c.onward.delay = 0;
        reader = d.from->cut(c, *d.to, m_net.modes.batched);
    }
    reader.first.delay = static_cast<std::uint16_t>(d.before);
    return reader;
}

/// Adds a link that can sleep, or waits for a router, and returns 1 + its number, for wire_extras::sleeps.
/// Throws config::error.
std::uint16_t wiring::add_sleeper(const connection& c) {
    if (c.from.what == end::kind::foreign ||
        (c.from.what == end::kind::nic && m_net.nics.is_taken_over(c.from.id)))
        throw config::error((c.link.wake != 0
                                 ? fmt::format("a link that can sleep (wake: {})", c.link.wake)
                                 : "a link to " + block_text(c.to) + ", which can go off ('wake'),") +
                            " begins at a block that is not Sare's, which does not know that it does");
    const auto* const usual = &running_clock::of_network();
    if (&m_net.clock_of(c.from) != usual || &m_net.clock_of(c.to) != usual)
        throw config::error("the link from " + text(c.from) + " can sleep" +
                            (c.link.wake != 0 ? "" : " with its routers ('wake')") +
                            ", and is of routers of other clocks than 1; it must be of clock 1");
    if (m_net.sleepers.size() == 0xffff)
        throw config::error("more than 65535 links can sleep; that is too many");
    m_net.sleepers.emplace_back(c.link.idle, c.link.wake, gate_at(m_net, c.from), gate_at(m_net, c.to));
    if (c.link.wake != 0) m_net.sleeper_of[c.from] = static_cast<std::uint32_t>(m_net.sleepers.size() - 1);
    return static_cast<std::uint16_t>(m_net.sleepers.size());
}

/// Returns the places at the end of a link that VCs share. Throws config::error if the sender cannot count
/// them.
std::uint16_t wiring::pool_at(const connection& c) const {
    const end to = c.receiver();
    const std::uint32_t pool = to.what == end::kind::router ? m_net.table.terms(to.id).pool : 0;
    const bool is_router = c.from.what == end::kind::router;
    const bool counts = is_router                           ? m_net.table.terms(c.from.id).counts_pools
                        : c.from.what == end::kind::foreign ? m_net.foreign[c.from.id].block->counts_pools()
                                                            : true;
    const bool pauses = pool != 0 && m_net.table.terms(to.id).pauses.pauses();  // pauses_at() then asks
    if (pool != 0 && !counts && !pauses)
        throw config::error(
            fmt::format("router {} has shared buffers, and {} that sends to it does not count their places; "
                        "take 'buffers: private' there",
                        to.id, is_router ? fmt::format("router {}", c.from.id) : "a block of another kind"));
    return static_cast<std::uint16_t>(pool);
}

/// Throws config::error: the sender of a link does not go with pauses of the receiver.
void wiring::refuse_pauses(const connection& c, const std::string& why) {
    throw config::error(
        fmt::format("router {} pauses its senders (flow_control: pfc), and {}", c.receiver().id, why));
}

/// Returns when VCs at the end of a link pause. Throws config::error if the sender cannot obey.
pause_rule wiring::pauses_at(const connection& c) const {
    const end to = c.receiver();
    if (to.what != end::kind::router || !m_net.table.terms(to.id).pauses.pauses()) return {};
    pause_rule rule = m_net.table.terms(to.id).pauses;
    const bool taken_over = c.from.what == end::kind::nic && m_net.nics.is_taken_over(c.from.id);
    if (c.from.what == end::kind::foreign || taken_over)
        refuse_pauses(c, "a block that is not Sare's sends to it");
    const auto* const usual = &running_clock::of_network();
    if (&m_net.clock_of(c.from) != usual || &m_net.clock_of(c.to) != usual)
        refuse_pauses(c, "an end of a link to it has a clock of its own");
    const auto [forward, backward] = m_timing.delays_of(c);
    rule.round_trip = forward + backward;
    return rule;
}

/// Wires the writing end of a link: it sends flits and gets credits.
void wiring::wire_writer(const connection& c) {
    auto [flits, flits_x] = begin_of(m_timing.flits_of(c), c.to, true);
    if (c.sleeps) flits_x.sleeps = add_sleeper(c);
    flits_x.cycles_per_flit = static_cast<std::uint16_t>(m_timing.cycles_per_flit(c));
    flits_x.depth = static_cast<std::uint16_t>(m_timing.depth_at(c));
    flits_x.pool = pool_at(c);
    const pause_rule pauses = pauses_at(c);
    if (m_net.is_remote(c.to)) {
        const auto [w, x] = m_net.credits_to(c.from);
        m_net.remote->comes_in(c.to, m_net.domain_of(c.from), w, x, false);
    }
    if (c.from.what == end::kind::router) {
        m_net.table.depth_beyond[m_net.port_index(c.from.id, c.from.port)] = flits_x.depth;
        m_net.bank_of(c.from.id).wire_output(m_net.in_bank(c.from.id), c.from.port, flits, flits_x);
        if (pauses.pauses() &&
            !m_net.bank_of(c.from.id).pause_output(m_net.in_bank(c.from.id), c.from.port, pauses))
            refuse_pauses(c, fmt::format("router {}, which sends to it, cannot obey", c.from.id));
        const end to = c.receiver();
        const bool pooled = to.what == end::kind::router && flits_x.pool == 0 &&
                            m_net.table.terms(to.id).sharing != buffer_sharing::per_vc;
        if (bank_check* const its = check_of(c.from.id))
            its->wire_output(m_net.in_bank(c.from.id), c.from.port, flits, flits_x, to, pooled);
    } else if (c.from.what == end::kind::nic) {
        wire_nic(c, flits, flits_x);
    } else {
        m_net.foreign[c.from.id].wires.flits = flits;
        m_net.foreign[c.from.id].extras.flits = flits_x;
    }
}

/// Wires the reading end of a link: it gets flits and sends credits.
void wiring::wire_reader(const connection& c) {
    if (m_net.is_remote(c.from)) {
        const auto [w, x] = m_net.flits_to(c.to);
        m_net.remote->comes_in(c.from, m_net.domain_of(c.to), w, x, true);
    }
    auto [credits, credits_x] = begin_of(m_timing.credits_of(c), c.from, false);
    if (c.to.what == end::kind::router)
        credits_x.batch = static_cast<std::uint16_t>(m_net.table.terms(c.to.id).credit_batch);
    if (c.to.what == end::kind::router) {
        m_net.bank_of(c.to.id).wire_input(m_net.in_bank(c.to.id), c.to.port, credits, credits_x, c.from);
        if (bank_check* const its = check_of(c.to.id))
            its->wire_input(m_net.in_bank(c.to.id), c.to.port, credits, credits_x);
    } else if (c.to.what == end::kind::nic) {
        const auto [its, n] = m_net.nics.at(c.to.id);
        its.wire_credits(n, credits, credits_x);
    } else {
        m_net.foreign[c.to.id].wires.credits = credits;
        m_net.foreign[c.to.id].extras.credits = credits_x;
    }
}

void wiring::build_wires() {
    for (const connection& c : m_net.links.all) {
        if (is_inside(c)) {
            wire_inside(c);
            continue;
        }
        if (!m_net.is_remote(c.from)) wire_writer(c);
        if (!m_net.is_remote(c.to)) wire_reader(c);
    }
    bool is_far = runs_dense(m_net.scale());
    for (router_bank* const bank : m_net.table.banks) {
        bank->finish();
        is_far = is_far || bank->inbox().flits_in_table();
    }
    if (m_net.routes().keyed()) fill_hops(m_net);
    for (const partition& p : m_net.parts) {
        p.its_nics->set_sleepers(m_net.sleepers);
        p.its_nics->finish(m_net.routes().states() == 1 ? nullptr : m_net.routing(),
                           is_far && (m_net.routers() > 512 || always_fetches(m_net.scale())),
                           p.base.looks_through());
    }
}

}  // namespace sare
