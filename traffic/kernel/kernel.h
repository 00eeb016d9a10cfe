// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"

#include <initializer_list>

/// Micro-kernels: generated programs, whose operations are made one by one.
namespace sare::traffic {

struct kernel_parameters : executor_parameters {
    std::uint32_t tasks = 0;        ///< number of tasks; 0: tasks_per_node on every node
    std::uint64_t bytes = 40960;    ///< bytes of a message
    double compute = 0;             ///< seconds of computation of a task in each stage
    std::uint32_t repetitions = 1;  ///< number of times that a task runs the program
};
const config::schema<kernel_parameters>& kernel_fields();

/// The change of the size of messages from stage to stage.
enum class growth { constant, doubling, halving };
struct staged_parameters : kernel_parameters {
    growth by = growth::constant;
    std::vector<std::uint64_t> sizes;  ///< bytes of a message by stage; empty: by `bytes` and `by`

    /// Returns the bytes of a message in a stage, from 0. The last of `sizes` holds for all later stages;
    /// halving stops at one byte.
    std::uint64_t size(std::uint32_t stage) const;
};
const config::schema<staged_parameters>& staged_fields();

/// A program that every task runs `repetitions` times, without a barrier in between.
class kernel : public program {
  public:
    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_at.size()); }
    bool next(std::uint32_t task, operation& o) override;
    std::string title() const override { return "workload '" + m_name + "'"; }
    double progress() const override;
    bool runs_by_tasks() const override { return true; }
    void serialize(archive& a) override;

  protected:
    kernel(std::string name, std::uint32_t tasks, const kernel_parameters& p)
        : m_name(std::move(name)), m_repetitions(p.repetitions), m_seconds(p.compute), m_at(tasks) {}

    /// Makes the operation at place `k`, from 0, of a task's program of one repetition in `o`; returns false
    /// behind its end. Raises k if this task has nothing to do at that place, and makes the next operation.
    virtual bool at(std::uint32_t task, std::uint32_t& k, operation& o) const = 0;

    /// @name Operations; each maker returns true
    /// @{
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
    bool compute(operation& o) const {
        o.what = op::compute;
        o.seconds = m_seconds;
        return true;
    }
    /// @}
    bool computes() const { return m_seconds > 0; }  ///< true: compute() takes time

  private:
    static bool message(operation& o, op what, std::uint32_t peer, std::uint64_t bytes) {
        o.what = what;
        o.peer = peer;
        o.bytes = bytes;
        return true;
    }
    struct position {
        std::uint32_t repetition = 0, k = 0;  ///< repetition, and operation in it, that comes next; from 0
    };
    std::string m_name;
    std::uint32_t m_repetitions;
    double m_seconds;            ///< length of a compute(), in seconds
    std::vector<position> m_at;  ///< by task
};

/// Limit on the bytes of a message of a kernel whose messages follow from the size of its data.
constexpr std::uint64_t most_message_bytes = 1'000'000'000'000;
/// Returns the product of `factors`. Throws config::error if it is above most_message_bytes.
std::uint64_t message_bytes(std::initializer_list<std::uint64_t> factors, const config::location& where);

/// Returns the number of tasks of a kernel: p.tasks, or if that is 0 as many as the nodes have room for.
std::uint32_t task_count(const kernel_parameters& p, const workload_context& c);

/// Makes the workload that runs kernel `K`, for registrations. The kernel takes its parameters, the number of
/// tasks and the place of the section.
template <class K, class P>
workload* run_kernel(const P& p, const config::value& section, const workload_context& c) {
    return new executor(std::make_unique<K>(p, task_count(p, c), section.where()), p, section.where(),
                        c.folder);
}

/// Registers kernel `K`, whose own parameters are `fields`; with those of the executor they are `P`.
template <class K, class P>
struct kernel_registration : config::registration<workload, const workload_context&> {
    template <class Own>
    kernel_registration(std::string_view name, std::string_view sentence, const config::schema<Own>& fields)
        : registration(name, sentence, config::schema<P>().include(fields).include(executor_fields()),
                       run_kernel<K, P>) {}
};

}  // namespace sare::traffic
