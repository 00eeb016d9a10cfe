// SPDX-License-Identifier: Apache-2.0
#include "traffic/application/applications.h"

#include <fmt/format.h>

#include <cctype>
#include <numeric>

/// The setup of applications: which there are, how many tasks each has, and on which nodes.
namespace sare::traffic {
namespace {

config::value resolve_placement(const config::value& v) {
    return placement_registry::instance().resolve(v);
}

/// Checks a name, which becomes a part of file names.
void check_name(const std::string& name, const config::location& at) {
    bool good = !name.empty();
    for (const char c : name)
        good = good && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-');
    if (!good)
        throw config::error(
            at, "the application is called '" + name + "'; a name must be of letters, digits, '_' and '-'");
}

application_parameters read_one(const std::string& name, const config::value& section) {
    check_name(name, section.where());
    application_parameters p;
    application_fields().read(section, p, "application '" + name + "'");
    if (p.traffic.type() == config::value::kind::null)
        throw config::error(section.where(),
                            "application '" + name + "' needs 'traffic: ' with its workload");
    return p;
}

/// Resolves every section, with what it chooses.
config::value resolve_all(const config::value& all) {
    config::value out = config::value::map({});
    for (const auto& [name, section] : all.entries()) {
        const application_parameters p = read_one(name, section);
        config::value one = application_fields().write(p);
        one.set("traffic", workload_registry::instance().resolve(p.traffic));
        if (p.placement_rule.type() == config::value::kind::null)
            one.remove("placement");
        else
            one.set("placement", resolve_placement(p.placement_rule));
        out.set(name, one);
    }
    return out;
}

std::string count_text(std::uint64_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

}  // namespace

const config::schema<applications_parameters>& applications_fields() {
    using p = applications_parameters;
    static const auto fields =
        config::schema<p>()
            .sections("applications", &p::all, application_fields().describe(),
                      "What runs, each under a name of your choice; in this order they take their nodes.",
                      resolve_all)
            .raw("placement", &p::placement_rule, "placement",
                 "of those without one of their own; file: its applications are all instances, numbered in "
                 "order",
                 resolve_placement)
            .text("only", &p::only,
                  "an application, or NAME.0, NAME.1, ... of one with instances: it alone runs, on the nodes "
                  "that it has beside the others");
    return fields;
}

applications::applications(const applications_parameters& p, const config::value& section,
                           const workload_context& c)
    : m_free(c.nodes), m_count(0) {
    const std::vector<declared> all = read(p, section);
    for (const declared& d : all) m_count += d.what.instances;
    for (const declared& d : all) add(d, p.placement_rule, c);
    if (!p.only.empty()) leave_only(p.only, section);
    bool foreground = false;
    for (std::size_t k = 0; k < m_all.size(); ++k) {
        if (m_only != every && k != m_only) continue;
        foreground = foreground || !m_all[k].what->parameters().background;
        m_ends = m_ends || m_all[k].what->ends();
    }
    if (!foreground)
        throw config::error(section.where(),
                            "all applications are in the background: none is there to be measured; one must "
                            "have 'background: false'");
}

std::vector<applications::declared> applications::read(const applications_parameters& p,
                                                       const config::value& section) {
    if (p.all.type() != config::value::kind::map || p.all.entries().empty())
        throw config::error(p.all.type() == config::value::kind::null ? section.where() : p.all.where(),
                            "workload 'applications' needs 'applications: ' with a section for each, such as "
                            "'solver: {traffic: butterfly}'");
    std::vector<declared> all;
    for (const auto& [name, v] : p.all.entries()) all.push_back({name, v, read_one(name, v)});
    return all;
}

void applications::add(const declared& d, const config::value& placement_rule, const workload_context& c) {
    const bool own = d.what.placement_rule.type() != config::value::kind::null;
    const config::value& rule = own ? d.what.placement_rule : placement_rule;
    for (std::uint32_t i = 0; i < d.what.instances; ++i) {
        const auto number = static_cast<std::uint32_t>(m_all.size());
        const std::string name = d.what.instances == 1 ? d.name : fmt::format("{}.{}", d.name, i);
        placement_context around{c.folder, own ? d.what.placement_rule.where() : d.section.where()};
        around.application = own ? i : number;
        around.applications = own ? 0 : m_count;
        entry e;
        e.where = placement_registry::instance().make(rule, around);
        std::unique_ptr<workload> work;
        const application::identity who{name, number, d.section.where()};
        const std::uint32_t tasks = tasks_of(d, who, *e.where, d.what.instances - i, c, work);
        if (!d.what.shared) m_free -= (tasks - 1) / d.what.tasks_per_node + 1;
        e.what = std::make_unique<application>(who, d.what, std::move(work), tasks);
        m_all.push_back(std::move(e));
    }
}

/// Returns the number of tasks: as written; else as the placement has places for, as the workload needs, or
/// the share of the nodes that are left. Makes the workload, which is told how many nodes it will see.
std::uint32_t applications::tasks_of(const declared& d, const application::identity& who,
                                     const placement& where, std::uint32_t instances_left,
                                     const workload_context& c, std::unique_ptr<workload>& work) {
    const application_parameters& p = d.what;
    const std::uint64_t nodes = p.shared ? c.nodes : m_free;
    const std::uint64_t share = (p.shared ? nodes : nodes / instances_left) * p.tasks_per_node;
    std::uint64_t tasks = p.tasks != 0 ? p.tasks : where.tasks();
    const auto wrong = [&who](const std::string& what) {
        throw config::error(who.at, "application '" + who.name + "' " + what);
    };
    if (tasks == 0 && share == 0)
        wrong(
            "finds no free node; give others fewer 'tasks', or set 'shared: true', to run on nodes that "
            "others have");
    const auto seen =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(tasks != 0 ? tasks : share, 16777216));
    work = workload_registry::instance().make(p.traffic,
                                              {c.folder, seen, nullptr, c.cycle_seconds, c.flit_bytes});
    const std::uint32_t needed = work->nodes_needed();
    if (tasks == 0) tasks = needed != 0 ? needed : seen;
    if (needed > tasks)
        wrong(fmt::format("has {}, its workload needs {}; raise 'tasks'", count_text(tasks, "task"), needed));
    if ((tasks - 1) / p.tasks_per_node >= nodes)
        wrong(
            fmt::format("has {}, {} of a node, but {}{} there; lower 'tasks', raise 'tasks_per_node'{} or "
                        "take a larger network",
                        count_text(tasks, "task"), p.tasks_per_node,
                        count_text(nodes, p.shared ? "node" : "free node"), nodes == 1 ? " is" : " are",
                        p.shared || (tasks - 1) / p.tasks_per_node >= c.nodes
                            ? ""
                            : ", set 'shared: true' where it may run on nodes that others have,"));
    return static_cast<std::uint32_t>(tasks);
}

void applications::leave_only(const std::string& name, const config::value& section) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < m_all.size(); ++k) {
        names.push_back(m_all[k].what->who().name);
        if (names.back() == name) m_only = k;
    }
    if (m_only != every) return;
    const config::value* given = section.find("only");
    const std::string near = config::nearest(name, names);
    throw config::error(
        given != nullptr ? given->where() : section.where(),
        "'only' is '" + name + "', which no application is called; " +
            (near.empty() ? "the first is '" + names.front() + "'" : "did you mean '" + near + "'?"));
}

/// Returns the nodes of all tasks of all applications. Given places come first, the others take what is left.
std::vector<std::vector<std::uint32_t>> applications::place(const traffic_port& port) const {
    std::vector<std::vector<std::uint32_t>> nodes(m_all.size());
    std::vector<bool> taken(port.nodes());
    for (const bool given : {true, false})
        for (std::size_t k = 0; k < m_all.size(); ++k) {
            const application& a = *m_all[k].what;
            const application_parameters& p = a.parameters();
            if ((m_all[k].where->tasks() != 0) != given) continue;
            const placement_request what{a.tasks(), p.tasks_per_node, "application '" + a.who().name + "'",
                                         p.shared ? nullptr : &taken};
            nodes[k] = m_all[k].where->nodes_of(what, port);
            if (p.shared) continue;
            for (const std::uint32_t n : nodes[k]) taken[n] = true;
        }
    return nodes;
}

void applications::start(traffic_port& port) {
    m_port = &port;
    m_apart = !has_all_nodes(port);
    m_requests.start(port);
    std::vector<std::vector<std::uint32_t>> nodes = place(port);
    if (m_only != every) {
        std::swap(m_all.front(), m_all[m_only]);
        std::swap(nodes.front(), nodes[m_only]);
        m_all.resize(1);
        nodes.resize(1);
    }
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        for (std::uint32_t t = 0; t < nodes[k].size(); ++t) m_residents.push_back({nodes[k][t], k, t});
        if (m_all[k].what->ends()) ++m_open;
    }
    std::stable_sort(m_residents.begin(), m_residents.end());
    for (std::uint32_t k = 0; k < m_all.size(); ++k) {
        m_all[k].what->begin(port, m_requests, std::move(nodes[k]), k);
    }
    for (std::uint32_t k = 0; k < m_all.size(); ++k) update(k);
    find_next();
    if (m_apart && m_open != 0 && m_open != m_all.size()) m_agreement = port.first_cycle();
}

namespace {

const config::registration<workload, const workload_context&> registered{
    "applications", "Several applications at once, each a workload of its own on nodes of its own.",
    applications_fields(), config::made<applications>};

}  // namespace
}  // namespace sare::traffic
