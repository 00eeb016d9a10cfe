// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/event.h"

namespace sare::traffic {

const char* op_name(op o) {
    static constexpr const char* names[op_count] = {
        "compute",   "sleep",          "send",     "isend",     "recv",   "irecv",   "sendrecv",
        "wait",      "waitall",        "test",     "barrier",   "bcast",  "reduce",  "allreduce",
        "allgather", "allgatherv",     "alltoall", "alltoallv", "gather", "gatherv", "scatter",
        "scatterv",  "reduce_scatter", "scan",     "exscan"};
    return names[static_cast<std::size_t>(o)];
}

std::string event_text(const event& e) {
    const std::string name = op_name(e.what);
    const std::string tail = ", tag " + std::to_string(e.tag) + ", " + std::to_string(e.bytes) + " bytes";
    switch (e.what) {
        case op::send:
        case op::isend:
            return name + " to " + std::to_string(e.peer) + tail;
        case op::recv:
        case op::irecv:
            return name + " from " + std::to_string(e.peer) + tail;
        case op::sendrecv:
            return name + " to " + std::to_string(e.peer) + " from " + std::to_string(e.from) + tail;
        case op::wait:
            return name + " for request " + std::to_string(e.request);
        default:
            return name;
    }
}

}  // namespace sare::traffic
