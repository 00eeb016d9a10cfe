// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tb/sare/command_parser.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class ParseError;
}

/// Errors in the command line, each as one plain line that says what to write instead, in the place of
/// CLI11's own texts.
namespace sare::cli {

/// Returns one line about the mistake in a command line that `app` has refused with `problem`, and about the
/// right form.
std::string usage_text(const CLI::App& app, const CLI::ParseError& problem);

}  // namespace sare::cli
