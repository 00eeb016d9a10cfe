// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/regress/regress_plan.h"

#include "tlm/config/yaml.h"

#include <algorithm>
#include <filesystem>
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
    {"random", {"of", "most_vcs", "steer", "shrink", "cycles", "seed", "speed", "coverage"}},
    {"experiment", {"set", "seeds", "cycles", "seed", "speed", "coverage"}},
    {"mutants", {}}};

std::string kind_of(const regress_entry& e, const config::location& at) {
    std::vector<std::string> has;
    if (e.random != 0) has.emplace_back("random");
    if (!e.experiment.empty()) has.emplace_back("experiment");
    if (!e.mutants.empty()) has.emplace_back("mutants");
    if (has.size() != 1)
        throw config::error(at, "a run of a regression must have one of random, experiment and mutants");
    return has.front();
}

/// Throws for a key without effect.
void check_keys(const config::value& item, const std::string& kind) {
    const std::vector<std::string>& used = kinds.at(kind);
    for (const auto& [key, value] : item.entries()) {
        if (key == "name" || key == kind || std::find(used.begin(), used.end(), key) != used.end()) continue;
        std::string all = "name, " + kind;
        for (const std::string& other : used) all += ", " + other;
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

regress_entry read_entry(const config::value& item, const fs::path& folder, std::set<std::string>& names) {
    regress_entry e;
    regress_entry::fields().read(item, e, "regress.runs");
    config::choose_word(config::value::scalar(e.speed, item.where()), "speed", {"quick", "checked", "fast"});
    config::choose_word(config::value::scalar(e.of, item.where()), "of", {"routers", "bridges", "nics"});
    const std::string kind = kind_of(e, item.where());
    check_keys(item, kind);
    if (e.of != "routers" && (e.steer || e.coverage || e.most_vcs != 0))
        throw config::error(item.where(),
                            "regress.runs: steer, coverage and most_vcs are of routers, not of " + e.of);
    if (e.name.empty()) e.name = e.experiment.empty() ? kind : fs::path(e.experiment).stem().string();
    if (e.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
        std::string::npos)
        throw config::error(item.where(), "regress.runs: name: '" + e.name +
                                              "' must be of letters, digits, - and _: it names a folder");
    if (e.name == "again" || e.name == "first_failure" || e.name == "jobs")
        throw config::error(item.where(),
                            "regress.runs: name: '" + e.name +
                                "' is a folder that a regression has itself; give the run another name");
    if (!names.insert(e.name).second)
        throw config::error(item.where(), "there are two runs named " + e.name + "; give one another name");
    if (!e.experiment.empty()) {
        e.experiment = (folder / e.experiment).string();
        if (!fs::exists(e.experiment))
            throw config::error(item.where(), "regress.runs: experiment: there is no file " + e.experiment);
        mark_case(item, e);
    }
    if (e.most_vcs != 0 && e.most_vcs < 4)
        throw config::error(item.where(), "regress.runs: most_vcs is " + std::to_string(e.most_vcs) +
                                              "; it must be 0, or from 4 to 256");
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
        .integers("mutants", &p::mutants, 1, 1e6, "",
                  "Numbers of mutants (scripts/dev/mutants), which must be found.")
        .number("cycles", &p::cycles, 1, 1e12, "cycles", "Of traffic a run.")
        .number("seed", &p::seed, 0, 9e15, "", "The first; 0: the experiment's, or 1.")
        .number("seeds", &p::seeds, 1, 1e6, "seeds", "Of an experiment.")
        .number("most_vcs", &p::most_vcs, 0, 256, "VCs",
                "Of random routers: ports times VCs; 0: as they are cheap.")
        .number("shrink", &p::shrink, 0, 1e6, "s", "For shrinking a random router that differs; 0: none.")
        .texts("set", &p::set, "Parameters of the experiment, as for --set.")
        .text("speed", &p::speed, "How RTL is compiled: quick, checked or fast.")
        .flag("steer", &p::steer, "Random routers go for holes of functional coverage.")
        .flag("coverage", &p::coverage, "Lines and toggles are counted.");
    return s;
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
