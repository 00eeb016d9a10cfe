// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/insee/bank.h"
#include "tlm/state/archive.h"

namespace sare {

template <int W>
void phit_bank<W>::serialize(archive& a) {
    for (std::uint32_t k = 0; k < size(); ++k)
        a.plain(m_blocks[k], &block::queues, &block::outputs, &block::ports, &block::slots, &block::ways,
                &block::links, &block::remembered);
    a.in_place(m_queues, m_outputs, m_ports, m_slots, m_ways, m_remembered);
    if (m_congestion != nullptr) a(*m_congestion);  // all banks share it, and each writes it
}

template void phit_bank<1>::serialize(archive&);
template void phit_bank<4>::serialize(archive&);
template void phit_bank<17>::serialize(archive&);

}  // namespace sare
