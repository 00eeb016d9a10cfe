// SPDX-License-Identifier: Apache-2.0
#include "tlm/topology/graph/line_reader.h"

#include "tlm/config/text_file.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace sare {

line_reader::line_reader(std::istream& in, std::string file, const std::string& format)
    : m_in(in), m_file(std::move(file)) {
    if (!next() || size() != 2 || word(0) != format || word(1) != "1")
        fail(m_line == 0 ? 1 : m_line, "the first line must be '" + format + " 1'");
}

bool line_reader::next() {
    while (std::getline(m_in, m_text)) {
        ++m_line;
        m_words.clear();
        if (m_text.rfind(line_mark, 0) == 0) {  // of a converted file: where the next line comes from
            m_line = static_cast<std::uint32_t>(
                         std::strtoul(m_text.c_str() + std::strlen(line_mark), nullptr, 10)) -
                     1;
            continue;
        }
        const std::string_view text = std::string_view(m_text).substr(0, m_text.find('#'));
        std::size_t at = 0;
        while ((at = text.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
            const std::size_t stop = std::min(text.find_first_of(" \t\r", at), text.size());
            m_words.push_back(text.substr(at, stop - at));
            at = stop;
        }
        if (!m_words.empty()) return true;
    }
    m_words.clear();
    return false;
}

std::uint32_t line_reader::number(std::size_t i, const char* what, std::uint32_t least,
                                  std::uint32_t most) const {
    if (i >= size()) fail(std::string(what) + " is missing");
    return number(m_words[i], what, least, most);
}

std::uint32_t line_reader::number(std::string_view text, const char* what, std::uint32_t least,
                                  std::uint32_t most) const {
    std::uint32_t n = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (problem == std::errc::invalid_argument || stop != text.data() + text.size())
        fail(std::string(what) + " must be a number, not '" + std::string(text) + "'");
    if (problem != std::errc() || n < least || n > most)
        fail(fmt::format("{} is {}; it must be from {} to {}", what, text, least, most));
    return n;
}

std::uint32_t line_reader::place(std::size_t i, place_kind what, const topology& net) const {
    const std::uint32_t count = what == place_kind::router ? net.routers() : net.nodes();
    const std::string kind = std::string("the ") + to_string(what);
    if (i >= size() || !place_names::is_like_name(m_words[i])) return number(i, kind.c_str(), 0, count - 1);
    const auto column = static_cast<int>(m_words[i].data() - m_text.data()) + 1;
    return net.names().find(what, std::string(m_words[i]), count, {m_file, static_cast<int>(m_line), column});
}

std::optional<spot> line_reader::take_position() {
    std::size_t i = std::min<std::size_t>(2, size());
    while (i < size() && word(i) != "at") ++i;
    if (i == size()) return std::nullopt;
    if (size() != i + 3) fail("a position is two numbers; write 'router ID [PORTS] at X Y'");
    const spot found{coordinate(i + 1), coordinate(i + 2), 0};
    m_words.resize(i);
    return found;
}

double line_reader::coordinate(std::size_t i) const {
    const std::string_view text = m_words[i];
    double found = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), found);
    if (problem != std::errc() || stop != text.data() + text.size() || !(std::abs(found) <= 1e9))
        fail("a coordinate must be a number from -1e9 to 1e9, not '" + std::string(text) + "'");
    return found;
}

void line_reader::fail(std::uint32_t line, const std::string& what) const {
    throw config::error(fmt::format("{}:{}: {}", m_file, line, what));
}

std::unique_ptr<std::istream> open_input(const config::value& section, const char* key,
                                         const std::string& name, std::string& path) {
    const config::value* v = section.find(key);
    const config::location at = v != nullptr ? v->where() : section.where();
    if (name.empty())
        throw config::error(at, "'" + std::string(key) + "' is missing; give the name of a file");
    std::filesystem::path full(name);
    if (full.is_relative() && at.line > 0) full = std::filesystem::path(at.file).parent_path() / full;
    path = full.string();
    auto in = std::make_unique<std::ifstream>(full);
    const std::string problem = *in ? "it is a folder" : std::strerror(errno);
    if (!*in || std::filesystem::is_directory(full))
        throw config::error(at, "'" + std::string(key) + "' is " + name + "; cannot read " + path + ": " +
                                    problem + config::hint_of_file(path));
    return in;
}

}  // namespace sare
