// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/archive.h"
#include "traffic/cortex/connectivity.h"
#include "traffic/cortex/spike_counts.h"
#include "traffic/cortex/spikes.h"
#include "traffic/kernel/virtual_mesh.h"
#include "traffic/program/planned.h"

#include <fmt/format.h>

#include <optional>

namespace sare::traffic::variants::dpsnn {
namespace {

struct parameters : executor_parameters, cortex_parameters {
    std::uint32_t tasks = 0;
    std::vector<std::uint32_t> dims;
    std::uint64_t steps = 100, seed = 1;
    double step = 1e-3, rate = 5, neuron_time = 0, spike_time = 1e-6, synapse_time = 0;
    std::uint32_t spike_bytes = 12, count_bytes = 4;
    std::string spike_counts;
    bool write_spike_counts = false;
};

/// A simulation of spiking neurons. In every step a process computes the effect of the last step's spikes on
/// its neurons, waits for all others, tells each that it may reach how many spikes it has for it, and sends
/// them.
class dpsnn final : public planned_program {
  public:
    dpsnn(const parameters& p, std::uint32_t tasks, const config::location& where, const std::string& folder)
        : planned_program("dpsnn", {"compute", "barrier", "counts", "spikes"}, "step_end", tasks),
          m(p),
          m_sides(sides(tasks, where)),
          m_connected(p, p.columns[0] / m_sides[0], p.columns[1] / m_sides[1], where),
          m_at(tasks) {
        check_sizes(where);
        if (!p.spike_counts.empty()) m_counts.emplace(where, folder, p.spike_counts, p.steps, tasks);
        for (int y = -reach_y(); y <= reach_y(); ++y)
            for (int x = -reach_x(); x <= reach_x(); ++x) {
                const double reached = m_connected.to(x, y).reached;
                m_gaps.emplace_back(reached > 0 ? geometric(std::min(reached, 1.0)) : geometric());
            }
    }

    std::vector<std::pair<std::string, config::value>> results(const program_run& run) const override;
    std::vector<std::pair<std::string, std::string>> tables(const program_run& run) const override;

    void add_up(world& all) override {
        planned_program::add_up(all);
        all.sum_members(m_at, &task_progress::emitted, &task_progress::sent);
    }
    void serialize(archive& a) override {
        planned_program::serialize(a);
        a(m_at);  // m_emitted follows from the step
    }

  protected:
    bool plan(std::uint32_t task) override;

  private:
    /// Limit on the tasks: counts between all are under way at a time, and spikes are drawn one by one.
    static constexpr std::uint32_t most_tasks = 16384;
    static constexpr double most_spikes = 1e7;

    void check_sizes(const config::location& where) const {
        if (tasks() > most_tasks)
            throw config::error(where, fmt::format("workload 'dpsnn' has {} tasks; at most {}, for what a "
                                                   "step holds grows with their square",
                                                   tasks(), most_tasks));
        if (m.write_spike_counts) spike_counts::check_size(where, m.steps, tasks());
        const double spikes_of_step = neurons() * m.rate * m.step;
        if (spikes_of_step > most_spikes)
            throw config::error(
                where, "a task of 'dpsnn' emits " + config::number_text(spikes_of_step) +
                           " spikes in a step ('rate' of its neurons times 'step'); at most 10 million");
    }

    enum state : std::int64_t { computes, waits, counts, spikes, step_end };
    struct task_progress {
        std::uint64_t step = 0;
        double received = 0, events = 0;  ///< spikes of the step before; synapses that they reach
        std::uint64_t emitted = 0, sent = 0;
    };

    int reach_x() const { return static_cast<int>(m_connected.reach_x()); }
    int reach_y() const { return static_cast<int>(m_connected.reach_y()); }

    /// Returns the numbers of processes in x and in y.
    std::vector<std::uint32_t> sides(std::uint32_t processes, const config::location& where) const {
        grid_parameters grid;
        grid.dims = m.dims;
        std::vector<std::uint32_t> all = virtual_mesh(grid, processes, false, where).dims();
        if (all.size() != 2)
            throw config::error(
                where, fmt::format("workload 'dpsnn' takes 2 dimensions of tasks, not {}", all.size()));
        if (m.columns.size() != 2)
            throw config::error(where, fmt::format("'columns' must have 2 numbers, those in x and y; not {}",
                                                   m.columns.size()));
        for (std::size_t d = 0; d < 2; ++d)
            if (m.columns[d] % all[d] != 0)
                throw config::error(
                    where,
                    fmt::format("the {} 'columns' in {} cannot be dealt out to {} tasks; take a multiple",
                                m.columns[d], (d == 0 ? "x" : "y"), all[d]));
        return all;
    }

    double neurons() const {
        const std::uint64_t columns = std::uint64_t{m.columns[0] / m_sides[0]} * (m.columns[1] / m_sides[1]);
        return static_cast<double>(columns) * m.neurons;
    }
    /// Returns the stream for one process's spikes for another one in a step.
    rng stream_of(std::uint64_t step, std::uint32_t from, std::uint32_t to) const {
        const std::uint64_t n = tasks();
        return rng(m.seed, stream::workload, (step * n + from) * n + to);
    }
    /// Returns the spikes of each process, from the file or by Poisson's law.
    std::vector<std::uint32_t> spikes_of(std::uint64_t step) const;
    const std::vector<std::uint32_t>& emitted(std::uint64_t step);
    template <class F>
    void for_neighbours(std::uint32_t task, F&& f) const;
    void exchange(std::uint32_t task, task_progress& p);

    parameters m;
    std::vector<std::uint32_t> m_sides;
    connectivity m_connected;
    std::optional<spike_counts> m_counts;
    std::vector<geometric> m_gaps;  ///< gap from a spike that reaches a process to the next one
    struct {
        std::uint64_t step = 0;
        std::vector<std::uint32_t> spikes;  ///< spikes of each process
    } m_emitted[2];                         ///< spikes of the last two steps
    std::vector<task_progress> m_at;
};

std::vector<std::uint32_t> dpsnn::spikes_of(std::uint64_t step) const {
    if (m_counts) return m_counts->of(step);
    std::vector<std::uint32_t> all;
    for (std::uint32_t task = 0; task < tasks(); ++task) {
        rng random = stream_of(step, task, task);
        all.push_back(draw_poisson(random, neurons() * m.rate * m.step));
    }
    return all;
}

/// Returns the spikes of all processes in a step: none is more than a step ahead of another one.
const std::vector<std::uint32_t>& dpsnn::emitted(std::uint64_t step) {
    auto& kept = m_emitted[step % 2];
    if (kept.step == step && !kept.spikes.empty()) return kept.spikes;
    kept.step = step;
    kept.spikes = spikes_of(step);
    return kept.spikes;
}

/// Calls f(task, its index in the tables, x, y) for every other process that can be reached.
template <class F>
void dpsnn::for_neighbours(std::uint32_t task, F&& f) const {
    const int at_x = static_cast<int>(task % m_sides[0]), at_y = static_cast<int>(task / m_sides[0]);
    std::size_t i = 0;
    for (int y = -reach_y(); y <= reach_y(); ++y)
        for (int x = -reach_x(); x <= reach_x(); ++x, ++i) {
            if ((x == 0 && y == 0) || m_connected.to(x, y).reached <= 0) continue;
            const int to_x = at_x + x, to_y = at_y + y;
            if (to_x < 0 || to_y < 0 || to_x >= static_cast<int>(m_sides[0]) ||
                to_y >= static_cast<int>(m_sides[1]))
                continue;
            f(static_cast<std::uint32_t>(to_y) * m_sides[0] + static_cast<std::uint32_t>(to_x), i, x, y);
        }
}

bool dpsnn::plan(std::uint32_t task) {
    task_progress& p = m_at[task];
    if (p.step == m.steps) return false;
    enter(task, computes);
    compute(task, neurons() * m.neuron_time + p.received * m.spike_time + p.events * m.synapse_time);
    enter(task, waits);
    add(task, op::barrier);
    exchange(task, p);
    if (++p.step == m.steps) enter(task, step_end);
    return true;
}

/// Exchanges the counts of spikes, then the spikes; a process reckons the others' from their draws.
void dpsnn::exchange(std::uint32_t task, task_progress& p) {
    const std::vector<std::uint32_t>& emits = emitted(p.step);
    const std::uint32_t own = emits[task];
    p.emitted += own;
    p.received = own;
    p.events = own * m_connected.to(0, 0).synapses;
    operation of_counts, of_spikes;
    for (operation* o : {&of_counts, &of_spikes}) {
        o->what = op::alltoallv;
        o->counts.assign(tasks(), 0);
        o->receive_counts.assign(tasks(), 0);
    }
    for_neighbours(task, [&](std::uint32_t other, std::size_t i, int x, int y) {
        rng out = stream_of(p.step, task, other), in = stream_of(p.step, other, task);
        // The way back is as likely as the way there: it is as far.
        const std::uint32_t sent = draw_binomial(out, own, m_gaps[i]);
        const std::uint32_t received = draw_binomial(in, emits[other], m_gaps[i]);
        const auto& pair = m_connected.to(x, y);
        of_counts.counts[other] = of_counts.receive_counts[other] = m.count_bytes;
        of_spikes.counts[other] = std::uint64_t{sent} * m.spike_bytes;
        of_spikes.receive_counts[other] = std::uint64_t{received} * m.spike_bytes;
        p.sent += sent;
        p.received += received;
        p.events += received * pair.synapses / pair.reached;
    });
    enter(task, counts);
    add(task, op::alltoallv) = std::move(of_counts);
    enter(task, spikes);
    add(task, op::alltoallv) = std::move(of_spikes);
}

std::vector<std::pair<std::string, config::value>> dpsnn::results(const program_run& run) const {
    std::uint64_t all_emitted = 0, sent = 0, neighbours = 0;
    for (std::uint32_t t = 0; t < tasks(); ++t) {
        all_emitted += m_at[t].emitted;
        sent += m_at[t].sent;
        for_neighbours(t, [&](std::uint32_t, std::size_t, int, int) { ++neighbours; });
    }
    config::value out = config::value::map({});
    const auto set = [&](const char* key, double x) { out.set(key, config::number(x)); };
    const auto steps = static_cast<double>(m.steps);
    const double seconds = static_cast<double>(run.end - run.first) * run.cycle_seconds;
    const double local = m_connected.local_synapses(), remote = m_connected.remote_synapses();
    set("stencil", m_connected.stencil());
    set("synapses_per_neuron", local + remote);
    set("local_share", local + remote > 0 ? local / (local + remote) : 0);
    set("mean_neighbours", static_cast<double>(neighbours) / tasks());
    set("emitted_spikes", static_cast<double>(all_emitted));
    set("sent_spikes", static_cast<double>(sent));
    set("step_s", seconds / steps);
    set("slowdown", seconds / (steps * m.step));
    out.set("states", times().results(run.cycle_seconds));
    return {{"dpsnn", out}};
}

std::vector<std::pair<std::string, std::string>> dpsnn::tables(const program_run& run) const {
    auto all = planned_program::tables(run);
    if (m.write_spike_counts)
        all.emplace_back("spikes.csv",
                         spike_table(m.steps, [this](std::uint64_t step) { return spikes_of(step); }));
    return all;
}

const config::registration<workload, const workload_context&> registered{
    "dpsnn", "Distributed spiking neurons: columns of cortex, steps of spikes, with the time in every state.",
    config::schema<parameters>()
        .include(cortex_fields())
        .number("tasks", &parameters::tasks, 0, 65536, "", "tasks; 0: tasks_per_node on every node")
        .integers("dims", &parameters::dims, 1, 65536, "tasks", "in x and in y; none: as square as can be")
        .number("steps", &parameters::steps, 1, 1e6, "", "of the simulation")
        .number("step", &parameters::step, 1e-9, 1e3, "s", "of the time that is simulated")
        .number("rate", &parameters::rate, 0, 1e6, "1/s", "spikes of a neuron, by Poisson's law")
        .text("spike_counts", &parameters::spike_counts,
              "a file of the spikes of each task and step, lines 'step,task,spikes', instead of 'rate'")
        .flag("write_spike_counts", &parameters::write_spike_counts, "writes such a file, spikes.csv")
        .number("seed", &parameters::seed, 0, 9e15, "", "of the spikes and where they go")
        .number("spike_bytes", &parameters::spike_bytes, 1, 1e6, "bytes", "of a spike")
        .number("count_bytes", &parameters::count_bytes, 1, 1e6, "bytes", "of a count of spikes")
        .number("neuron_time", &parameters::neuron_time, 0, 1e3, "s", "computation for every neuron and step")
        .number("spike_time", &parameters::spike_time, 0, 1e3, "s",
                "for every spike that a process has received or emitted itself in the step before")
        .number("synapse_time", &parameters::synapse_time, 0, 1e3, "s",
                "for every synapse that these go through")
        .include(executor_fields()),
    [](const parameters& p, const config::value& section, const workload_context& c) {
        const std::uint32_t tasks = task_count(p.tasks, p, c);
        return new executor(std::make_unique<dpsnn>(p, tasks, section.where(), c.folder), p, section.where(),
                            c.folder);
    }};

}  // namespace
}  // namespace sare::traffic::variants::dpsnn
