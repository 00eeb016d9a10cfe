// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cosim/rtl/rtl_library.h"

namespace sare::cosim {

/// Returns the contents of the file `file` in the folder `sources`; an empty `sources` means the same folder
/// as for rtl_request::sources. Throws rtl_error if the file cannot be read.
std::string source_text(const std::string& sources, const std::string& file);

/// Returns the path of the folder `name` of Sare's own sources, such as "cosim/rtl". It is in the source tree
/// of this build, or if that is gone, in the installation, whether it exists there or not.
std::string own_folder(const std::string& name);

/// Returns the path in the cache of the library for `request`, whether it exists or not. Its name depends on
/// sources, parameters, options and Verilator's version. Throws rtl_error if the sources cannot be read.
std::string library_file(const rtl_request& request);

/// Builds the library for `request` by Verilator and the C++ compiler, in a folder of its own, and moves it
/// to `file` in one step, so that several processes may build it at the same time. `file`: result of
/// library_file(). Throws rtl_error, with the path of a log, if it cannot be built.
void build_library(const rtl_request& request, const std::string& file);

}  // namespace sare::cosim
