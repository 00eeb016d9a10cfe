// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/program/operation.h"

/// Collective operations as lists of messages, by named algorithms, for any number of tasks.
namespace sare::traffic {

/// Returns the bytes of part `i`, from 0, of `bytes` bytes in `parts` parts, at least 1, that differ by at
/// most one byte, the longer ones first.
constexpr std::uint64_t part_of(std::uint64_t bytes, std::uint32_t parts, std::uint32_t i) {
    return bytes / parts + (i < bytes % parts ? 1 : 0);
}

/// One call of a collective operation (MPI's) by the tasks of a communicator, which are numbered from 0 by
/// their rank in it.
struct collective {
    op what = op::barrier;    ///< kind of collective: bcast, reduce, barrier and so on
    std::uint32_t tasks = 1;  ///< number of tasks that take part
    std::uint32_t root = 0;   ///< rank of the root; used only by kinds that have one: bcast, reduce, gather
                              ///< and scatter (with their v kinds)
    std::uint64_t bytes = 0;  ///< Bytes of the whole vector for bcast, reduce, allreduce, scan and exscan;
                              ///< bytes of one task's block for the other kinds; not used where `counts` is
                              ///< set.
    const std::vector<std::uint64_t>* counts = nullptr;  ///< bytes of each task's block, for allgatherv,
                                                         ///< gatherv, scatterv, alltoallv and reduce_scatter;
                                                         ///< null: each block has `bytes`
    const std::vector<std::uint64_t>* receive_counts = nullptr;  ///< bytes to receive from each task, for an
                                                                 ///< alltoallv; null: `bytes` from each
    /// Value of the key `levels`: an integer or a list, the sizes of the levels of hierarchical algorithms
    /// from inside. What they leave of the tasks is one level more. Null or an empty list: two levels, the
    /// inner one with the largest divisor of `tasks` up to its square root.
    const config::value* levels = nullptr;
    std::uint32_t chunks = 1;  ///< number of pieces that go behind each other through hierarchical algorithms
                               ///< and double trees, at least 1

    /// Returns the bytes of the block of `task`: its entry of `counts`, or `bytes` if there are none.
    std::uint64_t block(std::uint32_t task) const { return counts ? (*counts)[task] : bytes; }
    /// Returns the bytes of part `i`, from 0, of the whole vector, which is cut into `tasks` parts
    /// (part_of()).
    std::uint64_t part(std::uint32_t i) const { return part_of(bytes, tasks, i); }
};

/// One step of a task: post the receive, post the send, then (if `wait`) wait for all requests posted so far.
struct step {
    /// Values of `to` and `from`: nobody; the network, which carries out the collective (collective_carrier).
    static constexpr std::uint32_t no_task = ~std::uint32_t{0}, network = no_task - 1;
    std::uint32_t to = no_task;    ///< task to send to; no_task: no send
    std::uint64_t bytes = 0;       ///< bytes to send
    std::uint32_t from = no_task;  ///< task to receive from; no_task: no receive
    std::uint64_t from_bytes = 0;  ///< bytes to receive
    /// true: go on to the next step only when all sends and receives posted so far have ended
    bool wait = true;
};
/// A list of steps that stores only a range of them, by number, and counts all that are added.
class steps {
  public:
    /// Value of `most` in restart(): no limit.
    static constexpr std::size_t all = ~std::size_t{0};

    steps() = default;
    /// Forgets all steps and sets the count to 0; from now on stores at most `most` steps, from step number
    /// `first` (counted from 0) on.
    void restart(std::size_t first, std::size_t most) {
        m_kept.clear();
        m_first = first;
        m_most = most;
        m_count = 0;
    }
    /// Adds a step: counts it, and stores it if its number is in the range of restart().
    void push_back(const step& s) {
        const std::size_t k = m_count++;
        if (k >= m_first && k - m_first < m_most) m_kept.push_back(s);
    }
    std::size_t count() const { return m_count; }       ///< number of steps added, stored or not
    std::size_t size() const { return m_kept.size(); }  ///< number of stored steps
    /// Stored step i, from 0, below size().
    const step& operator[](std::size_t i) const { return m_kept[i]; }
    template <class Archive>
    void serialize(Archive& a) {
        a(m_kept, m_first, m_most, m_count);
    }

  private:
    std::vector<step> m_kept;
    std::size_t m_first = 0;   ///< number of the first step that is stored
    std::size_t m_most = all;  ///< largest number of stored steps
    std::size_t m_count = 0;   ///< number of steps added, stored or not
};

/// Return a step that only sends `bytes` bytes to task `to`, or only receives them from task `from`. `wait`:
/// step::wait.
inline step send_step(std::uint32_t to, std::uint64_t bytes, bool wait = true) {
    return {to, bytes, step::no_task, 0, wait};
}
inline step receive_step(std::uint32_t from, std::uint64_t bytes, bool wait = true) {
    return {step::no_task, 0, from, bytes, wait};
}

/// Function that appends to `out` the steps that `task`, below c.tasks, takes in the collective `c`.
using expander = void (*)(const collective& c, std::uint32_t task, steps& out);

/// Carrier of a collective: messages between tasks; combiners at routers, which add up packets; routers that
/// fork packets.
enum class collective_carrier : std::uint8_t { tasks, combiners, multicast };

/// A named algorithm for one kind of collective.
struct collective_algorithm {
    op what;               ///< kind of collective that the algorithm carries out; also used for kinds whose
                           ///< algorithm_family() is this kind
    const char* name;      ///< name of the algorithm in the section `collectives` of a configuration
    const char* messages;  ///< the messages that it sends, in words; n: number of tasks, i: a task, B: bytes
                           ///< of the whole vector, b: bytes of a task's block
    /// Function that appends the steps of a task.
    expander expand;
    collective_carrier carrier = collective_carrier::tasks;  ///< carrier of the messages
};

/// Returns all algorithms, in one list for all kinds of collectives; the first one of a kind is its default.
const std::vector<collective_algorithm>& collective_algorithms();

/// Returns the kind of collective whose algorithms `what` uses: allgather for allgatherv, gather for gatherv,
/// scatter for scatterv, scan for exscan, barrier for fence; any other operation is returned as it is.
op algorithm_family(op what);

/// The algorithm chosen for each kind of collective; never null.
struct collective_choice {
    /// Pointer to an element of collective_algorithms().
    using pick = const collective_algorithm*;
    /// Chooses the default of each kind.
    collective_choice();
    /// Algorithm of each kind of collective.
    pick bcast, reduce, allreduce, barrier, allgather, alltoall, alltoallv, gather, scatter, reduce_scatter,
        scan;
    /// Returns the algorithm chosen for the algorithm_family() of `what`; the barrier's for an operation that
    /// is no collective.
    const collective_algorithm& of(op what) const;
    /// Returns the algorithms chosen, one for each kind.
    std::vector<pick> all() const;
    config::value levels;      ///< sizes of the levels of hierarchical algorithms (collective::levels)
    std::uint32_t chunks = 4;  ///< number of pieces of the data (collective::chunks)
    /// Appends to `out` the steps of `task` in the collective `c`, whose levels and chunks it sets, by the
    /// algorithm of its kind. Throws config::error if the levels do not divide the number of tasks.
    void expand(collective& c, std::uint32_t task, steps& out) const;
};

/// Returns the schema of the section `collectives: {bcast: binomial, ...}` of a configuration: a key for each
/// kind of collective, with the names of its algorithms as values, `levels` and `chunks`.
const config::schema<collective_choice>& collective_fields();

/// Returns the sizes in a value of the key `levels` (collective_choice::levels), from inside; none for a null
/// value. Throws config::error if it is no integer from 1 to 2^24, nor a list of these.
std::vector<std::uint32_t> level_sizes(const config::value& levels);

/// @name The algorithms: functions of type `expander`, named KIND_ALGORITHM, one file per kind; algorithms of
/// rings are for allreduce, allgather and reduce_scatter alike, in_network() for all collectives that the
/// network carries out
void bcast_binomial(const collective& c, std::uint32_t task, steps& out);
void bcast_linear(const collective& c, std::uint32_t task, steps& out);
void bcast_scatter_allgather(const collective& c, std::uint32_t task, steps& out);
void reduce_binomial(const collective& c, std::uint32_t task, steps& out);
void reduce_linear(const collective& c, std::uint32_t task, steps& out);
void allreduce_recursive_doubling(const collective& c, std::uint32_t task, steps& out);
void allreduce_double_tree(const collective& c, std::uint32_t task, steps& out);
void allreduce_recursive_halving(const collective& c, std::uint32_t task, steps& out);
void allreduce_reduce_bcast(const collective& c, std::uint32_t task, steps& out);
void barrier_dissemination(const collective& c, std::uint32_t task, steps& out);
void barrier_tree(const collective& c, std::uint32_t task, steps& out);
void barrier_root(const collective& c, std::uint32_t task, steps& out);
void barrier_two_level(const collective& c, std::uint32_t task, steps& out);
void allgather_recursive_doubling(const collective& c, std::uint32_t task, steps& out);
void alltoall_pairwise(const collective& c, std::uint32_t task, steps& out);
void alltoall_linear(const collective& c, std::uint32_t task, steps& out);
void alltoall_sparse(const collective& c, std::uint32_t task, steps& out);
void alltoall_bruck(const collective& c, std::uint32_t task, steps& out);
void gather_binomial(const collective& c, std::uint32_t task, steps& out);
void gather_linear(const collective& c, std::uint32_t task, steps& out);
void scatter_binomial(const collective& c, std::uint32_t task, steps& out);
void scatter_linear(const collective& c, std::uint32_t task, steps& out);
void reduce_scatter_pairwise(const collective& c, std::uint32_t task, steps& out);
void reduce_scatter_recursive_halving(const collective& c, std::uint32_t task, steps& out);
void one_ring(const collective& c, std::uint32_t task, steps& out);
void two_rings(const collective& c, std::uint32_t task, steps& out);
void rings_by_level(const collective& c, std::uint32_t task, steps& out);
void scan_linear(const collective& c, std::uint32_t task, steps& out);
void in_network(const collective& c, std::uint32_t task, steps& out);
/// @}

/// relative() returns the rank of a task counted from the root: 0 for the root, 1 for c.root + 1 (modulo
/// c.tasks), and so on. absolute() returns the task that has such a rank.
inline std::uint32_t relative(const collective& c, std::uint32_t task) {
    return task >= c.root ? task - c.root : task + c.tasks - c.root;
}
inline std::uint32_t absolute(const collective& c, std::uint32_t rank) {
    return (rank + c.root) % c.tasks;
}

/// A mapping of any number of tasks, at least 1, to `size` ranks, a power of two, for recursive doubling. Of
/// the first 2 * `rest` tasks, each even one hands its data to the next task, its host, and takes no further
/// part.
struct fold {
    explicit fold(std::uint32_t tasks) {
        while (size * 2 <= tasks) size *= 2;
        rest = tasks - size;
    }
    /// Returns true if the task hands its data to task + 1 and has no rank.
    bool outside(std::uint32_t task) const { return task < 2 * rest && task % 2 == 0; }
    /// Returns true if the task has a rank, and works for task - 1 too.
    bool host(std::uint32_t task) const { return task < 2 * rest && task % 2 == 1; }
    /// rank() returns the rank, below `size`, of a task that is not outside(); task() returns the task that
    /// has a rank.
    std::uint32_t rank(std::uint32_t task) const { return task < 2 * rest ? task / 2 : task - rest; }
    std::uint32_t task(std::uint32_t rank) const { return rank < rest ? 2 * rank + 1 : rank + rest; }
    std::uint32_t size = 1, rest = 0;  ///< Largest power of two that is not above the number of tasks; number
                                       ///< of tasks minus this power, which is also the number of hosts.
};

}  // namespace sare::traffic
