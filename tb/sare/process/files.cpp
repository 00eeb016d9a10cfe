// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/files.h"

#include "tb/sare/commands.h"
#include "tlm/config/text_file.h"
#include "tlm/config/value.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace sare::cli {
namespace {

bool write_all(int handle, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(handle, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    // Not every file can be synchronised: /dev/stdout cannot.
    return fsync(handle) == 0 || errno == EINVAL || errno == EROFS;
}

}  // namespace

void fail_with_errno(const std::filesystem::path& file, const std::string& what) {
    throw config::error(fmt::format("{}: cannot be {}: {}", file.string(), what, std::strerror(errno)));
}

void write_file(const std::filesystem::path& file, std::string_view text) {
    const int handle = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (handle < 0) fail_with_errno(file, "written");
    const bool written = write_all(handle, text);
    const int reason = errno;
    const bool closed = close(handle) == 0;
    if (written && closed) return;
    if (!written) errno = reason;
    fail_with_errno(file, "written");
}

void replace_file(const std::filesystem::path& file, std::string_view text) {
    std::filesystem::path other = file;
    other += fmt::format(".partial-{}", getpid());
    try {
        write_file(other, text);
        if (rename(other.c_str(), file.c_str()) != 0) fail_with_errno(file, "written");
    } catch (...) {
        unlink(other.c_str());
        throw;
    }
}

namespace {

void write_stream(const std::filesystem::path& file, std::ios::openmode mode,
                  const std::function<void(std::ostream&)>& write) {
    errno = 0;
    std::ofstream out(file, std::ios::binary | mode);
    write(out);
    out.close();
    const int handle = out ? open(file.c_str(), O_WRONLY | O_CLOEXEC) : -1;
    if (handle < 0 || !write_all(handle, "")) fail_with_errno(file, "written");
    close(handle);
}

}  // namespace

void write_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write) {
    write_stream(file, std::ios::trunc, write);
}

void append_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write) {
    write_stream(file, std::ios::app, write);
}

void check_no_experiment(const std::string& out) {
    if (config::is_yaml_name(out))
        throw usage_error(
            fmt::format("--out {}: that is the name of an experiment; choose another ending", out));
}

}  // namespace sare::cli
