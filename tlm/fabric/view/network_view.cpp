// SPDX-License-Identifier: Apache-2.0
#include "tlm/fabric/view/network_view.h"

#include "tlm/fabric/checks.h"
#include "tlm/fabric/network_state.h"
#include "tlm/fabric/run/arrival_bounds.h"
#include "tlm/fabric/run/lagging_engine.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>

namespace sare {

network_state& network_view::present() const {
    if (m_net.behind != nullptr) m_net.behind->catch_up();
    return m_net;
}

bool network_view::is_finished() const {
    return m_net.is_finished();
}

cycle_t network_view::now() const {
    return present().now();
}

const topology* network_view::map() const {
    return m_net.map();
}

const routing_function* network_view::routing() const {
    return m_net.routing();
}

const route_table& network_view::routes() const {
    return std::as_const(m_net).routes();
}

std::uint32_t network_view::nodes() const {
    return m_net.nodes();
}

std::uint32_t network_view::classes() const {
    return m_net.classes();
}

std::uint32_t network_view::vcs() const {
    return m_net.vcs();
}

std::uint32_t network_view::routers() const {
    return m_net.routers();
}

std::uint32_t network_view::ports(std::uint32_t router) const {
    return m_net.ports(checked_number("router", router, routers()));
}

const router_model& network_view::model(std::uint32_t router) const {
    return *m_net.table.models[checked_number("router", router, routers())];
}

const router_bank& network_view::bank_of(std::uint32_t router) const {
    return present().bank_of(checked_number("router", router, m_net.table.bank_of.size()));
}

std::uint32_t network_view::in_bank(std::uint32_t router) const {
    return m_net.in_bank(checked_number("router", router, m_net.table.bank_of.size()));
}

const clock_domain& network_view::domain_of(std::uint32_t router) const {
    return m_net.domain_of(checked_number("router", router, routers()));
}

const network_clocks& network_view::clocks() const {
    return m_net.table.running;
}

std::uint32_t network_view::depth_beyond(std::uint32_t router, std::uint32_t port) const {
    check_vc(m_net, router, port, 0);
    return m_net.depth_beyond(router, port);
}

std::uint32_t network_view::threads() const {
    return m_net.threads.trial.one_does() ? 1 : static_cast<std::uint32_t>(m_net.parts.size());
}

std::string network_view::threads_obstacle() const {
    const thread_trial& trial = m_net.threads.trial;
    if (!trial.one_does()) return m_net.threads.obstacle;
    char text[96];
    std::snprintf(text, sizeof text,
                  "in a trial %zu were %.2f times as fast as one; less than %.1f does not pay",
                  m_net.parts.size(), trial.gain(), trial.least_gain());
    return text;
}

const remote_links* network_view::remote() const {
    return m_net.remote.get();
}

std::uint64_t network_view::events(router_event e, std::uint32_t router, std::uint32_t port) const {
    if (m_net.event_counters == nullptr)
        throw std::logic_error("no statistic of this run declares that it counts events of routers");
    router = checked_number("router", router, m_net.table.bank_of.size());
    return m_net.event_counters->get(e, router, checked_number("port", port, m_net.table.ports[router]));
}

bool network_view::has_router(std::uint32_t router) const {
    return m_net.remote == nullptr ||
           m_net.has_router(checked_number("router", router, m_net.remote->routers()));
}

bool network_view::is_here(std::uint32_t node) const {
    return m_net.remote == nullptr || m_net.has_node(checked_number("node", node, m_net.remote->nodes()));
}

in_vc network_view::in(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    check_vc(m_net, router, port, vc);
    return present().in(router, port, vc);
}

out_vc network_view::out(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    check_vc(m_net, router, port, vc);
    return present().out(router, port, vc);
}

flit network_view::buffered(std::uint32_t router, std::uint32_t port, std::uint32_t vc,
                            std::uint32_t k) const {
    checked_number("flit", k, in(router, port, vc).count);
    return present().bank_of(router).buffered(m_net.in_bank(router), port, vc, k);
}

bool network_view::bids_for_vc(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    check_vc(m_net, router, port, vc);
    return present().bank_of(router).bids_for_vc(m_net.in_bank(router), port, vc);
}

const nic_state& network_view::nic(std::uint32_t node) const {
    return std::as_const(present().nics)[checked_node(m_net, node)];
}

bool network_view::may_begin(std::uint32_t node, std::uint32_t vc, std::uint32_t credits) const {
    const auto [its, n] = std::as_const(present().nics).at(checked_node(m_net, node));
    return its.is_open(its[n], checked_number("VC", vc, vcs()), credits);
}

cycle_t network_view::paused_before(const link_end& from, cycle_t t) const {
    if (from.what == link_end::kind::router) {
        check_vc(m_net, from.id, from.port, 0);
        return bank_of(from.id).paused_before(in_bank(from.id), from.port, t);
    }
    const auto [its, n] = std::as_const(present().nics).at(checked_node(m_net, from.id));
    return its.paused_before(n, t);
}

bool network_view::is_taken_over(std::uint32_t node) const {
    return m_net.nics.is_taken_over(checked_number("node", node, nodes()));
}

const shared_pool<packet>& network_view::packets() const {
    return present().packets();
}

const shared_pool<message_record>& network_view::messages() const {
    return present().messages();
}

bool network_view::empty() const {
    return present().messages().in_use() == 0;
}

std::uint64_t network_view::messages_waiting() const {
    return present().nics.messages_waiting();
}

std::optional<std::uint32_t> network_view::sleeper_number(const link_end& from) const {
    const auto found = m_net.sleeper_of.find(from);
    return found == m_net.sleeper_of.end() ? std::nullopt : std::optional(found->second);
}

const std::map<std::uint32_t, router_gate>& network_view::gates() const {
    return present().table.gates;
}

const link_sleep* network_view::sleeper_of(const link_end& from) const {
    const auto number = sleeper_number(from);
    return number ? &present().sleepers[*number] : nullptr;
}

std::uint64_t network_view::flits_injected() const {
    return present().nics.sum_of(&nic_state::injected_flits);
}

std::uint64_t network_view::flits_consumed() const {
    return present().nics.sum_of(&nic_state::consumed_flits);
}

std::uint64_t network_view::packets_injected() const {
    return present().nics.sum_of(&nic_state::injected_packets);
}

std::uint64_t network_view::packets_consumed() const {
    return present().nics.sum_of(&nic_state::consumed_packets);
}

std::uint64_t network_view::messages_started() const {
    return present().nics.messages_started();
}

std::uint64_t network_view::flit_hops() const {
    return present().nics.flit_hops();
}

const packet_changes& network_view::changes() const {
    return present().changes;
}

std::uint32_t network_view::flits_sent(std::uint32_t router) const {
    check_vc(m_net, router, 0, 0);
    return has_router(router) ? present().bank_of(router).flits_sent(m_net.in_bank(router)) : 0;
}

std::uint32_t network_view::flits_sent(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    check_vc(m_net, router, port, vc);
    return has_router(router) ? present().bank_of(router).flits_sent(m_net.in_bank(router), port, vc) : 0;
}

std::uint32_t network_view::flits_sent() const {
    std::uint32_t sum = 0;
    for (const router_bank* bank : present().table.banks)
        for (std::uint32_t k = 0; k < bank->size(); ++k) sum += bank->flits_sent(k);
    return sum;
}

void network_view::count_buffers(std::vector<std::uint64_t>& bins) const {
    for (const router_bank* bank : present().table.banks)
        for (std::uint32_t k = 0; k < bank->size(); ++k)
            if (!m_net.table.foreign[bank->router(k)]) bank->count_buffers(k, bins);
}

node_counts network_view::counts_of(std::uint32_t node) const {
    if (!is_here(node)) return {};
    const nic_state& nic = this->nic(node);
    node_counts all{
        nic.injected_packets, nic.consumed_packets, nic.injected_flits, nic.consumed_flits, {}, {}};
    if (const auto rest = m_net.changes.unsent_rests.find(node); rest != m_net.changes.unsent_rests.end())
        all.unsent.flits = rest->second;
    // Flits leave an injection queue one by one, and so does held_flits; held() counts whole packets.
    all.waiting.flits = nic.held_flits;
    for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
        all.waiting += waiting_of(node, c);
        all.waiting.flits += nic.queues[c].flits_left - held_of(node, c).flits;
        all.unsent += unsent_of(node, c);
    }
    return all;
}

std::uint32_t network_view::class_of(const route_header& way) const {
    return m_net.shares().class_of(way.vc_base);
}

generated_counts network_view::held_of(std::uint32_t node, std::uint32_t message_class) const {
    const auto [its, n] = present().nics.at(node);
    return its.held(n, message_class);
}

/// Counts the source queue, and packets that a router has taken from it but not begun to inject.
generated_counts network_view::waiting_of(std::uint32_t node, std::uint32_t message_class) const {
    if (!is_here(node)) return {};
    generated_counts all = held_of(node, message_class);
    for (std::uint32_t id = nic(node).queues[message_class].first; id != class_queue::none;
         id = m_net.messages()[id].next) {
        const message_record& m = m_net.messages()[id];
        all.flits += m.flits_to_inject;
        if (m.flits_to_inject == m.what.flits) ++all.messages;
    }
    return all;
}

generated_counts network_view::unsent_of(std::uint32_t node, std::uint32_t message_class) const {
    const auto its = m_net.changes.unsent.find({node, message_class});
    return its == m_net.changes.unsent.end() ? generated_counts{} : its->second;
}

std::string network_view::leftovers_of(std::uint32_t r) const {
    for (std::uint32_t p = 0; p < ports(r); ++p)
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
            const std::string at = fmt::format("router {} port {} vc {}: ", r, p, v);
            if (in(r, p, v).count != 0) return fmt::format("{}{} flits left", at, in(r, p, v).count);
            if (out(r, p, v).owner != out_vc::no_owner) return at + "output VC still owned";
            const std::uint32_t credits =
                out(r, p, v).credits + m_net.bank_of(r).credits_coming(m_net.in_bank(r), p, v);
            const std::uint32_t depth = depth_beyond(r, p);
            if (credits != depth) return fmt::format("{}{} credits not back", at, depth - credits);
        }
    return "";
}

std::string network_view::leftovers() const {
    for (std::uint32_t r = 0; r < routers(); ++r) {
        if (!m_net.has_router(r)) continue;
        if (std::string left = leftovers_of(r); !left.empty()) return left;
    }
    if (std::string left = m_net.nics.leftovers(); !left.empty()) return left;
    if (m_net.packets().in_use() != 0) return fmt::format("{} packets left", m_net.packets().in_use());
    if (m_net.messages().in_use() != 0) return fmt::format("{} messages left", m_net.messages().in_use());
    return "";
}

namespace {

std::string share_text(const class_vcs& shares) {
    if (shares.equal()) return "";
    std::string text = ", of";
    for (std::uint32_t c = 0; c < shares.classes(); ++c) text += fmt::format(" {}", shares.own(c));
    return text + " VCs";
}

}  // namespace

std::string network_view::build_text() const {
    const std::size_t parts = m_net.parts.size();
    std::string text =
        fmt::format("{}, nodes {}, vcs {}, classes {}, seed {}, routing {}, packets of {}{}{}",
                    m_net.map()->name(), m_net.nodes(), m_net.vcs(), m_net.classes(), m_net.seed(),
                    m_net.routing()->name(), m_net.max_packet(), share_text(m_net.shares()),
                    parts == 1 ? "" : fmt::format(", run by {} threads", parts));
    for (const clock_domain* const d : m_net.domains) {
        text += fmt::format("; clock {}, planes of {}", d->clock().first_ratio().text(), d->ring().bytes());
        for (const auto& bank : d->banks())
            text += fmt::format(", {} routers '{}' of depth {}, {} bytes", bank->size(), bank->variant(),
                                bank->terms().depth, bank->bytes());
    }
    std::map<std::string, unsigned> sleepers;
    for (const link_sleep& s : m_net.sleepers) ++sleepers["links sleep " + s.text()];
    for (const auto& [r, gate] : m_net.table.gates) ++sleepers["routers go off " + gate.text()];
    for (const auto& [how, count] : sleepers) text += fmt::format("; {} {}", count, how);
    return text;
}

std::vector<router_arbiter> arbiters_of(const network_view& net, std::uint32_t router) {
    std::vector<router_arbiter> all;
    net.bank_of(router).list_arbiters(net.in_bank(router), all);
    return all;
}

}  // namespace sare
