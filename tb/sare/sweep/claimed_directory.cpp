// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/sweep/claimed_directory.h"

#include "tb/sare/process/files.h"
#include "tb/sare/run/result_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace sare::cli {
namespace fs = std::filesystem;

claimed_directory::~claimed_directory() {
    if (m_lock >= 0) close(m_lock);
}

bool claimed_directory::holds(const json& identity) const {
    const std::string name = m_what + ".json";
    const fs::path file = m_where / name;
    if (is_vacant(m_where)) return false;
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        throw config::error(fmt::format("{}: exists already and holds no {}; choose another --out",
                                        m_where.string(), m_what));
    const auto what_it_is = [](json tree) {
        if (!tree.is_object()) return json();
        for (const char* key : {"program", "file"}) tree.erase(key);
        return tree;
    };
    if (what_it_is(read_json(file)) != what_it_is(identity))
        throw config::error(fmt::format("{}: holds another {} (its {} tells which); choose another --out",
                                        m_where.string(), m_what, name));
    return true;
}

void claimed_directory::claim(const json& identity, bool anew) {
    if (anew && !is_vacant(m_where))
        empty();
    else
        holds(identity);
    make_directories(m_where / "points", m_where);
    lock();
    const fs::path file = m_where / (m_what + ".json");
    std::error_code ignored;
    if (fs::exists(file, ignored)) holds(identity);  // another one has been quicker
    replace_file(file, text_of(identity));
}

/// Removes the result in the directory, but not the lock.
void claimed_directory::empty() {
    if (!is_result(m_where))
        throw config::error(
            fmt::format("{}: is no result of sare, so --overwrite leaves it alone; choose another --out",
                        m_where.string()));
    lock();
    for (const auto& entry : fs::directory_iterator(m_where))
        if (entry.path().filename() != ".lock") fs::remove_all(entry.path());
}

/// Locks the directory for the process; the lock ends with it however it ends. Network file systems have such
/// locks; others are trusted.
void claimed_directory::lock() {
    if (m_lock >= 0) return;
    const fs::path file = m_where / ".lock";
    m_lock = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (m_lock < 0) fail_with_errno(file, "written");
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    if (fcntl(m_lock, F_SETLK, &whole) != 0 && (errno == EACCES || errno == EAGAIN))
        throw config::error(fmt::format("{}: another 'sare {}' is at work on it", m_where.string(), m_what));
}

void claimed_directory::clean(const fs::path& folder) const {
    std::error_code ignored;
    std::vector<fs::path> rests;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().find(".partial-") != std::string::npos)
            rests.push_back(entry.path());
    for (const auto& rest : rests) fs::remove_all(rest, ignored);
}

}  // namespace sare::cli
