// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/adapter/new_adapter.h"

#include "cosim/rtl/rtl_build.h"
#include "tb/sare/adapter/adapter_skeleton.h"
#include "tb/sare/commands.h"
#include "tb/sare/process/child.h"
#include "tb/sare/process/files.h"
#include "tlm/base/temporary_file.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>

namespace sare::cli {
namespace {

namespace fs = std::filesystem;

/// The words of Verilator's command line that say what it reads.
struct verilator_input {
    std::vector<std::string> options, sources;

    /// Adds the words of a list. Paths in it begin at the present folder, or else at that of the list.
    void add_list(const std::string& list) {
        std::ifstream in(list);
        if (!in) throw config::error(list + ": no such list of files");
        static const std::regex comment("(//|#).*"), variable("\\$[({]?(\\w+)[)}]?");
        for (std::string line; std::getline(in, line);) {
            line = std::regex_replace(line, comment, "");
            for (std::smatch m; std::regex_search(line, m, variable);) {
                const char* value = std::getenv(m.str(1).c_str());
                line = m.prefix().str() + (value == nullptr ? "" : value) + m.suffix().str();
            }
            std::istringstream words(line);
            for (std::string w; words >> w;) add_word(w, words, fs::path(list).parent_path());
        }
    }
    void add_folder(const fs::path& folder) {
        options.push_back("-I" + fs::absolute(folder).lexically_normal().string());
    }

  private:
    static std::string path(const fs::path& name, const fs::path& beside) {
        const bool here = fs::exists(name) || !fs::exists(beside / name);
        return fs::absolute(here ? name : beside / name).lexically_normal();
    }
    void add_word(const std::string& w, std::istream& words, const fs::path& beside) {
        std::string next;
        if (w == "-f" || w == "-F") {
            words >> next;
            add_list(path(next, beside));
        } else if (w == "-y" || w == "-v") {
            words >> next;
            options.insert(options.end(), {w, path(next, beside)});
        } else if (w.rfind("-I", 0) == 0 || w.rfind("+incdir+", 0) == 0) {
            std::istringstream folders(w.substr(w[0] == '-' ? 2 : 8));
            while (std::getline(folders, next, '+'))
                for (const fs::path& folder : {fs::path(next), beside / next})  // "./" is at both
                    if (fs::exists(folder)) add_folder(folder);
        } else if (w[0] == '-' || w[0] == '+') {
            options.push_back(w);
        } else {
            sources.push_back(path(w, beside));
        }
    }
};

/// Returns what Verilator reads, in its order: what the top needs, packages too, comes before it.
verilator_input input_of(const adapter_request& r) {
    verilator_input all;
    for (const std::string& list : r.lists) all.add_list(list);
    for (const std::string& folder : r.includes) all.add_folder(folder);
    for (const std::string& folder : r.libraries)
        all.options.insert(all.options.end(), {"-y", fs::absolute(folder).lexically_normal()});
    for (const std::string& macro : r.macros) all.options.push_back("-D" + macro);
    for (const std::string& parameter : r.parameters) all.options.push_back("-G" + parameter);
    const std::string top = fs::absolute(r.files.front());
    all.add_folder(fs::path(top).parent_path());
    for (std::size_t k = 1; k < r.files.size(); ++k) all.sources.push_back(fs::absolute(r.files[k]));
    all.sources.erase(std::remove(all.sources.begin(), all.sources.end(), top), all.sources.end());
    all.sources.push_back(top);
    return all;
}

/// Returns what Verilator says. Throws config::error if it fails.
std::string run_verilator(std::vector<std::string> line, const verilator_input& what,
                          const std::string& top) {
    line.insert(line.begin(), "verilator");
    line.insert(line.end(), {"--top-module", top, "-Wno-fatal"});
    line.insert(line.end(), what.options.begin(), what.options.end());
    line.insert(line.end(), what.sources.begin(), what.sources.end());
    const child_result done = run_child(std::move(line));
    if (done.not_started != 0) throw config::error("verilator cannot be started; scripts/setup installs it");
    if (done.good()) return done.err;
    const auto wrong = done.err.find("%Error");
    const std::string said =
        wrong == std::string::npos ? "" : done.err.substr(wrong, done.err.find('\n', wrong) - wrong);
    throw config::error(
        fmt::format("{}: Verilator does not read it: {}; name all files that it needs, the "
                    "top first, and packages before what uses them, or -f LIST and -I DIR",
                    what.sources.back(), said));
}

std::string cmake_word(const std::string& word) {
    const bool plain = word.find_first_of(" \"();#$\\") == std::string::npos;
    return plain ? word : "[==[" + word + "]==]";
}

std::string cmake_text(const std::string& top, const verilator_input& what, const std::string& warnings) {
    std::string sources, options;
    for (const std::string& s : what.sources) sources += " " + cmake_word(s);
    for (const std::string& o : what.options) options += " " + cmake_word(o);
    const std::string indent(20, ' ');
    return fmt::format(
        "cmake_minimum_required(VERSION 3.25)\nproject({0} LANGUAGES CXX)\nset(CMAKE_BUILD_TYPE Release "
        "CACHE STRING \"\")\ninclude({1}/SareRtl.cmake)\nsare_add_rtl_router({0} TOP {0} SOURCES{2}\n"
        "{3}ADAPTER {0}_adapter.cpp\n{3}VERILATOR_ARGS{4}{5})\n",
        top, cosim::own_folder("cosim/rtl"), sources, indent, options,
        warnings.empty() ? "" : "\n" + indent + warnings + "  # CHECK: what Verilator warns of\n" + indent);
}

std::string without_warnings(const std::string& said) {
    static const std::regex warning("%Warning-(\\w+):");
    std::set<std::string> kinds;
    for (auto m = std::sregex_iterator(said.begin(), said.end(), warning); m != std::sregex_iterator(); ++m)
        kinds.insert((*m)[1]);
    std::string all;
    for (const std::string& k : kinds) all += (all.empty() ? "-Wno-" : " -Wno-") + k;
    return all;
}

}  // namespace

int write_new_adapter(const adapter_request& r) {
    const std::string top = fs::path(r.files.front()).stem();
    const fs::path folder = r.out.empty() ? fs::path(top + "_adapter") : fs::path(r.out);
    if (fs::exists(folder)) throw config::error(folder.string() + ": is there already; choose another --out");
    const verilator_input what = input_of(r);
    const temporary_file scratch("top.xml");
    const std::string xml_file = scratch.name(), objects = fs::path(xml_file).parent_path();
    run_verilator({"--xml-only", "--xml-output", xml_file, "--Mdir", objects}, what, top);
    const std::string said =
        run_verilator({"--cc", "-O3", "--no-timing", "--assert", "--Mdir", objects}, what, top);
    std::ifstream in(xml_file);
    const std::string xml{std::istreambuf_iterator<char>(in), {}};
    const std::vector<module_pin> pins = pins_of(xml);
    if (pins.empty()) throw config::error(fmt::format("{}: its module {} has no pins", r.files.front(), top));
    fs::create_directories(folder);
    write_file(folder / "CMakeLists.txt", cmake_text(top, what, without_warnings(said)));
    write_file(folder / (top + "_adapter.cpp"), adapter_skeleton(top, pins));
    fmt::print("{}: {} pins; {} is to be completed where it says CHECK\n", folder.string(), pins.size(),
               (folder / (top + "_adapter.cpp")).string());
    return exit_status::good;
}

}  // namespace sare::cli
