// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/axi/random/block_case.h"
#include "cosim/bench/plugin_case.h"
#include "cosim/random/random_run.h"
#include "tb/sare/cosim/cosim_results.h"

#include <filesystem>
#include <map>

/// Functions that shrink failing random routers, bridges and NICs of `sare cosim`: they look for a smaller
/// case that fails.
namespace sare::cli {

/// Returns for the index of each random case with a mismatch that of the case to be shrunk for it: the one
/// with the smallest parameters among those of its kind (message without numbers); the first of several.
std::map<std::size_t, std::size_t> smallest_alike(const cosim_results& results);

/// Shrinks a failing random router, for about `seconds` at most. Returns the result, for write_shrunk().
/// `name`: name of the case, "random 17". `on_step` is called with a line on each step; may be empty.
json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step);

/// Does the same for a failing router of one's own.
json shrink_one(const cosim::plugin_case& what, double seconds, const std::string& name);

/// Does the same for failing AXI bridges or a failing NIC.
json shrink_one(const axi::block_case& what, double seconds, const std::string& name);

/// Writes NAME.yaml and NAME_test.cpp into `folder`, sets `shrunk` of the case `its`, and returns a line for
/// people. Writes and sets nothing if the case did not fail again.
std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its);

}  // namespace sare::cli
