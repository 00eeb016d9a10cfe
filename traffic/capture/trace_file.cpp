// SPDX-License-Identifier: Apache-2.0
#include "traffic/capture/trace_file.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace sare::capture {

void say(const std::string& text) {
    std::fprintf(stderr, "sare-trace: %s\n", text.c_str());
}

void trace_file::open(const std::string& path) {
    constexpr int everybody_reads = 0644;
    m_path = path;
    m_file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, everybody_reads);
    if (m_file < 0) fail("this task is not recorded");
}

std::uint64_t trace_file::write(const std::string& text) {
    const std::uint64_t at = m_size;
    std::size_t done = 0;
    while (m_file >= 0 && done < text.size()) {
        const ssize_t n = ::write(m_file, text.data() + done, text.size() - done);
        if (n >= 0)
            done += static_cast<std::size_t>(n);
        else if (errno != EINTR)
            fail("the recording of this task ends here");
    }
    m_size += done;
    return at;
}

void trace_file::patch(std::uint64_t offset, const std::string& text) {
    if (m_file < 0) return;
    if (::pwrite(m_file, text.data(), text.size(), static_cast<off_t>(offset)) !=
        static_cast<ssize_t>(text.size()))
        fail("the recording of this task ends here");
}

void trace_file::close() {
    if (m_file >= 0) ::close(m_file);
    m_file = -1;
}

void trace_file::fail(const char* what) {
    say(m_path + ": " + std::strerror(errno) + "; " + what);
    close();
}

}  // namespace sare::capture
