// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tlm/config/value.h"

#include <string>

/// YAML text as a tree of values that know their places. Every mistake is a config::error of one line.
namespace sare::cli {

/// A whole file: one document whose top is a map.
config::value load_yaml(const std::string& file);

/// Text on a command line; every part of it is at `place` ("--set router.vcs").
config::value parse_yaml(const std::string& text, const std::string& place);

/// The text of a file; config::error where it cannot be read.
std::string read_file(const std::string& file);

}  // namespace sare::cli
