// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/fabric.h"
#include "tlm/topology/properties.h"

#include <algorithm>
#include <map>

/// Laying out the memory and the wires, once all routers, NICs and links are known.
namespace sare {
namespace {

std::uint32_t power_of_two_from(std::uint32_t n) {
    std::uint32_t p = 1;
    while (p < n) p *= 2;
    return p;
}

template <class N>
N whole_words(N bits) {
    return (bits + 63) / 64 * 64;
}

/// A cache line is 8 words.
std::uint64_t whole_lines(std::uint64_t words) {
    return (words + 7) / 8 * 8;
}

}  // namespace

fabric::fabric(std::uint32_t vcs, std::uint32_t classes, std::uint64_t seed)
    : m_vcs(vcs), m_classes(classes), m_seed(seed), m_nics({m_ring, m_packets, m_messages, vcs, classes}) {
    if (classes == 0 || vcs % classes != 0)
        throw config::error("router.vcs is " + std::to_string(vcs) + "; it must be a multiple of the " +
                            std::to_string(classes) + " message classes of the workload");
}

fabric::~fabric() = default;

std::uint32_t fabric::add_router(std::shared_ptr<const router_model> model, std::uint32_t ports) {
    if (model->terms().vcs != m_vcs)
        throw config::error("all routers of a network must have the same number of vcs");
    if (ports == 0 || ports > 64)
        throw config::error("a router has " + std::to_string(ports) + " ports; it must be from 1 to 64");
    m_models.push_back(std::move(model));
    m_ports.push_back(ports);
    return routers() - 1;
}

std::uint32_t fabric::add_foreign(foreign_endpoint& block) {
    m_foreign.push_back({&block, 0, {}, {}});
    return static_cast<std::uint32_t>(m_foreign.size() - 1);
}

void fabric::connect(const end& from, const end& to, const link_attributes& link,
                     const std::optional<end>& in_place_of) {
    m_connections.push_back({from, to, link, in_place_of});
}

void fabric::set_routing(const topology& map, const routing_function& routing) {
    m_map = &map;
    m_routing = &routing;
    m_dims = node_dims(map);
}

void fabric::finish() {
    for (const auto& m : m_models) m_batched = m_batched || m->terms().credit_batch > 1;
    if (m_routing != nullptr)
        m_routes.build(*m_routing, routers(), *std::max_element(m_ports.begin(), m_ports.end()), nodes());
    index_connections();
    show_congestion();
    make_banks();
    number_endpoints();
    settle_nodes();
    lay_out_planes();
    build_wires();
    m_connections = {};
    m_link_from = m_link_into = {};
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
    std::map<std::string, std::vector<router_model::place>> kinds;
    for (std::uint32_t r = 0; r < routers(); ++r)
        kinds[m_models[r]->kind()].push_back({r, m_ports[r], m_models[r].get()});
    for (const auto& [name, places] : kinds)
        for (auto& bank : places.front().model->make_banks(*this, places)) m_banks.push_back(std::move(bank));
    m_bank_of.resize(routers());
    m_place_in_bank.resize(routers());
    for (std::uint32_t b = 0; b < m_banks.size(); ++b)
        for (std::uint32_t k = 0; k < m_banks[b]->size(); ++k) {
            m_bank_of[m_banks[b]->router(k)] = b;
            m_place_in_bank[m_banks[b]->router(k)] = k;
        }
}

void fabric::number_endpoints() {
    std::uint32_t next = 0;
    const auto count = [this](std::uint32_t endpoints) {
        for (std::uint32_t n = 0; n < endpoints; n += 64)
            m_endpoints_of_word.push_back(static_cast<std::uint8_t>(std::min(endpoints - n, 64U)));
    };
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) {
        count(m_banks[b]->size());
        m_first_of_bank.push_back(next);
        next += whole_words(m_banks[b]->size());
        m_bank_of_word.resize(next / 64, static_cast<std::uint16_t>(b));
    }
    m_first_of_bank.push_back(next);
    count(nodes());
    m_first_nic = next;
    m_first_foreign = m_first_nic + whole_words(nodes());
    m_endpoints = m_first_foreign + static_cast<std::uint32_t>(m_foreign.size());
    m_wake_words = (m_endpoints + 63) / 64;
}

/// Routers take over the injection queues of their nodes.
void fabric::settle_nodes() {
    m_owner_of.assign(nodes(), no_link);
    for (const connection& c : m_connections) {
        if (c.from.what != end::kind::nic || c.receiver().what != end::kind::router) continue;
        const std::uint32_t node = c.from.id, r = c.receiver().id;
        const router_terms terms = m_models[r]->terms();
        if (!terms.owns_nodes) continue;
        if (c.to.what != end::kind::router)
            throw config::error(
                "router " + std::to_string(r) + " of kind " + m_models[r]->kind() +
                " has the injection queues of its nodes inside: no other block can stand for it");
        if (c.link.latency != 1 || c.link.cycles_per_flit != 1)
            throw config::error("the link of node " + std::to_string(node) + " is inside router " +
                                std::to_string(r) + " of kind " + m_models[r]->kind() +
                                ": it has no latency of its own; leave it at 1");
        m_owner_of[node] = m_first_of_bank[m_bank_of[r]] + m_place_in_bank[r];
        m_owners = true;
        m_nics.take_over(node);
    }
}

/// The longest delay and the current cycle: no more planes than that, for they want to stay in the caches.
std::uint32_t fabric::needed_reach() const {
    std::uint32_t reach = m_foreign.empty() ? 2 : 17;  // foreign blocks may write some cycles ahead
    std::uint32_t foresight = 0;
    for (const auto& bank : m_banks) {
        reach = std::max(reach, bank->reach());
        foresight = std::max(foresight, bank->foresight());
    }
    for (const connection& c : m_connections) {
        const wire_delays d = delays_of(c);
        std::uint32_t forward = d.forward, backward = d.backward;
        if (c.from.what == end::kind::router)
            forward += bank_of(c.from.id).most_queueing(depth_at(c), c.link.cycles_per_flit);
        if (c.to.what == end::kind::router) backward += m_models[c.to.id]->terms().credit_batch;
        reach = std::max(reach, std::max(forward, backward) + 1 + foresight);
    }
    return reach;
}

void fabric::lay_out_planes() {
    std::uint32_t table_words = 0;
    bool in_pieces = false;  // with the flits in the table
    for (const auto& bank : m_banks) {
        table_words = std::max(table_words, bank->inbox().table);
        m_looked_through = m_looked_through || bank->inbox().looked_through;
        in_pieces = in_pieces || bank->inbox().flits_in_table();
    }
    std::uint64_t words = whole_lines(1 + m_wake_words);
    m_table_at = static_cast<std::uint32_t>(words);
    while (1u << m_table_shift < std::max(table_words, in_pieces ? 2u : 1u)) ++m_table_shift;
    // Where routers have none the table begins with the NICs.
    if (table_words == 0) m_table_at -= m_first_nic;
    words += std::uint64_t{m_first_foreign - (table_words == 0 ? m_first_nic : 0)} << m_table_shift;
    const auto in_table = [this](std::uint32_t e) { return m_table_at + (e << m_table_shift); };
    const auto place = [&words](std::uint32_t count) {
        const std::uint64_t at = words;
        words += count;
        return static_cast<std::uint32_t>(at);
    };
    std::vector<router_bank::placement> places(m_banks.size());
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) {
        router_bank::placement& p = places[b];
        const router_bank::inbox_words needs = m_banks[b]->inbox();
        p.first = m_first_of_bank[b];
        for (std::uint32_t k = 0; k < m_banks[b]->size(); ++k) {
            if (needs.table != 0) p.table.push_back(in_table(p.first + k));
            // An inbox of up to a cache line lies in one.
            if (needs.own != 0) p.own.push_back(place(needs.own <= 8 ? 8 : needs.own));
        }
    }
    words = whole_lines(words);
    const std::uint32_t counts = m_nics.inbox_counts(m_batched);
    std::vector<std::uint32_t> inboxes, flits;
    for (std::uint32_t n = 0; n < nodes(); ++n) {
        inboxes.push_back(in_table(m_first_nic + n));
        flits.push_back(in_pieces ? inboxes.back() + 1 : place(1 + counts));
    }
    for (foreign_state& f : m_foreign) f.inbox = place(3 + counts);
    m_ring.allocate(whole_lines(words), power_of_two_from(needed_reach()));
    for (std::uint32_t b = 0; b < m_banks.size(); ++b) m_banks[b]->construct(std::move(places[b]));
    m_nics.construct(m_first_nic, inboxes, flits, m_batched, m_seed);
}

fabric::wire_delays fabric::delays_of(const connection& c) const {
    wire_delays d{c.link.latency + c.link.cycles_per_flit - 1, c.link.latency};
    if (c.from.what == end::kind::router) {
        const router_terms sender = m_models[c.from.id]->terms();
        d.forward += sender.flit_delay;
        d.backward += sender.credit_delay;
    } else if (c.from.what == end::kind::nic) {
        d.forward += m_nics.params(c.from.id).delay;
        d.backward += m_nics.params(c.from.id).credit_delay;
    }
    if (c.to.what == end::kind::router) d.forward += m_models[c.to.id]->terms().input_delay;
    return d;
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
    if (reader.what == end::kind::nic) return m_nics.flits_into(reader.id);
    const std::uint32_t endpoint = m_first_foreign + reader.id;
    wire w;
    w.inbox = m_foreign[reader.id].inbox;
    w.flit_at = w.inbox + 2;
    w.wake_word = 1 + (endpoint >> 6);
    w.wake_bit = std::uint64_t{1} << (endpoint & 63);
    w.port_bit = 1;
    return {w, {}};
}

std::pair<wire, wire_extras> fabric::credits_to(const end& reader) const {
    if (reader.what == end::kind::router)
        return bank_of(reader.id).credits_into(place_in_bank(reader.id), reader.port);
    if (reader.what == end::kind::nic) return m_nics.credits_into(reader.id);
    auto [w, x] = flits_to(reader);
    w.inbox += 1;
    if (m_batched) x.counts = 2;
    return {w, x};
}

void fabric::wire_nic(const connection& c, const wire& w, const wire_extras& x) {
    std::uint16_t head_needs = 1;
    if (const end to = c.receiver(); to.what == end::kind::router) {
        const router_terms terms = m_models[to.id]->terms();
        head_needs = terms.drained ? x.depth : terms.whole_packets ? 0 : 1;
    }
    m_nics.wire_flits(c.from.id, w, x, head_needs);
}

/// Between a node and the router that owns its queues: no link at all.
bool fabric::is_inside(const connection& c) const {
    const end& node = c.from.what == end::kind::nic ? c.from : c.to;
    return node.what == end::kind::nic && m_owner_of[node.id] != no_link;
}

/// Its router knows that the node is there, and sends nothing by that port.
void fabric::wire_inside(const connection& c) {
    if (c.from.what != end::kind::router) return;
    wire_extras x;
    x.depth = m_depth_beyond[place_of(c.from.id, c.from.port)] = static_cast<std::uint16_t>(depth_at(c));
    bank_of(c.from.id).wire_output(place_in_bank(c.from.id), c.from.port, {}, x);
}

void fabric::build_wires() {
    for (const connection& c : m_connections) {
        if (is_inside(c)) {
            wire_inside(c);
            continue;
        }
        auto [flits, flits_x] = flits_to(c.to);
        auto [credits, credits_x] = credits_to(c.from);
        const wire_delays delays = delays_of(c);
        flits.delay = static_cast<std::uint16_t>(delays.forward);
        credits.delay = static_cast<std::uint16_t>(delays.backward);
        flits_x.cycles_per_flit = static_cast<std::uint16_t>(c.link.cycles_per_flit);
        flits_x.depth = static_cast<std::uint16_t>(depth_at(c));
        if (c.to.what == end::kind::router)
            credits_x.batch = static_cast<std::uint16_t>(m_models[c.to.id]->terms().credit_batch);
        if (c.from.what == end::kind::router) {
            m_depth_beyond[place_of(c.from.id, c.from.port)] = flits_x.depth;
            bank_of(c.from.id).wire_output(place_in_bank(c.from.id), c.from.port, flits, flits_x);
        } else if (c.from.what == end::kind::nic) {
            wire_nic(c, flits, flits_x);
        } else {
            m_foreign[c.from.id].wires.flits = flits;
            m_foreign[c.from.id].extras.flits = flits_x;
        }
        if (c.to.what == end::kind::router) {
            bank_of(c.to.id).wire_input(place_in_bank(c.to.id), c.to.port, credits, credits_x, c.from);
        } else if (c.to.what == end::kind::nic) {
            m_nics.wire_credits(c.to.id, credits, credits_x);
        } else {
            m_foreign[c.to.id].wires.credits = credits;
            m_foreign[c.to.id].extras.credits = credits_x;
        }
    }
    bool in_list = false;
    for (const auto& bank : m_banks) {
        bank->finish();
        in_list = in_list || bank->inbox().flits_in_table();
    }
    if (m_routes.keyed()) {
        std::vector<std::uint32_t> place_of_nic;  // by the map: links to blocks that are not ours do not say
        for (std::uint32_t n = 0; n < nodes(); ++n)
            place_of_nic.push_back(
                m_routes.place(m_map->router_of(node_id(n)).value, m_map->port_of(node_id(n)).value));
        m_nics.set_keys(m_routes, count_hops(), place_of_nic);
    }
    m_nics.finish(m_routes.states() == 1 ? nullptr : m_routing, in_list && routers() > 512);
}

/// Blocks that are not ours count for themselves, or not at all.
std::vector<std::uint16_t> fabric::count_hops() const {
    const std::uint32_t most = *std::max_element(m_ports.begin(), m_ports.end());
    std::vector<std::uint32_t> next(std::size_t{routers()} * most, route_table::none);
    std::vector<bool> counts_itself(routers(), true);
    for (std::uint32_t r = 0; r < routers(); ++r)
        for (std::uint32_t p = 0; p < m_ports[r]; ++p) {
            if (link_from(r, p) != nullptr) counts_itself[r] = false;
            const port_peer to = m_map->peer(router_id(r), port_id(p));
            if (to.what == port_peer::kind::router) next[std::size_t{r} * most + p] = to.id * most + to.port;
        }
    return m_routes.count_hops(next, most, counts_itself);
}

}  // namespace sare
