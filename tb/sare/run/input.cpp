// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/run/input.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/import/booksim_file.h"
#include "tb/sare/run/plugins.h"
#include "tb/sare/saturate/traffic_bound.h"
#include "tlm/config/yaml.h"
#include "tlm/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>

namespace sare::cli {

namespace {

/// Adds a plugin as if it stood in the file; by absolute name, as names there are relative to the file.
void add_plugin(config::value& tree, const std::string& name) {
    const config::location at{"--plugin", 0, 0};
    std::vector<config::value> all;
    if (const config::value* given = tree.find("plugins")) {
        all = given->items();
        if (given->type() == config::value::kind::scalar) all = {*given};
    }
    all.push_back(config::value::scalar(std::filesystem::absolute(name).string(), at));
    tree.set("plugins", config::value::list(all, at));
}

}  // namespace

std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text) {
    const auto equals = text.find('=');
    const std::string path = text.substr(0, equals);
    const bool hole =
        path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos;
    if (equals == std::string::npos || hole)
        throw usage_error(fmt::format("{} {}: write {} path=value, for instance {} router.vcs=2", option,
                                      text, option, option));
    return {path, text.substr(equals + 1)};
}

void input_options::add_to(command_parser& command, bool with_seed) {
    command.add_option("FILE", file, "Experiment in YAML; -: from standard input")->required();
    command.add_repeated("--set", sets, "PATH=VALUE",
                         "Set a parameter: a dotted path and a value in YAML; may be given again");
    add_plugin_option(command, plugins);
    if (!with_seed) return;
    command.add_option("--seed", seed, "N", "Seed of the random numbers");
    command.add_option("--threads", threads, "N",
                       "Threads that run the network, with the same results (default: 1)");
}

std::string input_options::folder() const {
    return std::filesystem::path(file).parent_path().string();
}
std::string input_options::stem() const {
    return file == "-" ? "experiment" : std::filesystem::path(file).stem().string();
}

std::string input_options::chosen_case() const {
    std::string chosen;
    for (const auto& text : sets)
        if (const auto [path, name] = split_assignment("--set", text); path == case_axis) chosen = name;
    return chosen;
}

config::value input_options::load() const {
    config::value all = load_whole();
    if (all.type() != config::value::kind::map) return all;
    for (const char* section : {"explore", "fit"}) all.remove(section);  // of searches alone
    config::spread_dotted_keys(all);
    return all;
}

config::value input_options::load_whole() const {
    if (file == "-") {
        if (m_text.empty()) m_text.assign(std::istreambuf_iterator<char>(std::cin), {});
        return config::parse_document(m_text, "standard input");
    }
    try {
        return config::load_yaml(file);
    } catch (const config::error&) {
        if (!is_booksim_file(file)) throw;
        throw config::error(fmt::format(
            "{}: a configuration of BookSim2; 'sare import booksim {}' writes it in YAML", file, file));
    }
}

config::value input_options::tree() const {
    config::value all = load();
    const auto cases = take_cases(all);
    const std::string chosen = chosen_case();
    if (!cases.empty() && chosen.empty())
        throw config::error(fmt::format(
            "{}: has the cases {}; choose one (--set case={}), or run all of them with 'sare sweep'", file,
            names_of(cases), cases.front().name));
    if (!cases.empty()) all = with_case(std::move(all), find_case(cases, chosen, {"--set case", 0, 0}));
    if (cases.empty() && !chosen.empty())
        throw config::error(fmt::format("--set case={}: {} has no cases", chosen, file));
    return over(std::move(all), folder());
}

std::vector<std::pair<std::string, config::value>> input_options::trees_of_cases() const {
    std::vector<std::pair<std::string, config::value>> all;
    if (!chosen_case().empty()) return all;
    config::value tree = load();
    for (const named_case& c : take_cases(tree)) all.emplace_back(c.name, over(with_case(tree, c), folder()));
    return all;
}

config::settings input_options::settings_given() const {
    config::settings all;
    for (const auto& text : sets) {
        const auto [path, written] = split_assignment("--set", text);
        if (path != case_axis) all.emplace_back(path, config::parse_yaml(written, "--set " + path));
    }
    return all;
}

bool input_options::is_below_axis(const std::string& path) const {
    return std::any_of(axes.begin(), axes.end(),
                       [&](const std::string& axis) { return config::is_below(path, axis); });
}

config::settings input_options::settings_below_axes() const {
    config::settings all = settings_given();
    const auto is_other = [&](const auto& setting) { return !is_below_axis(setting.first); };
    all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
    return all;
}

config::value input_options::over(config::value all, const std::string& its_folder) const {
    config::settings given = settings_given();
    const auto is_held = [&](const auto& setting) { return is_below_axis(setting.first); };
    given.erase(std::remove_if(given.begin(), given.end(), is_held), given.end());
    config::set_parameters(all, given);
    if (!seed.empty()) all.set("seed", config::value::scalar(seed, {"--seed", 0, 0}));
    if (!threads.empty()) all.set("threads", config::value::scalar(threads, {"--threads", 0, 0}));
    for (const auto& name : plugins) add_plugin(all, name);
    load_plugins(all, its_folder);
    return all;
}

experiment input_options::read() const {
    return experiment::read(tree(), folder());
}

std::string impossible_load(const experiment& e, const topology& map) {
    const config::value* const given =
        e.traffic.type() == config::value::kind::map ? e.traffic.find("load") : nullptr;
    if (given == nullptr || e.fidelity != fidelity::flit || load_unit(e) != "flits/node/cycle") return "";
    double most = 0;  // of the widest link
    for (std::uint32_t n = 0; n < map.nodes(); ++n) {
        const link_attributes a = map.injection_link(node_id(n));
        most = std::max(most, 1 / (a.cycles_per_flit * a.clock.period()));
    }
    const double load = config::to_number(*given, "load", 0, 1e6);
    if (load <= most) return "";
    return fmt::format(
        "{}: 'load' is {} flits per node and cycle; the link of a node takes {:.4g} at most, so the rest "
        "piles up at the sources",
        given->where().text(), given->text(), most);
}

}  // namespace sare::cli
