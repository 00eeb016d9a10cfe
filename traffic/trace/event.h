// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// One event of a trace, whatever its format.
namespace sare::traffic {

enum class op : std::uint8_t {
    compute,
    sleep,
    send,
    isend,
    recv,
    irecv,
    sendrecv,
    wait,
    waitall,
    test,
    // from here on collectives
    barrier,
    bcast,
    reduce,
    allreduce,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    gather,
    gatherv,
    scatter,
    scatterv,
    reduce_scatter,
    scan,
    exscan,
};
constexpr std::size_t op_count = static_cast<std::size_t>(op::exscan) + 1;
constexpr bool is_collective(op o) {
    return o >= op::barrier;
}
const char* op_name(op o);

/// Which members mean something depends on `what`; the others are as default.
struct event {
    op what = op::compute;
    double seconds = 0;      ///< compute, sleep: time of the recorded machine
    double flops = 0;        ///< compute: operations; also after a reduction
    std::uint32_t peer = 0;  ///< task: destination of a send, source of a receive
    std::uint64_t bytes =
        0;  ///< of the message; collectives: of one task's block (all of it for bcast, reduce, ...)
    std::int64_t tag = 0;
    std::uint64_t request = 0;  ///< isend, irecv: its number, from 1; wait: the one waited for, 0: none open
    std::uint32_t from = 0;     ///< sendrecv: the source of the receive
    std::uint64_t from_bytes = 0;  ///< sendrecv: the size of the receive
    std::uint32_t root = 0;
    std::vector<std::uint64_t>
        counts;  ///< bytes per task, of the v kinds and reduce_scatter; alltoallv: sent
    std::vector<std::uint64_t> receive_counts;  ///< bytes per task: alltoallv only
    std::uint64_t number = 0;                   ///< in its task, from 1
    int line = 0;                               ///< in its file
};

/// "send to 3, tag 5, 100 bytes": for messages.
std::string event_text(const event& e);

}  // namespace sare::traffic
