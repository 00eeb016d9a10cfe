// SPDX-License-Identifier: Apache-2.0
#include "tlm/router/spinnaker/bank.h"
#include "tlm/state/archive.h"

namespace sare {

void spinnaker_bank::serialize(archive& a) {
    for (block& b : m_blocks)
        a.plain(b, &block::inputs, &block::outputs, &block::slots, &block::wires, &block::extras,
                &block::nodes);
    a.in_place(m_inputs, m_outputs, m_slots);
}

}  // namespace sare
