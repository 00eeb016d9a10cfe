// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cluster/submission.h"

#include "tb/sare/cluster/scheduler.h"
#include "tb/sare/process/files.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/result_directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace sare::cli {
namespace fs = std::filesystem;
namespace {

/// Returns scalars as text, as they were written, so that nothing is lost.
json frozen(const config::value& v) {
    switch (v.type()) {
        case config::value::kind::null:
            return nullptr;
        case config::value::kind::scalar:
            return v.text();
        case config::value::kind::list: {
            json all = json::array();
            for (const auto& item : v.items()) all.push_back(frozen(item));
            return all;
        }
        case config::value::kind::map: {
            json all = json::object();
            for (const auto& [key, item] : v.entries()) all[key] = frozen(item);
            return all;
        }
    }
    return nullptr;
}

config::value thawed(const json& j, const config::location& at) {
    if (j.is_null()) return config::value::nothing(at);
    if (j.is_string()) return config::value::scalar(j.get<std::string>(), at);
    if (j.is_array()) {
        std::vector<config::value> items;
        for (const json& item : j) items.push_back(thawed(item, at));
        return config::value::list(std::move(items), at);
    }
    std::vector<config::value::entry> entries;
    for (const auto& [key, item] : j.items()) entries.emplace_back(key, thawed(item, at));
    return config::value::map(std::move(entries), at);
}

std::vector<std::size_t> numbers(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::size_t> all;
    for (std::size_t n; in >> n;) all.push_back(n);
    return all;
}

std::string first_line(const fs::path& file) {
    std::ifstream in(file);
    std::string line;
    std::getline(in, line);
    return line;
}

bool is_there(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored);
}

}  // namespace

void submission::write() const {
    std::string lines;
    for (const auto& points : jobs) lines += fmt::format("{}\n", fmt::join(points, " "));
    write_file(folder / "points.txt", lines);
    json cases = json::object();
    for (const auto& [name, tree] : source.cases) cases[name] = frozen(tree);
    json below_axes = json::array();
    for (const auto& [path, v] : source.below_axes) below_axes.push_back({path, frozen(v)});
    const json j{{"program", "sare"},       {"version", version},       {"scheduler", scheduler},
                 {"array", array},          {"processes", processes},   {"file", source.file},
                 {"folder", source.folder}, {"axes", source.axes},      {"zips", source.zips},
                 {"cases", cases},          {"below_axes", below_axes}, {"experiment", frozen(source.tree)}};
    replace_file(folder / "submission.json", text_of(j));  // last: with it the folder counts
}

submission submission::read(const fs::path& folder) {
    const fs::path file = folder / "submission.json";
    const json j = read_json(file);
    submission s;
    s.folder = folder;
    try {
        s.version = j.at("version").get<std::string>();
        s.scheduler = j.at("scheduler").get<std::string>();
        s.array = j.at("array").get<std::string>();
        s.processes = j.at("processes").get<std::size_t>();
        s.source.file = j.at("file").get<std::string>();
        s.source.folder = j.at("folder").get<std::string>();
        s.source.axes = j.at("axes").get<std::vector<std::string>>();
        s.source.zips = j.at("zips").get<std::vector<std::string>>();
        const config::location at{s.source.file, 0, 0};
        for (const auto& [name, tree] : j.at("cases").items())
            s.source.cases.emplace_back(name, thawed(tree, at));
        for (const json& one : j.value("below_axes", json::array()))
            s.source.below_axes.emplace_back(one.at(0).get<std::string>(), thawed(one.at(1), at));
        s.source.tree = thawed(j.at("experiment"), at);
    } catch (const json::exception&) {
        throw config::error(fmt::format("{}: is none of sare's, or damaged", file.string()));
    }
    std::ifstream in(folder / "points.txt");
    for (std::string line; std::getline(in, line);) s.jobs.push_back(numbers(line));
    return s;
}

void submission::write_id(const std::string& id) const {
    write_file(folder / "id", id + "\n");
}

std::string submission::id() const {
    return first_line(folder / "id");
}

void submission::write_failed(std::size_t job, const std::vector<std::size_t>& points) const {
    replace_file(folder / fmt::format("{}.failed", job), fmt::format("{}\n", fmt::join(points, " ")));
}

std::vector<std::size_t> submission::failed(std::size_t job) const {
    return numbers(first_line(folder / fmt::format("{}.failed", job)));
}

void submission::mark_cancelled() const {
    write_file(folder / "cancelled", "");
}

bool submission::is_cancelled() const {
    return is_there(folder / "cancelled");
}

bool submission::is_over() const {
    return is_there(folder / "over");
}

void submission::close() const {
    write_file(folder / "over", "");
}

fs::path new_submission_folder(const fs::path& directory) {
    for (int n = 1;; ++n) {
        const fs::path folder =
            fs::absolute(directory).lexically_normal() / "jobs" / fmt::format("{:03d}", n);
        if (is_there(folder)) continue;
        make_directories(folder, folder);
        return folder;
    }
}

std::vector<submission> submissions(const fs::path& directory) {
    std::error_code ignored;
    std::vector<fs::path> folders;
    for (const auto& entry :
         fs::directory_iterator(fs::absolute(directory).lexically_normal() / "jobs", ignored))
        if (is_there(entry.path() / "submission.json")) folders.push_back(entry.path());
    // By number: 1000 comes after 999.
    std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
        const std::string left = a.filename().string(), right = b.filename().string();
        return std::pair(left.size(), left) < std::pair(right.size(), right);
    });
    std::vector<submission> all;
    for (const fs::path& folder : folders) all.push_back(submission::read(folder));
    return all;
}

std::vector<submission> open_submissions(const fs::path& directory) {
    std::vector<submission> all = submissions(directory);
    all.erase(std::remove_if(all.begin(), all.end(), [](const submission& s) { return s.is_over(); }),
              all.end());
    return all;
}

void refuse_jobs_at_work(const fs::path& directory) {
    for (const submission& s : open_submissions(directory)) {
        std::string said = "may have jobs at work";
        try {
            const auto scheduler = make_scheduler(s.scheduler);
            const auto found = scheduler->look({s.array});
            const auto array = found.find(s.array);
            const bool any = array != found.end() &&
                             std::any_of(array->second.begin(), array->second.end(), [](const auto& job) {
                                 return job.second.now != job_report::state::ended;
                             });
            if (!any) {
                s.close();
                continue;
            }
            said = fmt::format("has jobs at work ({} job {})", scheduler->title(), s.id());
        } catch (const scheduler_error& problem) {
            said += fmt::format(" ({})", problem.what());
        }
        throw config::error(fmt::format("{}: {}; go on with --on {}, or cancel them and remove {}",
                                        directory.string(), said, s.scheduler, s.folder.string()));
    }
}

}  // namespace sare::cli
