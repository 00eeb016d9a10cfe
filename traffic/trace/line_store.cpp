// SPDX-License-Identifier: Apache-2.0
#include "traffic/trace/line_store.h"

#include <unistd.h>

#include <algorithm>

namespace sare::traffic {

line_store::line_store(text_stream text) : m_text(std::move(text)), m_unpacks(m_text.compressed()) {
    m_file.reset(m_unpacks ? std::tmpfile() : std::fopen(path().c_str(), "rb"));
    if (!m_file)
        throw config::error(where(0), m_unpacks ? "no temporary file can be made to unpack it into"
                                                : "the file cannot be opened a second time");
}

bool line_store::next(std::string& line, run& at) {
    if (!m_text.next(line)) {
        if (std::fflush(m_file.get()) != 0)
            throw config::error(where(0), "there is no room to unpack the file into a temporary one");
        return false;
    }
    at.begin = m_at;
    at.line = static_cast<std::uint32_t>(m_text.where().line);
    if (m_unpacks) {
        std::fwrite(line.data(), 1, line.size(), m_file.get());
        std::fputc('\n', m_file.get());
        m_at += line.size() + 1;
    } else {
        m_at = m_text.taken();
    }
    at.end = m_at;
    return true;
}

std::size_t line_store::read(std::uint64_t from, char* to, std::size_t bytes) const {
    const ssize_t got = pread(fileno(m_file.get()), to, bytes, static_cast<off_t>(from));
    if (got <= 0) throw config::error(where(0), "the file has become shorter while it was read");
    return static_cast<std::size_t>(got);
}

void line_cursor::add(const line_store::run& r) {
    if (!m_runs.empty() && m_runs.back().end == r.begin)
        m_runs.back().end = r.end;
    else
        m_runs.push_back(r);
}

bool line_cursor::next(const line_store& store, std::string& line) {
    constexpr std::uint64_t portion = 4096;
    for (;; m_read = m_lines = 0, ++m_run) {
        if (m_run == m_runs.size()) return false;
        const line_store::run& r = m_runs[m_run];
        const std::uint64_t size = r.end - r.begin;
        std::size_t end = m_buffer.find('\n', m_in_buffer);
        while (end == std::string::npos && m_read < size) {
            m_buffer.erase(0, m_in_buffer);
            m_in_buffer = 0;
            const std::size_t kept = m_buffer.size();
            m_buffer.resize(kept + static_cast<std::size_t>(std::min(portion, size - m_read)));
            const std::size_t got = store.read(r.begin + m_read, &m_buffer[kept], m_buffer.size() - kept);
            m_buffer.resize(kept + got);
            m_read += got;
            end = m_buffer.find('\n', kept);
        }
        if (m_in_buffer == m_buffer.size()) continue;
        line.assign(m_buffer, m_in_buffer, std::min(end, m_buffer.size()) - m_in_buffer);
        if (!line.empty() && line.back() == '\r') line.pop_back();
        m_in_buffer = std::min(end, m_buffer.size() - 1) + 1;
        m_number = r.line + m_lines++;
        return true;
    }
}

}  // namespace sare::traffic
