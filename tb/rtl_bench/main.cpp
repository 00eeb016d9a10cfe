// SPDX-License-Identifier: Apache-2.0
#include "tb/rtl_bench/bench.h"

#include <CLI/CLI.hpp>

#include <cstdio>

/// A testbench at the pins of rtl/sare_router.sv: docs/cosim.md. Exit status 0: all well, 1: an error, 2:
/// usage.
namespace sare::bench {
namespace {

struct options {
    setting router;
    std::string waves;
    bool no_holes = false;
};

void add_options(CLI::App& app, options& o) {
    setting& s = o.router;
    const auto number = [&](const char* name, std::uint32_t& to, int min, int max, const char* what) {
        app.add_option(name, to, what)->check(CLI::Range(min, max))->capture_default_str();
    };
    const auto delay = [&](const char* name, std::uint32_t& to) {
        number(name, to, 0, 15, "Cycles of this stage");
    };
    number("--ports", s.ports, 2, 16, "Ports");
    number("--vcs", s.vcs, 1, 16, "Virtual channels a port");
    number("--depth", s.depth, 2, 64, "Flits in the buffer of a VC");
    number("--classes", s.classes, 1, 16, "Message classes that share the VCs");
    number("--nodes", s.nodes, 2, 1024, "Entries of the routing table");
    delay("--rc", s.rc_delay);
    delay("--va", s.va_delay);
    delay("--sa", s.sa_delay);
    delay("--st", s.st_delay);
    number("--credit-delay", s.credit_delay, 0, 255, "Cycles before a credit is at the pins");
    app.add_flag("--lookahead", s.lookahead, "Heads bring their route");
    app.add_flag("--speculative", s.speculative, "VA and SA in the same cycle");
    app.add_flag("--cut-through", s.cut_through, "Else wormhole");
    app.add_flag("--atomic", s.atomic, "An output VC is used again when all credits are back");
    app.add_flag("--output-first", s.output_first, "Allocators; else input first");
    app.add_flag("--wavefront", s.wavefront, "Allocators; else separable");
    app.add_flag("--matrix", s.matrix, "Arbiters; else round robin");
    app.add_flag("--memory-buffers", s.memory_buffers, "Buffers are a memory a port; else flip-flops");
    app.add_flag("--clock-gating", s.clock_gating, "Registers have gated clocks; else enables");
    app.add_option("--cycles", s.cycles, "Cycles of traffic, before all drains")->capture_default_str();
    app.add_option("--seed", s.seed, "Of all random numbers")->capture_default_str();
    app.add_option("--waves", o.waves, "Write waves to this file (FST)");
    app.add_flag("--no-holes", o.no_holes, "A bin without a hit is an error");
}

int report(const options& o, const score& board, const std::string& error) {
    const coverage& c = board.covered();
    std::printf("%s\n%llu packets, %llu flits, %u of %u bins covered\n", c.table().c_str(),
                static_cast<unsigned long long>(board.packets()),
                static_cast<unsigned long long>(board.flits()), c.bins() - c.holes(), c.bins());
    if (!error.empty())
        std::fprintf(stderr, "rtl_bench: seed %llu, %s\n", static_cast<unsigned long long>(o.router.seed),
                     error.c_str());
    else if (o.no_holes && c.holes() != 0)
        std::fprintf(stderr, "rtl_bench: %u bins have no hit\n", c.holes());
    else
        return 0;
    return 1;
}

int run(int argc, char** argv) {
    CLI::App app("Random traffic at the pins of sare_router, a scoreboard, and functional coverage.",
                 "rtl_bench");
    options o;
    app.option_defaults()->take_last();
    add_options(app, o);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& wrong) {
        return app.exit(wrong) == 0 ? 0 : 2;
    }
    if (const std::string problem = o.router.problem(); !problem.empty()) {
        std::fprintf(stderr, "rtl_bench: %s\n", problem.c_str());
        return 2;
    }
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    bench tb("bench", o.router, o.waves);
    const std::string error = tb.run();
    return report(o, tb.board(), error);
}

}  // namespace
}  // namespace sare::bench

int sc_main(int argc, char** argv) {
    try {
        return sare::bench::run(argc, argv);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "rtl_bench: %s\n", problem.what());
        return 1;
    }
}
