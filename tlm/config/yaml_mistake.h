// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// Finds what is wrong in a text that is not valid YAML, in words for its author instead of the parser's.
namespace sare::config {

/// A mistake and its place.
struct yaml_mistake {
    int line, column;  ///< place of the mistake; both from 1
    std::string what;  ///< text for an error: what is wrong; what would be right
};

/// Returns the mistake in `text` for which the parser gave the message `said` at `line` and `column`, both
/// from 1.
yaml_mistake yaml_mistake_at(const std::string& text, int line, int column, const std::string& said);

/// Returns the first line with a key or a list item that is indented by a tab, as a mistake; nothing if there
/// is no such line. The parser takes some of these lines for text.
std::optional<yaml_mistake> indented_by_tab(const std::string& text);

}  // namespace sare::config
