// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>

/// Reads YAML text into a tree of values that know their places. Every mistake throws error, one line.
namespace sare::config {

/// Reads a whole file, which must be one document whose top is a map. Limits: 4 MiB, a million values (those
/// behind aliases counted each time), sections 100 deep. Throws error.
value load_yaml(const std::string& file);

/// Reads a whole text as load_yaml() reads a file; `file` is its name in messages.
value parse_document(const std::string& text, const std::string& file);

/// Reads a value of any kind in YAML from a text of the command line; null if the text is empty. All of it
/// has the place `written_at`, such as "--set router.vcs".
value parse_yaml(const std::string& text, const std::string& written_at);

}  // namespace sare::config
