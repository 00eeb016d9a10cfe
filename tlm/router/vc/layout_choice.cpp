// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/layout_choice.h"

#include "tlm/router/vc/bank.h"

#include <map>

namespace sare {
namespace {

/// Returns log2 of the VC numbers that a port of a compact block takes.
std::uint32_t shift_of(std::uint32_t vcs) {
    return vcs <= 4 ? 2 : 3;
}
/// Number of members that the sets of a compact block need: VC numbers, or inputs or outputs of the crossbar.
std::uint32_t numbers_of(std::uint32_t ports, const router_params& p) {
    return std::max({ports << shift_of(p.vcs), ports * p.input_speedup, ports * p.output_speedup});
}

/// True if a block with 32 VC numbers holds the router.
bool is_small(const vc_shape& s) {
    return s.vcs <= 4 && numbers_of(s.ports, s.params) <= 32;
}
/// True if there are steps without features for the block of a router: vc_bank::finish() chooses among them.
bool has_plain_steps(const vc_shape& s) {
    return shift_of(s.vcs) == 3 || numbers_of(s.ports, s.params) <= 32;
}
/// True if the timing of a router allows router_bypass: in listed routers of this shape it is used.
bool can_foresee(const vc_shape& s) {
    return s.rc == 1 && s.va == 1 && !s.adaptive;
}

/// Counts delays of wires. get() returns the delay that most of them have; 0 without wires.
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

/// Places the words of all arbiters of a router, by the rows that vc_arbiters has.
void place_words(vc_shape& s, const router_context& net) {
    const std::uint32_t n = s.ports * s.vcs, x = s.crossbar_inputs, y = s.crossbar_outputs;
    const auto place = [&](const arbiter* policy, std::uint32_t row, std::uint32_t arbiters,
                           std::uint32_t size) {
        if (policy == nullptr) return;
        s.words_of[row] = {s.words, policy->words({size, s.ports, net.classes()})};
        s.words += arbiters * s.words_of[row].each;
    };
    place(s.va_arbiter.get(), 0, n, s.vcs);
    place(s.va_arbiter.get(), 1, n, n);
    for (std::uint32_t bank = 0; bank < (s.speculative ? 2u : 1u); ++bank) {
        place(s.sa_arbiter.get(), 2 + bank, x, s.vcs);
        place(s.sa_arbiter.get(), 4 + bank, y, x);
        place(s.sa_arbiter.get(), 6 + bank, x, y);
    }
}

/// Returns the chosen policy; null if it is compiled in.
std::shared_ptr<const arbiter> unless_round_robin(const config::value& chosen) {
    if (config::name_of<arbiter>(chosen) == "round_robin") return nullptr;
    return config::make_chosen<arbiter>(chosen);
}
std::shared_ptr<const allocator> unless_compiled(const config::value& chosen) {
    if (compiled(chosen) != compiled_allocator::none) return nullptr;
    return config::make_chosen<allocator>(chosen);
}

/// True if packets fork in routers with these parameters.
bool packets_fork(const router_context& net, const router_params& p) {
    return p.forking != forking_rule::none && net.routing() != nullptr && net.routing()->forks();
}

/// Fills in the rules of a shape, and which features it needs.
void fill_rules(vc_shape& s, const router_context& net) {
    const router_params& p = s.params;
    s.rc = p.effective_rc_delay();
    s.va = p.va_delay;
    s.sa = p.sa_delay;
    s.by_input = net.routes().by_input();
    s.adaptive = net.most_candidates() > 1;
    s.atomic = p.reallocation == reallocation_rule::atomic;
    s.room = p.switching != switching_mode::wormhole;
    s.forks = packets_fork(net, p);
    s.forks_at_once = s.forks && p.forking == forking_rule::synchronous;
    s.room_in_va = s.room && (s.forks_at_once || (net.routing() != nullptr && net.routing()->needs_escape()));
    s.whole = p.switching == switching_mode::store_and_forward;
    s.speculative = p.speculative;
    s.pipelined = p.pipelined || std::max({s.rc, s.va, s.sa}) <= 1;
    const bool once = p.iterations == 1;
    s.usual_va = once && s.va_allocator == compiled_allocator::input_first && s.va_arbiter == nullptr;
    s.usual_switch = once && s.sa_allocator == compiled_allocator::input_first && s.sa_arbiter == nullptr &&
                     !p.speculative && p.input_speedup == 1 && p.output_speedup == 1 && !s.slow_links;
    s.notes_since = s.va_arbiter != nullptr || s.sa_arbiter != nullptr;
    const bool quick = std::max({s.rc, s.va, s.sa}) <= 1 && once && !s.notes_since && !s.queued_links;
    const bool known_policies = s.va_policy == nullptr && s.sa_policy == nullptr;
    s.simple = quick && known_policies && p.selection != selection_policy::same_vc &&
               (!s.adaptive || p.selection != selection_policy::random);
    s.notes_heads = s.room || !s.simple || !s.usual_switch;
    const bool usual = s.simple && s.usual_va && s.usual_switch;
    s.plain = usual && s.rc == 1 && s.va == 1 && s.by_input == 0 && !s.adaptive && !s.atomic && !s.room;
}

template <int S, int N, bool InList>
std::unique_ptr<router_bank> bank(router_context& net, const vc_shape& s, const router_terms& terms,
                                  const std::vector<std::uint32_t>& routers) {
    return std::make_unique<vc_bank<S, N, InList>>(net, s, terms, routers);
}

}  // namespace

compiled_allocator compiled(const config::value& chosen) {
    const std::string name = config::name_of<allocator>(chosen);
    if (name == "input_first") return compiled_allocator::input_first;
    if (name == "output_first") return compiled_allocator::output_first;
    if (name == "wavefront") return compiled_allocator::wavefront;
    return compiled_allocator::none;
}

bool has_slow_links(const router_context& net, std::uint32_t router, std::uint32_t ports) {
    for (std::uint32_t p = 0; p < ports; ++p)
        if (const connection* c = net.link_from(router, p);
            c != nullptr && (net.cycles_per_flit(*c) > 1 || c->sleeps))
            return true;
    return false;
}

vc_shape shape_of(const router_context& net, const router_params& p, std::uint32_t ports, bool slow_links) {
    vc_shape s;
    s.params = p;
    s.va_arbiter = unless_round_robin(p.va_arbiter);
    s.sa_arbiter = unless_round_robin(p.sa_arbiter);
    s.va_allocator = compiled(p.va_allocator);
    s.sa_allocator = compiled(p.sa_allocator);
    s.va_policy = unless_compiled(p.va_allocator);
    s.sa_policy = unless_compiled(p.sa_allocator);
    s.ports = ports;
    s.vcs = p.vcs;
    s.depth = p.most_flits();
    s.crossbar_inputs = ports * p.input_speedup;
    s.crossbar_outputs = ports * p.output_speedup;
    s.slow_links = slow_links;
    s.queued_links = slow_links || p.output_speedup > 1 || (!p.pipelined && p.st_delay > 1);
    s.batched = net.batched();
    s.ways = net.most_candidates();
    s.counts_hops = net.knows_hops() ? 0 : 1;
    for (std::uint32_t v = 0; v < s.vcs; ++v) {
        s.input_of[v] = static_cast<std::uint8_t>(v % p.input_speedup);
        s.vcs_of_input[s.input_of[v]] |= vc_mask{1} << v;
    }
    fill_rules(s, net);
    place_words(s, net);
    return s;
}

bool layout_choice::fits(const router_params& p, std::uint32_t ports) const {
    return m_net.compact_layouts_allowed() && !packets_fork(m_net, p) && has_bit_instructions() &&
           p.vcs <= 8 && p.depth <= compact_most_flits && p.buffers == buffer_policy::per_vc &&
           numbers_of(ports, p) <= 64 && !m_net.batched() &&
           (m_net.routing() == nullptr || !m_net.routing()->looks_at_congestion());
}

bool layout_choice::is_compact(const router_params& p, std::uint32_t router, std::uint32_t ports) {
    if (&p != m_asked || ports != m_asked_ports) {
        m_asked = &p;
        m_asked_ports = ports;
        m_fits = fits(p, ports);
    }
    if (!m_fits) return false;
    for (std::uint32_t q = 0; q < ports; ++q)
        if (const connection* c = m_net.link_from(router, q); c != nullptr) {
            const router_context::buffer_places beyond = m_net.places_at(*c);
            if (beyond.depth > compact_most_flits || beyond.needs_more_than_credits()) return false;
        }
    return true;
}

void layout_choice::add(const vc_shape& s) {
    m_any = true;
    m_small = m_small && is_small(s) && can_foresee(s);
    m_all_have_plain_steps = m_all_have_plain_steps && has_plain_steps(s);
}

void layout_choice::decide() {
    if (!m_any) return;
    m_dense = runs_dense(m_net.scale()) && m_all_have_plain_steps;
    if (m_dense) return;
    m_net.key_routes();
    m_in_list = !m_net.routes().keyed() || m_net.scale() != network_scale::small;
}

/// Returns the layout. In listed routers credits wake nothing, and a head tells all that is known of its
/// packet, so they have fewer features.
vc_layout layout_choice::layout_of(const vc_shape& s, bool compact) const {
    if (!compact) return vc_layout::wide;
    if (!m_in_list && !m_dense) return s.simple || is_small(s) ? vc_layout::scanned : vc_layout::wide;
    const bool knows_ways = !s.adaptive || m_net.routes().keyed();
    const bool usual = s.simple && s.usual_va && s.usual_switch && !s.atomic && !s.room;
    if (m_dense) return usual && can_foresee(s) ? vc_layout::scanned : vc_layout::wide;
    return usual && knows_ways ? vc_layout::listed : vc_layout::wide;
}

std::unique_ptr<router_bank> layout_choice::make(vc_layout layout, vc_shape s, const router_terms& terms,
                                                 const std::vector<std::uint32_t>& routers) const {
    usual_delay flits, credits;
    for (const std::uint32_t r : routers)
        for (std::uint32_t q = 0; q < s.ports; ++q) {
            if (const connection* c = m_net.link_from(r, q)) {
                flits.add(m_net.delays_of(*c).forward);
                s.pools = s.pools || m_net.places_at(*c).needs_more_than_credits();
            }
            if (const connection* c = m_net.link_into(r, q)) credits.add(m_net.delays_of(*c).backward);
        }
    s.flit_delay = flits.get();
    s.credit_delay = credits.get();
    s.keyed = m_net.routes().keyed();
    s.by_input = m_net.routes().by_input();
    s.counts_hops = m_net.knows_hops() ? 0 : 1;
    const std::uint32_t shift = shift_of(s.vcs), numbers = numbers_of(s.ports, s.params);
    if (layout == vc_layout::wide) {
        s.plain = false;
        s.in_vcs = s.ports * s.vcs;
        for (std::uint32_t i = 0; i < s.in_vcs; ++i) s.port_of[i] = static_cast<port_number>(i / s.vcs);
        const std::uint32_t numbers_used = std::max({s.in_vcs, s.crossbar_inputs, s.crossbar_outputs});
        const std::uint32_t size = s.ports > 64 ? std::max(numbers_used, 512U) : numbers_used;
        if (size <= 64) return bank<0, 64, false>(m_net, s, terms, routers);
        if (size <= 128) return bank<0, 128, false>(m_net, s, terms, routers);
        if (size <= 256) return bank<0, 256, false>(m_net, s, terms, routers);
        if (size <= 512) return bank<0, 512, false>(m_net, s, terms, routers);
        if (size <= 1024) return bank<0, 1024, false>(m_net, s, terms, routers);
        return bank<0, 4096, false>(m_net, s, terms, routers);
    }
    s.in_vcs = s.ports << shift;
    if (layout == vc_layout::scanned) {
        s.plain = m_dense || (s.plain && has_plain_steps(s));
        s.prefetches = m_dense && (m_net.routers() > 512 || always_fetches(m_net.scale()));
        if (shift == 3) return bank<3, 64, false>(m_net, s, terms, routers);
        if (numbers > 32) return bank<2, 64, false>(m_net, s, terms, routers);
        return bank<2, 32, false>(m_net, s, terms, routers);
    }
    s.foresees = can_foresee(s);
    s.prefetches = m_net.routers() > 512 || always_fetches(m_net.scale());
    if (m_small) return bank<2, 32, true>(m_net, s, terms, routers);
    return shift == 3 ? bank<3, 64, true>(m_net, s, terms, routers)
                      : bank<2, 64, true>(m_net, s, terms, routers);
}

}  // namespace sare
