// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/router/vc_fast/cycle.h"

namespace sare {

/// Sends for a router in which some ports are unlike the others: links of another latency, or neighbours that
/// are no fast routers. Slower, and of these routers alone.
template <int S, int N, bool InList>
struct odd_ports {
    using block = fast_block<S, N, InList>;

    /// The flit `word` goes from input VC i to output VC o in cycle t.
    static __attribute__((noinline)) void put(const fast_surroundings<S, N, InList>& around, block& b,
                                              std::uint64_t i, std::uint64_t o, std::uint64_t word,
                                              cycle_t t) {
        const odd_port* const ports = &around.shape.odd[b.odd - 1];
        const odd_port &out = ports[o >> S], &in = ports[i >> S];
        const auto vc = static_cast<std::uint32_t>(o & block::vc_mask);
        flit::set_vc(word, vc);
        if (!out.flits_extras.in_table) word = end_of_way(around, word);
        around.ring.put_flit(out.flits, word, vc, t);
        if constexpr (InList) {
            credit_account& account = b.input_at(i).account;
            if (account.is_open()) return account.give(static_cast<std::uint32_t>(t + in.credits.delay));
        }
        around.ring.put_credit(in.credits, in.credits_extras, i & block::vc_mask, t);
    }

    /// A head that carries its way drops it before a router that does not know of it.
    static std::uint64_t end_of_way(const fast_surroundings<S, N, InList>& around, std::uint64_t word) {
        const flit f = flit::from_word(word);
        if (around.shape.keyed || !f.is_head()) return word;
        packet& p = around.packets[f.packet];
        p.hops = static_cast<std::uint16_t>(p.hops - packed_route<S, N>::routers(word));
        return packed_route<S, N>::pack(word, 0, 0, 0);
    }
};

}  // namespace sare
