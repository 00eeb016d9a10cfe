// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_run.h"

#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/regress/regress_measure.h"
#include "tb/sare/results/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Returns what a case says that was not run since the run was late.
std::string late_text(const regress_entry& e) {
    return fmt::format("the time limit of {} s", readable(e.time_limit, 6));
}

/// Turns the verdict of a case that must fail.
void expect_failure(regress_case& c) {
    if (c.status == "mismatch") {
        c.status = "agrees";
        c.message.clear();
    } else if (c.status == "agrees") {
        c.status = "mismatch";
        c.message = "agrees, and is expected to fail";
    }
}

regress_outcome compare_rtl(const regress_entry& e, const fs::path& folder, const run_limits& limits) {
    std::vector<std::string> more{"-j", std::to_string(limits.processes), "--no-waves", "--journal",
                                  (folder / "journal" / e.name).string()};
    if (limits.failures != 0) more.insert(more.end(), {"--stop-after", std::to_string(limits.failures)});
    if (!e.only.empty()) more.insert(more.end(), {"--only", fmt::format("{}", fmt::join(e.only, ","))});
    if (e.random != 0)
        more.insert(more.end(), {"--random", std::to_string(e.random), "--shrink", std::to_string(e.shrink)});
    else if (!e.is_case)
        more.insert(more.end(), {"--seeds", std::to_string(e.seeds)});
    if (e.seed != 0) more.insert(more.end(), {"--seed", std::to_string(e.seed)});
    // A steered router is drawn again by its own seed.
    if (e.steer) more.emplace_back(e.only.empty() ? "--steer" : "--drain");
    if (e.coverage) more.emplace_back("--coverage");
    const child_result done = run_cosim(e, folder / e.name, more);
    if (!fs::exists(folder / e.name / "cosim.json")) return {{error_of(e, done)}, ""};
    const json all = read_json(folder / e.name / "cosim.json");
    regress_outcome o{{}, all.at("rtl")};
    for (const json& c : all.at("cases")) {
        regress_case found{e.name, c.at("name"), c.at("status"), c.at("message"), "", c.at("seconds")};
        if (found.status == "not run" && done.late) {
            found.status = "error";
            found.message = late_text(e);
        }
        if (!c.at("shrunk").is_null())
            found.shrunk = e.name + "/shrunk/" + c["shrunk"].at("file").get<std::string>() + ".yaml";
        o.cases.push_back(found);
    }
    return o;
}

/// Adds a mutant: "  3 rtl/allocation/sare_rr_arbiter.sv    the turn never moves: found by credit_o (2,
/// 539)".
void add_mutant(const regress_entry& e, const std::string& line, regress_outcome& o) {
    const std::pair<const char*, const char*> verdicts[] = {
        {": found by ", "agrees"}, {": SURVIVED", "mismatch"}, {": NO PROGRAM", "error"}};
    for (const auto& [words, status] : verdicts) {
        const auto here = line.find(words);
        if (here == std::string::npos) continue;
        const bool same = line.find(": equivalent: ", here) != std::string::npos;
        const std::string name = fmt::format("mutant {}", std::atoi(line.c_str()));
        o.cases.push_back({e.name, name, same ? "agrees" : status,
                           std::strcmp(status, "agrees") == 0 ? "" : line.substr(here + 2)});
    }
}

/// Each mutant is a case, which agrees if it is found; one without a verdict is an error. A run has a folder
/// of its own for copies and builds: another one may be at work at the same time.
regress_outcome run_mutants(const regress_entry& e, std::size_t jobs) {
    const fs::path scripts = scripts_folder(), work = scripts.parent_path() / "build/mutants" / e.name;
    std::vector<std::string> line{
        (scripts / "dev/mutants").string(), "-j", std::to_string(jobs), "--out", work.string(), "--only"};
    for (const std::uint32_t number : e.mutants) line.push_back(std::to_string(number));
    setenv("SARE", fs::read_symlink("/proc/self/exe").c_str(), 0);
    const child_result done = run_child(std::move(line), rules_of(e));
    regress_outcome o;
    std::istringstream lines(done.out);
    for (std::string text; std::getline(lines, text);) add_mutant(e, text, o);
    for (const std::uint32_t number : e.mutants) {
        regress_case lost = error_of(e, done);
        lost.name = fmt::format("mutant {}", number);
        if (lost.message.empty()) lost.message = "scripts/dev/mutants has ended without a verdict";
        const auto is_it = [&](const regress_case& c) { return c.name == lost.name; };
        if (std::none_of(o.cases.begin(), o.cases.end(), is_it)) o.cases.push_back(std::move(lost));
    }
    return o;
}

/// Returns the words that its cases have in common.
std::vector<std::string> cosim_words(const regress_entry& e) {
    std::vector<std::string> line;
    const auto add = [&line](const std::string& option, const std::string& its) {
        line.push_back(option);
        line.push_back(its);
    };
    if (!e.experiment.empty()) line.push_back(e.experiment);
    for (const std::string& set : e.set) add("--set", set);
    if (!e.is_case) add("--cycles", std::to_string(e.cycles));
    add("--speed", e.speed);
    if (e.most_vcs != 0) add("--most-vcs", std::to_string(e.most_vcs));
    if (!e.with.empty()) add("--with", e.with);
    if (e.of != "routers") add("--of", e.of);
    return line;
}

/// Returns a word for a shell.
std::string shell_word(const std::string& word) {
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+") ==
            std::string::npos;
    if (plain) return word;
    std::string all = "'";
    for (const char c : word) all += c == '\'' ? "'\\''" : std::string(1, c);
    return all + "'";
}

}  // namespace

child_rules rules_of(const regress_entry& e) {
    child_rules rules;
    rules.ends_on_stop = true;
    rules.most_seconds = e.time_limit;
    rules.variables = e.environment;
    rules.ends_with_parent = e.mutants.empty();
    return rules;
}

regress_case error_of(const regress_entry& e, const child_result& done) {
    if (done.late) return {e.name, "start", "error", late_text(e)};
    std::string said = done.not_started != 0 ? std::strerror(done.not_started) : done.err;
    if (said.rfind("Traceback", 0) == 0) said.erase(0, said.rfind('\n', said.size() - 2) + 1);  // of a script
    if (const auto end = said.find('\n'); end != std::string::npos) said.erase(end);
    if (said.rfind("sare: ", 0) == 0) said.erase(0, 6);
    const bool stopped = stop_requested() != 0;
    return {e.name, "start", stopped ? "not run" : "error", stopped ? "interrupted" : said};
}

std::vector<std::string> options_again(const regress_entry& e, const std::string& name) {
    std::vector<std::string> all;
    const auto blank = name.rfind(' ');
    if (!e.is_case && blank != std::string::npos) all.insert(all.end(), {"--seed", name.substr(blank + 1)});
    if (e.random != 0) all.insert(all.end(), {"--random", "1"});
    if (e.steer) all.emplace_back("--drain");
    return all;
}

std::string command_again(const regress_entry& e, const std::string& name) {
    std::string all;
    std::vector<std::string> variables = e.environment;
    const auto is_rtl = [](const std::string& v) { return v.rfind("SARE_RTL=", 0) == 0; };
    if (const char* rtl = std::getenv("SARE_RTL");
        rtl != nullptr && std::none_of(variables.begin(), variables.end(), is_rtl))
        variables.push_back(std::string("SARE_RTL=") + rtl);
    for (const std::string& v : variables) all += shell_word(v) + " ";
    const std::string seed = name.substr(name.rfind(' ') + 1);
    if (!e.mutants.empty()) return all + "scripts/dev/mutants --only " + seed;
    if (!e.measure.empty()) {
        for (const std::string& word : measure_words(e, std::stoull(seed))) all += shell_word(word) + " ";
        all.pop_back();
        return all;
    }
    all += "sare cosim";
    for (const auto& words : {cosim_words(e), options_again(e, name)})
        for (const std::string& word : words) all += " " + shell_word(word);
    return all;
}

child_result run_cosim(const regress_entry& e, const fs::path& out, const std::vector<std::string>& more) {
    std::vector<std::string> line{fs::read_symlink("/proc/self/exe").string(), "cosim"};
    const std::vector<std::string> words = cosim_words(e);
    line.insert(line.end(), words.begin(), words.end());
    // A job of a cluster may run again after its node has died.
    line.insert(line.end(), {"--out", out.string(), "--overwrite", "--quiet", "--no-store"});
    line.insert(line.end(), more.begin(), more.end());
    return run_child(std::move(line), rules_of(e));
}

regress_outcome run_entry(const regress_entry& e, const fs::path& folder, const run_limits& limits) {
    regress_outcome o = !e.mutants.empty()   ? run_mutants(e, limits.processes)
                        : !e.measure.empty() ? measure_entry(e, folder, limits)
                                             : compare_rtl(e, folder, limits);
    for (regress_case& c : o.cases)
        if (e.expect == "fail") expect_failure(c);
    return o;
}

json to_json(const regress_outcome& o) {
    json tree{{"rtl", o.rtl}, {"cases", json::array()}};
    for (const regress_case& c : o.cases)
        tree["cases"].push_back({{"run", c.run},
                                 {"name", c.name},
                                 {"status", c.status},
                                 {"message", c.message},
                                 {"shrunk", c.shrunk},
                                 {"seconds", c.seconds}});
    return tree;
}

regress_outcome outcome_of(const json& tree) {
    regress_outcome o{{}, tree.at("rtl")};
    for (const json& c : tree.at("cases"))
        o.cases.push_back(
            {c.at("run"), c.at("name"), c.at("status"), c.at("message"), c.at("shrunk"), c.at("seconds")});
    return o;
}

}  // namespace sare::cli
