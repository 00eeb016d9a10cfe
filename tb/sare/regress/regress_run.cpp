// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_run.h"

#include "tb/sare/process/files.h"
#include "tb/sare/process/process.h"
#include "tb/sare/results/report.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// Returns the case of a run that has failed.
regress_case error_of(const regress_entry& e, const child_result& done) {
    std::string said = done.not_started != 0 ? std::strerror(done.not_started) : done.err;
    if (said.rfind("Traceback", 0) == 0) said.erase(0, said.rfind('\n', said.size() - 2) + 1);  // of a script
    if (const auto end = said.find('\n'); end != std::string::npos) said.erase(end);
    if (said.rfind("sare: ", 0) == 0) said.erase(0, 6);
    const bool stopped = stop_requested() != 0;
    return {e.name, "start", stopped ? "not run" : "error", stopped ? "interrupted" : said};
}

regress_outcome compare_rtl(const regress_entry& e, const fs::path& folder, std::size_t jobs) {
    std::vector<std::string> more{"-j", std::to_string(jobs), "--no-waves"};
    if (e.random != 0)
        more.insert(more.end(), {"--random", std::to_string(e.random), "--shrink", std::to_string(e.shrink)});
    else if (!e.is_case)
        more.insert(more.end(), {"--seeds", std::to_string(e.seeds)});
    if (e.seed != 0) more.insert(more.end(), {"--seed", std::to_string(e.seed)});
    if (e.steer) more.emplace_back("--steer");
    if (e.coverage) more.emplace_back("--coverage");
    const child_result done = run_cosim(e, folder / e.name, more);
    if (!fs::exists(folder / e.name / "cosim.json")) return {{error_of(e, done)}, ""};
    const json all = read_json(folder / e.name / "cosim.json");
    regress_outcome o{{}, all.at("rtl")};
    for (const json& c : all.at("cases")) {
        regress_case found{e.name, c.at("name"), c.at("status"), c.at("message"), "", c.at("seconds")};
        if (!c.at("shrunk").is_null())
            found.shrunk = e.name + "/shrunk/" + c["shrunk"].at("file").get<std::string>() + ".yaml";
        o.cases.push_back(found);
    }
    return o;
}

/// Adds a mutant: "  3 rtl/sare_rr_arbiter.sv    the turn never moves: found by credit_o (2, 539)".
void add_mutant(const regress_entry& e, const std::string& line, regress_outcome& o) {
    const std::pair<const char*, const char*> verdicts[] = {
        {": found by ", "agrees"}, {": SURVIVED", "mismatch"}, {": NO PROGRAM", "error"}};
    for (const auto& [words, status] : verdicts) {
        const auto here = line.find(words);
        if (here == std::string::npos) continue;
        const bool same = line.find(": equivalent: ", here) != std::string::npos;
        const std::string name = "mutant " + std::to_string(std::atoi(line.c_str()));
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
    child_rules rules;
    rules.ends_on_stop = true;
    const child_result done = run_child(std::move(line), rules);
    regress_outcome o;
    std::istringstream lines(done.out);
    for (std::string text; std::getline(lines, text);) add_mutant(e, text, o);
    for (const std::uint32_t number : e.mutants) {
        regress_case lost = error_of(e, done);
        lost.name = "mutant " + std::to_string(number);
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

std::vector<std::string> options_again(const regress_entry& e, const std::string& name) {
    std::vector<std::string> all;
    const auto blank = name.rfind(' ');  // a case at the pins has no seed
    if (blank != std::string::npos) all.insert(all.end(), {"--seed", name.substr(blank + 1)});
    if (e.random != 0) all.insert(all.end(), {"--random", "1"});
    if (e.steer) all.emplace_back("--drain");
    return all;
}

std::string command_again(const regress_entry& e, const std::string& name) {
    std::string all = "sare cosim";
    if (!e.mutants.empty()) return "scripts/dev/mutants --only" + name.substr(name.rfind(' '));
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
    child_rules rules;
    rules.ends_on_stop = true;
    return run_child(std::move(line), rules);
}

regress_outcome run_entry(const regress_entry& e, const fs::path& folder, std::size_t jobs) {
    return e.mutants.empty() ? compare_rtl(e, folder, jobs) : run_mutants(e, jobs);
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
