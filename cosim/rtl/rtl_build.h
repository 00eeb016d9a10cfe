// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"

namespace sare::cosim {

/// Returns the text of the file `file` of the folder `sources` (see rtl_request). Throws rtl_error if it
/// cannot be read.
std::string source_text(const std::string& sources, const std::string& file);

/// Returns the path of a folder of Sare's sources ("cosim/rtl"), from which this program was built, or as it
/// is installed.
std::string own_folder(const std::string& name);

/// Returns the file of the library for a request, whether it exists or not: its name depends on the sources,
/// parameters, options and Verilator's version.
std::string library_file(const rtl_request& request);

/// Builds a library by Verilator and the C++ compiler, in a folder of its own, then moves it to `file` in one
/// step, so that several processes may build at once. Throws rtl_error if it cannot be built.
void build_library(const rtl_request& request, const std::string& file);

}  // namespace sare::cosim
