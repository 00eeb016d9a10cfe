// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/statistic.h"

#include "tlm/state/archive.h"
#include "tlm/stats/results.h"
#include "tlm/topology/topology.h"

#include <algorithm>
#include <set>

namespace sare {
namespace {

const bool named = (statistic_registry::instance().name_kind("statistic", "name"), true);

std::map<std::string, std::vector<figure>>& figures() {
    static std::map<std::string, std::vector<figure>> all;
    return all;
}

/// Names of the statistics that count events.
std::set<std::string>& counters() {
    static std::set<std::string> all;
    return all;
}

void list_ports(const topology& map, run_result& out) {
    for (std::uint32_t r = 0; r < map.routers(); ++r)
        for (std::uint32_t p = 0; p < map.ports(router_id(r)); ++p) out.port_places.push_back({r, p});
}

}  // namespace

fabric& statistic_context::flit_level(const std::string& name, const config::location& at) const {
    if (net == nullptr)
        throw config::error(at, "the statistic '" + name +
                                    "' is of routers and links, which the contention-free model has not; it "
                                    "needs fidelity: flit");
    return *net;
}

const std::vector<figure>& figures_of(const std::string& name) {
    return figures()[name];
}

bool counts_events(const config::value& list) {
    if (list.type() == config::value::kind::null) return false;
    for (const config::value& section : config::to_list(list, "statistics"))
        if (counters().count(statistic_registry::instance().chosen(section).name) != 0) return true;
    return false;
}

void statistic_declaration::set(const std::string& name, std::vector<figure> all, counting counts) {
    if (counts == counting::events) counters().insert(name);
    const std::vector<figure> of_every_run = declared_figures();
    for (const figure& f : all)
        for (const figure& other : of_every_run)
            if (f.of == other.of && f.name == other.name) config::name_taken("figure", f.name);
    figures().emplace(name, std::move(all));
}

statistic_set::statistic_set(const config::value& list, statistic_context context) {
    context.others = this;
    if (list.type() == config::value::kind::null) return;
    for (const config::value& section : config::to_list(list, "statistics")) {
        const std::string name = statistic_registry::instance().chosen(section).name;
        const auto same = [&name](const one& s) { return s.name == name; };
        if (std::any_of(m_all.begin(), m_all.end(), same))
            throw config::error(section.where(), "the statistic '" + name + "' is asked for twice");
        m_all.push_back({name, statistic_registry::instance().make(section, context)});
        statistic& made = *m_all.back().what;
        if (made.wants_packets()) m_of_packets.push_back(&made);
        if (made.wants_messages()) m_of_messages.push_back(&made);
    }
}

void statistic_set::start(cycle_t now) {
    for_each([&](statistic& s) { s.start(now); });
}

void statistic_set::sample(cycle_t now) {
    for_each([&](statistic& s) { s.sample(now); });
}

void statistic_set::stop(cycle_t now) {
    for_each([&](statistic& s) { s.stop(now); });
}

cycle_t statistic_set::next_look() const {
    cycle_t next = workload::never;
    for (const one& s : m_all) next = std::min(next, s.what->next_look());
    return next;
}

void statistic_set::look(cycle_t now) {
    for (const one& s : m_all)
        if (s.what->next_look() <= now) s.what->look(now);
}

std::vector<std::uint64_t> statistic_set::waits(cycle_t now) const {
    for (const one& s : m_all)
        if (std::vector<std::uint64_t> found = s.what->waits(now); !found.empty()) return found;
    return {};
}

void statistic_set::add_up(world& all) {
    for_each([&](statistic& s) { s.add_up(all); });
}

void statistic_set::serialize(archive& a) {
    for_each([&](statistic& s) { s.serialize(a); });
}

void statistic_set::read(reading from, run_result& out) const {
    for (const one& s : m_all) {
        from.own = s.what.get();
        for (const figure& f : figures_of(s.name)) {
            if (f.of == scope::port && out.port_places.empty()) list_ports(from.map, out);
            read_figure(f, from, out);
        }
        s.what->report(from, out);
    }
}

}  // namespace sare
