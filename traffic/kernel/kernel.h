// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"

#include <initializer_list>

/// Micro-kernels: programs whose operations are computed from a few parameters, one by one as tasks ask for
/// them.
namespace sare::traffic {

/// Parameters of all kernels.
struct kernel_parameters : executor_parameters {
    std::uint32_t tasks = 0;        ///< number of tasks; 0: tasks_per_node for each node
    std::uint64_t bytes = 40960;    ///< bytes of a message
    double compute = 0;             ///< seconds of computation of a task in each stage
    std::uint32_t repetitions = 1;  ///< number of times that each task runs the program, without a barrier
                                    ///< between
};
/// Returns the schema of kernel_parameters without the keys of executor_parameters.
const config::schema<kernel_parameters>& kernel_fields();

/// Change of the size of messages from a stage to the next: none, times 2, or half.
enum class growth { constant, doubling, halving };
/// Parameters of kernels whose messages may have another size in each stage.
struct staged_parameters : kernel_parameters {
    /// Change of the size, if `sizes` is empty.
    growth by = growth::constant;
    std::vector<std::uint64_t> sizes;  ///< bytes of a message in stage 0, 1, ...; empty: by `bytes` and `by`

    /// Returns the bytes of a message in a stage, from 0: the entry of `sizes`, whose last one holds for all
    /// later stages; or `bytes`, doubled or halved `stage` times. Halving stops at 1.
    std::uint64_t size(std::uint32_t stage) const;
};
/// Returns the schema of staged_parameters without the keys of executor_parameters.
const config::schema<staged_parameters>& staged_fields();

/// Base class of kernels: a program that every task runs `repetitions` times.
class kernel : public program {
  public:
    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_at.size()); }
    bool next(std::uint32_t task, operation& o) override;
    std::string title() const override { return "workload '" + m_name + "'"; }
    double progress() const override;
    bool runs_by_tasks() const override { return true; }
    void serialize(archive& a) override;

  protected:
    /// `name`: name of the workload, for messages; `tasks`: number of tasks, in the place of p.tasks.
    kernel(std::string name, std::uint32_t tasks, const kernel_parameters& p)
        : m_name(std::move(name)), m_repetitions(p.repetitions), m_seconds(p.compute), m_at(tasks) {}

    /// Stores the operation at place `k`, from 0, of one repetition of a task's program in `o`, which has its
    /// defaults; returns false behind the last one. If the task has nothing to do at that place, raises `k`
    /// to the next place at which it has.
    virtual bool at(std::uint32_t task, std::uint32_t& k, operation& o) const = 0;

    /// @name Makers of operations: each sets `o` and returns true, as at() does
    static bool send(operation& o, std::uint32_t to, std::uint64_t bytes) {
        return message(o, op::send, to, bytes);
    }
    static bool receive(operation& o, std::uint32_t from, std::uint64_t bytes) {
        return message(o, op::recv, from, bytes);
    }
    static bool start_send(operation& o, std::uint32_t to, std::uint64_t bytes) {
        return message(o, op::isend, to, bytes);
    }
    static bool start_receive(operation& o, std::uint32_t from, std::uint64_t bytes) {
        return message(o, op::irecv, from, bytes);
    }
    static bool exchange(operation& o, std::uint32_t with, std::uint64_t bytes) {
        o.from = with;
        o.from_bytes = bytes;
        return message(o, op::sendrecv, with, bytes);
    }
    static bool wait_all(operation& o) {
        o.what = op::waitall;
        return true;
    }
    /// Sets `o` to a computation of kernel_parameters::compute seconds.
    bool compute(operation& o) const {
        o.what = op::compute;
        o.seconds = m_seconds;
        return true;
    }
    /// @}
    /// Returns true if compute() makes a computation of more than 0 seconds.
    bool computes() const { return m_seconds > 0; }

  private:
    static bool message(operation& o, op what, std::uint32_t peer, std::uint64_t bytes) {
        o.what = what;
        o.peer = peer;
        o.bytes = bytes;
        return true;
    }
    struct position {
        std::uint32_t repetition = 0, k = 0;  ///< number of the repetition, from 0, and place in it, from 0,
                                              ///< of the next operation
    };
    std::string m_name;
    std::uint32_t m_repetitions;
    double m_seconds;            ///< seconds of an operation that compute() makes
    std::vector<position> m_at;  ///< position of each task
};

/// Largest number of bytes of a message in kernels whose sizes follow from the data of a task.
constexpr std::uint64_t most_message_bytes = 1'000'000'000'000;
/// Returns the product of `factors`, in bytes. Throws config::error at `where` if it is above
/// most_message_bytes.
std::uint64_t message_bytes(std::initializer_list<std::uint64_t> factors, const config::location& where);

/// Returns the number of tasks of a kernel: p.tasks; if that is 0, tasks_per_node for each node.
std::uint32_t task_count(const kernel_parameters& p, const workload_context& c);

/// Returns a new workload, owned by the caller, that runs kernel `K`; for registrations. `K` is constructed
/// with its parameters, the number of tasks and the place of the section.
template <class K, class P>
workload* run_kernel(const P& p, const config::value& section, const workload_context& c) {
    return new executor(std::make_unique<K>(p, task_count(p, c), section.where()), p, section.where(),
                        c.folder);
}

/// Registers kernel `K` as the workload `name`. `fields`: schema of the kernel's own parameters, to which the
/// keys of the executor are added; `P`: struct of all these parameters.
template <class K, class P>
struct kernel_registration : config::registration<workload, const workload_context&> {
    template <class Own>
    kernel_registration(std::string_view name, std::string_view sentence, const config::schema<Own>& fields)
        : registration(name, sentence, config::schema<P>().include(fields).include(executor_fields()),
                       run_kernel<K, P>) {}
};

}  // namespace sare::traffic
