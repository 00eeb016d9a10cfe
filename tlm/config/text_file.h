// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::config {

/// The text of a file, or its first `most` bytes; an error at the file where it cannot be read.
std::string read_file(const std::string& file, std::size_t most);

/// Returns "; did you mean 'mesh.yaml'?" for a file that is not there beside one with nearly its name; else
/// "".
std::string hint_of_file(const std::string& missing);

/// Whether a file is named as experiments are, ".yaml" or ".yml".
bool is_yaml_name(const std::string& file);

/// Bytes of the character of UTF-8 at text[i]; 0 if there is none.
std::size_t utf8_bytes(const std::string& text, std::size_t i);

}  // namespace sare::config
