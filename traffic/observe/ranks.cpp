// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/text_archive.h"
#include "traffic/observe/recorder.h"
#include "traffic/observe/task_order.h"

/// Several processes: rank 0 shows what all of them have recorded.
namespace sare::traffic {

/// The report of a rank, beside its records.
struct recorder::report {
    std::map<std::pair<std::uint32_t, std::uint32_t>, pair_count> matrix;
    std::vector<std::int64_t> marks;  ///< mark of each phase, from 1
    std::vector<std::pair<std::uint32_t, std::vector<task_states::times>>> times;  ///< of each task here
    critical_path::ending last;

    template <class Archive>
    void serialize(Archive& a) {
        a(matrix, marks, times, last);
    }
};

namespace {

/// True if `a` is later: the last task's end or, if a message comes later still, the first of the last.
bool is_later(const critical_path::ending& a, const critical_path::ending& b, const task_order& order) {
    if (a.at != b.at) return a.at > b.at;
    if (a.is_task != b.is_task) return a.is_task;
    if (a.what.way == path_segment::none && !a.what.has) return false;
    if (b.what.way == path_segment::none && !b.what.has) return true;
    const auto place = [&](const critical_path::ending& x) { return order.place_of(x.rank, x.at, x.when); };
    return a.is_task ? place(a) > place(b) : place(a) < place(b);
}

}  // namespace

recorder::report recorder::own_report() const {
    report mine;
    mine.matrix = m_matrix;
    if (!m_part.several) return mine;
    for (std::uint32_t phase = 1; phase < m_phases.size(); ++phase)
        mine.marks.push_back(m_phases.mark(phase));
    for (std::uint32_t k = 0; k < m_shown.size(); ++k)
        if (is_here(k)) mine.times.emplace_back(k, m_states.spent(k));
    mine.last = m_path.last();
    return mine;
}

void recorder::add_up(world& all) {
    text_writer mine;
    report own = own_report();
    mine(own);
    std::vector<report> reports;
    for (const std::string& text : all.gather(mine.text())) {
        text_reader theirs(text);
        theirs(reports.emplace_back());
    }
    m_matrix.clear();
    for (const report& each : reports) add_matrix(each);
    if (!m_part.several) return;
    const std::vector<record_file<task_event>> logs = gather_records(all, m_log);
    task_order order(logs.size());
    merge(logs, reports, order);
    critical_path::ending last;
    for (const report& each : reports)
        if (is_later(each.last, last, order)) last = each.last;
    m_path.gather(all, last);
}

void recorder::add_matrix(const report& of_rank) {
    for (const auto& [pair, count] : of_rank.matrix) {
        m_matrix[pair].messages += count.messages;
        m_matrix[pair].bytes += count.bytes;
    }
}

/// Merges the records; messages and phases get the numbers of one process.
void recorder::merge(const std::vector<record_file<task_event>>& of_ranks, const std::vector<report>& reports,
                     task_order& order) {
    m_log = {};
    m_phases = phase_table(static_cast<std::uint32_t>(m_shown.size()));
    std::vector<std::uint32_t> last_phase(m_shown.size());
    for (const report& each : reports) m_phase_of.emplace_back(each.marks.size() + 1);
    const auto pass = [&](std::uint32_t rank, task_event e) {
        switch (e.is) {
            case task_event::turn:
                return;
            case task_event::made:
                return order.pass_strand(rank);
            case task_event::left:
                e.number = order.messages().count(rank);
                break;
            case task_event::came:
                e.number = order.messages().of(e.rank, e.number);
                e.rank = 0;
                break;
            case task_event::mark: {
                std::uint32_t& phase = m_phase_of[rank][e.value];
                phase = m_phases.enter(e.task, reports[rank].marks[e.value - 1]);
                e.value = phase;
                last_phase[e.task] = std::max(last_phase[e.task], phase);
                break;
            }
            default:
                break;
        }
        if (shows(e)) m_log.append(e);
    };
    merge_records(
        of_ranks, [&](std::uint32_t rank, const task_event& e) { return order.place_of(rank, e); }, pass);
    take_times(reports, last_phase);
}

/// Takes the times of all ranks; `last_phase`: last of all phases that each task was in.
void recorder::take_times(const std::vector<report>& reports, const std::vector<std::uint32_t>& last_phase) {
    for (std::size_t rank = 0; rank < reports.size(); ++rank)
        for (const auto& [task, there] : reports[rank].times) {
            std::vector<task_states::times> spent(there.empty() ? 0 : last_phase[task] + 1);
            for (std::size_t phase = 0; phase < there.size(); ++phase)
                if (const std::uint32_t here = m_phase_of[rank][phase]; here < spent.size())
                    for (std::size_t s = 0; s < task_state_count; ++s) spent[here][s] += there[phase][s];
            m_states.take(task, std::move(spent));
        }
}

std::vector<path_segment> recorder::way() const {
    std::vector<path_segment> all = m_path.result();
    for (path_segment& s : all)
        if (!m_phase_of.empty()) s.phase = m_phase_of[s.rank][s.phase];
    return all;
}

}  // namespace sare::traffic
