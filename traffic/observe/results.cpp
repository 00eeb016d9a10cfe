// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/log/perfetto.h"
#include "tlm/stats/table.h"
#include "traffic/observe/recorder.h"
#include "traffic/observe/views.h"

#include <algorithm>
#include <array>

/// Tables of the record.
namespace sare::traffic {
namespace {

/// The parts of a critical path's time.
enum part : std::uint8_t { compute, send, receive, injection, transit, contention, handshake, local, parts };
constexpr const char* part_names[parts] = {"compute", "send_overhead", "receive_overhead", "injection",
                                           "transit", "contention",    "handshake",        "local"};

struct piece {
    part is;
    cycle_t begin, end;
};

/// Returns a message's pieces: its wait in the source, the time that it takes alone, and the rest: in this
/// order, as if it were held up at the end.
std::vector<piece> pieces_of(const path_segment& s) {
    switch (s.is) {
        case path_segment::message: {
            const cycle_t injected = std::clamp(s.injected, s.begin, s.end);
            const cycle_t crossed = injected + std::min(s.alone, s.end - injected);
            return {
                {injection, s.begin, injected}, {transit, injected, crossed}, {contention, crossed, s.end}};
        }
        case path_segment::compute:
            return {{compute, s.begin, s.end}};
        case path_segment::send:
            return {{send, s.begin, s.end}};
        case path_segment::receive:
            return {{receive, s.begin, s.end}};
        case path_segment::queue:
            return {{injection, s.begin, s.end}};
        case path_segment::handshake:
            return {{handshake, s.begin, s.end}};
        case path_segment::local:
            break;
    }
    return {{local, s.begin, s.end}};
}

bool is_message(const path_segment& s) {
    return s.is >= path_segment::message;
}

struct totals {
    std::array<cycle_t, parts> cycles{};
    std::uint64_t messages = 0;

    void add(const path_segment& s) {
        for (const piece& p : pieces_of(s)) cycles[p.is] += p.end - p.begin;
        messages += is_message(s) ? 1 : 0;
    }
    cycle_t all() const {
        cycle_t sum = 0;
        for (const cycle_t c : cycles) sum += c;
        return sum;
    }
    config::value tree() const {
        config::value out = config::value::map({});
        out.set("cycles", config::number(all()));
        for (std::size_t p = 0; p < parts; ++p)
            out.set(std::string(part_names[p]) + "_cycles", config::number(cycles[p]));
        out.set("messages", config::number(messages));
        return out;
    }
};

const table_form matrix_form{"task_matrix.csv", R"(
    source: count. Task that sends.
    destination: count. Task that receives.
    messages: count in messages. Between them.
    bytes: count in bytes. Of these.
)"};
const table_form phases_form{"phases.csv", R"(
    phase: text. Name of the phase.
    state: text. What tasks did in it.
    tasks: count. That were in the phase.
    min_cycles: count in cycles. Least that one of them did it.
    mean_cycles: number in cycles. Mean of them.
    max_cycles: count in cycles. Most that one of them did it.
)"};
const table_form path_form{"critical_path.csv", R"(
    begin: count in cycles. From this cycle
    end: count in cycles. to before this one
    part: text. the run's time goes to this
    from: count. in this task,
    to: count. or from it to this one,
    phase: text. in this phase.
)"};
const table_form pairs_form{"critical_path_pairs.csv", R"(
    from: count. Task.
    to: count. Task; the same: what was spent in it.
    messages: count in messages. On the path between them.
    cycles: count in cycles. Of the path.
)",
                            R"(
    compute: count in cycles. Of these, those of each part.
)"};

}  // namespace

void recorder::add_results(config::value& out) const {
    if (!m_what.critical_path) return;
    totals whole;
    std::map<std::uint32_t, totals> by_phase;
    const std::vector<path_segment> path = way();
    for (const path_segment& s : path) {
        whole.add(s);
        by_phase[s.phase].add(s);
    }
    config::value tree = whole.tree();
    tree.set("spans", config::number(path.size()));
    if (m_phases.size() > 1) {
        config::value phases = config::value::map({});
        for (const auto& [phase, t] : by_phase) phases.set(phase == 0 ? "none" : phase_name(phase), t.tree());
        tree.set("phases", phases);
    }
    out.set("critical_path", tree);
}

std::vector<std::pair<std::string, std::string>> recorder::tables() const {
    std::vector<std::pair<std::string, std::string>> all;
    if (m_what.matrix) all.emplace_back("task_matrix.csv", matrix());
    if (m_what.timeline) all.emplace_back("phases.csv", phases());
    if (!m_what.critical_path) return all;
    const std::vector<path_segment> its = way();
    all.emplace_back("critical_path.csv", path(its));
    all.emplace_back("critical_path_pairs.csv", path_pairs(its));
    return all;
}

std::string recorder::matrix() const {
    table rows(matrix_form);
    for (const auto& [pair, count] : m_matrix) rows.row(pair.first, pair.second, count.messages, count.bytes);
    return rows.text();
}

/// Returns a table of every phase and state: cycles of the tasks that were in the phase.
std::string recorder::phases() const {
    table rows(phases_form);
    for (std::uint32_t phase = 0; phase < m_phases.size(); ++phase)
        for (std::size_t s = task_state_count; s-- > 0;) {
            std::uint64_t tasks = 0;
            cycle_t least = ~cycle_t{0}, most = 0;
            double sum = 0;
            for (std::uint32_t k = 0; k < m_shown.size(); ++k) {
                const auto& spent = m_states.spent(k);
                if (phase >= spent.size()) continue;
                ++tasks;
                least = std::min(least, spent[phase][s]);
                most = std::max(most, spent[phase][s]);
                sum += static_cast<double>(spent[phase][s]);
            }
            if (tasks == 0) continue;
            rows.row(phase_name(phase), state_name(static_cast<task_state>(s)), tasks, least,
                     config::number_text(sum / static_cast<double>(tasks)), most);
        }
    return rows.text();
}

std::string recorder::path(const std::vector<path_segment>& way) const {
    table rows(path_form);
    for (const path_segment& s : way)
        for (const piece& p : pieces_of(s)) {
            if (p.begin == p.end) continue;
            rows.row(p.begin, p.end, part_names[p.is], s.from, s.to, phase_name(s.phase));
        }
    return rows.text();
}

/// Returns a table of the path's time in a task, and between two of them.
std::string recorder::path_pairs(const std::vector<path_segment>& way) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, totals> all;
    for (const path_segment& s : way) all[{s.from, s.to}].add(s);
    table rows(pairs_form, {std::begin(part_names), std::end(part_names)});
    for (const auto& [pair, t] : all) {
        rows.counts({pair.first, pair.second});
        rows.counts({t.messages, t.all()});
        for (const cycle_t c : t.cycles) rows.cell(c);
        rows.end_row();
    }
    return rows.text();
}

result_streams recorder::files() const {
    result_streams all;
    const auto self = shared_from_this();
    if (m_what.timeline) {
        all.emplace_back("timeline.csv", [self](std::ostream& out) { views(*self).timeline(out); });
        all.emplace_back("marks.csv", [self](std::ostream& out) { views(*self).marks(out); });
    }
    if (m_what.paje) all.emplace_back("trace.paje", [self](std::ostream& out) { views(*self).paje(out); });
    if (m_when.perfetto)
        all.emplace_back(perfetto_file, [self](std::ostream& out) { views(*self).perfetto(out); });
    return all;
}

}  // namespace sare::traffic
