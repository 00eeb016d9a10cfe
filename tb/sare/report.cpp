// SPDX-License-Identifier: Apache-2.0
#include "tb/sare/report.h"

#include "tb/sare/commands.h"
#include "tb/sare/process.h"
#include "tlm/config/value.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace sare::cli {
namespace {

/// $SARE_SCRIPTS, else those installed beside this program, else those of the sources.
std::string script() {
    const char* other = std::getenv("SARE_SCRIPTS");
    if (other != nullptr && *other != '\0') return std::string(other) + "/report";
    std::error_code none;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
    const auto installed = program.parent_path().parent_path() / "share/sare/scripts/report";
    return std::filesystem::exists(installed, none) ? installed.string() : SARE_SCRIPTS_DIR "/report";
}

std::string all_of(int handle) {
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(handle, buffer, sizeof buffer)) != 0;) {
        if (n < 0 && errno != EINTR) break;
        if (n > 0) text.append(buffer, static_cast<std::size_t>(n));
    }
    return text;
}

std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

/// Starts the script with stderr going to `handle`; 0 or a reason.
int start(std::vector<std::string> line, int handle, pid_t& child) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, handle, STDERR_FILENO);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (std::string& word : line) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const int problem = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    return problem;
}

/// Calls the script. Answers "" or, in one line, why it has failed.
std::string call_script(const std::vector<std::string>& arguments) {
    const std::string program = script();
    std::vector<std::string> line{program};
    line.insert(line.end(), arguments.begin(), arguments.end());
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return std::strerror(errno);
    pid_t child = 0;
    const int problem = start(std::move(line), ends[1], child);
    close(ends[1]);
    const std::string said = problem == 0 ? all_of(ends[0]) : "";
    close(ends[0]);
    if (problem != 0)
        return fmt::format("{}: {}; SARE_SCRIPTS names its folder", program, std::strerror(problem));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return "";
    if (said.find("ModuleNotFoundError") != std::string::npos)
        return "python lacks a module; install python3-matplotlib and python3-jinja2";
    const std::string last = last_line(said);
    if (last.rfind("report: ", 0) == 0) return last.substr(8);
    return last.empty() ? program + " failed" : last;
}

}  // namespace

std::string write_report(const std::filesystem::path& directory) {
    return call_script({directory.string()});
}

std::string draw_network(const std::filesystem::path& directory, const std::filesystem::path& file) {
    return call_script({"--network", file.string(), directory.string()});
}

std::string draw_trace(const std::filesystem::path& data, const std::filesystem::path& file) {
    return call_script({"--trace", file.string(), data.string()});
}

namespace {

int make_report(const std::string& directory) {
    const std::string problem = write_report(directory);
    if (!problem.empty()) throw config::error(problem);
    fmt::print("{}\n", (std::filesystem::path(directory) / "report.html").string());
    return exit_status::good;
}

}  // namespace

void add_report(CLI::App& app, action& chosen) {
    auto* command = app.add_subcommand("report", "Write report.html of a result directory anew");
    auto directory = std::make_shared<std::string>();
    command->add_option("DIR", *directory, "Directory written by 'sare run' or 'sare sweep'")->required();
    command->callback([&chosen, directory] { chosen = [directory] { return make_report(*directory); }; });
}

}  // namespace sare::cli
