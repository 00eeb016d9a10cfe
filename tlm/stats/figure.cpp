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

std::uint32_t vcs_of(const run_result& out) {
    std::size_t most = 0;
    for (const link_result& l : out.link_loads) most = std::max(most, l.vc_flits.size());
    return static_cast<std::uint32_t>(most);
}

void read_column(const figure& f, std::string name, std::uint32_t vc, const reading& from, run_result& out) {
    figure_column column(std::move(name), f);
    const std::size_t rows = rows_of(f.of, out);
    for (std::size_t row = 0; row < rows; ++row) column.add(f.value(from, {row, vc}), rows);
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

std::size_t figure_column::size() const {
    return std::visit([](const auto& all) { return all.size(); }, m_values);
}

void figure_column::add(figure_cell value, std::size_t rows) {
    std::visit(
        [this, rows](auto& x) {
            using list = std::vector<std::decay_t<decltype(x)>>;
            if (size() == 0) m_values.template emplace<list>().reserve(rows);
            std::get<list>(m_values).push_back(std::move(x));
        },
        value);
}

double figure_column::number(std::size_t row) const {
    double x = no_number;
    visit(row, [&x](const auto& cell) { x = to_number(cell); });
    return x;
}

std::size_t figure_column::row_of_most() const {
    std::size_t most = size();
    for (std::size_t row = 0; row < size(); ++row)
        if (most == size() ? !std::isnan(number(row)) : number(row) > number(most)) most = row;
    return most;
}

column figure_column::header() const {
    return {m_name, static_cast<column::kind>(m_values.index()), m_about.unit, m_about.sentence};
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
    if (f.of != scope::vc) return read_column(f, f.name, 0, from, out);
    for (std::uint32_t v = 0; v < vcs_of(out); ++v) read_column(f, f.name + std::to_string(v), v, from, out);
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
