// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/random/random_case.h"
#include "tb/sare/run/input.h"
#include "tb/sare/runs/store_options.h"

namespace sare::cli {

class command_option;
class command_parser;

/// The options of `sare cosim`.
struct cosim_options {
    input_options input;
    std::uint64_t cycles = 50000, shrink = 300;
    std::size_t seeds = 1, random = 0, jobs = 1;
    std::uint32_t most_vcs = cosim::by_cost;
    std::string out, speed = "checked", old_rtl;
    std::string of = "routers";       ///< things to draw
    std::string wave_format = "fst";  ///< format of waves
    std::string window;               ///< cycles of which waves are written in any case, "FROM:TO"; "": none
    std::uint32_t router = 0;         ///< router of a network whose waves these are
    std::vector<std::string> new_adapter;
    store_options store;
    std::uint64_t cpu_seconds = 0;     ///< 0: no limit
    std::vector<std::string> earlier;  ///< earlier results whose coverage counts, too
    bool steer = false, drain = false;
    bool coverage = false, no_waves = false, quiet = false, overwrite = false;

    void add_to(command_parser& command);
    /// Throws usage_error if an option is given that would be of no effect.
    void check() const;
    /// check() for a file that is one router at its pins, or bridges or a NIC.
    void check_pin_case() const;
    void check_block_case() const;
    /// Returns the cycles as given; else `otherwise`.
    std::uint64_t cycles_of(std::uint64_t otherwise) const;
    /// Returns the first and last cycle of `window`. Throws usage_error.
    std::pair<std::uint64_t, std::uint64_t> window_cycles() const;

  private:
    void add_random_to(command_parser& command);
    void add_coverage_to(command_parser& command);
    void add_output_to(command_parser& command);
    void check_without_routers(const std::string& what) const;

    /// Options of which it matters whether they are given.
    struct known_options {
        std::vector<const command_option*> of_random, of_routers, of_networks, of_traffic;
        const command_option *cycles = nullptr, *seeds = nullptr, *router = nullptr, *wave_format = nullptr;
    } m_known;
};

}  // namespace sare::cli
