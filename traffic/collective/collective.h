// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"
#include "traffic/program/operation.h"

/// Collective operations as lists of messages, by named algorithms, for any number of tasks.
namespace sare::traffic {

/// One call of a collective by the tasks of a communicator. Tasks are numbered by their rank in it.
struct collective {
    op what = op::barrier;    ///< kind of collective
    std::uint32_t tasks = 1;  ///< number of tasks
    std::uint32_t root = 0;   ///< root task, of kinds that have one
    std::uint64_t bytes = 0;  ///< bytes of the whole vector (bcast, reduce, allreduce, scan) or of a block
    const std::vector<std::uint64_t>* counts = nullptr;          ///< bytes per task of the v kinds; else null
    const std::vector<std::uint64_t>* receive_counts = nullptr;  ///< bytes to receive, of an alltoallv

    /// Returns the bytes of the block that belongs to a task.
    std::uint64_t block(std::uint32_t task) const { return counts ? (*counts)[task] : bytes; }
    /// Returns the bytes of part i of the whole vector, which is cut into as many parts as there are tasks.
    std::uint64_t part(std::uint32_t i) const {
        const std::uint64_t each = bytes / tasks, rest = bytes % tasks;
        return each + (i < rest ? 1 : 0);
    }
};

/// One step of a task: post the receive, post the send, then (if `wait`) wait for all requests posted so far.
struct step {
    static constexpr std::uint32_t no_task = ~std::uint32_t{0};
    std::uint32_t to = no_task;    ///< task to send to; no_task: no send
    std::uint64_t bytes = 0;       ///< bytes to send
    std::uint32_t from = no_task;  ///< task to receive from; no_task: no receive
    std::uint64_t from_bytes = 0;  ///< bytes to receive
    bool wait = true;
};
/// A list of steps, of which only a part is kept; the other ones are counted.
class steps {
  public:
    static constexpr std::size_t all = ~std::size_t{0};

    steps() = default;
    /// Forgets all steps; from now on keeps at most `most` steps, from number `first` (from 0) on.
    void restart(std::size_t first, std::size_t most) {
        m_kept.clear();
        m_first = first;
        m_most = most;
        m_count = 0;
    }
    void push_back(const step& s) {
        const std::size_t k = m_count++;
        if (k >= m_first && k - m_first < m_most) m_kept.push_back(s);
    }
    std::size_t count() const { return m_count; }                      ///< number of steps, kept or not
    std::size_t size() const { return m_kept.size(); }                 ///< number of kept steps
    const step& operator[](std::size_t i) const { return m_kept[i]; }  ///< kept step i
    template <class Archive>
    void serialize(Archive& a) {
        a(m_kept, m_first, m_most, m_count);
    }

  private:
    std::vector<step> m_kept;
    std::size_t m_first = 0;   ///< index of the first step that is kept
    std::size_t m_most = all;  ///< most steps that are kept
    std::size_t m_count = 0;   ///< number of steps, kept or not
};

/// Return a step that only sends, or only receives.
inline step send_step(std::uint32_t to, std::uint64_t bytes, bool wait = true) {
    return {to, bytes, step::no_task, 0, wait};
}
inline step receive_step(std::uint32_t from, std::uint64_t bytes, bool wait = true) {
    return {step::no_task, 0, from, bytes, wait};
}

/// Function that appends the steps of `task` in a collective to `out`.
using expander = void (*)(const collective& c, std::uint32_t task, steps& out);

struct collective_algorithm {
    op what;           ///< kind of collective that it is for: see algorithm_family()
    const char* name;  ///< name in the section `collectives`
    expander expand;
};

/// Returns all algorithms; the first of each collective is its default.
const std::vector<collective_algorithm>& collective_algorithms();

/// Returns the kind of collective whose algorithms `what` uses: allgather for allgatherv, gather for gatherv,
/// scatter for scatterv, scan for exscan, barrier for fence, else `what` itself.
op algorithm_family(op what);

/// The choice of an algorithm for each kind of collective.
struct collective_choice {
    using pick = const collective_algorithm*;
    collective_choice();
    pick bcast, reduce, allreduce, barrier, allgather, alltoall, alltoallv, gather, scatter, reduce_scatter,
        scan;
    /// Returns the algorithm for a kind, by its algorithm_family(); `barrier` for what is no collective.
    const collective_algorithm& of(op what) const;
};

/// Returns the schema of the section `collectives: {bcast: binomial, ...}`.
const config::schema<collective_choice>& collective_fields();

/// @name The algorithms, one file per collective
/// @{
void bcast_binomial(const collective& c, std::uint32_t task, steps& out);
void bcast_linear(const collective& c, std::uint32_t task, steps& out);
void bcast_scatter_allgather(const collective& c, std::uint32_t task, steps& out);
void reduce_binomial(const collective& c, std::uint32_t task, steps& out);
void reduce_linear(const collective& c, std::uint32_t task, steps& out);
void allreduce_recursive_doubling(const collective& c, std::uint32_t task, steps& out);
void allreduce_ring(const collective& c, std::uint32_t task, steps& out);
void allreduce_recursive_halving(const collective& c, std::uint32_t task, steps& out);
void allreduce_reduce_bcast(const collective& c, std::uint32_t task, steps& out);
void barrier_dissemination(const collective& c, std::uint32_t task, steps& out);
void barrier_tree(const collective& c, std::uint32_t task, steps& out);
void barrier_root(const collective& c, std::uint32_t task, steps& out);
void barrier_two_level(const collective& c, std::uint32_t task, steps& out);
void allgather_ring(const collective& c, std::uint32_t task, steps& out);
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
void scan_linear(const collective& c, std::uint32_t task, steps& out);
/// @}

/// Return the rank of a task counted from the root, which is 0; and the task of such a rank.
inline std::uint32_t relative(const collective& c, std::uint32_t task) {
    return task >= c.root ? task - c.root : task + c.tasks - c.root;
}
inline std::uint32_t absolute(const collective& c, std::uint32_t rank) {
    return (rank + c.root) % c.tasks;
}

/// A folding of any number of tasks on a power of two, `size`, for recursive doubling: among the first 2 *
/// rest tasks, each even one hands its data over to the odd one behind it, its host, and takes no further
/// part.
struct fold {
    explicit fold(std::uint32_t tasks) {
        while (size * 2 <= tasks) size *= 2;
        rest = tasks - size;
    }
    bool outside(std::uint32_t task) const { return task < 2 * rest && task % 2 == 0; }  ///< takes no part
    bool host(std::uint32_t task) const {
        return task < 2 * rest && task % 2 == 1;
    }  ///< stands for two tasks
    /// Returns the rank, below `size`, of a task that takes part; and the task of a rank.
    std::uint32_t rank(std::uint32_t task) const { return task < 2 * rest ? task / 2 : task - rest; }
    std::uint32_t task(std::uint32_t rank) const { return rank < rest ? 2 * rank + 1 : rank + rest; }
    std::uint32_t size = 1, rest = 0;  ///< largest power of two not above the tasks; tasks beyond it
};

}  // namespace sare::traffic
