// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/runs/run_recorder.h"

#include "tb/sare/commands.h"
#include "tb/sare/process/process.h"
#include "tb/sare/runs/run_store.h"

#include <fmt/format.h>

#include <algorithm>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// True if tables are compressed by `run --compress`, which another run does not write.
bool has_compressed_tables(const fs::path& directory) {
    std::error_code none;
    const fs::directory_iterator files(directory, none);
    return std::any_of(begin(files), end(files),
                       [](const auto& file) { return file.path().stem().extension() == ".csv"; });
}

/// True if a directory still holds the results of `e`. Attached computers never run the same twice.
bool holds(const fs::path& directory, const experiment& e) {
    std::error_code none;
    if (!fs::exists(directory / "summary.json", none) || has_compressed_tables(directory)) return false;
    try {
        const json found = read_json(directory / "summary.json");
        return is_summary_of(found, e) && !found.contains("/run/workload"_json_pointer);
    } catch (const config::error&) {
        return false;
    }
}

}  // namespace

run_recorder::run_recorder(const store_options& options) : m_again(options.again) {
    m_file = options.place();
    if (m_file.empty()) return;
    m_file = fs::absolute(m_file).string();
    try {
        open_store(m_file, store_use::record);
    } catch (const store_error& problem) {
        if (!problem.passes()) throw;
        warn_once(problem.what());
    }
}

void run_recorder::warn_once(const std::string& what) {
    if (!m_warned) warn(fmt::format("not in the store: {}; the results stand", what));
    m_warned = true;
}

fs::path run_recorder::known(const experiment& e) {
    if (!is_on() || m_again) return {};
    try {
        const auto store = open_store(m_file, store_use::record);
        run_record like;
        like.version = version();
        like.identity = identity_of(e);
        like.seed = static_cast<std::int64_t>(e.seed);
        for (const std::string& directory : store->directories_of(like))
            if (holds(directory, e)) return directory;
    } catch (const config::error& problem) {
        warn_once(problem.what());
    }
    return {};
}

std::int64_t run_recorder::add(const run_record& r) {
    if (!is_on()) return 0;
    try {
        return open_store(m_file, store_use::record)->put(r);
    } catch (const config::error& problem) {
        warn_once(problem.what());
    }
    return 0;
}

void run_recorder::add(const experiment& e, const std::string& name, const fs::path& directory,
                       std::int64_t sweep) {
    if (!is_on()) return;
    try {
        run_record r = record_of_run(e, name, directory);
        r.sweep = sweep;
        add(r);
    } catch (const config::error& problem) {
        warn_once(problem.what());
    }
}

void run_recorder::forget(const fs::path& directory) {
    if (!is_on()) return;
    try {
        open_store(m_file, store_use::record)->forget(stored_name(directory));
    } catch (const config::error& problem) {
        warn_once(problem.what());
    }
}

void copy_results(const fs::path& from, const fs::path& to) {
    std::error_code problem;
    fs::copy(from, to, fs::copy_options::recursive | fs::copy_options::overwrite_existing, problem);
    if (problem)
        throw config::error(
            fmt::format("{}: cannot be copied from {}: {}", to.string(), from.string(), problem.message()));
}

}  // namespace sare::cli
