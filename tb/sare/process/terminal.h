// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

/// Texts for people, as a terminal shows them.
namespace sare::cli {

/// Returns the width of a terminal in columns: COLUMNS of the environment, or the width of the terminal on a
/// file descriptor (1: stdout), at least 40 and at most 140; `otherwise`, as it is, if there is neither.
std::size_t terminal_width(int handle = 1, std::size_t otherwise = 100);

/// A colour, or another look, of text on a terminal.
enum class colour { bold, dim, red, green, yellow };
/// Returns `text` with the codes of a colour if the file descriptor is a terminal that shows them; `text`
/// alone if NO_COLOR is set and not empty, with TERM=dumb, or without TERM.
std::string in_colour(const std::string& text, colour c, int handle = 1);

/// Returns `text` in one line that cannot control the terminal: each LF, CR and tab becomes a blank; each
/// other control character (C0, DEL, C1) and each byte that is no UTF-8 becomes \xNN, its code.
std::string printable(const std::string& text);

/// Returns the number of code points of UTF-8 text, without the codes of in_colour(); `text` must have no
/// other escape codes.
std::size_t text_width(const std::string& text);

/// Returns the words of `text` in lines of at most `width` characters (a longer word is a line of its own),
/// without white space at the begin or a line end at the end. White space between words becomes one blank or
/// a line end; lines after the first begin with `indent` blanks, which `width` does not count.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Returns `text` with blanks at its end up to `width` characters; a longer text stays as it is.
std::string padded(const std::string& text, std::size_t width);
/// Returns `text` with blanks at its start up to `width` characters; a longer text stays as it is.
std::string right_aligned(const std::string& text, std::size_t width);

/// Returns the rows, each as a line after `indent` blanks, with columns as wide as their widest cell and two
/// blanks apart. The first column is aligned to the left, all others to the right, and lines have no blanks
/// at the end. Rows may have different numbers of cells.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t indent = 0);
/// Returns rows as aligned() does, in at most `width` characters: columns that do not fit are in a table of
/// their own below, after the first `keys` columns. A table has at least one column beside those, so that it
/// may be wider. All rows must have the same number of cells, more than `keys`.
std::string folded(const std::vector<std::vector<std::string>>& rows, std::size_t keys, std::size_t width);
/// Returns rows, the first of which has the heads of the columns, as aligned() does, but with the last column
/// to the left. If that is wider than `width`, returns a paragraph for each other row instead: its first
/// cell, and below it those cells that are not empty, each after the head of its column. There must be a row,
/// and no row may be empty.
std::string table_or_paragraphs(const std::vector<std::vector<std::string>>& rows, std::size_t width);

/// Returns a number for people: 1,234,567 (from 1000 on without decimals); below 1000, and from 1e15 on,
/// `digits` significant digits: 0.1234; 1.23e-05. "-" for NaN and infinity.
std::string readable(double x, int digits = 4);
/// Rounds `half_width` up to `digits` significant digits, so that the interval as shown covers the whole
/// interval. NaN, infinity, 0 and negative numbers stay.
double rounded_up(double half_width, int digits);
/// Returns "25.11 ± 0.26", the half width rounded up, with enough digits to show whether the interval
/// contains 0; the mean alone if the width is 0 or unknown.
std::string with_error(double mean, double half_width);
/// Returns "25.1" for 25.11 ± 0.26: its last digit has the place of the first digit of the half width, and
/// there are four at most; for texts where the interval stands beside the number. readable(mean) if the half
/// width is 0, unknown, or not below the size of the mean.
std::string without_error(double mean, double half_width);
/// Returns `x` in three digits and a letter: 12.3 k, 4.56 M, 1.2 G; no letter below 1000, nor for negative
/// numbers. "-" for NaN and infinity.
std::string scaled(double x);
/// Returns a duration, given in seconds, as "1.23 s", "45.6 us", "2 h 13 min"; "-" for NaN and infinity.
std::string duration(double seconds);

}  // namespace sare::cli
