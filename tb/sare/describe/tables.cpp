// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/describe/tables.h"

#include "tb/sare/process/terminal.h"
#include "tlm/config/value.h"
#include "tlm/stats/table.h"

#include <fmt/format.h>

#include <vector>

namespace sare::cli {
namespace {

std::string column_text(const column& c, std::size_t width) {
    const std::string about =
        c.unit.empty() ? to_string(c.is) : fmt::format("{}; {}", to_string(c.is), c.unit);
    return fmt::format("  {}  ({})\n      {}\n", c.name, about, wrapped(c.sentence, width - 6, 6));
}

std::string table_text(const table_form& form, std::size_t width) {
    std::string text = form.file() + "\n";
    for (const column& c : form.columns()) text += column_text(c, width);
    for (const column& c : form.rest()) text += column_text(c, width);
    return text;
}

}  // namespace

std::string describe_tables(const std::string& name, std::size_t width) {
    std::string text;
    std::vector<std::string> known;
    for (const auto& [file, form] : table_form::all()) {
        known.push_back(file);
        if (name.empty() || name == file) text += (text.empty() ? "" : "\n") + table_text(*form, width);
    }
    if (!text.empty()) return text;
    const std::string near = config::nearest(name, known);
    throw config::error(fmt::format("describe tables: no file is called '{}'; {}", name,
                                    near.empty() ? "'sare describe tables' lists all there are"
                                                 : fmt::format("did you mean '{}'?", near)));
}

}  // namespace sare::cli
