// SPDX-License-Identifier: Apache-2.0
#include "tlm/inside/waves/router_signals.h"

#include "tlm/inside/describe.h"
#include "tlm/inside/router_watch.h"
#include "tlm/router_api/clock_domain.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare {
namespace {

using stage = router_arbiter::stage;

std::uint32_t bits_for(std::uint32_t most) {
    std::uint32_t bits = 1;
    while (most >> bits != 0) ++bits;
    return bits;
}
std::string at(const char* name, std::uint32_t n) {
    return name + (fmt::format("[{}]", n));
}

/// Returns the name of a signal with its range, as in RTL.
std::string ranged(const std::string& name, std::uint32_t bits) {
    return bits == 1 ? name : fmt::format("{} [{}:0]", name, bits - 1);
}

/// Returns the scope of an arbiter within rtl/sare_router.sv; "": the RTL has none.
std::string scope_in_rtl(const router_arbiter& a, std::uint32_t vcs, bool wavefront_sa) {
    const std::string rr = ".gen_round_robin.u_arbiter", va = "gen_plain.u_va.gen_separable.u_separable.";
    const std::string sa =
        "gen_plain.u_sa." + std::string(a.speculative ? "gen_speculative.u_spec." : "u_plain.");
    const std::string separable = sa + (wavefront_sa ? "gen_wavefront." : "gen_separable.u_separable.");
    const bool of_va = a.of == stage::va_input || a.of == stage::va_output;
    if (a.requesters < 2 || (!of_va && a.unit != 0)) return "";
    switch (a.of) {
        case stage::va_input:
            return va + at("gen_row", a.port * vcs + a.unit) + ".u_arbiter" + rr;
        case stage::va_output:
            return va + at("gen_vc", a.unit) + "." + at("gen_column", a.port) + ".u_arbiter" + rr;
        case stage::sa_input:
            return separable + at("gen_row", a.port) + ".u_vc.u_arbiter" + rr;
        case stage::sa_offer:
            return separable + at("gen_row", a.port) + ".gen_output_first.u_offers.u_arbiter" + rr;
        case stage::sa_output:
            return separable + at("gen_column", a.port) + ".u_arbiter.u_arbiter" + rr;
        case stage::va_diagonal:
            return "gen_plain.u_va.gen_wavefront.u_wavefront";
        case stage::sa_diagonal:
            return sa + "gen_wavefront.u_wavefront";
        default:
            return "";
    }
}

bool has_stage(const std::vector<router_arbiter>& all, stage of) {
    return std::any_of(all.begin(), all.end(), [of](const router_arbiter& a) { return a.of == of; });
}

/// Returns the requesters after the one that was served last: what a round-robin arbiter of the RTL keeps.
std::string above(const router_arbiter& a) {
    return a.is_known() ? std::string(a.requesters - 1U - a.last, '1') + std::string(a.last + 1U, '0')
                        : std::string(a.requesters, 'x');
}

}  // namespace

router_signals::router_signals(fst_writer& to, const network_view& net, packet_trace& packets,
                               std::uint32_t router, const std::string& name)
    : m_to(to),
      m_net(net),
      m_bank(net.bank_of(router)),
      m_packets(packets),
      m_router(router),
      m_vcs(m_bank.terms().vcs),
      m_ports(net.ports(router)),
      m_inputs(m_ports * m_vcs),
      m_arbiters(arbiters_of(net, router)),
      m_like_rtl(has_stage(m_arbiters, stage::sa_input)),
      m_outs(m_inputs),
      m_wanted(m_inputs),
      m_got(m_inputs),
      m_sent(m_inputs),
      m_lost(m_inputs) {
    for (std::uint32_t i = 0; i < m_inputs; ++i) show_vc(name, i);
    for (std::size_t n = 0; n < m_arbiters.size(); ++n) show_arbiter(name, n);
    const std::uint32_t n = m_inputs, by_vc = n * m_vcs;
    const std::pair<const char*, std::uint32_t> all[vectors] = {
        {"va_req", by_vc}, {"va_port", n * m_ports}, {"va_gnt", by_vc}, {"taken", n},
        {"sa_req", n},     {"spec_req", n},          {"sa_gnt", n},     {"sel", m_ports * m_ports}};
    for (std::size_t v = 0; v < vectors; ++v) {
        const auto [vector, bits] = all[v];
        m_vectors[v].assign(bits, '0');
        show(
            name, ranged(vector, bits), bits, [this, v] { return m_vectors[v]; }, true);
    }
    declare();
    remember();
}

void router_signals::show_vc(const std::string& scope, std::uint32_t i) {
    const std::uint32_t p = i / m_vcs, v = i % m_vcs, held = bits_for(m_bank.terms().depth),
                        credits = bits_for(m_net.depth_beyond(m_router, p));
    const std::string here = fmt::format("{}.{}.vc_{}", scope, port_name(*m_net.map(), m_router, p), v);
    const std::string in = scope + "." + at("gen_input", p) + "." + at("gen_vc", v) + ".gen_plain.u_vc",
                      out_of = scope + "." + at("gen_output", p) + "." + at("gen_vc", v) + ".u_vc";
    show(here, "flits", held, [=] { return in_bits(m_net.in(m_router, p, v).count, held); });
    if (m_like_rtl) also_show(in + ".gen_own.u_buffer", ranged("count_q", held));
    show(here, "packet", 32, [=] { return front_packet(i); });
    show(here, "credits", credits, [=] { return in_bits(out(i).credits, credits); });
    if (m_like_rtl) also_show(out_of + ".gen_own.u_credits", ranged("credits_q", credits));
    show(here, "state", 0, [=] { return state_of_front(m_net, m_router, p, v); });
    show(here, "owner", 0, [=] { return owner_text(m_net, m_router, out(i)); });
    if (!m_like_rtl) return;
    show(in, "owns_q", 1, [=] { return state_of_front(m_net, m_router, p, v) == "active" ? "1" : "0"; });
    show(out_of, "owned_q", 1, [=] { return out(i).owner == out_vc::no_owner ? "0" : "1"; });
}

void router_signals::show_arbiter(const std::string& scope, std::size_t n) {
    constexpr const char* names[] = {"va_in_last",    "va_out_last", "sa_in_last",
                                     "sa_offer_last", "sa_out_last", "link_last",
                                     "engine_last",   "va_diagonal", "sa_diagonal"};
    const router_arbiter& a = m_arbiters[n];
    const bool of_vc = a.of == stage::va_input || a.of == stage::va_output, of_router = a.of >= stage::engine;
    const std::uint32_t bits = bits_for(a.requesters - 1U);
    show(scope + (of_router ? "" : "." + port_name(*m_net.map(), m_router, a.port)) +
             (of_vc ? fmt::format(".vc_{}", a.unit) : ""),
         (a.speculative ? "spec_" : "") + std::string(names[static_cast<int>(a.of)]) +
             (of_vc || a.unit == 0 ? "" : fmt::format("_{}", a.unit)),
         bits, [this, n, bits] {
             const router_arbiter& now = m_arbiters[n];
             return now.is_known() ? in_bits(now.last, bits) : std::string(bits, 'x');
         });
    const std::string rtl = scope_in_rtl(a, m_vcs, has_stage(m_arbiters, stage::sa_diagonal));
    if (!m_like_rtl || rtl.empty()) return;
    if (a.from == router_arbiter::requester::diagonal)
        show(scope + "." + rtl, ranged("first_q", bits), bits,
             [=] { return in_bits(m_arbiters[n].first(), bits); });
    else
        show(scope + "." + rtl, ranged("above_q", a.requesters), a.requesters,
             [=] { return above(m_arbiters[n]); });
}

/// Declares what is shown, scope by scope.
void router_signals::declare() {
    std::vector<shown*> in_order;
    for (shown& s : m_shown) in_order.push_back(&s);
    std::stable_sort(in_order.begin(), in_order.end(),
                     [](const shown* a, const shown* b) { return a->scope < b->scope; });
    for (const shown* s : in_order) {
        m_to.enter(s->scope);
        fst_writer::signal& same = m_shown[s->same].signal;
        const std::uint32_t handle = m_to.declare(s->name, same.bits, same.handle);
        if (same.handle == 0) same.handle = handle;
    }
    m_shown.erase(std::remove_if(m_shown.begin(), m_shown.end(), [](const shown& s) { return !s.value; }),
                  m_shown.end());
}

std::string router_signals::front_packet(std::uint32_t i) const {
    const std::uint32_t p = i / m_vcs, v = i % m_vcs;
    if (m_net.in(m_router, p, v).count == 0) return std::string(32, 'z');
    return in_bits(m_packets.packet_in(m_net.buffered(m_router, p, v, 0).packet).number, 32);
}

void router_signals::note(const router_watch& watch, const std::vector<packet_event>& found) {
    m_left.clear();
    for (const packet_event& e : found)
        if (e.is == packet_event::what::flit_out) m_left.push_back(e);
    const cycle_t now = m_net.now();
    for (std::uint32_t i = 0; i < m_inputs; ++i)
        m_lost[i] = watch.waits(i, now) == stall_reason::lost_sa ? 1 : 0;
}

void router_signals::end_cycle(cycle_t t, bool follows) {
    if (!m_net.domain_of(m_router).clock().has_edge(t)) return;
    for (std::string& v : m_vectors) v.assign(v.size(), follows ? '0' : 'x');
    if (follows) {
        find_grants();
        for (std::uint32_t i = 0; i < m_inputs; ++i) find_requests(i);
    }
    m_left.clear();
    remember();
}

void router_signals::find_grants() {
    std::fill(m_got.begin(), m_got.end(), m_inputs);
    std::fill(m_sent.begin(), m_sent.end(), 0);
    for (std::uint32_t o = 0; o < m_inputs; ++o)
        if (const std::uint32_t by = out(o).owner; by < m_inputs && by != m_outs[o].owner) m_got[by] = o;
    for (const packet_event& e : m_left) {
        const std::uint32_t i = e.in_port * m_vcs + e.in_vc;
        m_sent[i] = 1;
        set(sa_gnt, i);
        if (e.out_port == packet_event::no_port) continue;
        set(sel, e.out_port * m_ports + e.in_port);
        const std::uint32_t o = e.out_port * m_vcs + e.out_vc;
        if (e.flit == 0 && m_outs[o].owner == out_vc::no_owner) m_got[i] = o;
    }
    for (std::uint32_t i = 0; i < m_inputs; ++i) {
        if (m_got[i] == m_inputs) continue;
        set(taken, m_got[i]);
        set(va_gnt, i * m_vcs + m_got[i] % m_vcs);
    }
}

/// A head that bids in the cycle in which it comes was not seen before. Its route is, unless it has left and
/// the next head has one: then its requests are not known.
void router_signals::find_requests(std::uint32_t i) {
    const bool got = m_got[i] != m_inputs, bid = !m_wanted[i].empty();
    const bool at_once = !bid && (got || (m_bank.pace().rc == 0 && bids(i) && m_sent[i] == 0));
    const bool speculated = got && m_sent[i] != 0 && m_bank.pace().va != 0;
    if ((m_sent[i] != 0 && !speculated) || m_lost[i] != 0) set(sa_req, i);
    const bool hidden = at_once && m_sent[i] != 0 && bids(i);
    for (std::uint32_t v = 0; hidden && v < m_vcs; ++v) set(va_req, i * m_vcs + v, 'x');
    for (const std::uint16_t o : hidden ? std::vector<std::uint16_t>() : at_once ? wants(i) : m_wanted[i]) {
        set(va_port, i * m_ports + o / m_vcs);
        const std::uint32_t credits = out(o).credits + (out(o).flits - m_outs[o].flits);
        if (m_outs[o].owner != out_vc::no_owner ||
            !m_bank.has_credits(m_net.in_bank(m_router), i / m_vcs, i % m_vcs, o / m_vcs, o % m_vcs, credits))
            continue;
        set(va_req, i * m_vcs + o % m_vcs);
        if (credits >= need_of(i)) set(spec_req, i);
    }
    if (got) set(va_req, i * m_vcs + m_got[i] % m_vcs);
    if (speculated) set(spec_req, i);
}

/// Number of credits that the flit at the front of an input VC must find.
std::uint32_t router_signals::need_of(std::uint32_t i) const {
    const std::uint32_t p = i / m_vcs, v = i % m_vcs;
    if (!m_bank.terms().whole_packets || m_net.in(m_router, p, v).count == 0) return 1;
    return m_net.packets()[m_net.buffered(m_router, p, v, 0).packet].flits;
}

std::vector<std::uint16_t> router_signals::wants(std::uint32_t i) const {
    std::vector<std::uint16_t> all;
    for (std::uint32_t o = 0; o < m_inputs; ++o)
        if (m_bank.asks_for(m_net.in_bank(m_router), i / m_vcs, i % m_vcs, o / m_vcs, o % m_vcs))
            all.push_back(static_cast<std::uint16_t>(o));
    return all;
}

void router_signals::remember() {
    m_arbiters = arbiters_of(m_net, m_router);
    for (std::uint32_t i = 0; i < m_inputs; ++i) {
        m_outs[i] = out(i);
        m_wanted[i] = bids(i) ? wants(i) : std::vector<std::uint16_t>();
    }
}

void router_signals::write(bool of_cycle, bool idle) {
    for (shown& s : m_shown)
        if (s.of_cycle == of_cycle) m_to.set(s.signal, idle ? std::string(s.signal.bits, '0') : s.value());
}

}  // namespace sare
