// SPDX-License-Identifier: Apache-2.0
#include "cosim/rtl/rtl_module.h"
#include "tb/rtl_bench/bench.h"
#include "tlm/base/joined.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <set>

/// A testbench at the pins of rtl/sare_router.sv: docs/cosim.md. Exit status 0: all well, 1: an error, 2:
/// usage.
namespace sare::bench {
namespace {

struct options {
    setting router;
    config::value given = config::value::map({});  ///< the router's parameters
    std::string waves;
    bool no_holes = false;
};

/// Parameters that the testbench sets itself: routing is by table, flits have 64 bits, credits are on time.
const std::set<std::string> settled{"out_depth",   "flit_width", "credit_in_delay", "routing",
                                    "coord_width", "wrap",       "one_way",         "dateline",
                                    "buffers",     "reserved",   "out_pool"};

/// Returns an option's text about a parameter, with its range or its words.
std::string about(const config::parameter_doc& d) {
    std::string words = joined(d.choices);
    if (d.min) words = config::number_text(*d.min) + " to " + config::number_text(*d.max);
    return d.sentence + (words.empty() ? "" : " [" + words + "]");
}

/// Adds an option for each other parameter of the router.
void add_parameters(CLI::App& app, options& o) {
    const config::value now = o.router.values();
    for (const config::parameter_doc& d : cosim::documented_parameters()) {
        if (settled.count(d.name) != 0) continue;
        std::string name = "--" + d.name;
        std::replace(name.begin(), name.end(), '_', '-');
        const auto take = [&o, name, key = d.name](const std::string& text) {
            o.given.set(key, config::value::scalar(text, {name, 0, 0}));
        };
        if (d.type == "flag")
            app.add_flag_function(
                name, [take](std::int64_t) { take("true"); }, d.sentence);
        else
            app.add_option_function<std::string>(name, take, about(d))
                ->default_str(cosim::word_of(*now.find(d.name)));
    }
}

void add_options(CLI::App& app, options& o) {
    add_parameters(app, o);
    app.add_option("--cycles", o.router.cycles, "Cycles of traffic, before all drains")
        ->capture_default_str();
    app.add_option("--seed", o.router.seed, "Of all random numbers")->capture_default_str();
    app.add_option("--waves", o.waves, "Write waves to this file (FST)");
    app.add_flag("--no-holes", o.no_holes, "A bin without a hit is an error");
}

/// Takes the parameters that were given. Returns what is wrong with them, "" if nothing is.
std::string taken(options& o) {
    try {
        o.router.take(o.given);
        return o.router.problem();
    } catch (const config::error& wrong) {
        return wrong.what();
    }
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
    if (const std::string problem = taken(o); !problem.empty()) {
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
