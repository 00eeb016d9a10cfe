// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc/step.h"
#include "tlm/router_api/bank.h"
#include "tlm/router_api/router_context.h"

#include <type_traits>

namespace sare {

/// Pipelined VC routers with blocks for up to N VCs: the readable ones, with all features.
template <int N>
class vc_bank final : public router_bank {
    using block = vc_block<N>;

  public:
    vc_bank(router_context& net, const vc_shape& shape, const router_terms& terms,
            std::vector<std::uint32_t> routers)
        : router_bank(std::move(routers), shape.ports, terms),
          m_net(net),
          m_shape(shape),
          m_table(net.routes(), shape.ports, net.shares()),
          m_around{m_shape,      net.domain_of(router(0)).ring(), net.packets(), net,
                   net.routes(), net.routes().ways().data(),      m_table} {}

    std::string variant() const override { return "vc"; }

    inbox_words inbox() const override {
        return {0, block::inbox_sets + m_shape.ports + (m_shape.batched ? (m_shape.in_vcs + 3) / 4 : 0)};
    }
    std::uint32_t reach() const override {
        return std::max({m_shape.rc + 2, m_shape.va + 1, m_shape.sa + 1});
    }
    std::uint32_t most_queueing(std::uint32_t depth, std::uint32_t cycles_per_flit) const override {
        if (!m_shape.queued_links) return 0;
        return m_shape.vcs * depth * cycles_per_flit + 2 * m_shape.params.st_delay;
    }

    void construct(plane_layout at) override;
    std::pair<wire, wire_extras> flits_into(std::uint32_t k, std::uint32_t port) const override;
    std::pair<wire, wire_extras> credits_into(std::uint32_t k, std::uint32_t port) const override;
    void wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) override;
    void wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                    const link_end& from) override;

    void step(std::uint64_t* awake, cycle_t t) override {
        static const bool with_bits = has_bit_instructions();
        if (!with_bits)
            step_all<false>(awake, t);
        else if (m_shape.common_case)
            step_with_bits<true>(awake, t);
        else
            step_with_bits<false>(awake, t);
    }
    void set_seed(std::uint64_t seed) override;
    void serialize(archive& a) override;

    resets can_reset() const override { return resets::of_blocks; }
    void clear(std::uint32_t k, cycle_t t) override;
    void list_packets(std::uint32_t k, const function<void(std::uint32_t)>& found) const override;
    void take_out(std::uint32_t k, const function<bool(std::uint32_t)>& which, cycle_t t,
                  const function<void(std::uint32_t, std::uint32_t)>& freed) override;
    void give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::int32_t credits,
                      cycle_t t) override;

    bool survives_failures() const override { return true; }
    void route_again(std::uint32_t k, cycle_t t) override {
        vc_step<N, false>(m_around, m_blocks[k], t).route_again();
    }

    in_vc in(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_blocks[k].in[port * m_shape.vcs + vc];
    }
    out_vc out(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_blocks[k].out[port * m_shape.vcs + vc];
    }
    std::uint32_t flits_sent(std::uint32_t k) const override {
        std::uint32_t sum = 0;
        for (std::uint32_t o = 0; o < m_shape.in_vcs; ++o) sum += m_blocks[k].out[o].flits;
        return sum;
    }
    std::uint32_t flits_sent(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return out(k, port, vc).flits - queued(k, port, vc);
    }
    void count_buffers(std::uint32_t k, std::vector<std::uint64_t>& bins) const override {
        for (std::uint32_t i = 0; i < m_shape.in_vcs; ++i) count_one(m_blocks[k].in[i].count, bins);
    }
    flit buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const override;
    bool bids_for_vc(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const override {
        return m_blocks[k].va.test(port * m_shape.vcs + vc);
    }
    router_pace pace() const override {
        return {m_shape.rc, m_shape.va, std::max(1u, m_shape.sa), m_shape.whole_packets};
    }
    bool asks_for(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                  std::uint32_t out_vc) const override {
        const block& b = m_blocks[k];
        const std::uint32_t i = port * m_shape.vcs + vc;
        if (m_shape.ways != 0) return b.ways[i]->wants.test(out_port * m_shape.vcs + out_vc);
        return b.in[i].out_port == out_port && (b.in[i].vcs >> out_vc & 1) != 0;
    }
    bool has_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t out_port,
                     std::uint32_t, std::uint32_t credits) const override {
        const block& b = m_blocks[k];
        if (m_shape.atomic && credits != b.extras[out_port].flits.depth) return false;
        return !m_shape.room_in_va || credits >= b.in[port * m_shape.vcs + vc].need;
    }
    std::uint32_t waiting(std::uint32_t k, std::uint32_t port) const override {
        const block& b = m_blocks[k];
        std::uint32_t flits = 0;
        b.present.for_each([&](std::uint32_t i) { flits += b.in[i].out_port == port ? b.in[i].count : 0u; });
        return flits;
    }
    std::uint64_t bytes() const override {
        const std::uint64_t flits = std::uint64_t{m_shape.in_vcs} * m_shape.params.depth;
        return size() * (sizeof(block) + flits * sizeof(flit));
    }

  private:
    template <bool CommonCase>
    void step_all(std::uint64_t* awake, cycle_t t) {
        for (std::uint32_t w = 0; w < words(); ++w) {
            std::uint64_t bits = awake[w];
            awake[w] = 0;
            for (; bits != 0; bits &= bits - 1)
                vc_step<N, CommonCase>(m_around, m_blocks[std::size_t{w} * 64 + lowest(bits)], t).run();
        }
    }
    /// In one piece: a router's state and the sets it works with stay in registers.
    template <bool CommonCase>
    SARE_BIT_INSTRUCTIONS __attribute__((flatten)) void step_with_bits(std::uint64_t* awake, cycle_t t) {
        step_all<CommonCase>(awake, t);
    }
    std::uint32_t queued(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const;
    void construct_one(std::uint32_t k);
    void fill_credits(std::uint32_t k, std::uint32_t port);
    void serialize_ways(archive& a);
    wire to_here(std::uint32_t k) const;

    router_context& m_net;
    const vc_shape m_shape;
    const candidate_table<N> m_table;
    const vc_surroundings<N> m_around;
    plane_layout m_place;
    pages m_block_memory, m_buffer_memory;
    block* m_blocks = nullptr;
    std::vector<port_wires> m_wires;              ///< [k * ports + port]
    std::vector<port_extras> m_extras;            ///< the same places
    std::vector<const vc_candidates<N>*> m_ways;  ///< [k * in_vcs + input VC], as those below
    std::vector<vc_candidates<N>> m_own_ways;
    std::vector<route_candidate> m_own_candidates;
    std::vector<cycle_t> m_since;
    std::vector<std::uint32_t> m_words;
    std::vector<rng> m_random;
};

/// Flits that have passed the crossbar and wait for the link: they stand in planes that are still to be read.
template <int N>
std::uint32_t vc_bank<N>::queued(std::uint32_t k, std::uint32_t port, std::uint32_t vc) const {
    const clock_domain& d = m_net.domain_of(router(k));
    const wire& w = m_blocks[k].wires[port].flits;
    std::uint32_t flits = 0;
    for (cycle_t t = m_net.now() / d.period() + 1; t < m_blocks[k].next_slot[port]; ++t) {
        const std::uint64_t* const plane = d.ring().at(t + w.delay);
        if ((plane[w.inbox] & w.port_bit << (vc & w.first_bit)) == 0) continue;
        // Where there is a bit a VC, that says which, and not the flit.
        flits += w.first_bit != 0 || flit::from_word(plane[w.flit_at]).vc == vc ? 1 : 0;
    }
    return flits;
}

template <int N>
void vc_bank<N>::construct(plane_layout at) {
    m_place = std::move(at);
    m_block_memory = pages(sizeof(block) * size(), true);
    m_blocks = m_block_memory.as<block>();
    // Mostly untouched at low load, so in small pages.
    m_buffer_memory =
        pages(std::uint64_t{m_shape.in_vcs} * m_shape.params.depth * sizeof(flit) * size(), false);
    const std::size_t all_ports = std::size_t{size()} * m_shape.ports;
    m_wires.resize(all_ports);
    m_extras.resize(all_ports);
    const std::size_t all_vcs = std::size_t{size()} * m_shape.in_vcs;
    if (m_shape.ways != 0) m_ways.resize(all_vcs);
    if (m_shape.ways != 0 && !m_net.routes().exists()) {
        m_own_ways.resize(all_vcs);
        m_own_candidates.resize(all_vcs * m_shape.ways);
    }
    m_words.resize(std::size_t{size()} * m_shape.words);
    if (m_shape.va_arbiter != nullptr || m_shape.sa_arbiter != nullptr) m_since.resize(all_vcs);
    if (m_shape.params.selection == selection_policy::random) m_random.resize(size());
    for (std::uint32_t k = 0; k < size(); ++k) construct_one(k);
    set_seed(m_net.seed());
}

template <int N>
void vc_bank<N>::construct_one(std::uint32_t k) {
    const vc_shape& s = m_shape;
    block& b = *new (&m_blocks[k]) block{};
    const std::uint32_t endpoint = m_place.first + k;
    b.buffer = m_buffer_memory.as<flit>() + std::size_t{k} * s.in_vcs * s.params.depth;
    b.wires = m_wires.data() + std::size_t{k} * s.ports;
    b.extras = m_extras.data() + std::size_t{k} * s.ports;
    b.routes = m_net.routes().of_router(router(k));
    const std::size_t vcs_before = std::size_t{k} * s.in_vcs;
    if (!m_ways.empty()) b.ways = &m_ways[vcs_before];
    if (!m_own_ways.empty()) {
        b.own_ways = &m_own_ways[vcs_before];
        b.own_candidates = &m_own_candidates[vcs_before * s.ways];
    }
    b.remembered = m_words.data() + std::size_t{k} * s.words;
    b.since = m_since.empty() ? nullptr : &m_since[vcs_before];
    b.random = m_random.empty() ? nullptr : &m_random[k];
    b.inbox = m_place.own[k];
    b.id = router(k);
    b.wake_word = 1 + (endpoint >> 6);
    b.wake_bit = std::uint64_t{1} << (endpoint & 63);
    b.st_start -= s.params.st_delay;  // no batch is in the crossbar at cycle 0
    // Arbiters begin with number 0: the last one served was the one before it.
    auto begin_at_0 = [](auto& turns, std::uint32_t size) {
        for (auto& turn : turns) turn = static_cast<std::remove_reference_t<decltype(turn)>>(size - 1);
    };
    begin_at_0(b.va_row, s.vcs);
    begin_at_0(b.va_column, s.in_vcs);
    for (auto& turns : b.turns) {
        begin_at_0(turns.vc, s.vcs);
        begin_at_0(turns.column, s.crossbar_inputs);
        begin_at_0(turns.row, s.crossbar_outputs);
    }
}

template <int N>
void vc_bank<N>::set_seed(std::uint64_t seed) {
    for (std::uint32_t k = 0; k < m_random.size(); ++k)
        m_random[k] = rng(seed, stream::routing, (std::uint64_t{1} << 32) + router(k));
}

/// What flits are counted stays.
template <int N>
void vc_bank<N>::clear(std::uint32_t k, cycle_t) {
    std::vector<std::uint32_t> flits;
    for (std::uint32_t o = 0; o < m_shape.in_vcs; ++o) flits.push_back(m_blocks[k].out[o].flits);
    std::fill_n(m_words.begin() + std::ptrdiff_t{k} * m_shape.words, m_shape.words, 0);
    construct_one(k);
    for (std::uint32_t p = 0; p < m_shape.ports; ++p) fill_credits(k, p);
    for (std::uint32_t o = 0; o < m_shape.in_vcs; ++o) m_blocks[k].out[o].flits = flits[o];
}

template <int N>
void vc_bank<N>::list_packets(std::uint32_t k, const function<void(std::uint32_t)>& found) const {
    const block& b = m_blocks[k];
    for (std::uint32_t i = 0; i < m_shape.in_vcs; ++i) {
        for (std::uint32_t n = 0; n < b.in[i].count; ++n)
            found(b.buffer[(b.in[i].head + n) % m_shape.params.depth * m_shape.in_vcs + i].packet);
        if (b.out[i].owner != out_vc::no_owner) found(b.in[b.out[i].owner].packet);
    }
}

template <int N>
void vc_bank<N>::take_out(std::uint32_t k, const function<bool(std::uint32_t)>& which, cycle_t t,
                          const function<void(std::uint32_t, std::uint32_t)>& freed) {
    vc_step<N, false>(m_around, m_blocks[k], t).take_out(which, [&](std::uint32_t i) {
        freed(i / m_shape.vcs, i % m_shape.vcs);
    });
}

template <int N>
void vc_bank<N>::give_credits(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::int32_t credits,
                              cycle_t t) {
    vc_step<N, false>(m_around, m_blocks[k], t).give_credits(port * m_shape.vcs + vc, credits);
}

template <int N>
wire vc_bank<N>::to_here(std::uint32_t k) const {
    wire w;
    w.wake_word = m_blocks[k].wake_word;
    w.wake_bit = m_blocks[k].wake_bit;
    return w;
}

template <int N>
std::pair<wire, wire_extras> vc_bank<N>::flits_into(std::uint32_t k, std::uint32_t port) const {
    wire w = to_here(k);
    w.inbox = m_place.own[k];
    w.flit_at = m_place.own[k] + block::inbox_sets + port;
    w.port_bit = std::uint64_t{1} << port;
    return {w, {}};
}

template <int N>
std::pair<wire, wire_extras> vc_bank<N>::credits_into(std::uint32_t k, std::uint32_t port) const {
    wire w = to_here(k);
    wire_extras x;
    w.inbox = m_place.own[k] + 1;
    w.first_bit = static_cast<std::uint16_t>(port * m_shape.vcs);
    w.port_bit = std::uint64_t{1} << (w.first_bit & 63);
    if (m_shape.batched) x.counts = block::inbox_sets + m_shape.ports - 1;
    return {w, x};
}

template <int N>
void vc_bank<N>::wire_output(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x) {
    m_wires[std::size_t{k} * m_shape.ports + port].flits = w;
    m_extras[std::size_t{k} * m_shape.ports + port].flits = x;
    fill_credits(k, port);
}

/// Nothing is beyond an output; one that leads nowhere has no VCs.
template <int N>
void vc_bank<N>::fill_credits(std::uint32_t k, std::uint32_t port) {
    block& b = m_blocks[k];
    const std::uint16_t depth = b.extras[port].flits.depth;
    if (depth != 0) b.free.set_slice(port * m_shape.vcs, (1u << m_shape.vcs) - 1);
    for (std::uint32_t v = 0; v < m_shape.vcs; ++v) b.out[port * m_shape.vcs + v].credits = depth;
}

template <int N>
void vc_bank<N>::wire_input(std::uint32_t k, std::uint32_t port, const wire& w, const wire_extras& x,
                            const link_end&) {
    m_wires[std::size_t{k} * m_shape.ports + port].credits = w;
    m_extras[std::size_t{k} * m_shape.ports + port].credits = x;
}

template <int N>
flit vc_bank<N>::buffered(std::uint32_t k, std::uint32_t port, std::uint32_t vc, std::uint32_t n) const {
    const block& b = m_blocks[k];
    const std::uint32_t i = port * m_shape.vcs + vc;
    flit f = b.buffer[(b.in[i].head + n) % m_shape.params.depth * m_shape.in_vcs + i];
    if (f.is_head()) f.sequence = 0;
    return f;
}

extern template class vc_bank<64>;
extern template class vc_bank<256>;
extern template class vc_bank<1024>;

}  // namespace sare
