// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"

#include "tlm/router/vc/bypass/lone_packet_run.h"
#include "tlm/router/vc/machine/removal.h"
#include "tlm/router/vc/machine/step.h"

namespace sare {

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::construct(plane_layout at) {
    vc_shape& s = m_around.shape;
    m_place = std::move(at);
    s.routers = size();
    s.first = m_place.first;
    s.places = m_net.domain_of(router(0)).places();
    m_around.blocks.distance = m_around.blocks.distance_for(s);
    m_block_memory = pages(m_around.blocks.distance * (size() - 1) + sizeof(block), true);
    const std::size_t bytes = m_around.blocks.distance * size();
    constexpr std::size_t last_cache = 16u << 20;
    s.beyond_caches = always_fetches(m_net.scale()) || bytes > last_cache;
    constexpr std::size_t second_cache = 5u << 18;  // about one: a little more comes soon enough
    s.prefetches = s.prefetches && (always_fetches(m_net.scale()) || bytes > second_cache);
    m_around.blocks.first = m_block_memory.as<std::uint8_t>();
    s.row = std::size_t{s.in_vcs} * size();
    m_buffer_memory = pages(s.row * s.depth * sizeof(flit), true);
    m_around.buffers = m_buffer_memory.as<flit>();
    m_wiring.resize(std::size_t{size()} * s.ports);
    m_words.resize(std::size_t{size()} * s.words);
    fill_answers();
    if (s.forks) m_around.branches.resize(s.row);
    if (s.params.selection == selection_policy::random) m_around.random.resize(size());
    set_seed(m_net.seed());
    for (std::uint32_t k = 0; k < size(); ++k) {
        block& b = *new (&m_around.block_of(k)) block{};
        b.id = router(k);
        b.in_bank = k;
        b.buffer = m_around.buffers + std::size_t{k} * s.in_vcs;
        b.inbox = wide ? m_place.own[k] : m_place.table[k];
        b.flits_at = InList ? m_place.table[k] + block::inbox_sets : m_place.own[k];
        b.remembered = m_words.data() + std::size_t{k} * s.words;
        if (s.keyed) b.routes = m_net.routes().of_router(router(k));
        begin(b);
    }
}

/// Translates the route table into sets of output VCs. Makes room for the candidates of wide routers' heads.
template <int S, int N, bool InList>
void vc_bank<S, N, InList>::fill_answers() {
    const vc_shape& s = m_around.shape;
    auto& all = m_around.answers;
    if constexpr (wide) {
        if (s.ways <= 1) return;
        m_around.own_candidates.resize(s.row);
        all.masks.resize(s.row * s.ways);
    } else if (s.keyed) {
        using set = typename block::set;
        constexpr std::uint64_t port_mask = (std::uint64_t{1} << (1 << S)) - 1;
        const route_table& routes = m_net.routes();
        for (std::uint32_t c = 0; c < m_net.classes(); ++c)
            for (const route_table::answer& a : routes.answers()) {
                vc_candidates<set> ways;
                ways.first = static_cast<std::uint32_t>(all.masks.size());
                set want = 0;
                const bool told = routes.stays_within(a, s.ports);  // else it is for routers with more ports
                for (const bool escapes : {false, true})
                    for (std::uint32_t n = a.first; told && n < std::uint32_t{a.first} + a.size; ++n) {
                        const route_candidate& way = routes.ways()[n];
                        if (way.escape != escapes) continue;
                        const std::uint64_t vcs = (way.vcs << m_net.shares().first(c)) & port_mask;
                        all.masks.push_back(static_cast<set>(vcs << (way.port << S)));
                        want |= all.masks.back();
                        ++ways.size;
                        if (!escapes) ways.adaptive = want, ways.escape = ways.size;
                    }
                all.wants.push_back(want);
                all.ways.push_back(ways);
            }
    }
}

/// Puts a block into its initial state. Round-robin arbiters served the last number last, so that 0 is next.
template <int S, int N, bool InList>
void vc_bank<S, N, InList>::begin(block& b) const {
    using number_type = typename block::number_type;
    const vc_shape& s = m_around.shape;
    for (std::uint32_t i = 0; i < s.in_vcs; ++i) {
        b.in(i) = {};
        b.in(i).out = static_cast<number_type>(s.vcs - 1);
        b.owner(i) = static_cast<number_type>(s.in_vcs - 1);
    }
    begin_features(b);
    for (std::uint32_t p = 0; p < s.ports; ++p) {
        b.sa_vc(p) = static_cast<number_type>(s.vcs - 1);
        b.sa_column(p) = static_cast<number_type>(s.in_vcs - 1);
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::begin_features(block& b) const {
    if constexpr (!InList) {
        const vc_shape& s = m_around.shape;
        if (s.plain) return;
        static_cast<typename block::feature_state&>(b) = {};
        const auto fill = [](auto& turns, std::uint32_t size) {
            std::fill(std::begin(turns), std::end(turns), static_cast<std::uint16_t>(size - 1));
        };
        fill(b.va_row, s.vcs);
        fill(b.va_column, s.ports * s.vcs);
        for (auto& turns : b.turns) {
            fill(turns.vc, s.vcs);
            fill(turns.column, s.crossbar_inputs);
            fill(turns.row, s.crossbar_outputs);
        }
        fill(b.need, 2);
        b.st_start -= s.params.st_delay;  // no batch is in the crossbar at cycle 0
        std::fill_n(b.remembered, s.words, 0);
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::set_seed(std::uint64_t seed) {
    for (std::uint32_t k = 0; k < m_around.random.size(); ++k)
        m_around.random[k] = rng(seed, stream::routing, (std::uint64_t{1} << 32) + router(k));
}

/// Resets router k, except for its counts of flits, wires and routes.
template <int S, int N, bool InList>
void vc_bank<S, N, InList>::clear(std::uint32_t k, cycle_t t) {
    block& b = m_around.block_of(k);
    b.leave(b.leaving(static_cast<std::uint32_t>(t)));
    // These flits were counted as sent in cycles that will not come.
    for (const std::uint64_t o : members(b.soon.out | b.later.out)) --b.sent(o);
    b.va = b.va_next = b.active = b.present = b.starved = b.behind = b.draining = {};
    b.soon = b.later = {};
    b.free = b.stocked = b.wired;
    begin(b);
    if (shape().forks)
        std::fill_n(m_around.branches.begin() + std::ptrdiff_t{k} * shape().in_vcs, shape().in_vcs,
                    vc_branch());
    if (!m_around.gates.empty())
        for (std::uint32_t p = 0; p < ports(); ++p) m_around.gates[std::size_t{k} * ports() + p].clear();
    for (std::uint32_t p = 0; p < m_around.shape.ports; ++p)
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v) {
            b.credits(number(p, v)) = b.depth_beyond[p];
            if constexpr (wide) b.held[number(p, v)] = 0;
            if constexpr (InList) b.input_at(number(p, v)).account.clear();
        }
}

template <int S, int N, bool InList>
wire vc_bank<S, N, InList>::to_here(std::uint32_t k) const {
    const std::uint32_t endpoint = m_place.first + k;
    wire w;
    w.inbox = wide ? m_place.own[k] : m_place.table[k];
    w.wake_word = 1 + (endpoint >> 6);
    w.wake_bit = std::uint64_t{1} << (endpoint & 63);
    return w;
}

template <int S, int N, bool InList>
std::pair<wire, wire_extras> vc_bank<S, N, InList>::flits_into(std::uint32_t k, std::uint32_t port) const {
    wire w = to_here(k);
    wire_extras x;
    if (wide) {
        w.inbox += port / 64;
        w.flit_at = m_place.own[k] + block::inbox_sets + port;
        w.port_bit = std::uint64_t{1} << port % 64;
        return {w, x};
    }
    w.flit_at = at(k).flits_at + port;
    w.first_bit = 63;
    w.port_bit = std::uint64_t{1} << (block::arrivals_at + (port << S));
    x.in_table = true;
    return {w, x};
}

template <int S, int N, bool InList>
std::pair<wire, wire_extras> vc_bank<S, N, InList>::credits_into(std::uint32_t k, std::uint32_t port) const {
    wire w = to_here(k);
    wire_extras x;
    w.inbox += wide ? block::port_words : block::inbox_sets - 1;
    w.first_bit = static_cast<std::uint16_t>(number(port, 0));
    w.port_bit = std::uint64_t{1} << (w.first_bit & 63);
    x.in_table = !wide;
    if (wide && shape().batched) x.counts = block::inbox_sets + shape().ports - block::port_words;
    return {w, x};
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::wire_output(std::uint32_t k, std::uint32_t port, const wire& w,
                                        const wire_extras& x) {
    block& b = m_around.block_of(k);
    odd_port& known = m_wiring[std::size_t{k} * m_around.shape.ports + port];
    known.flits = w;
    known.flits_extras = x;
    b.wire_flits(port, w);
    const std::uint32_t vcs = m_around.shape.vcs;
    const vc_mask all = first_vcs(vcs);
    if constexpr (!InList && !wide)
        if (!is_dense()) fill_bits(b.flit_bit, port, w);
    add_slice(b.free, number(port, 0), all);
    b.wired = b.stocked = b.free;
    b.depth_beyond[port] = static_cast<typename block::number_type>(x.depth);
    if constexpr (wide) b.pool_beyond[port] = x.pool;
    for (std::uint32_t v = 0; v < vcs; ++v) b.credits(number(port, v)) = b.depth_beyond[port];
}

template <int S, int N, bool InList>
bool vc_bank<S, N, InList>::pause_output(std::uint32_t k, std::uint32_t port, const pause_rule& rule) {
    const router_params& p = shape().params;
    const bool waits = p.output_speedup > 1 || !p.pipelined;  // flits may, between crossbar and link
    if (!wide || shape().forks || shape().atomic || waits) return false;
    m_around.gates.resize(std::size_t{size()} * ports());
    m_around.gates[std::size_t{k} * ports() + port].begin(rule, shape().vcs);
    return true;
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::wire_input(std::uint32_t k, std::uint32_t port, const wire& w,
                                       const wire_extras& x, const link_end& from) {
    odd_port& known = m_wiring[std::size_t{k} * m_around.shape.ports + port];
    known.credits = w;
    known.credits_extras = x;
    block& b = m_around.block_of(k);
    b.wire_credits(port, w);
    if constexpr (!InList && !wide)
        if (!is_dense()) fill_bits(b.credit_bit, port, w);
    open_account(k, port, w.delay, from);
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::fill_bits(std::uint64_t* of_vc, std::uint32_t port, const wire& w) {
    for (std::uint32_t v = 0; v <= block::vc_mask; ++v) of_vc[port << S | v] = w.port_bit << v;
}

/// Opens an input port's accounts to a sender that is a listed router of the same domain; else closes them.
template <int S, int N, bool InList>
void vc_bank<S, N, InList>::open_account(std::uint32_t k, std::uint32_t port, std::uint32_t delay,
                                         const link_end& from) {
    if constexpr (InList) {
        auto* const vcs = m_around.block_of(k).at_port(port).in;
        const bool in_time = delay + bypass_cycles <= credit_account::longest;
        vc_bank* sender = nullptr;
        const bool near = from.what == link_end::kind::router && m_net.has_router(from.id) &&
                          &m_net.domain_of(from.id) == &m_net.domain_of(router(k));  // cycles are the same
        if (near) sender = dynamic_cast<vc_bank*>(&m_net.bank_of(from.id));
        if (in_time && sender != nullptr) {
            sender->m_around.block_of(m_net.in_bank(from.id)).beyond[from.port] = vcs;
            return;
        }
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v) vcs[v].account.close_for_ever();
    }
}

template <int S, int N, bool InList>
bool vc_bank<S, N, InList>::is_odd(const odd_port& p) const {
    const auto wired = [](const wire& w) { return w.wake_bit != 0; };
    const auto usual = [](const wire& w, const wire_extras& x, std::uint32_t delay) {
        return x.in_table && x.counts == 0 && x.batch == 1 && x.cycles_per_flit == 1 && w.delay == delay;
    };
    return (wired(p.flits) && !usual(p.flits, p.flits_extras, m_around.shape.flit_delay)) ||
           (wired(p.credits) && !usual(p.credits, p.credits_extras, m_around.shape.credit_delay));
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::finish() {
    vc_shape& s = m_around.shape;
    for (std::uint32_t k = 0; k < size(); ++k) {
        const auto first = m_wiring.begin() + std::ptrdiff_t{k} * s.ports, last = first + s.ports;
        if (!wide && !s.queued_links &&
            std::none_of(first, last, [this](const odd_port& p) { return is_odd(p); }))
            continue;
        m_around.block_of(k).odd = static_cast<std::uint32_t>(1 + s.odd.size());
        s.odd.insert(s.odd.end(), first, last);
    }
    std::vector<odd_port>().swap(m_wiring);  // {} would keep the memory
    if constexpr (InList) {
        m_cycle.emplace(m_around, 0);
        m_list.resize(size() + prefetch_distance);
    } else if constexpr (wide) {
        m_step = s.forks ? step_forking<N> : step_wide<N>;
    } else {
        // Blocks of more than 32 VC numbers have fewer steps.
        constexpr vc_features some = vc_features::some, most = N <= 32 ? vc_features::all : some;
        constexpr bool plain = N <= 32 || S == 3;  // see has_plain_steps()
        m_step = is_dense()                   ? step_scanned < S, N,
        plain ? vc_features::carried : some > : s.plain ? step_scanned < S, N,
        plain ? vc_features::none : some >
    : s.simple ? step_scanned<S, N, vc_features::some>
               : step_scanned<S, N, most>;
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::step(std::uint64_t* awake, cycle_t t) {
    if constexpr (InList) {
        const std::size_t n = list_awake(awake);
        if (n == 0) return;
        m_cycle->go_on_to(t);
        step_many<S, N>(*m_cycle, m_list.data(), n);
    } else {
        m_step(m_around, awake, words(), t);
    }
}

template <int S, int N, bool InList>
cycle_t vc_bank<S, N, InList>::run_alone(cycle_t t, cycle_t before, std::uint32_t endpoint_words) {
    if constexpr (InList) {
        if (wakes_others(m_around.ring.at(t), endpoint_words)) return t;
        vc_cycle<S, N, false>& cycle = *m_cycle;
        cycle.go_on_to(t);
        cycle_t end = t;
        do {
            const std::uint32_t lone = cycle.foresees ? lone_awake(cycle.here + cycle.first_word) : size();
            if (lone != size() && m_around.ring.next_work(t) == ~cycle_t{0}) {
                end = lone_packet_run<S, N>(cycle, lone, size(), m_net.injection()).run(before);
                if (end != t) {
                    t = cycle.time;  // nothing else is under way
                    if (t == ~cycle_t{0} || t >= before) return end;
                    cycle.go_on_to(t);
                    continue;
                }
            }
            cycle.here[0] = 0;
            step_many<S, N>(cycle, m_list.data(), list_awake(cycle.here + cycle.first_word));
            end = t + 1;
            t = m_around.ring.next_work(t);
            if (t >= before) return end;
            cycle.go_on_to(t);
        } while (!wakes_others(cycle.here, endpoint_words));
        return end;
    }
    return t;
}

/// Returns the only router that is awake; size() if there are several or none.
template <int S, int N, bool InList>
std::uint32_t vc_bank<S, N, InList>::lone_awake(const std::uint64_t* awake) const {
    std::uint32_t found = size();
    for (std::uint32_t w = 0; w < words(); ++w) {
        if (awake[w] == 0) continue;
        if (found != size() || (awake[w] & (awake[w] - 1)) != 0) return size();
        found = w * 64 + static_cast<std::uint32_t>(lowest(awake[w]));
    }
    return found;
}

/// True if a plane wakes an endpoint that is no router of this bank.
template <int S, int N, bool InList>
bool vc_bank<S, N, InList>::wakes_others(const std::uint64_t* plane, std::uint32_t endpoint_words) const {
    const std::uint32_t first = 1 + m_place.first / 64, last = first + words();
    std::uint64_t others = 0;
    for (std::uint32_t w = 1; w < first; ++w) others |= plane[w];
    for (std::uint32_t w = last; w <= endpoint_words; ++w) others |= plane[w];
    return others != 0;
}

/// Lists the routers that are awake, and clears their bits. Returns their number.
template <int S, int N, bool InList>
std::size_t vc_bank<S, N, InList>::list_awake(std::uint64_t* awake) {
    std::uint32_t* next = m_list.data();
    for (std::uint32_t w = 0; w < words(); ++w) {
        std::uint64_t bits = awake[w];
        if (bits == 0) continue;
        awake[w] = 0;
        for (; bits != 0; bits &= bits - 1) *next++ = static_cast<std::uint32_t>(w * 64 + lowest(bits));
    }
    if (m_around.shape.prefetches) std::fill_n(next, prefetch_distance, m_list[0]);
    return static_cast<std::size_t>(next - m_list.data());
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::forget_times(cycle_t now) {
    if constexpr (InList)
        for (std::uint32_t k = 0; k < size(); ++k)
            m_around.block_of(k).forget_times(static_cast<std::uint32_t>(now));
}

template <int S, int N, bool InList>
out_vc vc_bank<S, N, InList>::out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const block& b = at(k);
    const auto sets = seen(k);
    const std::uint32_t o = number(port, vc);
    const bool owned = b.owned(sets, o);
    out_vc seen_so{b.sent_by(sets, o), static_cast<std::uint16_t>(b.credits_seen(sets, o)),
                   owned ? plain_number(b.owner(o)) : out_vc::no_owner};
    if (!m_around.gates.empty() && m_around.gates[std::size_t{k} * ports() + port].is_paused(vc))
        seen_so.paused = !owned || is_member(b.starved, b.owner(o));
    return seen_so;
}

template <int S, int N, bool InList>
std::uint32_t vc_bank<S, N, InList>::waiting(std::uint32_t k, std::uint32_t port) const {
    std::uint32_t flits = wide ? 0 : router_bank::waiting(k, port);
    if constexpr (wide)
        for (const std::uint64_t i : members(at(k).present))
            flits += at(k).to[i] == port ? at(k).in(i).count : 0U;
    return flits;
}

/// Number of flits that have passed the crossbar and wait for the link, in planes that are still to be read.
template <int S, int N, bool InList>
std::uint32_t vc_bank<S, N, InList>::queued(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    std::uint32_t flits = 0;
    if constexpr (!InList) {
        if (!shape().queued_links) return 0;
        const wire& w = shape().odd[at(k).odd - 1 + port].flits;
        for (cycle_t t = present() + 1; t < at(k).next_slot[port]; ++t) {
            const std::uint64_t* const plane = m_around.ring.at(t + w.delay);
            if ((plane[w.inbox] & w.port_bit << (vc & w.first_bit)) == 0) continue;
            // A bit for each VC tells the VC; a bit for each port does not, but the flit does.
            flits += w.first_bit != 0 || flit::from_word(plane[w.flit_at]).vc == vc ? 1 : 0;
        }
    }
    return flits;
}

template <int S, int N, bool InList>
bool vc_bank<S, N, InList>::has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc,
                                        std::uint32_t out_port, std::uint32_t, std::uint32_t credits) const {
    const vc_shape& s = m_around.shape;
    if (s.atomic && credits != at(k).depth_beyond[out_port]) return false;
    if constexpr (!InList) return !s.room_in_va || credits >= at(k).need[number(port, vc)];
    (void)port, (void)vc;
    return true;
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const {
    const auto sets = seen(k);
    for (std::uint32_t p = 0; p < ports(); ++p)
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v)
            count_one(at(k).count_at(sets, number(p, v)), bins);
}

template <int S, int N, bool InList>
flit vc_bank<S, N, InList>::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc,
                                     std::uint32_t n) const {
    const block& b = at(k);
    const vc_shape& s = m_around.shape;
    const std::uint32_t i = number(port, vc);
    flit f = b.buffer[(b.in(i).head + n) % s.depth * s.row + i];
    if (n == 0) f = flit::from_word(b.front(i));
    if constexpr (InList) {
        // The flit of a passage is in the plane already in which the next router reads it.
        const auto sets = seen(k);
        const bool soon = is_member(sets.soon.in, i), later = is_member(sets.later.in, i);
        const std::uint64_t* then = m_around.ring.at(present() + (soon ? 1 : 2) + s.flit_delay);
        const auto& to = b.output_at(b.in(i).out);
        if (n == 0 && (soon || later)) f = flit::from_word(then[to.flit_inbox + to.flit_word]);
    }
    f.vc = static_cast<std::uint8_t>(vc);
    if (f.is_head()) f.sequence = 0;
    return f;
}

/// The functions from here on are for resets of single routers and failing links, which wide routers support.
template <int S, int N, bool InList>
void vc_bank<S, N, InList>::list_packets(std::uint32_t k, const function<void(std::uint32_t)>& found) const {
    const block& b = at(k);
    for (std::uint32_t i = 0; i < shape().in_vcs; ++i) {
        const std::uint32_t port = port_of(i), vc = vc_of(i);
        for (std::uint32_t n = 0; n < b.in(i).count; ++n) found(buffered(k, port, vc, n).packet);
        if (b.owned(b, i)) found(flit::from_word(b.front(b.owner(i))).packet);
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::take_out(std::uint32_t k, const function<bool(std::uint32_t)>& which, cycle_t t,
                                     const function<void(std::uint32_t, std::uint32_t)>& freed) {
    if constexpr (wide) {
        const vc_cycle<S, N, true> cycle(m_around, t);
        vc_removal<N>(cycle, m_around.block_of(k)).take_out(which, [&](std::uint32_t i) {
            freed(port_of(i), vc_of(i));
        });
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc,
                                         std::int32_t credits, cycle_t t) {
    if constexpr (wide) {
        const vc_cycle<S, N, true> cycle(m_around, t);
        vc_removal<N>(cycle, m_around.block_of(k)).give_credits(number(port, vc), credits);
    }
}

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::route_again(std::uint32_t k, cycle_t t) {
    if constexpr (wide) {
        const vc_cycle<S, N, true> cycle(m_around, t);
        vc_removal<N>(cycle, m_around.block_of(k)).route_again();
    }
}

SARE_VC_BANKS();

}  // namespace sare
