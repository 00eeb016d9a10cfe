// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>

/// Reads YAML text into a tree of values that know their places. Every mistake is an error of one line.
namespace sare::config {

/// Reads a whole file: one document whose top is a map. Limits: 4 MiB, a million values (with those of
/// aliases), sections 100 deep.
value load_yaml(const std::string& file);

/// Reads a whole text like a file; `file` is its name in messages.
value parse_document(const std::string& text, const std::string& file);

/// Reads any value in YAML from a text of the command line; all of it is placed at `written_at` ("--set
/// router.vcs").
value parse_yaml(const std::string& text, const std::string& written_at);

}  // namespace sare::config
