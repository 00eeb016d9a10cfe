// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/terminal.h"

#include "tlm/config/text_file.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace sare::cli {
namespace {

std::string with_commas(double x, int decimals = 0) {
    std::string digits = fmt::format("{:.{}f}", x, decimals);
    const std::size_t first = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = std::min(digits.find('.'), digits.size()); at > first + 3; at -= 3)
        digits.insert(at - 3, ",");
    return digits;
}

/// Rounds to the three digits that are shown, by which a unit is then chosen.
double to_three_digits(double x) {
    return std::stod(fmt::format("{:.2e}", x));
}

}  // namespace

std::string printable(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        const std::size_t bytes = config::utf8_bytes(text, i);
        const bool c1 = bytes == 2 && first == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
        if (first == '\n' || first == '\r' || first == '\t')
            out += ' ';
        else if (bytes == 0 || first < ' ' || first == 0x7f)
            out += fmt::format("\\x{:02x}", first);
        else if (c1)
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + 1]));
        else
            out.append(text, i, bytes);
        i += std::max<std::size_t>(bytes, 1);
    }
    return out;
}

std::size_t terminal_width(int handle, std::size_t otherwise) {
    if (const char* said = std::getenv("COLUMNS"); said != nullptr && std::atoi(said) > 0)
        return static_cast<std::size_t>(std::clamp(std::atoi(said), 40, 140));
    winsize size{};
    if (ioctl(handle, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
    return std::clamp<std::size_t>(size.ws_col, 40, 140);
}

std::string in_colour(const std::string& text, colour c, int handle) {
    const char *no = std::getenv("NO_COLOR"), *term = std::getenv("TERM");
    const bool refused = (no != nullptr && *no != '\0') || term == nullptr || std::string(term) == "dumb";
    if (refused || text.empty() || isatty(handle) == 0) return text;
    static constexpr const char* codes[] = {"1", "2", "31", "32", "33"};
    return fmt::format("\033[{}m{}\033[0m", codes[static_cast<std::size_t>(c)], text);
}

std::size_t text_width(const std::string& text) {
    std::size_t width = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\033')
            i = std::min(text.find('m', i), text.size());  // a colour
        else
            width += (static_cast<unsigned char>(text[i]) & 0xc0) != 0x80 ? 1 : 0;
    return width;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
    std::istringstream words(text);
    std::string out, word;
    std::size_t used = 0;
    while (words >> word) {
        if (used != 0 && used + 1 + text_width(word) > width) {
            out += "\n" + std::string(indent, ' ');
            used = 0;
        }
        if (used != 0) out += " ";
        out += word;
        used += text_width(word) + (used != 0 ? 1 : 0);
    }
    return out;
}

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t used = text_width(text);
    return used < width ? text + std::string(width - used, ' ') : text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
    const std::size_t used = text_width(text);
    return used < width ? std::string(width - used, ' ') + text : text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i)
            line += (i ? "  " : "") + (i ? right_aligned(row[i], widths[i]) : padded(row[i], widths[i]));
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string folded(const std::vector<std::vector<std::string>>& rows, std::size_t keys, std::size_t width) {
    const auto width_of = [&](std::size_t column) {
        std::size_t widest = 0;
        for (const auto& row : rows)
            if (column < row.size()) widest = std::max(widest, text_width(row[column]));
        return widest + 2;
    };
    std::size_t columns = 0, of_keys = 0;
    for (const auto& row : rows) columns = std::max(columns, row.size());
    for (std::size_t k = 0; k < keys; ++k) of_keys += width_of(k);
    std::string out;
    for (std::size_t first = keys, end = first; first < columns; first = end) {
        // Two blanks stand between columns, none behind the last.
        for (std::size_t used = of_keys; end < columns; ++end) {
            used += width_of(end);
            if (end != first && used > width + 2) break;
        }
        std::vector<std::vector<std::string>> part;
        for (const auto& row : rows) {
            part.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keys));
            for (std::size_t c = first; c < end; ++c) part.back().push_back(row[c]);
        }
        out += (out.empty() ? "" : "\n") + aligned(part);
    }
    return out;
}

std::string table_or_paragraphs(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
    std::vector<std::vector<std::string>> even = rows;  // the last column to the left
    std::size_t last = 0;
    for (const auto& row : rows) last = std::max(last, text_width(row.back()));
    for (auto& row : even) row.back() = padded(row.back(), last);
    std::string table = aligned(even);
    std::istringstream lines(table);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, text_width(line));
    if (widest <= width) return table;
    const auto& header = rows.front();
    std::size_t head = 0;
    for (std::size_t i = 1; i < header.size(); ++i)
        head = std::max(head, std::min<std::size_t>(text_width(header[i]), width / 3));
    const std::size_t indent = 2 + head + 2;
    std::string out;
    for (std::size_t r = 1; r < rows.size(); ++r) {
        out += wrapped(rows[r][0], width - 2, 2) + "\n";
        for (std::size_t i = 1; i < rows[r].size(); ++i)
            if (!rows[r][i].empty())
                out += "  " + padded(i < header.size() ? header[i] : "", head) + "  " +
                       wrapped(rows[r][i], width - std::min(width / 2, indent), indent) + "\n";
    }
    return out;
}

std::string readable(double x, int digits) {
    if (!std::isfinite(x)) return "-";
    if (x == 0) return "0";
    if (std::abs(x) >= 1e15) return fmt::format("{:.{}g}", x, digits);
    if (std::abs(x) >= 1000) return with_commas(std::round(x));
    return fmt::format("{:.{}g}", x, digits);
}

double rounded_up(double half_width, int digits) {
    if (!std::isfinite(half_width) || half_width <= 0) return half_width;
    const double unit = std::pow(10, std::floor(std::log10(half_width)) + 1 - digits);
    return std::ceil(half_width / unit * (1 - 1e-12)) * unit;
}

std::string with_error(double mean, double half_width) {
    if (!std::isfinite(half_width)) return readable(mean);
    if (half_width <= 1e-12 * std::abs(mean)) return readable(mean, 5);
    const int above = static_cast<int>(std::floor(std::log10(half_width))) + 1;  // digits before the point
    for (int digits = std::max(2, above);; ++digits) {
        const double shown = rounded_up(half_width, digits), unit = std::pow(10, above - digits);
        const bool covers = std::round(std::abs(mean) / unit) * unit <= shown * (1 + 1e-12);
        if (covers && std::abs(mean) > half_width && digits < 15) continue;
        const int decimals = digits - above;
        if (decimals > 9) return fmt::format("{:.{}g} ± {:.{}g}", mean, digits + 3, shown, digits);
        return with_commas(mean, decimals) + " ± " + with_commas(shown, decimals);
    }
}

std::string without_error(double mean, double half_width) {
    const double size = std::abs(mean);
    if (!(half_width > 1e-12 * size && half_width < size)) return readable(mean);
    const double digits = std::floor(std::log10(size)) - std::floor(std::log10(half_width)) + 1;
    return readable(mean, std::min(4, static_cast<int>(digits)));
}

std::string scaled(double x) {
    if (!std::isfinite(x)) return "-";
    x = to_three_digits(x);
    for (const auto& [letter, factor] : {std::pair{"G", 1e9}, {"M", 1e6}, {"k", 1e3}})
        if (x >= factor) return fmt::format("{:.3g} {}", x / factor, letter);
    return fmt::format("{:.3g}", x);
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds)) return "-";
    const double whole = std::round(seconds), minutes = std::round(seconds / 60);
    if (whole >= 3600)
        return fmt::format("{:.0f} h {:.0f} min", std::floor(minutes / 60), std::fmod(minutes, 60));
    if (seconds >= 60)
        return fmt::format("{:.0f} min {:.0f} s", std::floor(whole / 60), std::fmod(whole, 60));
    seconds = to_three_digits(seconds);
    for (const auto& [unit, factor] : {std::pair{"s", 1.0}, {"ms", 1e3}, {"us", 1e6}})
        if (seconds * factor >= 1) return fmt::format("{:.3g} {}", seconds * factor, unit);
    return fmt::format("{:.3g} ns", seconds * 1e9);
}

}  // namespace sare::cli
