// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/builder/network_builder.h"

#include "tlm/fabric/builder/density.h"
#include "tlm/fabric/builder/wiring.h"
#include "tlm/fabric/checks.h"
#include "tlm/fabric/hazards/hazards.h"
#include "tlm/fabric/network_state.h"
#include "tlm/router_api/in_parts.h"
#include "tlm/topology/link_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace sare {

namespace {

/// Throws config::error for a clock that no block of a network can have. `whose`: "a router".
void check_clock(const clock_ratio& clock, const std::string& whose) {
    if (clock.edges() != 0 && clock.cycles() >= clock.edges() && clock.cycles() <= most_clock) return;
    throw config::error(
        fmt::format("{}'s clock is {}; it must be from 1 to {}", whose, clock.text(), most_clock));
}

/// Gives NICs the clocks of the map.
void give_clocks(network_state& net) {
    const topology* const map = net.map();
    for (std::uint32_t n = 0; map != nullptr && n < std::min(net.nodes(), map->nodes()); ++n) {
        const clock_ratio clock = map->clock(node_id(n));
        check_clock(clock, "a NIC");
        net.nics.set_clock(n, net.table.running.of(clock, map->region(node_id(n))));
    }
}

}  // namespace

void network_builder::refuse_if_finished(const char* what) const {
    if (m_net.is_finished()) throw config::error(std::string(what) + ": the network is elaborated");
}

std::uint32_t network_builder::add_router(std::shared_ptr<const router_model> model, std::uint32_t ports,
                                          const clock_ratio& clock) {
    refuse_if_finished("a router cannot be added");
    if (model == nullptr) throw config::error("a router needs a model, which says what it does");
    const router_terms terms = model->terms();
    if (terms.vcs != m_net.vcs())
        throw config::error("all routers of a network must have the same number of vcs");
    if (ports == 0 || ports > terms.most_ports)
        throw config::error(fmt::format("a router of kind {} has {} ports; it must be from 1 to {}",
                                        model->kind(), ports, terms.most_ports));
    check_clock(clock, "a router");
    m_net.table.models.push_back(std::move(model));
    m_net.table.ports.push_back(ports);
    if (clock != clock_ratio()) m_net.table.clocks.resize(m_net.routers() - 1);
    if (clock != clock_ratio() || !m_net.table.clocks.empty()) m_net.table.clocks.push_back(clock);
    return m_net.routers() - 1;
}

std::uint32_t network_builder::add_nic(const nic_params& params) {
    refuse_if_finished("a NIC cannot be added");
    return m_net.nics.add(params);
}

std::uint32_t network_builder::add_foreign(foreign_endpoint& block) {
    refuse_if_finished("a foreign block cannot be added");
    m_net.foreign.push_back({&block, 0, {}, {}});
    return static_cast<std::uint32_t>(m_net.foreign.size() - 1);
}

void network_builder::connect(const end& from, const end& to, const link_attributes& link,
                              const std::optional<end>& in_place_of) {
    refuse_if_finished("a link cannot be added");
    link_attributes checked = link;
    // A foreign block may have links of latency 0: the pins of a router are read in the cycle that sets them.
    if (from.what == end::kind::foreign || to.what == end::kind::foreign)
        checked.latency = std::max<decltype(checked.latency)>(checked.latency, 1);
    if (const std::string wrong = sare::wrong_with(checked); !wrong.empty())
        throw config::error("the link from " + text(from) + " to " + text(to) + ": " + wrong);
    if (m_net.is_remote(from) && m_net.is_remote(to)) return;
    m_net.links.all.push_back({from, to, link, in_place_of});
}

void network_builder::set_failures(failure_schedule all) {
    refuse_if_finished("failures cannot be set");
    if (all.empty()) return;
    hazards_of(m_net).failures = std::make_unique<failure_state>(m_net, std::move(all));
    require_wide_routers();
}

void network_builder::set_bit_errors(std::uint32_t flit_bits) {
    refuse_if_finished("bit errors cannot be set");
    hazards_of(m_net).errors = std::make_unique<bit_errors>(m_net, flit_bits);
    m_net.nics.drop_bad_packets([its = hazards_of(m_net).errors.get()](
                                    std::uint32_t node, std::uint32_t packet) { its->refuse(node, packet); });
}

void network_builder::set_routing(const topology& map, const routing_function& routing) {
    refuse_if_finished("routing cannot be set");
    m_net.set_routing(map, routing);
}

void network_builder::set_threads(const thread_policy& policy) {
    refuse_if_finished("threads cannot be set");
    m_net.threads.policy = policy;
}

void network_builder::set_world(world& all, partition_map ranks) {
    refuse_if_finished("processes cannot be set");
    m_net.remote = std::make_unique<remote_links>(all, std::move(ranks), m_net.packets(), m_net.messages());
}

void network_builder::take_over_nic(std::uint32_t node) {
    refuse_if_finished("a NIC cannot be taken over");
    m_net.nics.take_over(checked_number("node", node, m_net.nodes()));
}

void network_builder::require_wide_routers() {
    refuse_if_finished("routers cannot be made wide");
    m_net.modes.compact_allowed = false;
}

void network_builder::count_events() {
    require_wide_routers();
    m_net.modes.counts_events = true;
}

void network_builder::check_routers() {
    refuse_if_finished("routers cannot be checked");
    m_net.modes.all_checked = true;
}

void network_builder::run_as(network_scale least) {
    refuse_if_finished("the scale cannot be set");
    m_net.modes.least_scale = least;
}

void network_builder::expect_few_packets() {
    refuse_if_finished("the load cannot be set");
    m_net.modes.few_packets = true;
}

void network_builder::expect_load(double flits) {
    refuse_if_finished("the load cannot be set");
    m_expected_load = flits;
}

void network_builder::finish() {
    refuse_if_finished("a network cannot be finished twice");
    for (const auto& m : m_net.table.models) {
        const router_terms& terms = m_net.table.terms_of(*m);
        m_net.modes.batched = m_net.modes.batched || terms.credit_batch > 1;
        m_net.modes.conserves_packets = m_net.modes.conserves_packets && terms.conserves_packets;
    }
    const bool fails = m_net.hazards != nullptr && m_net.hazards->failures;
    if (m_net.routing() != nullptr && !fails && m_net.scale() != network_scale::huge)
        m_net.routes().build(*m_net.routing(), m_net.routers(),
                             *std::max_element(m_net.table.ports.begin(), m_net.table.ports.end()),
                             m_net.nodes());
    make_gates();
    choose_density();
    index_links();
    if (m_net.modes.counts_events)
        m_net.event_counters =
            std::make_unique<router_event_counts>(m_net.table.first_port, m_net.table.depth_beyond.size());
    find_foreign_routers();
    choose_routing_view();
    part_network();
    make_banks();
    wiring(m_net).run();
    if (m_net.hazards != nullptr) m_net.hazards->check(m_net);
    if (m_net.hazards != nullptr && m_net.hazards->errors) m_net.hazards->errors->find_links();
    if (m_net.modes.owners) m_net.nics.open_counters();
    m_net.live_nodes = m_net.nodes();
    if (m_net.hazards == nullptr && m_net.remote == nullptr && m_net.modes.one_part)
        m_net.sending = {&m_net.nics.all_in_one(), m_net.nodes(), m_net.classes()};
    note_fastest_links();
    m_net.links = link_table();
    m_net.share_observers();
}

/// Makes the gates of routers that can go off, and notes which links wait for them.
void network_builder::make_gates() {
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        if (const gate_rule rule = m_net.table.models[r]->gate(); rule.wake != 0)
            m_net.table.gates.try_emplace(r, rule.idle, rule.wake,
                                          std::max(m_net.table.terms(r).flit_delay, 1U));
    if (m_net.remote && !m_net.table.gates.empty())
        throw config::error(
            "several processes cannot run this network: routers go off ('wake'), and are woken by "
            "several others; run it in one");
    for (connection& c : m_net.links.all) {
        const bool to_gate = gate_at(m_net, c.to) != nullptr;
        c.sleeps = c.link.wake != 0 || to_gate || gate_at(m_net, c.from) != nullptr;
        c.wake = std::max<std::uint32_t>(c.link.wake, to_gate ? m_net.table.models[c.to.id]->gate().wake : 0);
    }
}

void network_builder::choose_density() {
    network_modes& modes = m_net.modes;
    const bool wanted = runs_dense(modes.least_scale);
    modes.dense = wanted ? all_foresee(m_net) : is_dense(m_net, m_expected_load);
    if (wanted && !modes.dense) modes.least_scale = network_scale::large;
}

void network_builder::note_fastest_links() {
    std::uint32_t between = ~0U, to_nic = ~0U;
    for (const connection& c : m_net.links.all) {
        std::uint32_t& least = c.to.what == end::kind::nic ? to_nic : between;
        if (c.from.what == end::kind::router) least = std::min(least, c.link.latency);
    }
    if (between != ~0U) m_net.least_link_cycles = between;
    if (to_nic != ~0U) m_net.least_ejection_cycles = to_nic;
}

/// Finds the routers that no link of the model's leaves. Processes tell each other, as each knows its own
/// routers only.
void network_builder::find_foreign_routers() {
    std::vector<std::uint64_t> found((m_net.routers() + 63) / 64);
    for (std::uint32_t r = 0; !m_net.foreign.empty() && r < m_net.routers(); ++r) {
        bool is_ours = !m_net.has_router(r);
        for (std::uint32_t p = 0; p < m_net.table.ports[r]; ++p) is_ours |= m_net.link_from(r, p) != nullptr;
        if (!is_ours) found[r / 64] |= std::uint64_t{1} << r % 64;
    }
    if (m_net.remote && m_net.remote->processes().sum(m_net.foreign.size()) != 0)
        m_net.remote->processes().sum(found.data(), found.size());
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        m_net.table.foreign.push_back((found[r / 64] >> r % 64 & 1) != 0);
}

void network_builder::index_links() {
    std::size_t ports = 0;
    for (const std::uint32_t p : m_net.table.ports) {
        m_net.table.first_port.push_back(ports);
        ports += p;
    }
    m_net.links.from.assign(ports, link_table::no_link);
    m_net.links.into.assign(ports, link_table::no_link);
    m_net.table.depth_beyond.assign(ports, 0);
    for (std::uint32_t k = 0; k < m_net.links.all.size(); ++k) {
        const connection& c = m_net.links.all[k];
        if (c.from.what == end::kind::router) m_net.links.from[m_net.port_index(c.from.id, c.from.port)] = k;
        if (c.to.what == end::kind::router) m_net.links.into[m_net.port_index(c.to.id, c.to.port)] = k;
    }
}

void network_builder::choose_routing_view() {
    m_net.modes.shows_congestion = m_net.routing() != nullptr && m_net.routing()->looks_at_congestion();
    m_net.set_routing_sees(m_net.modes.shows_congestion ||
                           (m_net.hazards != nullptr && m_net.hazards->failures));
    if (!m_net.modes.shows_congestion) return;
    for (const connection& c : m_net.links.all)
        if (c.in_place_of && c.in_place_of->what == end::kind::router)
            throw config::error(
                fmt::format("routing {} looks at congestion, of which router {} tells nothing: it is no "
                            "router of the model's",
                            m_net.routing()->name(), c.in_place_of->id));
    if (m_net.routing()->board_delay() != 0)
        m_net.board = std::make_unique<congestion_board>(m_net.routing()->board_delay(),
                                                         m_net.table.depth_beyond.size());
}

/// Number of routers that this process runs.
std::uint32_t network_builder::routers_here() const {
    if (!m_net.remote) return m_net.routers();
    const auto& rank_of = m_net.remote->ranks().of_router;
    return static_cast<std::uint32_t>(std::count(rank_of.begin(), rank_of.end(), m_net.remote->rank()));
}

/// Number of parts that the network can be cut into; notes the obstacle if that is fewer than the threads
/// wanted.
std::uint32_t network_builder::possible_parts() {
    std::uint32_t parts = std::max(m_net.threads.policy.threads, 1U);
    if (parts == 1) return 1;
    const auto only = [this](std::uint32_t most, const std::string& why) {
        m_net.threads.obstacle = why;
        return most;
    };
    if (!m_net.table.gates.empty())
        return only(1, "routers that go off ('wake') are woken by several others");
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        if (m_net.table.terms(r).thread_safe) continue;
        return only(1, fmt::format("routers of kind {}, such as {}, share more than links",
                                   m_net.table.models[r]->kind(), r));
    }
    if (parts > m_net.threads.policy.processors)
        parts = only(m_net.threads.policy.processors, "this machine has no more processors for it");
    const std::uint32_t here = routers_here();
    const std::uint32_t most = std::max(here / std::max(m_net.threads.policy.least_routers, 1U), 1U);
    if (parts > most)
        parts = only(most, fmt::format("there are {}{}, and less than {} for a thread do not pay", here,
                                       m_net.remote ? " routers in this process" : " routers",
                                       m_net.threads.policy.least_routers));
    return parts;
}

/// Throws config::error for a network that several processes cannot run together.
void network_builder::check_remote_links() const {
    const auto fails = [](const std::string& why) {
        throw config::error("several processes cannot run this network: " + why +
                            "; run it in one, with 'threads'");
    };
    if (!m_net.table.clocks.empty() || m_net.nics.has_clocks())
        fails("its blocks have several clocks, and windows are of one");
    const router_model* last = nullptr;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        const router_model& model = *m_net.table.models[r];
        if (&model == std::exchange(last, &model)) continue;
        const std::string those = fmt::format("routers of kind {}, such as {}", model.kind(), r);
        const router_terms& terms = m_net.table.terms(r);
        if (!terms.thread_safe) fails(those + ", share more than links");
        if (terms.deflects && !model.equals(*m_net.table.models[0]))
            fails(those + ", differ from router 0 in their parameters");
    }
}

/// Assigns routers and nodes to parts, and the routers of a part to domains, by clock.
void network_builder::part_network() {
    give_clocks(m_net);
    const std::uint32_t parts = possible_parts();
    if (m_net.remote) check_remote_links();
    m_net.map_of_parts =
        m_net.remote ? cut_again(m_net.remote->ranks(), m_net.remote->rank(), m_net.links.all,
                                 m_net.table.ports, parts, m_net.map())
                     : cut_network(m_net.links.all, m_net.table.ports, m_net.nodes(), parts, m_net.map());
    for (std::uint32_t n = 0; m_net.remote && n < m_net.nodes(); ++n)
        if (!m_net.remote->node_is_here(n)) m_net.map_of_parts.of_node[n] = all_nics::elsewhere;
    while (m_net.parts.size() < parts) m_net.parts.emplace_back();
    m_net.modes.one_part = parts == 1;
    if (const double share = m_net.threads.policy.least_share; share > 0 && parts > 1)
        m_net.threads.trial = thread_trial(1 + share * (parts - 1));
    m_net.packets().split(parts);
    m_net.messages().split(parts);
    m_net.nics.share_out(m_net.map_of_parts.of_node);
    for (std::uint32_t k = 0; k < parts; ++k)
        m_net.parts[k].its_nics = &m_net.nics.add_part(
            {m_net.parts[k].base.ring(), m_net.packets(), m_net.packets().part(k), m_net.messages(),
             m_net.messages().part(k), m_net.shares(), m_net.vcs(), m_net.classes()});
    const auto clock_of = [this](std::uint32_t r) -> const running_clock& {
        const topology* const map = m_net.map();
        return m_net.table.running.of(
            m_net.table.clocks.empty() ? clock_ratio() : m_net.table.clocks[r],
            map != nullptr && r < map->routers() ? map->region(router_id(r)) : nullptr);
    };
    std::vector<const clock_domain*> its;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        its.push_back(&m_net.parts[m_net.map_of_parts.of_router[r]].of_clock(clock_of(r)));
    std::map<const clock_domain*, std::uint16_t> number;
    for (const partition& p : m_net.parts)
        for (clock_domain* const d : p.domains) {
            number[d] = static_cast<std::uint16_t>(m_net.domains.size());
            m_net.domains.push_back(d);
        }
    m_net.modes.has_slow = m_net.domains.size() > m_net.parts.size() || m_net.nics.has_clocks();
    if (m_net.domains.size() > 65535)
        throw config::error("routers of more than 65,535 clocks and parts; that is too many");
    if (m_net.domains.size() == 1) return;
    for (const clock_domain* const d : its) m_net.table.domain_of.push_back(number[d]);
}

/// Adds up the places of each shared sum over all processes. Throws config::error if these count by different
/// rules.
void network_builder::share_sums() {
    world& all = m_net.remote->processes();
    std::uint64_t rules = 0;
    for (const shared_sum* const s : m_net.table.sums) rules = rules * 31 + s->rule();
    if (all.least(rules) != all.most(rules))
        throw config::error(
            "several processes cannot run this network: routers count packets together ('global_limit'), and "
            "those in some processes do not, or otherwise; run it in one, with 'threads'");
    for (shared_sum* const s : m_net.table.sums) s->set_places(all.sum(s->places()));
}

/// Lets every kind of routers make its banks, and numbers the banks.
void network_builder::make_banks() {
    std::map<std::string, std::vector<router_instance>> kinds;
    const router_model* last = nullptr;
    std::vector<router_instance>* its = nullptr;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        if (!m_net.has_router(r)) continue;
        const router_model* const model = m_net.table.models[r].get();
        if (model != last) its = &kinds[model->kind()];
        last = model;
        its->push_back({r, m_net.table.ports[r], m_net.table.models[r].get(), &m_net.domain_of(r).clock(),
                        m_net.table.domain_of.empty() ? 0U : m_net.table.domain_of[r]});
    }
    for (const auto& [name, places] : kinds)
        for (auto& bank : places.front().model->make_banks(m_net, places)) {
            clock_domain& domain = m_net.domain_of(bank->router(0));
            for (std::uint32_t k = 0; k < bank->size(); ++k)
                if (&m_net.domain_of(bank->router(k)) != &domain)
                    throw std::logic_error("kind " + name +
                                           " put routers of two clocks or parts into one bank");
            m_net.table.banks.push_back(&domain.add(std::move(bank)));
            if (auto* const keeper = dynamic_cast<packet_keeper*>(m_net.table.banks.back()))
                m_net.threads.packet_keepers.push_back(keeper);
            const auto* const summing = dynamic_cast<const summing_bank*>(m_net.table.banks.back());
            shared_sum* const sum = summing == nullptr ? nullptr : summing->sum();
            if (sum != nullptr && (m_net.table.sums.empty() || m_net.table.sums.back() != sum))
                m_net.table.sums.push_back(sum);
        }
    if (m_net.remote) share_sums();
    if (m_net.remote && !m_net.threads.packet_keepers.empty())
        m_net.remote->scatter_packets(*m_net.threads.packet_keepers.front());
    if (m_net.remote && !m_net.remote->all_agree(m_net.routes().keyed()))
        throw config::error(
            "several processes cannot run this network: routers in some know the ways of packets otherwise "
            "than those in others; make all routers alike, or run it in one, with 'threads'");
    m_net.table.bank_of.resize(m_net.routers());
    m_net.table.in_bank.resize(m_net.routers());
    for (std::uint32_t b = 0; b < m_net.table.banks.size(); ++b)
        for (std::uint32_t k = 0; k < m_net.table.banks[b]->size(); ++k) {
            m_net.table.bank_of[m_net.table.banks[b]->router(k)] = b;
            m_net.table.in_bank[m_net.table.banks[b]->router(k)] = k;
        }
}

}  // namespace sare
