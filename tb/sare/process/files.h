// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

/// Functions that write files, which are on the disk when the call returns; they throw config::error if the
/// disk does not take them.
namespace sare::cli {

/// Writes a whole file to the disk, not only into a cache, over an earlier one; an error names the file and
/// the reason.
void write_file(const std::filesystem::path& file, std::string_view text);
/// Writes a file by `write`, which puts its content into a stream, without the whole text in memory.
void write_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Writes a file under another name beside it, then renames it: a reader sees either the old or the new file,
/// each complete. After an error the old file is there, as it was.
void replace_file(const std::filesystem::path& file, std::string_view text);

/// Replaces a file by the content that `write` puts into a stream, compressed according to the name's ending
/// (.gz, .bz2, .xz, .zst). A device or pipe is written directly.
void replace_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Throws usage_error if the file `out`, into which results are to be written, has the name of an experiment
/// (.yaml, .yml), which might be the user's. `out`: value of --out; "": nothing is written.
void check_no_experiment(const std::string& out);

/// Appends the text that `write` puts into a stream to a file; makes the file if there is none.
void append_file(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Throws config::error "FILE: cannot be WHAT: reason", with the reason of errno. `what`: participle, such as
/// "written".
[[noreturn]] void fail_with_errno(const std::filesystem::path& file, const std::string& what);

}  // namespace sare::cli
