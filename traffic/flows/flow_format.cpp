// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows/flow_format.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace sare {
template class config::registry<traffic::flow_format>;
}

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (flow_format_registry::instance().name_kind("flow format", "name"), true);

std::vector<std::string> words_of(const std::string& text, std::string_view ends) {
    std::vector<std::string> words;
    std::string word;
    bool open = false;  // a separator came last: an empty word may follow
    const auto end_word = [&] {
        words.push_back(word);
        word.clear();
    };
    for (const char c : text) {
        if (ends.find(c) != std::string_view::npos) {
            end_word();
            open = true;
        } else if ((c == ' ' || c == '\t' || c == '\r') && ends != "\n") {
            if (ends.empty() && !word.empty()) end_word();
        } else {
            word += c;
            open = false;
        }
    }
    if (!word.empty() || open) end_word();
    return words;
}

}  // namespace

std::uint32_t flow_file::node(const std::string& word, const config::location& at) const {
    static const place_names none;
    return (names != nullptr ? *names : none).find(place_kind::node, word, nodes, at);
}

void flow_file::check_nodes(std::size_t count, const std::string& what, const config::location& at) const {
    if (count <= nodes) return;
    throw config::error(at, fmt::format("{} {}, and the network has {} nodes", count, what, nodes));
}

std::vector<flow_line> lines_of(const std::string& text, std::string_view ends, std::string_view comments) {
    std::vector<flow_line> all;
    std::istringstream in(text);
    std::string line;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        line.erase(std::min(line.find_first_of(comments), line.size()));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        all.push_back({number, words_of(line, ends)});
    }
    return all;
}

double to_share(const std::string& word, const config::location& at) {
    char* end = nullptr;
    const double x = std::strtod(word.c_str(), &end);
    if (word.empty() || *end != '\0' || !std::isfinite(x) || x < 0)
        throw config::error(at, "'" + word + "' must be a number from 0");
    return x;
}

void add_matrix(const std::vector<std::vector<double>>& rows, const flow_file& file,
                const config::location& at, flow_list& all) {
    file.check_nodes(rows.size(), "rows", at);
    for (std::uint32_t s = 0; s < rows.size(); ++s) {
        if (rows[s].size() != rows.size())
            throw config::error(at, fmt::format("row {} has {} numbers, and there are {} rows", s,
                                                rows[s].size(), rows.size()));
        for (std::uint32_t d = 0; d < rows.size(); ++d) {
            if (rows[s][d] <= 0) continue;
            flow f = file.usual;
            f.source = s;
            f.destination = d;
            f.rate = rows[s][d];
            f.at = at;
            all.push_back(f);
        }
    }
}

}  // namespace sare::traffic
