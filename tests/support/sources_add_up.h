// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/fabric/view/network_view.h"

#include <gtest/gtest.h>

#include <vector>

namespace sare::test {

/// What a source was given it has injected, or it waits or was lost there; the same by message class, where
/// a packet counts from when it begins to leave. NICs that pad packets inject more.
inline void expect_sources_add_up(const network_view& view, const std::vector<generated_counts>& made) {
    const counted_network& net = view;
    for (std::uint32_t n = 0; n < net.nodes(); ++n) {
        const node_counts its = net.counts_of(n);
        const std::uint64_t flits = its.injected_flits + its.waiting.flits + its.unsent.flits;
        if (view.nic(n).pads)
            EXPECT_GE(flits, made[n].flits) << "node " << n;
        else
            EXPECT_EQ(flits, made[n].flits) << "node " << n;
        EXPECT_GE(its.injected_packets + its.waiting.messages + its.unsent.messages, made[n].messages)
            << "node " << n;
        generated_counts waiting, unsent;
        for (std::uint32_t c = 0; c < net.classes(); ++c) {
            waiting += net.waiting_of(n, c);
            unsent += net.unsent_of(n, c);
        }
        EXPECT_EQ(waiting.messages, its.waiting.messages) << "node " << n;
        EXPECT_EQ(unsent.messages, its.unsent.messages) << "node " << n;
        EXPECT_LE(waiting.flits, its.waiting.flits) << "node " << n;
        EXPECT_LE(unsent.flits, its.unsent.flits) << "node " << n;
    }
}

}  // namespace sare::test
