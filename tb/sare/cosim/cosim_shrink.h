// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/block_case.h"
#include "cosim/random/random_run.h"
#include "tb/sare/cosim/cosim_results.h"

#include <filesystem>

/// Failing random routers, bridges and NICs of `sare cosim`, shrunk.
namespace sare::cli {

/// Of all cases those to shrink: of each kind of mismatch (pin, assertion) the one whose router is smallest.
std::vector<std::size_t> worth_shrinking(const cosim_results& results);

/// Shrinks one; what comes of it, for write_shrunk(). `name`: of the case, "random 17".
json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step);

/// The same of AXI bridges or a NIC.
json shrink_one(const axi::block_case& what, double seconds, const std::string& name);

/// Writes NAME.yaml and NAME_test.cpp into `folder` and tells the case; a line for people.
std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its);

}  // namespace sare::cli
