// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

/// Writes files that are on the disk when the call returns; throws config::error if they are not.
namespace sare::cli {

/// Writes a whole file to the disk, not only into a cache; an error names the file and the reason.
void write_file(const std::filesystem::path& file, std::string_view text);
/// Writes what `write` puts into a stream, without the whole text in memory.
void write_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Writes a file under another name, then renames it: a reader sees the old or the new file.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// Replaces a file by what `write` puts into a stream, compressed according to the name's ending (.gz, .bz2,
/// .xz, .zst). A device or pipe is written directly.
void replace_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Appends what `write` puts into a stream to a file, or makes it.
void append_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Throws config::error "FILE: cannot be WHAT: reason of errno"; `what`: "written".
[[noreturn]] void fail_with_errno(const std::filesystem::path& file, const std::string& what);

}  // namespace sare::cli
