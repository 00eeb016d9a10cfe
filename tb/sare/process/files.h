// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

/// Files that are on the disk when the call returns; config::error where they are not.
namespace sare::cli {

/// Writes a whole file, to the disk and not only into a cache; an error names the file and its reason.
void write_file(const std::filesystem::path& file, std::string_view text);
/// The same for what `write` puts into a stream: the text is never in memory as a whole.
void write_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// The same by way of another name, so that a reader sees the old or the new file.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// The same for what `write` puts into a stream, compressed as the name's ending says (.gz, .bz2, .xz, .zst).
/// A device or a pipe is written as it is.
void replace_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Adds to a file, or makes it, what `write` puts into a stream.
void append_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Throws "FILE: cannot be WHAT: reason of errno".
[[noreturn]] void fail_with_errno(const std::filesystem::path& file, const std::string& what);

}  // namespace sare::cli
