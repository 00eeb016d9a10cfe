// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>

/// Reader of YAML: makes a tree of values with their places. Every mistake in the text throws error, with a
/// text of one line.
namespace sare::config {

/// Reads the whole file `file`, which must be one document with a map at the top. Limits: 4 MiB, a million
/// values (those behind aliases counted each time), sections 100 deep. Throws error.
value load_yaml(const std::string& file);

/// Reads a whole text as load_yaml() reads a file, with the same limits and errors; `file`: name for
/// messages.
value parse_document(const std::string& text, const std::string& file);

/// Reads a value of any kind in YAML from a text of the command line; null if the text is empty. All values
/// get the place `written_at`, such as "--set router.vcs". Throws error for text that is no YAML.
value parse_yaml(const std::string& text, const std::string& written_at);

}  // namespace sare::config
