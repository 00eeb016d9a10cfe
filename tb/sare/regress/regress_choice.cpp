// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_choice.h"

#include "tb/sare/process/files.h"
#include "tb/sare/results/result_json.h"
#include "tb/sare/run/result_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool shares_word(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::any_of(a.begin(), a.end(), [&b](const std::string& word) { return has(b, word); });
}

/// Throws for names and tags that no run has.
void check_choice(const regress_plan& plan, const regress_choice& choice) {
    const auto check = [&plan](const std::vector<std::string>& words, const char* what, auto fits) {
        for (const std::string& word : words)
            if (std::none_of(plan.entries.begin(), plan.entries.end(),
                             [&](const regress_entry& e) { return fits(e, word); }))
                throw config::error(fmt::format("no run of {} has the {} '{}'", plan.name, what, word));
    };
    const auto has_tag = [](const regress_entry& e, const std::string& tag) { return has(e.tags, tag); };
    check(choice.runs, "name",
          [](const regress_entry& e, const std::string& name) { return e.name == name; });
    check(choice.tags, "tag", has_tag);
    check(choice.not_tags, "tag", has_tag);
}

/// Confines a run to cases by their names. The case "start" stands for the whole run, as do the cases of a
/// file that says its traffic itself.
void confine(regress_entry& e, const std::vector<std::string>& cases) {
    if (has(cases, "start") || e.is_case) return;
    e.mutants.clear();
    for (const std::string& name : cases) {
        const std::string number = name.substr(name.rfind(' ') + 1);
        if (name.rfind("mutant ", 0) == 0)
            e.mutants.push_back(static_cast<std::uint32_t>(std::stoul(number)));
        else
            e.only.push_back(std::stoull(number));
    }
}

/// Returns the names of the failed cases of an earlier result, by run.
std::map<std::string, std::vector<std::string>> failed_in(const fs::path& result) {
    std::map<std::string, std::vector<std::string>> all;
    const json earlier = read_json(result / "regress.json");
    for (const json& c : earlier.at("cases"))
        if (c.at("status") != "agrees") all[c.at("run")].push_back(c.at("name"));
    return all;
}

/// Returns the folders that may have a journal: those of killed regressions, the newest first; then `result`
/// itself.
std::vector<fs::path> unfinished(const fs::path& result) {
    std::vector<fs::path> all;
    const fs::path parent = result.has_parent_path() ? result.parent_path() : fs::path(".");
    const std::string start = result.filename().string() + ".partial-";
    if (fs::is_directory(parent))
        for (const auto& entry : fs::directory_iterator(parent))
            if (entry.path().filename().string().rfind(start, 0) == 0 && !is_at_work(entry.path()))
                all.push_back(entry.path());
    std::sort(all.begin(), all.end(), [](const fs::path& a, const fs::path& b) {
        return fs::last_write_time(a) > fs::last_write_time(b);
    });
    all.push_back(result);
    return all;
}

}  // namespace

void write_choice(const regress_choice& choice, const fs::path& file) {
    const std::string failed = choice.failed_of.empty() ? "" : fs::absolute(choice.failed_of).string();
    replace_file(file, text_of({{"runs", choice.runs},
                                {"tags", choice.tags},
                                {"not_tags", choice.not_tags},
                                {"failed_of", failed}}));
}

regress_choice read_choice(const fs::path& file) {
    const json its = read_json(file);
    return {its.at("runs"), its.at("tags"), its.at("not_tags"), its.at("failed_of")};
}

void choose_runs(regress_plan& plan, const regress_choice& choice) {
    check_choice(plan, choice);
    const auto unwanted = [&choice](const regress_entry& e) {
        return (!choice.runs.empty() && !has(choice.runs, e.name)) ||
               (!choice.tags.empty() && !shares_word(choice.tags, e.tags)) ||
               shares_word(choice.not_tags, e.tags);
    };
    auto& all = plan.entries;
    all.erase(std::remove_if(all.begin(), all.end(), unwanted), all.end());
    if (choice.failed_of.empty()) return;
    const auto failed = failed_in(choice.failed_of);
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&failed](const regress_entry& e) { return failed.count(e.name) == 0; }),
              all.end());
    for (regress_entry& e : all) confine(e, failed.at(e.name));
}

void take_journal(const fs::path& result, const fs::path& journal) {
    for (const fs::path& left : unfinished(result)) {
        if (!fs::exists(left / "journal")) continue;
        fs::remove_all(journal);
        fs::rename(left / "journal", journal);
        if (left != result) fs::remove_all(left);
        return;
    }
    throw config::error(
        fmt::format("{}: there is no unfinished regression that --resume could go on with", result.string()));
}

}  // namespace sare::cli
