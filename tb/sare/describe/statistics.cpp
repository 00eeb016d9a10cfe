// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/describe/statistics.h"

#include "tb/sare/process/terminal.h"
#include "tlm/api/section_registry.h"
#include "tlm/stats/statistic.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace {

struct described_figure {
    figure what;
    std::string statistic;  ///< statistic that must be asked for; "": none
};

std::vector<described_figure> all_figures() {
    std::vector<described_figure> all;
    for (figure& f : declared_figures()) all.push_back({std::move(f), ""});
    for (const auto& [name, variant] : statistic_registry::instance().variants())
        for (const figure& f : figures_of(name)) all.push_back({f, name});
    return all;
}

/// Returns the name; a figure of VCs has a column for each.
std::string name_of(const figure& f) {
    return f.of == scope::vc ? f.name + "N" : f.name;
}

std::string figure_text(const described_figure& f, std::size_t width) {
    const figure& what = f.what;
    std::string about = fmt::format("of each {}; {}", to_string(what.of), to_string(what.how));
    if (what.of == scope::run) about = to_string(what.how);
    if (!what.unit.empty()) about += "; " + what.unit;
    const bool of_section = !section_registry::instance().keys(f.statistic).empty();
    if (!f.statistic.empty())
        about += (of_section ? "; with the section " : "; where measurement.statistics has ") + f.statistic;
    return fmt::format("  {}  ({})\n      {}\n", name_of(what), about, wrapped(what.sentence, width - 6, 6));
}

}  // namespace

std::string describe_statistics(const std::string& name, std::size_t width) {
    std::string text;
    std::vector<std::string> files, known;
    const std::vector<described_figure> all = all_figures();
    for (const scope s : scopes)
        if (std::find(files.begin(), files.end(), file_of(s)) == files.end()) files.emplace_back(file_of(s));
    for (const std::string& file : files) {
        std::string here;
        for (const described_figure& f : all) {
            if (file_of(f.what.of) != file) continue;
            known.insert(known.end(), {f.what.name, f.statistic, file});
            if (name.empty() || name == f.what.name || name == f.statistic || name == file)
                here += figure_text(f, width);
        }
        if (!here.empty()) text += (text.empty() ? "" : "\n") + file + "\n" + here;
    }
    if (!text.empty()) return text;
    const std::string near = config::nearest(name, known);
    throw config::error(fmt::format("describe statistics: nothing is called '{}'; {}", name,
                                    near.empty() ? "'sare describe statistics' lists all there is"
                                                 : fmt::format("did you mean '{}'?", near)));
}

}  // namespace sare::cli
