// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <string>
#include <vector>

/// Files with the one section `regress`, which `sare regress` runs.
namespace sare::cli {

/// A run of a regression. Exactly one of these is given: `random` (number of random routers, bridges or
/// NICs), `experiment` (file of an experiment, which may have RTL routers of the user, or of a shrunk case),
/// or `mutants` (numbers of mutants of the RTL).
struct regress_entry {
    std::string name;  ///< name of letters, digits, '-' and '_', unique in the plan; also of a folder of the
                       ///< results
    std::uint64_t random = 0;  ///< number of random routers, or of what `of` says; 0: the run is another one
    /// Cycles of traffic of each random case, or of each seed of an experiment; not allowed for mutants and
    /// cases.
    std::uint64_t cycles = 50000;
    std::uint64_t seed = 0;      ///< first seed; 0: the experiment's, or 1
    std::uint64_t seeds = 1;     ///< number of seeds of an experiment that is no case
    std::uint64_t most_vcs = 0;  ///< largest number of ports x VCs of a random router, from 4 to 256; 0: 24
    std::uint64_t shrink = 300;  ///< seconds for shrinking each random case that differs; 0: none is shrunk
    /// Path of the experiment's file, relative to the current folder; read_regress_plan() has put the plan's
    /// folder before it. "": none.
    std::string experiment;
    std::vector<std::string> set;  ///< parameters set over the experiment: "PATH=VALUE"
    /// Numbers of mutants (scripts/mutants), each of which must be found; empty: none.
    std::vector<std::uint32_t> mutants;
    std::string speed = "checked";  ///< way of compiling the RTL: quick, checked or fast
    std::string of = "routers";     ///< what is drawn at random: routers, bridges or nics
    bool steer = false;             ///< true: random routers are drawn for holes of functional coverage
    bool coverage = false;          ///< true: lines and toggles of the RTL are counted
    bool is_case = false;  ///< true: `experiment` is a shrunk case, which says all of its traffic itself

    /// Returns the keys of a run, as a file has them.
    static config::schema<regress_entry> fields();
};

/// A plan: the runs of a regression.
struct regress_plan {
    std::string name;                    ///< name in the file; else the name of the file without its ending
    std::vector<regress_entry> entries;  ///< runs in the order of the file; at least one
};

/// Reads a plan. Throws config::error, with the place of the mistake, if a run is wrong, or an experiment's
/// file is missing.
regress_plan read_regress_plan(const std::string& file);

}  // namespace sare::cli
