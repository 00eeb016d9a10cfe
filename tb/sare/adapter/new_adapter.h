// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sare::cli {

/// What write_new_adapter() reads, and where it writes.
struct adapter_request {
    std::vector<std::string> files = {};  ///< sources; the first one is named after the top module
    /// Arguments of Verilator's options -I, -y, -D, -G and -f.
    std::vector<std::string> includes = {}, libraries = {}, macros = {}, parameters = {}, lists = {};
    std::string out = {};  ///< folder to write; "": NAME_adapter
};

/// Writes the skeleton of an adapter for a router of your own: CMakeLists.txt, and an adapter with the pins
/// of the top module. Verilator reads the files. Returns the exit status. Throws config::error if Verilator
/// is missing or cannot read the files, the module has no pins, or the folder exists.
int write_new_adapter(const adapter_request& request);

}  // namespace sare::cli
