// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/schema.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Files with the one section `regress`, which `sare regress` runs.
namespace sare::cli {

/// A run of a regression. Exactly one of four members is given. `random`: number of random routers, bridges
/// or NICs; `experiment`: file of an experiment, which may have RTL routers of the user, or of a shrunk case;
/// `measure`: file of an experiment whose figures are judged; `mutants`: numbers of mutants of the RTL.
struct regress_entry {
    std::string name;  ///< name of letters, digits, '-' and '_', unique in the plan; also of a folder of the
                       ///< results
    /// Number of random routers, bridges or NICs (`of`); 0: the run is of another kind.
    std::uint64_t random = 0;
    /// Cycles of traffic of each random case, or of each seed of `experiment`; not allowed for mutants, cases
    /// and `measure`.
    std::uint64_t cycles = 50000;
    std::uint64_t seed = 0;      ///< first seed; 0: the seed of the experiment, or 1
    config::value written_seed;  ///< `seed` as the file has it: a number, or "nightly"; null: not given
    /// True: the file demands a new seed each day, which fix_seeds() writes into `seed`.
    bool nightly = false;
    std::uint64_t seeds = 1;     ///< number of seeds of `measure`, or of an experiment that is no case
    std::uint64_t most_vcs = 0;  ///< largest number of ports x VCs of a random router, from 4 to 256; 0: 24
    std::uint64_t shrink = 300;  ///< seconds for shrinking each random case that differs; 0: none is shrunk
    /// Path of the experiment's file, relative to the current folder; read_regress_plan() has put the plan's
    /// folder before it. "": none.
    std::string experiment;
    std::vector<std::string> set;  ///< parameters set over the experiment: "PATH=VALUE"
    /// Path of the file of an experiment that is simulated (`sare run`), without RTL, to judge its figures;
    /// relative as `experiment` is. "": none.
    std::string measure;
    /// Conditions on figures of summary.json that must all hold: "load.accepted >= 0.38", "load.accepted =
    /// 0.39 +- 2%". At least one with `measure`, else none.
    std::vector<std::string> figures;
    std::vector<std::string> tags;         ///< words by which --tag and --not-tag choose runs
    std::vector<std::string> environment;  ///< environment variables of the run's processes: "NAME=VALUE"
    double time_limit = 0;  ///< seconds by the wall clock after which a process of the run is ended, and
                            ///< cases that it has not finished are errors; 0: no limit
    std::string expect = "agree";  ///< agree: each case must agree; fail: each case must differ
    /// Seeds that are run alone, which choose_runs() sets to those of cases that failed; empty: all.
    std::vector<std::uint64_t> only;
    /// Numbers of mutants (scripts/dev/mutants), each of which must be found; empty: none.
    std::vector<std::uint32_t> mutants;
    std::string speed = "checked";  ///< way of compiling the RTL: quick, checked or fast
    /// Kind of blocks that are drawn at random: "routers", "bridges" or "nics".
    std::string of = "routers";
    std::string with;       ///< values that parameters of all random routers have, "NAME=VALUE,..."; "": all
                            ///< parameters are random
    bool steer = false;     ///< true: random routers are chosen that can fill holes of functional coverage
    bool coverage = false;  ///< true: lines and toggles of the RTL are counted
    bool is_case = false;   ///< true: `experiment` is a shrunk case, which has its own traffic

    /// Returns the keys of a run, as a file has them.
    static config::schema<regress_entry> fields();
};

/// A plan: the runs of a regression.
struct regress_plan {
    std::string name;                    ///< name in the file; else the name of the file without its ending
    std::vector<regress_entry> entries;  ///< runs in the order of the file; at least one
};

/// Sets the seed of each entry with `nightly`: the one that the JSON file `stored` has for the entry's name,
/// else one made of today's date in UTC (20261129 becomes 2026112900000), which is then stored. Writes no
/// file if no entry has `nightly`. A file `stored` that does not exist is made. Throws config::error if it
/// cannot be read or written.
void fix_seeds(regress_plan& plan, const std::filesystem::path& stored);

/// Reads the plan in `file`. Throws config::error, with the place of the mistake, if the file or a run in it
/// is wrong, or an experiment's file is missing.
regress_plan read_regress_plan(const std::string& file);

}  // namespace sare::cli
