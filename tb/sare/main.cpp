// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/command_parser.h"
#include "tb/sare/commands.h"
#include "tb/sare/help_text.h"
#include "tb/sare/process/process.h"
#include "tb/sare/run/processes.h"
#include "tb/sare/usage.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <systemc>

namespace sare::cli {
namespace {

constexpr const char* examples =
    "Examples:\n"
    "  sare run tb/experiments/cg.S.16-torus4x4.yaml\n"
    "  sare run mesh.yaml --set 'network.dims=[4, 4]' --seed 7 --out out/small\n"
    "  sare sweep mesh.yaml --axis traffic.load=0.1,0.2,0.3 -j 4 --out out/loads\n"
    "  sare describe router.vcs\n"
    "  sare compare out/small out/other --rel 0.03\n"
    "Exit status: 0 all well, 1 bad input or failure, 2 usage, 3 deadlock or stuck,\n"
    "130 interrupted, 141 nobody read the output to its end.";

int command_line(int argc, char** argv) {
    CLI::App app("Sare simulates interconnection networks: SystemC and TLM-2.0, flit by flit.", "sare");
    app.formatter(std::make_shared<help_formatter>());
    app.set_version_flag("--version", fmt::format("sare {}", version()));
    app.set_help_flag("-h,--help", "Print this help; 'sare COMMAND --help' explains a command");
    app.footer(examples);
    app.require_subcommand(0, 1);
    command_parser program(app);
    action chosen;
    for (const auto add :
         {add_run,    add_sweep,        add_saturate,   add_saturate_job, add_sweep_job, add_explore,
          add_fit,    add_debug,        add_check,      add_topo,         add_cost,      add_describe,
          add_schema, add_report,       add_plot,       add_compare,      add_trace,     add_import,
          add_cosim,  add_characterise, add_regress,    add_regress_job,  add_runs,      add_why,
          add_record, add_doctor,       add_completion, add_pages})
        add(program, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e);
        complain(usage_text(app, e));
        return exit_status::usage;
    }
    if (!chosen) {
        complain("no command; 'sare --help' lists them");
        return exit_status::usage;
    }
    const started_processes all = processes_started();
    if (const CLI::App* const command = app.get_subcommands().front();
        all.count > 1 && command->get_name() != "run") {
        // The first process fails for all: mpirun ends the others with it, and might lose its line otherwise.
        if (all.rank != 0) return exit_status::good;
        complain(
            fmt::format("{}: one of the {} processes of an mpirun, which run one network together: 'sare "
                        "run'; other commands start processes of their own",
                        command->get_name(), all.count));
        return exit_status::usage;
    }
    return chosen();
}

}  // namespace
}  // namespace sare::cli

int sc_main(int argc, char** argv) {
    using namespace sare::cli;
    end_with_parent();
    std::signal(SIGXFSZ, SIG_IGN);  // a file too large is an error of write()
    std::signal(SIGPIPE, SIG_IGN);  // results are not lost because nobody reads what is printed
    install_report_handler();
    leave(guarded("", [&] { return command_line(argc, argv); }));
}

int main(int argc, char** argv) {
    setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
    return sc_core::sc_elab_and_sim(argc, argv);
}
