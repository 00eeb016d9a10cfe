// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Text for people.
namespace sare::cli {

/// COLUMNS of the environment, or those of the terminal on stdout or another handle; `otherwise` where there
/// is none.
std::size_t terminal_width(int handle = 1, std::size_t otherwise = 100);

/// @name Colours, where the handle is a terminal that shows them: not with NO_COLOR set, nor TERM=dumb
/// @{
enum class colour { bold, dim, red, green, yellow };
std::string in_colour(const std::string& text, colour c, int handle = 1);
/// @}

/// `text` on one line and without what would steer a terminal: line ends and tabs are blanks, other control
/// characters (C0, DEL, C1) and bytes that are no UTF-8 are written as \xNN.
std::string printable(const std::string& text);

/// Characters of UTF-8 text, colours aside.
std::size_t text_width(const std::string& text);

/// `text` broken at blanks into lines of at most `width` characters, each after the first behind `indent`
/// blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// `text` with blanks up to `width` characters, at its end or at its start.
std::string padded(const std::string& text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);

/// Rows with columns as wide as their widest cell, two blanks apart; numbers to the right, the first column
/// to the left.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t indent = 0);
/// The same in at most `width` characters: columns that do not fit stand in a table of their own below, each
/// behind the first `keys` columns. A column by itself is never broken.
std::string folded(const std::vector<std::vector<std::string>>& rows, std::size_t keys, std::size_t width);
/// Rows as aligned() has them or, where that is wider than `width`, a paragraph for each row: its first cell,
/// and below it the others, each behind the head of its column.
std::string table_or_paragraphs(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/// A number as one reads it: 1,234,567; 0.1234; 1.23e-05; "–" for none.
std::string readable(double x, int digits = 4);
/// `half_width` to so many digits, rounded up: what it covers, it covers as shown.
double rounded_up(double half_width, int digits);
/// "25.11 ± 0.26", the half width rounded up, in as many digits as show on which side of 0 the interval is;
/// the mean alone where the width is 0 or not known.
std::string with_error(double mean, double half_width);
/// Three digits and a letter: 12.3 k, 4.56 M.
std::string scaled(double x);
/// A number of seconds: "1.23 s", "45.6 us", "2 h 13 min".
std::string duration(double seconds);

}  // namespace sare::cli
