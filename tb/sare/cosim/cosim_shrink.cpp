// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_shrink.h"

#include "cosim/random/shrink/shrink.h"
#include "tb/sare/process/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>

namespace sare::cli {
namespace {

/// What a message says, without numbers: the same of two cases that show the same difference.
std::string kind_of(const std::string& message) {
    static const std::regex pin(": (\\w+) is 0x"), label("Assertion failed in [\\w.\\[\\]]+\\.(\\w+)"),
        number("\\d+");
    std::smatch found;
    if (std::regex_search(message, found, pin) || std::regex_search(message, found, label)) return found[1];
    return std::regex_replace(message, number, "N");
}

/// Ports times VCs.
std::uint64_t size_of(const std::string& parameters) {
    static const std::regex word("\\b(Ports|Vcs)=(\\d+)");
    std::uint64_t size = 1;
    for (auto m = std::sregex_iterator(parameters.begin(), parameters.end(), word);
         m != std::sregex_iterator(); ++m)
        size *= std::stoull((*m)[2]);
    return size;
}

std::string identifier(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

}  // namespace

std::vector<std::size_t> worth_shrinking(const cosim_results& results) {
    std::map<std::string, std::size_t> smallest;
    for (std::size_t k = 0; k < results.cases.size(); ++k) {
        const cosim_case& c = results.cases[k];
        if (c.status != "mismatch" || c.name.rfind("random ", 0) != 0) continue;
        const auto [at, fresh] = smallest.emplace(kind_of(c.message), k);
        if (!fresh && size_of(c.parameters) < size_of(results.cases[at->second].parameters)) at->second = k;
    }
    std::vector<std::size_t> all;
    for (const auto& [kind, number] : smallest) all.push_back(number);
    return all;
}

json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step) {
    const auto s = cosim::shrink(what, seconds, on_step);
    if (!s) return {{"problem", ""}};
    const std::string file = identifier(name);
    const std::string why = name + ", shrunk: " + s->problem;
    return {{"problem", s->problem},
            {"file", file},
            {"yaml", "# " + why + "\n# sare cosim " + file + ".yaml\n" + cosim::text(s->smallest)},
            {"test", cosim::test_text(s->smallest, file, why)},
            {"place", s->smallest.place.text(s->smallest.setting)},
            {"ports", s->smallest.setting.ports},
            {"vcs", s->smallest.setting.model.vcs},
            {"cycles", s->cycles},
            {"packets", s->smallest.packets.size()},
            {"flits", s->smallest.flits()},
            {"credits", s->smallest.credits.size()},
            {"builds", s->builds},
            {"runs", s->runs},
            {"complete", s->complete}};
}

std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its) {
    if (found.at("problem") == "") return "does not fail again, and is not shrunk";
    const std::string file = found.at("file");
    write_file(folder / (file + ".yaml"), found.at("yaml").get<std::string>());
    write_file(folder / (file + "_test.cpp"), found.at("test").get<std::string>());
    its.shrunk = found;
    its.shrunk.erase("yaml");
    its.shrunk.erase("test");
    return fmt::format("shrunk to {} ports, {} VCs, {} packets, {} flits, {} credits, cycle {}{}",
                       found.at("ports").dump(), found.at("vcs").dump(), found.at("packets").dump(),
                       found.at("flits").dump(), found.at("credits").dump(), found.at("cycles").dump(),
                       found.at("complete") ? "" : " (there was no time for more)");
}

}  // namespace sare::cli
