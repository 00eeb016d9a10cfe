// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <fmt/format.h>

#include <algorithm>

/// A plain matrix: a line a source, a column a destination; names or numbers of nodes may stand before both.
namespace sare::traffic::variants::matrix_flows {
namespace {

/// Returns the text between the columns of the first line that is no comment; "": spaces.
std::string_view separator_of(const std::string& text) {
    const std::vector<flow_line> lines = lines_of(text, "\n", "#");
    for (const char* one : {";", ",", "\t"})
        if (!lines.empty() && lines.front().words.front().find(one) != std::string::npos) return one;
    return "";
}

bool is_number(const std::string& word) {
    return !word.empty() && word.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

class matrix final : public flow_format {
  public:
    /// Recognises it by the text between columns; lines of words are a list of flows, unless there are more
    /// than seven lines with as many words each as there are lines.
    bool recognises(const flow_file& file) const override {
        const std::string_view ends = separator_of(file.text);
        const std::vector<flow_line> lines = lines_of(file.text, ends, "#");
        if (lines.empty() || is_another(lines)) return false;
        if (ends == ";" || ends == ",") return true;
        return lines.size() > 7 && std::all_of(lines.begin(), lines.end(), [&](const flow_line& l) {
                   return l.words.size() == lines.size();
               });
    }

    flow_list read(const flow_file& file) const override {
        std::vector<flow_line> lines = lines_of(file.text, separator_of(file.text), "#");
        if (lines.empty())
            throw config::error(file.line(1), "no row; a matrix has a row of rates for each source");
        std::vector<std::uint32_t> columns;
        const bool has_rows_named = lines.size() > 1 && lines.back().words.size() > 1 && is_row_named(lines);
        if (!std::all_of(lines.front().words.begin(), lines.front().words.end(), is_number) ||
            (has_rows_named && lines.front().words.front().empty())) {
            read_header(lines.front(), has_rows_named, file, columns);
            lines.erase(lines.begin());
        }
        file.check_nodes(lines.size(), "rows", file.line(lines.front().number));
        flow_list all;
        for (std::uint32_t row = 0; row < lines.size(); ++row)
            read_row(lines[row], row, lines.size(), has_rows_named, columns, file, all);
        return all;
    }

  private:
    /// True for JSON, or the commas after each row that SuperSim writes.
    static bool is_another(const std::vector<flow_line>& lines) {
        const std::string& first = lines.front().words.front();
        return (!first.empty() && (first[0] == '{' || first[0] == '[')) ||
               std::all_of(lines.begin(), lines.end(),
                           [](const flow_line& l) { return l.words.size() > 1 && l.words.back().empty(); });
    }
    static bool is_row_named(const std::vector<flow_line>& lines) {
        const bool cornered = lines.front().words.front().empty();
        return cornered || std::all_of(lines.begin() + 1, lines.end(),
                                       [](const flow_line& l) { return !is_number(l.words.front()); });
    }

    static void read_header(const flow_line& l, bool has_corner, const flow_file& file,
                            std::vector<std::uint32_t>& columns) {
        for (std::size_t i = has_corner ? 1 : 0; i < l.words.size(); ++i)
            columns.push_back(file.node(l.words[i], file.line(l.number)));
    }

    static void read_row(const flow_line& l, std::uint32_t row, std::size_t rows, bool is_named,
                         const std::vector<std::uint32_t>& columns, const flow_file& file, flow_list& all) {
        const config::location at = file.line(l.number);
        const std::size_t first = is_named ? 1 : 0, wanted = columns.empty() ? rows : columns.size();
        if (l.words.size() - first != wanted)
            throw config::error(
                at, fmt::format("a row of {} rates; it must have {}, one for each {}", l.words.size() - first,
                                wanted, (columns.empty() ? "row" : "column of the header")));
        flow f = file.usual;
        f.at = at;
        f.source = is_named ? file.node(l.words[0], at) : columns.size() == rows ? columns[row] : row;
        for (std::size_t i = first; i < l.words.size(); ++i) {
            if (l.words[i].empty() || l.words[i] == "-") continue;
            f.rate = to_rate(l.words[i], "rate", f.length, file.units, at);
            f.destination = columns.empty() ? static_cast<std::uint32_t>(i - first) : columns[i - first];
            if (f.rate > 0) all.push_back(f);
        }
    }
};

const config::registration<flow_format> registered{
    "matrix",
    "A plain matrix (CSV, or words): a row a source, a column a destination, with names of nodes before them "
    "or without.",
    config::made<matrix>};

}  // namespace
}  // namespace sare::traffic::variants::matrix_flows
