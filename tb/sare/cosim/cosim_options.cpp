// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/cosim/cosim_options.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/cosim/wave_format.h"
#include "tb/sare/usage.h"

#include <filesystem>
#include <sstream>

namespace sare::cli {

void cosim_options::add_to(command_parser& command) {
    input.add_to(command);
    command.get_option("FILE")->required(false);
    m_known.cycles =
        command.add_count("--cycles", cycles, 1, 1000000000000, "Cycles of traffic a run (default: 50000)");
    m_known.seeds = command.add_count("--seeds", seeds, 1, 1000000,
                                      "Run the experiment under so many seeds (default: 1)");
    command.add_jobs(jobs, "Processes at work (default: 1)");
    command
        .add_option("--only", only, "SEEDS", "Run these seeds alone (3,17), not as many as there would be")
        ->check({[](const std::string& text) {
            const bool fine = text.find_first_not_of("0123456789,") == std::string::npos && !text.empty() &&
                              text.find(",,") == std::string::npos && text.front() != ',' &&
                              text.back() != ',';
            return fine ? "" : "'" + text + "' must be seeds with commas between them, such as 3,17";
        }});
    command.add_count("--stop-after", stop_after, 1, 1000000, "Begin no more after so many failures");
    command.add_option("--journal", journal, "DIR",
                       "Keep results of cases there as they come; the same command goes on from them");
    command.add_option("--speed", speed, "How the RTL is compiled: quick, checked (default) or fast")
        ->check(one_of({"quick", "checked", "fast"}));
    add_adapter_to(command);
    command.add_option(
        "--assertions", assertions, "LIB",
        "Print SystemVerilog assertions about the pins of this router of your own, by its facts");
    add_random_to(command);
    add_coverage_to(command);
    add_output_to(command);
    command.footer(
        "Examples:\n"
        "  sare cosim mesh.yaml --set cosim.shadow=5 --cycles 100000 --seeds 4 -j 2\n"
        "  sare cosim --random 40 --most-vcs 16 --coverage -j 2 --out out/nightly\n"
        "  sare cosim --random 20 --of bridges\n"
        "  sare cosim --pins build/libmy_router.so --random 20\n"
        "An experiment whose section cosim names no router has all of them shadowed.\n"
        "What is random and differs is shrunk: DIR/shrunk has it as a file for sare cosim, and as a test.\n"
        "The last line is router_cycles=... configurations=... mismatches=...; the exit\n"
        "status is not 0 unless all agree, and an interrupted run says so there. DIR has cosim.json, "
        "junit.xml and waves/.");
    for (const char* name : {"--most-vcs", "--with", "--coverage", "--coverage-from", "--steer", "--drain",
                             "--old-rtl", "--window"})
        m_known.of_routers.push_back(command.get_option(name));
    for (const char* name : {"--of", "--most-vcs", "--with", "--shrink", "--steer", "--drain"})
        m_known.of_random.push_back(command.get_option(name));
    for (const char* name : {"--threads", "--plugin", "--seeds"})
        m_known.of_networks.push_back(command.get_option(name));
    for (const char* name : {"--cycles", "--seed"}) m_known.of_traffic.push_back(command.get_option(name));
}

void cosim_options::check() const {
    for (const command_option* option : m_known.of_adapters)
        if (option->count() != 0) throw usage_error(option->get_name() + " is of --new-adapter: add TOP.sv");
    if (input.file.empty() && random == 0)
        throw usage_error("cosim: give an experiment, or --random N for N random routers");
    if (input.file.empty() && !input.sets.empty())
        throw usage_error("--set changes an experiment: give its file");
    if (input.file.empty() && m_known.seeds->count() != 0)
        throw usage_error("--seeds runs an experiment several times: give its file");
    for (const command_option* option : m_known.of_networks)
        if (input.file.empty() && option->count() != 0)
            throw usage_error(option->get_name() + " is of an experiment's network: give its file");
    if (window.empty() && m_known.router->count() != 0)
        throw usage_error("--router says whose waves are written: add --window FROM:TO");
    if (window.empty() && m_known.wave_format->count() != 0)
        throw usage_error("--wave-format is of waves that are asked for: add --window FROM:TO");
    if (!window.empty()) window_cycles();
    check_wave_format(wave_format);
    if (!old_rtl.empty() && !std::filesystem::exists(old_rtl))
        throw usage_error("--old-rtl " + old_rtl + ": there is no such folder or library");
    for (const command_option* option : m_known.of_random)
        if (random == 0 && option->count() != 0)
            throw usage_error(option->get_name() + " is of what is drawn at random: add --random N");
    if (of != "routers") check_without_routers(of);
    if (pins) check_pins();
    held();
}

void cosim_options::check_pins() const {
    if (input.file.empty() || random == 0)
        throw usage_error(
            "--pins: give the library of a router of your own, or an experiment whose section " +
            std::string("cosim names one, and --random N"));
    if (is_library() && !input.sets.empty())
        throw usage_error("--set changes an experiment, and " + input.file + " is a library");
    for (const char* option : {"--of", "--most-vcs", "--with", "--coverage-from", "--steer", "--drain",
                               "--old-rtl", "--window", "--seeds"})
        for (const auto* options : {&m_known.of_random, &m_known.of_routers, &m_known.of_networks})
            for (const command_option* given : *options)
                if (given->get_name() == option && given->count() != 0)
                    throw usage_error(std::string(option) + " is of no effect with --pins; leave it out");
}

bool cosim_options::is_library() const {
    return std::filesystem::path(input.file).extension() == ".so";
}

void cosim_options::check_without_routers(const std::string& what) const {
    for (const command_option* option : m_known.of_routers)
        if (option->count() != 0) throw usage_error(option->get_name() + " is of routers, not of " + what);
}

void cosim_options::check_pin_case() const {
    for (const auto* options : {&m_known.of_networks, &m_known.of_traffic})
        for (const command_option* option : *options)
            if (random == 0 && option->count() != 0)
                throw usage_error(input.file + ": a case at the pins says all of its traffic itself; leave " +
                                  "out " + option->get_name());
}

void cosim_options::check_block_case() const {
    for (const command_option* option : m_known.of_networks)
        if (option->count() != 0)
            throw usage_error(option->get_name() + " is of an experiment's network, not of bridges and NICs");
    if (random == 0) check_without_routers("bridges and NICs");
}

config::value cosim_options::held() const {
    if (with.empty()) return {};
    const std::vector<std::string> known = config::names_of(cosim::documented_parameters(), "");
    config::value all = config::value::map({});
    std::istringstream words(with);
    for (std::string word; std::getline(words, word, ',');) {
        const std::size_t sign = word.find('=');
        if (sign == std::string::npos || sign == 0)
            throw usage_error("--with '" + word + "' must be NAME=VALUE, such as switching=cut_through");
        const config::location at{"--with", 0, 0};
        const config::value name = config::value::scalar(word.substr(0, sign), at);
        config::choose_word(name, "parameter", known);
        all.set(name.text(), config::value::scalar(word.substr(sign + 1), at));
    }
    return all;
}

std::vector<std::uint64_t> cosim_options::seeds_from(std::uint64_t first, std::size_t count) const {
    std::vector<std::uint64_t> all;
    std::istringstream words(only);
    for (std::string word; std::getline(words, word, ',');)
        all.push_back(static_cast<std::uint64_t>(
            config::to_integer(config::value::scalar(word, {"--only", 0, 0}), "a seed", 0, INT64_MAX)));
    for (std::size_t k = 0; only.empty() && k < count; ++k) all.push_back(first + k);
    return all;
}

std::uint64_t cosim_options::cycles_of(std::uint64_t otherwise) const {
    return m_known.cycles->count() != 0 ? cycles : otherwise;
}

std::pair<std::uint64_t, std::uint64_t> cosim_options::window_cycles() const {
    std::uint64_t first = 0, last = 0;
    char colon = 0, more = 0;
    std::istringstream text(window);
    if (!(text >> first >> colon >> last) || text >> more || colon != ':' || first == 0 || first > last)
        throw usage_error("--window '" + window + "' must be FROM:TO, cycles from 1 on, such as 1000:1200");
    return {first, last};
}

void cosim_options::add_adapter_to(command_parser& command) {
    command.add_option(
        "--new-adapter", new_adapter.files, "TOP.sv",
        "Write the skeleton of a router of your own: its top and other files; --out names the folder");
    adapter_request& r = new_adapter;
    m_known.of_adapters = {
        command.add_repeated("-I", r.includes, "DIR", "Of --new-adapter: look for files there, too"),
        command.add_repeated("-y", r.libraries, "DIR",
                             "Of --new-adapter: modules that no file has are files there"),
        command.add_repeated("-D", r.macros, "NAME=VALUE", "Of --new-adapter: a macro"),
        command.add_repeated("-G", r.parameters, "NAME=VALUE", "Of --new-adapter: a parameter of the top"),
        command.add_repeated("-f", r.lists, "LIST",
                             "Of --new-adapter: files and options, as simulators take")};
}

void cosim_options::add_random_to(command_parser& command) {
    command.add_count("--random", random, 0, 1000000,
                      "So many routers with random parameters and traffic as well");
    command
        .add_option("--of", of,
                    "What is drawn: routers (default), bridges (of AXI, at both ends) or nics, with traffic")
        ->check(one_of({"routers", "bridges", "nics"}));
    command.add_count("--most-vcs", most_vcs, 4, 256,
                      "Their ports times VCs at most; 256 is all there is (default: 24, the smaller the "
                      "likelier, which compiles in seconds)");
    command.add_flag(
        "--pins", pins,
        "One router of your own, at its pins: FILE is its library, or an experiment whose cosim.rtl "
        "names it; --random N runs N of its places, one a seed");
    command.add_option("--with", with, "NAME=VALUE,...",
                       "Parameters that all random routers have (switching=cut_through,lookahead=true)");
    command
        .add_option("--shrink", shrink, "SECONDS",
                    "Shrink what is random and differs, in so many seconds each; 0: do not (default: 300)")
        ->check(whole_number(0, 1000000));
    command.add_option("--old-rtl", old_rtl, "DIR",
                       "Compare the RTL with that of this folder instead of the model; a router of your own "
                       "with that of another library");
}

void cosim_options::add_coverage_to(command_parser& command) {
    command.add_flag("--coverage", coverage, "Count lines and toggles of the RTL");
    command.add_option("--coverage-from", earlier, "DIR",
                       "Add the coverage of an earlier result, for --steer, too; may be repeated");
    command.add_flag("--steer", steer,
                     "Draw the random routers that can hit most holes of functional coverage; with --drain");
    command.add_flag("--drain", drain, "Traffic of random routers fills buffers and drains them, too");
    command.add_count("--cpu-seconds", cpu_seconds, 1, 1000000000,
                      "Begin no more after so much processor time, compilers included");
}

void cosim_options::add_output_to(command_parser& command) {
    command.add_option("--out", out, "DIR",
                       "Directory for the results (default: out/cosim, out/cosim-2, ...)");
    command.add_flag("--overwrite", overwrite, "Replace an existing result when the new one is complete");
    store.add_to(command, store_options::use::records);
    command.add_flag("--no-waves", no_waves, "Write no waves of the first difference");
    command.add_option("--window", window, "FROM:TO",
                       "Write waves of these cycles, whether or not anything differs");
    m_known.wave_format =
        command
            .add_option("--wave-format", wave_format,
                        "Theirs: fst (default), vcd or saif (activity of each bit); these two need fst2vcd")
            ->check(one_of({"fst", "vcd", "saif"}));
    m_known.router =
        command.add_count("--router", router, 0, 999999999, "Of a network, whose they are (default: 0)");
    command.add_flag("--quiet", quiet, "Print nothing but errors and the last line");
}

}  // namespace sare::cli
