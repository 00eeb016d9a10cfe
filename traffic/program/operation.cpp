// SPDX-License-Identifier: Apache-2.0
#include "traffic/program/operation.h"

#include <fmt/format.h>

namespace sare::traffic {

const char* op_name(op o) {
    static constexpr const char* names[op_count] = {
        "compute", "sleep",   "send",      "isend",          "recv",       "irecv",    "sendrecv",  "put",
        "get",     "flush",   "probe",     "wait",           "waitall",    "test",     "mark",      "barrier",
        "bcast",   "reduce",  "allreduce", "allgather",      "allgatherv", "alltoall", "alltoallv", "gather",
        "gatherv", "scatter", "scatterv",  "reduce_scatter", "scan",       "exscan",   "fence"};
    return names[static_cast<std::size_t>(o)];
}

namespace {

std::string rank_text(std::uint32_t rank) {
    return rank == any_source ? "any" : std::to_string(rank);
}

}  // namespace

std::string operation_text(const operation& o) {
    std::string name = op_name(o.what);
    const std::string tag = o.tag == any_tag ? "any" : std::to_string(o.tag);
    const std::string tail = fmt::format(", tag {}, {} bytes", tag, o.bytes);
    switch (o.what) {
        case op::send:
        case op::isend:
            return fmt::format("{} to {}{}", name, o.peer, tail);
        case op::recv:
        case op::irecv:
            return name + " from " + rank_text(o.peer) + tail;
        case op::sendrecv:
            return fmt::format("{} to {} from {}{}", name, o.peer, rank_text(o.from), tail);
        case op::put:
            return fmt::format("{} to {}, {} bytes", name, o.peer, o.bytes);
        case op::get:
            return fmt::format("{} from {}, {} bytes", name, o.peer, o.bytes);
        case op::flush:
            return o.peer == any_source ? name : fmt::format("{} to {}", name, o.peer);
        case op::probe:
            return name + " from " + rank_text(o.peer) + ", tag " + tag;
        case op::wait:
            return fmt::format("{} for request {}", name, o.request);
        default:
            return name;
    }
}

}  // namespace sare::traffic
