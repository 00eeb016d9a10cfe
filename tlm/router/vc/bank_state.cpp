// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"
#include "tlm/state/archive.h"

namespace sare {

template <int N>
void vc_bank<N>::serialize(archive& a) {
    for (std::uint32_t k = 0; k < size(); ++k)
        a.plain(m_blocks[k], &block::buffer, &block::wires, &block::extras, &block::routes,
                &block::remembered, &block::since, &block::ways, &block::own_ways, &block::own_candidates,
                &block::random);
    a.sparse(m_buffer_memory.as<flit>(),
             std::uint64_t{m_shape.in_vcs} * m_shape.params.depth * sizeof(flit) * size());
    a.in_place(m_own_candidates, m_words, m_since, m_random);
    for (vc_candidates<N>& w : m_own_ways) a.plain(w, &vc_candidates<N>::first);
    serialize_ways(a);
}

/// Those that no table has are copies that lie at the place of their VC. A head has ways from there or from
/// the table: by numbers, 0 for none.
template <int N>
void vc_bank<N>::serialize_ways(archive& a) {
    for (std::size_t i = 0; a.reads() && i < m_own_ways.size(); ++i)
        m_own_ways[i].first = &m_own_candidates[i * m_shape.ways];
    const auto& all = m_own_ways.empty() ? m_table.all() : m_own_ways;
    for (const vc_candidates<N>*& w : m_ways) {
        std::uint32_t number = w == nullptr ? 0 : static_cast<std::uint32_t>(1 + (w - all.data()));
        a(number);
        w = number == 0 ? nullptr : &all[number - 1];
    }
}

template void vc_bank<64>::serialize(archive&);
template void vc_bank<256>::serialize(archive&);
template void vc_bank<1024>::serialize(archive&);
template void vc_bank<64>::serialize_ways(archive&);
template void vc_bank<256>::serialize_ways(archive&);
template void vc_bank<1024>::serialize_ways(archive&);

}  // namespace sare
