// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/applications.h"

#include "tlm/api/observation.h"

#include <fmt/format.h>

/// The calls of a run, each of which goes to the applications that it is meant for.
namespace sare::traffic {

/// Notes what an application has done: when it is to be called next, and whether it was the last one that all
/// others wait for. Those that can do nothing any more are not waited for: the run has to find them stuck.
void applications::update(std::uint32_t k) {
    application& a = *m_all[k].what;
    m_all[k].due = a.next_tick();
    const cycle_t now = m_port->now();
    if ((!m_apart || takes_part(a, now)) && a.completes(std::max(now, a.first_cycle())) && a.ends()) --m_open;
    if (m_apart || !a.ends() || m_last != never || m_all[k].due != never) return;
    const bool over = std::all_of(m_all.begin(), m_all.end(), [](const entry& e) {
        return !e.what->ends() || e.what->complete() || e.what->is_still();
    });
    if (!over) return;
    m_last = now;
    find_next();
}

void applications::find_next() {
    m_next = never;
    for (const entry& e : m_all)
        if (takes_part(*e.what, e.due)) m_next = std::min(m_next, e.due);
}

/// Updates after a call that is not tick(): most change nothing of what is next.
void applications::after(std::uint32_t k) {
    const cycle_t before = m_all[k].due;
    update(k);
    const cycle_t due = m_all[k].due;
    if (due == before) return;
    if (before == m_next)
        find_next();
    else if (takes_part(*m_all[k].what, due))
        m_next = std::min(m_next, due);
}

void applications::tick(cycle_t now) {
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        if (m_all[k].due > now || !takes_part(*m_all[k].what, now)) continue;
        m_all[k].what->tick(now);
        update(k);
    }
    find_next();
}

void applications::delivered(const delivery& d) {
    const std::uint32_t k = application::tag_number(d.what);
    application& a = *m_all[k].what;
    a.delivered(d, takes_part(a, d.consumed));
    after(k);
}

void applications::dropped(const message& m, const std::string& cause) {
    const std::uint32_t k = application::tag_number(m);
    application& a = *m_all[k].what;
    if (!takes_part(a, m_port->now())) return;
    a.dropped(m, cause);
    after(k);
}

void applications::lost(const message& m) {
    const std::uint32_t k = application::tag_number(m);
    application& a = *m_all[k].what;
    a.lost(m, takes_part(a, m_port->now()));
    after(k);
}

void applications::queue_space(std::uint32_t node, std::uint32_t message_class) {
    m_requests.serve(node, message_class, [this](const queue_space_requests::request& r) {
        application& a = *m_all[r.sender].what;
        if (!takes_part(a, m_port->now())) return;
        a.queue_space(r);
        after(r.sender);
    });
}

traffic_loop applications::loop() const {
    traffic_loop all = m_all[0].what->work().loop();
    for (const entry& e : m_all) all = both(all, e.what->work().loop());
    return all;
}

/// Returns the progress of the application that is least far.
double applications::progress() const {
    double least = 1;
    for (const entry& e : m_all) {
        if (!e.what->ends() || e.what->complete()) continue;
        least = std::min(least, e.what->work().progress());
    }
    return least;
}

void applications::measured_from(cycle_t now) {
    for (const entry& e : m_all) e.what->measured_from(now);
}

void applications::measured_to(cycle_t now) {
    for (const entry& e : m_all) e.what->measured_to(now);
}

/// Hands the judged sources to all: tasks of a node share its queues.
void applications::judged(const judged_sources& all) {
    for (const entry& e : m_all) {
        const std::uint32_t first = e.what->first_class();
        judged_sources its;
        its.settled = all.settled;
        for (const auto& [from, to] :
             {std::pair(&all.growing, &its.growing), std::pair(&all.doubtful, &its.doubtful)})
            for (const auto& [node, message_class] : *from)
                for (std::uint32_t task = 0; message_class >= first && task < e.what->places().size(); ++task)
                    if (e.what->places()[task] == node) to->emplace_back(task, message_class - first);
        e.what->work().judged(its);
    }
}

generated_counts applications::generated(cycle_t now) {
    generated_counts sum;
    for (const entry& e : m_all) sum += e.what->generated(e.what->ends() ? now : std::min(now, m_last));
    return sum;
}

generated_counts applications::backlog_of(std::uint32_t node, std::uint32_t message_class) const {
    return sum_of(node, [message_class](const application& a, std::uint32_t task) {
        return message_class < a.first_class() ? generated_counts{}
                                               : a.work().backlog_of(task, message_class - a.first_class());
    });
}

generated_counts applications::refused_of(std::uint32_t node, std::uint32_t message_class) const {
    return sum_of(node, [message_class](const application& a, std::uint32_t task) {
        return message_class < a.first_class() ? generated_counts{}
                                               : refused_by(a.work(), task, message_class - a.first_class());
    });
}

std::uint32_t applications::largest_message() const {
    std::uint32_t largest = 0;
    for (const entry& e : m_all) largest = std::max(largest, e.what->work().largest_message());
    return largest;
}

std::uint32_t applications::classes_needed() const {
    std::uint32_t most = 1;
    for (const entry& e : m_all)
        most = std::max(most, e.what->first_class() + e.what->work().classes_needed());
    return most;
}

config::value applications::results() const {
    std::vector<config::value> all;
    cycle_t last = 0;
    for (const entry& e : m_all) {
        all.push_back(e.what->results());
        if (e.what->ends() && e.what->complete()) last = std::max(last, e.what->completed());
    }
    config::value out = config::value::map({});
    if (m_ends && m_port != nullptr) {
        const cycle_t makespan = last - std::min(last, m_port->first_cycle());
        out.set("makespan_cycles", config::number(makespan));
        out.set("makespan_seconds", config::number(static_cast<double>(makespan) * m_port->cycle_seconds()));
    }
    out.set("applications", config::value::list(std::move(all)));
    return out;
}

/// Returns the tables; placement.txt is a placement file again.
std::vector<std::pair<std::string, std::string>> applications::tables() const {
    table rows = application::new_table();
    std::string places = "# node task application\n";
    std::vector<std::pair<std::string, std::string>> all{{"applications.csv", ""}, {"placement.txt", ""}};
    for (const entry& e : m_all) {
        const application& a = *e.what;
        a.add_row(rows);
        for (std::size_t t = 0; t < a.places().size(); ++t)
            places += fmt::format("{} {} {}\n", a.places()[t], t, a.who().number);
        for (auto& [name, text] : a.work().tables())
            all.emplace_back(a.who().name + "." + name, std::move(text));
    }
    all[0].second = rows.text();
    all[1].second = std::move(places);
    return all;
}

/// Returns the files of all, each named like a table: the application's name, then its own.
result_streams applications::files() const {
    result_streams all;
    for (const entry& e : m_all)
        for (auto& [name, write] : e.what->work().files())
            all.emplace_back(e.what->who().name + "." + name, std::move(write));
    return all;
}

/// Lets the workloads observe: their messages are between tasks, and the contention-free model wants nodes.
bool applications::observe(const observation& how) {
    bool any = false;
    for (const entry& e : m_all) {
        observation its = how;
        its.alone = [alone = how.alone, a = e.what.get()](const message& m) {
            message placed = m;
            placed.source = a->places()[m.source];
            placed.destination = a->places()[m.destination];
            return placed.source == placed.destination ? 0 : alone(placed);
        };
        its.place_of = [a = e.what.get()](std::uint32_t task) { return a->places()[task]; };
        any = e.what->work().observe(its) || any;
    }
    return any;
}

/// Gives each application a folder of its own.
void applications::use(const host_services& host) {
    for (const entry& e : m_all) {
        host_services its = host;
        if (!its.folder.empty()) its.folder += "/" + e.what->who().name;
        e.what->work().use(its);
    }
}

config::value applications::host_results() const {
    config::value out;
    for (const entry& e : m_all) {
        const config::value one = e.what->work().host_results();
        if (one.type() == config::value::kind::null) continue;
        if (out.type() == config::value::kind::null) out = config::value::map({});
        out.set(e.what->who().name, one);
    }
    return out;
}

standstill applications::stuck() const {
    standstill all;
    for (std::size_t k = 0; k < m_all.size(); ++k) {
        const application& a = *m_all[k].what;
        if (!a.ends() || a.complete()) continue;
        const standstill its = a.work().stuck();
        if (all.first.empty() && !its.first.empty())
            all = {"application '" + a.who().name + "': " + its.first, k << 32 | its.place, all.tasks};
        all.tasks += its.tasks;
    }
    return all;
}

std::string applications::failure() const {
    for (const entry& e : m_all)
        if (const std::string why = e.what->work().failure(); !why.empty())
            return "application '" + e.what->who().name + "': " + why;
    return "";
}

}  // namespace sare::traffic
