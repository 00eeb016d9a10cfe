// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <string>
#include <vector>

/// A file with the one section `regress`, which `sare regress` runs.
namespace sare::cli {

/// One run of a regression. Exactly one of these is given: `random` (number of random routers, bridges or
/// NICs), `experiment` (file of an experiment, which may have RTL routers of the user, or of a shrunk case),
/// or `mutants` (numbers of mutants of the RTL).
struct regress_entry {
    std::string name;          ///< unique in the plan; names a folder of the results
    std::uint64_t random = 0;  ///< number of random routers, or of what `of` says
    /// Cycles of traffic of each random case, or of each seed of an experiment; refused for mutants and
    /// cases.
    std::uint64_t cycles = 50000;
    std::uint64_t seed = 0;      ///< first seed; 0: the experiment's, or 1
    std::uint64_t seeds = 1;     ///< number of seeds of an experiment that is no case
    std::uint64_t most_vcs = 0;  ///< most ports x VCs of a random router, from 4 on; 0: at most 24
    std::uint64_t shrink = 300;  ///< seconds for shrinking a random case that differs; 0: none
    /// Path of the experiment's file; read_regress_plan() has put the plan's folder before a relative one.
    /// "": none.
    std::string experiment;
    std::vector<std::string> set;  ///< "PATH=VALUE": parameters set over the experiment
    /// Numbers of mutants (scripts/dev/mutants), each of which must be found.
    std::vector<std::uint32_t> mutants;
    std::string speed = "checked";  ///< how the RTL is compiled: quick, checked or fast
    std::string of = "routers";     ///< what is random: routers, bridges or nics
    bool steer = false;             ///< true: random routers are drawn for holes of functional coverage
    bool coverage = false;          ///< true: lines and toggles of the RTL are counted
    bool is_case = false;  ///< true: `experiment` is a shrunk case, which says all of its traffic itself

    static config::schema<regress_entry> fields();
};

struct regress_plan {
    std::string name;                    ///< as the file says; else the file's name without its ending
    std::vector<regress_entry> entries;  ///< in the file's order; at least one
};

/// Reads a plan. Throws config::error, with the place of the mistake; also if an experiment's file is
/// missing.
regress_plan read_regress_plan(const std::string& file);

}  // namespace sare::cli
