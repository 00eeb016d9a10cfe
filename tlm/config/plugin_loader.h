// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

namespace sare::config {

/// Loads the plugin in `file`, unless it is loaded: its variants are there afterwards, for as long as the
/// process lives. Throws config::error, placed at `at`, for a file that cannot be read or is no plugin, for
/// one made for other headers (found out before any of its code runs), for symbols that are missing, and for
/// names that are taken.
void load_plugin(const std::string& file, const location& at);

/// A plugin in Python.
bool is_script(const std::string& file);
/// Runs one, by the library of the Python package, which is loaded for the first one. Throws error, with `at`
/// or a line of the file, where that is missing or the file fails.
void load_script(const std::string& file, const location& at);

}  // namespace sare::config
