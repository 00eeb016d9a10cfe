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

/// Returns, for the index of each random case with a mismatch, the index of the case to be shrunk for it.
/// That is the case with the smallest product of ports and VCs among those of its kind (same pin, assertion,
/// or message without numbers); the first of several.
std::map<std::size_t, std::size_t> smallest_alike(const cosim_results& results);

/// Shrinks a failing random router, for about `seconds` seconds at most. Returns a description of the
/// smallest case, for write_shrunk(). `name`: name of the case, "random 17". `on_step` is called with a line
/// on each step; may be empty.
json shrink_one(const cosim::random_run& what, double seconds, const std::string& name,
                const std::function<void(const std::string&)>& on_step);

/// Shrinks a failing case of a router of one's own; arguments and result as above.
json shrink_one(const cosim::plugin_case& what, double seconds, const std::string& name);

/// Shrinks failing AXI bridges or a failing NIC; arguments and result as above.
json shrink_one(const axi::block_case& what, double seconds, const std::string& name);

/// Writes NAME.yaml and NAME_test.cpp into `folder`, sets `shrunk` of the case `its`, and returns a line for
/// people. `found`: result of shrink_one(). Writes and sets nothing if the case did not fail again.
std::string write_shrunk(const json& found, const std::filesystem::path& folder, cosim_case& its);

}  // namespace sare::cli
