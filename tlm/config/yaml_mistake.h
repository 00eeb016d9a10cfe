// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

/// What is wrong with a text that is no YAML, in words for its author: the parser has its own.
namespace sare::config {

struct yaml_mistake {
    int line, column;  ///< from 1
    std::string what;  ///< what is wrong; what would be right
};

/// The mistake behind what the parser has said of a place (from 1).
yaml_mistake yaml_mistake_at(const std::string& text, int line, int column, const std::string& said);

/// The first key or item of a list that a tab indents: the parser takes some of these for text.
std::optional<yaml_mistake> indented_by_tab(const std::string& text);

}  // namespace sare::config
