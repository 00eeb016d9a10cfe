// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc_fast/bank.h"

#include "tlm/router/vc_fast/flight.h"
#include "tlm/router/vc_fast/step.h"

namespace sare {

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::construct(plane_layout at) {
    fast_shape& s = m_around.shape;
    m_place = std::move(at);
    s.routers = size();
    s.first = m_place.first;
    s.places = m_net.domain_of(router(0)).places();
    m_around.blocks.distance = m_around.blocks.distance_for(s.ports);
    m_block_memory = pages(m_around.blocks.distance * (size() - 1) + sizeof(block), true);
    const std::size_t bytes = m_around.blocks.distance * size();
    constexpr std::size_t last_cache = 16u << 20;
    s.beyond_caches = m_net.scale() == network_scale::huge || bytes > last_cache;
    constexpr std::size_t second_cache = 5u << 18;  // nearly: the rest comes soon enough
    s.prefetches = s.prefetches && (m_net.scale() == network_scale::huge || bytes > second_cache);
    m_around.blocks.first = m_block_memory.as<std::uint8_t>();
    s.row = std::size_t{s.in_vcs} * size();
    m_buffer_memory = pages(s.row * s.depth * sizeof(flit), true);
    m_around.buffers = m_buffer_memory.as<flit>();
    m_wiring.resize(std::size_t{size()} * s.ports);
    for (std::uint32_t k = 0; k < size(); ++k) {
        block& b = *new (&m_around.block_of(k)) block{};
        b.id = router(k);
        b.buffer = m_around.buffers + std::size_t{k} * s.in_vcs;
        b.inbox = m_place.table[k];
        b.flits_at = InList ? m_place.table[k] + block::inbox_sets : m_place.own[k];
        if (s.keyed) b.routes = m_net.routes().of_router(router(k));
        begin(b);
    }
}

/// Round-robin arbiters begin with number 0: the last one served was the one before it.
template <int S, int N, bool InList>
void fast_bank<S, N, InList>::begin(block& b) const {
    const fast_shape& s = m_around.shape;
    for (std::uint32_t i = 0; i < s.in_vcs; ++i) {
        b.in(i) = {};
        b.in(i).out = static_cast<std::uint8_t>(s.vcs - 1);
        b.owner(i) = static_cast<std::uint8_t>(s.in_vcs - 1);
    }
    begin_turns(b);
    for (std::uint32_t p = 0; p < s.ports; ++p) {
        b.sa_vc(p) = static_cast<std::uint8_t>(s.vcs - 1);
        b.sa_column(p) = static_cast<std::uint8_t>(s.in_vcs - 1);
    }
}

/// What flits are counted, the wires and the ways stay.
template <int S, int N, bool InList>
void fast_bank<S, N, InList>::clear(std::uint32_t k, cycle_t t) {
    block& b = m_around.block_of(k);
    b.leave(b.leaving(static_cast<std::uint32_t>(t)));
    // Counted, but for a cycle that is not to come.
    for (auto early = b.soon.out | b.later.out; early != 0; early &= early - 1) --b.sent(lowest(early));
    b.va = b.va_next = b.active = b.present = b.starved = b.behind = b.draining = 0;
    b.soon = b.later = {};
    b.free = b.stocked = b.wired;
    begin(b);
    for (std::uint32_t p = 0; p < m_around.shape.ports; ++p)
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v) {
            b.credits(p << S | v) = b.depth_beyond[p];
            if constexpr (InList) b.input_at(p << S | v).account.clear();
        }
    if constexpr (!InList) std::fill(std::begin(b.tails), std::end(b.tails), std::uint8_t{0});
}

/// Of full routers, as above.
template <int S, int N, bool InList>
void fast_bank<S, N, InList>::begin_turns(block& b) const {
    if constexpr (!InList) {
        const fast_shape& s = m_around.shape;
        for (auto& turns : b.turns) {
            std::fill(std::begin(turns.vc), std::end(turns.vc), static_cast<std::uint8_t>(s.vcs - 1));
            std::fill(std::begin(turns.column), std::end(turns.column),
                      static_cast<std::uint8_t>(s.ports * s.input_speedup - 1));
            std::fill(std::begin(turns.row), std::end(turns.row), static_cast<std::uint8_t>(s.ports - 1));
        }
        std::fill(std::begin(b.need), std::end(b.need), std::uint8_t{1});
    }
}

template <int S, int N, bool InList>
wire fast_bank<S, N, InList>::to_here(std::uint32_t k) const {
    const std::uint32_t endpoint = m_place.first + k;
    wire w;
    w.inbox = m_place.table[k];
    w.wake_word = 1 + (endpoint >> 6);
    w.wake_bit = std::uint64_t{1} << (endpoint & 63);
    return w;
}

template <int S, int N, bool InList>
std::pair<wire, wire_extras> fast_bank<S, N, InList>::flits_into(std::uint32_t k, std::uint32_t port) const {
    wire w = to_here(k);
    wire_extras x;
    w.flit_at = at(k).flits_at + port;
    w.first_bit = 63;
    w.port_bit = std::uint64_t{1} << (block::arrivals_at + (port << S));
    x.in_table = true;
    return {w, x};
}

template <int S, int N, bool InList>
std::pair<wire, wire_extras> fast_bank<S, N, InList>::credits_into(std::uint32_t k,
                                                                   std::uint32_t port) const {
    wire w = to_here(k);
    wire_extras x;
    w.inbox += block::inbox_sets - 1;
    w.first_bit = static_cast<std::uint16_t>(port << S);
    w.port_bit = std::uint64_t{1} << w.first_bit;
    x.in_table = true;
    return {w, x};
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::wire_output(std::uint32_t k, std::uint32_t port, const wire& w,
                                          const wire_extras& x) {
    block& b = m_around.block_of(k);
    odd_port& known = m_wiring[std::size_t{k} * m_around.shape.ports + port];
    known.flits = w;
    known.flits_extras = x;
    b.wire_flits(port, w);
    const std::uint32_t vcs = m_around.shape.vcs, all = (1u << vcs) - 1;
    if constexpr (!InList) fill_bits(b.flit_bit, port, w);
    b.free |= static_cast<typename block::set>(all) << (port << S);
    b.wired = b.stocked = b.free;
    b.depth_beyond[port] = static_cast<std::uint8_t>(x.depth);
    for (std::uint32_t v = 0; v < vcs; ++v) b.credits(port << S | v) = static_cast<std::uint8_t>(x.depth);
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::wire_input(std::uint32_t k, std::uint32_t port, const wire& w,
                                         const wire_extras& x, const link_end& from) {
    odd_port& known = m_wiring[std::size_t{k} * m_around.shape.ports + port];
    known.credits = w;
    known.credits_extras = x;
    block& b = m_around.block_of(k);
    b.wire_credits(port, w);
    if constexpr (!InList) fill_bits(b.credit_bit, port, w);
    open_account(k, port, w.delay, from);
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::fill_bits(std::uint64_t* of_vc, std::uint32_t port, const wire& w) {
    for (std::uint32_t v = 0; v <= block::vc_mask; ++v) of_vc[port << S | v] = w.port_bit << v;
}

/// Which output VCs the accounts of an input port take credits for, if any.
template <int S, int N, bool InList>
void fast_bank<S, N, InList>::open_account(std::uint32_t k, std::uint32_t port, std::uint32_t delay,
                                           const link_end& from) {
    if constexpr (InList) {
        auto* const vcs = m_around.block_of(k).at_port(port).in;
        const bool in_time = delay + fast_write_ahead <= credit_account::longest;
        fast_bank* sender = nullptr;
        const bool near = from.what == link_end::kind::router && m_net.has_router(from.id) &&
                          &m_net.domain_of(from.id) == &m_net.domain_of(router(k));  // times are alike
        if (near) sender = dynamic_cast<fast_bank*>(&m_net.bank_of(from.id));
        if (in_time && sender != nullptr) {
            sender->m_around.block_of(m_net.in_bank(from.id)).beyond[from.port] = vcs;
            return;
        }
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v) vcs[v].account.close_for_ever();
    }
}

template <int S, int N, bool InList>
bool fast_bank<S, N, InList>::is_odd(const odd_port& p) const {
    const auto wired = [](const wire& w) { return w.wake_bit != 0; };
    const auto usual = [](const wire& w, const wire_extras& x, std::uint32_t delay) {
        return x.in_table && x.counts == 0 && x.batch == 1 && x.cycles_per_flit == 1 && w.delay == delay;
    };
    return (wired(p.flits) && !usual(p.flits, p.flits_extras, m_around.shape.flit_delay)) ||
           (wired(p.credits) && !usual(p.credits, p.credits_extras, m_around.shape.credit_delay));
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::finish() {
    fast_shape& s = m_around.shape;
    for (std::uint32_t k = 0; k < size(); ++k) {
        const auto first = m_wiring.begin() + std::ptrdiff_t{k} * s.ports, last = first + s.ports;
        if (std::none_of(first, last, [this](const odd_port& p) { return is_odd(p); })) continue;
        m_around.block_of(k).odd = static_cast<std::uint32_t>(1 + s.odd.size());
        s.odd.insert(s.odd.end(), first, last);
    }
    std::vector<odd_port>().swap(m_wiring);  // {} would keep the memory
    if constexpr (InList) {
        m_cycle.emplace(m_around, 0);
        m_list.resize(size() + prefetch_distance);
    } else {
        switch (s.variety) {
            case fast_variety::basic:
                return choose_step<fast_variety::basic>();
            case fast_variety::adaptive:
                return choose_step<fast_variety::adaptive>();
            case fast_variety::full:
                return choose_step<fast_variety::full>();
        }
    }
}

template <int S, int N, bool InList>
template <fast_variety Variety>
void fast_bank<S, N, InList>::choose_step() {
    // Processors without those instructions are too rare for a step of each variety.
    m_step = has_bit_instructions() ? step_usual_with_bits<S, N, Variety> : step_usual<S, N, fast_variety::full>;
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::step(std::uint64_t* awake, cycle_t t) {
    if constexpr (InList) {
        const std::size_t n = list_awake(awake);
        if (n == 0) return;
        m_cycle->go_on_to(t);
        run_list(n);
    } else {
        m_step(m_around, awake, words(), t);
    }
}

template <int S, int N, bool InList>
cycle_t fast_bank<S, N, InList>::run_alone(cycle_t t, cycle_t before, std::uint32_t endpoint_words) {
    if constexpr (InList) {
        if (wakes_others(m_around.ring.at(t), endpoint_words)) return t;
        fast_cycle<S, N, false>& cycle = *m_cycle;
        cycle.go_on_to(t);
        cycle_t end = t;
        do {
            const std::uint32_t lone = cycle.foresees ? lone_awake(cycle.here + cycle.first_word) : size();
            if (lone != size() && m_around.ring.next_work(t) == ~cycle_t{0}) {
                end = fast_flight<S, N>(cycle, lone, size(), m_net.injection()).run(before);
                if (end != t) {
                    t = cycle.time;  // nothing else is under way
                    if (t == ~cycle_t{0} || t >= before) return end;
                    cycle.go_on_to(t);
                    continue;
                }
            }
            cycle.here[0] = 0;
            run_list(list_awake(cycle.here + cycle.first_word));
            end = t + 1;
            t = m_around.ring.next_work(t);
            if (t >= before) return end;
            cycle.go_on_to(t);
        } while (!wakes_others(cycle.here, endpoint_words));
        return end;
    }
    return t;
}

/// The only router that is awake; size() if there are several.
template <int S, int N, bool InList>
std::uint32_t fast_bank<S, N, InList>::lone_awake(const std::uint64_t* awake) const {
    std::uint32_t found = size();
    for (std::uint32_t w = 0; w < words(); ++w) {
        if (awake[w] == 0) continue;
        if (found != size() || (awake[w] & (awake[w] - 1)) != 0) return size();
        found = w * 64 + static_cast<std::uint32_t>(lowest(awake[w]));
    }
    return found;
}

/// Something beside routers of this bank is to be woken in a plane.
template <int S, int N, bool InList>
bool fast_bank<S, N, InList>::wakes_others(const std::uint64_t* plane, std::uint32_t endpoint_words) const {
    const std::uint32_t first = 1 + m_place.first / 64, last = first + words();
    std::uint64_t others = 0;
    for (std::uint32_t w = 1; w < first; ++w) others |= plane[w];
    for (std::uint32_t w = last; w <= endpoint_words; ++w) others |= plane[w];
    return others != 0;
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::run_list(std::size_t n) {
    if constexpr (InList) {
        static const bool with_bits = has_bit_instructions();
        if (with_bits)
            step_many_with_bits<S, N>(*m_cycle, m_list.data(), n);
        else
            step_many<S, N>(*m_cycle, m_list.data(), n);
    }
}

/// Gives how many there are.
template <int S, int N, bool InList>
std::size_t fast_bank<S, N, InList>::list_awake(std::uint64_t* awake) {
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
void fast_bank<S, N, InList>::forget_times(cycle_t now) {
    if constexpr (InList)
        for (std::uint32_t k = 0; k < size(); ++k)
            m_around.block_of(k).forget_times(static_cast<std::uint32_t>(now));
}

template <int S, int N, bool InList>
in_vc fast_bank<S, N, InList>::in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const auto sets = seen(k);
    const std::uint32_t i = number(port, vc);
    in_vc c = at(k).in_at(sets, i);
    const std::uint32_t o = c.out;
    if (at(k).out_at(sets, o).owner == i) c.out_port = static_cast<std::uint8_t>(o >> S);
    c.out = plain_number(o);
    return c;
}

template <int S, int N, bool InList>
out_vc fast_bank<S, N, InList>::out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    out_vc v = at(k).out_at(seen(k), number(port, vc));
    if (v.owner != out_vc::no_owner) v.owner = plain_number(v.owner);
    return v;
}

template <int S, int N, bool InList>
bool fast_bank<S, N, InList>::has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc,
                                          std::uint32_t out_port, std::uint32_t,
                                          std::uint32_t credits) const {
    const fast_shape& s = m_around.shape;
    if (s.atomic && credits != at(k).depth_beyond[out_port]) return false;
    if constexpr (!InList) return !s.room_in_va || credits >= at(k).need[number(port, vc)];
    (void)port, (void)vc;
    return true;
}

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const {
    const auto sets = seen(k);
    for (std::uint32_t p = 0; p < ports(); ++p)
        for (std::uint32_t v = 0; v < m_around.shape.vcs; ++v)
            count_one(at(k).count_at(sets, number(p, v)), bins);
}

template <int S, int N, bool InList>
flit fast_bank<S, N, InList>::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc,
                                       std::uint32_t n) const {
    const block& b = at(k);
    const fast_shape& s = m_around.shape;
    const std::uint32_t i = number(port, vc);
    flit f = b.buffer[(b.in(i).head + n) % s.depth * s.row + i];
    if (n == 0) f = flit::from_word(b.front(i));
    if constexpr (InList) {
        // One that is foreseen to leave is on its way already.
        const auto sets = seen(k);
        const bool soon = (sets.soon.in >> i & 1) != 0, later = (sets.later.in >> i & 1) != 0;
        const std::uint64_t* then = m_around.ring.at(present() + (soon ? 1 : 2) + s.flit_delay);
        const auto& to = b.output_at(b.in(i).out);
        if (n == 0 && (soon || later)) f = flit::from_word(then[to.flit_inbox + to.flit_word]);
    }
    f.vc = static_cast<std::uint8_t>(vc);
    if (f.is_head()) f.sequence = 0;
    return f;
}

SARE_FAST_BANKS();

}  // namespace sare
