// SPDX-License-Identifier: Apache-2.0
#include "traffic/collective/collective.h"

namespace sare::traffic {

/// One step: what the task gives to the network, and gets from it. All tasks take it, those included that
/// only send or receive.
void in_network(const collective& c, std::uint32_t task, steps& out) {
    const bool is_root = task == c.root, copies = c.what == op::bcast, sums = c.what == op::reduce;
    step s;
    if (!copies || is_root) s.to = step::network, s.bytes = c.bytes;
    if (sums ? is_root : !copies || !is_root) s.from = step::network, s.from_bytes = c.bytes;
    out.push_back(s);
}

}  // namespace sare::traffic
