// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_shrink.h"

#include "cosim/bench/plugin_bench.h"
#include "cosim/random/shrink/shrink.h"
#include "tb/sare/process/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>

namespace sare::cli {
namespace {

/// Returns a message without numbers, equal for two cases with the same difference.
std::string kind_of(const std::string& message) {
    static const std::regex pin(": (\\w+) is 0x"), label("Assertion failed in [\\w.\\[\\]]+\\.(\\w+)"),
        number("\\d+");
    std::smatch found;
    if (std::regex_search(message, found, pin) || std::regex_search(message, found, label)) return found[1];
    return std::regex_replace(message, number, "N");
}

/// Returns ports times VCs.
std::uint64_t size_of(const std::string& parameters) {
    static const std::regex word("\\b(Ports|Vcs)=(\\d+)");
    std::uint64_t size = 1;
    for (auto m = std::sregex_iterator(parameters.begin(), parameters.end(), word);
         m != std::sregex_iterator(); ++m)
        size *= std::stoull((*m)[2]);
    return size;
}

std::string test_of(const cosim::plugin_case& c, const std::string& name, const std::string& why) {
    return cosim::test_text(text(c), name, why, "cosim/bench/plugin_case.h", "plugin_difference");
}
std::string test_of(const cosim::pin_case& c, const std::string& name, const std::string& why) {
    return test_text(c, name, why);
}
std::string test_of(const axi::block_case& c, const std::string& name, const std::string& why) {
    return test_text(c, name, why);
}

/// Returns the variable that names the sources of Sare's RTL, if it is set, as a command line begins with it.
std::string sources() {
    const char* rtl = std::getenv("SARE_RTL");
    return rtl == nullptr ? "" : "SARE_RTL='" + std::filesystem::absolute(rtl).string() + "' ";
}

/// Describes what was shrunk: a shrunk_case, shrunk_plugin or shrunk_block.
template <class Shrunk>
json common_of(const Shrunk& s, const std::string& file, const std::string& why) {
    return {{"problem", s.problem},
            {"file", file},
            {"yaml", "# " + why + "\n# " + sources() + "sare cosim " + file + ".yaml\n" + text(s.smallest)},
            {"test", test_of(s.smallest, file, why)},
            {"cycles", s.cycles},
            {"runs", s.runs},
            {"complete", s.complete}};
}

std::string identifier(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

}  // namespace

std::map<std::size_t, std::size_t> smallest_alike(const cosim_results& results) {
    std::map<std::string, std::size_t> smallest;
    std::map<std::size_t, std::string> kinds;
    for (std::size_t k = 0; k < results.cases.size(); ++k) {
        const cosim_case& c = results.cases[k];
        if (c.status != "mismatch" || c.name.rfind("random ", 0) != 0) continue;
        kinds[k] = kind_of(c.message);
        const auto [at, fresh] = smallest.emplace(kinds[k], k);
        if (!fresh && size_of(c.parameters) < size_of(results.cases[at->second].parameters)) at->second = k;
    }
    std::map<std::size_t, std::size_t> all;
    for (const auto& [number, kind] : kinds) all[number] = smallest[kind];
    return all;
}

json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step) {
    const auto s = cosim::shrink(what, seconds, on_step);
    if (!s) return {{"problem", ""}};
    const cosim::pin_case& c = s->smallest;
    const std::string file = identifier(name), why = name + ", shrunk: " + s->problem;
    json found = common_of(*s, file, why);
    found.update({{"place", c.place.text(c.setting)},
                  {"builds", s->builds},
                  {"blocks", 1},
                  {"ports", c.setting.ports},
                  {"vcs", c.setting.model.vcs},
                  {"packets", c.packets.size()},
                  {"flits", c.flits()},
                  {"credits", c.credits.size()}});
    found["said"] = fmt::format("{} ports, {} VCs, {} packets, {} flits, {} credits", c.setting.ports,
                                c.setting.model.vcs, c.packets.size(), c.flits(), c.credits.size());
    return found;
}

json shrink_one(const cosim::plugin_case& what, double seconds, const std::string& name) {
    const auto s = cosim::shrink(what, seconds);
    if (!s) return {{"problem", ""}};
    const cosim::plugin_case& c = s->smallest;
    const std::string file = identifier(name);
    json found = common_of(*s, file, name + ", shrunk: " + s->problem);
    found.update({{"place", fmt::format("router {}", c.router)},
                  {"packets", c.packets.size()},
                  {"flits", c.flits()},
                  {"credits", c.credits.size()}});
    found["said"] =
        fmt::format("{} packets, {} flits, {} credits", c.packets.size(), c.flits(), c.credits.size());
    return found;
}

json shrink_one(const axi::block_case& what, double seconds, const std::string& name) {
    const auto s = axi::shrink(what, "", seconds);
    if (!s) return {{"problem", ""}};
    const axi::block_case& c = s->smallest;
    const bool bridges = c.of == axi::block_kind::bridges;
    const std::string file = identifier(name), why = name + ", shrunk: " + s->problem;
    json found = common_of(*s, file, why);
    found["builds"] = s->builds;
    found["blocks"] = bridges ? c.bridges.managers + c.bridges.memories : 1;
    found["parameters"] = axi::parameters_of(c);
    found["said"] = bridges ? fmt::format("{} managers, {} memories, seed {}", c.bridges.managers,
                                          c.bridges.memories, c.seed)
                            : fmt::format("a NIC of {} VCs, seed {}", c.nic.vcs, c.seed);
    return found;
}

std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its) {
    if (found.at("problem") == "") return "does not fail again, and is not shrunk";
    const std::string file = found.at("file");
    write_file(folder / (file + ".yaml"), found.at("yaml").get<std::string>());
    write_file(folder / (file + "_test.cpp"), found.at("test").get<std::string>());
    its.shrunk = found;
    for (const char* text : {"yaml", "test", "said"}) its.shrunk.erase(text);
    return fmt::format("shrunk to {}, cycle {}{}", found.at("said").get<std::string>(),
                       found.at("cycles").dump(),
                       found.at("complete") ? "" : " (there was no time for more)");
}

}  // namespace sare::cli
