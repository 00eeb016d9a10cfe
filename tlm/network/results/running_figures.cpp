// SPDX-License-Identifier: Apache-2.0
#include "tlm/network/results/running_figures.h"

#include "tlm/api/network_engine.h"
#include "tlm/fabric/fabric.h"
#include "tlm/inside/describe.h"
#include "tlm/network/results/picture.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace sare {
namespace {

/// Words before the brackets of a reference.
constexpr std::pair<const char*, scope> scope_words[] = {{"router", scope::router},
                                                         {"port", scope::port},
                                                         {"link", scope::link},
                                                         {"node", scope::node},
                                                         {"class", scope::message_class}};

/// Short names of latencies, as runs in a store have them, and what they stand for.
constexpr std::pair<std::string_view, std::string_view> short_names[] = {
    {"latency.", "latency.packet.from_generation."}, {"network_latency.", "latency.packet.from_injection."}};

/// Returns `name` with `to` in the place of `from` at its beginning, if nothing but a last word follows; else
/// "".
std::string renamed(const std::string& name, std::string_view from, std::string_view to) {
    if (name.rfind(from, 0) != 0 || name.find('.', from.size()) != std::string::npos) return "";
    return std::string(to) + name.substr(from.size());
}

std::string with_underscores(std::string name) {
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

/// Calls f(figure, statistic) for each declared figure; statistic: "" for those of every run.
template <class F>
void for_each_figure(const F& f) {
    for (const figure& one : declared_figures()) f(one, std::string());
    for (const auto& [name, variant] : statistic_registry::instance().variants())
        for (const figure& one : figures_of(name)) f(one, name);
}

}  // namespace

/// Figures that begin together.
struct running_figures::window {
    window(const std::string& name, const experiment& e, network_engine& engine, fabric& net)
        : statistic(name),
          asked(name.empty() ? config::value::list({}) : config::value::list({config::value::scalar(name)}),
                {engine.counters(), &net, 8 * e.nic.flit_bytes, &e.sections}),
          counts(engine.counters(), false, [&engine](std::uint32_t r, std::uint32_t p, std::uint32_t v) {
              return engine.flits_sent(r, p, v);
          }) {
        counts.ask(asked);
    }

    std::string statistic;
    statistic_set asked;
    collector counts;
    cycle_t since = 0, read_at = workload::never;
    run_result out;
};

running_figures::running_figures(const experiment& e, network_engine& engine, fabric& net, workload& traffic)
    : m_experiment(e), m_engine(engine), m_net(net), m_traffic(traffic) {}

running_figures::~running_figures() {
    for (const auto& w : m_windows) m_engine.remove_observer(w->counts);
}

std::vector<std::string> running_figures::names() {
    std::vector<std::string> all;
    for_each_figure([&](const figure& f, const std::string&) {
        if (f.of == scope::run) all.push_back(f.name);
        for (const auto& [word, whole] : short_names)
            if (std::string name = renamed(f.name, whole, word); f.of == scope::run && !name.empty())
                all.push_back(std::move(name));
        for (const auto& [word, of] : scope_words)
            if (f.of == of) all.push_back(std::string(word) + "[]." + f.name);
    });
    return all;
}

std::size_t running_figures::row_of(scope of, const std::string& place, const std::string& text) const {
    const topology& map = *m_net.view().map();
    const config::location here{text, 0, 0};
    if (of == scope::node) return map.names().find(place_kind::node, place, map.nodes(), here);
    if (of == scope::router) return map.names().find(place_kind::router, place, map.routers(), here);
    if (of == scope::message_class)
        return config::to_integer(config::value::scalar(place, here), "class", 0, m_net.view().classes() - 1);
    const auto dot = place.rfind('.');
    const std::uint32_t r = map.names().find(place_kind::router, place.substr(0, dot), map.routers(), here);
    std::size_t row = 0;
    for (std::uint32_t at = 0; at <= r; ++at)
        for (std::uint32_t p = 0; p < map.ports(router_id(at)); ++p) {
            const bool leads_nowhere = map.peer(router_id(at), port_id(p)).what == port_peer::kind::none;
            if (of == scope::link && leads_nowhere) continue;
            const std::string name = dot == std::string::npos ? "" : place.substr(dot + 1);
            if (at == r && (name == port_name(map, r, p) || name == std::to_string(p))) return row;
            ++row;
        }
    throw config::error(here,
                        "no such port; a port is named by its router and its own name, as in link[12.+x]");
}

running_figures::reference running_figures::find(const std::string& text) const {
    reference found;
    std::string name = text;
    std::optional<std::string> place;
    if (const auto open = text.find('['), close = text.find("].");
        close != std::string::npos && open < close) {
        const auto* const word = std::find_if(std::begin(scope_words), std::end(scope_words),
                                              [&](const auto& w) { return w.first == text.substr(0, open); });
        if (word == std::end(scope_words))
            throw config::error(text + ": '" + text.substr(0, open) +
                                "' has no figures; router, port, link, node and class have");
        found.of = word->second;
        place = text.substr(open + 1, close - open - 1);
        name = text.substr(close + 2);
    }
    for (const auto& [word, whole] : short_names)
        if (std::string declared = renamed(name, word, whole); !place && !declared.empty())
            name = std::move(declared);
    for_each_figure([&](const figure& f, const std::string& statistic) {
        if (f.of != found.of || with_underscores(f.name) != with_underscores(name)) return;
        found.name = f.name;
        found.statistic = statistic;
    });
    if (found.name.empty()) {
        std::string plain = text;
        if (place) plain.replace(text.find('['), place->size() + 2, "[]");
        const std::vector<std::string> known = names();
        std::string near = config::nearest(plain, known);
        const auto ends_so = [&plain](const std::string& one) {
            return one.size() > plain.size() + 1 && one.find('[') == std::string::npos &&
                   one.compare(one.size() - plain.size() - 1, std::string::npos, "." + plain) == 0;
        };
        if (near.empty())
            if (const auto one = std::find_if(known.begin(), known.end(), ends_so); one != known.end())
                near = *one;
        throw config::error(
            text + ": no such figure; " +
            (near.empty() ? "'sare describe statistics' lists them" : "did you mean " + near + "?"));
    }
    if (place) found.row = row_of(found.of, *place, text);
    return found;
}

running_figures::window& running_figures::window_of(const std::string& statistic, cycle_t now) {
    for (const auto& w : m_windows)
        if (w->statistic == statistic) return *w;
    auto made = std::make_unique<window>(statistic, m_experiment, m_engine, m_net);
    made->since = now;
    m_engine.add_observer(made->counts);
    made->counts.start_window(now, m_traffic);
    m_windows.push_back(std::move(made));
    return *m_windows.back();
}

void running_figures::count(const reference& what, cycle_t now) {
    window_of(what.statistic, now);
}

cycle_t running_figures::next_look() const {
    cycle_t next = workload::never;
    for (const auto& w : m_windows) next = std::min(next, w->counts.next_look());
    return next;
}

void running_figures::look(cycle_t now) {
    for (const auto& w : m_windows) w->counts.look(now);
}

void running_figures::read(window& w, cycle_t now) const {
    if (w.read_at == now) return;
    w.read_at = now;
    const topology& map = *m_net.view().map();
    w.out = run_result();
    report_size(map, w.out);
    w.out.classes = m_net.view().classes();
    w.counts.report_so_far(now, m_traffic, w.out);
    report_positions(map, w.out);
    const reading from{w.out, map, &m_net.view(), static_cast<double>(now - w.since)};
    read_figures(from, w.out);
    w.asked.read(from, w.out);
}

double running_figures::value(const reference& what, cycle_t now) {
    window& w = window_of(what.statistic, now);
    read(w, now);
    if (what.of == scope::run) return w.out.figure_of(what.name);
    const figure_view column = w.out.column_of(what.of, what.name);
    return column && what.row < column.size() ? column.number(what.row) : std::nan("");
}

}  // namespace sare
