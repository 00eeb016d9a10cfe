// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace sare::cli {

/// Arguments of write_new_adapter(): the files that it reads, and the folder that it writes.
struct adapter_request {
    /// SystemVerilog sources; the first file has the name of the top module.
    std::vector<std::string> files = {};
    /// Arguments of Verilator's options -I, -y, -D, -G and -f.
    std::vector<std::string> includes = {}, libraries = {}, macros = {}, parameters = {}, lists = {};
    std::string out = {};  ///< folder to write; "": NAME_adapter
};

/// Writes the skeleton of an adapter for a router of your own: CMakeLists.txt, and a C++ file with a pin
/// adapter for the pins of the top module. Verilator reads the sources. Returns the exit status. Throws
/// config::error if Verilator is missing or cannot read the files, the module has no pins, or the folder
/// exists.
int write_new_adapter(const adapter_request& request);

}  // namespace sare::cli
