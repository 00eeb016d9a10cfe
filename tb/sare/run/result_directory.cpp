// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/result_directory.h"

#include "tb/sare/process/files.h"
#include "tlm/config/value.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns "dir" for "dir/", since a name is appended to the last part.
fs::path plain(fs::path where) {
    while (!where.has_filename() && where.has_parent_path() && where != where.root_path())
        where = where.parent_path();
    return where;
}

/// Returns a name of this process's own, on a file system that several machines may share.
fs::path beside(const fs::path& where, const char* what) {
    utsname machine{};
    uname(&machine);
    fs::path other = where;
    other += fmt::format(".{}-{}-{}", what, machine.nodename, getpid());
    return other;
}

}  // namespace

bool is_at_work(const fs::path& partial) {
    const std::string name = partial.filename().string();
    const std::size_t host = name.rfind(".partial-") + 9, process = name.rfind('-') + 1;
    utsname machine{};
    uname(&machine);
    if (process <= host || name.substr(host, process - 1 - host) != machine.nodename) return true;
    return kill(std::atoi(name.c_str() + process), 0) == 0 || errno == EPERM;
}

bool is_vacant(const fs::path& where) {
    std::error_code problem;
    const auto status = fs::symlink_status(where, problem);
    if (status.type() == fs::file_type::not_found) return true;
    return fs::is_directory(where, problem) && fs::is_empty(where, problem) && !problem;
}

bool is_result(const fs::path& where) {
    std::error_code problem;
    for (const char* file : {"summary.json", "sweep.json", "saturate.json", "cosim.json", "regress.json"})
        if (fs::exists(where / file, problem)) return true;
    return false;
}

fs::path free_name(const fs::path& wanted) {
    fs::path name = wanted;
    for (int n = 2; !is_vacant(name); ++n) {
        name = wanted;
        name += fmt::format("-{}", n);
    }
    return name;
}

void make_directories(const fs::path& where, const fs::path& wanted) {
    std::error_code problem;
    if (where.empty() || fs::is_directory(where, problem)) return;
    fs::create_directories(where, problem);
    if (problem)
        throw config::error(fmt::format("{}: cannot be made: {}", wanted.string(), problem.message()));
}

result_directory::result_directory(fs::path where, existing rule)
    : m_where(plain(std::move(where))), m_rule(rule) {
    if (!is_vacant(m_where)) {
        if (rule == existing::refuse)
            throw config::error(fmt::format(
                "{}: exists already; choose another --out or replace it with --overwrite", m_where.string()));
        if (!is_result(m_where))
            throw config::error(
                fmt::format("{}: is no result of sare, so --overwrite leaves it alone; choose another --out",
                            m_where.string()));
    }
    m_partial = beside(m_where, "partial");
    make_directories(m_where.parent_path(), m_where);
    if (mkdir(m_partial.c_str(), 0777) != 0) fail_with_errno(m_where, "made");
}

result_directory::~result_directory() {
    std::error_code ignored;
    if (!m_committed) fs::remove_all(m_partial, ignored);
}

void result_directory::commit() {
    const int handle = open(m_partial.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
    put_in_place();
    m_committed = true;
}

void result_directory::put_in_place() {
    if (rename(m_partial.c_str(), m_where.c_str()) == 0) return;
    if (m_rule != existing::replace || (errno != ENOTEMPTY && errno != EEXIST))
        fail_with_errno(m_where, "made");
    if (!is_result(m_where))
        throw config::error(fmt::format("{}: has changed meanwhile; left alone", m_where.string()));
    const fs::path old = beside(m_where, "old");
    if (rename(m_where.c_str(), old.c_str()) != 0) fail_with_errno(m_where, "replaced");
    if (rename(m_partial.c_str(), m_where.c_str()) != 0) {
        const int reason = errno;
        if (rename(old.c_str(), m_where.c_str()) != 0) errno = reason;
        errno = reason;
        fail_with_errno(m_where, "replaced");
    }
    std::error_code ignored;
    fs::remove_all(old, ignored);
}

}  // namespace sare::cli
