// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

namespace sare::cli {

/// Throws std::runtime_error if a program that change_wave_format() needs for `format` (fst, vcd or saif) is
/// missing; fst needs none.
void check_wave_format(const std::string& format);

/// Turns FST waves into `format`: vcd, or saif (how long each bit is 0 and 1, and how often it changes); fst:
/// does nothing. The new file has that ending and replaces the old one. GTKWave's fst2vcd reads FST. Throws
/// std::runtime_error if the conversion fails.
void change_wave_format(const std::filesystem::path& fst, const std::string& format);

/// Returns the SAIF 2.0 of the text of a VCD: every variable by its place in the hierarchy, from the first
/// time to the last.
std::string saif_of(const std::string& vcd);

}  // namespace sare::cli
