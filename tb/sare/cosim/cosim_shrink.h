// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/run/block_case.h"
#include "cosim/random/random_run.h"
#include "tb/sare/cosim/cosim_results.h"

#include <filesystem>

/// Shrinks failing random routers, bridges and NICs of `sare cosim`.
namespace sare::cli {

/// Returns the cases to be shrunk: for each kind of mismatch (pin, assertion) the one with the smallest
/// router.
std::vector<std::size_t> worth_shrinking(const cosim_results& results);

/// Shrinks a failing router. Returns the result, for write_shrunk(). `name`: of the case, "random 17".
json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step);

/// Shrinks failing AXI bridges or a failing NIC.
json shrink_one(const axi::block_case& what, double seconds, const std::string& name);

/// Writes NAME.yaml and NAME_test.cpp into `folder`, and their names into the case. Returns a line for
/// people.
std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its);

}  // namespace sare::cli
