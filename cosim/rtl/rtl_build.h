// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"

namespace sare::cosim {

/// Returns the contents of the file `file` in the folder `sources`; empty: the folder that
/// rtl_request::sources names for that. Throws rtl_error if it cannot be read.
std::string source_text(const std::string& sources, const std::string& file);

/// Returns the path of a folder of Sare's own sources, such as "cosim/rtl": where this program was built, or
/// where it is installed.
std::string own_folder(const std::string& name);

/// Returns the path of the library for a request, whether it exists or not. Its name depends on sources,
/// parameters, options and Verilator's version.
std::string library_file(const rtl_request& request);

/// Builds the library for `request` by Verilator and the C++ compiler, in a folder of its own, and moves it
/// to `file` in one step, so that several processes may build it at the same time. Throws rtl_error if it
/// cannot be built.
void build_library(const rtl_request& request, const std::string& file);

}  // namespace sare::cosim
