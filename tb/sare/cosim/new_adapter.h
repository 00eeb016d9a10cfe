// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sare::cli {

/// Writes the skeleton of a router of your own into folder `out`: CMakeLists.txt and an adapter with the pins
/// of the module that the first file is named after. Verilator reads the files. Returns the exit status.
/// Throws config::error for what it cannot read.
int write_new_adapter(const std::vector<std::string>& files, const std::string& out);

}  // namespace sare::cli
