// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>

#include <cerrno>

/// Writes files piece by piece.
namespace sare::cli {
namespace {
namespace io = boost::iostreams;
namespace fs = std::filesystem;

/// Writes to a file, and reports failures at once.
class descriptor_sink {
  public:
    using char_type = char;
    using category = io::sink_tag;
    /// `reason` is set to the first error's number: what closes a chain of streams passes over exceptions.
    descriptor_sink(int handle, const fs::path& file, int& reason)
        : m_handle(handle), m_file(&file), m_reason(&reason) {}
    std::streamsize write(const char* from, std::streamsize n) const {
        for (std::streamsize done = 0; done < n;) {
            const ssize_t part = ::write(m_handle, from + done, static_cast<std::size_t>(n - done));
            if (part < 0 && errno == EINTR) continue;
            if (part < 0) {
                *m_reason = errno;
                fail_with_errno(*m_file, "written");
            }
            done += part;
        }
        return n;
    }

  private:
    int m_handle;
    const fs::path* m_file;
    int* m_reason;
};

void write_to(int handle, const fs::path& file, const std::function<void(std::ostream&)>& write) {
    int reason = 0;
    io::filtering_ostream out;
    const std::string ending = file.extension();
    if (ending == ".gz") out.push(io::gzip_compressor());
    if (ending == ".bz2") out.push(io::bzip2_compressor());
    if (ending == ".xz") out.push(io::lzma_compressor());
    if (ending == ".zst") out.push(io::zstd_compressor());
    out.push(descriptor_sink(handle, file, reason), 65536);
    out.exceptions(std::ios::badbit);
    write(out);
    out.exceptions(std::ios::goodbit);
    out.reset();
    if (reason == 0) return;
    errno = reason;
    fail_with_errno(file, "written");
}

fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

bool give_name(int handle, const fs::path& name) {
    unlink(name.c_str());  // of a process of the same number
    const std::string open_file = fmt::format("/proc/self/fd/{}", handle);
    return linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

}  // namespace

void replace_file(const fs::path& file, const std::function<void(std::ostream&)>& write) {
    std::error_code none;
    const bool device = fs::exists(file, none) && !fs::is_regular_file(file, none);
    const fs::path target = fs::is_symlink(file, none) ? fs::canonical(file, none) : file;
    fs::path other = target;
    if (!device) other += fmt::format(".partial-{}", getpid());
    // A file without a name is gone when the program is killed; not every file system has them.
    int handle = device ? -1 : open(folder_of(target).c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    const bool nameless = handle >= 0;
    if (!nameless) handle = open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (handle < 0) fail_with_errno(file, "written");
    try {
        write_to(handle, file, write);
        if (!device && (fsync(handle) != 0 || (nameless && !give_name(handle, other)) ||
                        rename(other.c_str(), target.c_str()) != 0))
            fail_with_errno(file, "written");
    } catch (...) {
        close(handle);
        if (!device) unlink(other.c_str());
        throw;
    }
    close(handle);
}

}  // namespace sare::cli
