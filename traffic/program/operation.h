// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// What a task of a program does, whoever makes the program.
namespace sare::traffic {

enum class op : std::uint8_t {
    compute,
    sleep,
    send,
    isend,
    recv,
    irecv,
    sendrecv,
    put,      ///< one-sided: bytes into the memory of `peer`, which does nothing for it
    get,      ///< one-sided: bytes out of that of `peer`
    flush,    ///< for the puts and gets of its task before it, those to `peer` or (any_source) to all
    probe,    ///< for a message that a receive would take; takes none
    wait,     ///< for the operation named `request`
    waitall,  ///< for all of its task that wait() has not been called for
    test,     ///< takes no time and completes nothing
    mark,     ///< a phase begins: `tag` is its number
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
    fence,  ///< a flush of what its task has put and got in the communicator, and a barrier
};
constexpr std::size_t op_count = static_cast<std::size_t>(op::fence) + 1;
constexpr bool is_collective(op o) {
    return o >= op::barrier;
}
const char* op_name(op o);

/// Of a receive or a probe: whatever the source, whatever the tag.
constexpr std::uint32_t any_source = ~std::uint32_t{0};
constexpr std::int64_t any_tag = INT64_MIN;

/// An earlier operation of the same task that must have ended, or begun, before one may begin.
struct requirement {
    std::uint64_t request = 0;  ///< its name; one that has ended, or never was, holds nothing up
    bool begun = false;         ///< that it has begun is enough
};

/// Which members mean something depends on `what`; the others are as default. Peers, roots and counts are by
/// the rank in the communicator.
struct operation {
    op what = op::compute;
    /// An operation of a sequence begins when the one before it has ended; has begun, if that is an isend, an
    /// irecv or a collective with a name. Else it waits for nothing but `needs`, and runs beside the others.
    bool in_sequence = true;
    std::uint32_t communicator = 0;  ///< of the program; 0: all tasks
    double seconds = 0;              ///< compute, sleep: time of the recorded machine
    double flops = 0;                ///< compute: operations; also after a reduction
    std::uint32_t peer = 0;  ///< destination of a send or put, source of a receive (or any_source), get
    std::uint64_t bytes =
        0;  ///< of the message; collectives: of one task's block (all of it for bcast, reduce, ...)
    std::int64_t tag = 0;  ///< recv, irecv, probe: any_tag as well
    /// Its name in its task, from 1: what `wait` and `needs` call it; 0: none. It may be used again when its
    /// operation has ended and, that of a receive, been waited for. wait: the one waited for.
    std::uint64_t request = 0;
    std::uint32_t from = 0;        ///< sendrecv: the source of the receive
    std::uint64_t from_bytes = 0;  ///< sendrecv: the size of the receive
    std::uint32_t root = 0;
    std::vector<std::uint64_t>
        counts;  ///< bytes per task, of the v kinds and reduce_scatter; alltoallv: sent
    std::vector<std::uint64_t> receive_counts;  ///< bytes per task: alltoallv only
    std::vector<requirement> needs;             ///< empty in what MPI programs do

    template <class Archive>
    void serialize(Archive& a) {
        a(what, in_sequence, communicator, seconds, flops, peer, bytes, tag, request, from, from_bytes, root,
          counts, receive_counts, needs);
    }
    /// As default again; its lists keep their memory.
    void clear();
};

inline void operation::clear() {
    what = op::compute;
    in_sequence = true;
    communicator = peer = from = root = 0;
    seconds = flops = 0;
    bytes = request = from_bytes = 0;
    tag = 0;
    counts.clear();
    receive_counts.clear();
    needs.clear();
}

/// "send to 3, tag 5, 100 bytes": for messages.
std::string operation_text(const operation& o);

}  // namespace sare::traffic
