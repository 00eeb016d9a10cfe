// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// The operations of the tasks of a program, whatever makes the program: a trace, a kernel or a model.
namespace sare::traffic {

/// Kind of an operation. Point-to-point and collective kinds behave as the functions of MPI with these names.
/// Comments of the enumerators name members of `operation`.
enum class op : std::uint8_t {
    compute,  ///< takes a core for `seconds` and for the time of `flops`
    sleep,    ///< takes a core as compute does
    send,
    isend,
    recv,
    irecv,
    sendrecv,
    put,  ///< one-sided: writes `bytes` into the memory of `peer`, whose task does nothing for it
    get,  ///< one-sided: reads `bytes` from the memory of `peer`, whose task does nothing for it
    /// Waits until all earlier puts and gets of the task have ended: with `peer` only, unless that is
    /// any_source; in `communicator` only, unless that is 0.
    flush,
    probe,    ///< waits until a message is there that a receive from `peer` with `tag` would take; does not
              ///< take it
    wait,     ///< waits until the operation with the name `request` has ended; ends at once if there is none
    waitall,  ///< waits until all operations that the task has begun, and has not waited for yet, have ended
    test,     ///< tests a request; takes no time and ends nothing
    mark,     ///< begin of phase `tag` of the task; takes no time
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
    fence,  ///< waits for all earlier puts and gets of the task in `communicator`, then acts as barrier
};
/// Number of kinds of operations.
constexpr std::size_t op_count = static_cast<std::size_t>(op::fence) + 1;
/// Returns true for a kind of collective: barrier to fence.
constexpr bool is_collective(op o) {
    return o >= op::barrier;
}
/// Returns the name of a kind, which is spelt as its enumerator, such as "bcast". The text is static.
const char* op_name(op o);

/// Wildcards in a receive or probe: any_source in `peer` (or `from`) for a message of any rank, any_tag in
/// `tag` for any tag.
constexpr std::uint32_t any_source = ~std::uint32_t{0};
constexpr std::int64_t any_tag = INT64_MIN;

/// A condition on the begin of an operation: an earlier operation of the same task has ended, or has begun.
/// The condition is also met if no operation with the name is under way.
struct requirement {
    std::uint64_t request = 0;  ///< name (operation::request) of the earlier operation; if several have it,
                                ///< the oldest
    bool begun = false;         ///< true: the condition is met when that operation has begun
};

/// One operation of a task. Its kind `what` decides which of the members have a meaning; the others keep
/// their defaults. Peers and roots are ranks in the communicator, and lists are indexed by rank.
struct operation {
    /// Kind of the operation.
    op what = op::compute;
    /// True: the operation is part of the task's sequence, and begins when the operation before it in the
    /// sequence has ended (isend, irecv, put, get and collectives with a name: has begun). False: the
    /// operation runs beside the sequence, and waits only for `needs`.
    bool in_sequence = true;
    std::uint32_t communicator = 0;  ///< number of the communicator in the program; 0: all tasks
    double seconds = 0;  ///< compute and sleep: seconds, which executor_parameters::cpu_factor multiplies;
                         ///< collectives: seconds of computation after the communication
    double flops = 0;    ///< number of floating-point operations, for the kinds that use `seconds`
    std::uint32_t peer = 0;  ///< rank: destination of a send or put; source of a receive or probe (or
                             ///< any_source) or get; target of a flush (or any_source for all)
    /// Bytes of a message. Collectives: bytes of the whole vector for bcast, reduce, allreduce, scan and
    /// exscan, of one task's block for other kinds; not used if there are `counts`.
    std::uint64_t bytes = 0;
    std::int64_t tag = 0;  ///< tag of a message; recv, irecv and probe: any_tag is possible; mark: number of
                           ///< the mark
    /// Name of the operation in its task, for `wait`, `test` and `needs`; 0: no name. A name may be used
    /// again once its operation has ended and, if that is a receive, has been waited for. In wait and test:
    /// name of the operation to wait for or test; 0 in a wait: nothing to wait for.
    std::uint64_t request = 0;
    std::uint32_t from = 0;        ///< sendrecv: rank to receive from, or any_source
    std::uint64_t from_bytes = 0;  ///< sendrecv: bytes of the receive
    std::uint32_t root = 0;        ///< rank of the root of bcast, reduce, gather(v) and scatter(v)
    /// Bytes of the block of each rank, for allgatherv, gatherv, scatterv and reduce_scatter; alltoallv:
    /// bytes sent to each rank.
    std::vector<std::uint64_t> counts;
    std::vector<std::uint64_t> receive_counts;  ///< alltoallv: bytes received from each rank
    /// Conditions that must all be met before the operation begins; empty in programs of MPI.
    std::vector<requirement> needs;

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

/// Returns a text for messages with kind, peers, tag and bytes, such as "send to 3, tag 5, 100 bytes". For
/// collectives, and other kinds without a peer, it is op_name(); for a wait, its request is added.
std::string operation_text(const operation& o);

}  // namespace sare::traffic
