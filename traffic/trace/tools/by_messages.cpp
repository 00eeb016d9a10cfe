// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/tools/by_messages.h"

#include <algorithm>

namespace sare::traffic {

std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint64_t own,
                               const std::vector<std::uint64_t>& parts) {
    constexpr std::int64_t gather_tag = -1001, scatter_tag = -1002;
    event e = common;
    e.root = 0;
    e.tag = gathers ? gather_tag : scatter_tag;
    const bool is_root = rank == common.root;
    e.what = gathers == is_root ? op::recv : op::send;
    std::vector<event> all;
    if (!is_root) {
        e.peer = common.root;
        e.bytes = own;
        all.push_back(std::move(e));
        return all;
    }
    for (std::uint32_t r = 0; r < parts.size(); ++r) {
        if (r == rank) continue;
        e.peer = r;
        e.bytes = parts[r];
        all.push_back(e);
    }
    return all;
}

std::vector<event> by_messages(bool gathers, const event& common, std::uint32_t rank, std::uint32_t ranks,
                               std::uint64_t sent, std::uint64_t received) {
    const std::vector<std::uint64_t> parts(rank == common.root ? ranks : 0,
                                           gathers ? whatever_comes : sent / ranks);
    return by_messages(gathers, common, rank, gathers ? sent : std::max(received, whatever_comes), parts);
}

}  // namespace sare::traffic
