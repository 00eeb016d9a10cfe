// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "traffic/program/executor/executor.h"

#include <map>
#include <optional>

/// A program on any network, with a record of every message that enters it and of every mark that a task
/// passes.
namespace sare::testing_support {

/// What a network is given and gives back.
struct flight {
    sare::message what;
    cycle_t sent = 0, delivered = workload::never;
};

/// Passes everything on, and writes down what is sent.
class spying_port final : public traffic_port {
  public:
    spying_port(traffic_port& to, std::vector<flight>& log) : m(to), m_log(log) {}

    std::uint32_t nodes() const override { return m.nodes(); }
    std::uint32_t classes() const override { return m.classes(); }
    std::uint64_t seed() const override { return m.seed(); }
    cycle_t now() const override { return m.now(); }
    cycle_t first_cycle() const override { return m.first_cycle(); }
    double cycle_seconds() const override { return m.cycle_seconds(); }
    const std::vector<std::uint32_t>& dims() const override { return m.dims(); }
    std::uint32_t router_of(std::uint32_t node) const override { return m.router_of(node); }
    std::uint32_t flits_for(std::uint64_t bytes) const override { return m.flits_for(bytes); }
    void send(const sare::message& what) override {
        m_log.push_back({what, m.now()});
        m.send(what);
    }
    std::uint32_t queued(std::uint32_t node) const override { return m.queued(node); }
    std::uint32_t queued_of(std::uint32_t node, std::uint32_t message_class) const override {
        return m.queued_of(node, message_class);
    }
    void call_when_queued(std::uint32_t node, std::uint32_t message_class, std::uint32_t level) override {
        m.call_when_queued(node, message_class, level);
    }

  private:
    traffic_port& m;
    std::vector<flight>& m_log;
};

/// The operations of every task; it keeps when each of them passed each mark.
class marked_program final : public traffic::program {
  public:
    using script = std::vector<std::vector<traffic::operation>>;
    marked_program(const script& all, const std::map<std::uint32_t, std::vector<std::uint32_t>>& groups)
        : m_all(all), m_at(all.size()) {
        for (const auto& [number, tasks] : groups) m_groups.emplace(number, traffic::listed_tasks(tasks));
    }
    std::uint32_t tasks() const override { return static_cast<std::uint32_t>(m_all.size()); }
    bool next(std::uint32_t task, traffic::operation& o) override {
        if (m_at[task] == m_all[task].size()) return false;
        o = m_all[task][m_at[task]++];
        return true;
    }
    const traffic::communicator& group(std::uint32_t id) const override { return m_groups.at(id); }
    std::string title() const override { return "the script"; }
    void passed(std::uint32_t task, std::int64_t mark, cycle_t now) override { when[{task, mark}] = now; }

    std::map<std::pair<std::uint32_t, std::int64_t>, cycle_t> when;  ///< by task and mark

  private:
    const script& m_all;
    std::vector<std::size_t> m_at;
    std::map<std::uint32_t, traffic::listed_tasks> m_groups;
};

/// Runs it: a workload like another.
class watched final : public workload {
  public:
    watched(std::unique_ptr<marked_program> p, traffic::executor_parameters parameters)
        : m_program(*p), m_executor(std::move(p), std::move(parameters), {"test.yaml", 1, 2}) {}

    void start(traffic_port& port) override {
        m_port.emplace(port, log);
        m_executor.start(*m_port);
    }
    cycle_t next_tick() const override { return m_executor.next_tick(); }
    void tick(cycle_t now) override { m_executor.tick(now); }
    void delivered(const delivery& d) override {
        for (std::size_t k = log.size(); k-- > 0;)
            if (log[k].what.tag == d.what.tag) {
                log[k].delivered = d.consumed;
                break;
            }
        m_executor.delivered(d);
    }
    void queue_space(std::uint32_t node, std::uint32_t message_class) override {
        m_executor.queue_space(node, message_class);
    }
    bool finished() const override { return m_executor.finished(); }
    bool runs_to_completion() const override { return true; }
    generated_counts generated(cycle_t now) override { return m_executor.generated(now); }
    generated_counts backlog_of(std::uint32_t, std::uint32_t) const override { return {}; }
    bool observe(const observation& how) override {
        alone = how.alone;
        return true;
    }
    config::value results() const override { return m_executor.results(); }
    standstill stuck() const override { return m_executor.stuck(); }
    std::vector<std::pair<std::string, std::string>> tables() const override { return m_executor.tables(); }

    cycle_t passed(std::uint32_t task, std::int64_t mark) const { return m_program.when.at({task, mark}); }

    std::vector<flight> log;  ///< in order of sending
    std::function<cycle_t(const sare::message&)> alone;

  private:
    marked_program& m_program;
    traffic::executor m_executor;
    std::optional<spying_port> m_port;
};

}  // namespace sare::testing_support
