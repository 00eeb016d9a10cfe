// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <string>
#include <vector>

/// A file with the one section `regress`, which `sare regress` runs.
namespace sare::cli {

/// An entry of the list: random routers (or bridges, or NICs), an experiment (or a case at the pins, or your
/// own routers), or mutants.
struct regress_entry {
    std::string name;
    std::uint64_t random = 0, cycles = 50000, seed = 0, seeds = 1, most_vcs = 0, shrink = 300;
    std::string experiment;  ///< absolute name
    std::vector<std::string> set;
    std::vector<std::uint32_t> mutants;
    std::string speed = "checked", of = "routers";
    bool steer = false, coverage = false;

    static config::schema<regress_entry> fields();
};

struct regress_plan {
    std::string name;
    std::vector<regress_entry> entries;
};

/// Reads a plan. Throws config::error, with the place of the mistake.
regress_plan read_regress_plan(const std::string& file);

}  // namespace sare::cli
