// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/hazards.h"
#include "tlm/fabric/watch.h"
#include "tlm/topology/properties.h"
#include "tlm/topology/serialisation.h"

#include <algorithm>
#include <map>
#include <stdexcept>

/// Laying out the memory and the wires, once all routers, NICs and links are known.
namespace sare {

fabric::~fabric() = default;

void fabric::set_routing(const topology& map, const routing_function& routing) {
    m_map = &map;
    m_routing = &routing;
    m_dims = node_dims(map);
}

void fabric::finish() {
    for (const auto& m : m_models) {
        const router_terms terms = m->terms();
        m_batched = m_batched || terms.credit_batch > 1;
        m_conserves_packets = m_conserves_packets && terms.conserves_packets;
    }
    const bool fails = m_hazards != nullptr && m_hazards->failures;
    if (m_routing != nullptr && !fails)
        m_routes.build(*m_routing, routers(), *std::max_element(m_ports.begin(), m_ports.end()), nodes());
    index_connections();
    show_congestion();
    part_network();
    make_banks();
    number_endpoints();
    settle_nodes();
    lay_out_planes();
    build_wires();
    if (m_hazards != nullptr) m_hazards->check(*this);
    if (m_hazards != nullptr && m_hazards->errors) m_hazards->errors->find_links();
    m_live_nodes = nodes();
    m_sends_at_once = m_hazards == nullptr && m_remote == nullptr && m_alone;
    // Assigning {} would keep the memory.
    std::vector<connection>().swap(m_connections);
    std::vector<std::uint32_t>().swap(m_link_from);
    std::vector<std::uint32_t>().swap(m_link_into);
}

/// Which cannot be parted, and why.
std::uint32_t fabric::possible_parts() {
    std::uint32_t parts = std::max(m_thread_policy.threads, 1U);
    if (parts == 1) return 1;
    const auto only = [this](std::uint32_t most, const std::string& why) {
        m_threads_obstacle = why;
        return most;
    };
    if (m_remote) return only(1, "it is one of several processes");
    if (m_hazards != nullptr && m_hazards->failures) return only(1, "links of the network fail");
    for (std::uint32_t r = 0; r < routers(); ++r)
        if (!m_models[r]->terms().thread_safe)
            return only(1, "routers of kind " + m_models[r]->kind() + ", such as " + std::to_string(r) +
                               ", share more than links");
    if (parts > m_thread_policy.processors)
        parts = only(m_thread_policy.processors, "this machine has no more processors for it");
    const std::uint32_t most = std::max(routers() / std::max(m_thread_policy.least_routers, 1U), 1U);
    if (parts > most)
        parts = only(most, "there are " + std::to_string(routers()) + " routers, and less than " +
                               std::to_string(m_thread_policy.least_routers) + " for a thread do not pay");
    return parts;
}

/// What several processes cannot run together.
void fabric::check_border() const {
    const auto fails = [](const std::string& why) {
        throw config::error("several processes cannot run this network: " + why +
                            "; run it in one, with 'threads'");
    };
    if (m_hazards != nullptr) fails("links of it fail, or have bit errors");
    if (!m_foreign.empty()) fails("there are blocks in it that are not the model's (RTL)");
    if (!m_clocks.empty()) fails("its routers have several clocks");
    if (m_board) fails("routing " + m_routing->name() + " looks at congestion in all routers");
    for (std::uint32_t r = 0; r < routers(); ++r)
        if (!m_models[r]->terms().thread_safe)
            fails("routers of kind " + m_models[r]->kind() + ", such as " + std::to_string(r) +
                  ", share more than links");
}

/// Routers and nodes into parts, and routers of those into domains, by clock.
void fabric::part_network() {
    const std::uint32_t parts = possible_parts();
    m_partition_map = cut_network(m_connections, m_ports, nodes(), parts, m_map);
    if (m_remote) check_border();
    for (std::uint32_t n = 0; m_remote && n < nodes(); ++n)
        if (!m_remote->node_is_here(n)) m_partition_map.of_node[n] = all_nics::elsewhere;
    while (m_parts.size() < parts) m_parts.emplace_back();
    m_alone = parts == 1;
    m_packets.split(parts);
    m_messages.split(parts);
    m_nics.share_out(m_partition_map.of_node);
    for (std::uint32_t k = 0; k < parts; ++k)
        m_parts[k].its_nics = &m_nics.add_part({m_parts[k].base.ring(), m_packets, m_packets.part(k),
                                                m_messages, m_messages.part(k), m_vcs, m_classes});
    for (std::uint32_t r = 0; r < m_clocks.size(); ++r)
        m_parts[m_partition_map.of_router[r]].of_clock(m_clocks[r]);
    std::map<const clock_domain*, std::uint16_t> number;
    for (const partition& p : m_parts)
        for (clock_domain* const d : p.domains) {
            number[d] = static_cast<std::uint16_t>(m_domains.size());
            m_domains.push_back(d);
        }
    m_has_slow = m_domains.size() > m_parts.size();
    if (m_domains.size() > 65535)
        throw config::error("routers of more than 65,535 clocks and parts; that is too many");
    if (m_domains.size() == 1) return;
    for (std::uint32_t r = 0; r < routers(); ++r)
        m_domain_of.push_back(
            number[&m_parts[m_partition_map.of_router[r]].of_clock(m_clocks.empty() ? 1 : m_clocks[r])]);
}

void fabric::index_connections() {
    std::size_t ports = 0;
    for (const std::uint32_t p : m_ports) {
        m_first_port.push_back(ports);
        ports += p;
    }
    m_link_from.assign(ports, no_link);
    m_link_into.assign(ports, no_link);
    m_depth_beyond.assign(ports, 0);
    for (std::uint32_t k = 0; k < m_connections.size(); ++k) {
        const connection& c = m_connections[k];
        if (c.from.what == end::kind::router) m_link_from[place_of(c.from.id, c.from.port)] = k;
        if (c.to.what == end::kind::router) m_link_into[place_of(c.to.id, c.to.port)] = k;
    }
}

void fabric::show_congestion() {
    m_shows_congestion = m_routing != nullptr && m_routing->looks_at_congestion();
    m_asks_more = m_shows_congestion || (m_hazards != nullptr && m_hazards->failures);
    if (!m_shows_congestion) return;
    for (const connection& c : m_connections)
        if (c.in_place_of && c.in_place_of->what == end::kind::router)
            throw config::error("routing " + m_routing->name() + " looks at congestion, of which router " +
                                std::to_string(c.in_place_of->id) +
                                " tells nothing: it is no router of the model's");
    if (m_routing->board_delay() != 0)
        m_board = std::make_unique<congestion_board>(m_routing->board_delay(), m_depth_beyond.size());
}

const connection* fabric::link_from(std::uint32_t router, std::uint32_t port) const {
    const std::uint32_t k = m_link_from[place_of(router, port)];
    return k == no_link ? nullptr : &m_connections[k];
}

const connection* fabric::link_into(std::uint32_t router, std::uint32_t port) const {
    const std::uint32_t k = m_link_into[place_of(router, port)];
    return k == no_link ? nullptr : &m_connections[k];
}

void fabric::key_routes() {
    if (m_routes.keyed() || !m_routes.exists()) return;
    // Without a map of these routers, or where ways differ in length, there is no telling how many hops there
    // are.
    const bool mapped = m_map != nullptr && m_map->routers() == routers() && m_map->nodes() == nodes();
    if (!mapped || (m_routing->max_candidates() > 1 && count_hops().empty())) return;
    m_routes.add_keys(m_classes);
}

/// Every kind makes its own.
void fabric::make_banks() {
    std::map<std::string, std::vector<router_instance>> kinds;
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (!has_router(r)) continue;
        kinds[m_models[r]->kind()].push_back({r, m_ports[r], m_models[r].get(), domain_of(r).period(),
                                              m_domain_of.empty() ? 0U : m_domain_of[r]});
    }
    for (const auto& [name, places] : kinds)
        for (auto& bank : places.front().model->make_banks(*this, places)) {
            clock_domain& domain = domain_of(bank->router(0));
            for (std::uint32_t k = 0; k < bank->size(); ++k)
                if (&domain_of(bank->router(k)) != &domain)
                    throw std::logic_error("kind " + name +
                                           " put routers of two clocks or parts into one bank");
            m_banks.push_back(&domain.add(std::move(bank)));
        }
    if (m_remote && !m_remote->all_agree(m_routes.keyed()))
        throw config::error(
            "several processes cannot run this network: routers in some know the ways of packets otherwise "
            "than "
            "those in others; make all routers alike, or run it in one, with 'threads'");
    m_bank_of.resize(routers());
    m_place_in_bank.resize(routers());
    for (std::uint32_t b = 0; b < m_banks.size(); ++b)
        for (std::uint32_t k = 0; k < m_banks[b]->size(); ++k) {
            m_bank_of[m_banks[b]->router(k)] = b;
            m_place_in_bank[m_banks[b]->router(k)] = k;
        }
}

void fabric::number_endpoints() {
    std::map<const clock_domain*, std::uint32_t> crossings;
    std::map<const clock_domain*, std::vector<std::pair<clock_domain*, std::uint32_t>>> cuts;
    for (std::size_t k = 0; k < m_connections.size() && (m_domains.size() > 1 || m_remote); ++k)
        for (const direction& d : {flits_of(m_connections[k]), credits_of(m_connections[k])}) {
            if (d.crosses()) ++crossings[d.from];
            if (!d.is_cut()) continue;
            auto& all = cuts[d.from];
            auto to = std::find_if(all.begin(), all.end(), [&](const auto& c) { return c.first == d.to; });
            if (to == all.end()) to = all.insert(to, {d.to, 0});
            ++to->second;
        }
    for (partition& p : m_parts)
        for (clock_domain* const d : p.domains) {
            const std::uint32_t nics = d == &p.base ? p.its_nics->size() : 0;
            const std::size_t foreign = d == &m_parts[0].base ? m_foreign.size() : 0;
            d->number_endpoints(nics, static_cast<std::uint32_t>(foreign), crossings[d], cuts[d]);
        }
}

/// Routers take over the injection queues of their nodes.
void fabric::settle_nodes() {
    for (partition& p : m_parts) {
        p.owner_of.assign(p.its_nics->size(), partition::no_owner);
        p.most_begun = p.its_nics->size();
    }
    for (const connection& c : m_connections) {
        if (c.from.what != end::kind::nic || c.receiver().what != end::kind::router || is_beyond(c.from))
            continue;
        const std::uint32_t node = c.from.id, r = c.receiver().id;
        const router_terms terms = m_models[r]->terms();
        if (!terms.owns_nodes) continue;
        if (c.to.what != end::kind::router)
            throw config::error(
                "router " + std::to_string(r) + " of kind " + m_models[r]->kind() +
                " has the injection queues of its nodes inside: no other block can stand for it");
        if (c.link.latency != 1 || c.link.cycles_per_flit != 1 || c.link.wake != 0)
            throw config::error("the link of node " + std::to_string(node) + " is inside router " +
                                std::to_string(r) + " of kind " + m_models[r]->kind() +
                                ": it has no latency of its own, and does not sleep; leave it at 1");
        if (domain_of(r).period() != 1)
            throw config::error(
                "router " + std::to_string(r) + " of kind " + m_models[r]->kind() +
                " has the injection queues of its nodes inside, whose clock is 1; its own is " +
                std::to_string(domain_of(r).period()) + "; it must be 1, too");
        partition& p = m_parts[m_partition_map.of_node[node]];
        p.owner_of[m_nics.at(node).n] = endpoint_of(r);
        p.most_begun += m_banks[m_bank_of[r]]->terms().injections_per_cycle - 1;
        m_owners = true;
        m_nics.take_over(node);
    }
}

std::uint32_t fabric::endpoint_of(std::uint32_t r) const {
    const clock_domain& d = domain_of(r);
    std::uint32_t b = 0;
    while (d.banks()[b].get() != m_banks[m_bank_of[r]]) ++b;
    return d.first_of_bank(b) + m_place_in_bank[r];
}

/// `own`: cycles of the writer before the link, `on_link`: of the link, whose clock is that of one end,
/// `at_reader`: of the reader, from the end of the link on.
fabric::direction fabric::direction_of(const end& writer, const end& reader, std::uint32_t clock,
                                       std::uint32_t own, std::uint32_t on_link, std::uint32_t at_reader) {
    clock_domain *const from = &domain_of(writer), *const to = &domain_of(reader);
    if (from->period() == to->period()) return {from, to, own + on_link + at_reader, 0, 0};
    // What is written in a cycle is there for edges after it, which the last cycle of the link leads to.
    if (clock == from->period()) return {from, to, own + on_link - 1, from->period(), at_reader};
    if (clock == to->period()) return {from, to, own, 0, on_link + at_reader};
    throw config::error("a link between routers of clocks " + std::to_string(from->period()) + " and " +
                        std::to_string(to->period()) + " has clock " + std::to_string(clock) +
                        "; it must have that of one end");
}

fabric::direction fabric::flits_of(const connection& c) {
    std::uint32_t own = 0, at_reader = 0;
    if (c.from.what == end::kind::router) own = m_models[c.from.id]->terms().flit_delay;
    if (c.from.what == end::kind::nic) own = m_nics.params(c.from.id).delay;
    if (c.to.what == end::kind::router) at_reader = m_models[c.to.id]->terms().input_delay;
    return direction_of(c.from, c.to, c.link.clock, own, c.link.latency + c.link.cycles_per_flit - 1,
                        at_reader);
}

fabric::direction fabric::credits_of(const connection& c) {
    std::uint32_t at_reader = 0;
    if (c.from.what == end::kind::router) at_reader = m_models[c.from.id]->terms().credit_delay;
    if (c.from.what == end::kind::nic) at_reader = m_nics.params(c.from.id).credit_delay;
    return direction_of(c.to, c.from, c.link.clock, 0, c.link.latency, at_reader);
}

fabric::wire_delays fabric::delays_of(const connection& c) {
    return {flits_of(c).before, credits_of(c).before};
}

std::uint32_t fabric::cycles_per_flit(const connection& c) const {
    return serialisation(c.link, clock_of(c.from), clock_of(c.to));
}

/// The longest delay and the current cycle: no more planes than that, for they want to stay in the caches.
std::uint32_t fabric::needed_reach(const clock_domain& here) {
    std::uint32_t reach = m_foreign.empty() ? 2 : 17;  // foreign blocks may write some cycles ahead
    std::uint32_t write_ahead = 0;
    for (const auto& bank : here.banks()) {
        reach = std::max(reach, bank->reach());
        write_ahead = std::max(write_ahead, bank->write_ahead());
    }
    for (const connection& c : m_connections) {
        const direction flits = flits_of(c), credits = credits_of(c);
        std::uint32_t written = 0;
        if (flits.from == &here) {
            written = flits.before;
            if (c.from.what == end::kind::router)
                written += bank_of(c.from.id).most_queueing(depth_at(c), cycles_per_flit(c)) + c.link.wake;
        }
        if (credits.from == &here) {
            const bool batched = c.to.what == end::kind::router;
            written =
                std::max(written, credits.before + (batched ? m_models[c.to.id]->terms().credit_batch : 0));
        }
        reach = std::max(reach, written + 1 + write_ahead);
        const auto read = [&](const direction& d) { return d.after + d.lead / here.period() + 3; };
        if (flits.crosses() && flits.to == &here) reach = std::max(reach, read(flits));
        // Those of a fast router for a slow one: all that there are, one a cycle.
        if (credits.crosses() && credits.to == &here) reach = std::max(reach, read(credits) + depth_at(c));
    }
    return reach;
}

void fabric::lay_out_planes() {
    for (clock_domain* d : m_domains) d->lay_out();
    const std::uint32_t counts = inbox_counts();
    std::vector<std::vector<std::uint32_t>> inboxes, flits;
    for (partition& p : m_parts) {
        inboxes.emplace_back();
        flits.emplace_back();
        for (std::uint32_t n = 0; n < p.its_nics->size(); ++n) {
            inboxes.back().push_back(p.base.in_table(p.base.first_nic() + n));
            flits.back().push_back(p.base.flits_in_table() ? inboxes.back().back() + 1
                                                           : p.base.place(1 + counts));
        }
    }
    for (foreign_state& f : m_foreign) f.inbox = m_parts[0].base.place(3 + counts);
    if (m_domains.size() > 1 || m_remote) place_crossings();
    const std::uint32_t window = m_remote ? m_remote->agree() : 0;
    for (clock_domain* d : m_domains) d->allocate(std::max(needed_reach(*d), window + 1));
    if (m_remote) m_remote->open(m_parts[0].base, m_batched);
    for (std::size_t k = 0; k < m_parts.size(); ++k)
        m_parts[k].its_nics->construct(m_parts[k].base.first_nic(), inboxes[k], flits[k], m_batched, m_seed);
}

/// Words of an inbox for counts of credits that come in batches.
std::uint32_t fabric::inbox_counts() const {
    return m_batched ? (m_vcs + 3) / 4 : 0;
}

/// In the order in which build_wires() will make them.
void fabric::place_crossings() {
    for (const connection& c : m_connections)
        for (const direction& d : {flits_of(c), credits_of(c)}) {
            if (m_remote && d.is_cut()) m_remote->note_delay(d.before);
            if (d.from != d.to && (d.from == &m_parts[0].base || !m_remote))
                m_inboxes_of_crossings.push_back(d.from->place(2 + inbox_counts()));
        }
}

std::uint32_t fabric::depth_at(const connection& c) const {
    const end to = c.receiver();
    if (to.what == end::kind::router) return m_models[to.id]->terms().depth;
    if (c.from.what != end::kind::router) return 1;
    const router_terms sender = m_models[c.from.id]->terms();
    if (to.what != end::kind::nic) return sender.depth;
    return ejection_places(sender.depth, sender.whole_packets, m_nics.params(to.id),
                           static_cast<std::uint32_t>(max_packet()));
}

std::pair<wire, wire_extras> fabric::flits_to(const end& reader) const {
    if (reader.what == end::kind::router)
        return bank_of(reader.id).flits_into(place_in_bank(reader.id), reader.port);
    if (reader.what == end::kind::nic) {
        const auto [its, n] = m_nics.at(reader.id);
        return its.flits_into(n);
    }
    wire w = clock_domain::wire_to(m_parts[0].base.first_foreign() + reader.id);
    w.inbox = m_foreign[reader.id].inbox;
    w.flit_at = w.inbox + 2;
    w.port_bit = 1;
    return {w, {}};
}

std::pair<wire, wire_extras> fabric::credits_to(const end& reader) const {
    if (reader.what == end::kind::router)
        return bank_of(reader.id).credits_into(place_in_bank(reader.id), reader.port);
    if (reader.what == end::kind::nic) {
        const auto [its, n] = m_nics.at(reader.id);
        return its.credits_into(n);
    }
    auto [w, x] = flits_to(reader);
    w.inbox += 1;
    if (m_batched) x.counts = 2;
    return {w, x};
}

void fabric::wire_nic(const connection& c, const wire& w, const wire_extras& x) {
    std::uint16_t head_credits = 1;
    if (const end to = c.receiver(); to.what == end::kind::router) {
        const router_terms terms = m_models[to.id]->terms();
        head_credits = terms.requires_empty_buffer ? x.depth : terms.whole_packets ? 0 : 1;
    }
    const auto [its, n] = m_nics.at(c.from.id);
    its.wire_flits(n, w, x, head_credits);
}

/// Between a node and the router that owns its queues: no link at all.
bool fabric::is_inside(const connection& c) const {
    const end& node = c.from.what == end::kind::nic ? c.from : c.to;
    return node.what == end::kind::nic && !is_beyond(node) && is_inside_router(node.id);
}

bool fabric::is_inside_router(std::uint32_t node) const {
    return m_owners &&
           m_parts[m_partition_map.of_node[node]].owner_of[m_nics.at(node).n] != partition::no_owner;
}

/// Its router knows that the node is there, and sends nothing by that port.
void fabric::wire_inside(const connection& c) {
    if (c.from.what != end::kind::router) return;
    wire_extras x;
    x.depth = m_depth_beyond[place_of(c.from.id, c.from.port)] = static_cast<std::uint16_t>(depth_at(c));
    bank_of(c.from.id).wire_output(place_in_bank(c.from.id), c.from.port, {}, x);
}

/// What the writer gets that leads to `reader`.
std::pair<wire, wire_extras> fabric::begin_of(const direction& d, std::pair<wire, wire_extras> reader,
                                              bool has_flits) {
    if (d.crosses()) {
        clock_crossing c;
        c.to = d.to;
        c.onward = reader.first;
        c.extras = reader.second;
        c.lead = d.lead;
        c.after = d.after;
        c.inbox = m_inboxes_of_crossings[m_next_crossing++];
        c.has_flits = has_flits;
        reader = d.from->cross(std::move(c), m_vcs, m_batched);
    } else if (d.is_cut()) {
        cut_wire c{reader.first, reader.second, m_inboxes_of_crossings[m_next_crossing++], has_flits};
        c.onward.delay = 0;
        reader = d.from->cut(c, *d.to, m_batched);
    }
    reader.first.delay = static_cast<std::uint16_t>(d.before);
    return reader;
}

/// The number that wire_extras::sleeps has.
std::uint16_t fabric::add_sleeper(const connection& c) {
    if (c.from.what == end::kind::foreign || (c.from.what == end::kind::nic && is_taken_over(c.from.id)))
        throw config::error("a link that can sleep (wake: " + std::to_string(c.link.wake) +
                            ") begins at a block that is not Sare's, which does not know that it does");
    if (clock_of(c.from) != 1 || clock_of(c.to) != 1)
        throw config::error("the link from " + text(c.from) +
                            " can sleep, and is of routers of other clocks than 1; it must be of clock 1");
    if (m_sleepers.size() == 0xffff) throw config::error("more than 65535 links can sleep; that is too many");
    m_sleepers.emplace_back(c.link.idle, c.link.wake);
    m_sleeper_of[c.from] = static_cast<std::uint32_t>(m_sleepers.size() - 1);
    return static_cast<std::uint16_t>(m_sleepers.size());
}

std::optional<std::uint32_t> fabric::sleeper_number(const end& from) const {
    const auto found = m_sleeper_of.find(from);
    return found == m_sleeper_of.end() ? std::nullopt : std::optional(found->second);
}

/// What writes flits to it.
void fabric::wire_writer(const connection& c) {
    auto [flits, flits_x] =
        begin_of(flits_of(c), is_beyond(c.to) ? std::pair<wire, wire_extras>() : flits_to(c.to), true);
    if (c.link.wake != 0) flits_x.sleeps = add_sleeper(c);
    flits_x.cycles_per_flit = static_cast<std::uint16_t>(cycles_per_flit(c));
    flits_x.depth = static_cast<std::uint16_t>(depth_at(c));
    if (is_beyond(c.to)) {
        const auto [w, x] = credits_to(c.from);
        m_remote->comes_in(c.to, w, x, false);
    }
    if (c.from.what == end::kind::router) {
        m_depth_beyond[place_of(c.from.id, c.from.port)] = flits_x.depth;
        bank_of(c.from.id).wire_output(place_in_bank(c.from.id), c.from.port, flits, flits_x);
    } else if (c.from.what == end::kind::nic) {
        wire_nic(c, flits, flits_x);
    } else {
        m_foreign[c.from.id].wires.flits = flits;
        m_foreign[c.from.id].extras.flits = flits_x;
    }
}

/// What reads them, and writes credits.
void fabric::wire_reader(const connection& c) {
    if (is_beyond(c.from)) {
        const auto [w, x] = flits_to(c.to);
        m_remote->comes_in(c.from, w, x, true);
    }
    auto [credits, credits_x] = begin_of(
        credits_of(c), is_beyond(c.from) ? std::pair<wire, wire_extras>() : credits_to(c.from), false);
    if (c.to.what == end::kind::router)
        credits_x.batch = static_cast<std::uint16_t>(m_models[c.to.id]->terms().credit_batch);
    if (c.to.what == end::kind::router) {
        bank_of(c.to.id).wire_input(place_in_bank(c.to.id), c.to.port, credits, credits_x, c.from);
    } else if (c.to.what == end::kind::nic) {
        const auto [its, n] = m_nics.at(c.to.id);
        its.wire_credits(n, credits, credits_x);
    } else {
        m_foreign[c.to.id].wires.credits = credits;
        m_foreign[c.to.id].extras.credits = credits_x;
    }
}

/// Flits of a link first, then its credits: so their wires are numbered, on both sides of a border too.
void fabric::build_wires() {
    for (const connection& c : m_connections) {
        if (is_inside(c)) {
            wire_inside(c);
            continue;
        }
        if (!is_beyond(c.from)) wire_writer(c);
        if (!is_beyond(c.to)) wire_reader(c);
    }
    bool in_list = false;
    for (router_bank* const bank : m_banks) {
        bank->finish();
        in_list = in_list || bank->inbox().flits_in_table();
    }
    if (m_routes.keyed()) know_hops();
    for (const partition& p : m_parts) {
        p.its_nics->set_sleepers(m_sleepers);
        p.its_nics->finish(m_routes.states() == 1 ? nullptr : m_routing, in_list && routers() > 512,
                           p.base.looks_through());
    }
    notify_observers();
}

/// By the map: links to blocks that are not ours do not say.
void fabric::know_hops() {
    m_hops.hops = count_hops();
    m_hops.columns = m_routes.columns();
    m_hops.from_state_to_state = m_routes.states() == 1 ? 0 : nodes();
    for (std::uint32_t n = 0; n < nodes(); ++n)
        m_hops.place_of_node.push_back(
            m_routes.place(m_map->router_of(node_id(n)).value, m_map->port_of(node_id(n)).value));
    m_nics.for_each([this](nics& its) { its.set_keys(m_routes, m_hops); });
}

/// Blocks that are not ours count for themselves, or not at all.
std::vector<std::uint16_t> fabric::count_hops() const {
    const std::uint32_t most = *std::max_element(m_ports.begin(), m_ports.end());
    std::vector<std::uint32_t> next(std::size_t{routers()} * most, route_table::none);
    std::vector<bool> counts_itself(routers(), true);
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t p = 0; p < m_ports[r]; ++p) {
            if (link_from(r, p) != nullptr || !has_router(r)) counts_itself[r] = false;
            const port_peer to = m_map->peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) next[std::size_t{r} * most + p] = to.id * most + to.port;
        }
    return m_routes.count_hops(next, most, counts_itself);
}

}  // namespace sare
