// SPDX-License-Identifier: Apache-2.0
#include "tlm/state/checkpoint_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sare {
namespace fs = std::filesystem;
namespace {

constexpr const char* ending = ".checkpoint";
constexpr std::size_t kept = 2;

/// Returns a name; names are in the order of their cycles.
std::string name_of(std::uint64_t cycle) {
    const std::string number = std::to_string(cycle);
    return "cycle-" + std::string(20 - number.size(), '0') + number + ending;
}

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
    throw state_error(file.string() + ": " + what);
}

void to_disk(const fs::path& file, int flags) {
    const int handle = open(file.c_str(), O_RDONLY | O_CLOEXEC | flags);
    const bool there = handle >= 0 && (fsync(handle) == 0 || errno == EINVAL || errno == EROFS);
    const int reason = errno;
    if (handle >= 0) close(handle);
    if (!there) fail(file, std::string("cannot be written: ") + std::strerror(reason));
}

void write_whole(const fs::path& file, const checkpoint_info& info, const state_function& state) {
    errno = 0;
    std::ofstream to(file, std::ios::binary | std::ios::trunc);
    const auto reason = [] { return errno == 0 ? std::string() : std::string(": ") + std::strerror(errno); };
    if (!to) fail(file, "cannot be written" + reason());
    try {
        write_checkpoint(to, info, state);
    } catch (const state_error&) {
        if (to) throw;
        fail(file, "cannot be written" + reason());
    }
    to.close();
    if (!to) fail(file, "cannot be written" + reason());
    to_disk(file, 0);
}

}  // namespace

std::vector<fs::path> checkpoint_folder::all() const {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(m_where, ignored))
        if (entry.path().extension() == ending) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

void checkpoint_folder::write(const checkpoint_info& info, const state_function& state) const {
    std::error_code problem;
    fs::create_directories(m_where, problem);
    if (problem) fail(m_where, "cannot be made: " + problem.message());
    const fs::path file = m_where / name_of(info.cycle), partial = m_where / "partial";
    try {
        write_whole(partial, info, state);
        fs::rename(partial, file, problem);
        if (problem) fail(file, "cannot be written: " + problem.message());
        to_disk(m_where, O_DIRECTORY);
    } catch (...) {
        fs::remove(partial, problem);
        throw;
    }
    // Later ones are damaged: the run went on from before them.
    const auto files = all();
    const auto here = static_cast<std::size_t>(std::find(files.begin(), files.end(), file) - files.begin());
    for (std::size_t k = 0; k < files.size(); ++k)
        if (k > here || k + kept <= here) fs::remove(files[k], problem);
}

void checkpoint_folder::remove() const {
    std::error_code ignored;
    for (const fs::path& file : all()) fs::remove(file, ignored);
    fs::remove(m_where / "partial", ignored);
    fs::remove(m_where, ignored);  // nothing else is in it, or it stays
}

void checkpoint_folder::remove(std::uint64_t cycle) const {
    std::error_code ignored;
    fs::remove(m_where / name_of(cycle), ignored);
}

checkpoint_folder::opened checkpoint_folder::last(const std::function<void(const std::string&)>& warn,
                                                  std::uint64_t most) const {
    auto files = all();
    while (!files.empty() && files.back().filename() > name_of(most)) files.pop_back();
    if (files.empty()) fail(m_where, "there is no checkpoint here");
    std::string first;
    for (auto file = files.rbegin(); file != files.rend(); ++file) {
        try {
            auto stream = std::make_unique<std::ifstream>(*file, std::ios::binary);
            if (!*stream) fail(*file, std::string("cannot be read: ") + std::strerror(errno));
            auto what = std::make_unique<checkpoint>(*stream);
            if (!first.empty()) warn(first + "; going on from " + file->filename().string());
            return {*file, std::move(stream), std::move(what)};
        } catch (const state_error& problem) {
            if (first.empty()) first = file->string() + " " + problem.what();
        }
    }
    throw state_error(first);
}

}  // namespace sare
