// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"

#include "tlm/config/text_file.h"
#include "traffic/trace/text_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace sare::traffic {
namespace {

[[maybe_unused]] const bool named = (trace_registry::instance().name_kind("trace format", "format"), true);

std::vector<std::pair<std::string, trace_signature>>& signatures() {
    static std::vector<std::pair<std::string, trace_signature>> all;
    return all;
}

std::string format_of(text_stream& text, const config::location& named_at) {
    const std::string head = text.head(4096);
    for (const auto& [format, matches] : signatures())
        if (matches(head)) return format;
    const bool binary = std::any_of(head.begin(), head.end(), [](char c) {
        return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
    });
    if (binary)
        throw config::error(named_at,
                            "'" + text.path() + "' begins as no trace format that is known here does");
    if (config::is_yaml_name(text.path()))
        throw config::error(named_at, "'" + text.path() +
                                          "' is an experiment in YAML and no trace; 'sare trace write " +
                                          text.path() + "' writes that of its workload");
    return "simgrid";
}

}  // namespace

bool add_signature(const char* format, trace_signature matches) {
    signatures().emplace_back(format, matches);
    return true;
}

std::unique_ptr<trace_reader> open_trace(const std::string& path, const std::string& format,
                                         const config::location& named_at) {
    auto text = std::make_shared<text_stream>(path, named_at);
    const std::string chosen = format == "auto" ? format_of(*text, named_at) : format;
    return trace_registry::instance().make(config::value::scalar(chosen, named_at), {path, named_at, text});
}

bool trace_reader::next_any(std::uint32_t& task, event& e) {
    if (!m_taken_in_turn) {
        m_taken_in_turn = true;
        m_turns.resize(tasks());
        std::iota(m_turns.begin(), m_turns.end(), 0);
    }
    while (!m_turns.empty()) {
        if (m_turn >= m_turns.size()) m_turn = 0;
        task = m_turns[m_turn];
        const auto leaves = [this] { m_turns.erase(m_turns.begin() + static_cast<std::ptrdiff_t>(m_turn)); };
        try {
            if (next(task, e)) {
                ++m_turn;
                return true;
            }
        } catch (...) {
            leaves();
            throw;
        }
        leaves();
    }
    return false;
}

event_line event_line::without_words() const {
    event_line other(m_at, m_task, m_number);
    other.m_of = m_of;
    return other;
}

void event_line::split(std::string_view line) {
    m_size = 0;
    const char* at = line.data();
    const char* const end = at + line.size();
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    for (;;) {
        while (at != end && blank(*at)) ++at;
        if (at == end) return;
        const char* const first = at;
        while (at != end && !blank(*at)) ++at;
        if (m_size == m_words.size()) m_words.emplace_back();
        m_words[m_size++].assign(first, at);
    }
}

void event_line::fail(const std::string& what) const {
    const std::string event = fmt::format("task {}, event {}: ", m_task, m_number);
    throw config::error(m_of != nullptr ? m_of->where() : m_at, (m_number == 0 ? "" : event) + what);
}

void event_line::need(std::size_t least, const char* form) const {
    if (m_size < least + 2) fail("the line is too short; '" + m_words[1] + "' needs: " + form);
}

namespace {

/// True if a word is a number as most are written; "+5", "0x10", "1e999" are for strtod() and its like.
template <class Number>
bool plain_number(const std::string& word, Number& n) {
    const char* const last = word.data() + word.size();
    const auto [end, error] = std::from_chars(word.data(), last, n);
    return error == std::errc() && end == last;
}

#ifndef __cpp_lib_to_chars  // libc++ below 20 reads whole numbers alone
bool plain_number(const std::string&, double&) {
    return false;
}
#endif

}  // namespace

std::int64_t event_line::integer_at(std::size_t i, const char* what) const {
    std::int64_t simple = 0;
    if (plain_number(m_words[i], simple)) return simple;
    errno = 0;
    char* end = nullptr;
    const long long n = std::strtoll(m_words[i].c_str(), &end, 10);
    if (*end != '\0' || errno == ERANGE)
        fail(std::string(what) + " must be an integer, not '" + m_words[i] + "'");
    return n;
}

double event_line::amount_at(std::size_t i, const char* what) const {
    double x = 0;
    if (!plain_number(m_words[i], x)) {
        char* end = nullptr;
        x = std::strtod(m_words[i].c_str(), &end);
        if (*end != '\0') x = std::nan("");
    }
    if (!std::isfinite(x)) fail(std::string(what) + " must be a number, not '" + m_words[i] + "'");
    if (x < 0) fail(std::string(what) + " is negative: " + m_words[i]);
    return x;
}

std::uint64_t event_line::size_at(std::size_t i, const char* what) const {
    constexpr std::uint64_t most = 9000000000000000;  // integers are exact in a double up to there
    std::uint64_t simple = 0;
    if (plain_number(m_words[i], simple) && simple <= most) return simple;
    const double x = amount_at(i, what);
    if (x > static_cast<double>(most) || x != std::floor(x))
        fail(std::string(what) + " must be an integer, not '" + m_words[i] + "'");
    return static_cast<std::uint64_t>(x);
}

std::uint32_t event_line::task_at(std::size_t i, const char* what, std::uint32_t tasks) const {
    const std::int64_t n = integer_at(i, what);
    if (n < 0 || n >= tasks)
        fail(fmt::format("{} {} is out of range; tasks are 0 to {}", what, m_words[i], tasks - 1));
    return static_cast<std::uint32_t>(n);
}

}  // namespace sare::traffic
