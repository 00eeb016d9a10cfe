// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/random_case.h"
#include "tb/sare/run/input.h"
#include "tb/sare/runs/store_options.h"

namespace sare::cli {

class command_parser;

/// The command line of `sare cosim`.
struct cosim_options {
    input_options input;
    std::uint64_t cycles = 50000, shrink = 300;
    std::size_t seeds = 1, random = 0, jobs = 1;
    std::uint32_t most_vcs = cosim::by_cost;
    std::string out, speed = "checked", old_rtl;
    std::vector<std::string> new_adapter;
    store_options store;
    std::uint64_t cpu_seconds = 0;     ///< 0: no limit
    std::vector<std::string> earlier;  ///< results whose coverage counts, too
    bool steer = false, drain = false;
    bool coverage = false, no_waves = false, quiet = false, overwrite = false;

    void add_to(command_parser& command);

  private:
    void add_random_to(command_parser& command);
    void add_coverage_to(command_parser& command);
    void add_output_to(command_parser& command);
};

}  // namespace sare::cli
