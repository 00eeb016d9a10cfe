// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/debug/debug_session.h"
#include "tb/sare/debug/debugger.h"
#include "tb/sare/debug/edited_lines.h"
#include "tb/sare/debug/web.h"
#include "tb/sare/process/process.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/run/input.h"
#include "tb/sare/run/rtl.h"
#include "tlm/config/value.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>

/// `sare debug`: a run that its user steps.
namespace sare::cli {
namespace {

struct debug_options {
    input_options input;
    std::string script;
    bool json = false, force = false, web = false;
};

/// Builds and runs the experiment in the process of the engine.
void run_engine(const debug_options& options, engine_side& side) {
    const auto say = [&side](const std::string& text) { side.fail(text); };
    guarded(say, [&]() -> int {
        config::value tree = options.input.tree();
        if (options.force) tree.set_path("checks.force", config::value::scalar("true", {"--force", 0, 0}));
        tree.set("threads", config::value::scalar("1"));
        const experiment e = experiment::read(tree, options.input.folder());
        if (e.fidelity != fidelity::flit)
            throw e.written.mistake(std::string("'fidelity' is ") + to_string(e.fidelity) +
                                    "; sare debug looks into routers, which need fidelity: flit");
        rtl_routers& rtl = make_rtl_routers(e);
        simulation& network = *new simulation(e, rtl.maker());  // never deleted: the process ends at once
        debug_session session(e, network, engine_side::interrupted(),
                              [&side](const state_json& answer) { return side.exchange(answer); });
        session.run();
        return exit_status::good;
    });
}

/// Prints an answer, a refusal behind the place of its command. Returns false for a refusal.
bool print(const debug_options& options, state_json answer, const std::string& place = "") {
    if (answer.is_null()) return true;
    if (!options.json && answer.contains("warnings")) {
        for (const auto& text : answer["warnings"]) warn(text.get<std::string>());
        answer.erase("warnings");
    }
    if (!options.json) answer.erase("status");  // "over" says it
    const bool good = !answer.contains("error");
    if (options.json)
        fmt::print("{}\n", answer.dump(-1, ' ', false, state_json::error_handler_t::replace));
    else if (good)
        fmt::print("{}", text_of_answer(answer));
    std::fflush(stdout);
    if (!good && !options.json) complain(place + answer["error"].get<std::string>());
    return good;
}

/// Does the commands of a file, or of standard input; the first refusal ends it.
int do_script(const debug_options& options, debugger& all, std::istream& in, const std::string& name) {
    std::string line;
    for (int number = 1; !all.has_quit() && std::getline(in, line); ++number) {
        if (split_words(line).empty()) continue;
        if (!print(options, all.command(line), fmt::format("{}:{}:1: ", name, number)))
            return exit_status::failure;
    }
    return exit_status::of_run(all.status());
}

int do_dialogue(const debug_options& options, debugger& all) {
    edited_lines reader([&all](const std::string& line) { return all.completions(line); });
    std::string line;
    fmt::print("{}: before cycle 0; help lists the commands\n", options.input.file);
    while (!all.has_quit() && reader.read(fmt::format("({}) ", all.cycle()), line))
        print(options, all.command(line));
    return exit_status::good;
}

int debug(const debug_options& options) {
    if (options.input.file == "-")
        throw usage_error("debug: FILE must be a file, since commands are read from standard input");
    if (options.web && (options.json || !options.script.empty()))
        throw usage_error("debug: with --web commands come from the page; leave out --script and --json");
    std::ifstream script(options.script);
    if (!options.script.empty() && !script)
        throw config::error(options.script + ": cannot be read; --script needs a file of commands");
    std::fflush(stdout);
    engine_processes run([&options](engine_side& side) { run_engine(options, side); });
    run.ask({{"do", "names"}, {"args", {"router"}}});  // answered, or refused, when the network is built
    debugger all(run, "out/" + options.input.stem());
    if (options.web) return serve_debugger(all, run, options.input.stem());
    std::signal(SIGINT, SIG_IGN);  // pauses the run, which has a handler of its own
    if (!options.script.empty()) return do_script(options, all, script, options.script);
    if (isatty(STDIN_FILENO) != 0 && !options.json) return do_dialogue(options, all);
    return do_script(options, all, std::cin, "standard input");
}

}  // namespace

void add_debug(command_parser& app, action& chosen) {
    auto* command = app.add_subcommand("debug", "Step a network cycle by cycle, and look into it");
    auto options = std::make_shared<debug_options>();
    options->input.add_to(*command);
    command->add_option("-x,--script", options->script, "FILE",
                        "Do the commands of a file, one a line, and end; the first error ends it");
    command->add_flag("--json", options->json, "Print each answer as JSON, in one line");
    command->add_flag(
        "--web", options->web,
        "Show the network in a browser on this machine, and print the address, which is secret");
    command->add_flag("--force", options->force, "Run although the static check finds a deadlock");
    command->footer(
        "Commands: step, continue, until, back, break, list, delete, show, waits, figure, save,\n"
        "help, quit; their beginnings will do. They come from the terminal, from --script or\n"
        "from standard input.\n"
        "Examples:\n"
        "  sare debug mesh.yaml\n"
        "  echo 'until 1000\n  show router 12' | sare debug mesh.yaml --json");
    command->callback([&chosen, options] { chosen = [options] { return debug(*options); }; });
}

}  // namespace sare::cli
