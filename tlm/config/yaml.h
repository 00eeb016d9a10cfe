// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>

/// YAML text as a tree of values that know their places. Every mistake is an error of one line.
namespace sare::config {

/// A whole file: one document whose top is a map. Of at most 4 MiB, a million values (those of aliases
/// included), and sections 100 deep.
value load_yaml(const std::string& file);

/// The same of a text; `file` is how messages call it.
value parse_document(const std::string& text, const std::string& file);

/// Text on a command line; every part of it is at `written_at` ("--set router.vcs").
value parse_yaml(const std::string& text, const std::string& written_at);

}  // namespace sare::config
