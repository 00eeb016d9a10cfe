// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

namespace sare::config {

/// Loads the plugin in `file`, a shared library or a Python file; a library that is loaded already is not
/// loaded again. Its variants stay registered as long as the process lives. Throws error, placed at `at`, for
/// a file that cannot be read or is no plugin, for missing symbols, and for names of variants that are taken.
/// A plugin made for other headers is refused before its code runs.
void load_plugin(const std::string& file, const location& at);

/// True if a file name is that of a plugin in Python: it ends in ".py".
bool is_script(const std::string& file);
/// Runs the plugin in the Python file `file`, by the library of the Python package, which the first call
/// loads. Throws error, placed at `at` or at a line of the file, if the library is missing or the file fails.
void load_script(const std::string& file, const location& at);

}  // namespace sare::config
