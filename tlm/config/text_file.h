// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::config {

/// Returns the text of a file, or its first `most` bytes. Throws error, placed at the file, if it cannot be
/// read.
std::string read_file(const std::string& file, std::size_t most);

/// Returns "; did you mean 'mesh.yaml'?" for a missing file beside one with nearly its name; else "".
std::string hint_of_file(const std::string& missing);

/// True if a file has a name as experiments have, with ".yaml" or ".yml".
bool is_yaml_name(const std::string& file);

/// Returns the number of bytes of the UTF-8 character at text[i]; 0 if there is none.
std::size_t utf8_bytes(const std::string& text, std::size_t i);

}  // namespace sare::config
