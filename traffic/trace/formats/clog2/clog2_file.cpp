// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/formats/clog2/clog2_file.h"

#include "traffic/trace/bytes.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <map>
#include <utility>

namespace sare::traffic {
namespace {

constexpr std::size_t preamble_bytes = 1024, header_bytes = 24;
constexpr std::uint32_t most_processes = 1U << 20, largest_block = 1U << 26;
/// Bytes of a record after its header, by kind.
constexpr std::size_t body_bytes[] = {0, 0, 112, 104, 40, 8, 40, 24, 16, 48, 48, 8};

/// Returns the fields of a preamble, in which words that end in '=' name the words after them.
std::map<std::string, std::string> preamble_fields(const char* from) {
    std::map<std::string, std::string> all;
    std::string name;
    for (std::size_t at = 0; at < preamble_bytes;) {
        const std::string word(from + at, strnlen(from + at, preamble_bytes - at));
        at += word.size() + 1;
        if (word.empty()) continue;
        if (word.back() == '=')
            name = word.substr(0, word.size() - 1);
        else if (!name.empty())
            all.emplace(std::exchange(name, ""), word);
    }
    return all;
}

}  // namespace

clog2_file::clog2_file(text_stream text) : m_text(std::move(text)) {
    char preamble[preamble_bytes];
    if (m_text.read(preamble, preamble_bytes) < preamble_bytes) fail("the preamble is cut short");
    const std::string version(preamble, strnlen(preamble, 12));
    if (version != "CLOG-02.42" && version != "CLOG-02.43" && version != "CLOG-02.44")
        fail("this is version '" + version + "' of CLOG; 02.42 to 02.44 are read");
    const auto fields = preamble_fields(preamble);
    const auto number = [&](const char* name, std::uint32_t most) {
        const auto found = fields.find(name);
        const std::string word = found == fields.end() ? "" : found->second;
        std::uint32_t n = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
        if (error != std::errc() || end != word.data() + word.size() || n == 0 || n > most)
            fail(fmt::format("the preamble's '{}' must be 1 to {}, not '{}'", name, most, word));
        return n;
    };
    const auto is = [&](const char* name, const char* word) {
        const auto found = fields.find(name);
        return found != fields.end() && found->second.compare(0, std::strlen(word), word) == 0;
    };
    m_big = is("is_big_endian", "TRUE");
    if (is("is_finalzed", "FALSE")) fail("the log was not finished; clog2_repair of MPE mends it");
    m_block = number("block_size", largest_block);
    m_processes = number(fields.count("comm_world_size") != 0 ? "comm_world_size" : "max_comm_world_size",
                         most_processes);
    m_at = m_block;
}

void clog2_file::fail(const std::string& what) const {
    throw config::error({path(), 0, 0}, (m_records == 0 ? "" : fmt::format("record {}: ", m_records)) + what);
}

std::uint64_t clog2_file::integer(const char* from, std::size_t bytes) const {
    return m_big ? big_endian(from, bytes) : little_endian(from, bytes);
}

std::int32_t clog2_file::number(const clog2_record& r, std::size_t i) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(integer(r.body.data() + 4 * i, 4)));
}

std::string clog2_file::text(const clog2_record& r, std::size_t from, std::size_t bytes) {
    return std::string(r.body.data() + from, strnlen(r.body.data() + from, bytes));
}

void clog2_file::take(char* to, std::size_t bytes) {
    if (bytes > m_block - m_at) fail(fmt::format("it does not fit into its block of {} bytes", m_block));
    if (m_text.read(to, bytes) < bytes) fail("the log ends early: its last record is missing");
    m_at += static_cast<std::uint32_t>(bytes);
}

bool clog2_file::next(clog2_record& r) {
    for (;;) {
        if (m_at == m_block) m_at = 0;
        ++m_records;
        char header[header_bytes];
        take(header, header_bytes);
        const std::uint64_t time = integer(header, 8);
        std::memcpy(&r.time, &time, sizeof time);
        const auto field = [&](std::size_t at) {
            return static_cast<std::int32_t>(static_cast<std::uint32_t>(integer(header + at, 4)));
        };
        r.communicator_id = field(8);
        r.rank = field(12);
        const std::int32_t kind = field(20);
        if (kind < 0 || kind >= static_cast<std::int32_t>(std::size(body_bytes)))
            fail(fmt::format("there is no kind {} of records", kind));
        r.is = static_cast<clog2_record::kind>(kind);
        r.body.resize(body_bytes[kind]);
        take(r.body.data(), r.body.size());
        if (r.is == clog2_record::end_log) return false;
        if (r.is != clog2_record::end_block) return true;
        std::string rest(m_block - m_at, '\0');
        take(rest.data(), rest.size());
    }
}

}  // namespace sare::traffic
