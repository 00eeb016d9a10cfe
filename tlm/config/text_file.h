// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace sare::config {

/// Returns the text of a file, or its first `most` bytes if it is longer. Throws error, placed at the file,
/// if it cannot be read.
std::string read_file(const std::string& file, std::size_t most);

/// Returns "; did you mean 'mesh.yaml'?" if file `missing` does not exist and its folder has one with nearly
/// its name; else "".
std::string hint_of_file(const std::string& missing);

/// True if a file name ends in ".yaml" or ".yml", as names of experiment files do.
bool is_yaml_name(const std::string& file);

/// Returns the number of bytes, 1 to 4, of the UTF-8 character that begins at text[i]; 0 if no valid
/// character does. `i` must be below text.size().
std::size_t utf8_bytes(const std::string& text, std::size_t i);

}  // namespace sare::config
