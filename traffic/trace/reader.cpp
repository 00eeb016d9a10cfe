// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/reader.h"

#include "traffic/trace/text_stream.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

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

void event_line::split(const std::string& line) {
    m_words.clear();
    std::size_t at = 0;
    while ((at = line.find_first_not_of(" \t", at)) != std::string::npos) {
        const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
        m_words.push_back(line.substr(at, end - at));
        at = end;
    }
}

void event_line::fail(const std::string& what) const {
    const std::string event = "task " + std::to_string(m_task) + ", event " + std::to_string(m_number) + ": ";
    throw config::error(m_at, (m_number == 0 ? "" : event) + what);
}

void event_line::need(std::size_t least, const char* form) const {
    if (m_words.size() < least + 2) fail("the line is too short; '" + m_words[1] + "' needs: " + form);
}

std::int64_t event_line::integer_at(std::size_t i, const char* what) const {
    errno = 0;
    char* end = nullptr;
    const long long n = std::strtoll(m_words[i].c_str(), &end, 10);
    if (*end != '\0' || errno == ERANGE)
        fail(std::string(what) + " must be an integer, not '" + m_words[i] + "'");
    return n;
}

double event_line::amount_at(std::size_t i, const char* what) const {
    char* end = nullptr;
    const double x = std::strtod(m_words[i].c_str(), &end);
    if (*end != '\0' || !std::isfinite(x))
        fail(std::string(what) + " must be a number, not '" + m_words[i] + "'");
    if (x < 0) fail(std::string(what) + " is negative: " + m_words[i]);
    return x;
}

std::uint64_t event_line::size_at(std::size_t i, const char* what) const {
    const double x = amount_at(i, what);
    if (x > 9e15 || x != std::floor(x))
        fail(std::string(what) + " must be an integer, not '" + m_words[i] + "'");
    return static_cast<std::uint64_t>(x);
}

std::uint32_t event_line::task_at(std::size_t i, const char* what, std::uint32_t tasks) const {
    const std::int64_t n = integer_at(i, what);
    if (n < 0 || n >= tasks)
        fail(std::string(what) + " " + m_words[i] + " is out of range; tasks are 0 to " +
             std::to_string(tasks - 1));
    return static_cast<std::uint32_t>(n);
}

}  // namespace sare::traffic
