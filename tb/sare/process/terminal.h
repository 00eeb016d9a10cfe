// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Text for people.
namespace sare::cli {

/// Returns COLUMNS of the environment, or the columns of the terminal on stdout or another handle; else
/// `otherwise`.
std::size_t terminal_width(int handle = 1, std::size_t otherwise = 100);

/// @name Colours, if the handle is a terminal that shows them: not with NO_COLOR, nor with TERM=dumb
/// @{
enum class colour { bold, dim, red, green, yellow };
std::string in_colour(const std::string& text, colour c, int handle = 1);
/// @}

/// Returns `text` in one line without control of the terminal: line ends and tabs become blanks, other
/// control characters (C0, DEL, C1) and bytes that are no UTF-8 become \xNN.
std::string printable(const std::string& text);

/// Number of characters of UTF-8 text, without colours.
std::size_t text_width(const std::string& text);

/// Breaks `text` at blanks into lines of at most `width` characters; all but the first begin with `indent`
/// blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Fills `text` with blanks up to `width` characters, at its end or its start.
std::string padded(const std::string& text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);

/// Returns rows with columns as wide as their widest cell, two blanks apart; numbers to the right, the first
/// column to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t indent = 0);
/// Returns rows as aligned() does, in at most `width` characters: columns that do not fit are in a table of
/// their own below, after the first `keys` columns. A single column is never broken.
std::string folded(const std::vector<std::vector<std::string>>& rows, std::size_t keys, std::size_t width);
/// Returns rows as aligned() does or, if that is wider than `width`, a paragraph for each row: its first
/// cell, and below it the others, each after the head of its column.
std::string table_or_paragraphs(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/// Returns a number for people: 1,234,567; 0.1234; 1.23e-05; "–" for NaN.
std::string readable(double x, int digits = 4);
/// Rounds `half_width` up to `digits` digits: as shown, it covers what it covers.
double rounded_up(double half_width, int digits);
/// Returns "25.11 ± 0.26", the half width rounded up, in as many digits as show on which side of 0 the
/// interval is; the mean alone if the width is 0 or unknown.
std::string with_error(double mean, double half_width);
/// Returns "25.1" for 25.11 ± 0.26: the last digit is the first of the half width, where its interval stands
/// beside it.
std::string without_error(double mean, double half_width);
/// Returns three digits and a letter: 12.3 k, 4.56 M.
std::string scaled(double x);
/// Returns a number of seconds: "1.23 s", "45.6 us", "2 h 13 min".
std::string duration(double seconds);

}  // namespace sare::cli
