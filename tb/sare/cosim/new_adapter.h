// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sare::cli {

/// Writes the skeleton of an adapter for a router of your own into folder `out`: CMakeLists.txt, and an
/// adapter with the pins of the module that the first file is named after. Verilator reads the files. `out`:
/// "": the folder NAME_adapter. Returns the exit status. Throws config::error if Verilator is missing or
/// cannot read the files, the module has no pins, or the folder exists.
int write_new_adapter(const std::vector<std::string>& files, const std::string& out);

}  // namespace sare::cli
