// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// Describes mistakes in a text that is no YAML in words for its author, instead of the parser's words.
namespace sare::config {

struct yaml_mistake {
    int line, column;  ///< from 1
    std::string what;  ///< error; recommendation
};

/// Returns the mistake that caused what the parser said of a place (line and column from 1).
yaml_mistake yaml_mistake_at(const std::string& text, int line, int column, const std::string& said);

/// Returns the first key or list item that a tab indents: the parser takes some of these for text.
std::optional<yaml_mistake> indented_by_tab(const std::string& text);

}  // namespace sare::config
