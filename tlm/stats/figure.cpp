// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/figure.h"

#include "tlm/config/registry.h"
#include "tlm/stats/results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace sare {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

struct declared_figure {
    int order;
    figure what;
};

std::vector<declared_figure>& declarations() {
    static std::vector<declared_figure> all;
    return all;
}

double to_number(const figure_cell& cell) {
    if (const auto* count = std::get_if<std::uint64_t>(&cell)) return static_cast<double>(*count);
    const auto* number = std::get_if<double>(&cell);
    return number == nullptr ? no_number : *number;
}

std::size_t rows_of(scope s, const run_result& out) {
    switch (s) {
        case scope::run:
            return 1;
        case scope::router:
            return out.router_places.size();
        case scope::port:
            return out.port_places.size();
        case scope::link:
        case scope::vc:
            return out.link_loads.size();
        case scope::node:
            return out.node_loads.size();
        case scope::message_class:
            return out.classes;
        case scope::flow:
            return out.matrix.size();
    }
    return 0;
}

/// Of runs and classes there are few, and the former may change what they are read from.
void add_column(const figure& f, std::string name, std::uint32_t vc, const reading& from, run_result& out) {
    figure_column column(std::move(name), f, vc, from, rows_of(f.of, out));
    if (f.is_kept || f.of == scope::run || f.of == scope::message_class) column.keep(out);
    out.figures[f.of == scope::vc ? scope::link : f.of].push_back(std::move(column));
}

}  // namespace

const char* to_string(scope s) {
    constexpr const char* names[] = {"run", "router", "port", "link", "VC", "node", "class", "flow"};
    return names[static_cast<int>(s)];
}

const char* file_of(scope s) {
    constexpr const char* names[] = {"summary.json", "routers.csv", "ports.csv",   "links.csv",
                                     "links.csv",    "nodes.csv",   "classes.csv", "matrix.csv"};
    return names[static_cast<int>(s)];
}

const char* to_string(summing s) {
    constexpr const char* names[] = {"as it is", "sum over the window", "sum over the window, a cycle",
                                     "share of the window", "mean of samples in the window"};
    return names[static_cast<int>(s)];
}

figure_cell figure::value(const reading& r, const figure_place& at) const {
    if (how != summing::as_is && std::isnan(r.window)) return no_number;
    figure_cell counted = read(r, at);
    if (const auto* number = std::get_if<double>(&counted); number != nullptr && std::isnan(*number))
        return no_number;
    switch (how) {
        case summing::per_cycle:
            return r.window > 0 ? to_number(counted) / r.window : 0;
        case summing::share:
            return r.window > 0 ? std::min(1.0, to_number(counted) / r.window) : no_number;
        default:
            return counted;
    }
}

figure_column::figure_column(std::string name, const figure& about, std::uint32_t vc, const reading& from,
                             std::size_t rows)
    : m_name(std::move(name)),
      m_about(about),
      m_vc(vc),
      m_map(&from.map),
      m_net(from.net),
      m_window(from.window),
      m_own(from.own),
      m_rows(rows) {}

figure_cell figure_column::read(const run_result& out, std::size_t row) const {
    return m_about.value({out, *m_map, m_net, m_window, m_own}, {row, m_vc});
}

void figure_column::keep(const run_result& out) {
    if (m_kept) return;
    for (std::size_t row = 0; row < m_rows; ++row) {
        figure_cell cell = read(out, row);
        std::visit(
            [this, row](auto& x) {
                using list = std::vector<std::decay_t<decltype(x)>>;
                if (row == 0) m_values.template emplace<list>().reserve(m_rows);
                std::get<list>(m_values).push_back(std::move(x));
            },
            cell);
    }
    m_kept = true;
}

column figure_column::header(const run_result& out) const {
    const std::size_t is = m_kept ? m_values.index() : m_rows == 0 ? 0 : read(out, 0).index();
    return {m_name, static_cast<column::kind>(is), m_about.unit, m_about.sentence};
}

double figure_view::number(std::size_t row) const {
    double x = no_number;
    visit(row, [&x](const auto& cell) { x = to_number(cell); });
    return x;
}

std::size_t figure_view::row_of_most() const {
    std::size_t most = size();
    double least = -std::numeric_limits<double>::infinity();
    for (std::size_t row = 0; row < size(); ++row) {
        const double here = number(row);
        if (most == size() ? std::isnan(here) : !(here > least)) continue;
        most = row;
        least = here;
    }
    return most;
}

figures_declaration::figures_declaration(int order, std::vector<figure> all) {
    for (figure& f : all) {
        const bool taken =
            std::any_of(declarations().begin(), declarations().end(), [&f](const declared_figure& other) {
                return other.what.of == f.of && other.what.name == f.name;
            });
        if (taken)
            config::name_taken("figure", f.name);
        else
            declarations().push_back({order, std::move(f)});
    }
}

std::vector<figure> declared_figures() {
    std::vector<declared_figure> sorted = declarations();
    std::stable_sort(sorted.begin(), sorted.end(), [](const declared_figure& a, const declared_figure& b) {
        return a.order != b.order ? a.order < b.order
                                  : a.order == figures_declaration::last && a.what.name < b.what.name;
    });
    std::vector<figure> all;
    for (declared_figure& d : sorted) all.push_back(std::move(d.what));
    return all;
}

void read_figure(const figure& f, const reading& from, run_result& out) {
    if (f.applies && !f.applies(from)) return;
    if (f.of != scope::vc) return add_column(f, f.name, 0, from, out);
    for (std::uint32_t v = 0; v < out.link_loads.vcs(); ++v)
        add_column(f, f.name + std::to_string(v), v, from, out);
}

/// Those of the run last: they may be made of the others. Those of classes where there are several.
void read_figures(const reading& from, run_result& out) {
    const std::vector<figure> all = declared_figures();
    for (const bool of_run : {false, true})
        for (const figure& f : all) {
            const bool shows_nothing = f.of == scope::message_class && out.class_loads.empty();
            if ((f.of == scope::run) == of_run && !shows_nothing) read_figure(f, from, out);
        }
}

}  // namespace sare
