// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/debug/state_json.h"

#include "tlm/base/joined.h"
#include "tlm/fabric/view/wait_for.h"
#include "tlm/inside/describe.h"
#include "tlm/inside/live/wait_graph.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

namespace sare::cli {

cycle_requests::cycle_requests(const network_view& net) {
    for (std::uint32_t r = 0; r < net.routers(); ++r) {
        m_first.push_back(m_sent.size());
        const router_bank& bank = net.bank_of(r);
        const std::uint32_t k = net.in_bank(r), ports = net.ports(r), vcs = net.vcs();
        for (std::uint32_t i = 0; i < ports * vcs; ++i) {
            const std::uint32_t p = i / vcs, v = i % vcs;
            m_owners.push_back(bank.out(k, p, v).owner);
            m_sent.push_back(bank.out(k, p, v).flits);
            const in_vc in = bank.in(k, p, v);
            if (in.count == 0) continue;
            const flit front = bank.buffered(k, p, v, 0);
            if (!bank.bids_for_vc(k, p, v)) {
                if (in.out_port >= ports || in.out_vc >= vcs) continue;
                const out_vc out = bank.out(k, in.out_port, in.out_vc);
                if (out.owner == i && out.credits != 0)
                    m_requests.push_back({r, p, v, in.out_port, in.out_vc, true, front});
                continue;
            }
            for (std::uint32_t o = 0; o < ports * vcs; ++o)
                if (bank.asks_for(k, p, v, o / vcs, o % vcs))
                    m_requests.push_back({r, p, v, o / vcs, o % vcs, false, front});
        }
    }
}

/// A packet of one flit may get an output VC, send, and give it back within the cycle.
bool cycle_requests::was_granted(const network_view& net, const request& r) const {
    const out_vc out = net.out(r.router, r.out_port, r.out_vc);
    const bool sent = out.flits != m_sent[m_first[r.router] + r.out_port * net.vcs() + r.out_vc];
    if (r.for_switch) return sent;
    const in_vc in = net.in(r.router, r.port, r.vc);
    const bool is_there = in.count != 0 && net.buffered(r.router, r.port, r.vc, 0).packet == r.front.packet;
    return out.owner == r.port * net.vcs() + r.vc || (sent && !is_there && out.owner == out_vc::no_owner);
}

/// A flit that came in this very cycle may have left in it, and was not seen to ask.
state_json cycle_requests::of(const network_view& net, const live_log& log, std::uint32_t router) const {
    const state_reader reader(net, log);
    const std::uint32_t outputs = net.ports(router) * net.vcs();
    std::vector<bool> told(outputs);
    state_json all = state_json::array();
    const auto add = [&](const std::string& by, const std::optional<std::uint64_t>& packet, bool for_switch,
                         std::uint32_t out, bool granted) {
        all.push_back({{"by", by},
                       {"packet", packet ? state_json(*packet) : state_json()},
                       {"asks", for_switch ? "switch" : "VC"},
                       {"for", reader.in_name(router, out / net.vcs(), out % net.vcs())},
                       {"granted", granted}});
    };
    for (const request& r : m_requests) {
        if (r.router != router) continue;
        const std::uint32_t out = r.out_port * net.vcs() + r.out_vc;
        const bool granted = was_granted(net, r);
        if (r.for_switch && granted) told[out] = true;
        add(reader.in_name(router, r.port, r.vc), log.number_of(r.front.packet), r.for_switch, out, granted);
    }
    for (std::uint32_t o = 0; o < outputs; ++o) {
        out_vc out = net.out(router, o / net.vcs(), o % net.vcs());
        if (told[o] || out.flits == m_sent[m_first[router] + o]) continue;
        if (m_owners[m_first[router] + o] != out_vc::no_owner) out.owner = m_owners[m_first[router] + o];
        std::optional<std::uint64_t> packet;
        if (out.owner < outputs) packet = log.came_into(router, out.owner / net.vcs(), net.now());
        add(owner_text(net, router, out), packet, true, o, true);
    }
    return all;
}

std::string state_reader::in_name(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    return fmt::format("{} vc {}", port_name(*m_net.map(), router, port), vc);
}

state_json state_reader::number_of(std::uint32_t slot) const {
    const auto number = m_log.number_of(slot);
    return number ? state_json(*number) : state_json();
}

state_json state_reader::flit_of(const flit& f) const {
    const sare::packet& p = m_net.packets()[f.packet];
    return {{"packet", number_of(f.packet)},
            {"flit", f.is_head() ? 0 : f.sequence},
            {"of", p.flits},
            {"source", p.route.source},
            {"destination", p.route.destination}};
}

std::string state_reader::beyond(std::uint32_t router, std::uint32_t port) const {
    const port_peer to = m_net.map()->peer(router_id(router), port_id(port));
    if (to.what == port_peer::kind::none) return "-";
    if (to.what == port_peer::kind::node) return node_name(to.id);
    return fmt::format("{} {}", router_name(to.id), port_name(*m_net.map(), to.id, to.port));
}

/// Returns what the packet at the front has ("+x vc 0") or may get.
std::string state_reader::wanted(std::uint32_t router, std::uint32_t port, std::uint32_t vc) const {
    const std::string state = state_of_front(m_net, router, port, vc);
    const in_vc in = m_net.in(router, port, vc);
    if (state == "active") return in_name(router, in.out_port, in.out_vc);
    if (state != "bids") return "";
    return sare::joined(asked_for(router, port, vc), " or ",
                        [&](std::uint32_t o) { return in_name(router, o / m_net.vcs(), o % m_net.vcs()); });
}

void state_reader::add_name(state_json& to, place_kind what, std::uint32_t number) const {
    if (const std::string& name = m_net.map()->names().name(what, number); !name.empty()) to["name"] = name;
}

/// Returns the flits and credits that crossed the pins of a foreign block, by port.
state_json state_reader::pins(std::uint32_t r, const foreign_block& block) const {
    state_json all = state_json::array();
    const auto flit_at = [this](const pins_of_port& p) {
        if (!p.what) return state_json();
        state_json shown = flit_of(*p.what);
        shown["vc"] = p.what->vc;
        return shown;
    };
    const auto vcs = [](std::uint32_t mask) {
        state_json list = state_json::array();
        for (std::uint32_t v = 0; mask >> v != 0; ++v)
            if ((mask >> v & 1) != 0) list.push_back(v);
        return list;
    };
    std::uint32_t p = 0;
    for (const auto& [in, out] : block.pins()) {
        all.push_back({{"port", port_name(*m_net.map(), r, p)},
                       {"to", beyond(r, p)},
                       {"in", flit_at(in)},
                       {"credits in", vcs(in.credits)},
                       {"out", flit_at(out)},
                       {"credits out", vcs(out.credits)}});
        ++p;
    }
    return all;
}

state_json state_reader::router(std::uint32_t r, const foreign_block* foreign,
                                const std::optional<cycle_requests>& last) const {
    state_json all = {{"router", r}};
    add_name(all, place_kind::router, r);
    if (foreign != nullptr) {
        all["kind"] = foreign->kind();
        all["pins"] = pins(r, *foreign);
        return all;
    }
    const router_bank& bank = m_net.bank_of(r);
    state_json vcs = state_json::array();
    for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
            const in_vc in = m_net.in(r, p, v);
            const out_vc out = m_net.out(r, p, v);
            state_json flits = state_json::array();
            for (std::uint32_t n = 0; n < in.count; ++n) flits.push_back(flit_of(m_net.buffered(r, p, v, n)));
            vcs.push_back({{"port", port_name(*m_net.map(), r, p)},
                           {"to", beyond(r, p)},
                           {"vc", v},
                           {"flits", flits},
                           {"places", bank.terms().depth},
                           {"state", state_of_front(m_net, r, p, v)},
                           {"output", wanted(r, p, v)},
                           {"owner", owner_text(m_net, r, out)},
                           {"credits", out.credits},
                           {"beyond", m_net.depth_beyond(r, p)},
                           {"sent", out.flits}});
        }
    all["kind"] = bank.variant();
    all["vcs"] = vcs;
    if (last) all["requests"] = last->of(m_net, m_log, r);
    all["arbiters"] = arbiters(r);
    return all;
}

/// Returns the name of a requester of an arbiter: "+x vc 0", "vc 1", "input -y".
std::string state_reader::requester(std::uint32_t r, const router_arbiter& a, std::uint32_t n) const {
    const std::uint32_t inputs = m_net.ports(r) * m_net.vcs();
    switch (a.from) {
        case router_arbiter::requester::vc:
            return fmt::format("vc {}", n);
        case router_arbiter::requester::input_vc:
            return n < inputs ? in_name(r, n / m_net.vcs(), n % m_net.vcs())
                              : fmt::format("node {}", n - inputs);
        case router_arbiter::requester::diagonal:
            return fmt::to_string(n);
        default:
            return a.requesters == m_net.ports(r) ? port_name(*m_net.map(), r, n) : fmt::to_string(n);
    }
}

/// Returns the arbiters of a router: what each gives away, whom it has served last and who comes first now.
state_json state_reader::arbiters(std::uint32_t r) const {
    constexpr const char* stages[] = {"VC, input",      "VC, output",     "switch, input",
                                      "switch, offers", "switch, output", "link",
                                      "engine",         "VC, diagonal",   "switch, diagonal"};
    state_json all = state_json::array();
    for (const router_arbiter& a : arbiters_of(m_net, r)) {
        const bool of_vc =
            a.of == router_arbiter::stage::va_input || a.of == router_arbiter::stage::va_output;
        const std::string port = port_name(*m_net.map(), r, a.port);
        all.push_back(
            {{"arbiter",
              std::string(stages[static_cast<int>(a.of)]) + (a.speculative ? ", speculative" : "")},
             {"at", of_vc ? in_name(r, a.port, a.unit) : port},
             {"requesters", a.requesters},
             {"served last", a.is_known() ? state_json(requester(r, a, a.last)) : state_json()},
             {"first", a.is_known() && a.in_turn ? state_json(requester(r, a, a.first())) : state_json()}});
    }
    return all;
}

state_json state_reader::packet(std::uint64_t number) const {
    const live_log::record* const its = m_log.find(number);
    if (its == nullptr)
        throw config::error(fmt::format("packet {}: {}", number,
                                        number >= m_log.packets()
                                            ? fmt::format("only {} have been injected", m_log.packets())
                                            : "it ended too long ago"));
    state_json all = {
        {"packet", number},         {"source", its->source},       {"destination", its->destination},
        {"flits", its->flits},      {"class", its->message_class}, {"generated", its->generated},
        {"injected", its->injected}};
    if (its->ended != live_log::record::not_yet) {
        const bool lost = its->dropped_in != live_log::record::no_router;
        all[lost ? "dropped" : "consumed"] = its->ended;
        if (lost) all["in"] = router_name(its->dropped_in);
        all["latency"] = its->ended - its->generated;
        return all;
    }
    const wait_graph graph(m_net);
    state_json places = state_json::array();
    std::uint32_t found = 0;
    for (std::uint32_t r = 0; r < m_net.routers(); ++r)
        for (std::uint32_t p = 0; p < m_net.ports(r); ++p)
            for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
                std::uint32_t flits = 0, before = 0;
                for (std::uint32_t n = 0; n < m_net.in(r, p, v).count; ++n) {
                    const bool is_its = m_net.buffered(r, p, v, n).packet == its->slot;
                    flits += is_its;
                    before += !is_its && flits == 0;
                }
                if (flits == 0) continue;
                found += flits;
                state_json at = {{"router", r},
                                 {"in", in_name(r, p, v)},
                                 {"flits", flits},
                                 {"flits before", before},
                                 {"state", before != 0 ? "behind" : state_of_front(m_net, r, p, v)},
                                 {"output", before != 0 ? "" : wanted(r, p, v)},
                                 {"waits for", state_json::array()}};
                if (const auto n = graph.at({r, p, v}))
                    for (const wait_graph::place& on : graph.waits()[*n].on)
                        if (m_net.in(on.router, on.port, on.vc).count != 0)
                            at["waits for"].push_back(
                                {{"packet", number_of(m_net.buffered(on.router, on.port, on.vc, 0).packet)},
                                 {"in", fmt::format("{} {}", router_name(on.router),
                                                    in_name(on.router, on.port, on.vc))}});
                places.push_back(std::move(at));
            }
    for (const class_queue* q = m_net.nic(its->source).queues;
         q < m_net.nic(its->source).queues + m_net.classes(); ++q)
        if (q->packet == its->slot) {
            all["flits at the source"] = q->flits_left;
            found += q->flits_left;
        }
    all["flits elsewhere"] = its->flits - std::min(found, its->flits);
    all["places"] = places;
    return all;
}

state_json state_reader::link(std::uint32_t router, std::uint32_t port) const {
    state_json all = {
        {"router", router}, {"port", port_name(*m_net.map(), router, port)}, {"to", beyond(router, port)}};
    const link_end from{link_end::kind::router, router, port};
    const link_attributes how = m_net.map()->link(router_id(router), port_id(port));
    all["latency"] = how.latency;
    all["cycles per flit"] = how.cycles_per_flit;
    if (const link_sleep* const sleep = m_net.sleeper_of(from)) all["asleep"] = sleep->is_asleep(m_net.now());
    for (std::size_t n = 0; n < m_log.links().size(); ++n) {
        if (m_log.links()[n].first < from || from < m_log.links()[n].first) continue;
        const live_log::sighting& last = m_log.seen_on(n);
        if (last.cycle == live_log::record::not_yet) continue;
        all["last flit"] = {{"packet", last.packet ? state_json(*last.packet) : state_json()},
                            {"vc", last.what.vc},
                            {"came in cycle", last.cycle}};
    }
    state_json vcs = state_json::array();
    for (std::uint32_t v = 0; v < m_net.vcs(); ++v) {
        const out_vc out = m_net.out(router, port, v);
        vcs.push_back({{"vc", v},
                       {"owner", owner_text(m_net, router, out)},
                       {"credits", out.credits},
                       {"beyond", m_net.depth_beyond(router, port)},
                       {"sent", out.flits}});
    }
    all["vcs"] = vcs;
    return all;
}

state_json state_reader::node(std::uint32_t n) const {
    const node_counts counts = m_net.counts_of(n);
    const nic_state& nic = m_net.nic(n);
    state_json all = {{"node", n}};
    add_name(all, place_kind::node, n);
    all.update({{"at", router_name(m_net.map()->router_of(node_id(n)).value)},
                {"packets injected", counts.injected_packets},
                {"packets consumed", counts.consumed_packets},
                {"messages waiting", counts.waiting.messages},
                {"flits waiting", counts.waiting.flits}});
    state_json queues = state_json::array(), credits = state_json::array();
    for (std::uint32_t c = 0; c < m_net.classes(); ++c) {
        const class_queue& q = nic.queues[c];
        const bool injects = q.packet != class_queue::none;
        queues.push_back({{"class", c},
                          {"messages", q.queued},
                          {"injects packet", injects ? number_of(q.packet) : state_json()},
                          {"flits left", injects ? q.flits_left : 0},
                          {"vc", injects ? state_json(q.vc) : state_json()}});
    }
    if (nic.vc_credits != nullptr && !m_net.is_taken_over(n))
        for (std::uint32_t v = 0; v < m_net.vcs(); ++v)
            credits.push_back({{"vc", v}, {"credits", nic.vc_credits[v]}, {"of", nic.depth}});
    all["queues"] = queues;
    all["injection"] = credits;
    return all;
}

state_json state_reader::waits() const {
    const wait_graph graph(m_net);
    constexpr const char* reasons[] = {"VC taken", "no room", "node"};
    state_json rows = state_json::array();
    std::uint32_t circles = 0;
    for (const wait_graph::wait& w : graph.waits()) {
        const auto& [r, p, v] = w.who;
        state_json on = state_json::array();
        for (const wait_graph::place& t : w.on)
            on.push_back({{"router", t.router}, {"in", in_name(t.router, t.port, t.vc)}});
        if (w.node) on.push_back({{"node", *w.node}});
        rows.push_back({{"router", r},
                        {"in", in_name(r, p, v)},
                        {"channel", channel_into(*m_net.map(), r, p, v)},
                        {"packet", number_of(m_net.buffered(r, p, v, 0).packet)},
                        {"lacks", reasons[static_cast<int>(w.why)]},
                        {"waits for", on},
                        {"circle", w.circle == 0 ? state_json() : state_json(w.circle)},
                        {"dead", w.dead}});
        circles = std::max(circles, w.circle);
    }
    return {{"circles", circles}, {"deadlock", graph.is_deadlocked()}, {"waits", rows}};
}

state_json state_reader::network() const {
    state_json routers = state_json::array();
    for (std::uint32_t r = 0; r < m_net.routers(); ++r) {
        std::uint32_t flits = 0;
        for (std::uint32_t i = 0; i < m_net.ports(r) * m_net.vcs(); ++i)
            flits += m_net.in(r, i / m_net.vcs(), i % m_net.vcs()).count;
        if (flits != 0) routers.push_back({{"router", r}, {"flits", flits}, {"sent", m_net.flits_sent(r)}});
    }
    return {{"packets injected", m_log.packets()},
            {"packets inside", m_net.packets_inside()},
            {"flits inside", m_net.flits_inside()},
            {"messages waiting", m_net.messages_waiting()},
            {"routers", routers}};
}

}  // namespace sare::cli
