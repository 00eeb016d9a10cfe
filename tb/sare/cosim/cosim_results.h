// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/coverage.h"
#include "tb/sare/results/result_json.h"

#include <string>
#include <vector>

/// Results of `sare cosim`, for people and for CI systems.
namespace sare::cli {

/// A case: one run of a network, a router, AXI bridges or a NIC.
struct cosim_case {
    std::string name;  ///< name of the case: "random 17", "mesh.yaml seed 2"
    /// Settings of the router, bridges or NIC, or of the experiment: "name=value ...".
    std::string parameters;
    std::string place;  ///< place of a random router in its network, as text; for a network, the file
    std::string status = "not run";    ///< agrees | mismatch | error | not run
    std::string message;               ///< first difference, or the error, in one line; "" if the case agrees
    std::vector<std::string> history;  ///< lines on the cycles before the difference; may be empty
    std::string waves;                 ///< file of waves, relative to the folder of the results; "": none
    /// Description of the smallest case that fails (shrink_one()); null: none.
    json shrunk;
    std::uint64_t router_cycles = 0;  ///< number of cycles compared, summed over the routers (bridges)
    std::uint64_t packets = 0;        ///< number of packets, as in random_outcome or network_outcome; AXI: of
                                      ///< transactions
    double seconds = 0;               ///< duration of the case by the wall clock, compiling included
};

/// All cases of a result, and their coverage.
struct cosim_results {
    std::vector<cosim_case> cases;         ///< all cases, in the order of their numbers
    cosim::coverage coverage;              ///< lines and toggles of the RTL; empty: not counted
    std::string rtl;                       ///< digest of the RTL; equal digests mean equal RTL
    std::uint32_t bins = 0, bins_hit = 0;  ///< number of bins of functional coverage, and of those hit; 0:
                                           ///< functional coverage is not counted

    std::uint64_t router_cycles() const;  ///< number of cycles compared, summed over all cases
    std::size_t configurations() const;   ///< number of cases that were run
    std::size_t mismatches() const;       ///< number of cases with a mismatch
    std::size_t errors() const;           ///< number of cases with an error, which could not be run
};

/// Returns the scalars of an experiment's sections network, router, nic, routing, traffic and cosim as
/// "router.vcs=4 ...", in the form of cosim_case::parameters; blanks in values are left out.
std::string settings_of(const experiment& e);
/// Returns JUnit's XML, which has a test case for each case; those not run are skipped.
std::string junit_text(const cosim_results& r);
/// Returns the results as JSON, as cosim.json has them.
json to_json(const cosim_results& r);
/// Returns a table, as text, of how often each value of each parameter was drawn, and of how many pairs of
/// values were drawn.
std::string parameter_table(const cosim_results& r);
/// Returns a table, as text, of the covered lines and toggles of each module.
std::string coverage_table(const cosim::coverage& c);

}  // namespace sare::cli
