// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc_fast/choice.h"

#include "tlm/router/vc_fast/bank.h"

#include <map>

namespace sare {
namespace {

const vc_implementation_registration registered_fast(
    [](router_context& net) -> std::unique_ptr<vc_implementation> {
        return std::make_unique<fast_choice>(net);
    });

/// log2 of what is from port to port in the numbers of VCs.
std::uint32_t shift_of(std::uint32_t vcs) {
    return vcs <= 2 ? 1 : vcs <= 4 ? 2 : 3;
}

/// The delay that most wires of a bank have; 0 without wires.
class usual_delay {
  public:
    void add(std::uint32_t delay) { ++m_wires[delay]; }
    std::uint32_t get() const {
        std::uint32_t best = 0, most = 0;
        for (const auto& [delay, wires] : m_wires)
            if (wires > most) {
                best = delay;
                most = wires;
            }
        return best;
    }

  private:
    std::map<std::uint32_t, std::uint32_t> m_wires;
};

/// The policies that are compiled in here; with any other the readable routers run.
bool has_arbiter(const config::value& chosen) {
    return config::name_of<arbiter>(chosen) == "round_robin";
}
bool has_allocator(const config::value& chosen) {
    return compiled(chosen) != compiled_allocator::none;
}

bool has_usual_switch(const router_params& p) {
    return !p.speculative && compiled(p.sa_allocator) == compiled_allocator::input_first &&
           p.input_speedup == 1;
}

/// What makes full routers.
void fill_rules(fast_shape& s, const router_context& net, const router_params& p) {
    s.by_input = net.routes().by_input();
    s.adaptive = net.routing() != nullptr && net.routing()->max_candidates() > 1;
    s.by_credits = p.selection == selection_policy::most_credit;
    s.atomic = p.reallocation == reallocation_rule::atomic;
    s.room = p.switching != switching_mode::wormhole;
    s.room_in_va = s.room && net.routing() != nullptr && net.routing()->needs_escape();
    s.whole = p.switching == switching_mode::store_and_forward;
    s.speculative = p.speculative;
    s.va_allocator = compiled(p.va_allocator);
    s.sa = compiled(p.sa_allocator);
    s.input_speedup = p.input_speedup;
    for (std::uint32_t v = 0; v < p.vcs; ++v) {
        s.input_of[v] = static_cast<std::uint8_t>(v % p.input_speedup);
        for (std::uint32_t w = v % p.input_speedup; w < p.vcs; w += p.input_speedup)
            s.vcs_with[v] = static_cast<std::uint8_t>(s.vcs_with[v] | 1u << w);
    }
    s.usual_switch = has_usual_switch(p);
    if (s.room || !s.usual_switch || s.va_allocator != compiled_allocator::input_first || !s.rc || !s.va)
        s.variety = fast_variety::full;
    else if (s.by_input != 0 || s.adaptive || s.atomic)
        s.variety = fast_variety::adaptive;
}

/// By what the route table says, the output VCs.
void fill_wants(fast_shape& s, const router_context& net, std::uint32_t shift) {
    const std::uint64_t port_mask = (std::uint64_t{1} << (1 << shift)) - 1;
    const route_table& routes = net.routes();
    for (std::uint32_t c = 0; c < net.classes(); ++c)
        for (const route_table::answer& a : routes.answers()) {
            fast_ways ways;
            ways.first = static_cast<std::uint32_t>(s.masks.size());
            std::uint64_t want = 0;
            if (!routes.stays_within(a, s.ports)) {  // what others are told
                s.wants.push_back(want);
                s.ways.push_back(ways);
                continue;
            }
            for (const bool escapes : {false, true})
                for (std::uint32_t n = a.first; n < std::uint32_t{a.first} + a.size; ++n) {
                    const route_candidate& way = routes.ways()[n];
                    if (way.escape != escapes) continue;
                    const std::uint64_t vcs = (std::uint64_t{way.vcs} << net.shares().first(c)) & port_mask;
                    s.masks.push_back(vcs << (way.port << shift));
                    want |= s.masks.back();
                    ++ways.size;
                    if (!escapes) ways.adaptive = want, ways.escape = ways.size;
                }
            s.wants.push_back(want);
            s.ways.push_back(ways);
        }
}

}  // namespace

bool fast_choice::are_usual(const router_params& p, std::uint32_t ports) const {
    const router_context& net = m_net;
    return p.vcs <= 8 && p.depth <= fast_most_flits &&
           (ports << shift_of(p.vcs)) <= (p.vcs <= 2 ? 32u : 64u) &&
           (net.routing() == nullptr || !net.routing()->looks_at_congestion()) &&
           p.effective_rc_delay() <= 1 && p.va_delay <= 1 && p.sa_delay <= 1 &&
           (p.pipelined || p.st_delay <= 1) && !net.batched() && p.iterations == 1 &&
           p.input_speedup <= p.vcs && p.output_speedup == 1 && has_allocator(p.va_allocator) &&
           has_allocator(p.sa_allocator) && has_arbiter(p.va_arbiter) && has_arbiter(p.sa_arbiter) &&
           p.selection != selection_policy::same_vc;
}

bool fast_choice::can_take(const router_params& p, std::uint32_t router, std::uint32_t ports) {
    if (&p != m_asked || ports != m_asked_ports) {
        m_asked = &p;
        m_asked_ports = ports;
        m_usual = are_usual(p, ports);
    }
    if (!m_usual || has_slow_links(m_net, router, ports)) return false;
    for (std::uint32_t q = 0; q < ports; ++q)
        if (const connection* c = m_net.link_from(router, q);
            c != nullptr && m_net.depth_at(*c) > fast_most_flits)
            return false;
    return true;
}

/// What decides between ways of adaptive routing can be had here.
bool fast_choice::can_select(const router_params& p) {
    if (m_net.routing() == nullptr || m_net.routing()->max_candidates() <= 1) return true;
    m_net.key_routes();
    return m_net.routes().keyed() && p.selection != selection_policy::random;
}

bool fast_choice::add(const router_params& p, std::uint32_t ports) {
    if (!can_select(p)) return false;
    m_any = true;
    m_small = m_small && p.vcs <= 4 && (ports << shift_of(p.vcs)) <= 32;
    return true;
}

/// In lists credits that come wake nothing, and what is there of a packet is all there is to know of it.
bool fast_choice::takes(const router_params& p) const {
    return !m_in_list ||
           (p.reallocation == reallocation_rule::tail && p.switching == switching_mode::wormhole &&
            has_usual_switch(p) && compiled(p.va_allocator) == compiled_allocator::input_first);
}

void fast_choice::decide() {
    if (!m_any) return;
    m_net.key_routes();
    m_in_list = !m_net.routes().keyed() || m_net.scale() != network_scale::small;
}

std::unique_ptr<router_bank> fast_choice::make(const router_terms& terms, const router_params& p,
                                               std::uint32_t ports,
                                               const std::vector<std::uint32_t>& routers) const {
    const std::uint32_t shift = shift_of(p.vcs);
    usual_delay flits, credits;
    for (const std::uint32_t r : routers)
        for (std::uint32_t q = 0; q < ports; ++q) {
            if (const connection* c = m_net.link_from(r, q)) flits.add(m_net.delays_of(*c).forward);
            if (const connection* c = m_net.link_into(r, q)) credits.add(m_net.delays_of(*c).backward);
        }
    fast_shape s;
    s.ports = ports;
    s.vcs = p.vcs;
    s.depth = p.depth;
    s.in_vcs = ports << shift;
    s.flit_delay = flits.get();
    s.credit_delay = credits.get();
    s.rc = p.effective_rc_delay() != 0;
    s.va = p.va_delay != 0;
    fill_rules(s, m_net, p);
    s.foresees = m_in_list && s.rc && s.va && !s.adaptive;
    s.prefetches = m_net.routers() > 512 || m_net.scale() == network_scale::huge;
    s.keyed = m_net.routes().keyed();
    if (s.keyed) fill_wants(s, m_net, shift);
    const auto bank = [&](auto S, auto N, auto in_list) -> std::unique_ptr<router_bank> {
        return std::make_unique<fast_bank<S(), N(), in_list()>>(m_net, s, terms, routers);
    };
    using one = std::integral_constant<int, 1>;
    using two = std::integral_constant<int, 2>;
    using three = std::integral_constant<int, 3>;
    using small = std::integral_constant<int, 32>;
    using large = std::integral_constant<int, 64>;
    if (!m_in_list && shift == 3) return bank(three(), large(), std::false_type());
    if (!m_in_list && (ports << shift) > 32) return bank(two(), large(), std::false_type());
    if (!m_in_list && shift == 1) return bank(one(), small(), std::false_type());
    if (!m_in_list) return bank(two(), small(), std::false_type());
    if (m_small && shift == 1) return bank(one(), small(), std::true_type());
    if (m_small) return bank(two(), small(), std::true_type());
    // What two VCs a port would need as well: blocks of all fast routers are of one type.
    return shift == 3 ? bank(three(), large(), std::true_type()) : bank(two(), large(), std::true_type());
}

}  // namespace sare
