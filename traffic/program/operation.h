// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// The operations of a task of a program, whatever makes the program (trace, kernel, model).
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
    get,      ///< one-sided: bytes out of the memory of `peer`
    flush,    ///< wait for its task's puts and gets before it, with `peer` or (any_source) all
    probe,    ///< wait for a message that a receive would take; takes none
    wait,     ///< wait for the operation named `request`
    waitall,  ///< wait for all operations of its task not waited for yet
    test,     ///< a test, which takes no time and completes nothing
    mark,     ///< begin of phase `tag`
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
    fence,  ///< flush of its task's puts and gets in the communicator, and a barrier
};
constexpr std::size_t op_count = static_cast<std::size_t>(op::fence) + 1;
constexpr bool is_collective(op o) {
    return o >= op::barrier;
}
const char* op_name(op o);

/// Wildcards of a receive or a probe: any source, any tag.
constexpr std::uint32_t any_source = ~std::uint32_t{0};
constexpr std::int64_t any_tag = INT64_MIN;

/// An earlier operation of the same task that must have ended, or begun, before another may begin.
struct requirement {
    std::uint64_t request = 0;  ///< name of that operation; met if it has ended, or there is none of the name
    bool begun = false;         ///< true: it is enough that it has begun
};

/// One operation. `what` decides which members have a meaning; the others have their defaults. Peers and
/// roots are ranks in the communicator, and counts are indexed by rank.
struct operation {
    op what = op::compute;
    /// True: begins when the operation before it has ended, or, if that is an isend, an irecv or a collective
    /// with a name, has begun. False: waits only for `needs`, and runs beside the other operations.
    bool in_sequence = true;
    std::uint32_t communicator = 0;  ///< number in the program; 0: all tasks
    double seconds = 0;              ///< compute, sleep: seconds on the recorded machine
    double flops = 0;                ///< compute: floating-point operations; also after a reduction
    std::uint32_t peer = 0;  ///< destination of a send or put, source of a receive (or any_source) or get
    /// Bytes of the message; collectives: of one task's block, or (bcast, reduce, allreduce, scan) of all.
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;  ///< tag; recv, irecv, probe: any_tag as well
    /// Name in its task, from 1, for `wait` and `needs`; 0: none. It may be used again when its operation has
    /// ended and, if a receive, been waited for. wait: the name to wait for.
    std::uint64_t request = 0;
    std::uint32_t from = 0;        ///< sendrecv: source of the receive
    std::uint64_t from_bytes = 0;  ///< sendrecv: bytes of the receive
    std::uint32_t root = 0;        ///< root of a collective that has one
    /// Bytes of each task, of the v kinds and reduce_scatter; alltoallv: bytes sent to each task.
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> receive_counts;  ///< alltoallv: bytes received from each task
    std::vector<requirement> needs;             ///< requirements; MPI programs have none

    template <class Archive>
    void serialize(Archive& a) {
        a(what, in_sequence, communicator, seconds, flops, peer, bytes, tag, request, from, from_bytes, root,
          counts, receive_counts, needs);
    }
    /// Makes all members default again; lists keep their memory.
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

/// Returns a text for messages, such as "send to 3, tag 5, 100 bytes".
std::string operation_text(const operation& o);

}  // namespace sare::traffic
