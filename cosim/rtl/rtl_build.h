// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"

namespace sare::cosim {

/// A file of the RTL; `sources`: as of rtl_request. Throws rtl_error if it cannot be read.
std::string source_text(const std::string& sources, const std::string& file);

/// A folder of Sare's own, of the sources that this was built from or of the installation: "cosim/rtl".
std::string own_folder(const std::string& name);

/// The file of the library for a request, whether it is there or not: its name stands for the sources, the
/// parameters, the options and Verilator's version.
std::string library_file(const rtl_request& request);

/// Builds it: Verilator, then the C++ compiler, in a folder of its own; the finished library is moved to its
/// place in one step, so processes may build at once. Throws rtl_error.
void build_library(const rtl_request& request, const std::string& file);

}  // namespace sare::cosim
