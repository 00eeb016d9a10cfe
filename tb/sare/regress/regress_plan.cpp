// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_plan.h"

#include "tb/sare/process/files.h"
#include "tb/sare/regress/judged_figure.h"
#include "tb/sare/results/result_json.h"
#include "tlm/config/yaml.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// The plan as it is written.
struct written_plan {
    std::string name;
    config::value runs;

    static config::schema<written_plan> fields() {
        config::schema<written_plan> s;
        s.text("name", &written_plan::name, "Of the regression; else that of its file.")
            .list("runs", &written_plan::runs, "list of runs", regress_entry::fields().describe(),
                  "What is run, one after the other.");
        return s;
    }
};

/// Kinds of runs: the key that each must have, and its other keys beside a name.
const std::map<std::string, std::vector<std::string>> kinds{
    {"random",
     {"of", "most_vcs", "with", "steer", "shrink", "cycles", "seed", "speed", "coverage", "expect"}},
    {"experiment", {"set", "seeds", "cycles", "seed", "speed", "coverage", "expect"}},
    {"measure", {"figures", "set", "seeds", "seed", "expect"}},
    {"mutants", {}}};

/// Keys that every kind has.
const std::vector<std::string> common_keys{"name", "tags", "environment", "time_limit"};

std::string kind_of(const regress_entry& e, const config::location& at) {
    std::vector<std::string> has;
    if (e.random != 0) has.emplace_back("random");
    if (!e.experiment.empty()) has.emplace_back("experiment");
    if (!e.measure.empty()) has.emplace_back("measure");
    if (!e.mutants.empty()) has.emplace_back("mutants");
    if (has.size() != 1)
        throw config::error(at,
                            "a run of a regression must have one of random, experiment, measure and mutants");
    return has.front();
}

/// Throws for a key without effect.
void check_keys(const config::value& item, const std::string& kind) {
    const std::vector<std::string>& used = kinds.at(kind);
    for (const auto& [key, value] : item.entries()) {
        const auto has = [&k = key](const std::vector<std::string>& keys) {
            return std::find(keys.begin(), keys.end(), k) != keys.end();
        };
        if (key == kind || has(common_keys) || has(used)) continue;
        std::string all = kind;
        for (const auto* keys : {&used, &common_keys})
            for (const std::string& other : *keys) all += ", " + other;
        throw config::error(value.where(), "regress.runs: " + key + " is of no use to a run of " + kind +
                                               ", which has: " + all);
    }
}

/// Notes if the experiment is a shrunk case. Throws config::error for keys that a case has no use for.
void mark_case(const config::value& item, regress_entry& e) {
    const config::value tree = config::load_yaml(e.experiment);
    if (tree.type() != config::value::kind::map) return;
    e.is_case = tree.find("pin_case") != nullptr || tree.find("block_case") != nullptr;
    for (const char* key : {"cycles", "seed", "seeds", "set"})
        if (e.is_case && item.find(key) != nullptr)
            throw config::error(item.find(key)->where(),
                                "regress.runs: '" + std::string(key) + "' is not for " + e.experiment +
                                    ", a case that says its traffic itself; leave it out");
}

/// Takes a path from the plan's folder. Throws config::error if there is no such file.
void find_file(const config::location& at, const char* key, const fs::path& folder, std::string& file) {
    if (file.empty()) return;
    file = (folder / file).string();
    if (!fs::exists(file))
        throw config::error(at, fmt::format("regress.runs: {}: there is no file {}", key, file));
}

void check_words(const regress_entry& e, const config::location& at) {
    const auto choose = [&at](const std::string& word, const char* key,
                              const std::vector<std::string>& words) {
        config::choose_word(config::value::scalar(word, at), key, words);
    };
    choose(e.speed, "speed", {"quick", "checked", "fast"});
    choose(e.of, "of", {"routers", "bridges", "nics"});
    choose(e.expect, "expect", {"agree", "fail"});
    for (const std::string& variable : e.environment)
        if (variable.find('=') == std::string::npos || variable.front() == '=')
            throw config::error(at,
                                fmt::format("regress.runs: environment: '{}' must be NAME=VALUE", variable));
    for (const std::string& condition : e.figures) judged_figure::read(condition, at);
    if (!e.measure.empty() && e.figures.empty())
        throw config::error(at, "regress.runs: measure: figures must list what is judged");
}

/// Reads the key `seed`: a number, or "nightly".
void read_seed(regress_entry& e) {
    const config::value& seed = e.written_seed;
    if (seed.type() == config::value::kind::null) return;
    e.nightly = seed.type() == config::value::kind::scalar && seed.text() == "nightly";
    if (!e.nightly)
        e.seed =
            static_cast<std::uint64_t>(config::to_integer(seed, "regress.runs.seed", 0, 9000000000000000));
}

regress_entry read_entry(const config::value& item, const fs::path& folder, std::set<std::string>& names) {
    regress_entry e;
    regress_entry::fields().read(item, e, "regress.runs");
    read_seed(e);
    check_words(e, item.where());
    const std::string kind = kind_of(e, item.where());
    check_keys(item, kind);
    if (e.of != "routers" && (e.steer || e.coverage || e.most_vcs != 0 || !e.with.empty()))
        throw config::error(
            item.where(), "regress.runs: steer, coverage, most_vcs and with are of routers, not of " + e.of);
    const std::string file = e.experiment + e.measure;
    if (e.name.empty()) e.name = file.empty() ? kind : fs::path(file).stem().string();
    if (e.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
        std::string::npos)
        throw config::error(item.where(), "regress.runs: name: '" + e.name +
                                              "' must be of letters, digits, - and _: it names a folder");
    if (e.name == "again" || e.name == "coverage" || e.name == "first_failure" || e.name == "jobs" ||
        e.name == "journal")
        throw config::error(item.where(),
                            "regress.runs: name: '" + e.name +
                                "' is a folder that a regression has itself; give the run another name");
    if (!names.insert(e.name).second)
        throw config::error(item.where(), "there are two runs named " + e.name + "; give one another name");
    find_file(item.where(), "measure", folder, e.measure);
    find_file(item.where(), "experiment", folder, e.experiment);
    if (!e.experiment.empty()) mark_case(item, e);
    if (e.most_vcs != 0 && e.most_vcs < 4)
        throw config::error(
            item.where(),
            fmt::format("regress.runs: most_vcs is {}; it must be 0, or from 4 to 256", e.most_vcs));
    return e;
}

}  // namespace

config::schema<regress_entry> regress_entry::fields() {
    using p = regress_entry;
    config::schema<p> s;
    s.text("name", &p::name, "Of the run: a folder of the result.")
        .number("random", &p::random, 0, 1e6, "routers", "Random routers, or what `of` says.")
        .text("of", &p::of, "What is random: routers, bridges or nics.")
        .text("experiment", &p::experiment,
              "An experiment, or a case that was shrunk; from the file's folder.")
        .text("measure", &p::measure, "An experiment that sare run measures; from the file's folder.")
        .texts("figures", &p::figures,
               "Conditions on its figures: load.accepted >= 0.38, load.accepted = 0.39 +- 2%.")
        .texts("tags", &p::tags, "Words by which --tag chooses runs.")
        .texts("environment", &p::environment, "Variables of its processes, NAME=VALUE.")
        .number("time_limit", &p::time_limit, 0, 1e9, "s", "After which it is ended, an error; 0: none.")
        .text("expect", &p::expect, "agree; or fail: each case must differ.")
        .integers("mutants", &p::mutants, 1, 1e6, "",
                  "Numbers of mutants (scripts/dev/mutants), which must be found.")
        .number("cycles", &p::cycles, 1, 1e12, "cycles", "Of traffic a run.")
        .raw("seed", &p::written_seed, "number, or nightly",
             "The first; 0: the experiment's, or 1; nightly: another one each day.")
        .number("seeds", &p::seeds, 1, 1e6, "seeds", "Of an experiment.")
        .number("most_vcs", &p::most_vcs, 0, 256, "VCs",
                "Of random routers: ports times VCs; 0: as they are cheap.")
        .text("with", &p::with, "Parameters that all random routers have: NAME=VALUE,...")
        .number("shrink", &p::shrink, 0, 1e6, "s", "For shrinking a random router that differs; 0: none.")
        .texts("set", &p::set, "Parameters of the experiment, as for --set.")
        .text("speed", &p::speed, "How RTL is compiled: quick, checked or fast.")
        .flag("steer", &p::steer, "Random routers go for holes of functional coverage.")
        .flag("coverage", &p::coverage, "Lines and toggles are counted.");
    return s;
}

void fix_seeds(regress_plan& plan, const fs::path& stored) {
    json seeds = fs::exists(stored) ? read_json(stored) : json::object();
    const auto today = std::stoull(fmt::format("{:%Y%m%d}", fmt::gmtime(std::time(nullptr))));
    bool any = false;
    for (regress_entry& e : plan.entries) {
        if (!e.nightly) continue;
        any = true;
        if (!seeds.contains(e.name)) seeds[e.name] = today * 100000;
        e.seed = seeds.at(e.name);
    }
    if (any) replace_file(stored, text_of(seeds));
}

regress_plan read_regress_plan(const std::string& file) {
    const config::value document = config::load_yaml(file);
    const config::value* section = document.find("regress");
    if (section == nullptr || document.entries().size() != 1)
        throw config::error({file, 1, 1}, "must have the one section 'regress'");
    written_plan w;
    written_plan::fields().read(*section, w, "regress");
    if (w.runs.items().empty()) throw config::error(section->where(), "regress.runs must list what is run");
    regress_plan plan{w.name.empty() ? fs::path(file).stem().string() : w.name, {}};
    std::set<std::string> names;
    for (const config::value& item : w.runs.items())
        plan.entries.push_back(read_entry(item, fs::path(file).parent_path(), names));
    return plan;
}

}  // namespace sare::cli
