// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/paraver/extrae_collective.h"

#include "traffic/trace/tools/by_messages.h"

#include <algorithm>

namespace sare::traffic {

bool has_root(op what) {
    return what == op::bcast || what == op::reduce || what == op::gather || what == op::gatherv ||
           what == op::scatter || what == op::scatterv;
}

bool is_root_by_size(const extrae_collective& c) {
    switch (c.what) {
        case op::bcast:
            return c.sent > 0 && c.received == 0;
        case op::reduce:
            return c.sent == 0 && c.received > 0;
        case op::gather:
        case op::gatherv:
            return c.received > 0;
        case op::scatter:
        case op::scatterv:
            return c.sent > 0;
        default:
            return false;
    }
}

std::vector<event> events_of(const extrae_collective& c, const event& common, bool& alike) {
    event e = common;
    e.what = c.what;
    const bool root = c.rank == common.root;
    const auto of_all = [&](std::uint64_t total) {
        return std::vector<std::uint64_t>(c.ranks, total / c.ranks);
    };
    switch (c.what) {
        case op::barrier:
            break;
        // A root that has its part in place sends or receives none of its own.
        case op::gather:
            e.bytes = root ? std::max(c.sent, c.received / c.ranks) : c.sent;
            break;
        case op::scatter:
            e.bytes = root ? std::max(c.received, c.sent / c.ranks) : c.received;
            break;
        case op::allgather:
            e.bytes = c.sent > 0 ? c.sent : c.received / c.ranks;
            break;
        case op::alltoall:
            e.bytes = c.sent;
            break;
        case op::gatherv:
        case op::scatterv:
            alike = alike || (c.what == op::scatterv && root);
            return by_messages(c.what == op::gatherv, common, c.rank, c.ranks, c.sent, c.received);
        case op::allgatherv:
            e.counts = of_all(c.received);
            alike = true;
            break;
        case op::alltoallv:
            e.counts = of_all(c.sent);
            e.receive_counts = of_all(c.received);
            alike = true;
            break;
        case op::reduce_scatter:
            e.counts = of_all(c.sent);
            alike = true;
            break;
        default:
            e.bytes = std::max(c.sent, c.received);
    }
    return {std::move(e)};
}

}  // namespace sare::traffic
