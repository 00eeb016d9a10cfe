// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/vc_fast/bank.h"
#include "tlm/state/archive.h"

namespace sare {

template <int S, int N, bool InList>
void fast_bank<S, N, InList>::serialize(archive& a) {
    for (std::uint32_t k = 0; k < size(); ++k) {
        block& b = m_around.block_of(k);
        typename block::sets& sets = b;
        a(sets);
        if constexpr (InList) {
            a.bytes(&b.at_port(0), block::places_for(ports()) * sizeof(typename block::port));
        } else {
            typename block::ports_of_all& ports = b;
            a(b.draining, ports);
            typename block::tables& tables = b;
            a(tables);
        }
    }
    a.sparse(m_buffer_memory.as<flit>(),
             std::uint64_t{m_around.shape.in_vcs} * m_around.shape.depth * sizeof(flit) * size());
}

template void fast_bank<1, 32, false>::serialize(archive&);
template void fast_bank<2, 32, false>::serialize(archive&);
template void fast_bank<2, 64, false>::serialize(archive&);
template void fast_bank<3, 64, false>::serialize(archive&);
template void fast_bank<1, 32, true>::serialize(archive&);
template void fast_bank<2, 32, true>::serialize(archive&);
template void fast_bank<2, 64, true>::serialize(archive&);
template void fast_bank<3, 64, true>::serialize(archive&);

}  // namespace sare
