// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/process/progress_line.h"

#include "tb/sare/command_parser.h"
#include "tb/sare/process/terminal.h"
#include "tb/sare/usage.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <cstdio>

namespace sare::cli {
namespace {

constexpr double first_shown = 2.0, between = 0.2;  // seconds
constexpr double settled = 30.0;  // after these even a hundredth tells how long it will take

double seconds(std::chrono::steady_clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

/// Returns text that fits into a line: one that wraps cannot be erased.
std::string fitting(const std::string& text) {
    winsize size{};
    const std::size_t width =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
    return text.substr(0, width);
}

/// Writes to the terminal; if that is closed, the work goes on.
void write_to_terminal(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}  // namespace

void progress_options::add_to(command_parser& command) {
    command.add_flag("--quiet", quiet, "Print nothing but errors");
    command
        .add_count("--progress-fd", lines_to, 0, 1'000'000,
                   "For other programs: lines of JSON that tell how far it is, to an open file descriptor")
        ->check([this](const std::string& number) {
            return fcntl(std::stoi(number), F_GETFD) >= 0 ? ""
                                                          : "must be an open file descriptor, not " + number;
        });
}

progress_line::progress_line(const progress_options& options)
    : m_on(!options.quiet && isatty(STDERR_FILENO) != 0), m_lines_to(options.lines_to) {}

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

/// Sends a line. A program that no longer reads has ended: this one ends, too, as by Ctrl-C.
void progress_line::send(const std::string& text, double done) {
    const auto now = clock::now();
    if (m_lines_to < 0 || seconds(now - m_sent) < between) return;
    m_sent = now;
    nlohmann::ordered_json line{{"done", nullptr}, {"text", text}};
    if (done >= 0) line["done"] = done;
    const std::string all = line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
    if (write(m_lines_to, all.data(), all.size()) >= 0) return;
    m_lines_to = -1;
    raise(SIGTERM);
}

void progress_line::show(const std::string& text, double done) {
    send(text, done);
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
    show(text, p.done);
}

void progress_line::erase() {
    if (!m_visible) return;
    write_to_terminal("\r\033[K");
    m_visible = false;
}

stage_line::stage_line(const progress_options& options) : m_line(options), m_thread([this] { tell(); }) {}

stage_line::~stage_line() {
    begin("");
    {
        const std::lock_guard<std::mutex> mine(m_mutex);
        m_over = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void stage_line::begin(const std::string& stage) {
    const std::lock_guard<std::mutex> mine(m_mutex);
    m_stage = stage;
    m_line.erase();
    m_changed.notify_all();
}

void stage_line::tell() {
    std::unique_lock<std::mutex> mine(m_mutex);
    while (!m_over) {
        m_changed.wait(mine, [this] { return m_over || !m_stage.empty(); });
        if (!m_stage.empty() && m_line.elapsed() >= first_shown)
            m_line.show(fmt::format("{}  {}", m_stage, duration(m_line.elapsed())));
        m_changed.wait_for(mine, std::chrono::milliseconds(500), [this] { return m_over; });
    }
}

}  // namespace sare::cli
