// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/coverage.h"
#include "tb/sare/results/result_json.h"

#include <string>
#include <vector>

/// Results of `sare cosim`, for people and for CI systems.
namespace sare::cli {

struct cosim_case {
    std::string name;        ///< "random 17", "mesh.yaml seed 2"
    std::string parameters;  ///< settings of the router: "name=value ..."
    std::string place;
    std::string status = "not run";  ///< agrees | mismatch | error | not run
    std::string message;             ///< one line; "" if the case agrees
    std::vector<std::string> history;
    std::string waves;  ///< file; "": none
    json shrunk;        ///< smallest case that fails; null: none
    std::uint64_t router_cycles = 0, packets = 0;
    double seconds = 0;
};

struct cosim_results {
    std::vector<cosim_case> cases;
    cosim::coverage coverage;
    std::string rtl;                       ///< digest of the RTL: equal texts, equal RTL
    std::uint32_t bins = 0, bins_hit = 0;  ///< bins of functional coverage; 0: it is not counted

    std::uint64_t router_cycles() const;
    std::size_t configurations() const;  ///< number of configurations run
    std::size_t mismatches() const;
    std::size_t errors() const;
};

/// Returns the settings that an experiment gives a router, in the form of a random one's parameters.
std::string settings_of(const experiment& e);
/// Returns JUnit's XML, with a test case for each case.
std::string junit_text(const cosim_results& r);
json to_json(const cosim_results& r);
/// Returns how often each value of each parameter was drawn, and how many pairs of values.
std::string parameter_table(const cosim_results& r);
std::string coverage_table(const cosim::coverage& c);

}  // namespace sare::cli
