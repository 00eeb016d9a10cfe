// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/api/awaits_losses.h"
#include "tlm/api/refusals.h"
#include "tlm/api/synchronized_workload.h"
#include "traffic/application/application.h"
#include "traffic/placement/placement.h"

namespace sare::traffic {

/// Parameters of the workload `applications`.
struct applications_parameters {
    config::value all;  ///< map from the name of each application to its section (application_parameters)
    /// Name or section of the placement of applications whose own section has none.
    config::value placement_rule;
    std::string only;  ///< name of the only instance that runs, on the nodes that it has when all are placed;
                       ///< empty: all instances run
};
/// Returns the schema of applications_parameters.
const config::schema<applications_parameters>& applications_fields();

/// Several applications at once, each a workload of its own, on nodes of their own unless they share them.
/// Applications meet only in the network and in the source queues of nodes that they share.
class applications final : public workload,
                           public refusing_workload,
                           public synchronized_workload,
                           public loss_awaiting_workload {
  public:
    /// Reads the sections and decides the number of tasks of each application; start() chooses their nodes.
    /// `section`: section of the workload, for errors. Throws config::error for a wrong section, for
    /// applications that the network has no room for, and if all applications that run are in the background.
    applications(const applications_parameters& p, const config::value& section, const workload_context& c);

    void start(traffic_port& port) override;
    cycle_t next_tick() const override { return m_next; }
    void tick(cycle_t now) override;
    void delivered(const delivery& d) override;
    void dropped(const message& m, const std::string& cause) override;
    void lost(const message& m) override;
    void queue_space(std::uint32_t node, std::uint32_t message_class) override;
    bool finished() const override;
    bool runs_to_completion() const override { return m_ends; }
    traffic_loop loop() const override;
    double progress() const override;
    void measured_from(cycle_t now) override;
    void measured_to(cycle_t now) override;
    void judged(const judged_sources& all) override;
    generated_counts generated(cycle_t now) override;
    generated_counts backlog_of(std::uint32_t node, std::uint32_t message_class) const override;
    generated_counts refused_of(std::uint32_t node, std::uint32_t message_class) const override;
    std::uint32_t largest_message() const override;
    std::uint32_t classes_needed() const override;
    config::value results() const override;
    std::vector<std::pair<std::string, std::string>> tables() const override;
    result_streams files() const override;
    bool observe(const observation& how) override;
    void use(const host_services& host) override;
    config::value host_results() const override;
    standstill stuck() const override;
    std::string failure() const override;
    bool runs_by_nodes() const override;
    bool awaits_losses() const override;
    std::uint32_t words_with_messages() const override;
    void write_words(const message& m, std::uint64_t* words) const override;
    void has_left(const message& m) override;
    std::uint64_t tag_of(const message& m, const std::uint64_t* words) override;
    bool agrees() const override;
    cycle_t next_agreement() const override;
    void agree(world& all, std::uint32_t most) override;
    void add_up(world& all) override;
    void serialize(archive& a) override;

  private:
    /// An application, with its placement and the cycle of its next act.
    struct entry {
        std::unique_ptr<application> what;
        std::unique_ptr<placement> where;  ///< policy by which its tasks are placed
        cycle_t due = never;               ///< next_tick() of the application
    };
    /// Value of m_only: all applications run.
    static constexpr std::size_t every = ~std::size_t{0};
    /// A task, and the node on which it runs.
    struct resident {
        std::uint32_t node, application, task;
        bool operator<(const resident& o) const { return node < o.node; }
    };
    /// Returns the sum of count(application, task) over all tasks on a node.
    template <class Count>
    generated_counts sum_of(std::uint32_t node, Count count) const {
        generated_counts sum;
        const auto [first, last] =
            std::equal_range(m_residents.begin(), m_residents.end(), resident{node, 0, 0});
        for (auto r = first; r != last; ++r) sum += count(*m_all[r->application].what, r->task);
        return sum;
    }

    struct declared {  ///< an application as its section declares it
        std::string name;
        config::value section;
        application_parameters what;
    };

    static std::vector<declared> read(const applications_parameters& p, const config::value& section);
    void add(const declared& d, const config::value& placement_rule, const workload_context& c);
    std::uint32_t tasks_of(const declared& d, const application::identity& who, const placement& where,
                           std::uint32_t instances_left, const workload_context& c,
                           std::unique_ptr<workload>& work);
    void leave_only(const std::string& name, const config::value& section);
    std::vector<std::vector<std::uint32_t>> place(const traffic_port& port) const;
    bool takes_part(const application& a, cycle_t now) const { return a.ends() || now <= m_last; }
    void update(std::uint32_t k);
    void after(std::uint32_t k);
    void find_next();
    void agree_on_end(world& all);

    std::uint32_t m_free;   ///< number of nodes that are not reserved for one application yet
    std::uint32_t m_count;  ///< number of instances of all applications
    std::vector<entry> m_all;
    std::size_t m_only = every;         ///< index in m_all of the only application that runs; every: all run
    std::vector<resident> m_residents;  ///< tasks of all applications, in the order of their nodes
    traffic_port* m_port = nullptr;
    queue_space_requests m_requests;
    bool m_ends = false;     ///< true: an application has application::ends(), so that the run ends
    std::size_t m_open = 0;  ///< number of applications that must end and are not completed
    /// Cycle in which the last application that must end was completed, after which the other applications
    /// stop; never: not completed yet.
    cycle_t m_last = never;
    cycle_t m_next = never;       ///< result of next_tick()
    bool m_apart = false;         ///< true: other processes run a part of the applications
    cycle_t m_agreement = never;  ///< cycle in which the processes next agree on whether all applications
                                  ///< that must end are over
};

}  // namespace sare::traffic
