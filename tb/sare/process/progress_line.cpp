// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/progress_line.h"

#include "tb/sare/process/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace sare::cli {
namespace {

constexpr double first_shown = 2.0, between = 0.2;  // seconds
constexpr double settled = 30.0;  // after these even a hundredth tells how long it will take

double seconds(std::chrono::steady_clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

/// A line that wraps cannot be erased.
std::string fitting(const std::string& text) {
    winsize size{};
    const std::size_t width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
    return text.substr(0, width);
}

/// The work goes on where the terminal is closed.
void write_to_terminal(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace

progress_line::progress_line(bool quiet) : m_on(!quiet && isatty(STDERR_FILENO) != 0) {}

double progress_line::elapsed() const {
    return seconds(clock::now() - m_begin);
}

bool progress_line::due() {
    const auto now = clock::now();
    if (!m_on || seconds(now - m_begin) < first_shown || (m_visible && seconds(now - m_shown) < between))
        return false;
    m_shown = now;
    return true;
}

void progress_line::show(const std::string& text) {
    if (!due()) return;
    write_to_terminal(fmt::format("\r{}\033[K", fitting(text)));
    m_visible = true;
}

void progress_line::show(const progress& p) {
    const auto now = clock::now();
    const double since = seconds(now - m_sampled);
    if (since > 1) {
        m_rate = static_cast<double>(p.cycle - m_sampled_cycle) / since;
        m_sampled = now;
        m_sampled_cycle = p.cycle;
    }
    std::string text = fmt::format("{:<10}", p.phase);
    if (p.done >= 0) text += fmt::format(" {:3.0f}%", 100 * p.done);
    text += fmt::format("  cycle {}", readable(static_cast<double>(p.cycle)));
    if (m_rate > 0) text += fmt::format("  {} cycles/s", scaled(m_rate));
    if (m_first_done < 0 && p.done >= 0) {
        m_first_done = p.done;
        m_first = now;
    }
    // By what was done here: neither before a run was resumed nor while the network was made.
    const double here = p.done - m_first_done, took = seconds(now - m_first);
    if (m_first_done >= 0 && (here > 0.01 || (here > 0 && took > settled)))
        text += fmt::format("  {} left", duration(took * (1 - p.done) / here));
    show(text);
}

void progress_line::erase() {
    if (!m_visible) return;
    write_to_terminal("\r\033[K");
    m_visible = false;
}

}  // namespace sare::cli
