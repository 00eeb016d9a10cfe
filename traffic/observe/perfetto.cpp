// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/perfetto.h"

#include "traffic/observe/for_each.h"

#include <fmt/format.h>

#include <set>

namespace sare::traffic {
namespace {

/// The tracks of a task: its own operations, its states, and those of operations beside it at a time.
class task_tracks {
  public:
    task_tracks(perfetto_writer& out, perfetto_writer::track parent, std::uint32_t task)
        : m_out(out),
          m_own(out.add_track(fmt::format("task {}", task), parent)),
          m_states(out.add_track("state", m_own)) {}

    perfetto_writer::track own() const { return m_own; }

    void state(cycle_t now, task_state s) {
        if (m_in_state) m_out.end(m_states, now);
        m_in_state = s != task_state::idle;
        if (m_in_state) m_out.begin(m_states, now, state_name(s));
    }
    void begin(cycle_t now, std::uint32_t strand, bool beside, const std::string& name) {
        m_out.begin(m_open[strand] = beside ? free_track() : m_own, now, name);
    }
    void end(cycle_t now, std::uint32_t strand) {
        const auto found = m_open.find(strand);
        if (found == m_open.end()) return;
        m_out.end(found->second, now);
        if (found->second != m_own) m_free.push_back(found->second);
        m_open.erase(found);
    }
    /// Closes the tracks in their order, as strands have other numbers in several processes.
    void close(cycle_t now) {
        state(now, task_state::idle);
        std::set<perfetto_writer::track> open;
        for (const auto& each : m_open) open.insert(each.second);
        for (const perfetto_writer::track t : open) m_out.end(t, now);
    }

  private:
    perfetto_writer::track free_track() {
        if (m_free.empty()) return m_out.add_track("beside", m_own);
        const perfetto_writer::track t = m_free.back();
        m_free.pop_back();
        return t;
    }

    perfetto_writer& m_out;
    perfetto_writer::track m_own, m_states;
    bool m_in_state = false;
    std::map<std::uint32_t, perfetto_writer::track> m_open;  ///< open track of each strand
    std::vector<perfetto_writer::track> m_free;
};

std::string operation_name(const task_event& e) {
    const auto what = static_cast<op>(e.what);
    const bool of_all = what == op::flush && e.number == any_source;
    if (what > op::probe || what < op::send || of_all) return op_name(what);
    const std::string peer = e.number == any_source ? "any" : std::to_string(e.number);
    return std::string(op_name(what)) + ' ' + peer;
}

}  // namespace

void views::perfetto(std::ostream& to) const {
    perfetto_writer out(to, 2);
    const auto parent = out.add_track(m.m_program.title());
    std::vector<std::unique_ptr<task_tracks>> tasks(m.m_shown.size());
    for (std::uint32_t k = 0; k < tasks.size(); ++k)
        if (m.m_shown[k]) tasks[k] = std::make_unique<task_tracks>(out, parent, k);
    for_each([&](const task_event& e) {
        task_tracks* const task = tasks[e.task].get();
        switch (e.is) {
            case task_event::state:
                if (e.time < end()) task->state(e.time, static_cast<task_state>(e.what));
                break;
            case task_event::mark:
                out.instant(task->own(), e.time,
                            "phase " + m.phase_name(static_cast<std::uint32_t>(e.value)));
                break;
            case task_event::begin:
                task->begin(e.time, e.other, e.other >= tasks.size(), operation_name(e));
                break;
            case task_event::end:
                task->end(e.time, e.other);
                break;
            case task_event::left:
                if (task != nullptr && tasks[e.other] != nullptr)
                    out.instant(task->own(), e.time,
                                fmt::format("{}{}, {} bytes",
                                            e.what == task_event::data ? "message to " : "handshake with ",
                                            e.other, e.value),
                                e.number + 1ull);
                break;
            case task_event::came:
                if (task != nullptr && tasks[e.other] != nullptr)
                    out.instant(tasks[e.other]->own(), e.time, fmt::format("message from {}", e.task),
                                e.number + 1ull, true);
                break;
            case task_event::turn:
            case task_event::made:
                break;  // of the log of one of several processes
        }
    });
    for (const auto& task : tasks)
        if (task) task->close(end());
}

}  // namespace sare::traffic
