// SPDX-License-Identifier: Apache-2.0
#include "tlm/stats/results.h"

#include <algorithm>
#include <cmath>

namespace sare {

const char* to_string(run_status s) {
    switch (s) {
        case run_status::completed:
            return "completed";
        case run_status::saturated:
            return "saturated";
        case run_status::deadlock:
            return "deadlock";
        case run_status::stuck:
            return "stuck";
        case run_status::cycle_limit:
            return "cycle_limit";
        case run_status::failed:
            return "failed";
        case run_status::interrupted:
            return "interrupted";
        case run_status::unsettled:
            return "unsettled";
    }
    return "?";
}

const char* to_string(congestion_root::reason why) {
    constexpr const char* names[] = {"busy", "consumer",  "circle", "vcs",      "atomic", "credits",
                                     "pace", "allocator", "input",  "pipeline", "clock"};
    return names[static_cast<int>(why)];
}

void run_result::keep_figures() {
    for (auto& [of, columns] : figures)
        for (figure_column& c : columns) c.keep(*this);
    picture = nullptr;
}

std::vector<figure_view> run_result::columns_of(scope of) const {
    std::vector<figure_view> all;
    const auto found = figures.find(of);
    if (found == figures.end()) return all;
    for (const figure_column& c : found->second) all.emplace_back(*this, c);
    return all;
}

figure_view run_result::column_of(scope of, const std::string& name) const {
    const auto all = figures.find(of);
    if (all == figures.end()) return {};
    for (const figure_column& c : all->second)
        if (c.name() == name) return {*this, c};
    return {};
}

double run_result::figure_of(const std::string& name) const {
    const figure_view column = column_of(scope::run, name);
    return column ? column.number(0) : std::nan("");
}

std::string run_result::text_of(const link_result& l) const {
    const std::string ends =
        names.text(l.kind == "injection" ? place_kind::node : place_kind::router, l.from) + " to " +
        names.text(l.kind == "ejection" ? place_kind::node : place_kind::router, l.to);
    const std::string& own = l.kind == "router" ? names.link(l.from, l.from_port) : "";
    return own.empty() ? ends : own + ", " + ends;
}

std::string run_result::name_of(const link_result& l) const {
    if (l.kind == "ejection") return "the ejection of " + names.text(place_kind::node, l.to);
    if (l.kind == "injection") return "the injection of " + names.text(place_kind::node, l.from);
    return "the link from " + text_of(l);
}

std::optional<std::size_t> run_result::busiest_link() const {
    const figure_view use = column_of(scope::link, "utilisation");
    const std::size_t row = use ? use.row_of_most() : 0;
    return use && row != use.size() ? std::optional(row) : std::nullopt;
}

mean_and_most over_channels(const run_result& out, const std::string& figure) {
    const figure_view column = out.column_of(scope::link, figure);
    mean_and_most all;
    if (!column || out.measured_from == out.measured_to) return all;
    std::size_t channels = 0;
    double sum = 0;
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (out.link_loads[row].kind != "router") continue;
        const double here = column.number(row);
        ++channels;
        sum += here;
        all.most = std::max(all.most, here);
    }
    if (channels != 0) all.mean = sum / static_cast<double>(channels);
    return all;
}

double round_for_picture(double x) {
    return std::round(x * 1e4) / 1e4 + 0.0;
}

}  // namespace sare
