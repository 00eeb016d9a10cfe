// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc/bank.h"
#include "tlm/state/archive.h"

namespace sare {

template <int S, int N, bool InList>
void vc_bank<S, N, InList>::serialize(archive& a) {
    for (std::uint32_t k = 0; k < size(); ++k) {
        block& b = m_around.block_of(k);
        typename block::sets& sets = b;
        a(sets);
        if constexpr (InList) {
            a.bytes(&b.at_port(0), block::places_for(ports()) * sizeof(typename block::port));
        } else {
            typename block::ports_of_all& ports = b;
            a(b.draining, ports);
            if constexpr (wide) a.bytes(b.held, sizeof(b.held));
            typename block::feature_state& features = b;
            if (!shape().plain) a(features);
        }
    }
    a.sparse(m_buffer_memory.as<flit>(),
             std::uint64_t{m_around.shape.in_vcs} * m_around.shape.depth * sizeof(flit) * size());
    a.in_place(m_words, m_around.random, m_around.own_candidates, m_around.branches);
    if constexpr (wide) a.in_place(m_around.answers.masks);
    for (pause_gate& gate : m_around.gates) gate.serialize(a);
}

template void vc_bank<0, 64, false>::serialize(archive&);
template void vc_bank<0, 128, false>::serialize(archive&);
template void vc_bank<0, 256, false>::serialize(archive&);
template void vc_bank<0, 512, false>::serialize(archive&);
template void vc_bank<0, 1024, false>::serialize(archive&);
template void vc_bank<0, 4096, false>::serialize(archive&);
template void vc_bank<2, 32, false>::serialize(archive&);
template void vc_bank<2, 64, false>::serialize(archive&);
template void vc_bank<3, 64, false>::serialize(archive&);
template void vc_bank<2, 32, true>::serialize(archive&);
template void vc_bank<2, 64, true>::serialize(archive&);
template void vc_bank<3, 64, true>::serialize(archive&);

}  // namespace sare
